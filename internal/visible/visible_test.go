package visible

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestString(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"plain text, 東京 and é", "plain text, 東京 and é"},
		{`C:\new\table`, `C:\new\table`},
		{"two\nlines\r\n\there", "two␊lines␍␊␉here"},
		{"\x1b[31mred\x1b[0m", "␛[31mred␛[0m"},
		{"nul\x00 bell\x07 del\x7f", "nul␀ bell␇ del␡"},
		{"nel\u0085 csi\u009b", "nel<U+0085> csi<U+009B>"},
		{"a\u2028b\u202ec\u2066d", "a<U+2028>b<U+202E>c<U+2066>d"},
		{"zero\u200bwidth \ufeffbom", "zero<U+200B>width <U+FEFF>bom"},
		{"bad \xff\xc3 utf-8 \xed\xa0\x80", "bad \uFFFD\uFFFD utf-8 \uFFFD\uFFFD\uFFFD"},
		{"a real \uFFFD stays", "a real \uFFFD stays"},
		{"👩\u200d🔬", "👩\u200d🔬"},
	} {
		if got := String(test.in); got != test.want {
			t.Errorf("String(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func FuzzString(f *testing.F) {
	f.Add("two\nlines")
	f.Add("\x1b[31m\xff\u0085\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		got := String(s)
		if !utf8.ValidString(got) {
			t.Fatalf("String(%q) = %q is not UTF-8", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) {
				t.Fatalf("String(%q) = %q holds the control %U", s, got, r)
			}
		}
		if again := String(got); again != got {
			t.Fatalf("String(String(%q)) = %q, want %q", s, again, got)
		}
	})
}
