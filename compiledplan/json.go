package compiledplan

import (
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Flink reads plans with Jackson, which takes a string that holds an integer or a truth value for that, cuts off the fraction of a
// number where it wants an integer, and takes a number for a string (seen in all releases, docs/evidence/reading). So do the
// methods of value: what Flink runs must not be lost here. Validate tells of it.

// This file alone knows gjson. gjson is fast and lazy, but it never reports an error: it reads broken JSON without a word,
// takes a string for a number and a missing key for a null. So a document is checked whole before any part of it is read
// (see document.go), and a value is asked for its kind before it is taken for anything.

// A value is one JSON value of a checked document. The zero value stands for one that is not there.
type value struct {
	raw string // its text, part of the document's text
	at  int    // offset of raw in the document
}

// A member is a key of a JSON object with its value.
type member struct {
	key   string // unescaped
	value value
}

func validJSON(text string) bool { return gjson.Valid(text) }

func (v value) exists() bool   { return v.raw != "" }
func (v value) isObject() bool { return v.raw != "" && v.raw[0] == '{' }
func (v value) isArray() bool  { return v.raw != "" && v.raw[0] == '[' }
func (v value) isString() bool { return v.raw != "" && v.raw[0] == '"' }
func (v value) isNull() bool   { return v.raw == "null" }

// string gives the value of a JSON string.
func (v value) string() (string, bool) {
	if !v.isString() {
		return "", false
	}
	return gjson.Parse(v.raw).Str, true
}

// text gives the value of a JSON string, or a number or truth value as it is written.
func (v value) text() (string, bool) {
	if v.isNumber() || v.raw == "true" || v.raw == "false" {
		return v.raw, true
	}
	return v.string()
}

func (v value) isNumber() bool {
	return v.raw != "" && (v.raw[0] == '-' || '0' <= v.raw[0] && v.raw[0] <= '9')
}

// isInteger says whether an integer stands there as Flink writes one: a number without fraction and exponent.
func (v value) isInteger() bool { return v.isNumber() && !strings.ContainsAny(v.raw, ".eE") }

// integer gives the value of a number, without its fraction, or of a string that holds an integer.
func (v value) integer() (int64, bool) {
	text := v.raw
	switch {
	case v.isString():
		text, _ = v.string()
		text = strings.TrimSpace(text)
	case !v.isNumber():
		return 0, false
	case !v.isInteger():
		f, err := strconv.ParseFloat(text, 64)
		return int64(f), err == nil && math.Abs(f) < math.MaxInt64
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// int is integer for what fits an int of Java's.
func (v value) int() (int, bool) {
	n, ok := v.integer()
	if !ok || n < math.MinInt32 || n > math.MaxInt32 {
		return 0, false
	}
	return int(n), true
}

// bool gives the value of true and false, also of strings.
func (v value) bool() (b, ok bool) {
	text, _ := v.text()
	switch text {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

// members gives the members of an object in their order, those of the same key all.
func (v value) members() iter.Seq[member] {
	return func(yield func(member) bool) {
		if !v.isObject() {
			return
		}
		v.result().ForEach(func(key, val gjson.Result) bool {
			return yield(member{key.Str, value{val.Raw, val.Index}})
		})
	}
}

// elements gives the elements of an array in their order.
func (v value) elements() iter.Seq[value] {
	return func(yield func(value) bool) {
		if !v.isArray() {
			return
		}
		v.result().ForEach(func(_, val gjson.Result) bool {
			return yield(value{val.Raw, val.Index})
		})
	}
}

func (v value) result() gjson.Result {
	r := gjson.Parse(v.raw)
	r.Index = v.at
	return r
}

// get gives the member of a key, or the zero value. Of several the last counts, as for Jackson, which Flink reads plans with.
func (v value) get(key string) value {
	var found value
	for m := range v.members() {
		if m.key == key {
			found = m.value
		}
	}
	return found
}

// integers gives the elements of an array of integers; ok is false if it is no such array.
func (v value) integers() (list []int, ok bool) {
	if !v.isArray() {
		return nil, false
	}
	for e := range v.elements() {
		n, ok := e.int()
		if !ok {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}
