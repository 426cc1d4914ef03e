package sqlclient

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unsafe"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
)

// A PrintLine is a row that the print connector, or a program's print(), wrote
// to the standard output of a task (org.apache.flink.api.common.functions.util.
// PrintSinkOutputWriter). It is a line, or several where a value holds newlines;
// the line behind it tells which, so a Reader hands it out when that has come.
//
// Its Row has the kind and one cell, LineColumn: what stands between the
// brackets, with the newlines that were written where those of the file became
// CR LF. Nothing in it is escaped, so the fields can be told apart only by
// their types: with SplitPrinted the Row has a cell for each field. Where the row
// is a tuple with the flag of a retract stream, the kind is that of the row in it,
// or Retract where the flag says that the row is taken back and the row does not.
//
// Its strings are the caller's, unless the Reader was made with ReuseRows.
type PrintLine struct {
	changelog.Row
	end changelog.Pos // behind the row's newline
	// Split: there is a cell for each of the fields, whose columns are f0, f1, ...
	Split bool
	// Err says why the row was not split, if there are types for it: a
	// *datatype.ValueError.
	Err error
	// Sink is the identifier before the row, "" for none, and Subtask the number
	// of the parallel task behind it, from 1; 0 for none. An identifier that is
	// a number, or ends in a colon and a number, is not told from a task's.
	Sink    string
	Subtask int
	// MayGoOn: what stands before the row is taken for the prefix of quoted lines, and
	// may be of its identifier; then the lines behind it, which have no such prefix,
	// are of the row, too.
	MayGoOn bool
	// Round: the brackets are round, as up to 1.12, where a comma without a
	// blank separates the fields and nested rows have no brackets.
	Round bool
	Raw   string // as read

	columns []changelog.Column // f0, f1, ... if there are types for the sink
}

// LineColumn is the column of the rows of a print sink, which hold whole lines.
const LineColumn = "line"

// SplitPrinted splits the rows of print sinks by the types of their fields, which
// types gives for the identifier of a sink: nil for a sink whose rows stay whole;
// the zero Type for a field of which nothing is known. See
// [datatype.SplitFields].
//
// A sink whose first row does not fit its types at all is taken to have others, and
// its rows stay whole.
func SplitPrinted(types func(sink string) []datatype.Type) Option {
	return func(r *Reader) { r.types = types }
}

// A splitter knows the fields of a print sink.
type splitter struct {
	types   []datatype.Type
	columns []changelog.Column
}

// maxSplitters is how many sinks are kept in mind.
const maxSplitters = 1000

// split splits the row p, if there are types for it.
func (r *Reader) split(p *PrintLine) {
	p.Split, p.Err, p.columns = false, nil, nil
	if r.types == nil {
		return
	}
	notation := datatype.JavaNotation
	if p.Round {
		notation = datatype.OldJavaNotation
	}
	s, known := r.splitters[p.Sink]
	if !known {
		s.types = r.types(strings.Clone(p.Sink))
	}
	var fields []datatype.FieldText
	if len(s.types) > 0 {
		fields, p.Err = datatype.SplitFields(p.Cells[0].Text, s.types, notation)
	}
	if !known {
		if p.Err != nil && !errors.Is(p.Err, datatype.ErrAmbiguous) && !errors.Is(p.Err, datatype.ErrLength) {
			s.types, p.Err = nil, nil // of another sink
		}
		for i, t := range s.types {
			s.columns = append(s.columns, changelog.Column{Name: "f" + strconv.Itoa(i), Type: t})
		}
		if len(r.splitters) >= maxSplitters || r.splitters == nil {
			r.splitters = make(map[string]splitter)
		}
		r.splitters[strings.Clone(p.Sink)] = s
	}
	if p.columns = s.columns; len(fields) == 0 {
		return
	}
	p.Split, p.Cells = true, p.Cells[:0]
	for _, f := range fields {
		cell := changelog.Cell{Text: f.Text}
		if f.Null || r.nullSet && f.Text == r.null {
			cell.Marks = changelog.Null
		}
		p.Cells = append(p.Cells, cell)
	}
}

// Span returns the place of the row.
func (p *PrintLine) Span() Span { return Span{Start: p.Pos, End: p.end} }
func (*PrintLine) record()      {}

const (
	maxIdentifier = 1000 // of a print sink
	// maxPrinted is how far the end of a row is looked for.
	maxPrinted = 64 << 10
)

// A printHead is what a row of a print sink begins with.
type printHead struct {
	from, prefix int // the prefix is line[from:prefix], with its "> "
	fields       int // where the text between the brackets begins
	kind         changelog.RowKind
	close        string // what the last line of the row ends in
}

// brackets numbers the ways in which a row may end.
func (h *printHead) brackets() int {
	n := len(h.close) - 1
	if h.close[0] == ')' {
		n += 2
	}
	return n
}

// unclosed is what is known of the lines ahead from looking for the end of a row
// in vain: so that rows without ends do not each look again.
type unclosed struct {
	end  int64 // the offset up to which no line ends a row
	row  int64 // the offset of the last line before that which may begin a row
	over bool  // what stands there is no part of a row
}

// printHeadOf returns the beginning of a print sink's row in the line that b
// begins with, and false if there is none.
func printHeadOf(b []byte) (h printHead, ok bool) {
	h.from = skipEscapes(b)
	for i := h.from; i-h.from <= maxIdentifier; {
		if h.row(b, i) {
			return h, true
		}
		j := bytes.Index(b[i:min(len(b), h.from+maxIdentifier+2)], []byte("> "))
		if j < 0 || bytes.IndexByte(b[i:i+j], '\n') >= 0 {
			return h, false
		}
		if i += j + 2; j == 0 && i == h.from+2 {
			return h, false // ">" without an identifier
		}
	}
	return h, false
}

// row reads the beginning of a row that stands at i.
func (h *printHead) row(b []byte, i int) bool {
	rest := b[i:]
	tuple, taken := false, false
	if len(rest) > 0 && rest[0] == '(' {
		if behind, ok := bytes.CutPrefix(rest, []byte("(true,")); ok {
			tuple, rest = true, behind
		} else if behind, ok := bytes.CutPrefix(rest, []byte("(false,")); ok {
			tuple, taken, rest = true, true, behind
		}
	}
	if len(rest) < 3 {
		return false
	}
	kind, ok := rowKind(rest[:2])
	switch {
	case !ok || tuple && !taken && kind.Removes():
		return false
	case taken && !kind.Removes():
		kind = changelog.Retract
	}
	switch rest[2] {
	case '[':
		h.close = "]"
	case '(':
		h.close = ")"
	default:
		return false
	}
	if tuple {
		h.close += ")"
	}
	h.prefix, h.fields, h.kind = i, i+len(b[i:])-len(rest)+3, kind
	return true
}

// sink splits a prefix, without its "> ", into identifier and subtask.
func sink(prefix string) (identifier string, subtask int) {
	i := strings.LastIndexByte(prefix, ':')
	number := prefix[i+1:]
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || number[0] < '1' || number[0] > '9' {
		return prefix, 0
	}
	return prefix[:max(i, 0)], n
}

// rowHeads are what rows begin with behind the prefix.
var rowHeads = [...]string{
	"+I[", "-U[", "+U[", "-D[", "+I(", "-U(", "+U(", "-D(",
	"(true,+I[", "(true,+U[", "(false,+I[", "(false,-U[", "(false,+U[", "(false,-D[",
	"(true,+I(", "(true,+U(", "(false,+I(", "(false,-U(", "(false,+U(", "(false,-D(",
}

// unfinishedRow reports whether text, in which an input ends, is the beginning of
// a row of the sink with the identifier, not even up to its bracket.
func unfinishedRow(text, identifier string) bool {
	rest, ok := strings.CutPrefix(text, identifier)
	if !ok {
		return false
	}
	prefixed := identifier != ""
	if number, colon := strings.CutPrefix(rest, ":"); colon || !prefixed {
		rest = strings.TrimLeft(number, "0123456789")
		prefixed = prefixed || len(rest) < len(number)
	}
	if prefixed {
		if rest == "" || rest == ">" {
			return identifier != ""
		}
		if rest, ok = strings.CutPrefix(rest, "> "); !ok {
			return false
		}
	}
	for _, head := range rowHeads {
		if strings.HasPrefix(head, rest) {
			return rest != "" || identifier != ""
		}
	}
	return false
}

// printed reads the beginning of a print sink's row in a line, if that is
// nothing that the client or a logger writes.
func printed(line []byte) (h printHead, ok bool) {
	h, ok = printHeadOf(line)
	return h, ok && !beginsFile(line) && classify(line) == otherToken
}

// printLines hands out the rows of print sinks that stand at the read position,
// the first of which begins with h. It reports false when the caller has enough.
func (r *Reader) printLines(h printHead) bool {
	for ok := true; ok && !r.halted; {
		n, whole := r.in.line(0, maxText)
		switch {
		case !whole && n < maxText:
			r.cutOff(printCut)
			return false
		case !whole:
			r.unread(n, "the line of a print sink is too long")
			r.restOfLine()
		default:
			switch size, msg, open := r.printedRow(h, n); msg {
			case "":
				r.handed.printed.MayGoOn = open && r.mayGoOn(h)
				r.emitPrinted(h, size)
			case printCut:
				r.cutOff(msg)
				return false
			default:
				r.unread(size, msg)
			}
		}
		n, _ = r.in.line(0, maxText)
		h, ok = printed(r.in.data()[:n])
	}
	return !r.halted
}

// restOfLine hands out what is left of a line that was too long.
func (r *Reader) restOfLine() {
	for whole := false; !whole && !r.halted; {
		var n int
		if n, whole = r.in.line(0, maxText); n == 0 {
			return
		}
		text := &Text{Kind: TextOther, Text: string(r.in.data()[:n])}
		text.span = r.in.consume(n)
		r.emit(text)
	}
}

const printCut = "a row of a print sink is cut off by the end of the input"

// printedRow returns the length of the row at the read position, whose first
// line is of n bytes; or, with a message, the length of what cannot be read. Open: all
// lines behind it, to the end of what the reader has, might be of the row.
//
// A row ends with the bracket that ends a line. But a value may hold a newline,
// and before it a bracket, so the row is known only if no other line up to what
// is known to be no part of it ends in such a bracket.
func (r *Reader) printedRow(h printHead, n int) (size int, msg string, open bool) {
	closes := func(line []byte) bool { return bytes.HasSuffix(trimEOL(line), []byte(h.close)) }
	size = n
	ends := 0 // lines that may end the row
	if closes(r.in.data()[h.fields:n]) {
		ends = 1
	}
	rows := false // the row would hold the beginning of another one
	start, i, over := r.in.pos.Offset, n, false
	seen := &r.unclosed[h.brackets()]
	if ends == 0 && seen.end > start+int64(n) {
		i, over = int(seen.end-start), seen.over
		rows = seen.row >= start+int64(n)
	}
	for !over && i < maxPrinted && !(rows && ends > 0) {
		n, whole := r.in.line(i, maxPrinted)
		line := r.in.data()[i : i+n]
		if !whole {
			if ends == 0 && n < maxPrinted {
				return 0, printCut, false
			}
			over, open = true, n == 0
			break
		}
		if _, ok := printed(line); ok {
			if ends > 0 {
				break
			}
			rows = true
			seen.row = start + int64(i)
		} else if over = r.endsPrinted(line, i); over {
			break
		}
		if i += n; closes(line) {
			size = i
			ends++
		}
	}
	if ends == 0 {
		seen.end, seen.over = start+int64(i), over
	}
	switch {
	case ends == 0:
		return size, "a row of a print sink without its end", false
	case rows:
		return size, "a row of a print sink without its end, or with a line in it that looks like another row", false
	case ends > 1:
		return size, "a row of a print sink, of which one line or another may be the last", false
	}
	return size, "", open
}

// mayGoOn reports whether a row, up to the end of a block of quoted lines, may go on
// behind it: if the prefix of the block is no prefix but the beginning of the row's
// identifier.
func (r *Reader) mayGoOn(h printHead) bool {
	if !r.goesOn() || h.prefix == h.from && !strings.HasSuffix(r.quoted.prefix, "> ") {
		return false
	}
	in := r.quoted.in
	for i := 0; i < maxPrinted; {
		n, whole := in.line(i, maxPrinted)
		line := in.data()[i : i+n]
		if _, row := printed(line); !whole || row || classify(line) != otherToken || marksLen(line) > 0 && beginsQuote(line[marksLen(line):]) || borderTail(line) >= 0 {
			return false
		}
		if bytes.HasSuffix(trimEOL(line), []byte(h.close)) {
			return true
		}
		i += n
	}
	return false
}

// endsPrinted reports whether the line at i is nothing that stands within a row.
func (r *Reader) endsPrinted(line []byte, i int) bool {
	if beginsFile(line) {
		return true
	}
	switch classify(line) {
	case otherToken, blankToken:
	default:
		return true
	}
	at := borderTail(line)
	if at < 0 {
		return false
	}
	saved := r.table
	head, _ := r.head(i + at)
	r.table = saved
	return head != nil
}

// emitPrinted hands out the row of n bytes at the read position.
func (r *Reader) emitPrinted(h printHead, n int) bool {
	data := r.in.data()[:n]
	p := &r.handed.printed
	var raw string
	if r.reuse {
		raw = unsafe.String(unsafe.SliceData(data), n)
	} else {
		raw = string(data)
		p = &PrintLine{MayGoOn: p.MayGoOn}
	}
	end := len(trimEOL(data)) - len(h.close)
	p.Kind, p.Raw, p.Round = h.kind, raw, h.close[0] == ')'
	text := raw[h.fields:end]
	if bytes.HasSuffix(data, []byte("\r\n")) { // then the newlines in the row became CR LF, too
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	p.Cells = append(p.Cells[:0], changelog.Cell{Text: text})
	p.Sink, p.Subtask = sink(strings.TrimSuffix(raw[h.from:h.prefix], "> "))
	r.split(p)
	where := r.in.consume(n).where
	p.Pos, p.end = where.Start, where.End
	return r.emit(p)
}
