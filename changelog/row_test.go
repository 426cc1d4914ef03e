package changelog_test

import (
	"testing"

	"github.com/seed-69e58989/flinkread/changelog"
)

func TestMarks(t *testing.T) {
	for marks, want := range map[changelog.Marks]string{
		0:                           "",
		changelog.Null:              "null",
		changelog.RecoveredByBars:   "by bars",
		changelog.RecoveredNewlines: "newlines",
		changelog.Null | changelog.MaybeCut | changelog.RecoveredWrapped | changelog.RecoveredNarrow: "null, maybe cut, narrow, wrapped",
		changelog.Null | changelog.MaybeCut | changelog.Recovered:                                    "null, maybe cut, narrow, by bars, wrapped, interrupted, returns, newlines",
	} {
		if got := marks.String(); got != want {
			t.Errorf("%b: %q instead of %q", marks, got, want)
		}
	}
}

func TestRecovered(t *testing.T) {
	row := changelog.Row{}
	if how := row.Recovered(); how != 0 {
		t.Errorf("a row without cells: %v", how)
	}
	row.Cells = []changelog.Cell{{Text: "<NULL>", Marks: changelog.Null | changelog.RecoveredWrapped}, {Text: "a"}}
	if how := row.Recovered(); how != changelog.RecoveredWrapped {
		t.Errorf("%v", how)
	}
}
