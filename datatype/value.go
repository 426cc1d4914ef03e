package datatype

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
)

// A Value is one value as Flink printed it, understood by its type. It is immutable and safe for concurrent use; it shares
// the memory of the text that it was read from. The zero Value is a null of the unknown type.
type Value struct {
	typ     Type
	text    string
	present bool
	values  []Value // elements; fields; keys and values in turn
}

// An Entry is a key of a MAP with its value, or an element of a MULTISET with the number of its occurrences.
type Entry struct {
	Key, Value Value
}

// Type gives the type that the value was read by. Of the count in a MULTISET it is INT NOT NULL.
func (v Value) Type() Type { return v.typ }

// Text gives the value as printed; for a null its word.
func (v Value) Text() string { return v.text }

// IsNull says whether the text is the word for null where a null may stand. A string of that very spelling looks the same.
func (v Value) IsNull() bool { return !v.present }

// Bool gives the value of a BOOLEAN; not ok for a null and any other type.
func (v Value) Bool() (b, ok bool) {
	if !v.present || v.kind() != Boolean {
		return false, false
	}
	return strings.EqualFold(v.text, "true"), true
}

// Int64 gives the value of a TINYINT, SMALLINT, INT or BIGINT; not ok for a null and any other type.
func (v Value) Int64() (n int64, ok bool) {
	if !v.present || v.kind().bits() == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	return n, err == nil
}

// Decimal gives the value of a DECIMAL or of a whole number, digit for digit: 1.50 keeps its two places. Not ok for a null
// and any other type. The result is the caller's.
func (v Value) Decimal() (d *apd.Decimal, ok bool) {
	if !v.present || v.kind() != Decimal && v.kind().bits() == 0 {
		return nil, false
	}
	d, _, err := apd.NewFromString(v.text)
	return d, err == nil
}

// Float64 gives the value of a FLOAT or DOUBLE, NaN and the infinities included; not ok for a null and any other type.
func (v Value) Float64() (f float64, ok bool) {
	if !v.present || v.kind() != Float && v.kind() != Double {
		return 0, false
	}
	switch v.text {
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	f, err := strconv.ParseFloat(v.text, 64)
	return f, err == nil
}

// Bytes gives the value of a BINARY or VARBINARY; not ok for a null and any other type. The result is the caller's.
func (v Value) Bytes() (b []byte, ok bool) {
	if !v.present || v.kind() != Binary && v.kind() != Varbinary {
		return nil, false
	}
	if digits, ok := strings.CutPrefix(v.text, "x'"); ok {
		b, err := hex.DecodeString(digits[:len(digits)-1])
		return b, err == nil
	}
	b = []byte{}
	for n := range strings.SplitSeq(v.text[1:len(v.text)-1], ", ") {
		if n == "" {
			break
		}
		i, err := strconv.ParseInt(n, 10, 8)
		if err != nil {
			return nil, false
		}
		b = append(b, byte(i))
	}
	return b, true
}

// Time gives the value of a DATE (at midnight) or of a timestamp, as if it were UTC: that is what the clock showed. Flink
// prints a TIMESTAMP_LTZ in the session's time zone and does not say which that is. Not ok for a null and any other type.
func (v Value) Time() (t time.Time, ok bool) {
	if !v.present {
		return time.Time{}, false
	}
	switch v.kind() {
	case Date, Timestamp, TimestampWithLocalTimeZone:
		return parseTime(v.text)
	}
	return time.Time{}, false
}

// Elements gives the elements of an ARRAY, or the values of the fields of a ROW or structured type in the order of its
// type's Fields; nil for a null and any other type. The slice belongs to the Value and must not be changed.
func (v Value) Elements() []Value {
	switch v.kind() {
	case Array, Row, Structured:
		return v.values
	}
	return nil
}

// Entries gives the entries of a MAP or MULTISET in the order printed; nil for a null and any other type. The result is the caller's.
func (v Value) Entries() []Entry {
	if k := v.kind(); k != Map && k != Multiset || v.values == nil {
		return nil
	}
	entries := make([]Entry, len(v.values)/2)
	for i := range entries {
		entries[i] = Entry{Key: v.values[2*i], Value: v.values[2*i+1]}
	}
	return entries
}

// kind is the kind by which the text was read: that of the source for a distinct type.
func (v Value) kind() Kind { return v.typ.underlying().kind }

// underlying is the source of a distinct type, if it is known, and else the type itself.
func (t Type) underlying() Type {
	for t.kind == Distinct && len(t.types()) > 0 {
		t = t.child(0)
	}
	return t
}

// bits is the size of a whole number; 0 for any other kind.
func (k Kind) bits() int {
	switch k {
	case Tinyint:
		return 8
	case Smallint:
		return 16
	case Integer:
		return 32
	case Bigint:
		return 64
	}
	return 0
}
