package sqlclient_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// FuzzReader reads anything: the records cover the input and do not depend on
// how it arrives, nor do the results, and no row is told to be more than it is.
func FuzzReader(f *testing.F) {
	for _, name := range find(f) {
		data := load(f, name)
		if r := release(name); len(data) < 4<<10 && (r == "1.13.6" || r == "2.3.0" || r == "described") {
			f.Add(data)
		}
	}
	for _, piece := range []string{
		"+---+\n| a |\n+---+\n| b |\n+---+\n1 row in set\n",
		"Flink SQL> SELECT f(x)+----+---+\n| op | a |\n+----+---+\n^C| +I | b |\nQuery terminated, received a total of 1 row\n",
		"| op | a |\r\n+----+---+\r\n", "+---+\n| 金 |\n+---+\n", "Empty set (0,58 seconds)\n", "\x1b[31;1m[ERROR] x\n\x1b[0m\n", "\xff\xfe\x00+---+",
		"out:1> +I[1, a]\nout:2> -U[1, a\nb]\n+I(2,c)\nR3:3> (false,+I[hello, 1])\n", "+I[a]\nb]\n", "+I[a\n1> +I[b]\n", "1> +I[a]",
		"%table\na\tb\n1\t2\n\n%text\n%table a\tb\n1\n", "x Refresh with data: %table\na\n1\n\n%text x\n",
		`{"paragraphs":[{"text":"%ssql q","results":{"code":"ERROR","msg":[{"type":"TABLE","data":"a\tb\n1\t\u0032\n3"},{"type":"TEXT","data":"x"},{"type":"ANGULAR","data":"x"}]}}]}`,
		"{\n\"paragraphs\": [{", `{"paragraphs":[{"results":{"msg":[{"data":"a\u000a\u0009","type":"TABLE"}],"code":"SUCCESS"},"text":""}]}`,
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
		checkSplit(t, data)
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
			t.Errorf("with ReuseRows:\n%s\nwant:\n%s", got, want)
		}
		if err := checkReleased(data); err != nil {
			t.Error(err)
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
	for rec := range sqlclient.NewReader(bytes.NewReader(data), "f", sqlclient.ReuseRows(), sqlclient.BufferSize(64)).Records() {
		res := outline.Add(rec)
		if res == nil {
			continue
		}
		for len(results) < res.Number {
			results = append(results, "")
		}
		switch rec := rec.(type) {
		case *sqlclient.Rows:
			all := raw.Of(rec)
			for i, bounds := range all.Bounds {
				row := all.Whole.Row(i)
				text := all.Text[all.Start(i):bounds.End]
				for c, place := range all.Places {
					switch at := int(bounds.Cells); { // which say the same
					case all.Marked || at == raw.Ended:
					case at == raw.Plain:
						row.Cells[c] = changelog.Cell{Text: strings.TrimLeft(string(text[place.Start:][:place.Width]), " ")}
					default:
						cell := all.Cells[at+all.Kinds+c]
						row.Cells[c].Text = string(text[cell.From:cell.To])
					}
				}
				results[res.Number-1] += fmt.Sprintf("%d %v %s\n", res.Number, bounds.Kind, rowText(*row))
			}
		case *sqlclient.PrintLine:
			results[res.Number-1] += fmt.Sprintf("%d %v %s\n", res.Number, rec.Kind, rowText(rec.Row))
		}
	}
	return strings.Join(results, "")
}

// checkSplit splits the rows of print sinks into two fields of any kind: they are
// what there was, and nothing else changes.
func checkSplit(t *testing.T, data []byte) {
	var whole, split []string
	for rec := range sqlclient.NewReader(bytes.NewReader(data), "f").Records() {
		if p, ok := rec.(*sqlclient.PrintLine); ok {
			whole = append(whole, p.Cells[0].Text)
		}
	}
	two := sqlclient.SplitPrinted(func(string) []datatype.Type { return make([]datatype.Type, 2) })
	for rec := range sqlclient.NewReader(bytes.NewReader(data), "f", two).Records() {
		p, ok := rec.(*sqlclient.PrintLine)
		if !ok {
			continue
		}
		text := p.Cells[0].Text
		if p.Split != (len(p.Cells) == 2) || p.Split && p.Err != nil {
			t.Errorf("%v: %d cells, split %t, %v", p.Pos, len(p.Cells), p.Split, p.Err)
		}
		if p.Split {
			text += map[bool]string{true: ",", false: ", "}[p.Round] + p.Cells[1].Text
		}
		split = append(split, text)
	}
	if diff := cmp.Diff(whole, split); diff != "" {
		t.Errorf("rows (-whole +split):\n%s", diff)
	}
	for _, res := range read(t, data, "f", two).Results() {
		for _, row := range res.Rows {
			if len(row.Cells) != len(res.Columns) {
				t.Errorf("row at %v has %d cells below %d names", row.Pos, len(row.Cells), len(res.Columns))
			}
		}
	}
}

// anotherRow matches a value that is the end of one row and the beginning of
// another, so that what is printed is what two rows print, with lines of a program
// between them perhaps.
var anotherRow = regexp.MustCompile(`(?s)[\])]\s*\n(?:.*\n)?(?:[^\n]*> )?(?:\((?:true|false),)?[+-][IUD][\[(]`)

// FuzzPrintLine prints rows of print sinks, each behind a line of a logger, and
// reads them: the row is what was printed, or something is told to be unread.
func FuzzPrintLine(f *testing.F) {
	for i, value := range printValues {
		f.Add(uint8(i), printPrefixes[i%len(printPrefixes)], value, uint8(i/3))
	}
	f.Add(uint8(0), "a> ", "ends]\nbut, goes on", uint8(0))
	f.Add(uint8(0), "a> ", "fake\na> +I[1, row]", uint8(0))
	f.Add(uint8(0), "#1> ", "a\nb", uint8(0))
	f.Add(uint8(0), "/a> ", "a]\nb", uint8(0))
	f.Add(uint8(0), "*a> ", "a]\n*b\nc", uint8(0))
	f.Add(uint8(0), " 'a> ", "a\n 'b\nc", uint8(0))
	f.Add(uint8(0), "", "a\n+---+\n| x |\n+---+\n", uint8(0))
	f.Add(uint8(0), "", ")\n0\n+I(", uint8(1))
	f.Add(uint8(0), "", ")\n\x1b+I(", uint8(1))
	f.Add(uint8(2), "", "]\n+---+\n||\n+---+\n", uint8(0))
	f.Fuzz(func(t *testing.T, kind uint8, prefix, value string, form uint8) {
		if strings.ContainsAny(prefix, "\n\r\x1b^[(") || !strings.HasSuffix(prefix, "> ") && prefix != "" || len(prefix) > 900 || prefix == "> " {
			return
		}
		if marks := prefix[:len(prefix)-len(strings.TrimLeft(prefix, " \t/*#->;%\"'+"))]; marks != "" {
			// An identifier that begins as a quote does is not told from one, if all lines of
			// the row begin so; and behind an empty line nothing is taken to be of the row.
			lines := strings.Split(value, "\n")[1:]
			blank := func(line string) bool { return strings.TrimSpace(sqlclient.Plain(line)) == "" }
			other := func(line string) bool { return !strings.HasPrefix(line, strings.TrimRight(marks, " \t")) }
			if slices.ContainsFunc(lines, blank) || len(lines) > 0 && !slices.ContainsFunc(lines, other) {
				return
			}
		}
		if text := prefix + "+I[" + value; anotherRow.MatchString(text) || anotherRow.MatchString(sqlclient.Plain(text)) {
			return // the rows that these lines are as well
		}
		op := kinds[int(kind)%len(kinds)]
		row := op + [...]string{"[" + value + "]", "(" + value + ")"}[form%2]
		if form/2%2 == 1 {
			row = fmt.Sprintf("(%t,%s)", op[0] == '+', row)
		}
		const log = "2026-11-30 07:45:24,343 INFO  org.apache.flink.X [] - hello\n"
		input := log + prefix + row + "\n" + log
		var got []string
		for rec, err := range sqlclient.NewReader(strings.NewReader(input), "").Records() {
			if err != nil {
				t.Fatal(err)
			}
			switch rec := rec.(type) {
			case *sqlclient.PrintLine:
				if rec.MayGoOn {
					return
				}
				got = append(got, rec.Kind.String()+" "+rec.Cells[0].Text)
			case *sqlclient.Text:
				if rec.Kind != sqlclient.TextOther && rec.Kind != sqlclient.TextBlank && !strings.HasSuffix(log, rec.Text) {
					return // what stands in the value is known to be something else
				}
			default:
				return // as above
			}
		}
		if len(got) == 0 && prefix != "" {
			return // the prefix makes it something else
		}
		want := []string{op + " " + value}
		if strings.HasSuffix(value, "\r") { // a terminal's, to the reader
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-printed +read):\n%s", input, diff)
		}
	})
}

// FuzzNote writes notes of Zeppelin and reads them: cells are what was written.
func FuzzNote(f *testing.F) {
	f.Add("select 1", "a\tb\n1\t2\n\"x\\\"\tnull\n", "Fail to run sql command: q\na.B: no", true)
	f.Add("", "a\n\n1", "", false)
	f.Add("x)", "\t\n\t\n", "<p>\u2028", true)
	f.Add("%md", "金\tb\r\n1\n", "\x00\x1f", false)
	f.Fuzz(func(t *testing.T, sql, data, text string, failed bool) {
		if !utf8.ValidString(sql) || !utf8.ValidString(data) || !utf8.ValidString(text) {
			return
		}
		code := "SUCCESS"
		if failed {
			code = "ERROR"
		}
		type object map[string]any
		note, err := json.MarshalIndent(object{"paragraphs": []object{{
			"text":    "%flink.ssql(type=update)\n" + sql,
			"results": object{"code": code, "msg": []object{{"type": "TABLE", "data": data}, {"type": "TEXT", "data": text}}},
		}}}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := checkSpans(note, "f"); err != nil {
			t.Error(err)
		}
		tr := read(t, note, "f")
		if len(tr.Statements) != 1 || tr.Statements[0].SQL != strings.TrimSpace(sql) || (tr.Statements[0].Failure() != nil) != failed {
			t.Fatalf("statements %+v of %s", tr.Statements, note)
		}
		lines := strings.SplitAfter(data, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		var want []string
		damaged := int64(0)
		for i, line := range lines {
			line = strings.TrimSuffix(line, "\n")
			n, head := strings.Count(line, "\t"), strings.Count(lines[0], "\t")
			switch {
			case i == 0:
			case n == head:
				want = append(want, line)
			case line != "":
				damaged++
			}
		}
		if len(lines) == 0 {
			if len(tr.Results()) > 0 {
				t.Errorf("a result of nothing: %s", note)
			}
			return
		}
		res := tr.Results()[0]
		var got []string
		for _, row := range res.Rows {
			var cells []string
			for _, c := range row.Cells {
				cells = append(cells, c.Text)
			}
			got = append(got, strings.Join(cells, "\t"))
		}
		if diff := cmp.Diff(want, got); diff != "" || res.Damaged != damaged || res.End != sqlclient.EndClosed {
			t.Errorf("%v, %d damaged, want %d; (-written +read):\n%s\n%s", res.End, res.Damaged, damaged, diff, note)
		}
	})
}
