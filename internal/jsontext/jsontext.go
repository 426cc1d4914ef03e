// Package jsontext appends JSON strings, and what stands between the elements
// of arrays, to byte slices.
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
	from := len(dst)
	dst = slices.Grow(dst, len(s)+2)
	b := dst[from : from+len(s)+2]
	b[0] = '"'
	n := copyPlain(b[1:], s)
	if n == len(s) {
		b[1+n] = '"'
		return dst[:from+n+2]
	}
	return append(appendEscaped(dst[:from+1+n], s[n:]), '"')
}

// copyPlain copies a prefix of s that stands in JSON as it is, and returns its
// length. It looks at eight bytes at a time, so the prefix may be shorter than
// it could be. b is at least as long as s.
func copyPlain(b []byte, s string) int {
	b = b[:len(s)]
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := load64(s[i:])
		if !plain(x) {
			return i
		}
		binary.LittleEndian.PutUint64(b[i:], x)
	}
	switch rest := len(s) - i; {
	case rest == 0:
	case len(s) >= 8: // the last eight bytes, some of them a second time
		x := load64(s[len(s)-8:])
		if !plain(x) {
			return i
		}
		binary.LittleEndian.PutUint64(b[len(s)-8:], x)
	case rest >= 4:
		x, y := load32(s), load32(s[rest-4:])
		if !plain(uint64(x) | uint64(y)<<32) {
			return 0
		}
		binary.LittleEndian.PutUint32(b, x)
		binary.LittleEndian.PutUint32(b[rest-4:], y)
	default:
		x, y, z := s[0], s[rest/2], s[rest-1]
		if !plain(uint64(x) | uint64(y)<<8 | uint64(z)<<16 | blanks<<24) {
			return 0
		}
		b[0], b[rest/2], b[rest-1] = x, y, z
	}
	return len(s)
}

const (
	ones   = 0x0101010101010101
	highs  = 0x8080808080808080
	blanks = ones * ' ' & (1<<40 - 1) // five of them
)

// plain reports whether x is eight bytes that stand in JSON as they are:
// printable ASCII without quotes and backslashes.
func plain(x uint64) bool {
	quote := x ^ ones*'"'
	slash := x ^ ones*'\\'
	// A high bit stands where the byte is zero, so equal to what it was
	// compared with; where it is below ' '; where it is 0x7f or above. A
	// borrow or carry marks a byte only behind one that is marked itself.
	return ((quote-ones)&^quote|(slash-ones)&^slash|(x-ones*' ')&^x|(x+ones)|x)&highs == 0
}

// The compiler makes one load of these.

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load32(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
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
