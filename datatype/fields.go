package datatype

import (
	"fmt"
	"strconv"
	"strings"
)

// A FieldText is the text of one field of a printed row.
type FieldText struct {
	Text string // as printed
	Null bool   // it is the word for null, and the type has no value that is spelt like it
}

// SplitFields splits what stands between the brackets of a row that the print connector printed, such as "1, b, c", into
// its fields by their types; the zero Type is for a field of which nothing is known, whose text may be anything. The
// notation is JavaNotation or OldJavaNotation; AnyNotation is read as JavaNotation.
//
// Nothing is escaped, so a string may hold what separates it from the next field. The fields are returned only if there is
// one way to cut the text that is right for all types. Else the error is a *ValueError, which wraps ErrAmbiguous if there
// are several ways. How the text of a field is to be read is another question, see [Type.ParseValue].
//
// The word null is a null only where the type tells: a string may be spelt so, and then is taken for text.
func SplitFields(text string, types []Type, notation Notation) ([]FieldText, error) {
	if notation == AnyNotation {
		notation = JavaNotation
	}
	s := splitting{text: text, types: types, notation: notation}
	if len(types) == 0 {
		if text != "" {
			return nil, s.fail(0, "there are no fields", nil)
		}
		return nil, nil
	}
	// Where nothing nests and no string holds a separator, there is one way at most.
	separator := notation.separator()
	if n := strings.Count(text, separator); n < len(types) {
		fields := strings.Split(text, separator)
		if n == len(types)-1 && s.fit(fields) {
			return s.fields(fields), nil
		}
		if n < len(types)-1 {
			return nil, s.fail(len(text), fmt.Sprintf("%d columns, but the text has %d at most", len(types), n+1), nil)
		}
	}
	return s.search()
}

type splitting struct {
	text     string
	types    []Type
	notation Notation
}

// fail gives an error about a row of these types.
func (s *splitting) fail(offset int, msg string, err error) *ValueError {
	fields := make([]Field, len(s.types))
	for i, t := range s.types {
		fields[i] = Field{Name: "f" + strconv.Itoa(i), Type: t}
	}
	row, _ := composite(Row, parts{fields: fields})
	row.object = true
	row.raw, row.object = row.String(), false
	return &ValueError{Type: row, Text: s.text, Offset: offset, Msg: msg, Err: err}
}

// fit says whether each text is surely a value of its type, and nothing nests.
func (s *splitting) fit(fields []string) bool {
	for i, t := range s.types {
		u := t.underlying()
		switch u.kind {
		case Array, Multiset, Map, Row, Structured, Variant:
			return false
		}
		if match := matcherOf(u.kind); match != nil && match(fields[i], 0) != len(fields[i]) && !(t.IsNullable() && fields[i] == s.notation.nullWord()) {
			return false
		}
	}
	return true
}

func (s *splitting) fields(texts []string) []FieldText {
	fields := make([]FieldText, len(texts))
	for i, text := range texts {
		fields[i] = FieldText{text, text == s.notation.nullWord() && !s.types[i].spelt(s.notation)}
	}
	return fields
}

// spelt says whether a value of this type can be spelt like a null: any text can, a row of one null without brackets, and
// a VARIANT, which may hold JSON's null.
func (t Type) spelt(notation Notation) bool {
	if k := t.underlying().kind; k == Row && notation == OldJavaNotation || k == Variant {
		return true
	}
	b := builder{notation: notation}
	return b.nodes[b.value(t, b.add(node{op: opEnd}))].op == opFree
}

// maxFieldSize bounds the memory for one row, in bytes.
const maxFieldSize = 1 << 24

// search finds the ways to cut the text. Before a field there must be a separator for each field before it, and behind it one
// for each behind it: so a field has few places, unless there are many separators more than fields.
func (s *splitting) search() ([]FieldText, error) {
	b := builder{notation: s.notation, nodes: make([]node, 0, 8*len(s.types))}
	next := b.add(node{op: opEnd})
	within(b.nodes, len(s.text), len(s.text))
	separator := s.notation.separator()
	places := separatorPlaces(s.text, separator)
	surplus := len(places) - (len(s.types) - 1)
	separators := make([]int, len(s.types)) // the node behind each field but the last
	done := len(b.nodes)
	for i := len(s.types) - 1; i >= 0; i-- {
		separators[i] = next
		if value := b.value(s.types[i], next); b.nodes[value].op == opFree {
			next = value
		} else {
			next = b.inner(s.types[i], next)
		}
		from, to := 0, len(s.text)
		if i > 0 {
			from = places[i-1] + len(separator)
		}
		if i < len(s.types)-1 {
			to = places[i+surplus]
		}
		within(b.nodes[done:], from, to)
		if done = len(b.nodes); i > 0 {
			next = b.literal(separator, next)
		}
	}
	p := program{text: s.text, start: next, nodes: b.nodes}
	if !p.fill(maxFieldSize) {
		return nil, s.fail(0, "the text is too long to be taken apart", ErrLength)
	}
	if p.from(p.start, 0) == 0 {
		e := s.fail(p.reach(), "this does not fit the types", nil)
		if e.Offset == len(s.text) {
			e.Msg = "the text ends too early"
		}
		return nil, e
	}
	// A field ends where its separator may stand in some reading.
	ends := p.places(separators)
	fields := make([]string, len(s.types))
	from := 0
	for i, places := range ends {
		if len(places) > 1 {
			return nil, s.fail(min(places[0], places[1]), "the field "+strconv.Itoa(i)+" may end here or further on", ErrAmbiguous)
		}
		fields[i] = s.text[from:places[0]]
		from = places[0] + len(s.notation.separator())
	}
	return s.fields(fields), nil
}

// separatorPlaces gives the places of the separators in a text.
func separatorPlaces(text, separator string) []int {
	var places []int
	for pos := 0; ; pos += len(separator) {
		i := strings.Index(text[pos:], separator)
		if i < 0 {
			return places
		}
		pos += i
		places = append(places, pos)
	}
}

// places gives, for each of some nodes, the places at which readings of the whole text pass it: two, if there are more.
func (p *program) places(nodes []int) [][]int {
	index := make(map[int]int, len(nodes))
	for i, at := range nodes {
		index[at] = i
	}
	places := make([][]int, len(nodes))
	const seen = 1 << 7
	p.walk(func(at, pos int) bool {
		ways := &p.ways[pos*len(p.nodes)+at]
		if *ways == 0 || *ways&seen != 0 {
			return false
		}
		*ways |= seen
		if i, ok := index[at]; ok && len(places[i]) < 2 {
			places[i] = append(places[i], pos)
		}
		return true
	})
	return places
}
