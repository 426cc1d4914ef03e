package sqlclient

import (
	"strings"
	"testing"
	"time"
)

func TestTyped(t *testing.T) {
	for _, test := range []struct{ name, echo, want string }{
		{"as it is", "SELECT 1;", "SELECT 1;"},
		{"a character is taken back", "SELECT 12\b \b;", "SELECT 1;"},
		{"the partner of a bracket is shown", "f(x)\x1b[3D\x1b[3C;", "f(x);"},
		{"a character is put in", "SELCT\x1b[2D\x1b[@E", "SELECT"},
		{"a character is taken out", "SELEECT\x1b[4D\x1b[P", "SELECT"},
		{"a line is drawn again", "SELECT 2\r\x1b[11CSELECT 1\x1b[K;", "SELECT 1;"},
		{"far to the right", "a\x1b[9223372036854775807Cb", "a b"},
		{"many taken out", "abc\x1b[2D\x1b[9223372036854775807P", "a"},
		{"fewer than none taken out", "abc\x1b[2D\x1b[-9223372030412324865P", "ac"},
		{"room for more than there is", "ab\x1b[D\x1b[9223372036854775807@", "a b"},
	} {
		// How many blanks stand between is no part of a statement.
		if got := strings.Join(strings.Fields(strings.Join(typed(test.echo), "|")), " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestTypedHostile shows what moves a cursor much and says little.
func TestTypedHostile(t *testing.T) {
	for name, echo := range map[string]string{
		"rows that begin far to the right": strings.Repeat("\n\x1b[4096Gx", 50_000),
		"room for ever more":               "x\r" + strings.Repeat("\x1b[4096@", 50_000),
		"room in every row":                strings.Repeat("\nx\r\x1b[4000@", 50_000),
		"up and down":                      strings.Repeat("\x1b[4096B\x1b[4096A", 50_000),
	} {
		start := time.Now()
		size := 0
		for _, line := range typed(echo) {
			size += len(line)
		}
		if took := time.Since(start); took > 10*time.Second || size > 2*len(echo) {
			t.Errorf("%s: %d bytes became %d in %v", name, len(echo), size, took)
		}
	}
}
