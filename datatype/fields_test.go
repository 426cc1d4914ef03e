package datatype

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// typesOf reads types from the text of a row type without its ROW; "?" is the zero Type.
func typesOf(t testing.TB, text string) []Type {
	t.Helper()
	var types []Type
	for _, f := range strings.Split(text, "; ") {
		switch f {
		case "":
		case "?":
			types = append(types, Type{})
		default:
			types = append(types, mustParse(t, f))
		}
	}
	return types
}

func fieldsText(fields []FieldText) string {
	var texts []string
	for _, f := range fields {
		text := fmt.Sprintf("%q", f.Text)
		if f.Null {
			text = "null"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

func TestSplitFields(t *testing.T) {
	const long = "STRING; BIGINT; ARRAY<INT>; MAP<STRING, INT>; ROW<p INT, q STRING>"
	for _, test := range []struct {
		types, text string
		notation    Notation
		want        string // the fields, or the message of the error
	}{
		{"INT; STRING", "1, a", JavaNotation, `"1" "a"`},
		{"INT; STRING", "1, a", AnyNotation, `"1" "a"`},
		{"INT; STRING", "2, b, c", JavaNotation, `"2" "b, c"`},
		{"INT; STRING", "5, x]", JavaNotation, `"5" "x]"`},
		{"INT; STRING", "6, ", JavaNotation, `"6" ""`},
		{"STRING; INT", "1, 2, 3", JavaNotation, `"1, 2" "3"`},
		{"INT; STRING; INT", "1, 2, 3, 4", JavaNotation, `"1" "2, 3" "4"`},
		{"STRING", "a, b, c", JavaNotation, `"a, b, c"`},
		{"STRING", "", JavaNotation, `""`},
		{"", "", JavaNotation, ``},
		{"VARIANT; INT", `{"a": "x, 1", "b": [1, 2]}, 2`, JavaNotation, `"{\"a\": \"x, 1\", \"b\": [1, 2]}" "2"`},
		{"ARRAY<VARIANT>; STRING", `[1, "a, b"], c`, JavaNotation, `"[1, \"a, b\"]" "c"`},
		{"INT; VARIANT", "1, null", JavaNotation, `"1" "null"`},

		// Nulls: an INT has no value that is spelt null, a STRING has.
		{"INT; STRING", "null, null", JavaNotation, `null "null"`},
		{"INT; STRING", "null, a, null", JavaNotation, `null "a, null"`},
		{"INT NOT NULL; STRING", "null, a", JavaNotation, "offset 0: this does not fit the types"},
		{"BOOLEAN; DATE; DECIMAL(3, 1); BYTES", "null, null, null, null", JavaNotation, "null null null null"},
		{"?; INT", "null, null", JavaNotation, `"null" null`},
		{"ARRAY<INT>; MAP<STRING, INT>; ROW<a INT>", "null, null, null", JavaNotation, "null null null"},

		// Only the number of columns is known.
		{"?; ?", "1, a", JavaNotation, `"1" "a"`},
		{"?", "1, a", JavaNotation, `"1, a"`},
		{"?; ?", "1, a, b", JavaNotation, "offset 1: the field 0 may end here or further on"},
		{"?; ?", "1", JavaNotation, "offset 1: 2 columns, but the text has 1 at most"},

		// Strings side by side.
		{"STRING; STRING", "a, b", JavaNotation, `"a" "b"`},
		{"STRING; STRING", "a, b, c", JavaNotation, "offset 1: the field 0 may end here or further on"},
		{"STRING; INT; STRING", "a, 1, 2, b", JavaNotation, "offset 1: the field 0 may end here or further on"},
		{"STRING; INT; STRING", "a, b, 1, c, d", JavaNotation, `"a, b" "1" "c, d"`},

		// What nests. That the array is of two strings or of three does not matter here.
		{long, "a, 1, [1, 2], {k=1}, +I[1, q, w]", JavaNotation, `"a" "1" "[1, 2]" "{k=1}" "+I[1, q, w]"`},
		{long, "a, 1, [], {}, null", JavaNotation, `"a" "1" "[]" "{}" null`},
		{"INT; ARRAY<STRING>; INT", "1, [a, b, c], 2", JavaNotation, `"1" "[a, b, c]" "2"`},
		{"ARRAY<STRING>; STRING", "[a], [b], c", JavaNotation, "offset 3: the field 0 may end here or further on"},
		{"ARRAY<ROW<i INT, s STRING>>; INT", "[+I[1, s], +I[2, t]], 3", JavaNotation, `"[+I[1, s], +I[2, t]]" "3"`},
		{"INT; ROW<a INT, r ROW<b STRING>>", "1, -D[2, +U[x]]", JavaNotation, `"1" "-D[2, +U[x]]"`},
		{"INT; ARRAY<INT>", "1, [1, 2", JavaNotation, "offset 8: the text ends too early"},
		{"TIMESTAMP(3); TIMESTAMP_LTZ(3); TIME(0); BYTES; DOUBLE", "2020-01-02T03:04, 1970-01-01T00:00:00Z, 03:04:05, [97, 98], 1.5E10", JavaNotation,
			`"2020-01-02T03:04" "1970-01-01T00:00:00Z" "03:04:05" "[97, 98]" "1.5E10"`},

		// 1.12.
		{"INT; STRING", "1,a", OldJavaNotation, `"1" "a"`},
		{"INT; STRING; INT", "1,a, b,c,2", OldJavaNotation, `"1" "a, b,c" "2"`},
		{"INT; ROW<a INT, b STRING>; INT", "1,2,x,3", OldJavaNotation, `"1" "2,x" "3"`},
		{"INT; ROW<a INT, b STRING>; STRING", "1,2,x,3", OldJavaNotation, `"1" "2,x" "3"`},
		{"INT; ROW<a INT, b STRING>; STRING", "1,2,x,y,3", OldJavaNotation, "offset 5: the field 1 may end here or further on"},
		{"ARRAY<INT>; MAP<INT, INT>; INT; INT", "[1, 2, 3],{1=1, 2=2},1,null", OldJavaNotation, `"[1, 2, 3]" "{1=1, 2=2}" "1" null`},
		{"INT; ROW<a INT>", "1,null", OldJavaNotation, `"1" "null"`},

		{"", "a", JavaNotation, "offset 0: there are no fields"},
	} {
		fields, err := SplitFields(test.text, typesOf(t, test.types), test.notation)
		got := fieldsText(fields)
		if err != nil {
			got = err.Error()
			var e *ValueError
			if !errors.As(err, &e) || e.Text != test.text || e.Type.Kind() != Row || len(fields) > 0 {
				t.Errorf("%q as %s: %#v and fields %v", test.text, test.types, err, fields)
			}
			if ambiguous := strings.Contains(got, "may end"); errors.Is(err, ErrAmbiguous) != ambiguous {
				t.Errorf("%q as %s: ErrAmbiguous is %t", test.text, test.types, !ambiguous)
			}
		}
		if got != test.want && !(err != nil && strings.Contains(got, test.want)) {
			t.Errorf("%q as %s:\n got %s\nwant %s", test.text, test.types, got, test.want)
		}
	}
}

// TestSplitFieldsNaive compares with what trying all ways to cut a text finds.
func TestSplitFieldsNaive(t *testing.T) {
	kinds := []string{"INT", "STRING", "?", "ARRAY<INT>", "ARRAY<STRING>", "ROW<a INT, b STRING>", "MAP<INT, STRING>", "INT NOT NULL", "ROW<a STRING>"}
	pieces := []string{"1", "a", ", ", ", ", ", ", ",", "[", "]", "{1=", "}", "+I[", "null", "", "2"}
	r := rand.New(rand.NewPCG(1, 2))
	unique, several := 0, 0
	for range 20_000 {
		var types []Type
		for range 1 + r.IntN(3) {
			types = append(types, typesOf(t, kinds[r.IntN(len(kinds))])...)
		}
		text := ""
		for range r.IntN(9) {
			text += pieces[r.IntN(len(pieces))]
		}
		notation := []Notation{JavaNotation, OldJavaNotation}[r.IntN(2)]
		ways := naiveCuts(text, types, notation)
		fields, err := SplitFields(text, types, notation)
		switch {
		case len(ways) == 0 && (err == nil || errors.Is(err, ErrAmbiguous)),
			len(ways) > 1 && !errors.Is(err, ErrAmbiguous):
			t.Fatalf("%q as %v, %v: %v, %v; want one of %q", text, types, notation, fields, err, ways)
		case len(ways) > 1:
			several++
		case len(ways) == 1:
			unique++
			var got []string
			for _, f := range fields {
				got = append(got, f.Text)
			}
			if diff := cmp.Diff(ways[0], got); diff != "" || err != nil {
				t.Fatalf("%q as %v, %v: %v, %s", text, types, notation, err, diff)
			}
		}
	}
	if unique < 500 || several < 100 {
		t.Errorf("%d texts with one way and %d with several only", unique, several)
	}
}

// naiveCuts gives all ways to cut a text.
func naiveCuts(text string, types []Type, n Notation) [][]string {
	fits := func(s string, t Type) bool {
		if t.Kind() == (Type{}).Kind() || t.Kind() == Varchar {
			return true
		}
		if s == "null" && t.IsNullable() {
			return true
		}
		_, err := t.ParseValue(s, n)
		return err == nil || errors.Is(err, ErrAmbiguous)
	}
	if len(types) == 1 {
		if fits(text, types[0]) {
			return [][]string{{text}}
		}
		return nil
	}
	var ways [][]string
	separator := n.separator()
	for i := range text {
		if strings.HasPrefix(text[i:], separator) && fits(text[:i], types[0]) {
			for _, rest := range naiveCuts(text[i+len(separator):], types[1:], n) {
				ways = append(ways, slices.Insert(rest, 0, text[:i]))
			}
		}
	}
	return ways
}

// TestSplitFieldsWide splits rows of many fields, of which some hold separators.
func TestSplitFieldsWide(t *testing.T) {
	const n = 60
	types := typesOf(t, "STRING"+strings.Repeat("; INT; ROW<a INT, b STRING>", n)+"; STRING")
	want := []string{"a, 1, b"}
	for i := range n {
		want = append(want, strconv.Itoa(i), "+I["+strconv.Itoa(i)+", x]")
	}
	want = append(want, "z")
	for _, test := range []struct {
		last string
		err  error
	}{{"z", nil}, {"y, 1, +I[1, x], z", ErrAmbiguous}} {
		want[len(want)-1] = test.last
		fields, err := SplitFields(strings.Join(want, ", "), types, JavaNotation)
		if !errors.Is(err, test.err) {
			t.Fatal(err)
		}
		if err != nil {
			continue
		}
		for i, f := range fields {
			if f.Text != want[i] {
				t.Fatalf("field %d: %q instead of %q", i, f.Text, want[i])
			}
		}
	}
}

// TestSplitFieldsTime splits hostile texts.
func TestSplitFieldsTime(t *testing.T) {
	start := time.Now()
	for _, text := range []string{strings.Repeat(", ", 1<<15), strings.Repeat("[", 1<<15), strings.Repeat("+I[", 1<<14), "1, " + strings.Repeat("{a=", 1<<14)} {
		for _, types := range []string{"STRING; STRING; STRING; STRING", "ARRAY<ARRAY<ARRAY<STRING>>>; STRING", "ROW<a STRING, b ROW<c STRING, d STRING>>; ROW<e STRING>", "INT; MAP<STRING, STRING>"} {
			if _, err := SplitFields(text, typesOf(t, types), JavaNotation); err == nil {
				t.Errorf("%.20q as %s is read", text, types)
			}
		}
	}
	if _, err := SplitFields(strings.Repeat(", ", 1<<24), typesOf(t, "STRING; STRING"), JavaNotation); !errors.Is(err, ErrLength) {
		t.Errorf("a text of 32 MiB: %v", err)
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("it took %v", d)
	}
}

func FuzzSplitFields(f *testing.F) {
	for _, text := range []string{"1, a", "2, b, c", "a, 1, [1, 2], {k=1}, +I[1, q, w]", "1,2,x,3", "null, null", "[a], [b], c"} {
		for _, types := range []string{"INT; STRING", "STRING; BIGINT; ARRAY<INT>; MAP<STRING, INT>; ROW<p INT, q STRING>", "INT; ROW<a INT, b STRING>; INT", "?; ?", "ARRAY<STRING>; STRING", "VARIANT; STRING"} {
			f.Add(text, types, true)
			f.Add(text, types, false)
		}
	}
	f.Fuzz(func(t *testing.T, text, list string, old bool) {
		var types []Type
		for _, f := range strings.Split(list, "; ") {
			typ, _ := Parse(f) // the zero Type is a type, too
			types = append(types, typ)
		}
		if len(types) > 20 {
			return
		}
		notation := JavaNotation
		if old {
			notation = OldJavaNotation
		}
		fields, err := SplitFields(text, types, notation)
		if err != nil {
			var e *ValueError
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || len(err.Error()) > 1000 {
				t.Fatalf("%#v", err)
			}
			return
		}
		var texts []string
		for i, f := range fields {
			texts = append(texts, f.Text)
			if f.Null || f.Text == "null" && types[i].IsNullable() {
				continue
			}
			if _, err := types[i].ParseValue(f.Text, notation); err != nil && !errors.Is(err, ErrAmbiguous) {
				t.Errorf("field %d of %q: %v", i, text, err)
			}
		}
		if joined := strings.Join(texts, notation.separator()); joined != text {
			t.Errorf("%q became %q", text, joined)
		}
	})
}
