package tableau

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// A plain row fits the border and is of ASCII's characters alone, none of them below
// a blank, with a newline behind its last bar. Each byte of it is a column, so its
// cells are where those of the border are.
//
// Its ink has a bit for each byte that is no blank, the lowest bit of a word first. It
// tells where texts begin, at the same cost wherever that is.

// maxPlain is the longest border of which rows are plain. What is known of a layout takes
// four times as much, and of a row an eighth.
const maxPlain = 4 << 10

// inkBytes is how many bytes of a row a word of ink is of.
const inkBytes = 64

// InkWords returns how many words the ink of a row has.
func (l *Layout) InkWords() int { return len(l.Border)/inkBytes + 1 }

// Plain returns how many plain rows data begin with, len(ended) at most. It puts the ink
// of each into ink, where there is room for that of as many, and says whether a cell
// of it ends in a byte with an ending.
func (l *Layout) Plain(data []byte, ink []uint64, ended []bool) int {
	if size := len(l.Border); size > maxPlain || size >= len(data) || data[size] != '\n' {
		return 0
	}
	n, refused := l.plainWords(data, ink, ended)
	if refused {
		return n
	}
	for size := len(l.Border) + 1; n < len(ended) && l.plain(data[min(n*size, len(data)):]); n++ {
		row := data[n*size:]
		ended[n] = l.EndsOf(row) != 0
		putInk(ink[n*l.InkWords():], row[:size-1])
	}
	return n
}

// plain reports whether data begin with a plain row.
func (l *Layout) plain(data []byte) bool {
	n := len(l.Border)
	if n >= len(data) || data[n] != '\n' {
		return false
	}
	row := unsafe.Pointer(unsafe.SliceData(data)) // n+1 bytes of it are read
	if word.Load16(row, 0) != '|'|' '<<8 {
		return false
	}
	// Before each bar stands a blank, behind it another one, or the newline.
	wrong := word.Load32(row, n-3) ^ (' '<<8 | '|'<<16 | '\n'<<24)
	for _, bar := range l.bars {
		wrong |= word.Load32(row, bar-2) ^ (' '<<8 | '|'<<16 | ' '<<24)
	}
	return wrong>>8 == 0 && word.Printed(row, n)
}

// EndsOf returns what the cells of a plain row end in.
func (l *Layout) EndsOf(row []byte) Endings {
	ends := endings[row[len(l.Border)-3]]
	for _, bar := range l.bars {
		ends |= endings[row[bar-2]]
	}
	return ends
}

// putInk puts the ink of a row to the beginning of ink.
func putInk(ink []uint64, row []byte) {
	p := unsafe.Pointer(unsafe.SliceData(row))
	at := 0
	for i := range len(row) / inkBytes {
		var bits uint64
		for range 8 {
			bits = bits>>8 | inkOf(word.Load(p, at))<<56
			at += 8
		}
		ink[i] = bits
	}
	var bits uint64
	for shift := 0; at < len(row); shift += 8 {
		rest := [8]byte{' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '}
		at += copy(rest[:], row[at:])
		bits |= inkOf(binary.LittleEndian.Uint64(rest[:])) << shift
	}
	ink[len(row)/inkBytes] = bits
}

// inkOf returns the ink of eight bytes of ASCII.
func inkOf(x uint64) uint64 {
	// A high bit for each byte that is no blank; the product brings the eight together.
	x = ((x ^ blanks) + ^uint64(highBits)) & highBits
	return x >> 7 * 0x0102040810204080 >> 56
}

// Blanks puts into counts how many blanks each column of plain rows begins with, whose
// ink it is, with a word behind it that may be any. There is room for all columns of all
// rows. What it says of rows that are not plain means nothing.
func (l *Layout) Blanks(counts []uint16, ink []uint64, rows int) {
	if len(l.Border) > maxPlain {
		return
	}
	if l.blanksWords(counts, ink, rows) {
		return
	}
	words, columns := l.InkWords(), len(l.Places)
	for i := range rows {
		ink, counts := ink[i*words:], counts[i*columns:]
		for c, p := range l.Places {
			counts[c] = blanksAt(ink, p)
		}
	}
}

// blanksAt returns how many blanks the column at a place begins with, by its ink and
// the word behind that.
func blanksAt(ink []uint64, p Place) uint16 {
	for n := 0; n < p.Width; n += inkBytes {
		at := p.Start + n
		i, bit := at/inkBytes, uint(at%inkBytes)
		if x := ink[i]>>bit | ink[i+1]<<(inkBytes-bit); x != 0 {
			return uint16(min(n+bits.TrailingZeros64(x), p.Width))
		}
	}
	return uint16(p.Width)
}
