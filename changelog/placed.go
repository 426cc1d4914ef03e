package changelog

import (
	"slices"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/placed"
	"github.com/seed-69e58989/flinkread/internal/tableau"
	"github.com/seed-69e58989/flinkread/internal/word"
)

type placedRows = placed.Rows[RowKind, Row]

func init() {
	placed.Apply = func(table, rows any) { table.(*Table).applyPlaced(rows.(*placedRows)) }
}

// applyPlaced applies rows from where they stand, but for those that need more
// than that their texts are copied.
func (t *Table) applyPlaced(rows *placedRows) {
	defer t.flush()
	var texts texts
	if len(rows.Places) == len(t.cols) && !rows.Marked && t.noKeyColumn == "" {
		texts = newTexts(rows.Places, t.order)
	}
	file := t.file(rows.File)
	first, firstLine, col := rows.Whole.Pos(0)
	start := 0
	for i := range rows.Bounds {
		t.makeRoom()
		bounds := &rows.Bounds[i]
		row := rows.Text[start:bounds.End]
		offset, line := first+int64(start), firstLine+i
		if start = int(bounds.End); i > 0 {
			col = 1
		}
		if texts == nil || !texts.find(row, rows, i) || !t.see(bounds.Kind) {
			t.put(rows.Whole.Row(i))
			continue
		}
		if !rows.Lines {
			offset, line, col = rows.Whole.Pos(i)
		}
		c := t.batch.addTexts(row, texts, t.key)
		c.kind, c.file, c.flags = bounds.Kind, file, 0
		c.offset, c.line, c.col = offset, line, col
	}
}

// texts are where the texts of a row stand, in the order in which rows are encoded.
type texts []text

// A text is at a place of its row, in a column that is at another place of a
// plain row.
type text struct {
	at, n  int
	column int
	place  tableau.Place
}

func newTexts(places []tableau.Place, order []int) texts {
	t := make(texts, len(order))
	for k, i := range order {
		t[k] = text{column: i, place: places[i]}
	}
	return t
}

// step is how many bytes of a text are copied at a time: what is read and written
// behind it is less than that, or eight bytes from where it begins.
const step = 16

// find finds the texts of the i-th row, whose cells are as its Bounds say. It reports
// false if one of them is long or may have marks, or if there is less behind the
// row than may be read.
func (t texts) find(row []byte, rows *placedRows, i int) bool {
	switch cells := rows.Bounds[i].Cells; {
	case cap(row)-len(row) < step:
	case cells == placed.Plain:
		return t.findPlain(rows.Blanks[i*(rows.Kinds+len(t))+rows.Kinds:]) <= longestShort
	case cells >= 0:
		return t.findCells(row, rows.Cells[int(cells)+rows.Kinds:]) <= longestShort
	}
	return false
}

// findCells finds the texts of a row that is not plain, and returns the bits of all
// lengths: as those of longestShort are all set, they are more if one is, or if a
// text may have marks.
func (t texts) findCells(row []byte, cells []tableau.Cell) (lengths int) {
	for k := range t {
		cell := &cells[t[k].column]
		if tableau.EndingOf(row[cell.To-1]) != 0 { // of a blank for no text
			return longestShort + 1
		}
		t[k].at, t[k].n = cell.From, cell.To-cell.From
		lengths |= t[k].n
	}
	return lengths
}

// findPlain is findCells for a plain row, whose columns begin with so many blanks.
func (t texts) findPlain(blanks []uint16) (lengths int) {
	for k := range t {
		text := &t[k]
		n := int(blanks[text.column])
		text.at, text.n = text.place.Start+n, text.place.Width-n
		lengths |= text.n
	}
	return lengths
}

// addTexts adds a row as add does, of which the texts were found, are short and
// have no marks. What is left is to set what else is known of the change.
func (b *batch) addTexts(row []byte, t texts, key int) *change {
	start := len(b.text)
	// No byte of the row is put twice, but for what is behind a text.
	room := recordHead + len(t) + len(row) + step
	if cap(b.text)-start < room {
		b.text = slices.Grow(b.text, room)
	}
	text := b.text[:start+room]
	keyEnd, end := t.encode(unsafe.Pointer(&text[start+recordHead]), unsafe.Pointer(unsafe.SliceData(row)), key)
	c := b.next()
	c.start, c.key, c.cells = start, start+recordHead+keyEnd, start+recordHead+end
	b.text = b.text[:c.cells]
	return c
}

// encode puts the texts of a row to where they stand in its record, and returns
// what is behind those of the key, and behind all.
func (t texts) encode(to, row unsafe.Pointer, key int) (keyEnd, end int) {
	q := to
	for k := range t {
		if k == key {
			keyEnd = int(uintptr(q) - uintptr(to))
		}
		from, n := unsafe.Add(row, t[k].at), t[k].n
		*(*byte)(q) = byte(n << 1)
		q = unsafe.Add(q, 1)
		word.Copy16(q, from)
		for i := step; i < n; i += step {
			word.Copy16(unsafe.Add(q, i), unsafe.Add(from, i))
		}
		q = unsafe.Add(q, n)
	}
	end = int(uintptr(q) - uintptr(to))
	if key == len(t) {
		keyEnd = end
	}
	return keyEnd, end
}
