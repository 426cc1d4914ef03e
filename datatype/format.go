package datatype

import (
	"strconv"
	"strings"
)

// String gives the type as text: as it was read or, where that was the object form of a plan, as DESCRIBE prints it, with
// the comments that DESCRIBE leaves out. Parse reads it back, except that the name of a distinct or structured type
// alone does not tell what it is made of. For a Type of kind Unknown it is Raw.
func (t Type) String() string {
	if !t.object || t.kind == Unknown {
		return t.raw
	}
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t Type) write(b *strings.Builder) {
	if !t.object || t.kind == Unknown {
		b.WriteString(t.raw)
		return
	}
	switch t.kind {
	case Timestamp, TimestampWithTimeZone:
		b.WriteString("TIMESTAMP")
		writeNumber(b, t.length)
		if t.kind == TimestampWithTimeZone {
			b.WriteString(" WITH TIME ZONE")
		}
	case TimestampWithLocalTimeZone:
		b.WriteString("TIMESTAMP_LTZ")
		writeNumber(b, t.length)
	case Array, Multiset, Map:
		b.WriteString(t.kind.String())
		b.WriteByte('<')
		for i, inner := range t.types() {
			if i > 0 {
				b.WriteString(", ")
			}
			inner.write(b)
		}
		b.WriteByte('>')
	case Row:
		b.WriteString("ROW<")
		writeFields(b, t.Fields())
		b.WriteByte('>')
	case Structured, Distinct:
		if path := t.Path(); path != nil {
			for i, part := range path {
				if i > 0 {
					b.WriteByte('.')
				}
				writeQuoted(b, part, "`")
			}
			break
		}
		b.WriteString("STRUCTURED<")
		writeQuoted(b, t.Class(), "'")
		if len(t.Fields()) > 0 {
			b.WriteString(", ")
			writeFields(b, t.Fields())
		}
		b.WriteByte('>')
	case Raw:
		b.WriteString("RAW(")
		writeQuoted(b, t.Class(), "'")
		b.WriteString(", ?)")
	case Integer:
		b.WriteString("INT")
	case Time:
		b.WriteString("TIME")
	default:
		b.WriteString(t.kind.String())
		writeNumber(b, t.length)
	}
	if t.notNull {
		b.WriteString(" NOT NULL")
	}
	if t.attr != NoTimeAttribute {
		b.WriteString(" *" + t.attr.String() + "*")
	}
}

func writeNumber(b *strings.Builder, n int32) {
	if n != notGiven {
		b.WriteByte('(')
		b.WriteString(strconv.Itoa(int(n)))
		b.WriteByte(')')
	}
}

func writeFields(b *strings.Builder, fields []Field) {
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		writeQuoted(b, f.Name, "`")
		b.WriteByte(' ')
		f.Type.write(b)
		if f.Description != "" {
			b.WriteByte(' ')
			writeQuoted(b, f.Description, "'")
		}
	}
}

func writeQuoted(b *strings.Builder, s, quote string) {
	b.WriteString(quote)
	b.WriteString(strings.ReplaceAll(s, quote, quote+quote))
	b.WriteString(quote)
}
