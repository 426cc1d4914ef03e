package sqlclient

import (
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
)

// A Span is a range of a transcript: from Start up to, not including, End.
type Span struct {
	Start, End changelog.Pos
}

// Len returns the number of bytes in the span.
func (s Span) Len() int64 { return s.End.Offset - s.Start.Offset }

// A Record is one piece of a transcript. The spans of all records, in order,
// cover the input without gaps or overlaps. (An Encoding has no length.)
//
// The set of records is closed to other packages but may grow: a switch over
// them wants a default case.
type Record interface {
	Span() Span
	record() // seals the interface
}

// span is what every record carries. Its methods are those of a pointer, so that
// only *Text and the like are records, and a case Text in a switch does not compile.
type span struct{ where Span }

// Span returns the place of the record.
func (s *span) Span() Span { return s.where }
func (*span) record()      {}

// A TextKind says what a Text is.
type TextKind uint8

const (
	TextOther     TextKind = iota // none of the kinds below
	TextBlank                     // blank lines
	TextBanner                    // what the client prints before its first prompt
	TextLog                       // lines of a logger or of the JVM
	TextOutput                    // an answer printed without a box: HELP, EXPLAIN in 1.15
	TextShutdown                  // "Shutting down the session..." and "done."
	TextInit                      // "Successfully initialized from sql script: ..."
	TextMarkup                    // the JSON of a Zeppelin note around what was run and shown
	TextTruncated                 // a last line without its newline that is nothing whole
	TextMark                      // a byte order mark
	TextScreen                    // screens of table or changelog mode
	TextCSV                       // a changelog in CSV, the row kind first
	TextPrefixed                  // lines with a prompt behind something of another program
)

var textKindNames = [...]string{"other", "blank", "banner", "log", "output", "shutdown", "init", "markup", "truncated", "byte order mark", "screen", "CSV", "prefixed"}

// String returns the kind in lower case, such as "blank".
func (k TextKind) String() string { return name(textKindNames[:], int(k)) }

// name returns the name of a constant, "" for a value that is none.
func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// A Text is a run of lines that is neither echo nor message nor a part of a
// result.
type Text struct {
	span
	Kind TextKind
	Text string // as read, with newlines and escape codes
}

// An Echo is a prompt and the statement behind it, as far as it was printed.
//
// With -f, releases from 1.15 on print a statement only up to its last closing
// bracket (be it in a string or a comment), and one without any not at all: SQL
// is a prefix of the statement at best. It is their line editor that prints,
// and all it prints is the partner of a bracket.
type Echo struct {
	span
	SQL      string // without prompts and escape codes; "" where nothing was echoed
	Complete bool   // SQL ends in the ";" that ends the statement
	Raw      string // as read
}

// A Level is the level of a message of the client.
type Level uint8

const (
	LevelNone    Level = iota
	LevelInfo          // [INFO]
	LevelWarning       // [WARNING]
	LevelError         // [ERROR], or an exception that ended the client
)

var levelNames = [...]string{"", "INFO", "WARNING", "ERROR"}

// String returns the level as the client prints it, without brackets.
func (l Level) String() string { return name(levelNames[:], int(l)) }

// A Message is what the client says about a statement.
type Message struct {
	span
	Level Level
	// Text is the message behind its level, lines joined with "\n", colour
	// removed. For an error with a "Reason:" it is the text behind that word,
	// without the class.
	Text string
	// Class is the exception's class where one is printed, such as
	// "java.lang.NumberFormatException".
	Class string
	// CausedBy holds the causes of a printed stack, outermost first, each as
	// "class: message".
	CausedBy []string
	Raw      string // as read
}

// Summary returns the message as the client would print it on one line: the
// class, and the first line of the text.
func (m *Message) Summary() string {
	line, _, _ := strings.Cut(m.Text, "\n")
	switch {
	case m.Class == "":
		return line
	case line == "":
		return m.Class
	}
	return m.Class + ": " + line
}

// RootCause returns what the client prints of an error without a stack: the innermost
// cause of a stack that was printed, as sql-client.verbose has it, or else the Summary.
func (m *Message) RootCause() string {
	if n := len(m.CausedBy); n > 0 {
		return m.CausedBy[n-1]
	}
	return m.Summary()
}

// A Job is the line with the id of a submitted job.
type Job struct {
	span
	ID  string // 32 hexadecimal digits
	Raw string // as read
}

// A Mode says whether the rows of a result are changes.
type Mode uint8

const (
	ModeNone      Mode = iota // there is no result
	ModeStreaming             // a changelog: rows have kinds
	ModeBatch                 // rows without kinds: batch queries, SHOW, DESCRIBE, ...
)

var modeNames = [...]string{"none", "streaming", "batch"}

// String returns "streaming", "batch", or "none".
func (m Mode) String() string { return name(modeNames[:], int(m)) }

// A Head is the top of a table: border, column names, border.
type Head struct {
	span
	Mode Mode
	// Ambiguous: nothing printed tells whether the first column is the row
	// kind or a column of that name; Mode is the likelier of the two.
	Ambiguous bool
	// Unnamed: the line of the names does not fit its border, and can be cut in
	// more than one way, or must not be recovered (see Strict); the Columns have no
	// names.
	Unnamed bool
	// Marks say how the names were found where they do not fit their border.
	Marks changelog.Marks
	// Snapshot: the rows are the table of a query at some moment, as Zeppelin
	// shows it. What is shown later takes its place.
	Snapshot bool
	Columns  []changelog.Column // without the row kind; not to be changed
	Raw      string             // as read

	widths   []int // of the Columns
	prompted bool  // the client wrote it: below a prompt, in a session that has not ended
}

// A Row is a row of the table whose Head came before it. It is the caller's.
type Row struct {
	changelog.Row
	end changelog.Pos // behind the row's newline
}

// Span returns the place of the row.
func (r *Row) Span() Span { return Span{Start: r.Pos, End: r.end} }
func (*Row) record()      {}

// A Border is the line that closes a table, or what ends a Snapshot. It says
// nothing but where that is, so it has no text.
type Border struct{ span }

// A FooterKind says which of the client's closing lines a Footer is.
type FooterKind uint8

const (
	FooterNone       FooterKind = iota
	FooterReceived              // "Received a total of N rows": the end of a changelog
	FooterRowsInSet             // "N rows in set": the end of a batch result
	FooterEmptySet              // "Empty set": a batch result without rows, and without a head
	FooterTerminated            // "Query terminated, received a total of N rows": cancelled
)

var footerKindNames = [...]string{"", "received", "rows in set", "empty set", "terminated"}

// String returns the kind in lower case, such as "rows in set".
func (k FooterKind) String() string { return name(footerKindNames[:], int(k)) }

// A Footer is the line that counts the rows of a result.
type Footer struct {
	span
	Kind    FooterKind
	Rows    int64  // as claimed; 0 for EmptySet
	Seconds string // as printed, such as "0.58", perhaps with a comma; "" where no time is printed
	Raw     string // as read
}

// A SyntaxError is a piece of a table that could not be read. It is a record:
// what follows it is still read. As an error it prints its place and message.
type SyntaxError struct {
	span
	Msg string
	Cut bool   // nothing is wrong with the piece but that the input ends in it
	Raw string // as read; the first KiB of a longer piece
}

// Error returns "file:line:col: message".
func (e *SyntaxError) Error() string { return e.where.Start.String() + ": " + e.Msg }
