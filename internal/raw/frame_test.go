package raw

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// drawn returns rows of texts in columns of the widths, behind one of the row kind,
// with something behind them, and adds the columns to f.
func drawn(f *Frame, widths []int, behind []string, texts ...[]string) *Rows {
	rows := &Rows{Kinds: 1, UTF8: true}
	start := len("| +I | ")
	for i, w := range widths {
		place := tableau.Place{Start: start, Width: w}
		rows.Places = append(rows.Places, place)
		f.Add(place, behind[i])
		start += w + len(" | ")
	}
	for _, texts := range texts {
		begin := len(rows.Text)
		bounds := Bounds{Cells: Plain}
		cells := []tableau.Cell{{Start: 2, From: 2, To: 4}}
		rows.Text = append(rows.Text, "| +I |"...)
		rows.Blanks = append(rows.Blanks, 0)
		for i, text := range texts {
			rows.Text = append(rows.Text, ' ')
			at := len(rows.Text) - begin
			pad := widths[i] - tableau.Width([]byte(text))
			cells = append(cells, tableau.Cell{Start: at, From: at + pad, To: at + pad + len(text)})
			rows.Text = append(append(append(rows.Text, strings.Repeat(" ", pad)...), text...), " |"...)
			rows.Blanks = append(rows.Blanks, uint16(pad))
			if strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r >= utf8.RuneSelf }) >= 0 {
				bounds.Cells = int32(len(rows.Cells))
			}
		}
		if bounds.Cells >= 0 {
			rows.Cells = append(rows.Cells, cells...)
		}
		rows.Text = append(rows.Text, '\n')
		bounds.End = int32(len(rows.Text))
		rows.Bounds = append(rows.Bounds, bounds)
	}
	rows.Text = append(rows.Text, "| noise \" \\ \n and \x85 more"...)[:len(rows.Text)]
	return rows
}

// appended appends the first rows to dst.
func appended(f *Frame, rows *Rows, dst string) ([]byte, int) {
	f.Begin(*rows)
	return f.Append([]byte(dst), 0)
}

// As many columns as a table may have are written, and none costs more than another.
func TestManyColumns(t *testing.T) {
	const n = 1 << 16
	f := NewFrame(quoting(','))
	texts := slices.Repeat([]string{"x"}, n)
	rows := drawn(f, slices.Repeat([]int{1}, n), slices.Repeat([]string{","}, n), texts)
	got, done := appended(f, rows, "")
	if want := strings.Join(texts, ",") + ","; done != 1 || string(got) != want {
		t.Errorf("%d rows of %d bytes, want %d", done, len(got), len(want))
	}
}

// quoting is that of the text plain says.
func quoting(b byte) Quoting { return Quoting{Special: string([]byte{'"', b, 0x7f})} }

// plain reports whether a text is what a Frame of b writes.
func plain(text string, b byte) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == rune(b) }) < 0
}

// Every byte at every place of texts of every length, in columns of every width
// up to some words, is found, and whatever is plain is written.
func TestFrame(t *testing.T) {
	third := "a longer text of 30 characters"
	for _, b := range []byte("\\,\t") {
		for _, width := range []int{1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 32, 33} {
			for n := range width + 1 {
				for at := range max(n, 1) {
					for _, c := range []byte("\x00\x1f !\"#+,-[\\]~\x7f\t\n|") {
						text := strings.Repeat("x", n)
						if n > 0 {
							text = text[:at] + string(c) + text[at+1:]
						}
						if strings.HasPrefix(text, " ") {
							continue // is padding
						}
						last := third[:at%20+1]
						behind := strings.Repeat("b", at)
						f := NewFrame(quoting(b))
						f.SetHead(changelog.None, []byte("head"))
						rows := drawn(f, []int{3, width, 40}, []string{"", behind, "\n"}, []string{"x", text, last})
						want, done := "before", 0
						if plain(text, b) {
							want += "headx" + text + behind + last + "\n"
							done = 1
						}
						if got, n := appended(f, rows, "before"); n != done || string(got) != want {
							t.Fatalf("%q, but for %q: %q, %v, want %q", rows.Text, b, got, n, want)
						}
					}
				}
			}
		}
	}
}

// So is every character among those beyond ASCII.
func TestFrameBeyondASCII(t *testing.T) {
	for _, b := range []byte("\\,\t") {
		q := quoting(b)
		q.Empty = true
		q.Beyond = func(row []byte) bool { return strings.Contains(string(row), "\u0085") }
		for _, fill := range []string{"é", "東", "😀", "東x", "xé"} {
			for n := range 20 {
				fills := slices.Repeat([]string{fill}, n+1)
				for at := range n + 2 {
					for _, c := range []string{"", "\x00", "\x1f", "!", "\"", "#", ",", "-", "[", "\\", "]", "~", "\x7f", "\t", "\n", "|", "\u0085", "\u0086", "\U0010ffff"} {
						text := strings.Join(slices.Insert(slices.Clone(fills), at, c), "")
						f := NewFrame(q)
						f.SetHead(changelog.None, []byte("head"))
						rows := drawn(f, []int{3, 90, 8}, []string{",", ",", "\n"}, []string{"x", text, "last"})
						want, done := "before", 0
						if plain(text, b) && c != "\u0085" {
							want += "headx," + text + ",last\n"
							done = 1
						}
						if got, n := appended(f, rows, "before"); n != done || string(got) != want {
							t.Fatalf("%q, but for %q: %q, %v, want %q", rows.Text, b, got, n, want)
						}
					}
				}
			}
		}
	}
}

// Wherever special bytes are, those rows are left out that hold one, and no others.
func TestFrameAmongSpecials(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var texts [][]string
		for rare := 1 + rng.IntN(60); len(texts) < 50; {
			text := []byte("a text of " + strings.Repeat("some ", rng.IntN(8)) + "letters")
			if rng.IntN(4) == 0 {
				text = append(text, "東京"...)
			}
			if rng.IntN(rare) == 0 {
				text[rng.IntN(len(text)-6)] = "\"\\\x7f\x1f\t,|"[rng.IntN(7)]
			}
			texts = append(texts, []string{"b", string(text), "c"})
		}
		f := NewFrame(quoting('\\'))
		f.SetHead(changelog.None, nil)
		rows := drawn(f, []int{1, 70, 2}, []string{" ", " ", "\n"}, texts...)
		f.Begin(*rows)
		var got, want []byte
		for i := 0; i < len(texts); i++ {
			got, i = f.Append(got, i)
		}
		for _, texts := range texts {
			if plain(texts[1], '\\') {
				want = append(want, strings.Join(texts, " ")+"\n"...)
			}
		}
		if string(got) != string(want) {
			t.Fatalf("of %q: %q, want %q", rows.Text, got, want)
		}
	}
}

func TestFrameLimits(t *testing.T) {
	frame := func() *Frame {
		f := NewFrame(Quoting{Special: "\",", Empty: true})
		f.SetHead(changelog.None, []byte("a longer head of the rows before"))
		f.SetHead(changelog.None, []byte("+I,"))
		return f
	}
	for n := 1; n <= 600; n++ {
		text := strings.Repeat("x", n)
		f := frame()
		rows := drawn(f, []int{600}, []string{"\n"}, []string{text})
		if got, done := appended(f, rows, ""); done != 1 || string(got) != "+I,"+text+"\n" {
			t.Errorf("a text of %d bytes: %q, %v", n, got, done)
		}
	}
	for _, test := range []struct {
		name  string
		texts []string // of the second row
		spoil func(*Rows)
		want  int // rows that are done
	}{
		{"all", []string{"a", "東."}, func(*Rows) {}, 3},
		{"nothing behind the rows", nil, func(r *Rows) { r.Text = slices.Clip(r.Text) }, 2},
		{"nothing behind their start", nil, func(r *Rows) { r.Text = r.Text[: r.Bounds[0].End-1 : r.Bounds[0].End] }, 0},
		{"any mark", nil, func(r *Rows) { r.Marked = true }, 0},
		{"a mark in ASCII", nil, func(r *Rows) { r.Bounds[1].Cells = Ended }, 1},
		{"a cell that may be null", []string{"東", "<NULL>"}, func(*Rows) {}, 1},
		{"a cell that may be cut", []string{"...", "東"}, func(*Rows) {}, 1},
		{"not UTF-8", []string{"東", "b"}, func(r *Rows) { r.UTF8 = false }, 0},
		{"an empty text", []string{"", "b"}, func(*Rows) {}, 1},
		{"an empty text beside one beyond ASCII", []string{"東", ""}, func(*Rows) {}, 1},
		{"a kind without a head", nil, func(r *Rows) { r.Bounds[1].Kind = changelog.Retract + 1 }, 1},
	} {
		f := frame()
		texts := test.texts
		if texts == nil {
			texts = []string{"a", "b"}
		}
		if test.name == "all" {
			texts = []string{"a", "東"}
		}
		rows := drawn(f, []int{8, 6}, []string{",", "\n"}, []string{"東京", "b"}, texts, []string{"c", "d"})
		test.spoil(rows)
		want := ""
		for i, row := range []string{"東京,b", strings.Join(texts, ","), "c,d"} {
			if i < test.want {
				want += "+I," + row + "\n"
			}
		}
		if got, done := appended(f, rows, ""); done != test.want || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", test.name, got, done, want)
		}
	}
}

// Rows are appended from any of them on, up to enough of them, and none twice.
func TestFrameAppendsEnough(t *testing.T) {
	f := NewFrame(Quoting{Special: "\",", Empty: true})
	f.SetHead(changelog.None, nil)
	rows := drawn(f, []int{30}, []string{"\n"}, slices.Repeat([][]string{{"a text of 20 letters"}, {"東京都渋谷区"}}, 10_000)...)
	f.Begin(*rows)
	for i := 0; i < len(rows.Bounds); {
		got, done := f.Append([]byte("#"), i)
		if len(got) > enough+64 || done < len(rows.Bounds) && len(got) <= enough {
			t.Fatalf("%d bytes of rows from %d to %d", len(got), i, done)
		}
		want := "#"
		for ; i < done; i++ {
			want += []string{"a text of 20 letters\n", "東京都渋谷区\n"}[i%2]
		}
		if string(got) != want {
			t.Fatalf("rows up to %d are not what they were", done)
		}
	}
}

// What is behind the room that a row may take stays as it is.
func TestFrameRoom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		n := 1 + rng.IntN(5)
		widths, texts, behind := make([]int, n), make([]string, n), make([]string, n)
		want := strings.Repeat("h", rng.IntN(40))
		f := NewFrame(quoting('\\'))
		f.SetHead(changelog.None, []byte(want))
		for i := range n {
			widths[i] = 1 + rng.IntN(60)
			texts[i] = strings.Repeat("t", rng.IntN(widths[i]+1))
			if rng.IntN(5) == 0 {
				texts[i] = strings.Repeat("東", rng.IntN(widths[i]/2+1))
			}
			behind[i] = strings.Repeat("b", rng.IntN(40))
			want += texts[i] + behind[i]
		}
		rows := drawn(f, widths, behind, texts)
		room := 3 + rng.IntN(600)
		buf := slices.Repeat([]byte("#"), room+64) // behind the room, too: nothing may be written there
		f.Begin(*rows)
		dst, done := f.Append(buf[:3:room], 0)
		if done != 1 || string(dst) != "###"+want {
			t.Fatalf("%q: %q, %v, want %q", rows.Text, dst, done, want)
		}
		if strings.Trim(string(buf[room:]), "#") != "" {
			t.Fatalf("%q wrote behind the room of %d bytes: %q", rows.Text, room, buf)
		}
		if end := len(dst) + slack; &dst[0] == &buf[0] && strings.Trim(string(buf[min(end, len(buf)):]), "#") != "" {
			t.Fatalf("%q wrote more than %d bytes behind its end: %q", rows.Text, slack, buf)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	f := NewFrame(quoting('\\'))
	f.SetHead(changelog.None, []byte(`{"statement":1,"result":1,"op":"+I","row":{"name":"`))
	rows := drawn(f, []int{30, 30, 20, 20}, []string{`","note":"`, `","n":"`, `","amount":"`, "\"}}\n"},
		[]string{"silver 30245", "gold", "13245", "123456.50"},
		[]string{"東京都渋谷区 6332", "gold", "13245", "123456.50"})
	dst := make([]byte, 0, 1024)
	b.SetBytes(int64(len(rows.Text)))
	for b.Loop() {
		var done int
		f.Begin(*rows)
		if dst, done = f.Append(dst[:0], 0); done < 2 {
			b.Fatal(string(dst))
		}
	}
}
