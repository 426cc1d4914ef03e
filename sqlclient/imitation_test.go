package sqlclient_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

// TestImitations reads transcripts whose statements hold strings that look like
// what the client prints itself. Of each statement it wants the count of results
// and whether it failed.
func TestImitations(t *testing.T) {
	type outcome struct {
		Results int
		Failed  bool
	}
	var (
		ok     = outcome{}
		table  = outcome{Results: 1}
		failed = outcome{Results: 1, Failed: true}
	)
	brackets := []outcome{ok, ok, table, table, table, table, ok, table, table, table, table, table, table}
	tests := map[string][]outcome{
		"1.13.6/shapes/brackets.out":      append(brackets[:13:13], table), // CAST of what is no number was null
		"2.3.0/shapes/brackets.out":       append(brackets[:13:13], failed),
		"1.13.6/shapes/imitation.out":     {ok, ok, table, table},
		"2.3.0/shapes/imitation.out":      {ok, ok, table, table},
		"2.3.0/shapes/comments.out":       {ok, ok, table, table, table, table},
		"1.13.6/shapes/nosemi.out":        {ok, ok, table},
		"2.3.0/shapes/nosemi.out":         {ok, ok, table},
		"1.13.6/shapes/aliases_ascii.out": {ok, ok, table, table, table, table, table, table, table, {Failed: true}},
		"2.3.0/shapes/aliases_ascii.out":  {ok, ok, table, table, table, table, table, table, table, table, table},
	}
	for name, want := range tests {
		tr := read(t, load(t, name), name)
		var got []outcome
		for _, st := range tr.Statements {
			got = append(got, outcome{len(st.Results), st.Failure() != nil})
			for _, r := range st.Results {
				if r.Columns == nil || r.End != sqlclient.EndFinished && r.End != sqlclient.EndFailed {
					t.Errorf("%s: statement %d has a result that is %v", name, st.Number, r.End)
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
}

// TestNarrowNames reads a head that an ASCII locale made narrower than its
// border, with a bar in the name (1.13.6).
func TestNarrowNames(t *testing.T) {
	const name = "1.13.6/shapes/aliases_ascii.out"
	var got [][]string
	for _, r := range read(t, load(t, name), name).Results() {
		var names []string
		for _, c := range r.Columns {
			names = append(names, c.Name)
		}
		got = append(got, names)
	}
	want := [][]string{{"a|b", "?|?", "lead "}, {"| a |"}, {"??"}, {"?|?"}, {"op", "?|?"}, {"op", "n"}, {"op"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
