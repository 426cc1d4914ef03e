package tableau

import (
	"math/bits"
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// hasAVX2 reports whether the processor has the instructions used here, as nearly all have.
// Where it has not, rows are looked at as on processors of other kinds.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// A frame is what the rows of a layout have in common, for a word of ink: the least
// and the greatest byte that may stand at each place, and where cells end.
type frame struct{ least, greatest, ends [inkBytes]byte }

// A column says where the ink of one begins: at which byte, and bit of it.
type column struct{ byte, bit, width uint32 }

// inkBits is how many bits of eight bytes of ink are there, at whichever bit they begin.
const inkBits = 57

// frames is what is known of a layout where rows are looked at by words, and nothing where
// they are not: without the instructions, or below a border of more than maxPlain.
type frames struct {
	printed []frame // none of the cells' bytes is below a blank
	any     []frame // some may be
	columns []column
	wide    []int // the columns of inkBits or more
}

func newFrames(l *Layout) frames {
	n := len(l.Border)
	if !hasAVX2 || n > maxPlain {
		return frames{}
	}
	words := n/inkBytes + 1
	f := frames{printed: make([]frame, words), any: make([]frame, words), columns: make([]column, len(l.Places))}
	set := func(at int, least, greatest byte) {
		w := &f.printed[at/inkBytes]
		w.least[at%inkBytes], w.greatest[at%inkBytes] = least, greatest
	}
	for i := range words * inkBytes {
		set(i, 0, 0xff)
	}
	set(0, '|', '|')
	set(1, ' ', ' ')
	for i, p := range l.Places {
		for k := range p.Width {
			set(p.Start+k, ' ', 0x7f)
		}
		end := p.Start + p.Width
		set(end, ' ', ' ')
		set(end+1, '|', '|')
		set(end+2, ' ', ' ')
		f.printed[(end-1)/inkBytes].ends[(end-1)%inkBytes] = 0xff
		f.columns[i] = column{uint32(p.Start / 8), uint32(p.Start % 8), uint32(p.Width)}
		if p.Width >= inkBits {
			f.wide = append(f.wide, i)
		}
	}
	set(n, '\n', '\n')
	copy(f.any, f.printed)
	for i := range f.any {
		for k, c := range f.any[i].greatest {
			if c == 0x7f {
				f.any[i].least[k] = 0
			}
		}
	}
	return f
}

// plainWords is Plain for rows as the frames say, but may leave some, as it does with the
// last of the data, because it reads words. Refused: the next one is no such row.
func (l *Layout) plainWords(frames []frame, data []byte, ink []uint64, looks []Looks) (n int, refused bool) {
	words, size := len(frames), len(l.Border)+1
	// The last row begins at (rows-1)*size, and words*inkBytes are read from there on.
	rows := min(len(looks), len(data)/size, (cap(data)-words*inkBytes+size)/size)
	if words == 0 || rows <= 0 {
		return 0, false
	}
	_ = ink[rows*words-1]
	n = plainAVX2(unsafe.SliceData(data), size, unsafe.SliceData(ink), &looks[0], rows, &frames[0], words)
	return n, n < rows
}

// InkWords returns how many words the ink of a row has, 0 if there is none.
func (l *Layout) InkWords() int { return len(l.frames.printed) }

// Blanks puts into counts how many blanks each column of plain rows begins with, whose
// ink it is, with a word behind it that may be any. There is room for all columns of all
// rows. What it says of rows that are not plain means nothing. It reports false if there
// is no ink.
func (l *Layout) Blanks(counts []uint16, ink []uint64, rows int) bool {
	words, columns := len(l.frames.printed), len(l.Places)
	if words == 0 || rows == 0 {
		return false
	}
	_, _ = ink[rows*words], counts[rows*columns-1]
	blanksBMI(&ink[0], words, rows, &l.frames.columns[0], columns, &counts[0])
	for _, c := range l.frames.wide {
		for i := range rows {
			if count := &counts[i*columns+c]; *count >= inkBits {
				*count = blanksAt(ink[i*words:], l.Places[c])
			}
		}
	}
	return true
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

// plainAVX2 returns how many plain rows there are at row, one behind the other, each
// of size bytes, of which it reads whole words. Rows is how many it looks for at most,
// and is not 0.
//
//go:noescape
func plainAVX2(row *byte, size int, ink *uint64, looks *Looks, rows int, frames *frame, words int) int

// blanksBMI counts the blanks that the columns of rows begin with, by their ink of so
// many words. It reads a word behind the last. A count of inkBits or more may be wrong, since
// no more bits were looked at. Rows and n, the number of columns, are not 0.
//
//go:noescape
func blanksBMI(ink *uint64, words, rows int, columns *column, n int, counts *uint16)

// masks have a bit for each byte of what a row begins with, the lowest of a word first:
// whether it is no blank, is beyond ASCII, is below a blank.
type masks struct{ ink, beyond, below [maskWords]uint64 }

// maskWords is how many words masks have at most.
const maskWords = 8

// splitWords is splitSome from the first cell on, by masks of the row that data begin with.
// Control is where the first byte below a blank is, if it is that far; or else it is 0.
func (l *Layout) splitWords(data []byte, cells []Cell) (i, p, control int) {
	p = 2
	words := min(len(l.frames.printed)+1, maskWords)
	if len(l.frames.printed) == 0 || cap(data) < words*inkBytes {
		return 0, p, 0
	}
	var m masks
	masksAVX2(unsafe.SliceData(data), words, &m)
	for k, below := range m.below {
		if below != 0 {
			control = k*inkBytes + bits.TrailingZeros64(below)
			break
		}
	}
	row, widths := unsafe.Pointer(unsafe.SliceData(data)), l.Widths[:len(cells)]
	ink, beyond := unsafe.Pointer(&m.ink), unsafe.Pointer(&m.beyond)
	// Of a narrow column all is there, of its characters and of the masks: those of eight
	// bytes from where it begins.
	last := min((words-1)*inkBytes, len(data)-maxBytes*inkBits-slack)
	for ; i < len(cells) && p <= last; i++ {
		w := widths[i]
		if uint(w) >= inkBits {
			break
		}
		n := min(bits.TrailingZeros64(word.Load(ink, p>>3)>>(p&7)), w)
		to := w
		if word.Load(beyond, p>>3)>>(p&7)&(1<<(w&63)-1) != 0 {
			if to = measure(unsafe.Add(row, p), n, w-n); to < 0 {
				break
			}
		}
		x := word.Load32(row, p+to)
		if x&0xFFFF != ' '|'|'<<8 || x>>16&0xFF != ' ' && i < len(cells)-1 {
			break
		}
		cells[i] = Cell{Start: p, From: p + n, To: p + to}
		p += to + 3
	}
	return i, p, control
}

// masksAVX2 makes as many words of masks of the bytes at row.
//
//go:noescape
func masksAVX2(row *byte, words int, m *masks)
