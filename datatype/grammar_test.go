package datatype

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// inputs gives the lines of a file of inputs without its comments. A line may be empty: so may an input.
func inputs(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if !strings.HasPrefix(s.Text(), "#") {
			lines = append(lines, s.Text())
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s holds no input", name)
	}
	return lines
}

// describe says all that a type tells, one line for each type in it.
func describe(t Type, indent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v", t.Kind())
	if !t.IsNullable() {
		b.WriteString(" not null")
	}
	if t.TimeAttribute() != NoTimeAttribute {
		fmt.Fprintf(&b, " %v", t.TimeAttribute())
	}
	if t.Resolution() != NoResolution {
		fmt.Fprintf(&b, " %v", t.Resolution())
	}
	for _, number := range []struct {
		name string
		of   func() (int, bool)
	}{{"length", t.Length}, {"precision", t.Precision}, {"scale", t.Scale}, {"fraction", t.FractionalPrecision}} {
		n, given := number.of()
		switch {
		case given:
			fmt.Fprintf(&b, " %s=%d", number.name, n)
		case n >= 0:
			fmt.Fprintf(&b, " %s=(%d)", number.name, n)
		}
	}
	for _, s := range []struct{ name, text string }{{"class", t.Class()}, {"serializer", t.Serializer()}, {"description", t.Description()}} {
		if s.text != "" {
			fmt.Fprintf(&b, " %s=%q", s.name, s.text)
		}
	}
	if t.Path() != nil {
		fmt.Fprintf(&b, " path=%q", t.Path())
	}
	fmt.Fprintf(&b, "  %s\n", t)
	for _, inner := range []struct {
		name string
		t    Type
	}{{"element", t.Element()}, {"key", t.Key()}, {"value", t.Value()}, {"source", t.Source()}} {
		if !reflect.DeepEqual(inner.t, Type{}) {
			fmt.Fprintf(&b, "%s  %s: %s", indent, inner.name, describe(inner.t, indent+"  "))
		}
	}
	for _, f := range t.Fields() {
		fmt.Fprintf(&b, "%s  %q", indent, f.Name)
		if f.Description != "" {
			fmt.Fprintf(&b, " %q", f.Description)
		}
		fmt.Fprintf(&b, ": %s", describe(f.Type, indent+"  "))
	}
	return b.String()
}

func TestGrammar(t *testing.T) {
	golden(t, "grammar.ebnf", typeParser().String()+"\n")
}

// TestParse holds one input for each alternative of the grammar and for each way to be wrong.
func TestParse(t *testing.T) {
	var out strings.Builder
	for _, text := range inputs(t, "types.txt") {
		typ, err := Parse(text)
		fmt.Fprintf(&out, "> %s\n", text)
		var e *SyntaxError
		switch {
		case errors.As(err, &e):
			fmt.Fprintf(&out, "error at %d: %s\n", e.Offset, e.Msg)
			if !reflect.DeepEqual(typ, Type{}) {
				t.Errorf("Parse(%q) gives %v beside the error %v", text, typ, err)
			}
		case err != nil:
			t.Errorf("Parse(%q): %T is no *SyntaxError", text, err)
		default:
			out.WriteString(describe(typ, ""))
			if typ.String() != text || typ.Raw() != text {
				t.Errorf("Parse(%q) gives back %q, %q", text, typ, typ.Raw())
			}
		}
	}
	golden(t, "types.golden", out.String())
}

// TestCanonicalAgrees checks the fast reader against the grammar, and that it takes what it is there for.
func TestCanonicalAgrees(t *testing.T) {
	taken := 0
	for _, text := range inputs(t, "types.txt") {
		fast, ok := parseCanonical(text)
		if !ok {
			continue
		}
		taken++
		slow, err := parseGrammar(text)
		if err != nil || !reflect.DeepEqual(fast, slow) {
			t.Errorf("%q: fast %s slow %s %v", text, describe(fast, ""), describe(slow, ""), err)
		}
	}
	if taken < 50 {
		t.Errorf("the fast reader took only %d texts", taken)
	}
}

func TestFromJSON(t *testing.T) {
	var out strings.Builder
	for _, text := range inputs(t, "json.txt") {
		typ, err := FromJSON([]byte(text))
		fmt.Fprintf(&out, "> %s\n", text)
		var e *SyntaxError
		switch {
		case errors.As(err, &e):
			fmt.Fprintf(&out, "error at %d of %s: %s\n", e.Offset, e.Text, e.Msg)
		case err != nil:
			t.Errorf("FromJSON(%q): %T is no *SyntaxError", text, err)
		default:
			out.WriteString(describe(typ, ""))
			if strings.HasPrefix(text, `{"type"`) && typ.Raw() != text {
				t.Errorf("FromJSON(%s) keeps %s", text, typ.Raw())
			}
		}
	}
	golden(t, "json.golden", out.String())
}

func TestDepth(t *testing.T) {
	for name, test := range map[string]struct {
		read func(string) (Type, error)
		text func(n int) string
	}{
		"canonical": {Parse, func(n int) string { return strings.Repeat("ARRAY<", n) + "INT" + strings.Repeat(">", n) }},
		"grammar":   {Parse, func(n int) string { return strings.Repeat("row(a ", n) + "int" + strings.Repeat(")", n) }},
		"postfix":   {Parse, func(n int) string { return "int" + strings.Repeat(" ARRAY", n) }},
		"json": {fromJSON, func(n int) string {
			return strings.Repeat(`{"type":"ROW","fields":[{"name":"a","fieldType":`, n) + `"INT"` + strings.Repeat(`}]}`, n)
		}},
	} {
		deepest, err := test.read(test.text(maxDepth - 1))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, err := Parse(deepest.String()); err != nil || !again.Equal(deepest) {
			t.Errorf("%s: the deepest type does not come back: %v", name, err)
		}
		for _, n := range []int{maxDepth + 1, 5_000} {
			if _, err := test.read(test.text(n)); !errors.Is(err, ErrDepth) {
				t.Errorf("%s: %d levels: %v", name, n, err)
			}
		}
	}
	for _, text := range []string{strings.Repeat("[", 1_000_000), strings.Repeat(`{"type":`, 1_000_000)} {
		if _, err := FromJSON([]byte(text)); !errors.Is(err, ErrDepth) {
			t.Errorf("open JSON: %v", err)
		}
	}
}

func fromJSON(text string) (Type, error) { return FromJSON([]byte(text)) }

func TestLength(t *testing.T) {
	long := "row<" + strings.Repeat("a int, ", maxText) + "b int>"
	if _, err := Parse(long); !errors.Is(err, ErrLength) {
		t.Errorf("%v", err)
	}
	plans := "ROW<" + strings.Repeat("`a` INT, ", maxText) + "`b` INT>"
	typ, err := Parse(plans)
	if err != nil || len(typ.Fields()) != maxText+1 {
		t.Errorf("a long row of a plan: %d fields, %v", len(typ.Fields()), err)
	}
}

func TestEqual(t *testing.T) {
	for _, same := range [][]string{
		{"STRING", "VARCHAR(2147483647)", "varchar(2147483647) null"},
		{"DECIMAL", "DEC(10)", "NUMERIC(10, 0)"},
		{"TIMESTAMP", "TIMESTAMP(6)", "TIMESTAMP(6) WITHOUT TIME ZONE"},
		{"TIMESTAMP_LTZ(3)", "TIMESTAMP(3) WITH LOCAL TIME ZONE"},
		{"TIMESTAMP(3) WITH TIME ZONE"},
		{"TIMESTAMP(3)"},
		{"TIMESTAMP(3) *ROWTIME*"},
		{"INTERVAL SECOND", "INTERVAL SECOND(6)"},
		{"INTERVAL DAY", "INTERVAL DAY(2)"},
		{"CHAR", "CHAR(1)"},
		{"VARCHAR"},
		{"INT ARRAY", "ARRAY<INT>"},
		{"ARRAY<INT NOT NULL>"},
		{"ARRAY<INT> NOT NULL"},
		{"INT MULTISET"},
		{"ROW<a INT>", "ROW<`a` INT>", "ROW(a INTEGER)"},
		{"ROW<b INT>"},
		{"ROW<a INT 'x'>"},
		{"ROW<a INT, b INT>"},
		{"MAP<INT, STRING>"},
		{"MAP<STRING, INT>"},
		{"LEGACY('DECIMAL', 'DECIMAL')"},
		{"a.b", "`a`.`b`"},
		{"`a.b`"},
		{"RAW('a', 'b')"},
		{"RAW('a', 'c')"},
		{"*a.B<`x` INT>*", "STRUCTURED<'a.B', x INT>"},
	} {
		for _, x := range same {
			for _, y := range same {
				if !mustParse(t, x).Equal(mustParse(t, y)) {
					t.Errorf("%s is not %s", x, y)
				}
			}
		}
		equalTypes = append(equalTypes, mustParse(t, same[0]))
	}
	for i, x := range equalTypes {
		for j, y := range equalTypes {
			if x.Equal(y) != (i == j) {
				t.Errorf("%v Equal %v: %v", x, y, x.Equal(y))
			}
		}
	}
}

var equalTypes []Type

func mustParse(t testing.TB, text string) Type {
	t.Helper()
	typ, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// TestZero: the zero values mean none and unknown, and nothing panics on them.
func TestZero(t *testing.T) {
	var zero Type
	if got, want := describe(zero, ""), "unknown  \n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !zero.Equal(Type{}) || zero.Equal(mustParse(t, "INT")) {
		t.Error("the zero type equals itself alone")
	}
	if got := fmt.Sprint(Kind(200), TimeAttribute(9), Resolution(99), NoTimeAttribute, NoResolution); got != "Kind(200) TimeAttribute(9) Resolution(99)  " {
		t.Errorf("%q", got)
	}
}

// TestErrorText: a message shows what is around the trouble, and no control character of the input.
func TestErrorText(t *testing.T) {
	_, err := Parse("ROW<`\x1b[31m` INT, " + strings.Repeat("`a` INT, ", 100) + "`b` NOT>")
	const want = "data type ...\"`a` INT, `a` INT, `a` INT, `a` INT, `b` NOT>\": offset 921: unexpected \"NOT\""
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = Parse("ROW<`\x1b[31m` INT")
	if err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%v", err)
	}
}
