package sqlclient

import (
	"unsafe"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// rows reads the rows of the table and its closing border. It reports false
// at the end of the input.
func (r *Reader) rows() bool {
	t := &r.table
	for !r.halted {
		data := r.in.data()
		n, out := t.layout.Split(data, t.cells)
		switch out {
		case tableau.Whole:
			t.damaged = false
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
		r.emit(&Border{span: r.in.consume(n)})
		return false
	}
	if line[0] == '|' {
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
	if at := borderTail(line); at >= 0 && whole {
		saved := *t
		if head, _ := r.head(at); head != nil {
			return false
		}
		*t = saved
	}
	text := &Text{Kind: textKinds[kind], Text: string(r.in.data()[:n])}
	if !whole && n < maxText && kind != blankToken {
		text.Kind = TextTruncated
	}
	text.span = r.in.consume(n)
	return r.emit(text)
}

// emitRow hands out the row of n bytes whose cells are in the table. The marks
// are of all its cells.
func (r *Reader) emitRow(n int, marks changelog.Marks) bool {
	t := &r.table
	data := r.in.data()[:n]
	row := &t.row
	if !r.reuse {
		row = &Row{Row: changelog.Row{Cells: make([]changelog.Cell, len(t.columns))}}
	} else if row.Cells == nil {
		row.Cells = make([]changelog.Cell, len(t.columns))
	}
	cells := t.cells
	row.Kind = changelog.None
	if t.mode == ModeStreaming {
		var ok bool
		if row.Kind, ok = rowKind(data[cells[0].From:cells[0].To]); !ok {
			return r.unread(n, "a row without a row kind in a changelog")
		}
		cells = cells[1:]
	}
	text := t.text[:0]
	for i := range row.Cells {
		c := cells[i]
		to := c.To
		if t.left[len(t.left)-len(cells)+i] {
			for to > c.From && data[to-1] == ' ' {
				to--
			}
		}
		value := unsafe.String(unsafe.SliceData(data[c.From:]), to-c.From)
		m := marks
		if len(value) == r.nullLen {
			m |= r.nullMark(value)
		}
		if len(value) >= 3 && value[len(value)-1] == '.' && maybeCut(value, c.From-c.Start, t.widths[len(t.widths)-len(cells)+i]) {
			m |= changelog.MaybeCut
		}
		row.Cells[i] = changelog.Cell{Text: value, Marks: m}
		if !r.reuse {
			text = append(text, value...)
		}
	}
	if !r.reuse {
		// One string for the cells of a row: a row is two allocations, and its
		// cells pin nothing else.
		t.text = text
		rest := string(text)
		for i := range row.Cells {
			n := len(row.Cells[i].Text)
			row.Cells[i].Text, rest = rest[:n], rest[n:]
		}
	}
	row.Pos = r.in.advance(n)
	row.End = r.in.pos
	return r.emit(row)
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
