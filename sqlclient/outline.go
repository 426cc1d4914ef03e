package sqlclient

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
)

// An End says how a result ended. The zero value: it has not ended yet.
type End uint8

const (
	EndOpen      End = iota
	EndFinished      // the footer came
	EndClosed        // the closing border came, but no footer: TableResult.print() writes none
	EndCancelled     // "Query terminated": the user stopped the query
	EndFailed        // an error came instead of the border
	EndCutOff        // the input ended, or went on with something else
	EndNone          // a statement that went well and has no result
	EndUnknown       // a statement that nothing follows
)

var endNames = [...]string{"open", "finished", "closed", "cancelled", "failed", "cut off", "none", "unknown"}

// String returns the end in lower case, such as "cut off".
func (e End) String() string { return name(endNames[:], int(e)) }

// Whole reports whether all rows of the result were printed.
func (e End) Whole() bool { return e == EndFinished || e == EndClosed }

// A Result is one table of a transcript, or one "Empty set".
type Result struct {
	Number    int // from 1, within the file
	Statement *Statement
	Pos       changelog.Pos // of the head, or of the footer of an "Empty set"
	Mode      Mode
	Ambiguous bool               // see Head
	Snapshot  bool               // see Head
	Columns   []changelog.Column // nil for an "Empty set", which prints no head
	Count     int64              // rows that were read
	Recovered int64              // rows that were recovered
	Damaged   int64              // pieces that could not be read
	End       End
	Footer    *Footer // nil without one
	Misread   bool    // the footer shows that Mode is wrong, and with it Columns and Rows
	// Sink is what printed the rows, if a print sink did: the print connector,
	// or a program's print(). It never says its end, which is unknown. Nil for
	// a table.
	Sink *PrintSink

	// Rows holds the rows in the order of the input; nil in a Result of an
	// Outline, which counts rows only.
	Rows []changelog.Row

	footer   Footer // that of Footer
	widths   []int  // of the columns; nil where they have none
	kinds    [changelog.Retract + 1]int64
	bordered bool
	shut     bool          // the client said its last words before the end
	foreign  bool          // a line of something else was reported
	gap      changelog.Pos // of blank lines behind the last row
	prompted bool          // see Head
}

// Changes returns how many rows of the kind were read.
func (r *Result) Changes(kind changelog.RowKind) int64 {
	if int(kind) < len(r.kinds) {
		return r.kinds[kind]
	}
	return 0
}

// count counts a row, whose kind may be anything where no Reader made it.
func (r *Result) count(kind changelog.RowKind) {
	r.Count++
	if int(kind) < len(r.kinds) {
		r.kinds[kind]++
	}
}

// A PrintSink is a sink whose rows are PrintLines. Rows of one identifier are
// taken for those of one sink.
type PrintSink struct {
	Identifier string // "" for none
	Subtasks   bool   // the rows are of several parallel tasks; nothing tells the order between these

	last  int  // the subtask of the last row
	round bool // its brackets are round
}

// A Statement is what stands between two prompts.
type Statement struct {
	Number   int           // from 1; 0: before a client's first prompt, or behind its last words
	Pos      changelog.Pos // of the prompt
	SQL      string        // the echo as far as it was printed; "" if it was not
	Complete bool          // SQL is the whole statement
	Messages []*Message
	Jobs     []*Job
	Results  []*Result
	// Continued: an Outline hands out more of the statement, see there.
	Continued bool

	coloured bool     // the prompt is
	request  request  // of SQL
	answered bool     // something that is neither message nor result answers it
	failure  *Message // the first error of the parts before
	text     []byte   // what its strings are of, and those of its results
}

// keep returns a text of a record, which may be valid only until the next one, as
// one of the statement.
func (s *Statement) keep(text string) string {
	start := len(s.text)
	s.text = append(s.text, text...)
	return textOf(s.text[start:])
}

// Failure returns the first error of the statement, or nil.
func (s *Statement) Failure() *Message {
	if s.failure != nil {
		return s.failure
	}
	for _, m := range s.Messages {
		if m.Level == LevelError {
			return m
		}
	}
	return nil
}

// End returns how the statement ended: as its last result did, or EndFailed,
// EndNone, or EndUnknown for one that has none. Rows of print sinks do not tell,
// since they may be another statement's.
func (s *Statement) End() End {
	for _, r := range slices.Backward(s.Results) {
		if r.Sink == nil {
			return r.End
		}
	}
	switch {
	case s.Failure() != nil:
		return EndFailed
	case len(s.Messages) > 0 || len(s.Jobs) > 0 || s.answered:
		return EndNone
	}
	return EndUnknown
}

// A Severity tells an error from a warning.
type Severity uint8

const (
	SeverityNone    Severity = iota
	SeverityWarning          // something to know; what was read is right
	SeverityError            // what was read is not the whole truth
)

// String returns "none", "warning" or "error".
func (s Severity) String() string { return name(severityNames[:], int(s)) }

var severityNames = [...]string{"none", "warning", "error"}

// A Code names a kind of problem.
type Code string

// The problems of a transcript.
const (
	StatementFailed  Code = "statement-failed"  // an [ERROR]
	StatementUnknown Code = "statement-unknown" // nothing follows the statement
	ResultCutOff     Code = "result-cut-off"    // a result without its end
	PieceUnread      Code = "piece-unread"      // a SyntaxError
	PieceCutOff      Code = "piece-cut-off"     // a SyntaxError where the input ends
	FooterCount      Code = "footer-count"      // the footer counts otherwise than the rows
	FooterMode       Code = "footer-mode"       // the footer is that of a batch result below a changelog, or the other way round
	FooterAlone      Code = "footer-alone"      // a footer without a result above it
	RowNotSplit      Code = "row-not-split"     // a row of a print sink that its types do not split, or in more than one way
	RowMayGoOn       Code = "row-may-go-on"     // see PrintLine.MayGoOn
	RowRecovered     Code = "row-recovered"     // a row, or the line of the names, that did not fit its border
	LineBetweenRows  Code = "line-between-rows" // something else stands between two rows
	ModeAmbiguous    Code = "mode-ambiguous"    // see Head
	AnotherSession   Code = "another-session"   // the output of one client stands behind that of another
	AfterFailure     Code = "after-failure"     // a result of a client that had failed before: with -f it would have stopped
	ScreenRefused    Code = "screen-refused"    // a screen of table or changelog mode, which is no result
	PrefixRefused    Code = "prefix-refused"    // the client's prompt behind a prefix that the lines around it do not have
	CSVRefused       Code = "csv-refused"       // a changelog in CSV, of which nothing tells the columns
	TableOfOneLine   Code = "table-of-one-line" // nothing tells whether the line between two borders names columns or is a row
	NotUTF8          Code = "not-utf-8"         // bytes that are not UTF-8; they were kept
	NULBytes         Code = "nul-bytes"         // NUL bytes; they were kept
	MixedEncodings   Code = "mixed-encodings"   // most likely another encoding than that of the beginning; see Encoding
	NotClientOutput  Code = "not-client-output" // the input holds nothing that the client writes
)

// A Problem is something wrong or doubtful in a transcript.
type Problem struct {
	Pos       changelog.Pos
	Severity  Severity
	Code      Code
	Statement int // its number
	Result    int // its number; 0 for none
	Msg       string
}

// Error returns "file:line:col: message".
func (p *Problem) Error() string { return p.Pos.String() + ": " + p.Msg }

// An Outline puts the records of one transcript together: which statement and
// result each belongs to, and how these ended. It keeps no rows, and only the
// statement it is in and those that Next has yet to return, so its size does not
// grow with the input if Next is called for each record. A statement of
// more than a thousand results or messages, or of messages of more than some MiB
// (a program's output without prompts is one statement), comes in several parts
// of the same number, of which all but the last are marked Continued.
//
// An Outline is made by NewOutline.
type Outline struct {
	file    string
	report  func(*Problem)
	current *Statement
	open    *Result // the table whose end has not come
	// sinks are the print sinks that may go on: those since the last table.
	sinks  map[sinkKey]*Result
	number int // of the last statement
	before int // of the last statement of the sessions before
	// fromFile: the client reads its statements from a file (-f).
	fromFile bool
	shut     bool // the client said its last words
	failed   bool // a statement of this session failed
	results  int
	over     []*Statement
	spare    *Statement // see Release
	spares   []*Result
	client   bool // something that the client writes was seen
	plan     bool // the input begins as a compiled plan does
	closed   bool // the input is over
	// gathered is the size of the current statement's messages.
	gathered int
}

// NewOutline returns an empty outline of the named file. Report is called for
// each problem, in the order in which the problems become known; it may be nil.
func NewOutline(file string, report func(*Problem)) *Outline {
	if report == nil {
		report = func(*Problem) {}
	}
	return &Outline{file: file, report: report, current: &Statement{}}
}

// Add takes the next record and returns the result it belongs to, or nil. The
// result's End says whether the record ended it; a record may also end the
// result before it, which the caller sees at that result's End.
func (o *Outline) Add(rec Record) *Result {
	where := rec.Span()
	switch rec := rec.(type) {
	case *PrintLine:
		return o.printed(rec)
	case *Row:
		r := o.rows(rec.Pos, rec.Kind)
		r.count(rec.Kind)
		o.recovered(r, &rec.Row)
		return r
	case *Rows:
		if rec.Len() == 0 { // no Reader hands these out
			return o.open
		}
		r := o.rows(where.Start, rec.rows[0].Kind)
		r.Count += int64(rec.Len())
		for kind, n := range rec.kinds {
			r.kinds[kind] += n
		}
		if rec.marks&changelog.Recovered != 0 {
			for row := range rec.All() {
				o.recovered(r, row)
			}
		}
		return r
	case *Echo:
		o.client = true
		if o.shut {
			if rec.SQL == shutdownEnd { // whose newline another thread of the client wrote before it
				return nil
			}
			o.beginSession(where.Start)
		}
		o.endResult(EndCutOff)
		o.endStatement()
		o.number++
		_, coloured := promptLen(bytesOf(rec.Raw[:min(len(rec.Raw), 64)]))
		st := o.newStatement()
		st.Number, st.Pos, st.SQL, st.Complete, st.coloured = o.number, where.Start, st.keep(rec.SQL), rec.Complete, coloured
		st.request = readRequest(st.SQL, st.Complete)
		o.current = st
	case *Message:
		o.client = true
		if rec.Text == sessionBegins {
			o.beginSession(where.Start)
			o.fromFile = true
		}
		first := o.current.Failure() == nil
		if rec.Level == LevelError {
			if first {
				o.problem(where.Start, SeverityError, StatementFailed, "statement failed: "+rec.RootCause())
				o.failed = true
			}
			if r := o.open; r != nil && !r.bordered && !r.shut && r.gap.IsValid() { // in place of a row, perhaps
				o.foreignLine(r, r.gap)
			}
			o.endResult(EndFailed)
		} else {
			o.endResult(EndCutOff)
		}
		o.part()
		st := o.current
		if !st.Pos.IsValid() {
			st.Pos = where.Start
		}
		st.Messages = append(st.Messages, rec)
		o.gathered += len(rec.Raw)
	case *Job:
		o.client = true
		o.part()
		o.current.Jobs = append(o.current.Jobs, rec)
	case *Head:
		o.client = true
		r := o.newTable(where.Start)
		r.Mode, r.Ambiguous, r.Snapshot, r.Columns, r.widths, r.prompted = rec.Mode, rec.Ambiguous, rec.Snapshot, rec.Columns, rec.widths, rec.prompted
		o.open = r
		if rec.Ambiguous {
			o.problem(where.Start, SeverityWarning, ModeAmbiguous, "nothing printed tells whether the first column holds row kinds or data; read as "+rec.Mode.String())
		}
		if how := rec.Marks & changelog.Recovered; how != 0 {
			o.problem(where.Start, SeverityWarning, RowRecovered, "column names recovered: "+Recovery(how))
		}
		if rec.Unnamed {
			r.Damaged++
			o.problem(where.Start, SeverityError, PieceUnread, "the names of the columns cannot be read for certain")
		}
		return r
	case *Border:
		if r := o.open; r != nil {
			if r.bordered = true; r.Snapshot {
				o.endResult(EndClosed)
			}
			return r
		}
	case *Footer:
		o.client = true
		return o.footer(rec)
	case *SyntaxError:
		code := PieceUnread
		if rec.Cut {
			code = PieceCutOff
		}
		o.problem(where.Start, SeverityError, code, rec.Msg)
		r := o.open
		if h, ok := printed([]byte(rec.Raw)); ok && r == nil {
			name, _ := sink(strings.TrimSuffix(rec.Raw[h.from:h.prefix], "> "))
			if r = o.sinks[sinkKey{name, true}]; r == nil {
				r = o.sinkOf(sinkKey{identifier: name}, nil, where.Start)
			}
		}
		if r != nil {
			r.Damaged++
			return r
		}
	case *Encoding:
		o.encoding(rec)
		return o.open
	case *Text:
		return o.text(rec)
	}
	return nil
}

// rows returns the result of the rows that come next.
func (o *Outline) rows(pos changelog.Pos, kind changelog.RowKind) *Result {
	r := o.open
	if r == nil { // rows that some other reader found, without a head
		r = o.newTable(pos)
		r.Mode = ModeBatch
		if kind != changelog.None {
			r.Mode = ModeStreaming
		}
		o.open = r
	}
	if r.gap.IsValid() {
		o.foreignLine(r, r.gap)
		r.gap = changelog.Pos{}
	}
	return r
}

// recovered takes note of a row of r that was recovered.
func (o *Outline) recovered(r *Result, row *changelog.Row) {
	if how := row.Recovered(); how != 0 {
		r.Recovered++
		o.problem(row.Pos, SeverityWarning, RowRecovered, "row recovered: "+Recovery(how))
	}
}

// A sinkKey names a print sink, and whether its rows are split: those that could
// not be are a result of their own.
type sinkKey struct {
	identifier string
	split      bool
}

// printed takes a row of a print sink.
func (o *Outline) printed(rec *PrintLine) *Result {
	o.endResult(EndCutOff)
	if rec.Err != nil {
		o.sinkOf(sinkKey{rec.Sink, true}, rec.columns, rec.Pos).Damaged++
		o.problem(rec.Pos, SeverityError, RowNotSplit, "the fields of a printed row cannot be told apart: "+rec.Err.Error())
	}
	if rec.MayGoOn {
		o.problem(rec.Pos, SeverityWarning, RowMayGoOn, "a printed row behind a prefix that may be of its identifier, so that the lines behind it may be of the row")
	}
	r := o.sinkOf(sinkKey{rec.Sink, rec.Split}, rec.columns, rec.Pos)
	if r.Count > 0 && r.Sink.last != rec.Subtask {
		r.Sink.Subtasks = true
	}
	r.Sink.last, r.Sink.round = rec.Subtask, rec.Round
	r.count(rec.Kind)
	return r
}

// sinkOf returns the result of a print sink, a new one if need be. The columns
// are those of rows that are split.
func (o *Outline) sinkOf(key sinkKey, columns []changelog.Column, pos changelog.Pos) *Result {
	o.client = true
	r := o.sinks[key]
	if r == nil {
		key.identifier = strings.Clone(key.identifier) // a PrintLine may be valid only until the next one
		if !key.split {
			columns = []changelog.Column{{Name: LineColumn}}
		}
		r = o.newResult(pos)
		r.Mode, r.Columns, r.Sink = ModeStreaming, slices.Clone(columns), &PrintSink{Identifier: key.identifier}
		if o.sinks == nil {
			o.sinks = make(map[sinkKey]*Result)
		}
		o.sinks[key] = r
	}
	return r
}

// unfinished returns the result of the print sink whose row text is the beginning
// of, nil if it is none's.
func (o *Outline) unfinished(text string) *Result {
	var found sinkKey
	var r *Result
	for key, result := range o.sinks {
		better := len(key.identifier) > len(found.identifier) || key.identifier == found.identifier && key.split
		if (r == nil || better) && unfinishedRow(text, key.identifier) {
			found, r = key, result
		}
	}
	return r
}

// endSinks ends the results of print sinks.
func (o *Outline) endSinks() {
	for _, r := range o.sinks {
		r.End = EndUnknown
	}
	clear(o.sinks)
}

func (o *Outline) text(rec *Text) *Result {
	switch rec.Kind {
	case TextBlank:
		// CLEAR answers with the height of a screen in blank lines where the
		// terminal is dumb, as with -f (1.13 to 2.3).
		if strings.Count(rec.Text, "\n") >= 50 {
			o.current.answered = true
		}
		if o.open != nil {
			o.open.gap = rec.where.Start
		}
		return o.open
	case TextMark:
		return o.open
	case TextMarkup:
		o.client = true
		return o.open
	case TextBanner, TextInit:
		o.client = true
		o.beginSession(rec.where.Start)
	case TextOutput:
		o.client = true
		o.current.answered = true
	case TextOther:
		o.plan = o.plan || rec.where.Start.Line == 1 && looksLikePlan(rec.Text)
		// Up to 1.14 what SHOW CREATE and EXPLAIN answer stands in no box.
		if o.open == nil && o.current.request.text {
			o.current.answered = true
		}
	case TextShutdown:
		o.client = true
		o.shut = true
		if r := o.open; r != nil && !r.bordered {
			r.shut = true
			return r
		}
		return nil
	case TextScreen:
		o.client = true
		o.current.answered = true
		o.endResult(EndCutOff)
		mode := "table"
		if strings.Contains(rec.Text, screenTitles[1]) {
			mode = "changelog"
		}
		o.problem(rec.where.Start, SeverityError, ScreenRefused, "a screen of "+mode+" mode shows a page of a result, and no borders that cut its rows: save the result in tableau mode")
		return nil
	case TextPrefixed:
		o.client = true
		o.endResult(EndCutOff)
		o.problem(rec.where.Start, SeverityError, PrefixRefused, "the client's prompt stands behind something that the next line does not begin with: what the client wrote there is not read")
		return nil
	case TextCSV:
		o.client = true
		o.current.answered = true
		o.endResult(EndCutOff)
		o.problem(rec.where.Start, SeverityError, CSVRefused, "a changelog in CSV, with the row kind first: neither the client nor the print connector wrote it, and nothing tells its columns and nulls")
		return nil
	case TextTruncated:
		if r := o.open; r != nil {
			r.bordered = false // what the input ends in may have been its footer
			return r
		}
		if r := o.unfinished(rec.Text); r != nil {
			o.problem(rec.where.Start, SeverityError, PieceCutOff, printCut)
			r.Damaged++
			return r
		}
	}
	r := o.open
	if r == nil {
		return nil
	}
	if r.Snapshot {
		o.endResult(EndCutOff)
		return nil
	}
	if rec.Kind == TextOther && (strings.Contains(rec.Text, " in set") || strings.Contains(rec.Text, "eceived a total of ")) {
		o.problem(rec.where.Start, SeverityError, PieceUnread, "what looks like the footer of the result cannot be read")
		r.Damaged++
		return r
	}
	if r.bordered {
		if rec.Kind != TextLog { // which may come before the footer
			o.endResult(EndCutOff)
			return nil
		}
		return r
	}
	o.foreignLine(r, rec.where.Start)
	return r
}

// looksLikePlan reports whether text begins as COMPILE PLAN writes plans.
func looksLikePlan(text string) bool {
	rest, object := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
	return object && strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), `"flinkVersion"`)
}

// foreignLine reports the first line of something else among the rows of a
// result.
func (o *Outline) foreignLine(r *Result, pos changelog.Pos) {
	if !r.foreign {
		r.foreign = true
		o.problem(pos, SeverityWarning, LineBetweenRows, "a line of something else among the rows of a result")
	}
}

func (o *Outline) encoding(rec *Encoding) {
	switch rec.Kind {
	case EncodingNUL:
		o.problem(rec.where.Start, SeverityWarning, NULBytes, "NUL bytes from here on")
	case EncodingMixed:
		o.problem(rec.where.Start, SeverityError, MixedEncodings, "from here on most likely another encoding than that of the beginning (UTF-8, or UTF-16 of either byte order, or off by a byte): it is read as the beginning is, so what the client wrote is not found")
	default:
		o.problem(rec.where.Start, SeverityWarning, NotUTF8, "bytes that are not UTF-8 from here on; widths may be off by them")
	}
}

func (o *Outline) footer(rec *Footer) *Result {
	where := rec.where.Start
	r := o.open
	if rec.Kind == FooterEmptySet {
		r = o.newTable(where)
		r.Mode, r.End = ModeBatch, EndFinished
		r.keepFooter(rec)
		return r
	}
	if r == nil {
		o.problem(where, SeverityError, FooterAlone, fmt.Sprintf("%q closes no result", strings.TrimSpace(plain(rec.Raw))))
		return nil
	}
	r.keepFooter(rec)
	o.footerMode(r)
	end := EndFinished
	if rec.Kind == FooterTerminated {
		end = EndCancelled
	} else if rec.Rows != r.Count {
		o.problem(where, SeverityError, FooterCount, fmt.Sprintf("the footer counts %d rows, but %d were read", rec.Rows, r.Count))
	}
	o.endResult(end)
	return r
}

// keepFooter makes a copy of a footer that of the result.
func (r *Result) keepFooter(footer *Footer) {
	r.footer = *footer
	r.footer.Raw, r.footer.Seconds = r.Statement.keep(footer.Raw), r.Statement.keep(footer.Seconds)
	r.Footer = &r.footer
}

// footerMode reports a footer that shows that the rows were read by the wrong mode:
// what is ahead of a head tells its mode only as far as it is looked at, see
// modeWindow. Rows that have kinds above "rows in set" are TableResult.print()'s,
// which no prompt stands before; those without above "Received a total of" are of
// 1.11 and 1.12, where no column op is the row kind's.
func (o *Outline) footerMode(r *Result) {
	msg := ""
	switch {
	case r.Mode == ModeStreaming && r.Footer.Kind == FooterRowsInSet && r.prompted:
		msg = "the footer is that of a batch result, but the first column was read as row kinds"
	case r.Mode == ModeBatch && r.Footer.Kind != FooterRowsInSet && len(r.widths) > 1 && r.widths[0] == 2 && r.Columns[0].Name == "op":
		msg = "the footer is that of a changelog, but the first column was read as data"
	default:
		return
	}
	r.Misread = true
	o.problem(r.Footer.where.Start, SeverityError, FooterMode, msg)
}

// maxParts is how many results or messages a statement may gather, and
// maxGathered how many bytes of messages.
const (
	maxParts    = 1000
	maxGathered = 4 << 20
)

// part hands out what the statement has gathered, if that is much, and goes on
// with the same statement.
func (o *Outline) part() {
	st := o.current
	if o.open == nil && (len(st.Results) >= maxParts || len(st.Messages) >= maxParts || len(st.Jobs) >= maxParts || o.gathered >= maxGathered) {
		o.gathered = 0
		o.endSinks()
		o.over = append(o.over, st)
		rest := *st
		rest.Results, rest.Messages, rest.Jobs, rest.answered, rest.failure, rest.text = nil, nil, nil, true, st.Failure(), nil
		st.Continued = true
		o.current = &rest
	}
}

// newTable begins a table. Behind the last words of a client it is another program's,
// and of no statement.
func (o *Outline) newTable(pos changelog.Pos) *Result {
	o.endResult(EndCutOff)
	o.endSinks()
	if o.shut && o.current.Number > 0 {
		o.endSession()
		o.shut = true
	}
	return o.newResult(pos)
}

func (o *Outline) newResult(pos changelog.Pos) *Result {
	o.part()
	o.results++
	if o.failed && o.fromFile && o.current.Failure() == nil {
		o.problem(pos, SeverityWarning, AfterFailure, "a result after a failed statement, at which a client that reads a file stops")
		o.failed = false
	}
	var r *Result
	if n := len(o.spares); n > 0 {
		r, o.spares = o.spares[n-1], o.spares[:n-1]
	} else {
		r = new(Result)
	}
	*r = Result{Number: o.results, Statement: o.current, Pos: pos}
	o.current.Results = append(o.current.Results, r)
	if !o.current.Pos.IsValid() {
		o.current.Pos = pos
	}
	return r
}

// endResult ends the open result, if there is one. A result that goes on with
// something else after its closing border is closed, not cut off.
func (o *Outline) endResult(end End) {
	r := o.open
	if r == nil {
		return
	}
	o.open = nil
	switch {
	case r.shut && end != EndFailed: // the query was interrupted, whatever the footer counts
		end = EndCutOff
	case end == EndCutOff && r.bordered:
		end = EndClosed
	case end == EndCutOff && r.Snapshot: // a batch query writes no mark behind it
		end = EndUnknown
	}
	r.End = end
	if end == EndCutOff && r.Count == 0 && r.Damaged == 0 && !o.closed {
		o.report(&Problem{Pos: r.Pos, Severity: SeverityError, Code: TableOfOneLine, Statement: o.current.Number, Result: r.Number,
			Msg: "one line between two borders: nothing tells whether it names columns or is a row"})
	} else if end == EndCutOff {
		o.report(&Problem{Pos: r.Pos, Severity: SeverityError, Code: ResultCutOff, Statement: o.current.Number, Result: r.Number,
			Msg: fmt.Sprintf("the result is cut off after %d rows", r.Count)})
	}
}

func (o *Outline) endStatement() {
	o.endSinks()
	st := o.current
	if st.Number == 0 && len(st.Results) == 0 && st.Failure() == nil {
		return
	}
	if st.Number > 0 && st.End() == EndUnknown {
		o.problem(st.Pos, SeverityError, StatementUnknown, "nothing tells how the statement ended")
	}
	o.over = append(o.over, st)
	o.gathered = 0
}

// sessionBegins is what the client says with -f before it reads the file.
const sessionBegins = "Executing SQL from file."

// endSession ends the statement of a client that is over, or that another one
// took the place of in the same file: what comes before the next prompt is of
// the next session.
func (o *Outline) endSession() {
	o.endResult(EndCutOff)
	st := o.current
	if prompt := st.Number > 0 && st.SQL == "" && st.End() == EndUnknown; !prompt { // a last empty one is no statement
		o.endStatement()
	} else if len(o.sinks) > 0 { // but jobs may go on to print behind it
		o.endSinks()
		o.over = append(o.over, st)
	} else {
		o.number--
	}
	o.current = &Statement{}
	o.failed, o.fromFile, o.shut = false, false, false
}

// beginSession ends what came before the first words of a client.
func (o *Outline) beginSession(pos changelog.Pos) {
	if o.number > o.before {
		o.endSession()
		o.problem(pos, SeverityWarning, AnotherSession, "another session of the client begins in the same file")
		o.before = o.number
	}
}

// Close ends the outline where the input ends.
func (o *Outline) Close() {
	o.closed = true
	o.endSession()
	if !o.client {
		msg := "nothing here is written by the SQL client"
		if o.plan {
			msg += ": it looks like a compiled plan, which planinfo reads"
		}
		o.report(&Problem{Pos: changelog.Pos{File: o.file, Line: 1, Col: 1}, Severity: SeverityError, Code: NotClientOutput, Msg: msg})
	}
}

// Next returns the oldest statement that is over and was not returned before. It is
// to be called while records are added, until it has none, and once more after
// Close: until then the Outline keeps every statement that is over.
func (o *Outline) Next() (*Statement, bool) {
	if len(o.over) == 0 {
		return nil, false
	}
	st := o.over[0]
	o.over[0] = nil
	if len(o.over) == 1 { // as mostly: its place is the next one's
		o.over = o.over[:0]
	} else {
		o.over = o.over[1:]
	}
	return st, true
}

// maxSpares is how many results are kept for those to come.
const maxSpares = 16

// Release gives a statement that Next returned back: its memory is that of
// statements to come, so that an input of many small results leaves no garbage.
// Neither the statement nor its results and footers may be used any more, nor any
// string of theirs; Messages, Jobs and Columns may. So release a statement once, and
// none whose rows a Schemas was given, which asks later on how it ended. A statement
// that is Continued is left alone.
func (o *Outline) Release(st *Statement) {
	if st.Continued { // the other parts have its SQL
		return
	}
	o.spare = st
	o.spares = append(o.spares, st.Results[:min(len(st.Results), maxSpares-len(o.spares))]...)
	st.Results = st.Results[:0]
}

// newStatement returns an empty statement.
func (o *Outline) newStatement() *Statement {
	st := o.spare
	if st == nil {
		return new(Statement)
	}
	o.spare = nil
	*st = Statement{Results: st.Results[:0], text: st.text[:0]}
	return st
}

func (o *Outline) problem(pos changelog.Pos, sev Severity, code Code, msg string) {
	p := &Problem{Pos: pos, Severity: sev, Code: code, Statement: o.current.Number, Msg: msg}
	if o.open != nil {
		p.Result = o.open.Number
	}
	o.report(p)
}
