package tableau

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/width"
)

func TestWideAgreesWithOtherTable(t *testing.T) {
	// The other table is of another Unicode version: code points that were
	// assigned or changed since Unicode 13 may differ, and nothing else.
	differ := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		k := width.LookupRune(r).Kind()
		other := k == width.EastAsianWide || k == width.EastAsianFullwidth
		if other != Wide(r) {
			differ++
		}
	}
	if differ == 0 || differ > 400 {
		t.Errorf("%d code points differ from a table of a later Unicode version; want a few", differ)
	}
	for r, want := range map[rune]bool{'a': false, '金': true, 'ａ': true, 'ｱ': false, 'é': false, '①': false, '😀': true, '𠮷': true, 0x4DC0: false, 0x303F: false,
		0x1100: true, 0x115F: true, 0x1160: false, 0x16FDF: false, 0x16FE0: true, 0x1FAD6: true, 0x1FAD7: false, 0x20000: true, 0x2FFFD: true, 0x2FFFE: false, 0x30000: true, 0x3FFFE: false} {
		if Wide(r) != want {
			t.Errorf("Wide(%q) = %v", r, !want)
		}
	}
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "東京": 4, "ok 😀 done": 11, "👩\u200d🔬": 7, "e\u0301": 2, "𠮷野家": 7, "\xff\xfe": 2, "tab\there": 8, "\U00010000": 2} {
		if got := Width([]byte(text)); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestParseBorder(t *testing.T) {
	for line, want := range map[string]string{
		"+----+":       "[2]",
		"+---+-----+":  "[1 3]",
		"+--+":         "",
		"+---+--+":     "",
		"+----":        "",
		"----+":        "",
		"+----+ ":      "",
		"+----++":      "",
		"+":            "",
		"":             "",
		"+----+-a--+":  "",
		"| +I |  x |":  "",
		"+-----------": "",
	} {
		l, ok := ParseBorder([]byte(line))
		got := ""
		if ok {
			got = fmt.Sprint(l.Widths)
		}
		if got != want {
			t.Errorf("ParseBorder(%q) = %q, want %q", line, got, want)
		}
	}
}

func pad(s string, w int) string { return strings.Repeat(" ", w-Width([]byte(s))) + s }

func TestSplit(t *testing.T) {
	tests := []struct {
		name   string
		widths []int
		cells  []string
		end    string
	}{
		{"narrow", []int{2, 1}, []string{"+I", "x"}, "\n"},
		{"padding", []int{2, 14}, []string{"+I", "gold 1"}, "\n"},
		{"blank", []int{2, 14, 1}, []string{"+I", "", ""}, "\n"},
		{"bar", []int{2, 14}, []string{"+I", "a | b | c"}, "\n"},
		{"newline", []int{2, 14}, []string{"+I", "two\nrow"}, "\n"},
		{"row in a cell", []int{2, 20, 5}, []string{"+I", "x\n| +I | y |", "1"}, "\n"},
		{"border in a cell", []int{2, 20, 5}, []string{"+I", "x\n+----+-----+\ny", "1"}, "\n"},
		{"wide", []int{2, 14, 1}, []string{"+I", "金色 go", "1"}, "\n"},
		{"wide in narrow columns", []int{2, 2, 3}, []string{"+I", "金", "金a"}, "\n"},
		{"emoji", []int{2, 14}, []string{"+I", "ok 😀"}, "\n"},
		{"joined emoji", []int{2, 14}, []string{"+I", "👩\u200d🔬 lab"}, "\n"},
		{"trailing blanks", []int{2, 14}, []string{"+I", "go   "}, "\n"},
		{"carriage return", []int{2, 14}, []string{"+I", "go\ra"}, "\r\n"},
		{"two carriage returns", []int{2, 1}, []string{"+I", "1"}, "\r\r\n"},
		{"broken UTF-8", []int{2, 12}, []string{"+I", "a\xe9\xffb"}, "\n"},
		{"three bytes a column", []int{8, 10}, []string{"①②③④⑤⑥⑦⑧", "①②③④⑤⑥⑦⑧⑨⑩"}, "\r\r\n"},
		{"full", []int{2, 10}, []string{"+I", "abcdefghij"}, "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			row, border := "|", "+"
			for i, w := range test.widths {
				row += " " + pad(test.cells[i], w) + " |"
				border += strings.Repeat("-", w+2) + "+"
			}
			row += test.end
			l, ok := ParseBorder([]byte(border))
			if !ok {
				t.Fatal("no border")
			}
			for _, tail := range []string{"", "| +I | next row, long enough for word loads |\n"} {
				cells := make([]Cell, len(l.Widths))
				n, out := l.Split([]byte(row+tail), cells)
				if out != Whole || n != len(row) {
					t.Fatalf("Split = %d, %v; want %d", n, out, len(row))
				}
				if n > l.MaxRow()+len("\r\r") {
					t.Errorf("a row of %d bytes, but none has more than %d", n, l.MaxRow())
				}
				for i, c := range cells {
					if got := row[c.From:c.To]; got != test.cells[i] {
						t.Errorf("cell %d = %q, want %q", i, got, test.cells[i])
					}
					if got := row[c.Start-2 : c.Start]; got != "| " {
						t.Errorf("cell %d starts behind %q", i, got)
					}
				}
			}
			for i := range row {
				cells := make([]Cell, len(l.Widths))
				if _, out := l.Split([]byte(row[:i]), cells); out != Short {
					t.Errorf("the first %d bytes: outcome %v, want Short", i, out)
				}
			}
		})
	}
}

func TestSplitMismatch(t *testing.T) {
	l, _ := ParseBorder([]byte("+----+--------------+"))
	cells := make([]Cell, len(l.Widths))
	if n, out := l.Split([]byte("| +I |            a |\n"), cells); out != Whole {
		t.Fatalf("the row that the others nearly are: %d, %v", n, out)
	}
	for _, row := range []string{
		"+----+--------------+\n",
		"| +I |          ?? |\n| +I |           12 |\n",
		"| +I |            a | |\n",
		"| +I |            a |x\n",
		"| +I  |            a |\n",
		"| +I |x           a |\n",
		"| +I +            a |\n",
		"| +I |            a +\n",
		"| +I |            金 |\n",
		"| +I |           a金 |\n",
		"| +I |           a金a |\n",
		"Received a total of 3 rows\n",
		"\n",
	} {
		if n, out := l.Split([]byte(row), cells); out == Whole {
			t.Errorf("Split(%q) = %d, Whole", row, n)
		}
	}
}

// naiveSplit is Split without any of its shortcuts.
func naiveSplit(l *Layout, data []byte) (cells []string, n int, ok bool) {
	p := 0
	take := func(s string) bool {
		if !strings.HasPrefix(string(data[p:]), s) {
			return false
		}
		p += len(s)
		return true
	}
	if !take("| ") {
		return nil, 0, false
	}
	for i, w := range l.Widths {
		start := p
		for cols := 0; cols < w; {
			if p >= len(data) || !utf8.FullRune(data[p:]) {
				return nil, 0, false
			}
			r, size := utf8.DecodeRune(data[p:])
			cols += RuneWidth(r)
			p += size
			if cols > w {
				return nil, 0, false
			}
		}
		cells = append(cells, strings.TrimLeft(string(data[start:p]), " "))
		bar := " | "
		if i == len(l.Widths)-1 {
			bar = " |"
		}
		if !take(bar) {
			return nil, 0, false
		}
	}
	for range maxReturns {
		take("\r")
	}
	ok = take("\n")
	return cells, p, ok
}

// Rows of characters of every length, and of bytes that are none, are found as the
// naive splitter finds them, wherever the data end behind them.
func TestSplitAgreesWithNaive(t *testing.T) {
	pieces := []string{"a", " ", "|", "\n", "é", "\u00a0", "ж", "金", "한", "\u2192", "\ufffd", "😀", "\U000e0100",
		"\x80", "\xc3", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\x9f\xbf", "\xed\xa0\x80", "\xef\xbf", "\xf4\x90\x80\x80"}
	rng := rand.New(rand.NewPCG(1, 2))
	found, printed := 0, 0
	for range 100_000 {
		border, row := "+", "|"
		for range 1 + rng.IntN(4) {
			w := 1 + rng.IntN(20)
			cell := ""
			for next := cell; Width([]byte(next)) <= w && rng.IntN(8) > 0; next += pieces[rng.IntN(1+rng.IntN(len(pieces)))] {
				cell = next
			}
			border += strings.Repeat("-", w+2) + "+"
			row += " " + pad(cell, w) + " |"
		}
		row += "\n"
		data := []byte(row + strings.Repeat("| tail |\n", rng.IntN(12)))
		if rng.IntN(2) == 0 {
			data[rng.IntN(len(row))] = " |\nx\x80\xe9"[rng.IntN(6)]
		}
		l, ok := ParseBorder([]byte(border))
		if !ok {
			t.Fatalf("no border: %s", border)
		}
		if rng.IntN(2) == 0 {
			data = append(data, make([]byte, 3*inkBytes)...)[:len(data)]
		}
		want, wantN, ok := naiveSplit(l, data)
		for _, l := range bothWays(l) {
			cells := make([]Cell, len(l.Widths))
			n, out, text := l.SplitText(data, cells)
			if ok != (out == Whole) {
				t.Fatalf("%q below %s: outcome %v, but the naive splitter says %v", data, border, out, ok)
			}
			if !ok {
				continue
			}
			found++
			if n != wantN || (text&UTF8 != 0) != utf8.Valid(data[:n]) {
				t.Fatalf("%q below %s: %d bytes, UTF-8 %b, want %d, %v", data, border, n, text, wantN, utf8.Valid(data[:n]))
			}
			if text&Printed != 0 {
				printed++
				if i := slices.IndexFunc(data, func(c byte) bool { return c < ' ' }); i != n-1 {
					t.Fatalf("%q has a byte below a blank at %d, but is taken for printed", data[:n], i)
				}
			}
			for i, c := range cells {
				if got := string(data[c.From:c.To]); got != want[i] {
					t.Fatalf("%q below %s: cell %d = %q, want %q", data, border, i, got, want[i])
				}
			}
		}
	}
	if found < 100_000 || hasAVX2 && printed < 20_000 {
		t.Errorf("only %d rows were found, %d taken for printed", found, printed)
	}
}

// Cells found by words of masks are those that the naive splitter finds: in rows of many
// columns, with much behind them, and where the data end within a row whose rest is
// still behind them, as in a buffer.
func TestSplitWordsAgreesWithNaive(t *testing.T) {
	pieces := []string{"a", " ", "b", "c", "|", "é", "ж", "金", "\u2192", "\u2192", "😀", "\n", "\x80"}
	rng := rand.New(rand.NewPCG(3, 4))
	byWords := 0
	for range 30_000 {
		border, row := "+", "|"
		some := pieces[:1+rng.IntN(len(pieces))]
		for range 1 + rng.IntN(30) {
			w := 1 + rng.IntN(1+rng.IntN(70))
			cell := ""
			for next := cell; Width([]byte(next)) <= w && rng.IntN(40) > 0; next += some[rng.IntN(len(some))] {
				cell = next
			}
			border += strings.Repeat("-", w+2) + "+"
			row += " " + pad(cell, w) + " |"
		}
		row += "\n"
		data := []byte(strings.Repeat(row, 1+rng.IntN(3)) + strings.Repeat("| tail |\n", rng.IntN(60)))
		if rng.IntN(4) == 0 {
			data[rng.IntN(len(row))] = " |\nx\x80\xe9"[rng.IntN(6)]
		}
		data = append(data, make([]byte, rng.IntN(1200))...)[:len(data)]
		if rng.IntN(2) == 0 {
			data = data[:rng.IntN(len(data))]
		}
		l, ok := ParseBorder([]byte(border))
		if !ok {
			t.Fatalf("no border: %s", border)
		}
		for _, l := range bothWays(l) {
			checkSplit(t, l, data)
		}
		if len(data) > 1 {
			n, _, _ := l.splitWords(data, make([]Cell, len(l.Widths)))
			byWords += n
		}
	}
	if hasAVX2 && byWords < 100_000 {
		t.Errorf("only %d cells were found by words", byWords)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("+----+--------------+", "| +I |     金色 go |\n")
	f.Add("+---+", "| 1 |"+strings.Repeat("\r", maxReturns+1)+"\n")
	f.Add("+---+", "| 1 |"+strings.Repeat("\r", maxReturns)+"\n")
	f.Add("+---+----+-----+-------------+", "| 1 | -U |  ab |     x\n| y | |\r\n| 2 |")
	f.Fuzz(func(t *testing.T, border, data string) {
		l, ok := ParseBorder([]byte(border))
		if !ok {
			return
		}
		for _, l := range bothWays(l) {
			checkPlain(t, l, []byte(data))
			checkSplit(t, l, []byte(data))
			checkSplit(t, l, append([]byte(data), make([]byte, 1000)...)[:len(data)])
		}
	})
}

func checkSplit(t *testing.T, l *Layout, data []byte) {
	cells := make([]Cell, len(l.Widths))
	n, out := l.Split(data, cells)
	want, wantN, ok := naiveSplit(l, data)
	if ok != (out == Whole) {
		t.Fatalf("outcome %v, but the naive splitter says %v", out, ok)
	}
	if !ok {
		return
	}
	if n != wantN || n > l.MaxRow()+maxReturns {
		t.Fatalf("length %d, want %d", n, wantN)
	}
	for i, c := range cells {
		if got := string(data[c.From:c.To]); got != want[i] {
			t.Fatalf("cell %d = %q, want %q", i, got, want[i])
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	l, _ := ParseBorder([]byte("+----+--------------------------------+--------------------------------+----------------------+----------------------+"))
	for _, kind := range []struct{ name, a, b string }{{"ascii", "silver", "the quick brown fox"}, {"wide", "東京都渋谷区", "金色 gold"}} {
		b.Run(kind.name, func(b *testing.B) {
			row := []byte("| +U | " + pad(kind.a, 30) + " | " + pad(kind.b, 30) + " | " + pad("12345", 20) + " | " + pad("1234.50", 20) + " |\n")
			cells := make([]Cell, 5)
			b.SetBytes(int64(len(row)))
			b.ReportAllocs()
			for b.Loop() {
				if _, out := l.Split(row, cells); out != Whole {
					b.Fatal(out)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
