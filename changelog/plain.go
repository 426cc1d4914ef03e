package changelog

import (
	"slices"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/placed"
	"github.com/seed-69e58989/flinkread/internal/tableau"
	"github.com/seed-69e58989/flinkread/internal/word"
)

func init() {
	placed.Apply = func(table, rows any) { table.(*Table).applyPlain(rows.(placed.Rows[Row])) }
}

// applyPlain applies rows, those that are plain from where they stand.
func (t *Table) applyPlain(rows placed.Rows[Row]) {
	defer t.flush()
	places := rows.Places()
	if len(places) != len(t.cols) || t.noKeyColumn != "" {
		places = nil // no row is for this table
	}
	l := newLayout(places, t.order)
	file := t.file(rows.File())
	var row placed.Row
	for i := range rows.Len() {
		t.makeRoom()
		if places != nil && rows.Plain(i, &row) && t.see(RowKind(row.Kind)) {
			if c := t.batch.addPlain(&row, l, t.key, file); c != nil {
				t.hash(c)
				continue
			}
		}
		t.put(rows.Row(i))
	}
}

// A layout says where the cells of plain rows stand.
type layout struct {
	columns []word.Column // in the order in which rows are encoded
	room    int           // that a row takes as a record, and what is written behind it
	reach   int           // how far behind its start a row is looked at
}

// step is how many bytes of a text are copied at a time: what is read and
// written behind it is less than that.
const step = 16

func newLayout(places []tableau.Place, order []int) *layout {
	l := &layout{room: recordHead + farPos + step}
	for _, i := range order[:min(len(order), len(places))] {
		p := places[i]
		l.columns = append(l.columns, word.Column{Start: p.Start, Width: p.Width})
		l.room += 1 + p.Width
		l.reach = max(l.reach, p.Start+max(p.Width, 8)+step)
	}
	return l
}

// addPlain adds a plain row as add does. It returns nil, and adds nothing, if there
// is less behind the row than is looked at, or if a text is no short one.
func (b *batch) addPlain(row *placed.Row, l *layout, key int, file uint32) *change {
	start := len(b.text)
	if cap(row.Text) < l.reach {
		return nil
	}
	if cap(b.text)-start < l.room {
		b.text = slices.Grow(b.text, l.room)
	}
	text := b.text[:start+l.room]
	from := unsafe.Pointer(unsafe.SliceData(row.Text))
	word.Find(l.columns, from)
	keyEnd, end := l.encode(unsafe.Pointer(&text[start+recordHead]), from, key)
	if end < 0 {
		return nil
	}
	c := b.next()
	c.start, c.key, c.cells = start, start+recordHead+keyEnd, start+recordHead+end
	c.kind, c.file, c.flags = RowKind(row.Kind), file, 0
	c.pos.Offset, c.pos.Line, c.pos.Col = row.Offset, row.Line, row.Col
	c.end = c.cells
	if c.kind.Adds() {
		c.end += putPos(text[c.cells:], file, &c.pos, &c.flags)
	}
	b.text = b.text[:c.end]
	return c
}

// encode puts the cells of a row, whose texts were found, to where they stand in
// its record, and returns what is behind those of the key, and behind all; -1 if
// a text is no short one.
func (l *layout) encode(to, row unsafe.Pointer, key int) (keyEnd, end int) {
	longest, q := 0, to
	for k := range l.columns {
		if k == key {
			keyEnd = int(uintptr(q) - uintptr(to))
		}
		c := &l.columns[k]
		text, n := unsafe.Add(row, c.Start+c.Blanks), c.Width-c.Blanks
		longest |= n
		*(*byte)(q) = byte(n << 1)
		q = unsafe.Add(q, 1)
		word.Copy16(q, text)
		for i := step; i < n; i += step {
			word.Copy16(unsafe.Add(q, i), unsafe.Add(text, i))
		}
		q = unsafe.Add(q, n)
	}
	if longest > longestShort {
		return 0, -1
	}
	end = int(uintptr(q) - uintptr(to))
	if key == len(l.columns) {
		keyEnd = end
	}
	return keyEnd, end
}
