package sqlclient

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// A Rows is a run of rows of the table whose Head came before it. A Reader that
// was made with ReuseRows hands rows out so: as many as it has at a time, and
// never waiting for more.
//
// It is valid only until the next record, and its rows only until the next row.
type Rows struct {
	span
	layout  *tableau.Layout
	columns []changelog.Column
	left    []bool // see table
	special bool   // the marks of a cell do not show in its last byte
	nulls   nulls
	marks   changelog.Marks // of all cells: how the rows were recovered
	place   placing
	odd     [len(encodingKindNames)]bool // the kinds of odd bytes that the rows hold

	data    []byte // the rows, one behind the other
	lines   int    // that the data are
	rows    []raw.Bounds
	ink     []uint64       // of the plain rows, as many words for each row
	blanks  []uint16       // that the columns of the plain rows begin with; none as long as nobody asked
	cells   []tableau.Cell // of the rows that are not plain, within their row
	kinds   [changelog.Retract + 1]int64
	row     changelog.Row // handed out again and again
	at      changelog.Pos // of the row with the index located, if that is not 0
	located int
	ready   *changelog.Row // the only row, if it does not stand in the data as it is
}

// nulls are the words that stand for null in some rows.
type nulls struct {
	word string
	old  bool // the old word stands for null, too
}

func (n nulls) match(text string) bool {
	return text == n.word || n.old && text == oldNullWord
}

// Len returns the number of rows.
func (b *Rows) Len() int { return len(b.rows) }

// Changes returns how many of the rows are of the kind.
func (b *Rows) Changes(kind changelog.RowKind) int64 {
	if int(kind) < len(b.kinds) {
		return b.kinds[kind]
	}
	return 0
}

// All iterates over the rows. A row and its strings are valid only until the
// next one.
func (b *Rows) All() iter.Seq[*changelog.Row] {
	return func(yield func(*changelog.Row) bool) {
		for i := range b.rows {
			if !yield((*rawRows)(b).Row(i)) {
				return
			}
		}
	}
}

func init() {
	raw.Of = func(rows any) raw.Rows { return rows.(*Rows).raw() }
}

// raw returns the rows as they stand.
func (b *Rows) raw() raw.Rows {
	rows := raw.Rows{Text: b.data, Bounds: b.rows, Cells: b.cells, Marked: b.special, UTF8: !b.odd[EncodingNotUTF8],
		File: b.where.Start.File, Lines: b.areLines(), Whole: (*rawRows)(b)}
	if b.ready == nil {
		rows.Places, rows.Kinds = b.places(), len(b.left)-len(b.columns)
		rows.Blanks = b.columnBlanks()
	}
	return rows
}

// rawRows are Rows whose rows are made one by one, see raw.Rows.
type rawRows Rows

// start returns where the i-th row begins in the data.
func (b *rawRows) start(i int) int {
	if i == 0 {
		return 0
	}
	return int(b.rows[i-1].End)
}

func (b *rawRows) Row(i int) *changelog.Row {
	if b.ready != nil {
		return b.ready
	}
	row := &b.row
	if len(row.Cells) != len(b.columns) {
		row.Cells = make([]changelog.Cell, len(b.columns))
	}
	bounds := &b.rows[i]
	text := b.data[b.start(i):bounds.End]
	row.Kind, row.Pos = bounds.Kind, b.pos(i)
	rows := (*Rows)(b)
	switch at := bounds.Cells; {
	case at >= 0:
		rows.setCells(text, b.cells[at:][:len(b.left)])
	case at == raw.Plain && !b.special:
		rows.setPlain(text, i)
	default:
		rows.setPlain(text, i)
		for c, place := range rows.places() {
			rows.setMarks(c, place.Width-len(row.Cells[c].Text))
		}
	}
	return row
}

// pos returns where the i-th row stands.
func (b *rawRows) pos(i int) changelog.Pos {
	pos := b.where.Start
	switch {
	case i == 0:
	case (*Rows)(b).areLines():
		pos.Offset += int64(b.start(i))
		pos.Line += i
		pos.Col = 1
	default:
		// From the row that was asked for before, as long as they come in order.
		if b.located == 0 || b.located > i {
			b.located, b.at = 0, pos
		}
		b.at = b.place.behind(b.at, b.data[b.start(b.located):b.start(i)])
		b.located, pos = i, b.at
	}
	return pos
}

// Pos is pos without the file's name.
func (b *rawRows) Pos(i int) (offset int64, line, col int) {
	pos := b.pos(i)
	return pos.Offset, pos.Line, pos.Col
}

// areLines reports whether each row is one line of the file, of as many bytes.
func (b *Rows) areLines() bool { return b.place == nil && b.lines == len(b.rows) }

// places returns where the cells of plain rows stand.
func (b *Rows) places() []tableau.Place {
	return b.layout.Places[len(b.left)-len(b.columns):] // the row kind is no value
}

// setPlain makes the cells of the row those of the i-th row, which is plain and the
// data, without their marks. It is what costs most of reading a row, and keeps clear of all
// checks that say nothing.
func (b *Rows) setPlain(data []byte, i int) {
	cells := b.row.Cells
	places := b.places()[:len(cells)]
	row := unsafe.Pointer(unsafe.SliceData(data))
	blanks := b.columnBlanks()[i*len(b.left)+len(b.left)-len(cells):][:len(cells)]
	for i := range cells {
		place := &places[i]
		n := int(blanks[i])
		cell := &cells[i]
		cell.Text, cell.Marks = unsafe.String((*byte)(unsafe.Add(row, place.Start+n)), place.Width-n), 0
	}
}

// setCells makes the cells of the row those of data.
func (b *Rows) setCells(data []byte, cells []tableau.Cell) {
	cells = cells[len(cells)-len(b.row.Cells):] // the row kind is no value
	for i, cell := range cells {
		text := data[cell.From:cell.To]
		b.row.Cells[i] = changelog.Cell{Text: unsafe.String(unsafe.SliceData(text), len(text))}
		if b.special || len(text) > 0 && tableau.EndingOf(text[len(text)-1]) != 0 {
			b.setMarks(i, cell.From-cell.Start)
		}
	}
}

// setMarks sets the marks of a cell of the row, before which stand pad blanks.
func (b *Rows) setMarks(i, pad int) {
	cell := &b.row.Cells[i]
	cell.Marks = b.marks
	i += len(b.left) - len(b.row.Cells)
	if b.left[i] {
		cell.Text = strings.TrimRight(cell.Text, " ")
	}
	if b.nulls.match(cell.Text) {
		cell.Marks |= changelog.Null
	}
	if maybeCut(cell.Text, pad, b.layout.Widths[i]) {
		cell.Marks |= changelog.MaybeCut
	}
}

// take puts the rows into b that data begin with, and returns how many bytes
// they have, and what Split says of what stands behind them: Whole for a row
// of a changelog without a row kind, and for one before which the null words
// change.
func (r *Reader) take(b *Rows, data []byte) (int, tableau.Outcome) {
	return r.table.take(b, data, &r.nullWords, r.nullAhead)
}

// take is Reader.take. NullAhead is nil where the data are a piece out of the middle
// of the input: then it takes no row from which on the null words are others for the
// rows before it, too, or which may be such a row.
func (t *table) take(b *Rows, data []byte, words *nullWords, nullAhead func(rest []byte) bool) (int, tableau.Outcome) {
	b.begin(t)
	// What is known of the null words may change with each row, as long as
	// "<NULL>" was not seen.
	unsure := words.mayChange()
	op := 0 // the width of the row kind
	if t.mode == ModeStreaming {
		op = t.layout.Widths[0]
	}
	plain := (op == 0 || op == 2) && !slices.Contains(t.left, true)
	for p := 0; ; {
		if end := p + len(t.layout.Border); plain && end < len(data) && data[end] == '\n' {
			p = t.takePlain(b, data, p, words)
		}
		row := data[p:]
		n, out, text := t.layout.SplitText(row, t.cells)
		if out != tableau.Whole {
			return b.end(data[:p], words), out
		}
		if t.crlf && mayBeRewritten(row[:n]) {
			return b.end(data[:p], words), tableau.Mismatch // it may fit otherwise, see rewrittenRow
		}
		kind, ok := changelog.None, true
		if op > 0 {
			kind, ok = rowKind(row[t.cells[0].From:t.cells[0].To])
		}
		if !ok {
			return b.end(data[:p], words), tableau.Whole
		}
		if unsure && t.mayHoldNull(row) {
			now, old := t.nullsIn(row)
			switch {
			case now && words.old == oldNullHolds && (p > 0 || nullAhead == nil):
				return b.end(data[:p], words), tableau.Whole
			case old && !now && words.old == oldNullUnknown:
				if nullAhead == nil {
					return b.end(data[:p], words), tableau.Whole
				}
				now = nullAhead(row)
				words.old = oldNullHolds
			}
			if now {
				words.old, unsure = oldNullIsText, false
			}
		}
		p += n
		b.kinds[kind]++
		b.rows = append(b.rows, raw.Bounds{End: int32(p), Cells: int32(len(b.cells)), Kind: kind})
		b.cells = append(b.cells, t.cells...)
		if text&tableau.Printed != 0 {
			b.lines++
		} else {
			b.look(row[:n])
		}
		if text&tableau.UTF8 == 0 {
			b.odd[EncodingNotUTF8] = true
		}
	}
}

// takePlain puts the plain rows into b that stand at p of data, and returns where they
// end. It leaves a row after which more may be known of the null words.
func (t *table) takePlain(b *Rows, data []byte, p int, words *nullWords) int {
	var room [64]tableau.Looks
	for layout, length := t.layout, len(t.layout.Border)+1; ; {
		looks := room[:min(len(room), (len(data)-p)/length)]
		n := layout.Plain(data[p:], b.moreInk(len(looks)), looks)
		rows := slices.Grow(b.rows, n)
		for _, look := range looks[:n] {
			kind, cells := changelog.None, int32(raw.Plain)
			if t.mode == ModeStreaming {
				var ok bool
				if kind, ok = rowKind(data[p+2 : p+4]); !ok {
					n = 0
					break
				}
			}
			if look != 0 {
				if words.mayChange() && t.plainNull(data[p:], words.old) {
					n = 0
					break
				}
				cells = raw.Ended
				if look&tableau.LookBelow != 0 {
					b.look(data[p:][:length])
					b.lines-- // which is counted below
				}
			}
			p += length
			b.kinds[kind]++
			rows = append(rows, raw.Bounds{End: int32(p), Cells: cells, Kind: kind})
		}
		b.lines += len(rows) - len(b.rows)
		b.rows = rows
		if n < len(room) {
			return p
		}
	}
}

// begin makes b empty rows of the table.
func (b *Rows) begin(t *table) {
	*b = Rows{layout: t.layout, columns: t.columns, left: t.left, rows: b.rows[:0], ink: b.ink, blanks: b.blanks[:0], cells: b.cells[:0], row: b.row}
}

// end ends b with the bytes of its rows, and returns how many these are.
func (b *Rows) end(data []byte, words *nullWords) int {
	b.data = data
	b.nulls = nulls{word: words.null, old: !words.nullSet && words.old != oldNullIsText}
	b.special = words.nullSet || b.marks != 0 || slices.Contains(b.left, true)
	return len(data)
}

// moreInk returns room for the ink of the next n rows.
func (b *Rows) moreInk(n int) []uint64 {
	words := b.layout.InkWords()
	at := len(b.rows) * words
	if room := at + n*words + 1; len(b.ink) < room { // one more is looked at
		b.ink = slices.Grow(b.ink, room-len(b.ink))
		b.ink = b.ink[:cap(b.ink)]
	}
	return b.ink[at:]
}

// columnBlanks returns how many blanks the columns of each row begin with, that of the
// row kind among them. It means nothing for rows that are not plain.
func (b *Rows) columnBlanks() []uint16 {
	if n := len(b.rows) * len(b.left); len(b.blanks) != n {
		b.blanks = slices.Grow(b.blanks[:0], n)[:n]
		b.moreInk(0)
		if !b.layout.Blanks(b.blanks, b.ink, len(b.rows)) {
			start := 0
			for i, bounds := range b.rows {
				if bounds.Cells < 0 {
					b.layout.RowBlanks(b.blanks[i*len(b.left):], b.data[start:])
				}
				start = int(bounds.End)
			}
		}
	}
	return b.blanks
}

// survey sets the data, and what is known of them as a whole but for what is not
// UTF-8.
func (b *Rows) survey(data []byte) {
	b.data, b.lines, b.odd[EncodingNUL] = data, 0, false
	b.look(data)
}

// look takes note of what a text of the rows holds besides plain rows.
func (b *Rows) look(text []byte) {
	b.lines += bytes.Count(text, []byte{'\n'})
	b.odd[EncodingNUL] = b.odd[EncodingNUL] || bytes.IndexByte(text, 0) >= 0
}

// behind returns the place behind the rows, which stand at pos.
func (b *Rows) behind(pos changelog.Pos) changelog.Pos {
	if b.place != nil || !bytes.HasSuffix(b.data, []byte{'\n'}) {
		return b.place.behind(pos, b.data)
	}
	pos.Offset += int64(len(b.data))
	pos.Line += b.lines
	pos.Col = 1
	return pos
}

// one makes b the row that data begin with, of n bytes, whose cells are in the
// table.
func (r *Reader) one(b *Rows, data []byte, n int, kind changelog.RowKind, marks changelog.Marks) {
	t := &r.table
	b.begin(t)
	b.marks = marks
	b.rows = append(b.rows, raw.Bounds{End: int32(n), Kind: kind})
	b.cells = append(b.cells, t.cells...)
	b.kinds[kind] = 1
	b.look(data[:n])
	b.odd[EncodingNotUTF8] = !utf8.Valid(data[:n])
	if !r.nullSet {
		r.noteNulls(data)
	}
	b.end(data[:n], &r.nullWords)
}
