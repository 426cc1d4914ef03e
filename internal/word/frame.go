package word

import (
	"math/bits"
	"slices"
	"unsafe"
)

// A Frame writes rows whose texts stand at the right of columns: what comes
// before each text is the same in all rows.
type Frame struct {
	b       uint64 // as in Writer
	noEmpty uint64 // the highest bit, where an empty text is not to be written as it is
	columns []column
	fixed   []byte // what stands behind each text, and two words more
	room    int    // the most bytes that a row takes, and what is written behind them
	reach   int    // how far behind its start a row is looked at
}

type column struct {
	start, width int
	from, behind int // of fixed: what stands behind the text
	blanks       int // before the text of the row
}

// slack is how many bytes are written behind what is appended.
const slack = 16

// NewFrame returns a Frame without columns that writes what is plain to w.
// NoEmpty: an empty text is not.
func (w *Writer) NewFrame(noEmpty bool) *Frame {
	f := &Frame{b: w.b, fixed: make([]byte, slack), room: slack}
	if noEmpty {
		f.noEmpty = 1 << 63
	}
	return f
}

// Add adds a column of the rows, which begins at start and is width wide, and
// what stands behind its text.
func (f *Frame) Add(start, width int, behind string) {
	from := len(f.fixed) - slack
	f.columns = append(f.columns, column{start: start, width: width, from: from, behind: len(behind)})
	f.fixed = append(append(f.fixed[:from], behind...), make([]byte, slack)...)
	f.room += max(width, slack) + len(behind) + slack
	f.reach = max(f.reach, start+max(width, 8)+slack)
}

// Padded returns text with room behind it, which is what Append needs.
func Padded(text string) []byte { return append(make([]byte, 0, len(text)+slack), text...) }

// Append appends before, which is Padded, and the texts of row, which must be
// ASCII, each with what stands behind it. It reports false, and appends nothing,
// if a text is not plain to the Writer, or if less than a few words are behind
// the row, up to its capacity.
//
// As in Blanks, what it does depends on the columns, but for texts of more than
// two words.
func (f *Frame) Append(dst, before, row []byte) ([]byte, bool) {
	at, room := len(dst), len(before)+f.room
	if cap(row) < f.reach || cap(before)-len(before) < slack {
		return dst, false
	}
	if cap(dst)-at < room {
		dst = slices.Grow(dst, room)
	}
	dst = dst[:at+room]
	texts := unsafe.Pointer(unsafe.SliceData(row))
	f.find(texts)
	if n := f.write(unsafe.Pointer(&dst[at]), texts, before); n >= 0 {
		return dst[:at+n], true
	}
	return dst[:at], false
}

// find finds the texts of the row. To write them in the same loop would need
// more registers than there are.
func (f *Frame) find(row unsafe.Pointer) {
	columns := f.columns
	for i := range columns {
		c := &columns[i]
		p, w := unsafe.Add(row, c.start), c.width
		if w < 8 {
			beyond := ^uint64(0) << (8 * uint(w))
			c.blanks = bits.TrailingZeros64(Load(p, 0)^blanks|beyond) / 8
			continue
		}
		// As Blanks does it, which is no call here.
		seen := Load(p, 0) ^ blanks
		n := int((seen-1)>>63) << 3
		for k := 8; k <= w-8; k += 8 {
			seen |= Load(p, k) ^ blanks
			n += int((seen-1)>>63) << 3
		}
		n = min(n, w-8)
		c.blanks = n + bits.TrailingZeros64(Load(p, n)^blanks)/8
	}
}

// write writes before and the texts of the row, and returns their length; -1
// if one of them is not plain.
func (f *Frame) write(to, row unsafe.Pointer, before []byte) int {
	q, p := to, unsafe.Pointer(unsafe.SliceData(before))
	for k := 0; k < len(before); k += 16 {
		Copy16(unsafe.Add(q, k), unsafe.Add(p, k))
	}
	q = unsafe.Add(q, len(before))
	fixed := unsafe.Pointer(unsafe.SliceData(f.fixed))
	var marked uint64
	columns := f.columns
	for i := range columns {
		c := &columns[i]
		text := unsafe.Add(row, c.start+c.blanks)
		n := c.width - c.blanks
		Copy16(q, text)
		if c.width >= 8 {
			// Words that end where the text does have nothing before it but blanks.
			marked |= f.marks(Load(text, n-8)) | f.marks(Load(text, max(n-16, -c.blanks)))
			for k := 16; k < n; k += 16 {
				marked |= f.marks(Load(text, k-16)) | f.marks(Load(text, k-8))
				Copy16(unsafe.Add(q, k), unsafe.Add(text, k))
			}
		} else {
			beyond := ^uint64(0) << (8 * uint(n))
			marked |= f.marks(Load(text, 0)&^beyond | blanks&beyond)
		}
		marked |= uint64(n-1) & f.noEmpty // below zero if there is none
		q = unsafe.Add(q, n)
		behind := unsafe.Add(fixed, c.from)
		Copy16(q, behind)
		for k := 16; k < c.behind; k += 16 {
			Copy16(unsafe.Add(q, k), unsafe.Add(behind, k))
		}
		q = unsafe.Add(q, c.behind)
	}
	if marked&Highs != 0 {
		return -1
	}
	return int(uintptr(q) - uintptr(to))
}

// marks sets the high bit of each byte of x that is not plain, as Writer.plain
// has it, and perhaps of one behind such a byte. X is ASCII. Two is the
// difference of a blank and a quote: with that bit turned, a quote is a blank,
// and what is below a blank stays so.
func (f *Frame) marks(x uint64) uint64 {
	return (x + Ones) | ((x ^ Ones*2) - Ones*(' '+1)) | ((x ^ f.b) - Ones)
}
