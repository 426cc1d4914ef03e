package datatype

import (
	"slices"
	"strings"
)

// parseCanonical reads a type as asSerializableString writes it and asSummaryString mostly does: upper case, names in
// backticks, one blank where there is one. A compiled plan holds hundreds of such texts per thousand lines, which is why
// they do not go through participle (measured: see BenchmarkParse). It is not ok for any other text, right or wrong, which is then
// for the grammar.
func parseCanonical(text string) (t Type, ok bool) {
	c := canonical{text: text}
	t, ok = c.typ(0)
	if !ok || c.pos != len(text) {
		return Type{}, false
	}
	return t, true
}

type canonical struct {
	text string
	pos  int
}

// skip goes past a text, if it is what follows.
func (c *canonical) skip(text string) bool {
	if strings.HasPrefix(c.text[c.pos:], text) {
		c.pos += len(text)
		return true
	}
	return false
}

func (c *canonical) word() string {
	start := c.pos
	for c.pos < len(c.text) && ('A' <= c.text[c.pos] && c.text[c.pos] <= 'Z' || c.text[c.pos] == '_') {
		c.pos++
	}
	return c.text[start:c.pos]
}

// number reads digits; -1 if there are none or too many.
func (c *canonical) number() int32 {
	n, start := int64(0), c.pos
	for c.pos < len(c.text) && '0' <= c.text[c.pos] && c.text[c.pos] <= '9' && n <= maxLength {
		n = 10*n + int64(c.text[c.pos]-'0')
		c.pos++
	}
	if c.pos == start || n > maxLength {
		return notGiven
	}
	return int32(n)
}

// numbers reads (n) and, if two are allowed, (n, m). Nothing there is ok as well.
func (c *canonical) numbers(two bool) (n, m int32, ok bool) {
	n, m = notGiven, notGiven
	if !c.skip("(") {
		return n, m, true
	}
	if n = c.number(); n == notGiven {
		return n, m, false
	}
	if two && c.skip(", ") {
		if m = c.number(); m == notGiven {
			return n, m, false
		}
	}
	return n, m, c.skip(")")
}

// quoted reads what stands in quotes. It is not ok if they are never closed.
func (c *canonical) quoted() (s string, ok bool) {
	end, closed := quotedEnd(c.text, c.pos)
	s, c.pos = c.text[c.pos:end], end
	return s, closed
}

func (c *canonical) typ(depth int) (t Type, ok bool) {
	if depth >= maxDepth {
		return Type{}, false
	}
	start := c.pos
	if t, ok = c.base(depth); !ok {
		return t, false
	}
	if c.skip(" NOT NULL") {
		t.notNull = true
	}
	for _, attribute := range [...]string{" *ROWTIME*", " *PROCTIME*"} {
		if c.skip(attribute) {
			if !t.setAttribute(attribute[1:]) {
				return t, false
			}
			break
		}
	}
	t.raw = c.text[start:c.pos]
	return t, true
}

func (c *canonical) base(depth int) (t Type, ok bool) {
	switch word := c.word(); word {
	case "VARCHAR", "CHAR", "VARBINARY", "BINARY", "TIME", "TIMESTAMP_LTZ", "TIMESTAMP", "DECIMAL":
		t.kind, _ = kindOfKeyword(word)
		t.length, t.fraction, ok = c.numbers(t.kind == Decimal)
		if t.kind == Timestamp && c.skip(" WITH ") {
			t.kind = TimestampWithTimeZone
			if c.skip("LOCAL ") {
				t.kind = TimestampWithLocalTimeZone
			}
			ok = ok && c.skip("TIME ZONE")
		}
		return t, ok
	case "INTERVAL":
		return c.interval()
	case "ARRAY", "MULTISET", "MAP":
		if !c.skip("<") {
			return t, false
		}
		types := make([]Type, 1, 2)
		if types[0], ok = c.typ(depth + 1); !ok {
			return t, false
		}
		kind, _ := kindOfKeyword(word)
		if kind == Map {
			if !c.skip(", ") {
				return t, false
			}
			value, ok := c.typ(depth + 1)
			if !ok {
				return t, false
			}
			types = append(types, value)
		}
		if !c.skip(">") {
			return t, false
		}
		return composite(kind, parts{types: types})
	case "ROW":
		fields, ok := c.fields(depth)
		if !ok {
			return t, false
		}
		return composite(Row, parts{fields: fields})
	default:
		kind, length := kindOfKeyword(word)
		return scalar(kind, length, notGiven), kind != Unknown
	}
}

// fields reads the fields of a row: <`a` INT, `b` STRING 'a comment'>.
func (c *canonical) fields(depth int) ([]Field, bool) {
	if !c.skip("<`") {
		return nil, false
	}
	// Collected on the stack, so that a row of usual width costs one allocation of the right size.
	var few [12]Field
	fields := few[:0]
	for {
		var f Field
		c.pos-- // at the backtick
		name, ok := c.quoted()
		if !ok || !c.skip(" ") {
			return nil, false
		}
		f.Name = unquote(name)
		if f.Type, ok = c.typ(depth + 1); !ok {
			return nil, false
		}
		if c.skip(" '") {
			c.pos--
			description, ok := c.quoted()
			if !ok {
				return nil, false
			}
			f.Description = unquote(description)
		}
		fields = append(fields, f)
		if c.skip(">") {
			return slices.Clone(fields), true
		}
		if !c.skip(", `") {
			return nil, false
		}
	}
}

func (c *canonical) interval() (t Type, ok bool) {
	if !c.skip(" ") {
		return t, false
	}
	from, to := c.word(), ""
	first, _, ok := c.numbers(false)
	if !ok {
		return t, false
	}
	second := int32(notGiven)
	if c.skip(" TO ") {
		to = c.word()
		if second, _, ok = c.numbers(false); !ok {
			return t, false
		}
	}
	if t, ok = intervalOf(from, to); !ok {
		return t, false
	}
	if t.res == Second {
		first, second = second, first
	}
	t.length, t.fraction = first, second
	return t, (first == notGiven || t.res.leading()) && (second == notGiven || t.res.fractional())
}
