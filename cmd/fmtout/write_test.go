package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

func TestUniqueNames(t *testing.T) {
	for _, test := range []struct{ names, taken, want string }{
		{"a b c", "", "a b c"},
		{"k k k", "", "k k_2 k_3"},
		{"k k k_2", "", "k k_3 k_2"},
		{"k_2 k k", "", "k_2 k k_3"},
		{"k k k_2 k_2", "", "k k_3 k_2 k_2_2"},
		{"op n op", "op", "op_2 n op_3"},
		{"op op_2", "op", "op_3 op_2"},
		{"\xff \xfe \uFFFD \uFFFD_3", "", "\xff \xfe_2 \uFFFD_4 \uFFFD_3"}, // one name, as JSON prints it
	} {
		var columns []changelog.Column
		for name := range strings.FieldsSeq(test.names) {
			columns = append(columns, changelog.Column{Name: name})
		}
		got := strings.Join(uniqueNames(columns, strings.Fields(test.taken)...), " ")
		if got != test.want {
			t.Errorf("uniqueNames(%s) with %q taken = %s, want %s", test.names, test.taken, got, test.want)
		}
	}
}

// A million equal names must not take a million million steps.
func TestUniqueNamesOfMany(t *testing.T) {
	columns := make([]changelog.Column, 100_000)
	names := uniqueNames(columns)
	seen := make(map[string]bool)
	for _, name := range names {
		if seen[name] {
			t.Fatalf("%q twice", name)
		}
		seen[name] = true
	}
}

func TestIsNumber(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "0": true, "-12.50": true, "+1": true, "1.5E10": true, "1e-3": true, "007": true,
		".5": false, "5.": false, "1.2.3": false, "-": false, "1e": false, "1e2e3": false, "1e2.5": false,
		"NaN": false, "1,5": false, "1 2": false, "--1": false, "2026-03-01": false, "٣": false,
	} {
		if got := isNumber(s); got != want {
			t.Errorf("isNumber(%q) = %v", s, got)
		}
	}
}

func TestSeconds(t *testing.T) {
	for printed, want := range map[string]string{
		"3.97": "3.97", "0.58": "0.58", "3,97": "3.97", "12": "12", "0": "0", "": "null", "1.234,56": "null",
		".5": "null", "5.": "null", "٣٫٩٧": "null", "00.5": "null", "-1": "null", "1e5": "null",
	} {
		got := seconds(printed)
		if got != want {
			t.Errorf("seconds(%q) = %s, want %s", printed, got, want)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("seconds(%q) = %s is not JSON", printed, got)
		}
	}
}

// write gives the rows of one result to a format.
func write(t *testing.T, f format, s *section, rows [][]string) {
	t.Helper()
	if err := f.begin(s); err != nil {
		t.Fatal(err)
	}
	for _, cells := range rows {
		if err := f.row(rowOf(cells)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.end(); err != nil {
		t.Fatal(err)
	}
}

func rowOf(cells []string) *changelog.Row {
	row := &changelog.Row{}
	for _, text := range cells {
		row.Cells = append(row.Cells, changelog.Cell{Text: text})
	}
	return row
}

func batchOf(names ...string) *section {
	res := &sqlclient.Result{Number: 1, Statement: &sqlclient.Statement{Number: 1}, Mode: sqlclient.ModeBatch, End: sqlclient.EndFinished}
	for _, name := range names {
		res.Columns = append(res.Columns, changelog.Column{Name: name})
	}
	return &section{Result: res, names: uniqueNames(res.Columns), end: sqlclient.EndFinished}
}

// awkward has every byte at several places of a word.
func awkward() [][]string {
	var rows [][]string
	for c := range 256 {
		b := string([]byte{byte(c)})
		rows = append(rows, []string{b, "1234567" + b, "12345678" + b + "x", strings.Repeat("y", 20) + b + b})
	}
	return rows
}

func TestDelimitedReadsBack(t *testing.T) {
	for _, delimiter := range []byte{',', '\t'} {
		var b bytes.Buffer
		out := stream.NewOutput(&b, "b")
		f := newDelimited(out, string(delimiter), false)
		rows := awkward()
		write(t, f, batchOf("a", "b", "c", "d"), rows)
		if err := f.close(); err != nil {
			t.Fatal(err)
		}
		out.Flush()
		r := csv.NewReader(&b)
		r.Comma = rune(delimiter)
		got, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want := append([][]string{{"a", "b", "c", "d"}}, rows...)
		for _, row := range want { // encoding/csv takes \r\n in a field for \n; there are none
			for i := range row {
				if strings.Contains(row[i], "\r\n") {
					t.Fatal("the test has a carriage return before a newline")
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with %q: %s", delimiter, diff)
		}
	}
}

func TestDelimitedQuotesOnlyWhatNeedsIt(t *testing.T) {
	for _, test := range []struct {
		delimiter byte
		in, want  string
	}{
		{',', "plain", "plain"}, {',', "", `""`}, {',', "a,b", `"a,b"`}, {',', "a\tb", "a\tb"}, {',', " lead", " lead"},
		{',', `say "x"`, `"say ""x"""`}, {',', "a\nb", "\"a\nb\""}, {',', "a\rb", "\"a\rb\""}, {',', `"`, `""""`},
		{'\t', "a,b", "a,b"}, {'\t', "a\tb", "\"a\tb\""}, {'\t', "", `""`},
	} {
		got := string(newDelimited(nil, string(test.delimiter), false).appendField(nil, &nothing, test.in))
		if got != test.want {
			t.Errorf("%q with %q = %s, want %s", test.in, test.delimiter, got, test.want)
		}
	}
}

// Files get what the cells hold, terminals what can be shown.
func TestDelimitedOnATerminal(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		got := string(newDelimited(nil, ",", terminal).appendField(nil, &nothing, "\x1b[31mred\n\xff"))
		want := "\"\x1b[31mred\n\xff\""
		if terminal {
			want = "␛[31mred␊\uFFFD"
		}
		if got != want {
			t.Errorf("on a terminal (%v): %q, want %q", terminal, got, want)
		}
	}
}

// A second result behind much output can only be told.
func TestDelimitedSecondResultBehindALargeOne(t *testing.T) {
	for _, test := range []struct {
		rows  int
		wrote bool
	}{{100, false}, {100_000, true}} {
		var b bytes.Buffer
		out := stream.NewOutput(&b, "b")
		f := newDelimited(out, ",", false)
		row := []string{"a value of some thirty letters"}
		write(t, f, batchOf("a"), slices.Repeat([][]string{row}, test.rows))
		write(t, f, batchOf("b"), [][]string{{"of the second result"}})
		choice := (*choiceError)(nil)
		if err := f.close(); !errors.As(err, &choice) || choice.results != 2 {
			t.Fatalf("close = %v", err)
		}
		out.Flush()
		if strings.Contains(b.String(), "second") {
			t.Error("rows of the second result were written")
		}
		if got := b.Len() > 0; got != test.wrote {
			t.Errorf("with %d rows, wrote %d bytes", test.rows, b.Len())
		}
	}
}

func TestChoicesAreLimited(t *testing.T) {
	f := newDelimited(stream.NewOutput(io.Discard, "nothing"), ",", false)
	for range 1000 {
		write(t, f, batchOf("a"), nil)
	}
	choice := f.close().(*choiceError)
	lines := choice.lines()
	if len(lines) != maxChoices+1 || lines[maxChoices].Error() != "and 980 more" {
		t.Errorf("%d lines, the last: %v", len(lines), lines[len(lines)-1])
	}
}

// Rows of JSON read back as what they were, each on its own line.
func TestJSONReadsBack(t *testing.T) {
	s := batchOf("a", "b", "a", "say \"x\"\n")
	rows := awkward()
	var lines, array bytes.Buffer
	out := stream.NewOutput(&lines, "lines")
	write(t, &ndjson{out: out}, s, rows)
	out.Flush()
	out = stream.NewOutput(&array, "array")
	f := &jsonArray{out: out}
	write(t, f, s, rows)
	f.close()
	out.Flush()

	type object struct{ Row map[string]string }
	var want, got []object
	for _, cells := range rows {
		row := make(map[string]string)
		for i, name := range []string{"a", "b", "a_2", "say \"x\"\n"} {
			row[name] = string([]rune(cells[i])) // bytes that are not UTF-8 become U+FFFD
		}
		want = append(want, object{row})
	}
	for line := range strings.Lines(lines.String()) {
		var o object
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		got = append(got, o)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ndjson: %s", diff)
	}
	var results []struct{ Rows []object }
	if err := json.Unmarshal(array.Bytes(), &results); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, results[0].Rows); diff != "" {
		t.Errorf("json: %s", diff)
	}
}

// What a document writes can go to a terminal.
func TestDocumentHoldsNoControls(t *testing.T) {
	for _, markdown := range []bool{false, true} {
		for _, n := range []int{1, 5000} { // held, and row by row
			var b bytes.Buffer
			out := stream.NewOutput(&b, "b")
			f := &document{out: out, markdown: markdown}
			s := batchOf("a\x1b", "b", "c", "d\r\n")
			s.Statement.SQL = "SELECT '\x1b[31m'\x07"
			var rows [][]string
			for len(rows) <= n {
				rows = append(rows, awkward()...)
			}
			write(t, f, s, rows)
			f.statement(&statement{sql: "x\x00", failure: &sqlclient.Message{Text: "red \x1b[31m\n\tand\tmore", Class: "c\x07"}})
			out.Flush()
			if i := strings.IndexFunc(b.String(), isControl); i >= 0 {
				t.Errorf("markdown %v, %d rows: a control in %.60q", markdown, len(rows), b.String()[i:])
			}
		}
	}
}

func TestTallies(t *testing.T) {
	var ts tallies
	reported := 0
	for i := range 100 {
		if ts.add(0, 0, &sqlclient.Problem{Code: sqlclient.RowRecovered, Msg: fmt.Sprint(i)}) {
			reported++
		}
	}
	ts.add(0, 0, &sqlclient.Problem{Code: sqlclient.FooterCount})
	if reported != maxReported || len(ts) != 2 || ts[0].n != 100 || ts[0].first.Msg != "0" {
		t.Errorf("reported %d, kept %d kinds, the first %+v", reported, len(ts), ts[0])
	}
	var current tallies
	for _, place := range [][2]int{{1, 1}, {2, 0}, {2, 1}, {2, 2}, {3, 3}} {
		current.add(place[0], place[1], &sqlclient.Problem{Code: sqlclient.RowRecovered})
	}
	if got := current.take(2, 1); len(got) != 2 || got[0].result != 0 || got[1].result != 1 || len(current) != 2 {
		t.Errorf("took %d tallies, left %d", len(got), len(current))
	}
}
