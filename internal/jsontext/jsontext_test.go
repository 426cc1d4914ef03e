package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestAppendString(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", `""`},
		{"silver", `"silver"`},
		{"exactly 8 bytes.", `"exactly 8 bytes."`},
		{`a "quoted" C:\new\table`, `"a \"quoted\" C:\\new\\table"`},
		{"two\nlines\r\n\there", `"two\nlines\r\n\there"`},
		{"\x1b[31m\x00", `"\u001b[31m\u0000"`},
		{"del\x7f c1\u0085\u009f nbsp\u00a0", `"del\u007f c1\u0085\u009f nbsp` + "\u00a0" + `"`},
		{"a\u2028b\u2029c", `"a\u2028b\u2029c"`},
		{"東京都渋谷区 😀 é", `"東京都渋谷区 😀 é"`},
		{"bad \xff utf-8\xe6\x9d", `"bad ` + "\uFFFD utf-8\uFFFD\uFFFD" + `"`},
		{"<NULL> & co.", `"<NULL> & co."`},
	} {
		if got := string(AppendString(nil, test.in)); got != test.want {
			t.Errorf("AppendString(%q) = %s, want %s", test.in, got, test.want)
		}
	}
}

func TestEscapes(t *testing.T) {
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, around := range []string{"", "â", "\u2027\u00a0"} {
			s := around + string(r) + around
			if got, want := Escapes([]byte(s)), string(AppendString(nil, s)) != `"`+s+`"`; got != want {
				t.Errorf("Escapes(%+q) = %v, but it becomes %s", s, got, AppendString(nil, s))
			}
		}
	}
}

// Every byte at every offset of a word goes through the fast scan.
func TestAppendStringOffsets(t *testing.T) {
	for c := range 256 {
		for offset := range 17 {
			check(t, strings.Repeat("x", offset)+string([]byte{byte(c)})+strings.Repeat("y", 9))
		}
	}
}

func check(t *testing.T, s string) {
	t.Helper()
	got := AppendString([]byte("before"), s)
	if !strings.HasPrefix(string(got), "before") {
		t.Fatalf("AppendString(%q) changed what was there: %q", s, got)
	}
	got = got[len("before"):]
	if !utf8.Valid(got) {
		t.Fatalf("AppendString(%q) = %q is not UTF-8", s, got)
	}
	for _, r := range string(got) {
		if unicode.IsControl(r) {
			t.Fatalf("AppendString(%q) = %q holds the control %U", s, got, r)
		}
	}
	var back string
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatalf("AppendString(%q) = %s: %v", s, got, err)
	}
	if want := string([]rune(s)); back != want {
		t.Fatalf("AppendString(%q) reads back as %q, want %q", s, back, want)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("plain")
	f.Add("two\nlines \"q\" \\ \xff\u2028東京")
	f.Fuzz(check)
}

func BenchmarkAppendString(b *testing.B) {
	for _, test := range []struct{ name, s string }{
		{"short", "1227.99"}, {"ascii", "a long value of thirty letters"}, {"wide", "東京都渋谷区"}, {"quoted", `{"k": [1, "v|w"]}`},
	} {
		b.Run(test.name, func(b *testing.B) {
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				buf = AppendString(buf[:0], test.s)
			}
		})
	}
}

func TestArray(t *testing.T) {
	for n, want := range []string{"[]", "[\n0\n]", "[\n0,\n1\n]", "[\n0,\n1,\n2\n]"} {
		var a Array
		var got []byte
		for i := range n {
			got = append(a.AppendNext(got), '0'+byte(i))
		}
		if got = a.AppendEnd(got); string(got) != want {
			t.Errorf("%d elements: %q, want %q", n, got, want)
		}
	}
}
