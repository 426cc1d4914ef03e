package changelog

import (
	"encoding/binary"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// A record is a row of a table in its arena. All that is known of the row
// stands in one place, and in few bytes, so that a change touches little memory:
//
//	head    8 bytes, see head
//	cells   each is its length, twice, plus one for a null, as a uvarint, and its
//	        text: of two different lists of equally many cells neither is the
//	        beginning of the other
//	marks   one byte for each cell in the same order, if flags has marked
//	pos     see putPos
//	older   the last 8 bytes of the block, if flags has repeated: where the next
//	        older record of the same key is
//
// The integers of fixed size are in the machine's byte order.
type record []byte

const (
	recordHead = 8
	olderSize  = 8

	marked   = 1 << 0 // a cell has marks besides Null
	cut      = 1 << 1 // a cell may be cut
	cutInKey = 1 << 2 // a cell of the key may be cut
	far      = 1 << 3 // the place takes more than nearPos bytes
	repeated = 1 << 4 // there is an older record of the same key
	free     = 1 << 5 // of a block that is none of a record
)

// A head is what a record begins with: the class of its block, its flags, and its
// number, by which the rows are in order. 48 bits are enough for ten million rows a
// second for most of a year. No number is 0.
type head uint64

func newHead(class, flags uint8, number uint64) head {
	return head(class) | head(flags)<<8 | head(number)<<16
}

func (h head) class() uint8   { return uint8(h) }
func (h head) flags() uint8   { return uint8(h >> 8) }
func (h head) number() uint64 { return uint64(h >> 16) }

// before says whether the cells behind the head begin with the n bytes of cells at p,
// for which the record must not have fewer cells.
//
// It compares words. At p there are as many bytes as it takes, and the record's words
// are those of its block. What stands behind the record may be anything, but a
// difference comes before its end: no encoding is the beginning of another one.
func (h *head) before(p unsafe.Pointer, n int) bool {
	q := unsafe.Add(unsafe.Pointer(h), recordHead)
	for ; n > 8; n -= 8 {
		if word.Load(p, 0) != word.Load(q, 0) {
			return false
		}
		p, q = unsafe.Add(p, 8), unsafe.Add(q, 8)
	}
	return n == 0 || (word.Load(p, 0)^word.Load(q, 0))<<(8*uint(8-n)) == 0
}

// allNull reports whether all cells, as they stand in a record, are null.
func allNull(cells []byte) bool {
	for len(cells) > 0 {
		length, n := binary.Uvarint(cells)
		if length&1 == 0 {
			return false
		}
		cells = cells[n+int(length>>1):]
	}
	return true
}

const (
	nearPos = 11
	farPos  = 28
)

// posSize says in the flags of a change which of two forms its place has, and returns
// the size of that. Nearly all places have the short one: five bytes of offset, one
// each of column and file, four of line.
func (c *change) posSize() int {
	if uint64(c.offset)>>40|uint64(c.line)>>32|(uint64(c.col)|uint64(c.file))>>8 == 0 {
		return nearPos
	}
	c.flags |= far
	return farPos
}

// putPos puts the place of a change, and the index of its file, at p.
func (c *change) putPos(p unsafe.Pointer) {
	offset, line, col := uint64(c.offset), uint64(c.line), uint64(c.col)
	if c.flags&far == 0 {
		b := (*[nearPos]byte)(p)
		binary.LittleEndian.PutUint64(b[:], offset|col<<40|uint64(c.file)<<48)
		binary.LittleEndian.PutUint32(b[7:], uint32(line))
		return
	}
	b := (*[farPos]byte)(p)
	binary.LittleEndian.PutUint64(b[:], offset)
	binary.LittleEndian.PutUint64(b[8:], line)
	binary.LittleEndian.PutUint64(b[16:], col)
	binary.LittleEndian.PutUint32(b[24:], c.file)
}

// getPos returns what putPos has put at the beginning of b.
func getPos(b []byte, flags uint8) (p Pos, file uint32) {
	x := binary.LittleEndian.Uint64(b)
	if flags&far == 0 {
		p.Offset, p.Col = int64(x&(1<<40-1)), int(x>>40&0xff)
		p.Line = int(binary.LittleEndian.Uint32(b[7:]))
		return p, uint32(b[6])
	}
	p.Offset = int64(x)
	p.Line = int(binary.LittleEndian.Uint64(b[8:]))
	p.Col = int(binary.LittleEndian.Uint64(b[16:]))
	return p, binary.LittleEndian.Uint32(b[24:])
}

// putOlder puts where the next older record is at the end of a block.
func putOlder(b []byte, older block) {
	binary.NativeEndian.PutUint64(b[len(b)-olderSize:], uint64(older))
}

// getOlder returns what putOlder has put.
func getOlder(b []byte) block { return block(binary.NativeEndian.Uint64(b[len(b)-olderSize:])) }

// text returns the cells of the record, as many as there are columns, as they
// are encoded.
func (r record) text(columns int) []byte {
	b := r[recordHead:]
	end := 0
	for range columns {
		length, n := uvarint(b[end:])
		end += n + int(length>>1)
	}
	return b[:end]
}

// row sets cells, which stand in the record in the given order, to parts of
// text, which is the record's from its cells on or a copy of it, and returns
// their place and the index of its file.
func (r record) row(text string, order []int, cells []Cell) (p Pos, file uint32) {
	at := 0
	for _, c := range order {
		length, from := uint64(text[at]), at+1
		if length >= 0x80 {
			var n int
			length, n = uvarint(text[at:])
			from = at + n
		}
		at = from + int(length>>1)
		cells[c] = Cell{Text: text[from:at], Marks: Marks(length & 1)}
	}
	b := r[recordHead+at:]
	flags := head(binary.NativeEndian.Uint64(r)).flags()
	if flags&marked != 0 {
		for i, c := range order {
			cells[c].Marks = Marks(b[i])
		}
		b = b[len(order):]
	}
	return getPos(b, flags)
}

// uvarint reads what binary.AppendUvarint appended.
func uvarint[T string | ~[]byte](b T) (v uint64, n int) {
	if b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	for shift := 0; ; shift += 7 {
		c := b[n]
		n++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, n
		}
	}
}
