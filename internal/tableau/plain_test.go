package tableau

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// bothWays returns a layout as it is, and as it is on a processor without the
// instructions that make words of a row.
func bothWays(l *Layout) []*Layout {
	portable := *l
	portable.frames = frames{}
	return []*Layout{l, &portable}
}

// layouts returns the layout of so wide columns, bothWays.
func layouts(t testing.TB, widths ...int) []*Layout {
	border := "+"
	for _, w := range widths {
		border += strings.Repeat("-", w+2) + "+"
	}
	l, ok := ParseBorder([]byte(border))
	if !ok {
		t.Fatalf("no border: %s", border)
	}
	return bothWays(l)
}

// checkPlain compares what is said of the rows that data begin with with what Split
// says of them: plain are those of ASCII alone.
func checkPlain(t *testing.T, l *Layout, data []byte) {
	t.Helper()
	const most = 5
	columns := len(l.Widths)
	ink, looks := slices.Repeat([]uint64{0xAAAA}, most*l.InkWords()+1), make([]Looks, most)
	counts := slices.Repeat([]uint16{0xAAAA}, most*columns+1)
	n := l.Plain(data, ink, looks)
	if !l.Blanks(counts, ink, n) {
		for i := range n {
			l.RowBlanks(counts[i*columns:], data[i*(len(l.Border)+1):])
		}
	}
	cells := make([]Cell, columns)
	for i := range most {
		size, out := l.Split(data, cells)
		plain := out == Whole && size == len(l.Border)+1 && !slices.ContainsFunc(data[:size], func(c byte) bool { return c >= utf8.RuneSelf })
		if plain != (i < n) {
			t.Fatalf("of %q below %s %d rows are plain", data, l.Border, n)
		}
		if !plain {
			break
		}
		var ends Endings
		for c, cell := range cells {
			if p := l.Places[c]; p.Width != l.Widths[c] || cell.Start != p.Start || cell.To != p.Start+p.Width {
				t.Fatalf("cell %d of %q is %v, but its column is at %v", c, data[:size], cell, p)
			}
			if got, want := int(counts[i*columns+c]), cell.From-cell.Start; got != want {
				t.Fatalf("cell %d of %q begins with %d blanks, not %d", c, data[:size], want, got)
			}
			switch data[cell.To-1] {
			case '>', ')':
				ends |= EndBracket
			case '.':
				ends |= EndDot
			}
		}
		want := Looks(0)
		if slices.ContainsFunc(data[:size-1], func(c byte) bool { return c < ' ' }) {
			want = LookEnds | LookBelow
		} else if ends != 0 {
			want = LookEnds
		}
		if looks[i] != want {
			t.Fatalf("in %q, whose endings are %b, to be looked at is %b, want %b", data[:size], ends, looks[i], want)
		}
		data = data[size:]
	}
	if counts[n*columns] != 0xAAAA || ink[most*l.InkWords()] != 0xAAAA {
		t.Fatalf("of %d rows, their ink or blanks are written to where no room is", n)
	}
}

var plainWidths = [][]int{{1}, {2}, {3, 1}, {2, 4, 5}, {6, 7, 8}, {2, 9, 30}, {2, 30, 30, 20, 20}, {2, 100, 1},
	{2, 52}, {2, 53}, {2, 54}, {56, 57, 58, 63, 64, 65}, {2, 300, 128}}

func TestPlain(t *testing.T) {
	for _, widths := range plainWidths {
		for _, l := range layouts(t, widths...) {
			row := "|"
			for i, w := range widths {
				row += " " + pad(strings.Repeat("x", i%(w+1)), w) + " |"
			}
			row += "\n"
			for at := range len(row) {
				for _, c := range []byte(" !|\nx>).-\r\t\x00\x1f\x7f\x80\xff") {
					for _, tail := range []string{"", row, strings.Repeat(row, 3), "\xff\xff"} {
						changed := []byte(row + tail)
						checkPlain(t, l, changed)
						changed[at] = c
						checkPlain(t, l, changed)
						checkPlain(t, l, slices.Clip(changed))
					}
				}
				checkPlain(t, l, []byte(row[:at]))
			}
			// Blanks in front, at each length.
			for i, w := range widths {
				for n := range w + 1 {
					changed := []byte(row + row)
					copy(changed[l.Places[i].Start:], strings.Repeat(" ", n)+strings.Repeat("y", w-n))
					checkPlain(t, l, changed)
				}
			}
		}
	}
}

// Rows one behind the other, of which some are not plain, are found up to these.
func TestPlainRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	byWords := 0
	for range 20_000 {
		widths := make([]int, 1+rng.IntN(6))
		for i := range widths {
			widths[i] = 1 + rng.IntN(1+rng.IntN(140))
		}
		for _, l := range layouts(t, widths...) {
			var data []byte
			for range rng.IntN(7) {
				data = append(data, '|')
				for _, w := range widths {
					text := strings.Repeat("a b.", 1+w/4)[:rng.IntN(w+1)]
					data = append(data, " "+pad(text, w)+" |"...)
				}
				data = append(data, '\n')
			}
			for range rng.IntN(2) * rng.IntN(4) {
				if len(data) > 0 {
					data[rng.IntN(len(data))] = " |\n)\x7f\x80"[rng.IntN(6)]
				}
			}
			data = append(data, make([]byte, rng.IntN(100))...)[:len(data)]
			checkPlain(t, l, data)
			n, _ := l.plainWords(l.frames.printed, data, make([]uint64, 7*l.InkWords()), make([]Looks, 7))
			byWords += n
		}
	}
	if hasAVX2 && byWords < 10_000 {
		t.Errorf("only %d rows were found by words", byWords)
	}
}

// No row below a border of more than maxPlain is plain: what is said of rows would
// have as many bytes as they have.
func TestPlainLimit(t *testing.T) {
	for width, want := range map[int]int{maxPlain - 4: 1, maxPlain - 3: 0} {
		for _, l := range layouts(t, width) {
			row := []byte("| " + pad("x", width) + " |\n")
			if got := l.Plain(row, make([]uint64, l.InkWords()), make([]Looks, 1)); got != want {
				t.Errorf("below a border of %d bytes %d rows are plain, want %d", len(l.Border), got, want)
			}
		}
	}
}

func BenchmarkPlain(b *testing.B) {
	for i, l := range layouts(b, 2, 30, 30, 20, 20) {
		b.Run([]string{"words", "portable"}[i], func(b *testing.B) {
			const rows = 64
			row := "| +I | " + pad("silver 30245", 30) + " | " + pad("gold", 30) + " | " + pad("13245", 20) + " | " + pad("123456.50", 20) + " |\n"
			data := []byte(strings.Repeat(row, rows+1))[:rows*len(row)]
			ink, looks, counts := make([]uint64, rows*l.InkWords()+1), make([]Looks, rows), make([]uint16, rows*len(l.Widths))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if n := l.Plain(data, ink, looks); n != rows {
					b.Fatal(n)
				}
				if !l.Blanks(counts, ink, rows) {
					for i := range rows {
						l.RowBlanks(counts[i*len(l.Widths):], data[i*len(row):])
					}
				}
			}
			b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
