package compiledplan

import (
	"iter"
	"strconv"

	"github.com/tidwall/gjson"
)

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

// integer gives the value of a JSON number without fraction and exponent.
func (v value) integer() (int64, bool) {
	n, err := strconv.ParseInt(v.raw, 10, 64)
	return n, err == nil
}

// int is integer for what fits an int.
func (v value) int() (int, bool) {
	n, err := strconv.Atoi(v.raw)
	return n, err == nil
}

// bool gives the value of true and false.
func (v value) bool() (b, ok bool) { return v.raw == "true", v.raw == "true" || v.raw == "false" }

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
