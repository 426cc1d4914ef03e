package datatype

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// notations are the names in values.txt.
var notations = map[string]Notation{"any": AnyNotation, "cast": CastNotation, "Java": JavaNotation}

type valueInput struct {
	typ      Type
	notation Notation
	text     string
}

func valueInputs(t testing.TB) []valueInput {
	var all []valueInput
	for _, line := range inputs(t, "values.txt") {
		parts := strings.SplitN(line, " :: ", 3)
		notation, ok := notations[parts[1]]
		if !ok || len(parts) != 3 {
			t.Fatalf("values.txt: %q", line)
		}
		all = append(all, valueInput{mustParse(t, parts[0]), notation, parts[2]})
	}
	return all
}

// texts checks that every part of a value is a part of its text, and that a null has no parts.
func texts(t *testing.T, v Value) {
	t.Helper()
	if v.IsNull() && v.values != nil {
		t.Fatalf("the null %q has parts", v.Text())
	}
	rest := v.Text()
	for _, inner := range v.values {
		i := strings.Index(rest, inner.Text())
		if i < 0 {
			t.Fatalf("%q is not in what is left of %q", inner.Text(), v.Text())
		}
		rest = rest[i+len(inner.Text()):]
		texts(t, inner)
	}
}

// TestParseValue holds values of each kind of type in each notation.
func TestParseValue(t *testing.T) {
	var out strings.Builder
	for _, in := range valueInputs(t) {
		v, err := in.typ.ParseValue(in.text, in.notation)
		fmt.Fprintf(&out, "> %s :: %s :: %s\n", in.typ, in.notation, in.text)
		var e *ValueError
		switch {
		case err == nil || errors.Is(err, ErrAmbiguous):
			js := v.AppendJSON(nil)
			if !json.Valid(js) {
				t.Errorf("%q of %s: %s is not JSON", in.text, in.typ, js)
			}
			fmt.Fprintf(&out, "%s\n", js)
			if v.Text() != in.text || v.Type().String() != in.typ.String() || v.IsNull() {
				t.Errorf("%q of %s came back as %q of %s", in.text, in.typ, v.Text(), v.Type())
			}
			texts(t, v)
		case !reflect.DeepEqual(v, Value{}):
			t.Errorf("%q of %s: %v beside the error %v", in.text, in.typ, v, err)
		}
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatalf("%T is no *ValueError", err)
			}
			fmt.Fprintf(&out, "error at %d: %s\n", e.Offset, e.Msg)
		}
	}
	golden(t, "values.golden", out.String())
}

func TestAccessors(t *testing.T) {
	read := func(typ, text string) Value {
		t.Helper()
		v, err := mustParse(t, typ).ParseValue(text, CastNotation)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if b, ok := read("BOOLEAN", "TRUE").Bool(); !b || !ok {
		t.Error("Bool")
	}
	if n, ok := read("BIGINT", "-9223372036854775808").Int64(); n != math.MinInt64 || !ok {
		t.Error("Int64", n, ok)
	}
	if d, ok := read("DECIMAL(5, 2)", "-1.50").Decimal(); !ok || d.String() != "-1.50" {
		t.Error("Decimal", d, ok)
	}
	if d, ok := read("INT", "12").Decimal(); !ok || d.String() != "12" {
		t.Error("Decimal of INT", d, ok)
	}
	for text, want := range map[string]float64{"1.0E10": 1e10, "Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "-0.0": 0} {
		if f, ok := read("DOUBLE", text).Float64(); !ok || f != want {
			t.Error("Float64", text, f, ok)
		}
	}
	if f, ok := read("FLOAT", "NaN").Float64(); !ok || !math.IsNaN(f) {
		t.Error("Float64 NaN", f, ok)
	}
	for _, text := range []string{"x'61ff'", "[97, -1]"} {
		if b, ok := read("BYTES", text).Bytes(); !ok || string(b) != "a\xff" {
			t.Error("Bytes", text, b, ok)
		}
	}
	for _, text := range []string{"x''", "[]"} {
		if b, ok := read("BYTES", text).Bytes(); !ok || b == nil || len(b) != 0 {
			t.Error("Bytes", text, b, ok)
		}
	}
	for text, want := range map[string]time.Time{
		"2026-03-01 12:34:56.12":  time.Date(2026, 3, 1, 12, 34, 56, 120_000_000, time.UTC),
		"2026-03-01T12:34":        time.Date(2026, 3, 1, 12, 34, 0, 0, time.UTC),
		"0001-01-01 00:00:00.000": {},
	} {
		if got, ok := read("TIMESTAMP(3)", text).Time(); !ok || !got.Equal(want) {
			t.Error("Time", text, got, ok)
		}
	}
	if got, ok := read("DATE", "2026-03-01").Time(); !ok || !got.Equal(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("Time of DATE", got, ok)
	}
	row := read("ROW<a INT, b MAP<STRING, INT>, c MULTISET<INT>, d INT>", "(1, {k=2}, {7=3}, NULL)")
	if e := row.Elements(); len(e) != 4 || e[0].Text() != "1" || !e[3].IsNull() || e[3].Text() != "NULL" {
		t.Error("Elements", e)
	}
	if e := row.Elements()[0].Elements(); e != nil {
		t.Error("Elements of INT", e)
	}
	if e := row.Elements()[1].Entries(); len(e) != 1 || e[0].Key.Text() != "k" || e[0].Value.Text() != "2" {
		t.Error("Entries", e)
	}
	if n, ok := row.Elements()[2].Entries()[0].Value.Int64(); n != 3 || !ok {
		t.Error("Entries of MULTISET", n, ok)
	}

	// No accessor answers for a null or for a type that is not its own.
	for _, v := range []Value{{}, row.Elements()[3], read("STRING", "TRUE"), read("TIME", "12:00:00"), row} {
		_, b := v.Bool()
		_, i := v.Int64()
		_, d := v.Decimal()
		_, f := v.Float64()
		_, y := v.Bytes()
		_, m := v.Time()
		if b || i || d || f || y || m || v.Entries() != nil {
			t.Errorf("%q of %s: %v %v %v %v %v %v", v.Text(), v.Type(), b, i, d, f, y, m)
		}
	}
	if got := string(Value{}.AppendJSON(nil)); got != "null" {
		t.Errorf("the zero Value is %s", got)
	}
}

func TestValueErrorText(t *testing.T) {
	_, err := mustParse(t, "ARRAY<INT>").ParseValue("[1, \x1b[31m"+strings.Repeat("x", 200), AnyNotation)
	want := `value "[1, \x1b[31m` + strings.Repeat("x", 71) + `"... of type "ARRAY<INT>": offset 4: this does not fit the type`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestDistinctValue(t *testing.T) {
	typ, err := FromJSON([]byte(`{"type":"DISTINCT_TYPE","objectIdentifier":"` + "`c`.`d`.`M`" + `","sourceType":"ROW<` + "`x` INT, `y` DECIMAL(5, 2)" + `>"}`))
	if err != nil {
		t.Fatal(err)
	}
	v, err := typ.ParseValue("(1, 2.50)", CastNotation)
	if got := string(v.AppendJSON(nil)); err != nil || got != `{"x":1,"y":2.50}` || v.Type().Kind() != Distinct {
		t.Errorf("%s %v", got, err)
	}
}

// TestValueSize: hostile texts take time and memory in proportion to their length, and an end.
func TestValueSize(t *testing.T) {
	deep := strings.Repeat("ARRAY<", 99) + "STRING" + strings.Repeat(">", 99)
	for _, test := range []struct{ typ, text string }{
		{"ARRAY<STRING>", "[" + strings.Repeat(", ", 20_000) + "]"},
		{"ROW<a STRING, b STRING, c STRING, d INT>", "(" + strings.Repeat("1, ", 20_000) + "x)"},
		{"ROW<a STRING, b VARIANT>", "(" + strings.Repeat(`{"a":, `, 10_000) + ")"},
		{"ROW<a STRING, b DECIMAL>", "(" + strings.Repeat("1", 20_000) + ")"},
		{"ARRAY<BYTES>", "[" + strings.Repeat("[1, ", 20_000)},
		{"MAP<STRING, STRING>", "{" + strings.Repeat("=", 20_000) + "}"},
		{deep, strings.Repeat("[", 5_000)},
	} {
		start := time.Now()
		_, err := mustParse(t, test.typ).ParseValue(test.text, AnyNotation)
		if err == nil {
			t.Errorf("%.40s: no error", test.text)
		}
		t.Logf("%v for %d bytes of %.40s", time.Since(start), len(test.text), test.typ)
	}
	if _, err := mustParse(t, deep).ParseValue(strings.Repeat("[", 1_000_000), AnyNotation); !errors.Is(err, ErrLength) {
		t.Errorf("%v", err)
	}
}

// validLine says whether a text is JSON on one line, free of control characters.
func validLine(js []byte) bool {
	return json.Valid(js) && utf8.Valid(js) && !strings.ContainsFunc(string(js), unicode.IsControl)
}
