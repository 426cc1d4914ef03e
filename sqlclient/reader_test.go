package sqlclient

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// describe returns a record in one stable line.
func describe(rec Record) string {
	at := rec.Span().Start
	s := fmt.Sprintf("%d:%d ", at.Line, at.Col)
	switch rec := rec.(type) {
	case *Text:
		return s + "text " + rec.Kind.String() + " " + fmt.Sprintf("%q", rec.Text)
	case *Echo:
		s += fmt.Sprintf("echo %q", rec.SQL)
		if rec.Complete {
			s += " complete"
		}
		return s
	case *Message:
		s += fmt.Sprintf("message %v %q", rec.Level, rec.Text)
		if rec.Class != "" {
			s += " class " + rec.Class
		}
		if len(rec.CausedBy) > 0 {
			s += fmt.Sprintf(" caused by %q", rec.CausedBy)
		}
		return s
	case *Job:
		return s + "job " + rec.ID
	case *Head:
		s += "head " + rec.Mode.String()
		if rec.Ambiguous {
			s += " ambiguous"
		}
		if rec.Snapshot {
			s += " snapshot"
		}
		for _, c := range rec.Columns {
			s += " " + cellText(c.Name, c.MaybeCut, false)
		}
		return s
	case *PrintLine:
		s += fmt.Sprintf("printed %v %q", rec.Kind, rec.Cells[0].Text)
		if rec.Round {
			s += " round"
		}
		if rec.Sink != "" || rec.Subtask != 0 {
			s += fmt.Sprintf(" by %q, %d", rec.Sink, rec.Subtask)
		}
		if rec.MayGoOn {
			s += " may go on"
		}
		return s
	case *Row:
		s += "row"
		if rec.Kind != changelog.None {
			s += " " + rec.Kind.String()
		}
		for _, c := range rec.Cells {
			s += " " + cellText(c.Text, c.MaybeCut(), c.IsNull())
		}
		if how := rec.Recovered(); how != 0 {
			s += " recovered: " + Recovery(how)
		}
		return s
	case *Border:
		return s + "border"
	case *Footer:
		s += fmt.Sprintf("footer %v %d", rec.Kind, rec.Rows)
		if rec.Seconds != "" {
			s += " in " + rec.Seconds
		}
		return s
	case *SyntaxError:
		return s + "unread: " + rec.Msg
	}
	return s + "?"
}

func cellText(text string, cut, null bool) string {
	s := fmt.Sprintf("%q", text)
	if cut {
		s += "…"
	}
	if null {
		s += "∅"
	}
	return s
}

func records(t *testing.T, src io.Reader, opts ...Option) ([]string, error) {
	t.Helper()
	var out []string
	var last error
	for rec, err := range NewReader(src, "", opts...).Records() {
		if err != nil {
			last = err
			break
		}
		rows, ok := rec.(*Rows)
		if !ok {
			out = append(out, describe(rec))
			continue
		}
		end := rec.Span().Start
		all := raw.Of(rows)
		for i := range all.Bounds {
			row := all.Whole.Row(i)
			next := rows.place.behind(row.Pos, all.Text[all.Start(i):all.Bounds[i].End])
			checkRaw(t, &all, i, row)
			if row.Pos != end {
				t.Errorf("a row at %v behind one that ends at %v", row.Pos, end)
			}
			out, end = append(out, describe(&Row{*row, next})), next
		}
		if end != rec.Span().End {
			t.Errorf("rows up to %v in a record up to %v", end, rec.Span().End)
		}
	}
	return out, last
}

// checkRaw compares the i-th row with what is said of where it stands.
func checkRaw(t *testing.T, rows *raw.Rows, i int, row *changelog.Row) {
	t.Helper()
	bounds := rows.Bounds[i]
	if bounds.Kind != row.Kind {
		t.Errorf("a raw row of the kind %v, which is %v", bounds.Kind, row.Kind)
	}
	text := rows.Text[rows.Start(i):bounds.End]
	if rows.UTF8 && !utf8.Valid(text) {
		t.Errorf("a row %q that is not UTF-8 among those that are", text)
	}
	pos := changelog.Pos{File: rows.File}
	pos.Offset, pos.Line, pos.Col = rows.Whole.Pos(i)
	if i > 0 && rows.Lines {
		first := rows.Whole.Row(0).Pos
		row = rows.Whole.Row(i) // again, since the other one was valid until now
		pos.Offset, pos.Line, pos.Col = first.Offset+int64(rows.Start(i)), first.Line+i, 1
	}
	if pos != row.Pos {
		t.Errorf("a row at %v, which is at %v", pos, row.Pos)
	}
	if rows.Marked {
		return
	}
	for c, place := range rows.Places {
		from, to, ended := place.Start, place.Start+place.Width, bounds.Cells == raw.Ended
		if at := int(bounds.Cells); at >= 0 {
			cell := rows.Cells[at+rows.Kinds+c]
			from, to, ended = cell.From, cell.To, tableau.EndingOf(text[cell.To-1]) != 0
		}
		want := strings.TrimLeft(string(text[from:to]), " ")
		if cell := row.Cells[c]; cell.Text != want || cell.Marks != 0 && !ended {
			t.Errorf("a row %q has a cell %+v, want %q", text, cell, want)
		}
	}
}

var readerTests = []struct {
	name, input, want string
}{
	{"nothing", "", ""},
	{"border and message glued to the echo",
		`Flink SQL> SELECT f(x)+----+---+
| op | x |
+----+---+
| +I | a |
+----+---+
Received a total of 1 row (0.52 seconds)

Flink SQL> CREATE TABLE t (x INT)[34;1m[INFO] Execute statement succeed.[0m

Flink SQL> +----+---+
| op | x |
+----+---+
Received a total of 0 row

Flink SQL> 
Shutting down the session...
done.
`,
		`1:1 echo "SELECT f(x)"
1:23 head streaming "x"
4:1 row +I "a"
5:1 border
6:1 footer received 1 in 0.52
7:1 text blank "\n"
8:1 echo "CREATE TABLE t (x INT)"
8:34 message INFO "Execute statement succeed."
9:1 text blank "\n"
10:1 echo ""
10:12 head streaming "x"
13:1 footer received 0
14:1 text blank "\n"
15:1 echo ""
16:1 text shutdown "Shutting down the session...\ndone.\n"`},
	{"tables, footers and errors in the strings of an echo",
		`Flink SQL> SELECT f('x
> +----+---+
> | op | x |
> +----+---+
> | +I | 1 |
> Received a total of 3 rows
> [ERROR] Could not execute SQL statement. Reason:
> Flink SQL> SELECT 1;
> )[ERROR] y') [ERROR] z')+---+
| x |
+---+
| 1 |
+---+
1 row in set
`,
		`1:1 echo "SELECT f('x\n+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\nReceived a total of 3 rows\n[ERROR] Could not execute SQL statement. Reason:\nFlink SQL> SELECT 1;\n)[ERROR] y') [ERROR] z')"
9:27 head batch "x"
12:1 row "1"
13:1 border
14:1 footer rows in set 1`},
	{"a whole statement is echoed behind a coloured prompt (1.13, 1.14)",
		"\x1b[32mFlink SQL\x1b[0m> SELECT 'x\n+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n+----+---+\nReceived a total of 1 row\n[ERROR] no\nFlink SQL> SELECT 1\n', 1;\n\x1b[34;1m[INFO] Session property has been set.\x1b[0m\n\x1b[32mFlink SQL\x1b[0m> SELECT 1\n+---+\n| x |\n+---+\n| 1 |\n+---+\n1 row in set\n",
		`1:1 echo "SELECT 'x\n+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n+----+---+\nReceived a total of 1 row\n[ERROR] no\nFlink SQL> SELECT 1\n', 1;" complete
11:1 message INFO "Session property has been set."
12:1 echo "SELECT 1"
13:1 head batch "x"
16:1 row "1"
17:1 border
18:1 footer rows in set 1`},
	{"values that look like everything",
		`+----+----------------------+---+
| op |                    v | n |
+----+----------------------+---+
| +I | x
| +I | fake |  1 | | 2 |
| +I |   x
+----+-------+
y | 3 |
| -D |                  | | | 4 |
| +I |  x
Flink SQL> SHOW 1 | 5 |
+----+----------------------+---+
Received a total of 4 rows
`,
		`1:1 head streaming "v" "n"
4:1 row +I "x\n| +I | fake |  1 |" "2"
6:1 row +I "x\n+----+-------+\ny" "3"
9:1 row -D "| |" "4"
10:1 row +I "x\nFlink SQL> SHOW 1" "5"
12:1 border
13:1 footer received 4`},
	{"empty set",
		"Flink SQL> SELECT * FROM (VALUES (1)) AS t(x)Empty set (0.56 seconds)\n\nFlink SQL> Empty set\n",
		`1:1 echo "SELECT * FROM (VALUES (1)) AS t(x)"
1:46 footer empty set 0 in 0.56
2:1 text blank "\n"
3:1 echo ""
3:12 footer empty set 0`},
	{"an error with a stack, of which the colour ends later",
		"Flink SQL> \x1b[31;1m[ERROR] Could not execute SQL statement. Reason:\norg.a.OuterException: first\n\n  second\n\tat a.b(C.java:1)\nCaused by: org.a.Inner: x\ny\n\tat a.b(C.java:2)\nCaused by: java.lang.Z\n\t... 3 more\x1b[0m\n\nFlink SQL> ",
		`1:1 echo ""
1:12 message ERROR "first\n\n  second\n\tat a.b(C.java:1)\nCaused by: org.a.Inner: x\ny\n\tat a.b(C.java:2)\nCaused by: java.lang.Z\n\t... 3 more" class org.a.OuterException caused by ["org.a.Inner: x\ny" "java.lang.Z"]
11:1 text blank "\n"
12:1 echo ""`},
	{"an error without colour ends at the prompt",
		"Flink SQL> SELEC 1;\n[ERROR] Could not execute SQL statement. Reason:\norg.a.ParseException: Encountered\nWas expecting one of:\n\n    \"A\" ...\n\n\nFlink SQL> SHOW TABLES;\nEmpty set\n",
		`1:1 echo "SELEC 1;" complete
2:1 message ERROR "Encountered\nWas expecting one of:\n\n    \"A\" ..." class org.a.ParseException
7:1 text blank "\n\n"
9:1 echo "SHOW TABLES;" complete
10:1 footer empty set 0`},
	{"a job that fails while it prints",
		"+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n\x1b[31;1m[ERROR] Could not execute SQL statement. Reason:\njava.lang.NumberFormatException: For input string: 'oops'.\x1b[0m\n",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 message ERROR "For input string: 'oops'." class java.lang.NumberFormatException`},
	{"cancelled",
		"+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n^CQuery terminated, received a total of 1 row\n",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 footer terminated 1`},
	{"a column op is data in a batch result",
		"+----+----+\n| op |  n |\n+----+----+\n|  a |  1 |\n| +I | 22 |\n+----+----+\n2 rows in set\n",
		`1:1 head batch "op" "n"
4:1 row "a" "1"
5:1 row "+I" "22"
6:1 border
7:1 footer rows in set 2`},
	{"a column op that nothing tells from the row kind",
		"+----+----+\n| op |  n |\n+----+----+\n| +I | 22 |\n+----+----+\n1 row in set\n",
		`1:1 head batch ambiguous "op" "n"
4:1 row "+I" "22"
5:1 border
6:1 footer rows in set 1`},
	{"a changelog printed by TableResult.print",
		"+----+-----------+\n| op |         n |\n+----+-----------+\n| +I |        22 |\n+----+-----------+\n1 row in set\n",
		`1:1 head streaming "n"
4:1 row +I "22"
5:1 border
6:1 footer rows in set 1`},
	{"a second column op",
		"+----+-----+\n| op |  op |\n+----+-----+\n| -U |   x |\n+----+-----+\nReceived a total of 1 row\n",
		`1:1 head streaming "op"
4:1 row -U "x"
5:1 border
6:1 footer received 1`},
	{"column names cut wider than their column (1.20 and later)",
		"+----+---+-----+\n| ... | ... |  n |\n+----+---+-----+\n|  1 | 2 |   3 |\n+----+---+-----+\n1 row in set\n",
		`1:1 head batch "..."… "..."… "n"
4:1 row "1" "2" "3"
5:1 border
6:1 footer rows in set 1`},
	{"nulls, cut and blank cells",
		"+----+------------+\n| op |          s |\n+----+------------+\n| +I |     <NULL> |\n| +I |     (NULL) |\n| +I |            |\n| +I | abcdefg... |\n| +I |  東京都... |\n| +I |    abcd... |\n+----+------------+\nReceived a total of 6 rows\n",
		`1:1 head streaming "s"
4:1 row +I "<NULL>"∅
5:1 row +I "(NULL)"
6:1 row +I ""
7:1 row +I "abcdefg..."…
8:1 row +I "東京都..."…
9:1 row +I "abcd..."
10:1 border
11:1 footer received 6`},
	{"the null word of 1.13 and 1.14",
		"+----+------------+\n| op |          s |\n+----+------------+\n| +I |     (NULL) |\n| +I |       NULL |\n",
		`1:1 head streaming "s"
4:1 row +I "(NULL)"∅
5:1 row +I "NULL"`},
	{"other lines between rows",
		"+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n^C| +I | 2 |\nSHOW TABLES;\n2023-03-15 07:45:24,343 INFO  org.apache.A [] - x\n| +I | 3 |\n+----+---+\nReceived a total of 3 rows\n",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 text other "^C"
5:3 row +I "2"
6:1 text other "SHOW TABLES;\n"
7:1 text log "2023-03-15 07:45:24,343 INFO  org.apache.A [] - x\n"
8:1 row +I "3"
9:1 border
10:1 footer received 3`},
	{"a row cut off by the end of the input",
		"+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n| +I | 2 |",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 unread: a row is cut off by the end of the input`},
	{"a footer without its newline is none",
		"+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n+----+---+\nReceived a total of 1 row",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 border
6:1 text truncated "Received a total of 1 row"`},
	{"a footer without its newline, of a result without its border",
		"+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\nReceived a total of 1 row",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 text truncated "Received a total of 1 row"`},
	{"a closing border without its newline",
		"+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n+----+---+",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 text truncated "+----+---+"`},
	{"a row that several readings fit",
		"+----+------+------+\n| op |    a |    b |\n+----+------+------+\n| +I |  ?? | ? |   ? |\n+----+------+------+\n",
		`1:1 head streaming "a" "b"
4:1 unread: a row does not fit its border
5:1 border`},
	{"a head cut off by the end of the input",
		"Flink SQL> SELECT f(x)+----+---+\n| op | x",
		`1:1 echo "SELECT f(x)"
1:23 unread: the head of a table is cut off by the end of the input`},
	{"a border cut off by the end of the input",
		"Flink SQL> SELECT f(x)+----+---+",
		`1:1 echo "SELECT f(x)"
1:23 text truncated "+----+---+"`},
	{"wide characters that became ?",
		"+----+--------------------------------+-------------+\n| op |                              s |           n |\n+----+--------------------------------+-------------+\n| +I |                   ?????? |           8 |\n| +I |                   ?? gold ? |           9 |\n| +I |                   东京 |          10 |\n",
		`1:1 head streaming "s" "n"
4:1 row +I "??????" "8" recovered: narrower than its border: an output encoding replaced wide characters by ?
5:1 row +I "?? gold ?" "9" recovered: narrower than its border: an output encoding replaced wide characters by ?
6:1 row +I "东京" "10" recovered: does not fit its border: its cells were found by its bars`},
	{"a row that cannot be read, and the next that can",
		"+----+------------+---+\n| op |          s | n |\n+----+------------+---+\n| +I |    a | b | 1 |\n| +I |      | c|d | 2 |\n+----+------------+---+\nReceived a total of 2 rows\n",
		`1:1 head streaming "s" "n"
4:1 unread: a row does not fit its border
5:1 row +I "| c|d" "2"
6:1 border
7:1 footer received 2`},
	{"carriage returns of a terminal",
		"+----+---+\r\n| op | x |\r\n+----+---+\r\n| +I | 1 |\r\n+----+---+\r\nReceived a total of 1 row\r\n\r\n",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 border
6:1 footer received 1
7:1 text blank "\r\n"`},
	{"a job",
		"Flink SQL> INSERT INTO t VALUES (1)\x1b[34;1m[INFO] Submitting SQL update statement to the cluster...\x1b[0m\n\x1b[34;1m[INFO] SQL update statement has been successfully submitted to the cluster:\x1b[0m\nJob ID: 68ae8f3b4dbfd650755a8fae632eeda1\n\n\n",
		`1:1 echo "INSERT INTO t VALUES (1)"
1:36 message INFO "Submitting SQL update statement to the cluster..."
2:1 message INFO "SQL update statement has been successfully submitted to the cluster:"
3:1 job 68ae8f3b4dbfd650755a8fae632eeda1
4:1 text blank "\n\n"`},
	{"the client's own failures",
		"Failed to initialize from sql script: file:/x.sql. Please refer to the LOG for detailed error messages.\nException in thread \"main\" org.apache.flink.table.client.SqlClientException: Unexpected exception. This is a bug.\n\tat a.b(C.java:1)\nCaused by: java.lang.X: y\n\t... 1 more\n\n",
		`1:1 message ERROR "Failed to initialize from sql script: file:/x.sql. Please refer to the LOG for detailed error messages."
2:1 message ERROR "Unexpected exception. This is a bug.\n\tat a.b(C.java:1)\nCaused by: java.lang.X: y\n\t... 1 more" class org.apache.flink.table.client.SqlClientException caused by ["java.lang.X: y"]
6:1 text blank "\n"`},
	{"answers without a box (1.14, 1.15)",
		"Flink SQL> CREATE TABLE `t` (\n  `x` INT\n) WITH (\n  'a' = 'b'\n)\n\n\nFlink SQL> EXPLAIN SELECT COUNT(*)== Abstract Syntax Tree ==\nA\n+- B\n\nFlink SQL> ",
		`1:1 echo ""
1:12 text output "CREATE TABLE ` + "`t` (\\n  `x` INT" + `\n) WITH (\n  'a' = 'b'\n)\n"
6:1 text blank "\n\n"
8:1 echo "EXPLAIN SELECT COUNT(*)"
8:35 text output "== Abstract Syntax Tree ==\nA\n+- B\n\n"
12:1 echo ""`},
	{"a statement that nothing follows",
		"Flink SQL> SELECT COUNT(*)\n\nFlink SQL> 'a' = 'b'\n\nFlink SQL> ",
		`1:1 echo "SELECT COUNT(*)"
2:1 text blank "\n"
3:1 echo ""
3:12 text output "'a' = 'b'\n"
4:1 text blank "\n"
5:1 echo ""`},
	{"a line of a whole statement that begins with > (1.13, 1.14)",
		"\x1b[32mFlink SQL\x1b[0m> SELECT a\n> 5;\n",
		`1:1 echo "SELECT a\n> 5;" complete`},
	{"empty lines between the lines of an echo (FLINK-30819)",
		"Flink SQL> SELECT\n\n> f(x)\n> \n> g(x)[INFO] ok\n",
		`1:1 echo "SELECT\nf(x)\n\ng(x)"
5:7 message INFO "ok"`},
	{"done. in a string of a whole statement (1.13, 1.14)",
		"\x1b[32mFlink SQL\x1b[0m> SELECT 'x\ndone.\ny';\n",
		`1:1 echo "SELECT 'x\ndone.\ny';" complete`},
	{"done. that the client did not say",
		"+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\ndone.\n| +I | 2 |\n+----+---+\ndone.\nShutting down the session...\ndone.\n",
		`1:1 head streaming "x"
4:1 row +I "1"
5:1 text other "done.\n"
6:1 row +I "2"
7:1 border
8:1 text other "done.\n"
9:1 text shutdown "Shutting down the session...\ndone.\n"`},
	{"a coloured error that lost its end",
		"Flink SQL> \x1b[31;1m[ERROR] Could not execute SQL statement. Reason:\na.B: x\n\nShutting down the session...\ndone.\n",
		`1:1 echo ""
1:12 message ERROR "x" class a.B
4:1 text shutdown "Shutting down the session...\ndone.\n"`},
	{"a coloured message behind an echo that a log line broke",
		"Flink SQL> SELECT\n2023-03-15 07:45:24,343 INFO  org.apache.A [] - x\n> f(x)\x1b[31;1m[ERROR] no\x1b[0m\n",
		`1:1 echo "SELECT"
2:1 text log "2023-03-15 07:45:24,343 INFO  org.apache.A [] - x\n"
3:1 text other "> f(x)"
3:7 message ERROR "no"`},
	{"a border that the input ends in",
		"Flink SQL> SELECT f(x)+----+---",
		`1:1 echo "SELECT f(x)"
1:23 text truncated "+----+---"`},
	{"a border in a string that the input ends in",
		"Flink SQL> SELECT f('x\n> +----+\n",
		`1:1 echo "SELECT f('x\n+----+"`},
	{"a column op behind a line of something else",
		"+----+----+\n| op |  n |\n+----+----+\n\n|  a |  1 |\n+----+----+\n1 row in set\n",
		`1:1 head batch "op" "n"
4:1 text blank "\n"
5:1 row "a" "1"
6:1 border
7:1 footer rows in set 1`},
	{"a table with names at the left that fill their columns",
		"+-----+------+\n| a   | name |\n+-----+------+\n| x   | b    |\n| 1 2 |  c   |\n+-----+------+\n",
		`1:1 head batch "a" "name"
4:1 row "x" "b"
5:1 row "1 2" "c"
6:1 border`},
	{"Confluent's shell",
		"> desc `t`;\nStatement name: cli-2025-01-24-0534\nSubmitting statement...Statement successfully submitted.\nStatement phase is COMPLETED.\n" +
			"+---------------+-----------+\n|  Column Name  | Data Type |\n+---------------+-----------+\n| a long column | BYTES     |\n| key           | STRING    |\n+---------------+-----------+\n> x;\nError: statement submission failed\nDetails: no\n",
		`1:1 text other "> desc ` + "`t`" + `;\nStatement name: cli-2025-01-24-0534\n"
3:1 message INFO "Submitting statement...Statement successfully submitted."
4:1 text other "Statement phase is COMPLETED.\n"
5:1 head batch "Column Name" "Data Type"
8:1 row "a long column" "BYTES"
9:1 row "key" "STRING"
10:1 border
11:1 text other "> x;\n"
12:1 message ERROR "Error: statement submission failed"
13:1 text other "Details: no\n"`},
	{"a changelog in CSV",
		"+I,channel_1,1\n\"-U\",channel_1,1\n+I, x\n+I\n+X,1\n",
		`1:1 text CSV "+I,channel_1,1\n\"-U\",channel_1,1\n+I, x\n"
4:1 text other "+I\n+X,1\n"`},
	{"rows that lost their head",
		"Flink SQL> SELECT f(x)\n+----+---+\n| +I | 1 |\n| +I | 2 |\nReceived a total of 2 rows\n",
		`1:1 echo "SELECT f(x)"
2:1 text other "+----+---+\n"
3:1 unread: rows without the head of their table
5:1 footer received 2`},
	{"a table of another console stands at the left",
		"+----+-------+\n| op | name  |\n+----+-------+\n| +I | ab    |\n| +I | abcde |\n+----+-------+\n",
		`1:1 head streaming "name"
4:1 row +I "ab"
5:1 row +I "abcde"
6:1 border`},
}

// checkRecords reads input whole and by bytes, and wants the records that the lines
// of want describe, of which the first is empty.
func checkRecords(t *testing.T, input, want string) {
	t.Helper()
	got, err := records(t, strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(want, "\n")[1:], got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	slow, _ := records(t, iotest.OneByteReader(strings.NewReader(input)), ReuseRows())
	if diff := cmp.Diff(got, slow); diff != "" {
		t.Errorf("read by bytes (-whole +bytes):\n%s", diff)
	}
}

func TestReader(t *testing.T) {
	for _, test := range readerTests {
		t.Run(test.name, func(t *testing.T) {
			got, err := records(t, strings.NewReader(test.input))
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			if test.want != "" {
				want = strings.Split(test.want, "\n")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			slow, _ := records(t, iotest.OneByteReader(strings.NewReader(test.input)), ReuseRows())
			if test.name != "nulls, cut and blank cells" { // there the end of the input decides, see NullWord
				if diff := cmp.Diff(got, slow); diff != "" {
					t.Errorf("read by bytes (-whole +bytes):\n%s", diff)
				}
			}
			broken := errors.New("broken")
			lost, err := records(t, io.MultiReader(strings.NewReader(test.input), iotest.ErrReader(broken)))
			if !errors.Is(err, broken) {
				t.Errorf("error %v, want %v", err, broken)
			}
			if diff := cmp.Diff(got, lost); diff != "" {
				t.Errorf("before an error (-without +with):\n%s", diff)
			}
		})
	}
}

func TestStrictRecoversNothing(t *testing.T) {
	input := "+----+------------+\n| op |          s |\n+----+------------+\n| +I |   ?? |\n+----+------------+\n"
	got, err := records(t, strings.NewReader(input), Strict())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`1:1 head streaming "s"`, `4:1 unread: a row does not fit its border`, `5:1 border`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStatementInParts(t *testing.T) {
	const results = 2500
	input := strings.Repeat("+---+\n| x |\n+---+\n| 1 |\n+---+\n1 row in set\n[WARNING] w\n", results)
	o := NewOutline("", nil)
	most := 0
	parts := 0
	for rec, err := range NewReader(strings.NewReader(input), "").Records() {
		if err != nil {
			t.Fatal(err)
		}
		o.Add(rec)
		most = max(most, len(o.current.Results), len(o.current.Messages))
		for _, ok := o.Next(); ok; _, ok = o.Next() {
			parts++
		}
	}
	if most > maxParts || parts != results/maxParts {
		t.Errorf("an outline gathered %d results and handed out %d parts", most, parts)
	}
	tr, err := Read(strings.NewReader(input), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Statements) != 1 || len(tr.Results()) != results || len(tr.Statements[0].Messages) != results {
		t.Errorf("%d statements, %d results, want 1 and %d", len(tr.Statements), len(tr.Results()), results)
	}
	for i, r := range tr.Results() {
		if r.Number != i+1 || r.Statement != tr.Statements[0] || len(r.Rows) != 1 {
			t.Fatalf("result %d: number %d, %d rows", i+1, r.Number, len(r.Rows))
		}
	}
}

// Empty lines behind a prompt do not each look for the line behind them all: 64 KiB of
// them took 14 seconds.
func TestEmptyLinesBehindPrompt(t *testing.T) {
	read := func(size int) time.Duration {
		input := "Flink SQL> " + strings.Repeat("\n", size) + "x\n"
		start := time.Now()
		for range NewReader(strings.NewReader(input), "").Records() {
		}
		return time.Since(start)
	}
	if took := read(256 << 10); took > 10*time.Second {
		t.Errorf("256 KiB took %v", took)
	}
}
