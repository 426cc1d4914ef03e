package sqlclient_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// A source is a transcript that is made while it is read, so that it can be of
// any length: a head, a unit again and again, and a foot.
type source struct {
	head  string
	unit  string
	times int64
	foot  string

	state int    // 0: head, 1: units, 2: foot
	rest  string // of the piece that is being read
}

func (s *source) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if s.rest == "" {
			switch {
			case s.state == 0:
				s.rest, s.state = s.head, 1
			case s.state == 1 && s.times > 0:
				s.rest = s.unit
				s.times--
			case s.state == 1:
				s.rest, s.state = s.foot, 2
			default:
				if n == 0 {
					return 0, io.EOF
				}
				return n, nil
			}
			continue
		}
		k := copy(p[n:], s.rest)
		s.rest = s.rest[k:]
		n += k
	}
	return n, nil
}

// A table is a result as the client draws it, in columns that are as wide as
// its types are.
type tableText struct {
	head string // the statement, and the head of the table
	rows string // ten rows, without their end
	foot string // border; the footer is the caller's
}

// The values of ten rows each. Columns are 30, 11 and 20 wide.
var tableValues = map[string][]string{
	"ascii": {"silver", "gold", "a | b", "x", "many many many many many m...", "item 17", "", "<NULL>", "bronze", "free"},
	"mixed": {"silver", "東京都渋谷区", "a | b", "é", "many many many many many m...", "item 17", "", "<NULL>", "金", "ok 😀"},
	"CJK":   {"東京都渋谷区神南一丁目", "金色", "銀色の品物", "銅", "無料の会員", "注文番号十七番", "東京都港区", "大阪市北区梅田", "名古屋市", "札幌"},
}

func tableOf(values []string, streaming bool) tableText {
	op, opBorder, opHead := "", "", ""
	if streaming {
		op, opBorder, opHead = "+I", "+----", "| op "
	}
	border := opBorder + "+" + strings.Repeat("-", 32) + "+" + strings.Repeat("-", 13) + "+" + strings.Repeat("-", 22) + "+\n"
	t := tableText{
		head: "Flink SQL> SELECT * FROM f(x)" + border + opHead + fmt.Sprintf("| %30s | %11s | %20s |\n", "name", "n", "amount") + border,
		foot: border,
	}
	for i, v := range values {
		cells := []string{v, fmt.Sprint(4711 * i), fmt.Sprintf("%d.%02d", 271828*i, i)}
		widths := []int{30, 11, 20}
		if streaming {
			cells, widths = append([]string{op}, cells...), append([]int{2}, widths...)
		}
		t.rows += drawRow(cells, widths)
	}
	return t
}

// times returns a source of the changelog with ten times n rows.
func (t tableText) times(n int64) *source {
	return &source{head: t.head, unit: t.rows, times: n, foot: t.foot + fmt.Sprintf("Received a total of %d rows\n\n", 10*n)}
}

func TestSource(t *testing.T) {
	text, err := io.ReadAll(&source{head: "h", unit: "un", times: 3, foot: "f"})
	if err != nil || string(text) != "hunununf" {
		t.Errorf("read %q, %v", text, err)
	}
	for kind, values := range tableValues {
		data, err := io.ReadAll(tableOf(values, true).times(3))
		if err != nil {
			t.Fatal(err)
		}
		tr := read(t, data, kind)
		if len(tr.Problems) > 0 || len(tr.Results()) != 1 || len(tr.Results()[0].Rows) != 30 {
			t.Fatalf("%s: %v", kind, tr.Problems)
		}
		for i, row := range tr.Results()[0].Rows {
			if got := row.Cells[0].Text; got != values[i%10] {
				t.Errorf("%s: row %d is of %q, want %q", kind, i, got, values[i%10])
			}
		}
	}
}
