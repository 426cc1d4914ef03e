package grammar

import (
	"regexp"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
)

// A Transcript is everything that a client printed.
type Transcript struct {
	Before     []*Piece     `parser:"@@*"` // what stands before the first prompt
	Statements []*Statement `parser:"@@*"`
}

// A Statement is a prompt, what was echoed of a statement, and what the client
// said about it.
type Statement struct {
	Prompt string      `parser:"@Prompt"`
	First  string      `parser:"( @SQL"`
	Typed  string      `parser:"| @Typed )?"` // at a terminal
	More   []*EchoLine `parser:"@@* EOL?"`
	Pieces []*Piece    `parser:"@@*"`
}

// An EchoLine is a line of an echo behind its first.
type EchoLine struct {
	Break string `parser:"@Break"`
	SQL   string `parser:"@SQL?"`
}

// A Piece is one thing that the client, or another program, printed.
type Piece struct {
	Table   *Table   `parser:"  @@"`
	Empty   *Empty   `parser:"| @@"`
	Message *Message `parser:"| @@"`
	Job     *Job     `parser:"| @@"`
	Footer  *Footer  `parser:"| @@"` // closes no table, or one that blank lines keep apart
	Print   *Print   `parser:"| @@"`
	Stop    string   `parser:"| @Stop"`
	Line    string   `parser:"| @Line"`
}

// A Print is a row of a print sink.
type Print struct {
	Prefix string `parser:"@Prefix?"`
	Flag   string `parser:"@Flag?"`
	Change string `parser:"@Change"` // the row kind and the opening bracket
	Fields string `parser:"@Fields? Closing"`
	EOL    string `parser:"@EOL"`
}

// A Table is a result. It ends with a border and a footer; without a border if
// it has no rows or the query was stopped; without both if it failed or is cut
// off; and without a footer as TableResult.print() writes it.
type Table struct {
	Names  *Row    `parser:"Top @@ Rule"`
	Items  []*Item `parser:"@@*"`
	Bottom string  `parser:"@Bottom?"`
	Footer *Footer `parser:"@@?"`
}

// An Item is a row, or what other programs printed among the rows.
type Item struct {
	Row  *Row   `parser:"  @@"`
	Job  *Job   `parser:"| @@"`
	Line string `parser:"| @Line"`
}

// A Row is a line of a table: the names of the columns, or a row.
type Row struct {
	Cells []*Cell `parser:"Bar @@+ EOL"`
}

// A Cell is one value with its padding.
type Cell struct {
	Text string `parser:"@Cell Bar"`
}

// A Footer counts the rows of a result.
type Footer struct {
	Words string `parser:"( @(Received | Terminated)"`
	Rows  string `parser:"  @Number Unit"`
	InSet string `parser:"| @Number Unit InSet )"`
	Time  string `parser:"( Open @Number Seconds )? EOL"`
}

// An Empty is a batch result without rows, which has no table.
type Empty struct {
	Words string `parser:"@Empty"`
	Time  string `parser:"( Open @Number Seconds )? EOL"`
}

// A Message is what the client says about a statement.
type Message struct {
	Level  string  `parser:"( @Level"`
	Fatal  string  `parser:"| @Fatal )"` // an exception that ended the client
	Reason string  `parser:"@Reason?"`
	Class  string  `parser:"@Class?"`
	Parts  []*Part `parser:"@@* End"`
}

// A Part is a piece of the text of a message.
type Part struct {
	Cause *Cause `parser:"  @@"`
	Text  string `parser:"| @(Words | Newline)"`
}

// A Cause is the line of a printed stack that names the cause of what stands
// above it.
type Cause struct {
	Label string `parser:"@Cause"`
	Class string `parser:"@Class"`
	Text  string `parser:"@Words*"`
}

// A Job is the line with the id of a submitted job.
type Job struct {
	ID string `parser:"Job @Hex EOL"`
}

var parser = sync.OnceValue(func() *participle.Parser[Transcript] {
	return participle.MustBuild[Transcript](participle.Lexer(definition{}))
})

// Parse reads a whole transcript.
func Parse(name, src string) (*Transcript, error) {
	return parser().ParseString(name, src)
}

// EBNF returns the grammar.
func EBNF() string { return parser().String() }

// Echo returns the statement as far as it was echoed, without escape codes and
// the bell that the line editor rings.
func (s *Statement) Echo() string {
	if s.Typed != "" {
		return strings.TrimSpace(shown(s.Typed))
	}
	text := s.First
	for _, l := range s.More {
		text += "\n" + l.SQL
	}
	return strings.TrimSpace(strings.ReplaceAll(plain(text), "\a", ""))
}

// Sink returns the identifier of the sink: the prefix without the number of the
// task.
func (p *Print) Sink() string {
	return taskText.ReplaceAllString(p.Prefix, "")
}

// Text returns what the row holds, with the newlines that were written where those
// of the file became CR LF.
func (p *Print) Text() string {
	if strings.HasSuffix(p.EOL, "\r\n") {
		return strings.ReplaceAll(p.Fields, "\r\n", "\n")
	}
	return p.Fields
}

var taskText = regexp.MustCompile(`(?:(?:^|:)[1-9]\d{0,8})?> $`)

// Kind returns the row kind: that of the row, or "-" where the flag takes back
// a row that does not say so itself.
func (p *Print) Kind() string {
	if p.Flag == "(false," && p.Change[0] == '+' {
		return "-"
	}
	return p.Change[:2]
}

// Name returns the level without brackets.
func (m *Message) Name() string {
	if m.Fatal != "" {
		return "ERROR"
	}
	return strings.Trim(m.Level[strings.LastIndexByte(m.Level, '['):], "[] ")
}

// Text returns the text of the message behind its class, line by line.
func (m *Message) Text() string {
	text := ""
	if strings.HasPrefix(m.Fatal, "Failed") {
		text = m.Fatal
	}
	for _, p := range m.Parts {
		switch {
		case p.Cause == nil:
			text += strings.TrimLeft(p.Text, "\r")
		case p.Cause.Text == "":
			text += p.Cause.Label + p.Cause.Class
		default:
			text += p.Cause.Label + p.Cause.Class + ": " + p.Cause.Text
		}
	}
	return strings.TrimRight(text, " \t\r\n")
}
