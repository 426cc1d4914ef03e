package changelog

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What real releases of Flink printed.
const corpus = "../testdata/transcripts"

// tableaux reads the streaming results of a transcript whose values hold
// neither bars nor newlines. It reads just what these tests need.
func tableaux(t *testing.T, name string) (results [][]Row) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for line := 1; in.Scan(); line++ {
		s, ok := strings.CutPrefix(in.Text(), "| ")
		if !ok {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(s, " |"), " | ")
		if cells[0] == "op" {
			results = append(results, nil)
			continue
		}
		kind, ok := ParseRowKind(cells[0])
		if !ok || len(results) == 0 {
			continue
		}
		r := Row{Kind: kind, Pos: Pos{File: name, Line: line, Col: 1}}
		for _, c := range cells[1:] {
			cell := Cell{Text: strings.TrimSpace(c)}
			if cell.Text == "<NULL>" || cell.Text == "(NULL)" {
				cell.Marks = Null
			}
			r.Cells = append(r.Cells, cell)
		}
		results[len(results)-1] = append(results[len(results)-1], r)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return results
}

func folded(t *testing.T, changes []Row, key ...int) *Table {
	t.Helper()
	table := NewTable(make([]Column, len(changes[0].Cells)), key...)
	for _, r := range changes {
		if err := table.Apply(r); err != nil {
			t.Error(err)
		}
	}
	if table.MaybeUpsert() {
		t.Errorf("%s: +U but no -U", changes[0].Pos)
	}
	return table
}

func releases(t *testing.T, file string) []string {
	files, err := filepath.Glob(filepath.Join(corpus, "*", file))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no transcripts %s", file)
	}
	return files
}

// Queries that amend a great deal of what they emit, one row for each value of
// the first column. All releases must come to what was computed without Flink,
// with the key and without.
func TestCorpusAggregates(t *testing.T) {
	for _, query := range []string{"regular", "latest"} {
		files := releases(t, "joins/"+query+".out")
		data, err := os.ReadFile(filepath.Join(corpus, "lab/expected.json"))
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
		var expected map[string][2]any
		if err := json.Unmarshal(all[query], &expected); err != nil {
			t.Fatal(err)
		}
		var want []Row
		for name, v := range expected {
			want = append(want, Row{Cells: []Cell{{Text: name}, {Text: fmt.Sprint(v[0])}, {Text: v[1].(string)}}})
		}
		for _, file := range files {
			results := tableaux(t, file)
			if len(results) != 1 {
				t.Fatalf("%s: %d results", file, len(results))
			}
			for _, key := range [][]int{nil, {0}} {
				missing, extra := Diff(folded(t, results[0], key...).Rows(), slices.Values(want))
				for _, r := range missing {
					t.Errorf("%s, key %v: missing %s", file, key, formatRow(r))
				}
				for _, r := range extra {
					t.Errorf("%s, key %v: extra %s", file, key, formatRow(r))
				}
			}
		}
	}
}

// Retractions of all kinds; the order of the changes differs between releases,
// what they come to does not.
func TestCorpusChangelogs(t *testing.T) {
	want := []string{
		"Alice 1 2, Bob 2 5, Greg 1 3, 金色 2 11",
		"1 a null, 2 b x, 2 b x, 2 b y, 2 b y",
		"1 null, 2 x, null z",
		"a 5 2, a 9 1, b 2 1",
		"3 3",
		"2 1, 3 1",
		"b 1",
		"1, 1, 1",
	}
	for _, file := range releases(t, "shapes/changelog.out") {
		results := tableaux(t, file)
		if len(results) < len(want) {
			t.Fatalf("%s: %d results", file, len(results))
		}
		for i, want := range want {
			var rows []string
			for r := range folded(t, results[i]).Rows() {
				r.Pos = Pos{}
				rows = append(rows, strings.TrimSuffix(formatRow(r), " @0"))
			}
			slices.Sort(rows)
			if got := strings.Join(rows, ", "); got != want {
				t.Errorf("%s: result %d is %s, want %s", file, i+1, got, want)
			}
		}
	}
}

// Seen in a real result: with a HAVING the last +I or +U of a key is not its
// final value.
func TestCorpusBareUpdateBefore(t *testing.T) {
	for _, file := range releases(t, "shapes/changelog.out") {
		last := make(map[string]bool)
		changes := tableaux(t, file)[6]
		for _, r := range changes {
			if r.Kind.Adds() {
				last[r.Cells[0].Text] = true
			}
		}
		if got := folded(t, changes).Len(); got != 1 || len(last) != 2 {
			t.Errorf("%s: %d rows, keys that were added %v", file, got, slices.Sorted(maps.Keys(last)))
		}
	}
}
