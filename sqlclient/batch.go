package sqlclient

import (
	"encoding/binary"
	"iter"
	"slices"
	"unsafe"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// Rows is a run of rows of the table whose Head came before it. A Reader that
// was made with BatchRows hands rows out so: as many as it has at a time, and
// never waiting for more.
//
// It is valid only until the next record, and its rows only until the next row.
type Rows struct {
	span
	layout  *tableau.Layout
	columns []changelog.Column
	left    []bool // see table
	nulls   nulls
	marks   changelog.Marks // of all cells: how the rows were recovered
	place   placing

	data  []byte // the rows, one behind the other
	rows  []rowBounds
	cells []tableau.Cell // of the rows that are not plain, within their row
	kinds [changelog.Retract + 1]int64
	row   changelog.Row // handed out again and again
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
	old  bool // the old word does, too
}

func (n nulls) match(text []byte) bool {
	return len(text) == len(n.word) && string(text) == n.word || n.old && string(text) == oldNullWord
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
		row := &b.row
		hidden := len(b.layout.Widths) - len(b.columns) // the row kind is no value
		if len(row.Cells) != len(b.columns) {
			row.Cells = make([]changelog.Cell, len(b.columns))
		}
		// Where there are as many newlines as rows, each row is one line.
		lines := b.place == nil && b.where.End.Line-b.where.Start.Line == len(b.rows)
		end, start := b.where.Start, 0
		for _, bounds := range b.rows {
			row.Kind, row.Pos = bounds.kind, end
			data := b.data[start:bounds.end]
			start = int(bounds.end)
			if lines {
				end.Offset, end.Line, end.Col = end.Offset+int64(len(data)), end.Line+1, 1
			} else {
				end = b.place.behind(end, data)
			}
			for c := range row.Cells {
				var cell tableau.Cell
				w := b.layout.Widths[hidden+c]
				if bounds.cells < 0 {
					cell.Start = b.layout.Starts[hidden+c]
					cell.To = cell.Start + w
					cell.From = cell.Start + tableau.Blanks(data[cell.Start:cell.To])
				} else {
					cell = b.cells[int(bounds.cells)+hidden+c]
				}
				if b.left[hidden+c] {
					for cell.To > cell.From && data[cell.To-1] == ' ' {
						cell.To--
					}
				}
				text := data[cell.From:cell.To]
				marks := b.marks
				if b.nulls.match(text) {
					marks |= changelog.Null
				}
				if n := len(text); n >= 3 && text[n-1] == '.' && maybeCut(text, cell.From-cell.Start, w) {
					marks |= changelog.MaybeCut
				}
				row.Cells[c] = changelog.Cell{Text: unsafe.String(unsafe.SliceData(text), len(text)), Marks: marks}
			}
			if !yield(row, end) {
				return
			}
		}
	}
}

// take puts the rows into b that data begin with, and returns how many bytes
// they have, and what Split says of what stands behind them: Whole for a row
// of a changelog without a row kind, and for one before which the null words
// change.
func (r *Reader) take(b *Rows, data []byte) (int, tableau.Outcome) {
	t := &r.table
	*b = Rows{layout: t.layout, columns: t.columns, left: t.left, rows: b.rows[:0], cells: b.cells[:0], row: b.row}
	// What is known of the null words may change with each row, as long as
	// "<NULL>" was not seen.
	unsure := !r.nullSet && r.old != oldNullIsText
	left := slices.Contains(t.left, true)
	kind, p := changelog.None, 0
	for {
		row := data[p:]
		bounds := rowBounds{cells: -1}
		n := len(t.layout.Border) + 1
		noted := !unsure
		if t.layout.IsPlain(row) {
			if t.mode == ModeStreaming {
				start := t.layout.Starts[0]
				op := row[start : start+t.layout.Widths[0]]
				var ok bool
				if kind, ok = rowKind(op[tableau.Blanks(op):]); !ok {
					return b.end(data[:p], r), tableau.Whole
				}
			}
			noted = noted || !left && !t.endsInNull(row)
		} else {
			var out tableau.Outcome
			if n, out = t.layout.Split(row, t.cells); out != tableau.Whole {
				return b.end(data[:p], r), out
			}
			if t.mode == ModeStreaming {
				var ok bool
				if kind, ok = rowKind(row[t.cells[0].From:t.cells[0].To]); !ok {
					return b.end(data[:p], r), tableau.Whole
				}
			}
			bounds.cells = int32(len(b.cells))
			b.cells = append(b.cells, t.cells...)
		}
		if !noted {
			before := r.old
			if bounds.cells < 0 {
				t.layout.Split(row, t.cells)
			}
			r.noteNulls(row)
			if r.old == oldNullIsText {
				unsure = false
				if before == oldNullHolds && len(b.rows) > 0 {
					return b.end(data[:p], r), tableau.Whole
				}
			}
		}
		b.kinds[kind]++
		p += n
		bounds.end, bounds.kind = int32(p), kind
		b.rows = append(b.rows, bounds)
	}
}

// end ends b with the bytes of its rows, and returns how many these are.
func (b *Rows) end(data []byte, r *Reader) int {
	b.data = data
	b.nulls = nulls{r.null, !r.nullSet && r.old != oldNullIsText}
	return len(data)
}

// endsInNull reports whether a cell of a plain row ends as a null word of some
// release does.
func (t *table) endsInNull(row []byte) bool {
	const (
		width   = len(nullWord)
		word    = '<' | 'N'<<8 | 'U'<<16 | 'L'<<24 | 'L'<<32 | '>'<<40 | ' '<<48 | '|'<<56
		oldWord = word ^ '<' ^ '(' ^ '>'<<40 ^ ')'<<40
	)
	found := false
	for c, w := range t.layout.Widths {
		if w >= width {
			x := binary.LittleEndian.Uint64(row[t.layout.Starts[c]+w-width:])
			found = found || x == word || x == oldWord
		}
	}
	return found
}

// one makes b the row that data begin with, of n bytes, whose cells are in the
// table.
func (r *Reader) one(b *Rows, data []byte, n int, kind changelog.RowKind, marks changelog.Marks) {
	t := &r.table
	*b = Rows{layout: t.layout, columns: t.columns, left: t.left, marks: marks, rows: append(b.rows[:0], rowBounds{int32(n), 0, kind}),
		cells: append(b.cells[:0], t.cells...), row: b.row}
	b.kinds[kind] = 1
	if !r.nullSet {
		r.noteNulls(data)
	}
	b.end(data[:n], r)
}
