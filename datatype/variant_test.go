package datatype

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// longestJSON finds where the longest JSON value at the start of a text ends by trying every end; -1 if there is none.
func longestJSON(text string) int {
	if text == "" || strings.IndexByte(" \t\r\n", text[0]) >= 0 {
		return -1
	}
	for end := len(text); end > 0; end-- {
		if strings.IndexByte(" \t\r\n", text[end-1]) < 0 && json.Valid([]byte(text[:end])) {
			return end
		}
	}
	return -1
}

func checkJSONEnds(t *testing.T, text string) {
	t.Helper()
	j := newJSONEnds(text)
	for pos := range len(text) + 1 {
		if got, want := j.end(pos), longestJSON(text[pos:]); got != want && (want < 0 || got != pos+want) {
			t.Errorf("in %q the value at %d ends at %d, want %d behind it", text, pos, got, want)
		}
	}
}

var jsonTexts = []string{
	"", "{}", "[]", `{"a":1}`, `{"a":1,"b":[true,null,"x, }"],"c":1.50}`, `{ "a\u00e9\u001b" :  [1 , 2.50, "\n"] }`,
	`[[1],[],{},[{"a":[]}]]`, `{"a":1`, `["a"`, `"\"`, `"\\"`, `"\\\"\u12"`, `"\u12G4"`, "\"a\nb\"", "\"\x7f\xff\"", "0", "-0", "-", "007", "1.", "1.5", "1.5E", "1.5E3", "1e-3x",
	"1E+", "-1.25e+10,", ".5", "true", "trues", "nul", "false]", `[1,]`, `[,1]`, `{"a":1,}`, `{"a" 1}`, `{"a":}`, `{a:1}`, `{"a":{"b":{"c":[[[0]]]}}}`, `[ ]`, `{ }`, `[1 2]`,
	`"x, \"y\"", "a"], ["b\\\\"`, `(a, {"k":"v"}, [1, 2])`,
}

func TestJSONEnds(t *testing.T) {
	for _, text := range jsonTexts {
		checkJSONEnds(t, text)
	}
}

func FuzzJSONEnds(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) <= 64 { // which nests less than maxDepth
			checkJSONEnds(t, text)
		}
	})
}

func TestVariantDepth(t *testing.T) {
	variant := mustParse(t, "VARIANT")
	for depth, ok := range map[int]bool{maxDepth: true, maxDepth + 1: false} {
		for _, text := range []string{
			strings.Repeat("[", depth) + strings.Repeat("]", depth),
			strings.Repeat(`{"a":`, depth-1) + "[]" + strings.Repeat("}", depth-1),
			"[" + strings.Repeat("0,", 100) + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + "]",
		} {
			if _, err := variant.ParseValue(text, CastNotation); (err == nil) != ok {
				t.Errorf("%d levels: %v", depth, err)
			}
		}
	}
}

// TestVariantCost: what it takes to find the VARIANTs in a text grows as the text does. Each of these texts has a place for
// one everywhere, with much to be looked at from there; looking from each anew would take 10^11 steps, which no test lives
// to see.
func TestVariantCost(t *testing.T) {
	const n = 300_000
	for _, test := range []struct{ typ, unit string }{
		{"ARRAY<VARIANT>", `\"`}, {"ARRAY<VARIANT>", "[["}, {"ARRAY<VARIANT>", "11"}, {"ARRAY<VARIANT>", "nu"}, {"ARRAY<VARIANT>", "\"["},
		{"ROW<a STRING, b VARIANT>", `", "`}, {"ROW<a STRING, b VARIANT>", `, "\"`}, {"ROW<a STRING, b VARIANT>", `, {"a":`}, {"MAP<STRING, VARIANT>", `="\"`}, {"VARIANT", `\"`},
	} {
		typ := mustParse(t, test.typ)
		cost := func(n int) (allocs, bytes uint64) {
			text := `["` + strings.Repeat(test.unit, n/len(test.unit))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := typ.ParseValue(text, CastNotation); err == nil || errors.Is(err, ErrLength) {
				t.Errorf("%q of %s: %v", test.unit, typ, err)
			}
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
		}
		few, small := cost(n / 10)
		many, large := cost(n)
		if many > 2*few+100 || large > 15*small || large > 200*n {
			t.Errorf("%s with %q: %d allocations of %d bytes for %d bytes, %d of %d for ten times as many", typ, test.unit, few, small, n/10, many, large)
		}
	}
}
