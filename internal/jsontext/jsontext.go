// Package jsontext appends JSON strings, and what stands between the elements
// of arrays, to byte slices.
package jsontext

import (
	"bytes"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// AppendString appends s as a JSON string, quotes included. The result is valid
// UTF-8: each byte of s that is not becomes U+FFFD, as in encoding/json. It can
// be printed to a terminal, and a line of it is one line to every reader:
// besides what JSON demands, DEL, the C1 controls and the line and paragraph
// separators are escaped.
func AppendString(dst []byte, s string) []byte {
	return append(Text.Append(dst, &quote, s), '"')
}

// Text appends what stands between the quotes of a string. What it appends
// before is no text.
var Text = word.NewWriter('\\', func(dst []byte, s string, done int) []byte { return appendEscaped(dst, s[done:]) })

var quote = word.NewFixed(`"`)

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
		if c := s[i]; c >= 0xe3 && c <= 0xec && len(s)-i >= 3 && s[i+1]&0xc0 == 0x80 && s[i+2]&0xc0 == 0x80 {
			i += 3 // most of what is wide; no encoding of anything above is wrong or to be escaped
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

// Escapes reports whether AppendString escapes any character beyond ASCII of s,
// which is UTF-8.
func Escapes(s []byte) bool {
	return holds(s, 0xc2, "\u0080", "\u009f") || holds(s, 0xe2, "\u2028", "\u2029")
}

// holds reports whether s holds a character from first to last, which both begin
// with lead.
func holds(s []byte, lead byte, first, last string) bool {
	for {
		i := bytes.IndexByte(s, lead)
		if i < 0 || len(s)-i < len(first) {
			return false
		}
		if c := string(s[i:][:len(first)]); first <= c && c <= last {
			return true
		}
		s = s[i+1:]
	}
}
