package datatype

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func checkSyntaxError(t *testing.T, err error) {
	t.Helper()
	var e *SyntaxError
	if !errors.As(err, &e) {
		t.Fatalf("%T is no *SyntaxError: %v", err, err)
	}
	if e.Offset < 0 || e.Offset > len(e.Text) || e.Msg == "" {
		t.Fatalf("offset %d of %q: %q", e.Offset, e.Text, e.Msg)
	}
	if len(err.Error()) > 1000 {
		t.Fatalf("a message of %d bytes", len(err.Error()))
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range inputs(f, "types.txt") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, err := Parse(text)
		if err != nil {
			checkSyntaxError(t, err)
			return
		}
		if typ.String() != strings.TrimFunc(text, isSpace) {
			t.Fatalf("%q came back as %q", text, typ)
		}
		describe(typ, "")
		if fast, ok := parseCanonical(typ.String()); ok && len(text) <= maxText {
			if slow, err := parseGrammar(typ.String()); err != nil || !reflect.DeepEqual(fast, slow) {
				t.Fatalf("%q: the grammar reads %s (%v), the fast reader %s", text, describe(slow, ""), err, describe(fast, ""))
			}
		}
		// What String composes for the object form must mean the same.
		composed, ok := asObject(typ)
		if !ok {
			return
		}
		again, err := Parse(composed.String())
		if errors.Is(err, ErrLength) {
			return
		}
		if err != nil || !again.Equal(typ) {
			t.Fatalf("%q: composed as %q: %v", text, composed, err)
		}
	})
}

// asObject gives the same type as if it had been read from a plan's object; not ok if there is no such object.
func asObject(t Type) (Type, bool) {
	switch {
	case t.legacy, t.Kind() == Unresolved, t.Kind() == Decimal, t.Kind() == Time, t.Resolution() != NoResolution, t.Serializer() != "":
		return t, false
	}
	t.object = true
	if t.parts == nil {
		return t, true
	}
	p := *t.parts
	p.types, p.fields = append([]Type(nil), p.types...), append([]Field(nil), p.fields...)
	ok := true
	for i := range p.types {
		inner, innerOK := asObject(p.types[i])
		p.types[i], ok = inner, ok && innerOK
	}
	for i := range p.fields {
		inner, innerOK := asObject(p.fields[i].Type)
		p.fields[i].Type, ok = inner, ok && innerOK
	}
	t.parts = &p
	return t, ok
}

func FuzzFromJSON(f *testing.F) {
	for _, text := range inputs(f, "json.txt") {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := string(raw)
		typ, err := FromJSON(raw)
		if string(raw) != before {
			t.Fatal("the input was changed")
		}
		if err != nil {
			checkSyntaxError(t, err)
			return
		}
		described := describe(typ, "")
		for i := range raw {
			raw[i] = 'x'
		}
		if describe(typ, "") != described {
			t.Fatal("the type shares the input's memory")
		}
		if !strings.Contains(before, typ.Raw()) && !strings.Contains(before, `\`) {
			t.Fatalf("%q keeps %q", before, typ.Raw())
		}
		if strings.Contains(described, "unknown") {
			return // what String gives for it is the object
		}
		again, err := Parse(typ.String())
		if errors.Is(err, ErrLength) {
			return
		}
		if err != nil || again.String() != typ.String() {
			t.Fatalf("%q: %q cannot be read back: %v", before, typ, err)
		}
		if !strings.Contains(described, "path=") && !strings.Contains(described, "source:") && !strings.Contains(described, "description=") && !again.Equal(typ) {
			t.Fatalf("%q: read back as %s", before, describe(again, ""))
		}
	})
}
