package sqlclient

import (
	"bytes"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// rows reads the rows of the table and its closing border. It reports false
// at the end of the input.
func (r *Reader) rows() bool {
	t := &r.table
	cores := runtime.GOMAXPROCS(0)
	for run := 0; !r.halted; {
		n, out := 0, tableau.Mismatch
		if !t.tooShort(r.in.data()) {
			n, out = r.take(&r.batch, r.in.data())
		}
		if n > 0 {
			t.damaged, t.searched = false, 0
			run += r.batch.Len()
			r.in.r += n
			r.emitRows(&r.batch)
			if run > r.aheadAfter && cores > 1 && r.quoted == nil && len(r.in.back) == 0 && !r.halted {
				r.rowsAhead(cores)
				run = 0
			}
			continue
		}
		data := r.in.data()
		switch out {
		case tableau.Whole:
			n, _ := t.layout.Split(data, t.cells)
			r.unread(n, "a row without a row kind in a changelog")
		case tableau.Short:
			if r.in.more() {
				continue
			}
			if len(data) == 0 {
				return false
			}
			if data[0] == '|' && r.rewrittenRow() {
				continue
			}
			if data[0] == '|' && r.in.err != nil && !r.goesOn() {
				r.cutOff("a row is cut off by the end of the input")
				return false
			}
			if !r.otherLine() {
				return true
			}
		case tableau.Mismatch:
			t.searched += len(t.layout.Border)
			if !r.otherLine() {
				return true
			}
		}
	}
	return false
}

// maxSearched is how many bytes are looked through in vain for the end of a row,
// before a row must be one line: a line below a border of a MiB might go on for
// as long, and so might each line behind it.
const maxSearched = 64 << 20

// tooShort reports whether data begin with a line that is no row by its length.
// Each column takes a byte at least.
func (t *table) tooShort(data []byte) bool {
	if t.searched <= maxSearched {
		return false
	}
	n := bytes.IndexByte(data[:min(len(data), len(t.layout.Border))], '\n')
	return n >= 0 && n < len(t.layout.Border)
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
		r.border(n)
		return false
	}
	if t.wrapped {
		if n := r.wrappedBorder(); n > 0 {
			r.border(n)
			return false
		}
		line = r.in.data()[:n]
	}
	if beginsFile(line) {
		return false
	}
	if line[0] == '|' {
		if at := borderTail(line); at > 0 && whole && r.drawnAnew(at) {
			line = r.in.data()[:at]
			if i := promptIn(line); i > 0 {
				at = i
			}
			r.unread(at, "a row is cut off by another table")
			return false
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
	if kind == shutdownToken && whole {
		// Of a client that is interrupted, one thread says its last words while
		// another goes on to print rows.
		r.nextLine(n)
		if next := r.in.data()[n:]; bytes.HasPrefix(next, []byte("| ")) || bytes.HasPrefix(next, t.layout.Border) {
			r.lex.session = clientSession{}
			return r.emit(r.textRecord(kind, string(r.in.data()[:n])))
		}
	}
	switch kind {
	case echoToken, messageToken, errorToken, footerToken, shutdownToken, initToken, jobToken, squirrelToken:
		if whole || kind != footerToken {
			return false
		}
	}
	if at := borderTail(line); at >= 0 && whole && r.drawnAnew(at) {
		return false
	}
	if _, _, quoted := r.quotes(0, r.in.data()[:n], kind); quoted {
		return false
	}
	if whole && isElision(r.in.data()[:n]) {
		return r.unread(n, "rows are left out: dots stand in their place")
	}
	text := &Text{Kind: textKinds[kind], Text: string(r.in.data()[:n])}
	if !whole && n < maxText && kind != blankToken {
		text.Kind = TextTruncated
	}
	text.span = r.in.consume(n)
	return r.emit(text)
}

// isElision reports whether a line says that someone left rows out.
func isElision(line []byte) bool {
	switch s := string(bytes.TrimSpace(line)); {
	case s == "…" || s == "⋮" || s == "[...]":
		return true
	default:
		return len(s) >= 3 && strings.Trim(s, ".") == ""
	}
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

// emitRow hands out the row of n bytes whose cells are in the table. The marks
// are of all its cells.
func (r *Reader) emitRow(n int, marks changelog.Marks) bool {
	t := &r.table
	data := r.in.data()
	kind := changelog.None
	if t.mode == ModeStreaming {
		var ok bool
		if kind, ok = rowKind(data[t.cells[0].From:t.cells[0].To]); !ok {
			return r.unread(n, "a row without a row kind in a changelog")
		}
	}
	r.one(&r.batch, data, n, kind, marks)
	r.in.r += n
	return r.emitRows(&r.batch)
}

// emitRows hands out rows, which the read position is behind.
func (r *Reader) emitRows(b *Rows) bool {
	if b.place == nil {
		b.place = r.in.place
	}
	if !r.in.text && r.in.odd.isNewsOfRows(b) {
		if b.Len() > 1 {
			return r.emitOneByOne(b)
		}
		r.in.odd.look(b.data)
	}
	b.where = Span{Start: r.in.pos, End: b.behind(r.in.pos)}
	if r.reuse {
		r.in.pos = b.where.End
		return r.emit(b)
	}
	rows := (*rawRows)(b)
	for i := range b.rows {
		row := rows.Row(i)
		own := &Row{Row: *row, end: b.place.behind(row.Pos, b.data[rows.start(i):b.rows[i].End])}
		own.Cells = slices.Clone(row.Cells)
		// One string for the cells of a row: with the Row and its cells, a row
		// is three allocations, and its cells pin nothing else.
		text := r.texts[:0]
		for i := range own.Cells {
			text = append(text, own.Cells[i].Text...)
		}
		r.texts = text
		rest := string(text)
		for i := range own.Cells {
			n := len(own.Cells[i].Text)
			own.Cells[i].Text, rest = rest[:n], rest[n:]
		}
		r.in.pos = own.end
		if !r.emit(own) {
			return false
		}
	}
	return true
}

func rowKind(s []byte) (changelog.RowKind, bool) {
	if len(s) == 2 {
		// By no branch that depends on the kind, which would often be mispredicted.
		if k := &rowKinds[(s[0]>>1^s[1])%byte(len(rowKinds))]; k.text == [2]byte(s) {
			return k.kind, true
		}
	}
	return changelog.ParseRowKind(string(s))
}

// rowKinds are those of two bytes, each where rowKind looks for it.
var rowKinds = func() (kinds [16]struct {
	text [2]byte
	kind changelog.RowKind
}) {
	for _, kind := range []changelog.RowKind{changelog.Insert, changelog.UpdateBefore, changelog.UpdateAfter, changelog.Delete} {
		s := kind.String()
		k := &kinds[(s[0]>>1^s[1])%byte(len(kinds))]
		k.text, k.kind = [2]byte([]byte(s)), kind
	}
	return kinds
}()
