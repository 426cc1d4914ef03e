package sqlclient

import (
	"bytes"
	"runtime"
	"unsafe"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// rows reads the rows of the table and its closing border. It reports false
// at the end of the input.
func (r *Reader) rows() bool {
	t := &r.table
	cores := runtime.GOMAXPROCS(0) // asks for a lock, so not for each row
	for run := 0; !r.halted; {
		data := r.in.data()
		n, out := t.layout.Split(data, t.cells)
		switch out {
		case tableau.Whole:
			t.damaged = false
			if run++; run > aheadAfter && cores > 1 {
				r.rowsAhead()
				run = 0
				continue
			}
			r.emitRow(n, 0)
		case tableau.Short:
			if r.in.more() {
				continue
			}
			if len(data) == 0 {
				return false
			}
			if data[0] == '|' && r.in.err != nil {
				r.cutOff("a row is cut off by the end of the input")
				return false
			}
			if !r.otherLine() {
				return true
			}
		case tableau.Mismatch:
			if !r.otherLine() {
				return true
			}
		}
	}
	return false
}

// otherLine takes a line that is no row of the table. It reports false where
// the table ends: behind its border, or before what is no part of it.
func (r *Reader) otherLine() bool {
	t := &r.table
	n, whole := r.in.line(0, max(maxText, len(t.layout.Border)+2))
	line := r.in.data()[:n]
	body := trimEOL(line)
	if whole && string(body) == string(t.layout.Border) {
		if r.drawnAnew(0) {
			return false
		}
		n, _ = r.in.line(0, maxText)
		r.emit(&Border{span: r.in.consume(n)})
		return false
	}
	if line[0] == '|' {
		if at := borderTail(line); at > 0 && whole && r.drawnAnew(at) {
			line = r.in.data()[:at]
			if i := bytes.Index(line, []byte(prompt+"> ")); i > 0 {
				at = i
			}
			return r.unread(at, "a row is cut off by another table") && false
		}
		if r.recoverRow() {
			return true
		}
		t.damaged = true
		return r.unread(n, "a row does not fit its border")
	}
	if i := skipEscapes(body); i > 0 && i < len(body) && (body[i] == '|' || body[i] == '+') { // "^C" before a row
		return r.emit(&Text{span: r.in.consume(i), Kind: TextOther, Text: string(line[:i])})
	}
	kind := classify(line)
	switch kind {
	case echoToken, messageToken, errorToken, footerToken, shutdownToken, initToken, jobToken, squirrelToken:
		if whole || kind != footerToken {
			return false
		}
	}
	if at := borderTail(line); at >= 0 && whole && r.drawnAnew(at) {
		return false
	}
	text := &Text{Kind: textKinds[kind], Text: string(r.in.data()[:n])}
	if !whole && n < maxText && kind != blankToken {
		text.Kind = TextTruncated
	}
	text.span = r.in.consume(n)
	return r.emit(text)
}

// drawnAnew reports whether the border at at of the data begins a table of its
// own: when a client is killed while it prints, and another one writes to the
// same file, the border of the next table may well be that of the one before.
func (r *Reader) drawnAnew(at int) bool {
	saved := r.table
	head, _ := r.head(at)
	drawn := head != nil
	if drawn && head.Mode != ModeStreaming && at == 0 && bytes.Equal(r.table.layout.Border, saved.layout.Border) {
		drawn = r.table.names == saved.names // and not a line that stands below the border that closed the table
	}
	r.table = saved
	return drawn
}

// A value is a cell of a row, as a range of the bytes that hold the row.
type value struct {
	from, to int32
	marks    changelog.Marks
}

// emitRow hands out the row of n bytes whose cells are in the table. The marks
// are of all its cells.
func (r *Reader) emitRow(n int, marks changelog.Marks) bool {
	t := &r.table
	data := r.in.data()[:n]
	kind, ok := t.kindOf(data)
	if !ok {
		return r.unread(n, "a row without a row kind in a changelog")
	}
	t.values = r.appendValues(t.values[:0], data, 0, marks)
	r.in.r += n
	return r.emitValues(kind, data, data, t.values)
}

// kindOf returns the kind of the row whose cells are in the table; false for a
// row of a changelog that has none.
func (t *table) kindOf(row []byte) (changelog.RowKind, bool) {
	if t.mode != ModeStreaming {
		return changelog.None, true
	}
	return rowKind(row[t.cells[0].From:t.cells[0].To])
}

// appendValues appends the values of the row whose cells are in the table. The
// row stands at base of the bytes that the values are ranges of. The marks are
// of all cells.
func (r *Reader) appendValues(values []value, row []byte, base int, marks changelog.Marks) []value {
	t := &r.table
	hidden := len(t.cells) - len(t.columns) // the row kind is no value
	for i := hidden; i < len(t.cells); i++ {
		c := &t.cells[i]
		to := c.To
		if t.left[i] {
			for to > c.From && row[to-1] == ' ' {
				to--
			}
		}
		m := marks
		n := to - c.From
		if n == r.nullLen {
			m |= r.nullMark(row[c.From:to])
		}
		if n >= 3 && row[to-1] == '.' && maybeCut(row[c.From:to], c.From-c.Start, t.layout.Widths[i]) {
			m |= changelog.MaybeCut
		}
		values = append(values, value{int32(base + c.From), int32(base + to), m})
	}
	return values
}

// emitValues hands out a row that is read: its bytes, and its values, which
// are ranges of data.
func (r *Reader) emitValues(kind changelog.RowKind, row, data []byte, values []value) bool {
	t := &r.table
	rec := &t.row
	if !r.reuse {
		rec = &Row{Row: changelog.Row{Cells: make([]changelog.Cell, len(values))}}
	} else if rec.Cells == nil {
		rec.Cells = make([]changelog.Cell, len(values))
	}
	rec.Kind = kind
	if r.reuse {
		for i, v := range values {
			rec.Cells[i] = changelog.Cell{Text: unsafe.String(unsafe.SliceData(data[v.from:]), int(v.to-v.from)), Marks: v.marks}
		}
	} else {
		// One string for the cells of a row: with the Row and its cells, a row
		// is three allocations, and its cells pin nothing else.
		text := t.text[:0]
		for _, v := range values {
			text = append(text, data[v.from:v.to]...)
		}
		t.text = text
		rest := string(text)
		for i, v := range values {
			n := v.to - v.from
			rec.Cells[i] = changelog.Cell{Text: rest[:n], Marks: v.marks}
			rest = rest[n:]
		}
	}
	rec.Pos = r.in.pos
	r.in.passed(row)
	rec.End = r.in.pos
	return r.emit(rec)
}

func rowKind(s []byte) (changelog.RowKind, bool) {
	if len(s) == 2 {
		switch {
		case s[0] == '+' && s[1] == 'I':
			return changelog.Insert, true
		case s[0] == '-' && s[1] == 'U':
			return changelog.UpdateBefore, true
		case s[0] == '+' && s[1] == 'U':
			return changelog.UpdateAfter, true
		case s[0] == '-' && s[1] == 'D':
			return changelog.Delete, true
		}
	}
	return changelog.ParseRowKind(string(s))
}
