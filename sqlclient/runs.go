package sqlclient

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"unsafe"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
	"github.com/seed-69e58989/flinkread/internal/word"
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

	data  []byte // the rows, one behind the other
	rows  []rowBounds
	cells []tableau.Cell // of the rows that are not plain, within their row
	kinds [changelog.Retract + 1]int64
	row   changelog.Row  // handed out again and again
	ready *changelog.Row // the only row, if it does not stand in the data as it is
}

// rowBounds tells where a row ends in the data, and where its cells are: -1 if
// it is plain.
type rowBounds struct {
	end, cells int32
	kind       changelog.RowKind
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
		for row := range b.all() {
			if !yield(row) {
				return
			}
		}
	}
}

// all iterates over the rows and their ends.
func (b *Rows) all() iter.Seq2[*changelog.Row, changelog.Pos] {
	return func(yield func(*changelog.Row, changelog.Pos) bool) {
		if b.ready != nil {
			yield(b.ready, b.where.End)
			return
		}
		row := &b.row
		if len(row.Cells) != len(b.columns) {
			row.Cells = make([]changelog.Cell, len(b.columns))
		}
		// Where there are as many newlines as rows, each row is one line.
		lines := b.place == nil && b.where.End.Line-b.where.Start.Line == len(b.rows)
		end, start := b.where.Start, 0
		for i := range b.rows {
			bounds := &b.rows[i]
			data := b.data[start:bounds.end]
			start = int(bounds.end)
			row.Kind, row.Pos = bounds.kind, end
			if lines {
				end.Offset, end.Line, end.Col = end.Offset+int64(len(data)), end.Line+1, 1
			} else {
				end = b.place.behind(end, data)
			}
			if bounds.cells < 0 {
				b.setPlain(data)
			} else {
				b.setCells(data, b.cells[bounds.cells:][:len(b.left)])
			}
			if !yield(row, end) {
				return
			}
		}
	}
}

// setPlain makes the cells of the row those of the plain row data. It is what
// costs most of reading a row, and keeps clear of all checks that say nothing.
func (b *Rows) setPlain(data []byte) {
	const blanks = word.Ones * ' '
	cells := b.row.Cells
	places := b.layout.Places[len(b.left)-len(cells):][:len(cells)] // the row kind is no value
	row := unsafe.Pointer(unsafe.SliceData(data))
	special := b.special
	for i := range cells {
		w := places[i].Width
		column := unsafe.Add(row, places[i].Start)
		n := 0 // blanks before the text
		if w >= 8 {
			// As in Split: nothing here is mispredicted.
			var seen uint64
			for k := 0; k <= w-8; k += 8 {
				seen |= word.Load(column, k) ^ blanks
				n += int((seen-1)&^seen>>63) << 3
			}
			n = min(n, w-8)
			n += bits.TrailingZeros64(word.Load(column, n)^blanks) / 8
		} else {
			for n < w && *(*byte)(unsafe.Add(column, n)) == ' ' {
				n++
			}
		}
		c := *(*byte)(unsafe.Add(column, w-1))
		special = special || c == '.' || c == '>' || c == ')'
		cells[i] = changelog.Cell{Text: unsafe.String((*byte)(unsafe.Add(column, n)), w-n)}
	}
	if special {
		for i := range cells {
			b.setMarks(i, places[i].Width-len(cells[i].Text))
		}
	}
}

// setCells makes the cells of the row those of data.
func (b *Rows) setCells(data []byte, cells []tableau.Cell) {
	cells = cells[len(cells)-len(b.row.Cells):] // the row kind is no value
	for i, cell := range cells {
		text := data[cell.From:cell.To]
		b.row.Cells[i] = changelog.Cell{Text: unsafe.String(unsafe.SliceData(text), len(text))}
		b.setMarks(i, cell.From-cell.Start)
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
	t := &r.table
	b.begin(t)
	// What is known of the null words may change with each row, as long as
	// "<NULL>" was not seen.
	unsure := !r.nullSet && r.old != oldNullIsText
	left := slices.Contains(t.left, true)
	length := len(t.layout.Border) + 1 // of a plain row
	op := 0                            // the width of the row kind
	if t.mode == ModeStreaming {
		op = t.layout.Widths[0]
	}
	for p := 0; ; {
		row := data[p:]
		bounds := rowBounds{end: int32(p + length), cells: -1}
		noted := !unsure
		ok := true
		if plain, bracket := t.layout.Plain(row); plain {
			if op == 2 {
				bounds.kind, ok = rowKind(row[2:4])
			} else if op > 0 {
				bounds.kind, ok = rowKind(bytes.TrimLeft(row[2:2+op], " "))
			}
			noted = noted || !bracket && !left
			if ok && !noted {
				t.layout.Split(row, t.cells)
			}
		} else {
			n, out := t.layout.Split(row, t.cells)
			if out != tableau.Whole {
				return b.end(data[:p], r), out
			}
			if t.crlf && holdsCRLF(row[:n]) {
				return b.end(data[:p], r), tableau.Mismatch // it may fit otherwise, see rewrittenRow
			}
			if op > 0 {
				bounds.kind, ok = rowKind(row[t.cells[0].From:t.cells[0].To])
			}
			bounds.end, bounds.cells = int32(p+n), int32(len(b.cells))
			b.cells = append(b.cells, t.cells...)
		}
		if !ok {
			return b.end(data[:p], r), tableau.Whole
		}
		if !noted {
			before := r.old
			if r.noteNulls(row); r.old == oldNullIsText {
				unsure = false
				if before == oldNullHolds && p > 0 {
					return b.end(data[:p], r), tableau.Whole
				}
			}
		}
		b.kinds[bounds.kind]++
		b.rows = append(b.rows, bounds)
		p = int(bounds.end)
	}
}

// begin makes b empty rows of the table.
func (b *Rows) begin(t *table) {
	*b = Rows{layout: t.layout, columns: t.columns, left: t.left, rows: b.rows[:0], cells: b.cells[:0], row: b.row}
}

// end ends b with the bytes of its rows, and returns how many these are.
func (b *Rows) end(data []byte, r *Reader) int {
	b.data = data
	b.nulls = nulls{word: r.null, old: !r.nullSet && r.old != oldNullIsText}
	b.special = r.nullSet || b.marks != 0 || slices.Contains(b.left, true)
	return len(data)
}

// one makes b the row that data begin with, of n bytes, whose cells are in the
// table.
func (r *Reader) one(b *Rows, data []byte, n int, kind changelog.RowKind, marks changelog.Marks) {
	t := &r.table
	b.begin(t)
	b.marks = marks
	b.rows = append(b.rows, rowBounds{int32(n), 0, kind})
	b.cells = append(b.cells, t.cells...)
	b.kinds[kind] = 1
	if !r.nullSet {
		r.noteNulls(data)
	}
	b.end(data[:n], r)
}
