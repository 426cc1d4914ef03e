package sqlclient

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// TestHeadBehindHead reads each two of some results one behind the other: what is
// known of the head before changes nothing.
func TestHeadBehindHead(t *testing.T) {
	const (
		border = "+----+--------+\n"
		ends   = "\nFlink SQL> \n"
	)
	table := func(lines ...string) string { return border + strings.Join(lines, "\n") + "\n" }
	results := map[string]string{
		"changelog":             table("| op |      a |", border+"| +I |      1 |", border+"Received a total of 1 row"),
		"batch with op":         table("| op |      a |", border+"| +I |      1 |", border+"1 row in set"),
		"other names":           table("| op |      b |", border+"| +I |      1 |", border+"Received a total of 1 row"),
		"names at the left":     table("| id | a      |", border+"|  1 |      1 |", border+"1 row in set"),
		"names by bars":         table("|id|a|", border+"|  1 |      1 |", border+"1 row in set"),
		"names that do not fit": table("| id | a | b  |  |", border+"|  1 |      1 |", border+"1 row in set"),
		"CR LF":                 strings.ReplaceAll(table("| op |      a |", border+"| +I |      1 |", border+"Received a total of 1 row"), "\n", "\r\n"),
		"a log between":         table("WARNING: late", "| op |      a |", border+"| +I |      1 |", border+"Received a total of 1 row"),
		"other widths":          strings.ReplaceAll(table("| op |      a |", border+"| +I |      1 |", border+"Received a total of 1 row"), "----", "-----"),
		"a colour ends behind":  strings.Replace(table("| op |      a |", border+"| +I |      1 |", border+"Received a total of 1 row"), "+\n", "+\x1b[0m\n", 1),
	}
	without := func(recs []string) []string { // their places
		for i, rec := range recs {
			_, recs[i], _ = strings.Cut(rec, " ")
		}
		return recs
	}
	for before, one := range results {
		for behind, two := range results {
			for name, opts := range map[string][]Option{"": nil, ", strict": {Strict()}} {
				alone, err := records(t, strings.NewReader(ends+two), opts...)
				if err != nil {
					t.Fatal(err)
				}
				both, err := records(t, strings.NewReader(one+ends+two), opts...)
				if err != nil {
					t.Fatal(err)
				}
				want, got := without(alone), without(both)
				if diff := cmp.Diff(want, got[len(got)-len(want):]); diff != "" {
					t.Errorf("%s behind %s%s (-alone +behind it):\n%s", behind, before, name, diff)
				}
			}
		}
	}
}

// TestChangelogEnds compares the search for a border, which passes most lines by
// their length, with one line by line.
func TestChangelogEnds(t *testing.T) {
	const border = "+----+---+"
	layout, _ := tableau.ParseBorder([]byte(border))
	slow := func(text string) bool {
		for {
			line, rest, whole := strings.Cut(text, "\n")
			if !whole {
				return false
			}
			if text = rest; strings.TrimRight(line, "\r") == border {
				below, _, whole := strings.Cut(text, "\n")
				f, ok := parseFooter(below)
				return whole && ok && (f.Kind == FooterReceived || f.Kind == FooterTerminated)
			}
		}
	}
	r := NewReader(nil, "")
	r.table.title = &title{layout: layout}
	random := rand.New(rand.NewPCG(1, 2))
	lines := []string{"| +I | 1 |", "| +I | 京 |", "", "+", "-", "+----+----", border, border + "-", "-" + border, border + "\r", "log", strings.Repeat("x", 20), strings.Repeat("-", 9), strings.Repeat("-", 10), "| a\nb |"}
	found := 0
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(6) {
			text.WriteString(lines[random.IntN(len(lines))] + "\n")
		}
		text.WriteString([]string{"", border, border + "\n", border + "\nReceived a total of 1 row\n", border + "\nReceived a total of 1 row", border + "\n1 row in set\n"}[random.IntN(6)])
		r.in.w = copy(r.in.buf, text.String())
		want := slow(text.String())
		if got := r.changelogEnds(0); got != want {
			t.Fatalf("%q: %v, want %v", text.String(), got, want)
		}
		if want {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d changelogs", found)
	}
}

// TestBorderTail compares the search for the border of the head before with that
// for any.
func TestBorderTail(t *testing.T) {
	const border = "+----+---+"
	layout, _ := tableau.ParseBorder([]byte(border))
	r := NewReader(nil, "")
	r.table.title = &title{layout: layout}
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{border, "+---+", "+", "-", "f(a)", "Flink SQL> ", "\x1b[0m", "\r", " "}
	found := 0
	for range 20_000 {
		line := ""
		for range random.IntN(5) {
			line += parts[random.IntN(len(parts))]
		}
		line += "\n"
		got, want := r.borderTail([]byte(line)), borderTail([]byte(line))
		if got != want {
			t.Fatalf("%q: %d, want %d", line, got, want)
		}
		if got > 0 && strings.HasPrefix(line[got:], border+"\n") {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d borders", found)
	}
}

// TestHoldsNothingOdd compares the look at words with one byte by byte.
func TestHoldsNothingOdd(t *testing.T) {
	for n := range 40 {
		d := []byte(strings.Repeat("\x01a\x7f", 14)[:n])
		if !holdsNothingOdd(d) {
			t.Errorf("%q is odd", d)
		}
		for i := range d {
			for _, c := range []byte{0, 0x80, 0xff} {
				before := d[i]
				if d[i] = c; holdsNothingOdd(d) {
					t.Errorf("%q is not odd", d)
				}
				d[i] = before
			}
		}
	}
}

// TestPieces compares the pieces that are cut without the grammar with those
// that it cuts.
func TestPieces(t *testing.T) {
	text := "Received a total of 1 row\n\nFlink SQL> SELECT f(a)[INFO] Job ID: x\n"
	cuts := []int{26, 27, 49, len(text)}
	for _, kinds := range [][]tokenType{{footerToken, blankToken, echoToken, messageToken}, {footerToken, blankToken, echoToken, echoToken}} {
		var tokens []token
		start := 0
		for i, end := range cuts {
			tokens = append(tokens, token{kinds[i], start, end})
			start = end
		}
		got, err := appendPieces(nil, text, tokens)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := parseText(text, tokens)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, piece := range doc.Pieces {
			want = append(want, piece.Value)
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) != len(tokens) || strings.Join(got, "") != text {
			t.Errorf("pieces (-by the grammar +got):\n%s", diff)
		}
	}
}
