package datatype

import (
	"math"
	"slices"
)

// A Type is one data type of Flink, as [Parse] or [FromJSON] read it.
type Type struct {
	raw      string // the text, or the JSON object if object is set
	kind     Kind
	notNull  bool
	object   bool
	legacy   bool // LEGACY('ROOT', 'type information'): nothing but the kind is known
	attr     TimeAttribute
	res      Resolution
	height   uint8 // how deep the types inside nest: 0 without any
	length   int32 // length, precision, or precision of the leading field; notGiven
	fraction int32 // scale, or precision of the seconds; notGiven
	parts    *parts
}

// parts is what only some types have, kept apart so that the many scalar types of a plan stay small.
type parts struct {
	types       []Type // element; key and value; source or external type
	fields      []Field
	path        []string
	class       string
	serializer  string
	description string
}

const notGiven = -1

// A Field is a field of a row or an attribute of a structured type.
type Field struct {
	Name string // without quotes
	Type Type
	// Description is the comment, without quotes; empty for none. In what DESCRIBE prints every comment inside a type
	// is the three dots that Flink puts there.
	Description string
}

// Raw gives what was read: the text (without blanks around it) or, for the object form of a plan, the JSON object.
func (t Type) Raw() string { return t.raw }

// Kind gives the root of the type.
func (t Type) Kind() Kind { return t.kind }

// IsNullable says whether a value may be null, which is so unless the type says NOT NULL. Nothing is known of the zero
// Type, whose values may be anything, null included.
func (t Type) IsNullable() bool { return !t.notNull }

// TimeAttribute says whether the type is that of a rowtime or processing time column. A compiled plan writes it only in
// the object form and DESCRIBE behind the type; a type in DDL or in SHOW CREATE TABLE never carries it.
func (t Type) TimeAttribute() TimeAttribute { return t.attr }

// Length gives the length of CHAR and VARCHAR in characters, of BINARY and VARBINARY in bytes; -1 for any other type.
// given is false where the text says none and n is Flink's default, 1. STRING and BYTES say 2147483647.
func (t Type) Length() (n int, given bool) {
	switch t.kind {
	case Char, Varchar, Binary, Varbinary:
		return t.number(t.length, 1)
	}
	return notGiven, false
}

// Precision gives the number of digits of DECIMAL, of the fraction of TIME and the timestamps, and of the years or days
// of an interval; -1 for a type without one, and for an interval without years or days. given is false where the text
// says none and n is Flink's default: 10 for DECIMAL, 0 for TIME, 6 for timestamps, 2 for intervals.
func (t Type) Precision() (n int, given bool) {
	switch t.kind {
	case Decimal:
		return t.number(t.length, 10)
	case Time:
		return t.number(t.length, 0)
	case Timestamp, TimestampWithTimeZone, TimestampWithLocalTimeZone:
		return t.number(t.length, 6)
	case IntervalYearMonth, IntervalDayTime:
		if t.res.leading() {
			return t.number(t.length, 2)
		}
	}
	return notGiven, false
}

// Scale gives the digits of DECIMAL behind the point; -1 for any other type. given is false where the text says none
// and n is Flink's default, 0.
func (t Type) Scale() (n int, given bool) {
	if t.kind == Decimal {
		return t.number(t.fraction, 0)
	}
	return notGiven, false
}

// FractionalPrecision gives the digits behind the seconds of an interval; -1 for any other type, and for an interval
// without seconds. given is false where the text says none and n is Flink's default, 6.
func (t Type) FractionalPrecision() (n int, given bool) {
	if t.kind == IntervalDayTime && t.res.fractional() {
		return t.number(t.fraction, 6)
	}
	return notGiven, false
}

func (t Type) number(n int32, byDefault int) (int, bool) {
	switch {
	case t.legacy:
		return notGiven, false
	case n == notGiven:
		return byDefault, false
	}
	return int(n), true
}

// Resolution says which fields an interval has; NoResolution for any other type.
func (t Type) Resolution() Resolution { return t.res }

// Element gives the type of the elements of ARRAY and MULTISET; the zero Type for any other type.
func (t Type) Element() Type {
	if t.kind == Array || t.kind == Multiset {
		return t.child(0)
	}
	return Type{}
}

// Key gives the type of the keys of MAP; the zero Type for any other type.
func (t Type) Key() Type {
	if t.kind == Map {
		return t.child(0)
	}
	return Type{}
}

// Value gives the type of the values of MAP; the zero Type for any other type.
func (t Type) Value() Type {
	if t.kind == Map {
		return t.child(1)
	}
	return Type{}
}

// Source gives the type that a distinct type stands on, or the data type which a RAW type's external serializer handles
// (the state of DISTINCT aggregates: MapView, ListView). Both are known only from the object form of a plan; the zero Type otherwise.
func (t Type) Source() Type {
	if t.kind == Distinct || t.kind == Raw {
		return t.child(0)
	}
	return Type{}
}

func (t Type) child(i int) Type {
	if t.parts == nil || i >= len(t.parts.types) {
		return Type{}
	}
	return t.parts.types[i]
}

// Fields gives the fields of ROW and the attributes of a structured type in their order; nil for any other type. The
// slice belongs to the Type and must not be changed.
func (t Type) Fields() []Field {
	if t.parts == nil {
		return nil
	}
	return t.parts.fields
}

// Path gives the parts of the name of a user-defined type, [catalog, database, name] or fewer, without quotes; nil for
// any other type. The slice belongs to the Type and must not be changed.
func (t Type) Path() []string {
	if t.parts == nil {
		return nil
	}
	return t.parts.path
}

// Class gives the name of the class of a RAW type or of a structured type, or the empty string.
func (t Type) Class() string {
	if t.parts == nil {
		return ""
	}
	return t.parts.class
}

// Serializer gives the second argument of RAW and of LEGACY as written: a serializer snapshot in base64, or a type
// information. DESCRIBE prints three dots in its place. The empty string if there is none.
func (t Type) Serializer() string {
	if t.parts == nil {
		return ""
	}
	return t.parts.serializer
}

// Description gives the comment of a distinct or structured type, which only the object form of a plan holds, or the empty string.
func (t Type) Description() string {
	if t.parts == nil {
		return ""
	}
	return t.parts.description
}

// Equal says whether both are the same type, however they are spelt: STRING is VARCHAR(2147483647), and a default is
// what it stands for. Nullability, time attributes and descriptions count. The unknown type equals only a type with the same Raw.
func (t Type) Equal(u Type) bool {
	if t.kind != u.kind || t.notNull != u.notNull || t.attr != u.attr || t.res != u.res || t.legacy != u.legacy {
		return false
	}
	if t.kind == Unknown {
		return t.raw == u.raw
	}
	for _, number := range []func(Type) (int, bool){Type.Length, Type.Precision, Type.Scale, Type.FractionalPrecision} {
		a, _ := number(t)
		if b, _ := number(u); a != b {
			return false
		}
	}
	if t.Class() != u.Class() || t.Serializer() != u.Serializer() || t.Description() != u.Description() || !slices.Equal(t.Path(), u.Path()) {
		return false
	}
	if !slices.EqualFunc(t.types(), u.types(), Type.Equal) {
		return false
	}
	return slices.EqualFunc(t.Fields(), u.Fields(), func(a, b Field) bool {
		return a.Name == b.Name && a.Description == b.Description && a.Type.Equal(b.Type)
	})
}

func (t Type) types() []Type {
	if t.parts == nil {
		return nil
	}
	return t.parts.types
}

// scalar makes the type of a kind that needs nothing but numbers.
func scalar(kind Kind, length, fraction int32) Type {
	return Type{kind: kind, length: length, fraction: fraction}
}

// composite makes a type that needs more than numbers. It is not ok for the types within to nest deeper than maxDepth.
func composite(kind Kind, p parts) (t Type, ok bool) {
	height := 0
	for _, inner := range p.types {
		height = max(height, int(inner.height)+1)
	}
	for _, f := range p.fields {
		height = max(height, int(f.Type.height)+1)
	}
	ok = height <= maxDepth
	return Type{kind: kind, height: uint8(min(height, maxDepth)), length: notGiven, fraction: notGiven, parts: &p}, ok
}

// intervalOf makes the type of INTERVAL from, or INTERVAL from TO to, with no precision given.
func intervalOf(from, to string) (t Type, ok bool) {
	name := from
	if to != "" {
		name += " TO " + to
	}
	res := slices.Index(resolutionNames[:], name)
	if res <= 0 {
		return Type{}, false
	}
	t = scalar(IntervalDayTime, notGiven, notGiven)
	if t.res = Resolution(res); t.res <= Month {
		t.kind = IntervalYearMonth
	}
	return t, true
}

// setAttribute makes a timestamp a time attribute. It is not ok for any other type.
func (t *Type) setAttribute(text string) (ok bool) {
	switch t.kind {
	case Timestamp, TimestampWithTimeZone, TimestampWithLocalTimeZone:
		t.attr = Rowtime
		if text == "*PROCTIME*" {
			t.attr = Proctime
		}
		return true
	}
	return false
}

// maxLength is the length of STRING and BYTES.
const maxLength = math.MaxInt32
