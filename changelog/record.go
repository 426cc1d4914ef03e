package changelog

import "encoding/binary"

// A record is a row of a table in its arena. All that is known of the row
// stands in one place, and in few bytes, so that a change touches little memory:
//
//	class   1 byte: of the block
//	flags   1 byte
//	cells   each is its length, twice, plus one for a null, as a uvarint, and its
//	        text: of two different lists of equally many cells neither is the
//	        beginning of the other
//	marks   one byte for each cell in the same order, if flags has marked
//	pos     see putPos
//	older   the last 12 bytes of the block, if the record's slot has repeated:
//	        where the next older record of the same key is, as in a slot
//
// The integers of fixed size are in the machine's byte order.
type record []byte

const (
	recordHead = 2
	olderSize  = 12

	marked   = 1 << 0 // a cell has marks besides Null
	cut      = 1 << 1 // a cell may be cut
	cutInKey = 1 << 2 // a cell of the key may be cut
	far      = 1 << 3 // the place takes more than nearPos bytes
)

func (r record) class() uint8 { return r[0] }
func (r record) flags() uint8 { return r[1] }

// beginsWith says whether the record's first cells are those encoded, for
// which it must not have fewer cells.
func (r record) beginsWith(cells []byte) bool {
	end := recordHead + len(cells)
	// What stands behind the record may be anything, but a difference comes
	// before its end: no encoding is the beginning of another one.
	return end <= len(r) && string(r[recordHead:end]) == string(cells)
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

// putPos puts a place and the index of its file at the beginning of b, says in
// flags which of two forms it has, and returns its size. Nearly all places have
// the short one: five bytes of offset, one each of column and file, four of line.
func putPos(b []byte, file uint32, p *Pos, flags *uint8) int {
	offset, line, col := uint64(p.Offset), uint64(p.Line), uint64(p.Col)
	if offset>>40|line>>32|(col|uint64(file))>>8 == 0 {
		binary.LittleEndian.PutUint64(b, offset|col<<40|uint64(file)<<48)
		binary.LittleEndian.PutUint32(b[7:], uint32(line))
		return nearPos
	}
	*flags |= far
	binary.LittleEndian.PutUint64(b, offset)
	binary.LittleEndian.PutUint64(b[8:], line)
	binary.LittleEndian.PutUint64(b[16:], col)
	binary.LittleEndian.PutUint32(b[24:], file)
	return farPos
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

// putOlder puts the slot of the next older record at the end of a block.
func putOlder(b []byte, older slot) {
	b = b[len(b)-olderSize:]
	binary.NativeEndian.PutUint32(b, older.piece)
	binary.NativeEndian.PutUint64(b[4:], older.place)
}

// getOlder returns what putOlder has put.
func getOlder(b []byte) slot {
	b = b[len(b)-olderSize:]
	return slot{piece: binary.NativeEndian.Uint32(b), place: binary.NativeEndian.Uint64(b[4:])}
}

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
	if r.flags()&marked != 0 {
		for i, c := range order {
			cells[c].Marks = Marks(b[i])
		}
		b = b[len(order):]
	}
	return getPos(b, r.flags())
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
