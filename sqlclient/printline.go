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
// PrintSinkOutputWriter). It is a line, or several where a value holds newlines.
//
// Its Row has the kind and one cell, LineColumn: what stands between the
// brackets. Nothing in it is escaped, so the fields can be told apart only by
// their types, see Fields. Where the row is a tuple
// with the flag of a retract stream, the kind is that of the row in it, or
// Retract where the flag says that the row is taken back and the row does not.
//
// Its strings are the caller's, unless the Reader was made with BatchRows.
type PrintLine struct {
	changelog.Row
	End changelog.Pos // behind the row's newline
	// Sink is the identifier before the row, "" for none, and Subtask the number
	// of the parallel task behind it, from 1; 0 for none. An identifier that is
	// a number, or ends in a colon and a number, is not told from a task's.
	Sink    string
	Subtask int
	// Round: the brackets are round, as up to 1.12, where a comma without a
	// blank separates the fields and nested rows have no brackets.
	Round bool
	Raw   string // as read
}

// LineColumn is the column of the rows of a print sink, which hold whole lines.
const LineColumn = "line"

// Span returns the place of the row.
func (p *PrintLine) Span() Span { return Span{Start: p.Pos, End: p.End} }
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

// mayPrint reports whether what comes next may be a row of a print sink, by
// what is known of the lines before.
func (x *textLexer) mayPrint() bool {
	switch x.mode {
	case plainText, inError, inStack:
		return true
	case inEcho:
		return !x.pasted && (!x.coloured || x.complete)
	}
	return false
}

// printed reads the beginning of a print sink's row in a line, if that is
// nothing that the client or a logger writes.
func printed(line []byte) (h printHead, ok bool) {
	h, ok = printHeadOf(line)
	return h, ok && classify(line) == otherToken
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
			switch size, msg := r.printedRow(h, n); msg {
			case "":
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
// line is of n bytes; or, with a message, the length of what cannot be read.
//
// A row ends with the bracket that ends a line. But a value may hold a newline,
// and before it a bracket, so the row is known only if no other line up to what
// is known to be no part of it ends in such a bracket.
func (r *Reader) printedRow(h printHead, n int) (size int, msg string) {
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
				return 0, printCut
			}
			over = true
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
		return size, "a row of a print sink without its end"
	case rows:
		return size, "a row of a print sink without its end, or with a line in it that looks like another row"
	case ends > 1:
		return size, "a row of a print sink, of which one line or another may be the last"
	}
	return size, ""
}

// endsPrinted reports whether the line at i is nothing that stands within a row.
func (r *Reader) endsPrinted(line []byte, i int) bool {
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
	p := &r.printed
	var raw string
	if r.batches {
		raw = unsafe.String(unsafe.SliceData(data), n)
		if p.Cells == nil {
			p.Cells = make([]changelog.Cell, 1)
		}
	} else {
		raw = string(data)
		p = &PrintLine{Row: changelog.Row{Cells: make([]changelog.Cell, 1)}}
	}
	end := len(trimEOL(data)) - len(h.close)
	p.Kind, p.Raw, p.Round = h.kind, raw, h.close[0] == ')'
	p.Cells[0] = changelog.Cell{Text: raw[h.fields:end]}
	p.Sink, p.Subtask = sink(strings.TrimSuffix(raw[h.from:h.prefix], "> "))
	where := r.in.consume(n).where
	p.Pos, p.End = where.Start, where.End
	return r.emit(p)
}

// Fields splits the text between the brackets into a cell for each type, of
// which the zero Type is for anything. Only a word that can be nothing else is
// marked as null. The error is a *datatype.ValueError where the types leave no
// way to split the text, or more than one.
func (p *PrintLine) Fields(types []datatype.Type) ([]changelog.Cell, error) {
	notation := datatype.JavaNotation
	if p.Round {
		notation = datatype.OldJavaNotation
	}
	if len(p.Cells) != 1 {
		return nil, errors.New("a row of a print sink has one cell, its line")
	}
	fields, err := datatype.SplitFields(p.Cells[0].Text, types, notation)
	if err != nil {
		return nil, err
	}
	cells := make([]changelog.Cell, len(fields))
	for i, f := range fields {
		cells[i].Text = f.Text
		if f.Null {
			cells[i].Marks = changelog.Null
		}
	}
	return cells, nil
}
