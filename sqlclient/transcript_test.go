package sqlclient_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// Who names or types the columns of one result does not do so to those of the next,
// which has an equal head.
func TestColumnsOfEqualHeads(t *testing.T) {
	const table = "+---+\n| n |\n+---+\n| 1 |\n+---+\n1 row in set\n\n"
	got, err := sqlclient.Read(strings.NewReader(table+table), "")
	if err != nil {
		t.Fatal(err)
	}
	results := got.Results()
	results[0].Columns[0].Name = "changed"
	if name := results[1].Columns[0].Name; name != "n" {
		t.Errorf("the column of the second result is %q", name)
	}
}

// The rows of a Transcript are its own, whatever the options say.
func TestReadOwnsItsRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("+----+-----+\n| op |   n |\n+----+-----+\n")
	for i := range 500 {
		fmt.Fprintf(&b, "| +I | %3d |\n", i)
	}
	tr := read(t, []byte(b.String()), "", sqlclient.ReuseRows())
	for i, row := range tr.Results()[0].Rows {
		if got := row.Cells[0].Text; got != fmt.Sprint(i) {
			t.Fatalf("row %d became %q", i, got)
		}
	}
}

func TestFinal(t *testing.T) {
	const head = "+----+---+---+\n| op | k | v |\n+----+---+---+\n"
	const foot = "+----+---+---+\nReceived a total of %d rows\n"
	upsert := head + "| +I | a | 1 |\n| +U | a | 2 |\n"
	retract := head + "| +I | a | 1 |\n| -U | a | 1 |\n| +U | a | 2 |\n"
	for _, test := range []struct {
		name  string
		input string
		key   []int
		rows  string
		errs  string // the kinds of errors that are found in the one that is returned
	}{
		{"a whole changelog", retract + fmt.Sprintf(foot, 3), nil, "a 2", ""},
		{"by its key", upsert + fmt.Sprintf(foot, 2), []int{0}, "a 2", ""},
		{"without its key", upsert + fmt.Sprintf(foot, 2), nil, "a 1, a 2", "upsert"},
		{"cut off", retract, nil, "a 2", "incomplete"},
		{"cut off, and without its key", upsert, nil, "a 1, a 2", "upsert incomplete"},
		{"a footer that counts otherwise", retract + fmt.Sprintf(foot, 4), nil, "a 2", "incomplete"},
		{"a row that cannot be read", retract + "| +I | b|b | c|d |\n" + fmt.Sprintf(foot, 3), nil, "a 2", "incomplete"},
		{"a key that is no column", retract + fmt.Sprintf(foot, 3), []int{2}, "", "anomaly"},
		{"a key that is no column, and cut off", retract, []int{0, 7}, "", "incomplete anomaly"},
		{"a key that is no column, without rows", head + fmt.Sprintf(foot, 0), []int{99}, "", "anomaly"},
		{"a key below all columns", retract + fmt.Sprintf(foot, 3), []int{-1}, "", "anomaly"},
		{"a key of an empty set", "Empty set\n", []int{1}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := read(t, []byte(test.input), "f").Results()[0]
			table, err := result.Final(test.key...)
			var rows []string
			for row := range table.Rows() {
				rows = append(rows, row.Cells[0].Text+" "+row.Cells[1].Text)
			}
			if got := strings.Join(rows, ", "); got != test.rows {
				t.Errorf("rows %q, want %q", got, test.rows)
			}
			var errs []string
			if e := (*sqlclient.UpsertError)(nil); errors.As(err, &e) {
				errs = append(errs, "upsert")
				if e.Result != result {
					t.Error("an UpsertError of another result")
				}
			}
			if e := (*sqlclient.IncompleteError)(nil); errors.As(err, &e) {
				errs = append(errs, "incomplete")
				if e.Result != result {
					t.Error("an IncompleteError of another result")
				}
			}
			if e := (*changelog.Anomaly)(nil); errors.As(err, &e) {
				errs = append(errs, "anomaly")
				if e.Kind != changelog.NoKeyColumn || !e.Pos.IsValid() {
					t.Errorf("an anomaly of the kind %v at %v", e.Kind, e.Pos)
				}
			}
			if got := strings.Join(errs, " "); got != test.errs {
				t.Errorf("%v: found %q, want %q", err, got, test.errs)
			}
			if err != nil {
				for line := range strings.Lines(err.Error()) {
					if !strings.HasPrefix(line, "f:") {
						t.Errorf("%q names no place", line)
					}
				}
			}
		})
	}
}

// Rows that an Outline counted were not kept, so nothing can be folded.
func TestFinalOfAnOutline(t *testing.T) {
	outline := sqlclient.NewOutline("", nil)
	var results []*sqlclient.Result
	for rec, err := range sqlclient.NewReader(strings.NewReader(table), "").Records() {
		if err != nil {
			t.Fatal(err)
		}
		if r := outline.Add(rec); r != nil && !slices.Contains(results, r) {
			results = append(results, r)
		}
	}
	outline.Close()
	folded, err := results[0].Final()
	if e := (*sqlclient.IncompleteError)(nil); folded.Len() != 0 || !errors.As(err, &e) || !strings.Contains(err.Error(), "of which 0 were kept") {
		t.Errorf("%d rows, %v", folded.Len(), err)
	}
}
