package word

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// drawn returns texts in their columns, the starts of these, and a frame of them.
func drawn(w *Writer, noEmpty bool, widths []int, texts, behind []string) (*Frame, []byte) {
	f := w.NewFrame(noEmpty)
	row := "| +I |"
	for i, text := range texts {
		f.Add(len(row)+1, widths[i], behind[i])
		row += " " + strings.Repeat(" ", widths[i]-len(text)) + text + " |"
	}
	return f, []byte(row + "\n")
}

// Every byte at every place of texts of every length, in columns of every width
// up to some words, is found, and whatever is plain is written.
func TestFrame(t *testing.T) {
	third := "a longer text of 30 characters"
	for _, two := range []string{"\"\\", "\",", "\"\t"} {
		w := NewWriter(two[1], nil)
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
						f, row := drawn(w, false, []int{3, width, 40}, []string{"x", text, last}, []string{"", behind, "\n"})
						plain := n == 0 || c >= ' ' && c != 0x7f && c != two[0] && c != two[1]
						want := "before"
						if plain {
							want += "headx" + text + behind + last + "\n"
						}
						got, ok := f.Append([]byte("before"), Padded("head"), append(row, make([]byte, 64)...)[:len(row)])
						if ok != plain || string(got) != want {
							t.Fatalf("%q, but for %q: %q, %v, want %q", row, two, got, ok, want)
						}
					}
				}
			}
		}
	}
}

// What is plain to a frame is plain to a Writer.
func TestMarks(t *testing.T) {
	for _, b := range []byte("\\,\t") {
		w := NewWriter(b, nil)
		f := w.NewFrame(false)
		for c := range uint64(128) {
			for place := range 8 {
				for _, around := range []uint64{' ', 'x', '!', '#', '~'} {
					x := Ones*around&^(0xff<<(8*place)) | c<<(8*place)
					if got := f.marks(x)&Highs == 0; got != w.plain(x) {
						t.Errorf("%#x among %q, but for %q: plain %v, to a Writer %v", c, around, b, got, w.plain(x))
					}
				}
			}
		}
	}
}

func TestFrameLimits(t *testing.T) {
	w := NewWriter(',', nil)
	f, row := drawn(w, true, []int{8, 3}, []string{"a", "b"}, []string{",", "\n"})
	long := append(slices.Clone(row), make([]byte, 64)...)[:len(row)]
	if got, ok := f.Append(nil, Padded("+I,"), long); !ok || string(got) != "+I,a,b\n" {
		t.Errorf("%q, %v", got, ok)
	}
	for n := 1; n <= 600; n++ {
		text := strings.Repeat("x", n)
		f, row := drawn(w, true, []int{600}, []string{text}, []string{"\n"})
		if got, ok := f.Append(nil, Padded(""), append(row, make([]byte, 64)...)[:len(row)]); !ok || string(got) != text+"\n" {
			t.Errorf("a text of %d bytes: %q, %v", n, got, ok)
		}
	}
	buf := slices.Repeat([]byte("#"), 40)
	if got, ok := w.NewFrame(false).Append(buf[:0:17], Padded("seventeen bytes ."), long); !ok || string(got) != "seventeen bytes ." || buf[17] != '#' {
		t.Errorf("without columns: %q, %v, behind it %q", got, ok, buf)
	}
	for name, bad := range map[string]func() ([]byte, bool){
		"nothing behind the row":  func() ([]byte, bool) { return f.Append(nil, Padded("+I,"), slices.Clip(row)) },
		"nothing behind the head": func() ([]byte, bool) { return f.Append(nil, slices.Clip([]byte("+I,")), long) },
		"an empty text": func() ([]byte, bool) {
			f, row := drawn(w, true, []int{8, 3}, []string{"a", ""}, []string{",", "\n"})
			return f.Append(nil, Padded("+I,"), append(row, make([]byte, 64)...)[:len(row)])
		},
	} {
		if got, ok := bad(); ok || len(got) > 0 {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
}

// What is behind the room that a row may take stays as it is.
func TestFrameRoom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	w := NewWriter('\\', nil)
	for range 20_000 {
		n := rng.IntN(6)
		widths, texts, behind := make([]int, n), make([]string, n), make([]string, n)
		want := strings.Repeat("h", rng.IntN(40))
		head := Padded(want)
		for i := range n {
			widths[i] = 1 + rng.IntN(60)
			texts[i] = strings.Repeat("t", rng.IntN(widths[i]+1))
			behind[i] = strings.Repeat("b", rng.IntN(40))
			want += texts[i] + behind[i]
		}
		f, row := drawn(w, false, widths, texts, behind)
		row = append(row, "| noise \" \\ \n and some more of it, sixty four bytes or so, at the least"...)[:len(row)]
		buf := slices.Repeat([]byte("#"), 3+rng.IntN(600))
		dst, ok := f.Append(buf[:3], head, row)
		if !ok || string(dst) != "###"+want {
			t.Fatalf("%q: %q, %v, want %q", row, dst, ok, want)
		}
		if end := 3 + len(head) + f.room; &dst[0] == &buf[0] && strings.Trim(string(buf[min(end, len(buf)):]), "#") != "" {
			t.Fatalf("%q wrote behind %d bytes of room: %q", row, f.room, buf)
		}
	}
}
func BenchmarkFrame(b *testing.B) {
	w := NewWriter('\\', nil)
	f := w.NewFrame(false)
	f.Add(7, 30, `","note":"`)
	f.Add(40, 30, `","n":"`)
	f.Add(73, 20, `","amount":"`)
	f.Add(96, 20, "\"}}\n")
	row := []byte("| +I |                   silver 30245 |                           gold |                13245 |            123456.50 |\n")
	rows := append(append([]byte{}, row...), make([]byte, 64)...)
	head := Padded(`{"statement":1,"result":1,"op":"+I","row":{"name":"`)
	dst := make([]byte, 0, 1024)
	b.SetBytes(int64(len(row)))
	for b.Loop() {
		var ok bool
		if dst, ok = f.Append(dst[:0], head, rows[:len(row)]); !ok {
			b.Fatal(string(dst))
		}
	}
}
