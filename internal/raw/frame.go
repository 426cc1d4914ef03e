package raw

import (
	"bytes"
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
// little is mispredicted. Texts are copied by two words at a time, and what is
// copied from behind them is written over by what comes next.
type Frame struct {
	quoting Quoting
	noEmpty uint64                        // the highest bit, where an empty text is not to be written as it is
	heads   [changelog.Retract + 1][]byte // what rows of a kind begin with, each with slack behind it
	columns []column
	room    int // for what is written of a row besides its texts and its head

	rows  Rows
	found []int // for each byte of Special, where the next of it is in the text of the rows
	clear int   // up to there is none of them, from the row on that was looked at last
}

// A Quoting tells which texts a Frame must not write as they are, besides those
// with bytes below a blank.
type Quoting struct {
	// Special are other such bytes. Those that are rare cost little.
	Special string
	// Empty: nor an empty text.
	Empty bool
	// Beyond, if not nil, reports whether a row that is not ASCII alone has
	// characters beyond it that must not be written as they are.
	Beyond func(row []byte) bool
}

// A column of a Frame tells what it writes of one.
type column struct {
	place  tableau.Place // where plain rows have it
	behind word.Fixed    // what stands behind the text
}

const (
	// slack is how many bytes are read and written behind others.
	slack = word.Slack
	// enough is how many bytes Append appends in one go, or few more.
	enough = 64 << 10

	blanks = word.Ones * ' '
)

// NewFrame returns a Frame without columns.
func NewFrame(quoting Quoting) *Frame {
	f := &Frame{quoting: quoting, room: slack, found: make([]int, len(quoting.Special))}
	if quoting.Empty {
		f.noEmpty = 1 << 63
	}
	return f
}

// Add adds a column of the rows, and what stands behind its text.
func (f *Frame) Add(place tableau.Place, behind string) {
	f.columns = append(f.columns, column{place, word.NewFixed(behind)})
	f.room += len(behind)
}

// SetHead sets what rows of a kind begin with. It must be set for all kinds of
// the rows to append.
func (f *Frame) SetHead(kind changelog.RowKind, head []byte) {
	f.heads[kind] = appendPadded(f.heads[kind][:0], head)
}

// appendPadded appends text, with slack behind it.
func appendPadded(dst, text []byte) []byte {
	dst = append(append(dst, text...), make([]byte, slack)...)
	return dst[:len(dst)-slack]
}

// Begin sets the rows to append. Their Places must be those of the columns.
func (f *Frame) Begin(rows Rows) {
	f.rows, f.clear = rows, 0
	for i := range f.found {
		f.found[i] = -1
	}
}

// Append appends rows from the i-th on, up to one that is not to be written as it
// is or has marks, or until it has appended enough to be written. It returns the
// number of rows that are done. I must not be below what it returned before.
func (f *Frame) Append(dst []byte, i int) (appended []byte, done int) {
	if f.rows.Marked || len(f.columns) == 0 {
		return dst, i
	}
	start, columns := f.rows.Start(i), f.rows.Kinds+len(f.columns)
	for full := len(dst) + enough; i < len(f.rows.Bounds) && len(dst) < full; i++ {
		bounds := &f.rows.Bounds[i]
		end := int(bounds.End)
		if int(bounds.Kind) >= len(f.heads) || end > cap(f.rows.Text)-slack || end > f.clear && f.special(start, end) {
			break
		}
		head := f.heads[bounds.Kind]
		// No byte of the row is written twice, so its texts are no longer than it is.
		if room := len(head) + end - start + f.room; cap(dst)-len(dst) < room {
			dst = slices.Grow(dst, room)
		}
		to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), len(dst))
		for k := 0; k < len(head); k += slack {
			word.Copy16(unsafe.Add(to, k), unsafe.Add(unsafe.Pointer(unsafe.SliceData(head)), k))
		}
		behind, odd := unsafe.Add(to, len(head)), ^uint64(0)
		if cells := int(bounds.Cells); cells == Plain {
			row := unsafe.Add(unsafe.Pointer(unsafe.SliceData(f.rows.Text)), start)
			behind, odd = writePlain(behind, row, f.rows.Blanks[i*columns+f.rows.Kinds:], f.columns, f.noEmpty)
		} else if cells >= 0 && f.rows.UTF8 {
			behind, odd = f.writeCells(behind, f.rows.Text[start:end], f.rows.Cells[cells+f.rows.Kinds:])
		}
		if odd&word.Highs != 0 {
			break
		}
		dst = dst[:len(dst)+int(uintptr(behind)-uintptr(to))]
		start = end
	}
	return dst, i
}

// special reports whether a special byte is in the text from start to end, where
// start is not before that of the call before.
func (f *Frame) special(start, end int) bool {
	text := f.rows.Text
	f.clear = len(text)
	for i, at := range f.found {
		if at < start {
			if at = bytes.IndexByte(text[start:], f.quoting.Special[i]); at < 0 {
				at = len(text)
			} else {
				at += start
			}
			f.found[i] = at
		}
		f.clear = min(f.clear, at)
	}
	return f.clear < end
}

// writePlain writes the texts of a plain row, each with what stands behind it. It
// returns where it ended, and high bits if they are not to be written as they are.
func writePlain(to, row unsafe.Pointer, blanks []uint16, columns []column, noEmpty uint64) (end unsafe.Pointer, odd uint64) {
	blanks = blanks[:len(columns)]
	for i := range columns {
		c := &columns[i]
		n := int(blanks[i])
		text := unsafe.Add(row, c.place.Start+n)
		n = c.place.Width - n
		odd |= uint64(n-1) & noEmpty // below zero if there is none
		word.Copy16(to, text)
		if n > slack {
			word.CopyWords(unsafe.Add(to, slack), unsafe.Add(text, slack), n-slack)
		}
		to = unsafe.Add(to, n)
		c.behind.CopyTo(to)
		to = unsafe.Add(to, c.behind.Len())
	}
	return to, odd
}

// writeCells is writePlain for a row that is UTF-8, and for its cells.
func (f *Frame) writeCells(to unsafe.Pointer, row []byte, cells []tableau.Cell) (end unsafe.Pointer, odd uint64) {
	if f.quoting.Beyond != nil && f.quoting.Beyond(row) {
		return to, word.Highs
	}
	var ends tableau.Endings
	p := unsafe.Pointer(unsafe.SliceData(row))
	cells = cells[:len(f.columns)]
	for i := range cells {
		c, cell := &f.columns[i], &cells[i]
		text, n := unsafe.Add(p, cell.From), cell.To-cell.From
		// Words that end where the text does have nothing else before it but other
		// texts, blanks and bars. In a row of less than a word they have its newline,
		// which is odd.
		odd |= below(word.Load(p, max(cell.To-8, 0))) | below(word.Load(p, max(cell.To-16, 0))) | uint64(n-1)&f.noEmpty
		word.Copy16(to, text)
		for k := 16; k < n; k += 16 {
			odd |= below(word.Load(text, k-16)) | below(word.Load(text, k-8))
			word.Copy16(unsafe.Add(to, k), unsafe.Add(text, k))
		}
		to = unsafe.Add(to, n)
		ends |= tableau.EndingOf(row[cell.To-1])
		c.behind.CopyTo(to)
		to = unsafe.Add(to, c.behind.Len())
	}
	if ends != 0 {
		return to, word.Highs
	}
	return to, odd
}

// below sets the high bit of bytes of x that are below a blank, and perhaps of
// those behind one.
func below(x uint64) uint64 { return (x - blanks) &^ x }
