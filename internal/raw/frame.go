package raw

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
	"github.com/seed-69e58989/flinkread/internal/word"
)

// A Frame writes rows from where they stand: what comes before and behind each
// text is the same in all rows of a kind.
//
// What it does depends on the columns more than on what is in them, so that
// little is mispredicted. It looks at texts by words, and copies them by two at
// a time, with what is behind them; of that, the next copy is written over.
type Frame struct {
	b       uint64 // see NewFrame, eight times
	noEmpty uint64 // the highest bit, where an empty text is not to be written as it is
	special func(row []byte) bool
	heads   [changelog.Retract + 1][]byte // what rows of a kind begin with, each with slack behind it
	plain   []column                      // as they are of plain rows
	wide    []column                      // as they are of others
	fixed   []byte                        // what stands behind each text, and slack
}

// A column of a Frame tells what it writes of one.
type column struct {
	place        tableau.Place
	from, behind int // of fixed: what stands behind the text
	at, n        int // of the text of the row
	words        [2]int
}

const (
	// slack is how many bytes are read and written behind others.
	slack = 16
	// enough is how many bytes Append appends in one go, or few more.
	enough = 64 << 10
)

// NewFrame returns a Frame without columns. It writes rows whose texts are
// plain as word.NewWriter(b, ...) has it; an empty one is not, with noEmpty. What
// is beyond ASCII is plain, too, if special, which may be nil, does not report
// that a row holds something that is not.
func NewFrame(b byte, noEmpty bool, special func(row []byte) bool) *Frame {
	f := &Frame{b: word.Ones * uint64(b), special: special, fixed: make([]byte, slack)}
	if noEmpty {
		f.noEmpty = 1 << 63
	}
	return f
}

// Add adds a column of the rows, and what stands behind its text.
func (f *Frame) Add(place tableau.Place, behind string) {
	from := len(f.fixed) - slack
	f.fixed = append(append(f.fixed[:from], behind...), make([]byte, slack)...)
	c := column{place: place, from: from, behind: len(behind)}
	c.endAt(place.Start + place.Width)
	f.plain, f.wide = append(f.plain, c), append(f.wide, c)
}

// SetHead sets what rows of a kind begin with. It must be set for all kinds of
// the rows to append.
func (f *Frame) SetHead(kind changelog.RowKind, head []byte) {
	f.heads[kind] = append(append(f.heads[kind][:0], head...), make([]byte, slack)...)[:len(head)]
}

// Append appends rows from the i-th on, up to one that is not plain to the Frame
// or has marks, or until it has appended enough to be written. It returns the
// number of rows that are done.
func (f *Frame) Append(dst []byte, rows *Rows, i int) (appended []byte, done int) {
	if rows.Marked {
		return dst, i
	}
	full := len(dst) + enough
	start := rows.Start(i)
	for ; i < len(rows.Bounds) && len(dst) < full; i++ {
		bounds := &rows.Bounds[i]
		end := int(bounds.End)
		if int(bounds.Kind) >= len(f.heads) || end > cap(rows.Text)-slack {
			break
		}
		columns, row := f.plain, unsafe.Add(unsafe.Pointer(unsafe.SliceData(rows.Text)), start)
		switch cells := bounds.Cells; {
		case cells == Plain:
			f.find(row)
		case cells < 0 || !rows.UTF8 || !f.take(rows.Text[start:end], rows.Cells[int(cells)+rows.Kinds:]):
			return dst, i
		default:
			columns = f.wide
		}
		head := f.heads[bounds.Kind]
		at := len(dst)
		// No byte of the row is written twice, and what is behind a copy is slack.
		if room := len(head) + end - start + len(f.fixed); cap(dst)-at < room {
			dst = slices.Grow(dst, room)
		}
		to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), at)
		n := f.write(to, row, columns, head)
		if n < 0 {
			break
		}
		dst = dst[:at+n]
		start = end
	}
	return dst, i
}

// find finds the texts of a plain row. To write them in the same loop would need
// more registers than there are.
func (f *Frame) find(row unsafe.Pointer) {
	columns := f.plain
	for i := range columns {
		c := &columns[i]
		p, w := unsafe.Add(row, c.place.Start), c.place.Width
		var n int
		if w < 8 {
			beyond := ^uint64(0) << (8 * uint(w))
			n = bits.TrailingZeros64(word.Load(p, 0)^blanks|beyond) / 8
		} else {
			// As word.Blanks does it, which is no call here.
			seen := word.Load(p, 0) ^ blanks
			n = int((seen - 1) >> 63)
			for k := 8; k <= w-8; k += 8 {
				seen |= word.Load(p, k) ^ blanks
				n += int((seen - 1) >> 63)
			}
			n = min(n*8, w-8)
			n += bits.TrailingZeros64(word.Load(p, n)^blanks) / 8
		}
		c.at, c.n = c.place.Start+n, w-n
	}
}

const blanks = word.Ones * ' '

// take takes the texts of a row that is UTF-8 but not plain from its cells. It
// reports false if some may have marks, or need more than to be copied.
func (f *Frame) take(row []byte, cells []tableau.Cell) bool {
	columns := f.wide
	var ends tableau.Endings
	for i := range columns {
		c, cell := &columns[i], &cells[i]
		c.at, c.n = cell.From, cell.To-cell.From
		c.endAt(cell.To)
		ends |= tableau.EndingOf(row[cell.To-1])
	}
	return ends == 0 && (f.special == nil || !f.special(row))
}

// endAt sets which words of a row have the last 16 bytes before end in them. What
// else they have is of the row, too, and plain, or its place would be found not to
// be: blanks, bars and other texts.
func (c *column) endAt(end int) { c.words = [2]int{max(end-8, 0), max(end-16, 0)} }

// write writes head and the texts of the row, and returns their length; -1 if
// one of them is not plain.
func (f *Frame) write(to, row unsafe.Pointer, columns []column, head []byte) int {
	q, p := to, unsafe.Pointer(unsafe.SliceData(head))
	for k := 0; k < len(head); k += 16 {
		word.Copy16(unsafe.Add(q, k), unsafe.Add(p, k))
	}
	q = unsafe.Add(q, len(head))
	fixed := unsafe.Pointer(unsafe.SliceData(f.fixed))
	var marked uint64
	for i := range columns {
		c := &columns[i]
		text, n := unsafe.Add(row, c.at), c.n
		word.Copy16(q, text)
		marked |= f.marks(word.Load(row, c.words[0])) | f.marks(word.Load(row, c.words[1]))
		for k := 16; k < n; k += 16 {
			marked |= f.marks(word.Load(text, k-16)) | f.marks(word.Load(text, k-8))
			word.Copy16(unsafe.Add(q, k), unsafe.Add(text, k))
		}
		marked |= uint64(n-1) & f.noEmpty // below zero if there is none
		q = unsafe.Add(q, n)
		behind := unsafe.Add(fixed, c.from)
		word.Copy16(q, behind)
		for k := 16; k < c.behind; k += 16 {
			word.Copy16(unsafe.Add(q, k), unsafe.Add(behind, k))
		}
		q = unsafe.Add(q, c.behind)
	}
	if marked&word.Highs != 0 {
		return -1
	}
	return int(uintptr(q) - uintptr(to))
}

// marks sets the high bit of each byte of x, which is of UTF-8, that is not plain,
// and perhaps of one behind such a byte. Two is the difference of a blank and a
// quote: with that bit turned, a quote is a blank, and what is below a blank stays
// so. No sum carries and no difference borrows beyond a byte that it marks.
func (f *Frame) marks(x uint64) uint64 {
	return ((x + word.Ones) | ((x ^ word.Ones*2) - word.Ones*(' '+1)) | ((x ^ f.b) - word.Ones)) &^ x
}
