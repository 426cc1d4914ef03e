package render

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/seed-69e58989/flinkread/internal/visible"
)

func text(t *testing.T, table *Table) string {
	t.Helper()
	var b strings.Builder
	if err := table.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	for _, test := range []struct {
		name  string
		table Table
		want  string
	}{
		{"names and cells as they are", Table{
			Columns: []Column{{Name: "op"}, {Name: "user_name"}, {Name: "note.x y", Right: true}},
			Rows:    [][]string{{"+I", "  lead", "1"}, {"-U", "", "1227.99"}, {"", "a | b  ", ""}},
		}, `
 op | user_name | note.x y
----+-----------+----------
 +I |   lead    |        1
 -U |           |  1227.99
    | a | b     |
`},
		{"no rows", Table{Columns: []Column{{Name: "a"}, {Name: "b"}}}, `
 a | b
---+---
`},
		{"no columns", Table{Rows: [][]string{{"lost"}}}, "\n"},
		{"a row with too few cells, and one with too many", Table{
			Columns: []Column{{Name: "a"}, {Name: "b"}},
			Rows:    [][]string{{"1"}, {"1", "2", "3"}},
		}, `
 a | b
---+---
 1 |
 1 | 2
`},
		{"names that are empty or repeat", Table{
			Columns: []Column{{Name: ""}, {Name: "k"}, {Name: "k"}},
			Rows:    [][]string{{"1", "2", "3"}},
		}, `
   | k | k
---+---+---
 1 | 2 | 3
`},
		{"wide characters", Table{
			Columns: []Column{{Name: "金额"}, {Name: "n"}},
			Rows:    [][]string{{"東京都", "1"}, {"é", "2"}, {"😀", "3"}},
		}, `
 金额   | n
--------+---
 東京都 | 1
 é      | 2
 😀     | 3
`},
		{"lines and controls", Table{
			Columns: []Column{{Name: "result"}, {Name: "n"}},
			Rows:    [][]string{{"CREATE TABLE t (\n\ta INT\n)\n", "1"}, {"\x1b[31mred\r", "2"}},
		}, `
 result            | n
-------------------+---
 CREATE TABLE t (␊ | 1
 ␉a INT␊           |
 )␊                |
 ␛[31mred␍         | 2
`},
		{"cut and wrapped to a width", Table{
			Width: 40,
			Columns: []Column{{Name: "n"}, {Name: "sql", Overflow: Cut},
				{Name: "message", Overflow: Wrap}},
			Rows: [][]string{
				{"1", "SELECT tier, COUNT(*)\nFROM orders GROUP BY tier", "a message of a good length, over words"},
				{"2", "東京都渋谷区東京都渋谷区", "onewordwithoutanyblanksinside"},
				{"3", "short", "short"},
			},
		}, `
 n | sql             | message
---+-----------------+------------------
 1 | SELECT tier, C… | a message of a
   |                 | good length,
   |                 | over words
 2 | 東京都渋谷区東… | onewordwithoutan
   |                 | yblanksinside
 3 | short           | short
`},
		{"a width that cannot be met", Table{
			Width:   10,
			Columns: []Column{{Name: "kept as it is"}, {Name: "c", Overflow: Cut}},
			Rows:    [][]string{{"1", "cut to eight"}},
		}, `
 kept as it is | c
---------------+----------
 1             | cut to …
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), text(t, &test.table)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What tablewriter does not draw looks the same.
func TestTextWithoutTablewriter(t *testing.T) {
	table := Table{
		Width:   40,
		Columns: []Column{{Name: "n", Right: true}, {Name: "two\nlines"}, {Name: "sql", Overflow: Cut}, {Name: "金额", Overflow: Wrap}},
		Rows: [][]string{
			{"1", "a\nb\n", "SELECT tier, COUNT(*)\nFROM orders", "a message of a good length, over words"},
			{"", "\x1b[31m", "", "東京都渋谷区東京都渋谷区"},
			{"1000"},
		},
	}
	cells, widths := table.layout()
	if diff := cmp.Diff(text(t, &table), string(table.appendLayout(nil, cells, widths))); diff != "" {
		t.Error(diff)
	}
	table.Rows = append(table.Rows, []string{"1", strings.Repeat("long ", 100)})
	for range 3000 {
		table.Rows = append(table.Rows, []string{"1", "short"})
	}
	cells, widths = table.layout()
	if diff := cmp.Diff(string(table.appendLayout(nil, cells, widths)), text(t, &table)); diff != "" {
		t.Errorf("a large table: %.1000s", diff)
	}
}

// The locale of whoever runs the binary must not change what it prints.
func TestTextIgnoresTheLocale(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "ambiguous"}, {Name: "n"}}, Rows: [][]string{{"①②③ ±é", "1"}}}
	want := text(t, table)
	for _, env := range [][2]string{{"LANG", "ja_JP.UTF-8"}, {"TERM", "dumb"}, {"RUNEWIDTH_EASTASIAN", "1"}} {
		t.Setenv(env[0], env[1])
	}
	if got := text(t, table); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestTextFitsItsWidth(t *testing.T) {
	for limit := 30; limit < 140; limit += 3 {
		for long, slack := range map[string]int{
			strings.Repeat("x", 500):          0,
			strings.Repeat("words and ", 50):  6, // lines end behind a word
			strings.Repeat("東京都渋谷区 word", 50): 17,
		} {
			table := &Table{Width: limit,
				Columns: []Column{{Name: "n"}, {Name: "a", Overflow: Cut}, {Name: "b", Overflow: Wrap}},
				Rows:    [][]string{{"1", long, long}}}
			widest := 0
			for line := range strings.Lines(text(t, table)) {
				widest = max(widest, width(strings.TrimSuffix(line, "\n")))
			}
			if widest > limit || widest < limit-slack {
				t.Errorf("with a width of %d, %.10q... is drawn %d wide", limit, long, widest)
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	table := &Table{
		Columns: []Column{{Name: "user_name"}, {Name: "a|b", Right: true}},
		Rows: [][]string{
			{"<NULL>", "1"},
			{"two\nlines", `C:\new *bold* _it_ [x](y) ~~s~~ &amp; $m$`},
			{"`code`", "\x1b[31mred"},
			{"", "東京_都"},
		},
	}
	var b strings.Builder
	if err := table.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		`| user_name | a\|b |`,
		`| --- | ---: |`,
		`| \<NULL\> | 1 |`,
		`| two<br>lines | C:\\new \*bold\* \_it\_ \[x\](y) \~\~s\~\~ \&amp; \$m\$ |`,
		"| \\`code\\` | ␛\\[31mred |",
		`|  | 東京_都 |`,
		``,
	}, "\n")
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"東京都", 6, "東京都"},
		{"東京都", 5, "東京…"},
		{"東京都", 4, "東…"},
		{"two\nlines", 9, "two␊lines"},
		{"x", 1, "x"},
		{"xy", 1, "…"},
	} {
		if got := Shorten(test.in, test.limit); got != test.want {
			t.Errorf("Shorten(%q, %d) = %q, want %q", test.in, test.limit, got, test.want)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("full")

func TestErrorsOfTheWriter(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "a"}}, Rows: [][]string{{"1"}}}
	if err := table.Text(full{}); err != errFull {
		t.Errorf("Text = %v", err)
	}
	if err := table.Markdown(full{}); err != errFull {
		t.Errorf("Markdown = %v", err)
	}
}

// What is taken for common is as wide as tablewriter has it, by itself and beside
// others, and needs nothing to be made visible.
func TestCommonWidth(t *testing.T) {
	common := 0
	for r := range rune(0x110000) {
		w, ok := commonWidth(string(r))
		if !ok {
			continue
		}
		common++
		for _, s := range []string{string(r), string(r) + "a", "a " + string(r) + "金" + string(r), "각" + string(r) + "ガ"} {
			w, ok := commonWidth(s)
			if want := twwidth.WidthWithOptions(s, twwidth.Options{}); !ok || w != want || visible.String(s) != s {
				t.Fatalf("%q (%U): %d columns, %v, want %d", s, r, w, ok, want)
			}
		}
		if (r >= 0x80) != (w == 2) {
			t.Fatalf("%q (%U): %d columns", r, r, w)
		}
	}
	if want := 95 + 86 + 95 + 20_992 + 11_172; common != want {
		t.Errorf("%d characters are common, want %d", common, want)
	}
	for _, s := range []string{"a\x00", "金\n", "\xe9\x87", "e\u0301", "か\u3099", "각\u11a8", "👩", "\u200b", "金\ufe0f", "\x7f"} {
		if w, ok := commonWidth(s); ok {
			t.Errorf("%q is common, of %d columns", s, w)
		}
	}
}

// TestWrapLongLines: a cell of megabytes, as a hostile plan has for a name, is wrapped like a short one, in a time that
// grows with its length: with its square, this test would take minutes.
func TestWrapLongLines(t *testing.T) {
	for _, of := range []string{"x", "é", "金", "word "} {
		line := strings.Repeat(of, 8<<20/len(of))
		pieces := wrap(line, 40)
		for i, piece := range pieces {
			if w := width(piece); w > 40 || w < 35 && i < len(pieces)-1 {
				t.Fatalf("piece %d of %q: %q", i, of, piece)
			}
		}
		if got := strings.Join(pieces, ""); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(line, " ", "") {
			t.Errorf("of %q %d bytes are left of %d", of, len(got), len(line))
		}
	}
	if pieces := wrap(strings.Repeat("\u0301", 4096), 40); len(pieces) != 1 {
		t.Errorf("%d pieces of nothing that takes a column", len(pieces))
	}
}
