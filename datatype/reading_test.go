package datatype

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// naive gives every reading of a text as JSON of a kind, shortest strings first, by trying every way to cut it. It is what
// the automaton is tested against, and takes exponential time.
func naive(t Type, text string, n Notation, inner bool) []string {
	nullable := inner && (t.IsNullable() || t.Kind() == Null)
	var all []string
	if nullable && text == n.nullWord() {
		all = append(all, "null")
	}
	between := func(open, closed string) (string, bool) {
		rest, ok := strings.CutPrefix(text, open)
		if !ok {
			return "", false
		}
		return strings.CutSuffix(rest, closed)
	}
	join := func(open, closed string, readings [][]string) {
		for _, r := range readings {
			all = append(all, open+strings.Join(r, " ")+closed)
		}
	}
	switch t.Kind() {
	case Array:
		if rest, ok := between("[", "]"); ok {
			join("[", "]", naiveList(rest, func(s string) []string { return naive(t.Element(), s, n, true) }))
		}
	case Map, Multiset:
		if rest, ok := between("{", "}"); ok {
			join("{", "}", naiveList(rest, func(s string) (entries []string) {
				for i := range s {
					if s[i] != '=' {
						continue
					}
					key, value, valueInner := t.Key(), t.Value(), true
					if t.Kind() == Multiset {
						key, value, valueInner = t.Element(), Type{kind: Integer}, false
					}
					for _, k := range naive(key, s[:i], n, true) {
						for _, v := range naive(value, s[i+1:], n, valueInner) {
							entries = append(entries, k+"="+v)
						}
					}
				}
				return entries
			}))
		}
	case Row:
		if rest, ok := between("(", ")"); ok && n == CastNotation {
			join("(", ")", naiveFields(t.Fields(), rest, n))
		}
		if n == OldJavaNotation {
			join("(", ")", naiveFields(t.Fields(), text, n))
		}
		for _, kind := range []string{"+I[", "-U[", "+U[", "-D["} {
			if rest, ok := between(kind, "]"); ok && n == JavaNotation {
				join("(", ")", naiveFields(t.Fields(), rest, n))
			}
		}
	default:
		match := matcherOf(t.Kind())
		switch {
		case match == nil && !(nullable && text == n.nullWord()):
			all = append(all, strconv.Quote(text))
		case match != nil && text != "" && match(text, 0) == len(text):
			all = append(all, text)
		}
	}
	return all
}

// naiveList gives the readings of a list's inside: no item, or items with commas between.
func naiveList(text string, item func(string) []string) (readings [][]string) {
	if text == "" {
		readings = append(readings, nil)
	}
	return append(readings, naiveItems(text, item)...)
}

func naiveItems(text string, item func(string) []string) (readings [][]string) {
	for i := range len(text) {
		if !strings.HasPrefix(text[i:], ", ") {
			continue
		}
		for _, first := range item(text[:i]) {
			for _, rest := range naiveItems(text[i+2:], item) {
				readings = append(readings, append([]string{first}, rest...))
			}
		}
	}
	for _, last := range item(text) {
		readings = append(readings, []string{last})
	}
	return readings
}

func naiveFields(fields []Field, text string, n Notation) (readings [][]string) {
	switch len(fields) {
	case 0:
		if text == "" {
			readings = append(readings, nil)
		}
	case 1:
		for _, last := range naive(fields[0].Type, text, n, true) {
			readings = append(readings, []string{last})
		}
	default:
		separator := n.separator()
		for i := range len(text) {
			if !strings.HasPrefix(text[i:], separator) {
				continue
			}
			for _, first := range naive(fields[0].Type, text[:i], n, true) {
				for _, rest := range naiveFields(fields[1:], text[i+len(separator):], n) {
					readings = append(readings, append([]string{first}, rest...))
				}
			}
		}
	}
	return readings
}

// reading writes a value in the manner of naive.
func reading(v Value) string {
	if v.IsNull() {
		return "null"
	}
	var inner []string
	switch v.Type().Kind() {
	case Array, Row:
		for _, e := range v.Elements() {
			inner = append(inner, reading(e))
		}
	case Map, Multiset:
		for _, e := range v.Entries() {
			inner = append(inner, reading(e.Key)+"="+reading(e.Value))
		}
	default:
		if matcherOf(v.Type().Kind()) == nil {
			return strconv.Quote(v.Text())
		}
		return v.Text()
	}
	brackets := map[Kind]string{Array: "[]", Row: "()", Map: "{}", Multiset: "{}"}[v.Type().Kind()]
	return brackets[:1] + strings.Join(inner, " ") + brackets[1:]
}

// printer prints random values as Flink would, and says what they are.
type printer struct {
	*rand.Rand
	notation Notation
}

func (p printer) print(t Type, inner bool) (text, meaning string) {
	if inner && t.IsNullable() && p.IntN(5) == 0 {
		return p.notation.nullWord(), "null"
	}
	list := func(open, closed string, n int, item func(i int) (string, string)) (string, string) {
		var texts, meanings []string
		for i := range n {
			text, meaning := item(i)
			texts, meanings = append(texts, text), append(meanings, meaning)
		}
		if t.Kind() == Row {
			return open + strings.Join(texts, p.notation.separator()) + closed, "(" + strings.Join(meanings, " ") + ")"
		}
		return open + strings.Join(texts, ", ") + closed, open + strings.Join(meanings, " ") + closed
	}
	entry := func(key Type, value func() (string, string)) func(int) (string, string) {
		return func(int) (string, string) {
			k, kMeans := p.print(key, true)
			v, vMeans := value()
			return k + "=" + v, kMeans + "=" + vMeans
		}
	}
	integer := func() (string, string) {
		n := strconv.Itoa(p.IntN(30) - 10)
		return n, n
	}
	switch t.Kind() {
	case Array:
		return list("[", "]", p.IntN(3), func(int) (string, string) { return p.print(t.Element(), true) })
	case Map:
		return list("{", "}", p.IntN(3), entry(t.Key(), func() (string, string) { return p.print(t.Value(), true) }))
	case Multiset:
		return list("{", "}", p.IntN(3), entry(t.Element(), integer))
	case Row:
		open, closed := "(", ")"
		switch p.notation {
		case JavaNotation:
			open, closed = "+I[", "]"
		case OldJavaNotation:
			open, closed = "", ""
		}
		return list(open, closed, len(t.Fields()), func(i int) (string, string) { return p.print(t.Fields()[i].Type, true) })
	case Integer:
		return integer()
	case Boolean:
		b := []string{"TRUE", "FALSE"}[p.IntN(2)]
		return b, b
	}
	words := []string{"a", "b", ", ", ",", " ", "=", "[", "]", "(", ")", "{", "}", "NULL", "null", "1", "+I["}
	for {
		var b strings.Builder
		for range p.IntN(4) {
			b.WriteString(words[p.IntN(len(words))])
		}
		if s := b.String(); s != p.notation.nullWord() || !t.IsNullable() {
			return s, strconv.Quote(s)
		}
	}
}

var readingTypes = []string{
	"ARRAY<STRING>", "ARRAY<STRING NOT NULL>", "ARRAY<INT>", "ARRAY<ARRAY<STRING>>", "MAP<STRING, STRING>", "MAP<STRING, INT>",
	"MAP<INT, STRING NOT NULL>", "MULTISET<STRING>", "ROW<a INT, b STRING, c INT>", "ROW<a STRING, b STRING>", "ROW<a STRING>", "ROW<>",
	"ARRAY<ROW<a INT, b STRING>>", "ROW<a ROW<b STRING, c BOOLEAN>, d MAP<STRING, ARRAY<INT>>>", "ROW<a ARRAY<BOOLEAN NOT NULL>, b STRING NOT NULL>",
}

// TestNeverGuess: whatever Flink prints is read as what it was, or as ambiguous; and it is ambiguous exactly if there is
// another reading.
func TestNeverGuess(t *testing.T) {
	certain, ambiguous := 0, 0
	for _, notation := range []Notation{CastNotation, JavaNotation, OldJavaNotation} {
		p := printer{rand.New(rand.NewPCG(1, uint64(notation))), notation}
		for _, text := range readingTypes {
			typ := mustParse(t, text)
			for range 300 {
				printed, meaning := p.print(typ, false)
				if len(printed) > 40 {
					continue
				}
				checkReadings(t, typ, printed, notation, &certain, &ambiguous)
				v, err := typ.ParseValue(printed, notation)
				if err == nil && reading(v) != meaning {
					t.Errorf("%s printed as %q of %s in %s notation is read as %s", meaning, printed, typ, notation, reading(v))
				}
				if v.IsNull() {
					t.Errorf("%s printed as %q of %s in %s notation is not read: %v", meaning, printed, typ, notation, err)
				}
				if notation == OldJavaNotation {
					continue // which is none that the client uses
				}
				if _, err := typ.ParseValue(printed, AnyNotation); err != nil && !errors.Is(err, ErrAmbiguous) {
					t.Errorf("%q of %s is not read in any notation: %v", printed, typ, err)
				}
			}
		}
	}
	if certain < 1000 || ambiguous < 1000 {
		t.Errorf("%d certain, %d ambiguous: the test does not see both", certain, ambiguous)
	}
}

// checkReadings compares what the automaton makes of a text with all that can be made of it.
func checkReadings(t *testing.T, typ Type, text string, notation Notation, certain, ambiguous *int) {
	t.Helper()
	want := naive(typ, text, notation, false)
	v, err := typ.ParseValue(text, notation)
	switch {
	case len(want) == 0:
		if err == nil || errors.Is(err, ErrAmbiguous) {
			t.Errorf("%q of %s in %s notation has no reading, not %s", text, typ, notation, reading(v))
		}
	case len(want) == 1 && err != nil, len(want) > 1 && !errors.Is(err, ErrAmbiguous), reading(v) != want[0]:
		t.Errorf("%q of %s in %s notation: read %s, %v; readings %s", text, typ, notation, reading(v), err, want[:min(len(want), 5)])
	case len(want) == 1:
		*certain++
	default:
		*ambiguous++
	}
}

// FuzzValue reads any text by any type: no panic, no text lost, every string and number in its place.
func FuzzValue(f *testing.F) {
	for _, in := range valueInputs(f) {
		f.Add(in.typ.String(), uint8(in.notation), in.text)
	}
	for _, text := range readingTypes {
		f.Add(text, uint8(CastNotation), "[a, b]")
	}
	f.Fuzz(func(t *testing.T, typeText string, n uint8, text string) {
		typ, err := Parse(typeText)
		if err != nil || len(text) > 300 || len(typeText) > 300 {
			return
		}
		notation := Notation(n % 4)
		v, err := typ.ParseValue(text, notation)
		if err != nil {
			var e *ValueError
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(text) || e.Text != text {
				t.Fatalf("%T %v", err, err)
			}
			if !errors.Is(err, ErrAmbiguous) {
				return
			}
		}
		if v.Text() != text {
			t.Fatalf("%q came back as %q", text, v.Text())
		}
		texts(t, v)
		if js := v.AppendJSON(nil); !validLine(js) {
			t.Fatalf("%q of %s: %q is not a line of JSON", text, typ, js)
		}
		if len(text) <= 24 && notation != AnyNotation && slices.Contains(readingTypes, typeText) {
			checkReadings(t, typ, text, notation, new(int), new(int))
		}
	})
}
