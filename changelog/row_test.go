package changelog_test

import (
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/changelog"
)

func TestMarks(t *testing.T) {
	for marks, want := range map[changelog.Marks]string{
		0:                                   "",
		changelog.Null:                      "null",
		changelog.Null | changelog.MaybeCut: "null, maybe cut",
		changelog.RecoveredByBars:           "does not fit its border: its cells were found by its bars",
		changelog.MaybeCut | changelog.RecoveredNarrow:         "maybe cut, narrower than its border: an output encoding replaced wide characters by ?",
		changelog.RecoveredWrapped | changelog.RecoveredByBars: "broken into several lines, which lack blanks and were put together by their bars",
	} {
		if got := marks.String(); got != want {
			t.Errorf("%b: %q instead of %q", marks, got, want)
		}
	}
	words := make(map[string]bool)
	for mark := changelog.Marks(1); mark != 0; mark <<= 1 {
		if s := mark.String(); mark&(changelog.Null|changelog.MaybeCut|changelog.Recovered) != 0 {
			if s == "" || strings.Contains(s, ", maybe") || words[s] {
				t.Errorf("%b: %q", mark, s)
			}
			words[s] = true
		} else if s != "" {
			t.Errorf("%b is no mark, but says %q", mark, s)
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
