package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/internal/command"
	"github.com/seed-69e58989/flinkread/internal/diag"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/internal/tableau"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// oneByOne is a format that writes each row by itself.
type oneByOne struct {
	format
	framed int // rows that a frame may write
}

func (f *oneByOne) rows(rows *sqlclient.Rows) error {
	all := raw.Of(rows)
	for _, bounds := range all.Bounds {
		if bounds.Cells != raw.Ended && !all.Marked {
			f.framed++
		}
	}
	return writeEach(f.format, rows)
}

// A frame writes what is written row by row.
func TestFramedRows(t *testing.T) {
	inputs := map[string]string{}
	for c := range 256 {
		if c == '\n' || c == '\r' {
			continue
		}
		b := string([]byte{byte(c)})
		inputs[fmt.Sprintf("byte %#x", c)] = changelogOf([]int{1, 8, 9, 40}, [][]string{
			{b, "1234567" + b, "12345678" + b, strings.Repeat("y", 20) + b + b},
			{"", b, "x" + b, strings.Repeat(b, 3) + "y"},
			{"z", "", b + "x", ""},
		})
	}
	for _, c := range []string{"\x00", "\t", "\"", "\\", ",", "\x7f", "é", "東", "😀", "\u0080", "\u009f", "\u00a0", "\u2027", "\u2028", "\u2029", "\u202a"} {
		var rows [][]string
		for n := range 18 {
			text := strings.Repeat("x", n) + "東" + strings.Repeat("é", 17-n)
			for at := range text + "x" {
				rows = append(rows, []string{"x", text[:at] + c + text[at:], "y", c})
			}
		}
		inputs["beyond ASCII with "+c] = changelogOf([]int{1, 40, 9, 12}, rows)
	}
	var wide [][]string
	for n := range 301 {
		wide = append(wide, []string{strings.Repeat("w", n), strings.Repeat("v", 300-n)})
	}
	inputs["every length"] = changelogOf([]int{300, 300}, wide)
	same := [][]string{{"a", "b"}, {"<NULL>", "..."}, {"ends.", "(NULL)"}, {"東京都", "é"}, {"a \" b", "c\\d, e"}}
	inputs["equal places"] = changelogOf([]int{8, 8}, same) + strings.ReplaceAll(changelogOf([]int{8, 8}, same), "      c0 |", " another |") + changelogOf([]int{9, 7}, same)
	inputs["batch"] = "Flink SQL> SELECT 1;\n+---+\n| x |\n+---+\n| 1 |\n|   |\n| \" |\n+---+\n3 rows in set\n"
	inputs["no column but the kind"] = "+-----+\n| +/- |\n+-----+\n|   + |\n|   - |\n+-----+\nReceived a total of 2 rows\n"
	transcripts, err := filepath.Glob("../../testdata/transcripts/*/*/*.out")
	if err != nil || len(transcripts) == 0 {
		t.Fatalf("found %d transcripts, %v", len(transcripts), err)
	}
	described, _ := filepath.Glob("../../testdata/transcripts/described/*.txt")
	for _, name := range append(transcripts, described...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !testing.Short() || len(data) < 16<<10 {
			inputs[name] = string(data)
		}
	}
	framed := 0
	for name, input := range inputs {
		for _, output := range []string{"ndjson", "csv", "tsv"} {
			count := &oneByOne{}
			got := formatted(t, input, output, nil)
			want := formatted(t, input, output, count)
			framed += count.framed
			if got != want {
				t.Errorf("%s as %s (-row by row +framed): %s", name, output, cmp.Diff(want, got))
			}
		}
	}
	if framed < 1000 {
		t.Errorf("only %d rows could be framed", framed)
	}
}

// changelogOf draws a changelog of cells below each other, as many as widths.
func changelogOf(widths []int, rows [][]string) string {
	border, head := "+----+", "| op |"
	for c, w := range widths {
		border += strings.Repeat("-", w+2) + "+"
		name := fmt.Sprint("c", c)[:min(w, 2)]
		head += " " + strings.Repeat(" ", w-len(name)) + name + " |"
	}
	text := "Flink SQL> SELECT 1;\n" + border + "\n" + head + "\n" + border + "\n"
	for _, cells := range rows {
		text += "| +I |"
		for c, cell := range cells {
			text += " " + strings.Repeat(" ", widths[c]-tableau.Width([]byte(cell))) + cell + " |"
		}
		text += "\n"
	}
	return text + border + "\nReceived a total of " + fmt.Sprint(len(rows)) + " rows\n"
}

// formatted returns what a format makes of the input: row by row, if count is
// given.
func formatted(t *testing.T, input, output string, count *oneByOne) string {
	t.Helper()
	var b bytes.Buffer
	out := stream.NewOutput(&b, "b")
	opts := &options{output: output}
	f, err := newFormat(opts, out, false)
	if err != nil {
		t.Fatal(err)
	}
	if count != nil {
		count.format = f
		f = count
	}
	s := &session{Env: &command.Env{Files: []string{"-"}, Stdin: strings.NewReader(input), Out: out, Log: diag.NewLog(io.Discard)}, options: opts, format: f}
	s.files()
	out.Flush()
	return b.String()
}
