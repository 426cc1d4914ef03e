package changelog

import "slices"

// A batch is changes that are still to be applied, in their order.
type batch struct {
	text    []byte // their rows as records, one behind the other
	changes []change
	touched uint64 // see touch
}

// A change is one of a batch. Its parts are places in the batch's text.
type change struct {
	kind  RowKind
	flags uint8
	hash  uint32 // of the key
	file  uint32
	pos   Pos // without the file's name, which is the caller's
	start int // of the record
	key   int // behind the cells of the key
	cells int // behind all cells
	end   int // of the record, which only what adds a row needs in full
}

const (
	maxBatch     = 64
	maxBatchText = 64 << 10
	lookAhead    = 16 // records that are fetched side by side to be read
	// largeTable is how many rows are about too many for the processor's caches.
	largeTable = 4 << 10
)

// add adds the cells of r, those of the key first.
func (b *batch) add(r *Row, order []int, key int) *change {
	n := recordHead
	for i := range r.Cells {
		n += len(r.Cells[i].Text) + 10
	}
	text := slices.Grow(b.text, n)
	start := len(text)
	text = append(text, make([]byte, recordHead)...)
	b.changes = append(b.changes, change{kind: r.Kind, pos: r.Pos, start: start})
	c := &b.changes[len(b.changes)-1]
	c.pos.File = ""
	var marks Marks
	for _, i := range order[:key] {
		marks |= r.Cells[i].Marks
		text = appendCell(text, &r.Cells[i])
	}
	c.key = len(text)
	if marks&MaybeCut != 0 {
		c.flags |= cutInKey
	}
	for _, i := range order[key:] {
		marks |= r.Cells[i].Marks
		text = appendCell(text, &r.Cells[i])
	}
	if marks&MaybeCut != 0 {
		c.flags |= cut
	}
	if marks&^Null != 0 {
		c.flags |= marked
	}
	b.text, c.cells, c.end = text, len(text), len(text)
	return c
}

// complete adds to the record of the last change what stands behind its cells.
func (b *batch) complete(c *change, r *Row, order []int) {
	if c.flags&marked != 0 {
		for _, i := range order {
			b.text = append(b.text, byte(r.Cells[i].Marks))
		}
	}
	b.text = appendPos(b.text, c.file, r.Pos)
	c.end = len(b.text)
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
// likely meet: first at all slots, then at all records in them. No look waits
// for another, so the processor fetches them side by side.
func (t *Table) touch() {
	b := &t.batch
	mask := len(t.index.slots) - 1
	var places [maxBatch]block
	for i := range b.changes {
		places[i] = t.index.slots[int(b.changes[i].hash)&mask].record
	}
	for _, at := range places[:len(b.changes)] {
		r := t.arena.at(at)
		b.touched += uint64(r[0]) + uint64(r[min(64, len(r)-1)])
	}
}
