// Package word looks at text eight bytes at a time.
package word

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"
)

const (
	Ones  = 0x0101010101010101 // the low bit of each byte; times a byte, that byte eight times
	Highs = 0x8080808080808080 // the high bit of each byte
)

// Load returns the eight bytes at p+i, the first in the lowest bits. They must
// be there: the compiler's check of each index costs as much as the load.
func Load(p unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}

// Load32 returns the four bytes at p+i, as Load does.
func Load32(p unsafe.Pointer, i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(p, i))[:])
}

// Load16 returns the two bytes at p+i, as Load does.
func Load16(p unsafe.Pointer, i int) uint16 {
	return binary.LittleEndian.Uint16((*[2]byte)(unsafe.Add(p, i))[:])
}

const (
	blanks = Ones * ' '
	quotes = Ones * '"'
)

// Blanks returns how many blanks the w bytes of ASCII at p begin with. From a word on,
// what it does depends on w, not on what it finds, so that nothing is mispredicted.
func Blanks(p unsafe.Pointer, w int) int {
	n := 0
	if w < 8 {
		for n < w && *(*byte)(unsafe.Add(p, n)) == ' ' {
			n++
		}
		return n
	}
	var seen uint64
	for k := 0; k <= w-8; k += 8 {
		seen |= Load(p, k) ^ blanks
		n += int((seen-1)>>63) << 3 // 8 if all was blank so far: no high bit is set
	}
	n = min(n, w-8)
	return n + bits.TrailingZeros64(Load(p, n)^blanks)/8
}

// Look reports whether the n bytes at p, four or more, are ASCII's, and whether none of
// them is below a blank, which is told for ASCII alone.
func Look(p unsafe.Pointer, n int) (ascii, printed bool) {
	if n < 8 {
		x := uint64(Load32(p, 0)) | uint64(Load32(p, n-4))<<32
		return x&Highs == 0, (x-blanks)&Highs == 0
	}
	all := Load(p, n-8) // some of it a second time
	below := all - blanks
	for i := 0; i < n-8; i += 8 {
		x := Load(p, i)
		all |= x
		below |= x - blanks
	}
	return all&Highs == 0, below&Highs == 0
}

// others sets the high bit of each byte of x that is none of ASCII's characters
// that print, and perhaps of some behind such a byte.
func others(x uint64) uint64 {
	// It has a high bit; it is 0x7f; or it is below ' '. A carry or borrow marks a
	// byte only behind one that is marked itself.
	return (x | (x + Ones) | (x - Ones*' ')) & Highs
}

// Printing returns how many bytes s begins with that are ASCII's characters that
// print, the blank among them.
func Printing(s string) int {
	n, p := len(s), unsafe.Pointer(unsafe.StringData(s))
	i := 0
	if n >= 8 {
		for ; i < n; i += 8 {
			i = min(i, n-8) // the last word, some of it a second time
			if other := others(Load(p, i)); other != 0 {
				return i + bits.TrailingZeros64(other)/8
			}
		}
		return n
	}
	for i < n && ' ' <= s[i] && s[i] < 0x7f {
		i++
	}
	return i
}

// CopyPrinting copies s to where there is room for it, and reports whether all of
// it is as Printing counts it. If not, anything may stand there.
func CopyPrinting(to unsafe.Pointer, s string) bool {
	n, p := len(s), unsafe.Pointer(unsafe.StringData(s))
	switch {
	case n >= 8: // the last eight bytes, some of them a second time
		other := others(Load(p, n-8))
		for i := 0; i < n-8; i += 8 {
			other |= others(Load(p, i))
			Copy8(unsafe.Add(to, i), unsafe.Add(p, i))
		}
		Copy8(unsafe.Add(to, n-8), unsafe.Add(p, n-8))
		return other == 0
	case n >= 4:
		Copy4(to, p)
		Copy4(unsafe.Add(to, n-4), unsafe.Add(p, n-4))
		return others(uint64(Load32(p, 0))|uint64(Load32(p, n-4))<<32) == 0
	case n > 0:
		x, y, z := s[0], s[n/2], s[n-1]
		*(*byte)(to) = x
		*(*byte)(unsafe.Add(to, n/2)) = y
		*(*byte)(unsafe.Add(to, n-1)) = z
		return others(uint64(x)|uint64(y)<<8|uint64(z)<<16|blanks&^0xffffff) == 0
	}
	return true
}

// Copy4 copies four bytes. An array, not an integer: that is a single move in any
// byte order. So are Copy8 and Copy16.
func Copy4(to, from unsafe.Pointer)  { *(*[4]byte)(to) = *(*[4]byte)(from) }
func Copy8(to, from unsafe.Pointer)  { *(*[8]byte)(to) = *(*[8]byte)(from) }
func Copy16(to, from unsafe.Pointer) { *(*[16]byte)(to) = *(*[16]byte)(from) }

// A Writer appends texts, most of which are plain: all of ASCII's characters
// that print, but for the quote and one more.
type Writer struct {
	b     uint64 // that one, eight times
	other func(dst []byte, text string, done int) []byte
}

// NewWriter returns a Writer to which a quote and b are not plain. For a text that is
// not plain it calls other, to append the rest of text to dst, which ends in the
// first bytes of it that are done.
func NewWriter(b byte, other func(dst []byte, text string, done int) []byte) *Writer {
	return &Writer{Ones * uint64(b), other}
}

// plain reports whether all bytes of x are.
func (w *Writer) plain(x uint64) bool {
	// A high bit stands where x has one; where a byte is 0x7f; where it is below
	// ' '; and where a difference is zero, so the byte equal to what it is compared
	// with. A borrow or carry marks a byte only behind one that is marked itself.
	return (x|(x+Ones)|(x-Ones*' ')|((x^quotes)-Ones)|((x^w.b)-Ones))&Highs == 0
}

// Append appends before, as it is, and text. There is room for one byte more
// behind a text that is plain.
//
// It ends in all that it calls, so that what it needs stays in registers.
func (w *Writer) Append(dst []byte, before *Fixed, text string) []byte {
	at, n := len(dst)+before.n, len(text)
	if cap(dst)-at <= n+Slack {
		return w.appendGrown(dst, before, text)
	}
	before.CopyTo(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), len(dst)))
	dst = dst[:at+n]
	q := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), at)
	p := unsafe.Pointer(unsafe.StringData(text))
	i := 0
	for ; i <= n-8; i += 8 {
		if !w.plain(Load(p, i)) {
			return w.other(dst[:at+i], text, i)
		}
		Copy8(unsafe.Add(q, i), unsafe.Add(p, i))
	}
	switch {
	case i == n:
	case n >= 8:
		if !w.plain(Load(p, n-8)) {
			return w.other(dst[:at+i], text, i)
		}
		Copy8(unsafe.Add(q, n-8), unsafe.Add(p, n-8))
	case n >= 4:
		x, y := Load32(p, 0), Load32(p, n-4)
		if !w.plain(uint64(x) | uint64(y)<<32) {
			return w.other(dst[:at], text, 0)
		}
		Copy4(q, p)
		Copy4(unsafe.Add(q, n-4), unsafe.Add(p, n-4))
	default:
		x, y, z := text[0], text[n/2], text[n-1]
		if !w.plain(uint64(x) | uint64(y)<<8 | uint64(z)<<16 | blanks&^0xffffff) {
			return w.other(dst[:at], text, 0)
		}
		*(*byte)(q) = x
		*(*byte)(unsafe.Add(q, n/2)) = y
		*(*byte)(unsafe.Add(q, n-1)) = z
	}
	return dst
}

// appendGrown is Append where there is no room.
func (w *Writer) appendGrown(dst []byte, before *Fixed, text string) []byte {
	return w.Append(slices.Grow(dst, before.n+len(text)+Slack+1), before, text)
}

// A Fixed is text that is written again and again.
type Fixed struct {
	n    int
	text [Slack]byte // what it begins with
	rest []byte      // what it goes on with, and slack behind that
}

// Slack is how many bytes may be written behind a Fixed.
const Slack = 16

// NewFixed returns text as a Fixed.
func NewFixed(text string) Fixed {
	f := Fixed{n: len(text)}
	if rest := text[copy(f.text[:], text):]; rest != "" {
		f.rest = append(make([]byte, 0, len(rest)+Slack), rest...)
	}
	return f
}

// Len returns the length of the text.
func (f *Fixed) Len() int { return f.n }

// CopyTo copies the text, and up to Slack behind it.
func (f *Fixed) CopyTo(to unsafe.Pointer) {
	Copy16(to, unsafe.Pointer(&f.text))
	if f.n > Slack {
		f.copyRest(to)
	}
}

//go:noinline
func (f *Fixed) copyRest(to unsafe.Pointer) {
	CopyWords(unsafe.Add(to, Slack), unsafe.Pointer(unsafe.SliceData(f.rest)), f.n-Slack)
}

// CopyWords copies n bytes, and up to Slack behind them.
//
//go:noinline
func CopyWords(to, from unsafe.Pointer, n int) {
	for k := 0; k < n; k += 16 {
		Copy16(unsafe.Add(to, k), unsafe.Add(from, k))
	}
}
