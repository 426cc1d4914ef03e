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
	placed.Apply = func(table, rows any) {
		t := table.(*Table)
		defer t.flush()
		t.putPlaced(rows.(*placedRows))
	}
}

// putPlaced adds rows to the batch as put does, but from where they stand if nothing
// more is needed than that their texts are copied.
func (t *Table) putPlaced(rows *placedRows) {
	var texts texts
	if len(rows.Places) == len(t.cols) && !rows.Marked && t.noKeyColumn == "" {
		texts = newTexts(rows.Places, t.order)
	}
	file := t.file(rows.File)
	first, firstLine, col := rows.Whole.Pos(0)
	columns := rows.Kinds + len(rows.Places)
	last := cap(rows.Text) - step // what has less behind it is not read in steps
	start, end := 0, 0
	for i := range rows.Bounds {
		t.makeRoom()
		bounds := &rows.Bounds[i]
		start, end = end, int(bounds.End)
		known := t.see(bounds.Kind)
		if texts == nil || !known || end > last {
			t.put(rows.Whole.Row(i))
			continue
		}
		row := unsafe.Pointer(&rows.Text[start])
		to := t.batch.room(end - start) // no byte of the row is put twice; a length takes less than the bars did
		keyEnd, size, lengths := 0, 0, longestShort+1
		if bounds.Cells == placed.Plain {
			keyEnd, size, lengths = texts.encodePlain(to, row, rows.Blanks[i*columns+rows.Kinds:], t.key)
		} else if bounds.Cells >= 0 {
			keyEnd, size, lengths = texts.encodeCells(to, row, rows.Cells[int(bounds.Cells)+rows.Kinds:], t.key)
		}
		if lengths > longestShort {
			t.put(rows.Whole.Row(i))
			continue
		}
		c := t.batch.next()
		c.kind, c.flags, c.file = bounds.Kind, 0, file
		c.start = len(t.batch.text)
		c.key, c.cells = c.start+recordHead+keyEnd, c.start+recordHead+size
		t.batch.text = t.batch.text[:c.cells]
		switch {
		case !rows.Lines:
			c.offset, c.line, c.col = rows.Whole.Pos(i)
		case i > 0:
			c.offset, c.line, c.col = first+int64(start), firstLine+i, 1
		default:
			c.offset, c.line, c.col = first, firstLine, col
		}
	}
}

// room returns where the cells of the next record stand, with room for n bytes of them
// and a step.
func (b *batch) room(n int) unsafe.Pointer {
	start := len(b.text) + recordHead
	if cap(b.text)-start < n+step {
		b.text = slices.Grow(b.text, recordHead+n+step)
	}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b.text)), start)
}

// texts are where the texts of plain rows stand, in the order in which rows are
// encoded.
type texts []text

// A text is at a place of its row, behind some blanks.
type text struct {
	place  tableau.Place
	column int // that this is
}

func newTexts(places []tableau.Place, order []int) texts {
	t := make(texts, len(order))
	for k, i := range order {
		t[k] = text{places[i], i}
	}
	return t
}

// step is how many bytes of a text are copied at a time: what is read and written
// behind it is less than that, or eight bytes from where it begins.
const step = 16

// encodePlain puts the texts of a plain row, whose columns begin with so many blanks, to
// where they stand in its record. It returns what is behind those of the key, and behind
// all, and the bits of all lengths: as those of longestShort are all set, they are more
// if one is.
func (t texts) encodePlain(to, row unsafe.Pointer, blanks []uint16, key int) (keyEnd, end, lengths int) {
	q := to
	for k := range t {
		if k == key {
			keyEnd = int(uintptr(q) - uintptr(to))
		}
		text := &t[k]
		n := int(blanks[text.column])
		q, n = encodeText(q, unsafe.Add(row, text.place.Start+n), text.place.Width-n)
		lengths |= n
	}
	if end = int(uintptr(q) - uintptr(to)); key == len(t) {
		keyEnd = end
	}
	return keyEnd, end, lengths
}

// encodeCells is encodePlain, of which speed has it repeat some, for a row that is not
// plain, and its cells. The lengths are
// more than longestShort, too, if a text may have marks.
func (t texts) encodeCells(to, row unsafe.Pointer, cells []tableau.Cell, key int) (keyEnd, end, lengths int) {
	q := to
	for k := range t {
		if k == key {
			keyEnd = int(uintptr(q) - uintptr(to))
		}
		cell := &cells[t[k].column]
		if tableau.EndingOf(*(*byte)(unsafe.Add(row, cell.To-1))) != 0 { // of a blank for no text
			return 0, 0, longestShort + 1
		}
		var n int
		q, n = encodeText(q, unsafe.Add(row, cell.From), cell.To-cell.From)
		lengths |= n
	}
	if end = int(uintptr(q) - uintptr(to)); key == len(t) {
		keyEnd = end
	}
	return keyEnd, end, lengths
}

// encodeText puts a text of n bytes to where it stands in its record, and returns what is
// behind it, and n.
func encodeText(to, from unsafe.Pointer, n int) (unsafe.Pointer, int) {
	*(*byte)(to) = byte(n << 1)
	to = unsafe.Add(to, 1)
	word.Copy16(to, from)
	for i := step; i < n; i += step {
		word.Copy16(unsafe.Add(to, i), unsafe.Add(from, i))
	}
	return unsafe.Add(to, n), n
}
