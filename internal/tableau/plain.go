package tableau

import (
	"encoding/binary"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// A plain row fits the border and is of ASCII's characters alone, with a newline behind
// its last bar. Each byte of it is a column, so its cells are where those of the border
// are.
//
// Its ink has a bit for each byte that is no blank, the lowest bit of a word first. It
// tells where texts begin, at the same cost wherever that is. Without vector words, there
// is none: it would cost more than to look at the texts.

// maxPlain is the longest border of which rows are plain. What is known of a layout takes
// some times as much, and of a row an eighth. Counts of blanks have 16 bits.
const maxPlain = 4 << 10

// inkBytes is how many bytes of a row a word of ink is of.
const inkBytes = 64

// Looks are what is to be looked at in a plain row.
type Looks uint8

const (
	LookEnds  Looks = 1 << iota // a cell ends in a byte with an ending; plainAVX2 sets this
	LookBelow                   // a byte may be below a blank; LookEnds is set, too
)

// Plain returns how many plain rows data begin with, len(looks) at most. It puts the ink
// of each into ink, where there is room for that of as many, and says what is to be
// looked at.
func (l *Layout) Plain(data []byte, ink []uint64, looks []Looks) int {
	size, words := len(l.Border)+1, l.InkWords()
	if size > maxPlain+1 || !l.endsLine(data) {
		return 0
	}
	if words == 0 {
		n := 0
		for n < len(looks) && l.plain(data[n*size:], &looks[n]) {
			n++
		}
		return n
	}
	n, refused := l.plainWords(l.frames.printed, data, ink, looks)
	if n == len(looks) || refused && !l.endsLine(data[n*size:]) {
		return n
	}
	for {
		next := data[n*size:]
		// Few rows have bytes below a blank.
		if found, _ := l.plainWords(l.frames.any, next, ink[n*words:], looks[n:n+1]); found > 0 {
			looks[n] = LookEnds | LookBelow
		} else if refused || !l.plain(next, &looks[n]) {
			return n
		} else {
			putInk(ink[n*words:], next[:size-1])
		}
		n++
		found := 0
		found, refused = l.plainWords(l.frames.printed, data[n*size:], ink[n*words:], looks[n:])
		if n += found; n == len(looks) {
			return n
		}
	}
}

// endsLine reports whether a line of the length of a plain row may end in data.
func (l *Layout) endsLine(data []byte) bool {
	return len(data) > len(l.Border) && data[len(l.Border)] == '\n'
}

// plain reports whether data begin with a plain row, and what is to be looked at in it.
func (l *Layout) plain(data []byte, looks *Looks) bool {
	if !l.endsLine(data) {
		return false
	}
	n := len(l.Border)
	row := unsafe.Pointer(unsafe.SliceData(data)) // n+1 bytes of it are read
	if word.Load16(row, 0) != '|'|' '<<8 {
		return false
	}
	// Before each bar stands a blank, behind it another one, or the newline.
	x := word.Load32(row, n-3)
	ends, wrong := endings[byte(x)], x^(' '<<8|'|'<<16|'\n'<<24)
	for _, bar := range l.bars {
		x := word.Load32(row, bar-2)
		ends |= endings[byte(x)]
		wrong |= x ^ (' '<<8 | '|'<<16 | ' '<<24)
	}
	ascii, printed := word.Look(row, n)
	*looks = 0
	if ends != 0 {
		*looks = LookEnds
	}
	if !printed {
		*looks = LookEnds | LookBelow
	}
	return wrong>>8 == 0 && ascii
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

// RowBlanks puts into counts how many blanks each column of a plain row begins with.
func (l *Layout) RowBlanks(counts []uint16, row []byte) {
	counts = counts[:len(l.Places)]
	for i, p := range l.Places {
		counts[i] = uint16(word.Blanks(unsafe.Pointer(&row[p.Start:][:p.Width][0]), p.Width))
	}
}
