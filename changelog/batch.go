package changelog

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// A batch is changes that are still to be applied, in their order.
type batch struct {
	text    []byte // their rows as records, one behind the other, and behind all of them a step to be read
	changes []change
	touched uint64 // see touch
}

// A change is one of a batch. Its parts are places in the batch's text.
type change struct {
	kind      RowKind
	flags     uint8
	file      uint32 // see Table.file
	hash      slot   // of the key, as in a slot
	offset    int64  // as in Pos
	line, col int
	start     int // of the record, whose head and place come when it is stored
	key       int // behind the cells of the key
	cells     int // behind all cells
}

const (
	maxBatch     = 128
	maxBatchText = 64 << 10
	lookAhead    = 16 // records that are fetched side by side to be read
	// largeTable is how many rows are about too many for the processor's caches.
	largeTable = 4 << 10
)

// add adds r, with the cells of the key first. It copies what is short, as most
// cells are, by itself and calls nothing for it, so that what it needs stays in
// registers.
func (b *batch) add(r *Row, order []int, key int, file uint32) {
	room := recordHead + len(r.Cells)*(binary.MaxVarintLen64+1) + step
	for i := range r.Cells {
		room += len(r.Cells[i].Text)
	}
	c := b.next()
	c.start = len(b.text)
	if cap(b.text)-c.start < room {
		b.text = slices.Grow(b.text, room)
	}
	text := b.text[:c.start+room]
	first := unsafe.Pointer(unsafe.SliceData(text))
	end := c.start + recordHead
	var marks, keyMarks Marks
	for k, i := range order {
		if k == key {
			c.key, keyMarks = end, marks
		}
		cell := &r.Cells[i]
		marks |= cell.Marks
		n := len(cell.Text)
		if n > longestShort {
			end = putLong(text, end, cell)
			continue
		}
		to := unsafe.Add(first, end)
		*(*byte)(to) = byte(n)<<1 | byte(cell.Marks&Null)
		to = unsafe.Add(to, 1)
		from := unsafe.Pointer(unsafe.StringData(cell.Text))
		switch {
		case n >= 8: // the last eight bytes, some of them a second time
			for i := 0; i < n-8; i += 8 {
				word.Copy8(unsafe.Add(to, i), unsafe.Add(from, i))
			}
			word.Copy8(unsafe.Add(to, n-8), unsafe.Add(from, n-8))
		case n >= 4:
			word.Copy4(to, from)
			word.Copy4(unsafe.Add(to, n-4), unsafe.Add(from, n-4))
		default:
			for i := range n {
				*(*byte)(unsafe.Add(to, i)) = cell.Text[i]
			}
		}
		end += 1 + n
	}
	if key == len(order) {
		c.key, keyMarks = end, marks
	}
	c.cells = end
	c.kind, c.file, c.flags = r.Kind, file, 0
	c.offset, c.line, c.col = r.Pos.Offset, r.Pos.Line, r.Pos.Col
	if keyMarks&MaybeCut != 0 {
		c.flags |= cutInKey
	}
	if marks&MaybeCut != 0 {
		c.flags |= cut
	}
	if marks&^Null != 0 && r.Kind.Adds() {
		c.flags |= marked
		for _, i := range order {
			text[end] = byte(r.Cells[i].Marks)
			end++
		}
	}
	b.text = b.text[:end]
}

// next adds a change, which may be any.
func (b *batch) next() *change {
	if len(b.changes) == cap(b.changes) {
		b.changes = slices.Grow(b.changes, 1)
	}
	b.changes = b.changes[:len(b.changes)+1]
	return &b.changes[len(b.changes)-1]
}

// longestShort is the longest text whose length takes one byte.
const longestShort = 0x3f

// putLong puts a cell at text[at:] whose length takes more than one byte, and
// returns what is behind it.
func putLong(text []byte, at int, c *Cell) int {
	at += binary.PutUvarint(text[at:], uint64(len(c.Text))<<1|uint64(c.Marks&Null))
	return at + copy(text[at:], c.Text)
}

// empty makes b an empty batch. Room that only a row of unusual length needed is
// given back.
func (b *batch) empty() {
	b.text, b.changes = b.text[:0], b.changes[:0]
	if cap(b.text) > 4*maxBatchText {
		b.text = nil
	}
}

// touch looks at the places in memory that the changes of the batch will most
// likely meet: first at all slots, then at all records that these or those behind
// them lead to. No look waits for another, no branch depends on one, and there is
// little between two, so the processor fetches them side by side.
func (t *Table) touch() {
	b := &t.batch
	slots := t.index.slots
	mask := len(slots) - 1
	touched := slot(0)
	for i := range b.changes {
		touched += slots[t.index.home(b.changes[i].hash)]
	}
	var records [maxBatch]block
	n := 0
	for i := range b.changes {
		hash := b.changes[i].hash
		home := t.index.home(hash)
		// A slot with this hash differs from it in what says where the record is.
		s, behind := slots[home]^hash, slots[(home+1)&mask]^hash
		if s&hashMask != 0 {
			s = behind
		}
		records[n] = block(s)
		one := 0
		if s&hashMask == 0 {
			one = 1
		}
		n += one
	}
	b.touched += uint64(touched) + t.arena.touch(records[:n])
}

// touch looks at the ends of the first 64 bytes of each block, which is where most
// records end: they are in one line of memory or two.
func (a *arena) touch(blocks []block) (touched uint64) {
	for _, b := range blocks {
		if b == 0 || b&own != 0 { // 0: of an empty slot, which a hash of 0 is like
			continue
		}
		piece, at := a.pieces[b>>offsetBits], b.offset()
		touched += uint64(piece[at]) + uint64(piece[min(at+63, len(piece)-1)])
	}
	return touched
}
