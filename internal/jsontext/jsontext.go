// Package jsontext appends JSON strings to byte slices.
package jsontext

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// AppendString appends s as a JSON string, quotes included. The result is valid
// UTF-8: each byte of s that is not becomes U+FFFD, as in encoding/json. It can
// be printed to a terminal, and a line of it is one line to every reader:
// besides what JSON demands, DEL, the C1 controls and the line and paragraph
// separators are escaped.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := len(dst)
	dst = append(dst, s...)
	if cap(dst)-len(dst) < 8 {
		dst = slices.Grow(dst, 8)
	}
	if n := plain(dst[from:len(dst)+8], len(s)); n < len(s) {
		dst = appendEscaped(dst[:from+n], s[n:])
	}
	return append(dst, '"')
}

// plain returns the length of a prefix of b[:n] that stands in JSON as it is:
// printable ASCII without quotes and backslashes. It looks at eight bytes at a
// time, so the prefix may be up to seven bytes shorter than it could be, and
// b has eight bytes more than n.
func plain(b []byte, n int) int {
	const (
		ones   = 0x0101010101010101
		highs  = 0x8080808080808080
		blanks = ones * ' '
	)
	for i := 0; i < n; i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		if rest := n - i; rest < 8 {
			mask := uint64(1)<<(8*rest) - 1
			x = x&mask | blanks&^mask
		}
		quote := x ^ ones*'"'
		slash := x ^ ones*'\\'
		// A high bit stands where the byte is zero, so equal to what it was
		// compared with; where it is below ' '; where it is 0x7f or above. A
		// borrow or carry can only mark more bytes, behind one that is marked.
		if ((quote-ones)&^quote|(slash-ones)&^slash|(x-blanks)&^x|(x+ones)|x)&highs != 0 {
			return i
		}
	}
	return n
}

func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	done := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			dst = append(dst, s[done:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			done = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, s[done:i]...)
			dst = append(dst, "\uFFFD"...)
		case r < 0xa0 || r == 0x2028 || r == 0x2029:
			dst = append(dst, s[done:i]...)
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			i += size
			continue
		}
		i += size
		done = i
	}
	return append(dst, s[done:]...)
}
