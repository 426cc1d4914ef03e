package changelog

import "encoding/binary"

// A record is a row of a table in its arena. All that is known of the row
// stands in one place, so that a change touches little memory:
//
//	older   8 bytes: the next older record of the same key, or none
//	number  8 bytes: rows are in the order of their numbers
//	class   1 byte: of the block
//	flags   1 byte
//	cells   see appendCell
//	marks   one byte for each cell in the same order, if flags has marked
//	pos     uvarints: index of the file, offset, line, column
//
// The integers of fixed size are in the machine's byte order.
type record []byte

const (
	recordHead = 18

	marked   = 1 << 0 // a cell has marks besides Null
	cut      = 1 << 1 // a cell may be cut
	cutInKey = 1 << 2 // a cell of the key may be cut
)

func (r record) older() block   { return getBlock(r) }
func (r record) number() uint64 { return binary.NativeEndian.Uint64(r[8:]) }
func (r record) class() uint8   { return r[16] }
func (r record) flags() uint8   { return r[17] }

// beginsWith says whether the record's first cells are those encoded, for
// which it must not have fewer cells.
func (r record) beginsWith(cells []byte) bool {
	end := recordHead + len(cells)
	// What stands behind the record may be anything, but a difference comes
	// before its end: no encoding is the beginning of another one.
	return end <= len(r) && string(r[recordHead:end]) == string(cells)
}

// appendCell appends a cell: its length, twice, plus one for a null, as a
// uvarint, then its text. Of two different lists of equally many cells neither
// encoding is the beginning of the other.
func appendCell(b []byte, c *Cell) []byte {
	if n := len(c.Text); n < 0x40 {
		b = append(b, byte(n)<<1|byte(c.Marks&Null))
	} else {
		b = binary.AppendUvarint(b, uint64(n)<<1|uint64(c.Marks&Null))
	}
	return append(b, c.Text...)
}

// allNull reports whether all cells, as appendCell appends them, are null.
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

func appendPos(b []byte, file uint32, p Pos) []byte {
	b = binary.AppendUvarint(b, uint64(file))
	b = binary.AppendUvarint(b, uint64(p.Offset))
	b = binary.AppendUvarint(b, uint64(p.Line))
	return binary.AppendUvarint(b, uint64(p.Col))
}

func putHead(b []byte, older block, number uint64, class, flags uint8) {
	putBlock(b, older)
	binary.NativeEndian.PutUint64(b[8:], number)
	b[16], b[17] = class, flags
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
func (r record) row(text string, order []int, cells []Cell) (p Pos, file uint64) {
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
	var pos [4]uint64
	for i := range pos {
		v, n := uvarint(b)
		pos[i], b = v, b[n:]
	}
	return Pos{Offset: int64(pos[1]), Line: int(pos[2]), Col: int(pos[3])}, pos[0]
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
