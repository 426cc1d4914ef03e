package datatype

import (
	"strings"

	"github.com/seed-69e58989/flinkread/internal/jsontext"
	"github.com/tidwall/gjson"
)

// AppendJSON appends the value as JSON: null, booleans and numbers as such, numbers digit for digit as printed; an array as
// an array, a row or structured type as an object of its fields, a map or multiset as an object whose keys are the texts of
// its own; a VARIANT as the JSON that it is. Everything else is a string: NaN and the infinities, dates, times,
// intervals and any other type as printed, and bytes in the notation x'6162', however they were printed.
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
	case Binary, Varbinary:
		if b, ok := v.Bytes(); ok {
			return appendHex(dst, b)
		}
	case Array:
		dst = append(dst, '[')
		for i, element := range v.values {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = element.AppendJSON(dst)
		}
		return append(dst, ']')
	case Map, Multiset:
		dst = append(dst, '{')
		for i, e := range v.Entries() {
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

func appendHex(dst, b []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, `"x'`...)
	for _, c := range b {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return append(dst, `'"`...)
}
