package datatype

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/internal/jsontext"
	"github.com/tidwall/gjson"
)

// AppendJSON appends the value as JSON: null, booleans and numbers as such, numbers digit for digit as printed; an array as
// an array; a row or structured type as an object of its fields; a map or multiset as an object whose keys are the texts of
// its own, of whatever type these are; a VARIANT as the JSON that it is. Everything else is a string, as printed: NaN and the
// infinities, bytes, dates, times, intervals and any other type.
//
// No object has a key twice, and keys that JSON writes alike are the same key. Where a value has such (Flink compares keys that are
// bytes by their identity), a map is an array of [key, value], and a row an array of its fields.
func (v Value) AppendJSON(dst []byte) []byte {
	if !v.present {
		return append(dst, "null"...)
	}
	switch v.kind() {
	case Boolean:
		return append(dst, strings.ToLower(v.text)...)
	case Tinyint, Smallint, Integer, Bigint, Decimal:
		return append(dst, v.text...)
	case Float, Double:
		if strings.HasSuffix(v.text, "y") || v.text == "NaN" {
			break
		}
		return append(dst, v.text...)
	case Variant:
		return appendCompact(dst, v.text)
	case Array:
		return appendArray(dst, v.values)
	case Map, Multiset:
		entries := v.Entries()
		if !distinct(len(entries), func(i int) string { return entries[i].Key.text }) {
			dst = append(dst, '[')
			for i := range entries {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = appendArray(dst, v.values[2*i:2*i+2])
			}
			return append(dst, ']')
		}
		dst = append(dst, '{')
		for i, e := range entries {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsontext.AppendString(dst, e.Key.text)
			dst = e.Value.AppendJSON(append(dst, ':'))
		}
		return append(dst, '}')
	case Row, Structured:
		fields := v.typ.underlying().Fields()
		if v.values == nil && len(fields) > 0 {
			break // as it was printed by a class of its own
		}
		if !distinct(len(fields), func(i int) string { return fields[i].Name }) {
			return appendArray(dst, v.values)
		}
		dst = append(dst, '{')
		for i, field := range v.values {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsontext.AppendString(dst, fields[i].Name)
			dst = field.AppendJSON(append(dst, ':'))
		}
		return append(dst, '}')
	}
	return jsontext.AppendString(dst, v.text)
}

func appendArray(dst []byte, values []Value) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = v.AppendJSON(dst)
	}
	return append(dst, ']')
}

// distinct says whether n keys differ, as JSON writes them.
func distinct(n int, key func(int) string) bool {
	inJSON := func(i int) string {
		if k := key(i); !utf8.ValidString(k) {
			return string([]rune(k)) // each byte that is not UTF-8 becomes U+FFFD
		}
		return key(i)
	}
	if n > 16 {
		seen := make(map[string]bool, n)
		for i := range n {
			seen[inJSON(i)] = true
		}
		return len(seen) == n
	}
	for i := range n {
		for j := range i {
			if inJSON(i) == inJSON(j) {
				return false
			}
		}
	}
	return true
}

// appendCompact appends valid JSON on one line, with each string written as any other one is.
func appendCompact(dst []byte, text string) []byte {
	for pos := 0; pos < len(text); {
		switch c := text[pos]; c {
		case ' ', '\t', '\n', '\r':
			pos++
		case '"':
			end := pos + 1
			for ; text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
			}
			end++
			dst = jsontext.AppendString(dst, gjson.Parse(text[pos:end]).Str)
			pos = end
		default:
			dst = append(dst, c)
			pos++
		}
	}
	return dst
}
