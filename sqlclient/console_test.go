package sqlclient_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

// An answer is what a console fixture expects a statement to print: the lines
// between "!output" and the mark of how it ended.
type answer struct {
	line  int // of its first line
	lines []string
}

// answers returns the answers of a console fixture.
func answers(data string) []answer {
	var found []answer
	var open *answer
	for i, line := range strings.Split(data, "\n") {
		switch {
		case line == "!output":
			open = &answer{line: i + 2}
		case open != nil && strings.HasPrefix(line, "!"):
			found = append(found, *open)
			open = nil
		case open != nil:
			open.lines = append(open.lines, line)
		}
	}
	return found
}

var consoleBorder = regexp.MustCompile(`^\+(?:-+\+)+$`)

// table cuts the answer's table by bars, and by lines: a value of these fixtures
// holds no bar, and one that has newlines is the only one of its row. It returns
// nil for an answer without a table.
func (a answer) table() (rows [][]string) {
	borders := 0
	for i, line := range a.lines {
		switch {
		case consoleBorder.MatchString(line):
			borders++
		case borders == 0 || borders == 3:
		case strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|") && len(line) > 2:
			var cells []string
			for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
				cells = append(cells, strings.TrimSpace(cell))
			}
			rows = append(rows, cells)
		case strings.HasPrefix(line, "|"):
			rows = append(rows, []string{strings.TrimLeft(line[1:], " ")})
		case i > 0 && len(rows) > 0:
			last := rows[len(rows)-1]
			last[0] += "\n" + strings.TrimSuffix(line, " |")
		}
	}
	return rows
}

// TestConsoleFixtures reads the tables that Flink's own console tests expect.
func TestConsoleFixtures(t *testing.T) {
	files, _ := filepath.Glob("../../shared/q/*/*/*.q")
	if len(files) == 0 {
		t.Skip("the fixtures are not at hand")
	}
	tables := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var want [][][]string
		inTable := map[int]bool{} // the lines of answers with a table
		for _, a := range answers(string(data)) {
			if rows := a.table(); rows != nil {
				want = append(want, rows)
				for i := range a.lines {
					inTable[a.line+i] = true
				}
			}
		}
		tables += len(want)
		var got [][][]string
		for rec, err := range sqlclient.NewReader(bytes.NewReader(data), file).Records() {
			if err != nil {
				t.Fatal(err)
			}
			switch rec := rec.(type) {
			case *sqlclient.Head:
				var names []string
				if rec.Mode == sqlclient.ModeStreaming {
					names = append(names, "op")
				}
				for _, c := range rec.Columns {
					names = append(names, c.Name)
				}
				got = append(got, [][]string{names})
			case *sqlclient.Row:
				var cells []string
				if kind := rec.Kind.String(); kind != "" {
					cells = append(cells, kind)
				}
				for _, c := range rec.Cells {
					cells = append(cells, c.Text)
				}
				got[len(got)-1] = append(got[len(got)-1], cells)
			case *sqlclient.Border, *sqlclient.Footer:
			case *sqlclient.Text:
				if inTable[rec.Span().Start.Line] && rec.Kind != sqlclient.TextBlank {
					t.Errorf("%v: unexplained text %q", rec.Span().Start, rec.Text)
				}
			default:
				if inTable[rec.Span().Start.Line] {
					t.Errorf("%v: unexplained %T", rec.Span().Start, rec)
				}
			}
		}
		trim := func(tables [][][]string) [][][]string {
			for _, rows := range tables {
				for _, row := range rows {
					for i, cell := range row {
						row[i] = strings.TrimSpace(cell)
					}
				}
			}
			return tables
		}
		if diff := cmp.Diff(trim(want), trim(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		for _, rows := range want {
			if slices.ContainsFunc(rows, func(row []string) bool { return len(row) != len(rows[0]) }) {
				t.Errorf("%s: %q was cut badly by the test", file, rows[0])
			}
		}
	}
	if tables < 400 {
		t.Errorf("%d tables only", tables)
	}
}
