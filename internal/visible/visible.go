// Package visible makes control characters visible, so that text of unknown
// origin can stand in a terminal and in one line.
package visible

import (
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// String returns s with its control characters made visible: those of ASCII as
// their pictures (␊ for a newline), others as <U+0085>, and each byte that is
// not UTF-8 as U+FFFD. What breaks or reorders text, or is never seen, counts
// as a control: line and paragraph separators, the marks for embedding,
// overriding and isolating a direction, zero-width spaces, word joiners and
// byte order marks; but not what joins emoji and letters. Pictures and not
// escapes, because a value may well hold \n as two letters. String returns s
// itself where nothing has to change.
func String(s string) string {
	n := Prefix(s)
	if n == len(s) {
		return s
	}
	return string(Append(make([]byte, 0, len(s)+16), s))
}

// Append appends s as String returns it.
func Append(dst []byte, s string) []byte {
	for {
		n := Prefix(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return dst
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		dst = appendControl(dst, r)
		s = s[n+size:]
	}
}

// Prefix returns the length of the longest prefix of s that needs no change.
func Prefix(s string) int {
	for i := word.Printing(s); i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || isControl(r) {
			return i
		}
		i += size
	}
	return len(s)
}

func isControl(r rune) bool {
	return r < ' ' || 0x7f <= r && r < 0xa0 ||
		r == 0x200b || 0x2028 <= r && r <= 0x202e || 0x2060 <= r && r <= 0x206f || r == 0xfeff
}

func appendControl(dst []byte, r rune) []byte {
	switch {
	case r < ' ':
		return utf8.AppendRune(dst, 0x2400+r)
	case r == 0x7f:
		return utf8.AppendRune(dst, 0x2421)
	case r == utf8.RuneError:
		return utf8.AppendRune(dst, r)
	}
	const hex = "0123456789ABCDEF"
	return append(dst, '<', 'U', '+', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15], '>')
}
