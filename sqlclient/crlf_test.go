package sqlclient_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// TestCRLF reads each transcript with CR LF in place of each newline, those in
// cells included: it holds what it held before.
func TestCRLF(t *testing.T) {
	converted := 0
	for _, name := range find(t) {
		data := load(t, name)
		if byteOrder(data) != nil || bytes.Contains(data, []byte("-+\r\n")) { // which has them already
			continue
		}
		converted++
		crlf := bytes.ReplaceAll(data, []byte{'\n'}, []byte("\r\n"))
		if diff := cmp.Diff(contents(read(t, data, name)), contents(read(t, crlf, name))); diff != "" {
			t.Errorf("%s (-LF +CR LF):\n%s", name, diff)
		}
		if err := checkSpans(crlf, name); err != nil && len(data) < 64<<10 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if converted < 400 {
		t.Errorf("only %d transcripts were converted", converted)
	}
}

// TestRecordedCells reads cells with newlines from what a terminal was sent.
func TestRecordedCells(t *testing.T) {
	const name = "2.3.0/tty/screens100.raw"
	for _, r := range read(t, load(t, name), name).Results() {
		for _, row := range r.Rows {
			if text := row.Cells[0].Text; strings.HasPrefix(text, "== Abstract Syntax Tree ==\nLogicalProject(a=[$0])\n") && !strings.Contains(text, "\r") {
				return
			}
		}
	}
	t.Errorf("%s: no plan", name)
}

// A value's own CR stays in a file whose lines end in CR LF.
func TestCRInValue(t *testing.T) {
	const lf = "+---------+\n|     a\nb |\n+---------+\n|  c\r\nd\re |\n+---------+\n1 row in set\n"
	for name, data := range map[string]string{"LF": lf, "CR LF": strings.ReplaceAll(lf, "\n", "\r\n")} {
		r := read(t, []byte(data), name).Results()[0]
		if len(r.Rows) != 1 || r.Columns[0].Name != "a\nb" || r.Rows[0].Cells[0].Text != "c\r\nd\re" || r.End != sqlclient.EndFinished {
			t.Errorf("%s: columns %+v, rows %+v, %v", name, r.Columns, r.Rows, r.End)
		}
		if err := checkSpans([]byte(data), name); err != nil {
			t.Error(err)
		}
		if err := checkReaders([]byte(data), name); err != nil {
			t.Error(err)
		}
	}
}

// contents is what a transcript says, by lines of the file but not by columns.
func contents(tr *sqlclient.Transcript) []string {
	var out []string
	for _, st := range tr.Statements {
		out = append(out, fmt.Sprintf("statement %d at line %d %q, complete: %v, %v", st.Number, st.Pos.Line, st.SQL, st.Complete, st.End()))
		for _, m := range st.Messages {
			out = append(out, fmt.Sprintf("%v %q %q %q", m.Level, m.Class, m.Text, m.CausedBy))
		}
		for _, r := range st.Results {
			out = append(out, fmt.Sprintf("result %d at line %d, %v (%v) %v, %d rows, %d recovered, %d damaged, %v", r.Number, r.Pos.Line, r.Mode, r.Ambiguous, r.Columns, r.Count, r.Recovered, r.Damaged, r.End))
			for _, row := range r.Rows {
				out = append(out, fmt.Sprintf("line %d %v %+v", row.Pos.Line, row.Kind, row.Cells))
			}
		}
	}
	for _, p := range tr.Problems {
		out = append(out, fmt.Sprintf("line %d of %d.%d: %v %s", p.Pos.Line, p.Statement, p.Result, p.Code, p.Msg))
	}
	return out
}

// Where only the head's line ends in CR LF, the CR LF of a row that ends in LF is the
// value's own.
func TestCRLFOfTheHeadAlone(t *testing.T) {
	for _, text := range []string{"  x\r\ny", "  \u00e9\r\ny"} {
		data := "+--------+\n|      a |\n+--------+\r\n| " + text + " |\n+--------+\n1 row in set\n"
		rows := read(t, []byte(data), "", sqlclient.Strict()).Results()[0].Rows
		if len(rows) != 1 || rows[0].Cells[0].Text != strings.TrimLeft(text, " ") || rows[0].Recovered() != 0 {
			t.Errorf("%q: rows %+v", data, rows)
		}
	}
}

// Where lines end in CR LF, a row that fits its border with the carriage returns
// within it as columns may have lost a line instead: so that is said. One that fits
// without them is read so.
func TestReturnsAsColumns(t *testing.T) {
	const border = "+------------+\n"
	kept, newlines := sqlclient.Recovery(changelog.RecoveredReturns), sqlclient.Recovery(changelog.RecoveredNewlines)
	for _, test := range []struct {
		name, names, row string
		cell             string
		said             string
	}{
		{"LF", "|          a |\n", "|   b\r\nc\r\nde |\n", "b\r\nc\r\nde", ""},
		{"CR LF", "|          a |\r\n", "|     b\r\nc\r\nde |\r\n", "b\nc\nde", ""},
		{"a value's own", "|          a |\r\n", "|   b\r\nc\r\nde |\r\n", "b\r\nc\r\nde", "row recovered: " + kept},
		{"both", "|          a |\r\n", "|  b\r\nc\r\nd\r\n |\r\n |\r\n", "b\nc\nd\n |\n", "row recovered: " + newlines},
		{"a name's own", "|     a\r\nb\r\n |\r\n", "|          c |\r\n", "c", "column names recovered: " + kept},
	} {
		lines := border
		if strings.HasSuffix(test.names, "\r\n") {
			lines = "+------------+\r\n"
		}
		data := []byte(lines + test.names + lines + test.row + lines + "1 row in set\n")
		tr := read(t, data, test.name)
		r := tr.Results()[0]
		if len(r.Rows) != 1 || r.Rows[0].Cells[0].Text != test.cell || r.End != sqlclient.EndFinished || len(tr.Problems) > 1 {
			t.Errorf("%s: rows %+q, %v, %v", test.name, rowTexts(tr), r.End, tr.Problems)
		}
		said := ""
		for _, p := range tr.Problems {
			if said = p.Msg; p.Code != sqlclient.RowRecovered {
				t.Errorf("%s: %v", test.name, p)
			}
		}
		if said != test.said {
			t.Errorf("%s: %q, want %q", test.name, said, test.said)
		}
		if err := checkReaders(data, "f"); err != nil {
			t.Error(err)
		}
		tr = read(t, data, test.name, sqlclient.Strict())
		r = tr.Results()[0]
		switch {
		case test.said == "":
			if len(r.Rows) != 1 || r.Rows[0].Cells[0].Text != test.cell || len(tr.Problems) > 0 {
				t.Errorf("%s: a strict reader reads %+q, %v", test.name, rowTexts(tr), tr.Problems)
			}
		case strings.HasPrefix(test.said, "row"):
			if len(r.Rows) != 0 || r.Damaged != 1 || len(tr.Problems) != 2 || tr.Problems[0].Code != sqlclient.PieceUnread || tr.Problems[1].Code != sqlclient.FooterCount {
				t.Errorf("%s: a strict reader reads %+q, %v", test.name, rowTexts(tr), tr.Problems)
			}
		default:
			if r.Columns[0].Name != "" || r.Damaged != 1 || len(tr.Problems) != 1 || tr.Problems[0].Code != sqlclient.PieceUnread {
				t.Errorf("%s: a strict reader reads %+v, %v", test.name, r.Columns, tr.Problems)
			}
		}
	}
}
