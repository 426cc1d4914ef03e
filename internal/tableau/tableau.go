// Package tableau knows how Flink draws a table: the border, the measure in
// which it pads, and how to find the cells of a row by them.
//
// The drawing is that of org.apache.flink.table.utils.print.TableauStyle (up
// to 1.14 PrintUtils). A border is "+", then for each column its width and two
// dashes and "+". A row is "|", then for each column a blank, the padded cell,
// a blank and "|". Nothing in a cell is escaped.
package tableau

import (
	"math/bits"
	"unicode/utf8"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// Wide reports whether Flink counts r as two columns where it counts others
// as one: its East Asian Width is W or F in Unicode 13.
func Wide(r rune) bool {
	if r < 0x10000 {
		return wideBMP[uint32(r)>>6]>>(uint32(r)&63)&1 != 0
	}
	lo, hi := 0, len(wideSupplementary)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if r > wideSupplementary[mid][1] {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(wideSupplementary) && r >= wideSupplementary[lo][0]
}

// RuneWidth returns the columns that Flink counts for r: its UTF-16 code units,
// and one more if it is wide.
func RuneWidth(r rune) int {
	w := 1
	if r >= 0x10000 {
		w = 2
	}
	if Wide(r) {
		w++
	}
	return w
}

// Width returns the columns that Flink counts for text. A byte that is not
// UTF-8 counts one.
func Width(text []byte) int {
	n := 0
	for len(text) > 0 {
		if text[0] < utf8.RuneSelf {
			n, text = n+1, text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text) // U+FFFD for a byte that is not UTF-8; it is narrow
		n, text = n+RuneWidth(r), text[size:]
	}
	return n
}

// A Layout is the columns of a border. It is not changed after ParseBorder.
type Layout struct {
	Widths []int   // of the columns, without the blanks beside the bars
	Places []Place // of the columns in the border
	Border []byte  // the border, without its newline
	bars   []int   // places of the bars between the columns
	frames frames
}

// ParseBorder reads a border such as "+----+-------+". It reports false if
// line is anything else.
func ParseBorder(line []byte) (*Layout, bool) {
	if len(line) < 5 || line[0] != '+' || line[len(line)-1] != '+' {
		return nil, false
	}
	columns := 0
	dashes := 0
	for _, c := range line[1:] {
		switch c {
		case '-':
			dashes++
		case '+':
			if dashes < 3 {
				return nil, false
			}
			columns, dashes = columns+1, 0
		default:
			return nil, false
		}
	}
	l := &Layout{Widths: make([]int, 0, columns), Places: make([]Place, 0, columns), Border: append([]byte(nil), line...)}
	for i, c := range line[1:] {
		if c == '-' {
			dashes++
		} else {
			l.Widths, l.Places = append(l.Widths, dashes-2), append(l.Places, Place{i + 2 - dashes, dashes - 2})
			dashes = 0
		}
	}
	l.bars = make([]int, columns-1)
	for i := range l.bars {
		l.bars[i] = l.Places[i+1].Start - 2
	}
	l.frames = newFrames(l)
	return l, true
}

// A Place is where a column is in a border: its first byte, without the blank
// behind the bar, and its width.
type Place struct{ Start, Width int }

// MaxRow returns the most bytes that a row can have: three for each column of
// the border (a narrow character of three bytes; one of four bytes counts two
// columns or three), and its newline, but for carriage returns before that.
func (l *Layout) MaxRow() int { return 3*len(l.Border) + 4 }

// A Cell bounds a cell within a row.
type Cell struct {
	Start int // of the column, behind the bar and its blank
	From  int // of the text behind leading blanks; To for a blank cell
	To    int // behind the text, before the blank and the bar
}

// An Outcome says what Split found.
type Outcome uint8

const (
	Whole    Outcome = iota // a row that fits the border
	Mismatch                // no row that fits the border
	Short                   // the data end before it is known
)

const (
	blanks   = word.Ones * ' '
	highBits = word.Highs
)

// Endings are what the last characters of cells may tell.
type Endings uint8

const (
	EndBracket Endings = 1 << iota // ">" or ")", as a word for null has it
	EndDot                         // ".", as a cell has it that was cut
)

var endings = [256]Endings{'>': EndBracket, ')': EndBracket, '.': EndDot}

// EndingOf returns what the last byte of a cell tells.
func EndingOf(last byte) Endings { return endings[last] }

// Split finds the cells of the row that data begin with, and the length of
// the row with its newline. Cells must have room for all columns; only with
// Whole are they all set.
//
// The row may hold anything: bars, newlines and borders are part of a cell
// where the column is wide enough for them.
func (l *Layout) Split(data []byte, cells []Cell) (int, Outcome) {
	n, out, _ := l.SplitText(data, cells)
	return n, out
}

// Text is what is known of the text of a row.
type Text uint8

const (
	UTF8    Text = 1 << iota // all of it is
	Printed                  // none of its bytes is below a blank, but for the newline
)

// SplitText is Split, and tells of the text of the row that it finds.
func (l *Layout) SplitText(data []byte, cells []Cell) (n int, out Outcome, text Text) {
	if len(data) < 2 {
		return 0, Short, 0
	}
	if data[0] != '|' || data[1] != ' ' {
		return 0, Mismatch, 0
	}
	cells = cells[:len(l.Widths)]
	text = UTF8
	i, p, control := l.splitWords(data, cells)
	for i = l.splitSome(data, &p, cells, i); i < len(cells); i = l.splitSome(data, &p, cells, i+1) {
		from, to, out, ok := walk(data, p, l.Widths[i])
		switch {
		case out != Whole:
			return 0, out, 0
		case len(data)-to < 3:
			if atBar(data[to:]) {
				return 0, Short, 0
			}
			return 0, Mismatch, 0
		case data[to] != ' ' || data[to+1] != '|' || data[to+2] != ' ' && i < len(cells)-1:
			return 0, Mismatch, 0
		}
		if !ok {
			text &^= UTF8
		}
		cells[i] = Cell{Start: p, From: from, To: to}
		p = to + 3
	}
	if n, out = RowEnd(data, p-1); n > 0 && control == n-1 {
		text |= Printed
	}
	return n, out, text
}

// splitSome finds cells from the i-th on, which begins at p of data. It ends before
// one that may not fit, or holds what is rare, and returns which that is, and in p where.
//
// The trip counts of its loops depend on the columns only, and the count of blanks is
// no branch (as the compiler would make of an if), so little is mispredicted.
func (l *Layout) splitSome(data []byte, p *int, cells []Cell, i int) int {
	at := *p
	for ; i < len(cells); i++ {
		w := l.Widths[i]
		if len(data)-at < maxBytes*w+slack {
			break
		}
		column := unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), at)
		var all uint64
		n := 0
		if w < 8 {
			beyond := ^uint64(0) << (8 * uint(w))
			x := word.Load(column, 0)
			all = x &^ beyond
			n = bits.TrailingZeros64(x^blanks|beyond) / 8
		} else {
			var seen uint64
			for k := 0; k <= w-8; k += 8 {
				x := word.Load(column, k)
				all |= x
				seen |= x ^ blanks
				n += int((seen-1)&^seen>>63) << 3 // 8 if all was blank so far
			}
			n = min(n, w-8)
			all |= word.Load(column, w-8)
			n += bits.TrailingZeros64(word.Load(column, n)^blanks) / 8
		}
		to := w
		if all&highBits != 0 {
			if to = measure(column, n, w-n); to < 0 {
				break
			}
		}
		x := word.Load32(column, to)
		if x&0xFFFF != ' '|'|'<<8 || x>>16&0xFF != ' ' && i < len(cells)-1 {
			break
		}
		cells[i] = Cell{Start: at, From: at + n, To: at + to}
		at += to + 3
	}
	*p = at
	return i
}

const (
	maxBytes = 3 // of a character for each column that it takes
	// slack is how many bytes behind a cell are looked at: those that stand before
	// the next one, and what a word has more.
	slack = 3 + 8
)

// CellAt measures the cell of width w whose column begins at p, whatever
// stands behind it.
func CellAt(data []byte, p, w int) (Cell, Outcome) {
	from, to, out, _ := walk(data, p, w)
	return Cell{Start: p, From: from, To: to}, out
}

// maxReturns is the most carriage returns before the newline of a row. A
// terminal's recording has one or two.
const maxReturns = 8

// RowEnd finds the end of a row whose last bar is before p: behind its newline.
func RowEnd(data []byte, p int) (int, Outcome) {
	for last := p + maxReturns; p < len(data) && p < last && data[p] == '\r'; {
		p++
	}
	switch {
	case p == len(data):
		return 0, Short
	case data[p] != '\n':
		return 0, Mismatch
	}
	return p + 1, Whole
}

// atBar reports whether rest, which the data end in, may be the start of what
// stands between two cells.
func atBar(rest []byte) bool {
	const between = " | "
	return len(rest) < len(between) && string(rest) == between[:len(rest)]
}

// walk measures w columns from p on, character by character. Blanks at p are
// padding. It reports whether all that it measured is UTF-8.
func walk(data []byte, p, w int) (from, to int, out Outcome, valid bool) {
	for w > 0 && p < len(data) && data[p] == ' ' {
		p, w = p+1, w-1
	}
	from = p
	valid = true
	for w > 0 {
		if p >= len(data) {
			return 0, 0, Short, false
		}
		switch c := data[p]; {
		case c < utf8.RuneSelf:
			p, w = p+1, w-1
		case !utf8.FullRune(data[p:]):
			return 0, 0, Short, false
		default:
			r, size := utf8.DecodeRune(data[p:])
			p, w = p+size, w-RuneWidth(r)
			valid = valid && (r != utf8.RuneError || size > 1)
		}
	}
	if w < 0 {
		return 0, 0, Mismatch, false
	}
	return from, p, Whole, valid
}

// measure returns where the w columns from p of text on end, which are in UTF-8, of
// characters that have three bytes at the most, and have slack behind them; -1 for
// anything else.
func measure(text unsafe.Pointer, p, w int) int {
	for w > 0 {
		x := word.Load32(text, p)
		switch {
		case x&0x80 == 0:
			p, w = p+1, w-1
		case x&0xC0C0F0 == 0x8080E0: // three bytes
			if x&0x20FF == 0x00E0 || x&0x20FF == 0x20ED { // overlong, or a surrogate
				return -1
			}
			r := x&0x0F<<12 | x>>8&0x3F<<6 | x>>16&0x3F
			p, w = p+3, w-1-int(wideBMP[r>>6]>>(r&63)&1)
		case x&0xC0E0 == 0x80C0 && x&0x1E != 0: // two bytes, not overlong; none of them is wide
			p, w = p+2, w-1
		default:
			return -1
		}
	}
	if w < 0 {
		return -1
	}
	return p
}
