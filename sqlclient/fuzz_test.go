package sqlclient_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

// FuzzReader reads anything: the records cover the input and do not depend on
// how it arrives, nor do the results, and no row is told to be more than it is.
func FuzzReader(f *testing.F) {
	for _, name := range find(f) {
		data := load(f, name)
		if r := release(name); len(data) < 4<<10 && (r == "1.13.6" || r == "2.3.0") {
			f.Add(data)
		}
	}
	for _, piece := range []string{
		"+---+\n| a |\n+---+\n| b |\n+---+\n1 row in set\n",
		"Flink SQL> SELECT f(x)+----+---+\n| op | a |\n+----+---+\n^C| +I | b |\nQuery terminated, received a total of 1 row\n",
		"| op | a |\r\n+----+---+\r\n", "+---+\n| 金 |\n+---+\n", "Empty set (0,58 seconds)\n", "\x1b[31;1m[ERROR] x\n\x1b[0m\n", "\xff\xfe\x00+---+",
		"out:1> +I[1, a]\nout:2> -U[1, a\nb]\n+I(2,c)\nR3:3> (false,+I[hello, 1])\n", "+I[a]\nb]\n", "+I[a\n1> +I[b]\n", "1> +I[a]",
	} {
		f.Add([]byte(piece))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkSpans(data, "f"); err != nil {
			t.Error(err)
		}
		if err := checkReaders(data, "f"); err != nil {
			t.Error(err)
		}
		tr := read(t, data, "f")
		strict := read(t, data, "f", sqlclient.Strict())
		for i, res := range tr.Results() {
			if int64(len(res.Rows)) != res.Count {
				t.Errorf("result %d counts %d rows and has %d", i+1, res.Count, len(res.Rows))
			}
			if res.End == sqlclient.EndOpen {
				t.Errorf("result %d has no end", i+1)
			}
			for _, row := range res.Rows {
				if len(row.Cells) != len(res.Columns) {
					t.Errorf("row at %v has %d cells below %d names", row.Pos, len(row.Cells), len(res.Columns))
				}
			}
			if _, err := res.Final(); err == nil && !res.End.Whole() {
				t.Errorf("result %d is %v and folds without an error", i+1, res.End)
			}
		}
		for _, res := range strict.Results() {
			if res.Recovered != 0 {
				t.Error("a strict reader recovered a row")
			}
		}
		if got, want := batched(data), text(tr); got != want {
			t.Errorf("with BatchRows:\n%s\nwant:\n%s", got, want)
		}
	})
}

// text returns all cells of all results.
func text(tr *sqlclient.Transcript) string {
	var b strings.Builder
	for _, res := range tr.Results() {
		for _, row := range res.Rows {
			fmt.Fprintf(&b, "%d %v %s\n", res.Number, row.Kind, rowText(row))
		}
	}
	return b.String()
}

// batched returns the same, read with many rows at a time.
func batched(data []byte) string {
	var results []string
	outline := sqlclient.NewOutline("f", nil)
	for rec := range sqlclient.NewReader(bytes.NewReader(data), "f", sqlclient.BatchRows(), sqlclient.BufferSize(64)).Records() {
		res := outline.Add(rec)
		if res == nil {
			continue
		}
		for len(results) < res.Number {
			results = append(results, "")
		}
		switch rec := rec.(type) {
		case *sqlclient.Rows:
			for row := range rec.All() {
				results[res.Number-1] += fmt.Sprintf("%d %v %s\n", res.Number, row.Kind, rowText(*row))
			}
		case *sqlclient.PrintLine:
			results[res.Number-1] += fmt.Sprintf("%d %v %s\n", res.Number, rec.Kind, rowText(rec.Row))
		}
	}
	return strings.Join(results, "")
}
