package sqlclient_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// table is a batch result of one row, up to its closing border.
const table = "+---+\n| a |\n+---+\n| 1 |\n+---+\n"

// changes is a changelog of two rows, up to its closing border.
const changes = "+----+---+\n| op | a |\n+----+---+\n| +I | 1 |\n| +I | 2 |\n+----+---+\n"

// Each test is the least that a transcript needs to end so, or to have the
// problem.
var outlineTests = []struct {
	name, input, want string
}{
	{"finished", "Flink SQL> SELECT f(a)" + table + "1 row in set\n\nFlink SQL> \n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 1 rows`},
	{"an empty set is finished", "Flink SQL> SELECT f(a)Empty set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 0 rows`},
	{"closed: a program prints no footer", table, `
statement 0, closed:
  result 1 at 1:1, batch, closed, 1 rows`},
	{"closed, though the program goes on", table + "and goes on\n" + table, `
statement 0, closed:
  result 1 at 1:1, batch, closed, 1 rows
  result 2 at 7:1, batch, closed, 1 rows`},
	{"cancelled", "Flink SQL> SELECT f(a)" + table[:24] + "Query terminated, received a total of 1 row\n", `
statement 1, cancelled: SELECT f(a)
  result 1 at 1:23, batch, cancelled, 1 rows`},
	{"cancelled: the footer may count rows that were not printed", "Flink SQL> SELECT f(a)" + table[:24] + "Query terminated, received a total of 9 rows\n", `
statement 1, cancelled: SELECT f(a)
  result 1 at 1:23, batch, cancelled, 1 rows`},
	{"failed", "Flink SQL> SELECT f(a)" + table[:24] + "[ERROR] Could not execute SQL statement. Reason:\norg.a.B: no\n", `
statement 1, failed: SELECT f(a)
  result 1 at 1:23, batch, failed, 1 rows
error at 5:1 of 1.1, statement-failed: statement failed: org.a.B: no`},
	{"failed without a result", "Flink SQL> SELECT f(a)[ERROR] Could not execute SQL statement. Reason:\norg.a.B: no\n", `
statement 1, failed: SELECT f(a)
error at 1:23 of 1.0, statement-failed: statement failed: org.a.B: no`},
	{"cut off by the end of the input", "Flink SQL> SELECT f(a)" + table[:24], `
statement 1, cut off: SELECT f(a)
  result 1 at 1:23, batch, cut off, 1 rows
error at 1:23 of 1.1, result-cut-off: the result is cut off after 1 rows`},
	{"cut off by the next statement", "Flink SQL> SELECT f(a)" + table[:24] + "Flink SQL> SELECT f(b)Empty set\n", `
statement 1, cut off: SELECT f(a)
  result 1 at 1:23, batch, cut off, 1 rows
statement 2, finished: SELECT f(b)
  result 2 at 5:23, batch, finished, 0 rows
error at 1:23 of 1.1, result-cut-off: the result is cut off after 1 rows`},
	{"cut off within its footer", "Flink SQL> SELECT f(a)" + table + "1 row in se", `
statement 1, cut off: SELECT f(a)
  result 1 at 1:23, batch, cut off, 1 rows
error at 1:23 of 1.1, result-cut-off: the result is cut off after 1 rows`},
	{"none", "Flink SQL> CREATE TABLE t (a INT)[INFO] Execute statement succeed.\n", `
statement 1, none: CREATE TABLE t (a INT)`},
	{"unknown", "Flink SQL> SELECT f(a)\n\nFlink SQL> \n", `
statement 1, unknown: SELECT f(a)
error at 1:1 of 1.0, statement-unknown: nothing tells how the statement ended`},
	{"a row that cannot be read", "Flink SQL> SELECT f(a)" + table[:18] + "| 22 | 3 |\n" + table[18:] + "1 row in set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 1 rows, 1 damaged
error at 4:1 of 1.1, piece-unread: a row does not fit its border`},
	{"a row that the input ends in", "Flink SQL> SELECT f(a)" + table[:24] + "| 2", `
statement 1, cut off: SELECT f(a)
  result 1 at 1:23, batch, cut off, 1 rows, 1 damaged
error at 5:1 of 1.1, piece-cut-off: a row is cut off by the end of the input
error at 1:23 of 1.1, result-cut-off: the result is cut off after 1 rows`},
	{"a head that the input ends in", "Flink SQL> SELECT f(a)" + table[:8], `
statement 1, unknown: SELECT f(a)
error at 1:23 of 1.0, piece-cut-off: the head of a table is cut off by the end of the input
error at 1:1 of 1.0, statement-unknown: nothing tells how the statement ended`},
	{"a footer that counts otherwise", "Flink SQL> SELECT f(a)" + table + "2 rows in set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 1 rows
error at 6:1 of 1.1, footer-count: the footer counts 2 rows, but 1 were read`},
	{"a footer that counts fewer rows", "Flink SQL> SELECT f(a)" + table + "0 rows in set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 1 rows
error at 6:1 of 1.1, footer-count: the footer counts 0 rows, but 1 were read`},
	{"a footer alone", "Flink SQL> SELECT f(a)[INFO] x\n1 row in set\n", `
statement 1, none: SELECT f(a)
error at 2:1 of 1.0, footer-alone: "1 row in set" closes no result`},
	{"a row that was recovered", "Flink SQL> SELECT f(a)" + table[:18] + "| 22 |\n" + table[18:] + "2 rows in set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 2 rows, 1 recovered
warning at 4:1 of 1.1, row-recovered: row recovered: does not fit its border: its cells were found by its bars`},
	{"a line between rows", "Flink SQL> SELECT f(a)" + table[:18] + "INFO: x\nINFO: y\n" + table[18:] + "1 row in set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 1 rows
warning at 4:1 of 1.1, line-between-rows: a line of something else among the rows of a result`},
	{"a mode that nothing tells", "Flink SQL> SELECT f(a)+----+----+\n| op |  n |\n+----+----+\n| +I | 22 |\n+----+----+\n1 row in set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 1 rows
warning at 1:23 of 1.1, mode-ambiguous: nothing printed tells whether the first column holds row kinds or data; read as batch`},
	{"drawn anew with the same border", "Flink SQL> SELECT f(a)" + changes[:44] + changes + "Received a total of 2 rows\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, streaming, cut off, 1 rows: 1 +I
  result 2 at 5:1, streaming, finished, 2 rows: 2 +I
error at 1:23 of 1.1, result-cut-off: the result is cut off after 1 rows`},
	{"drawn anew behind a piece of a row", "Flink SQL> SELECT f(a)" + changes[:50] + "Flink SQL> SELECT f(b)" + changes + "Received a total of 2 rows\n", `
statement 1, cut off: SELECT f(a)
  result 1 at 1:23, streaming, cut off, 1 rows, 1 damaged: 1 +I
statement 2, finished: SELECT f(b)
  result 2 at 5:29, streaming, finished, 2 rows: 2 +I
error at 5:1 of 1.1, piece-unread: a row is cut off by another table
error at 1:23 of 1.1, result-cut-off: the result is cut off after 1 rows`},
	{"drawn anew behind something else", "Flink SQL> SELECT f(a)" + changes[:44] + "-Flink SQL> SELECT f(b)" + changes + "Received a total of 2 rows\n", `
statement 1, cut off: SELECT f(a)
  result 1 at 1:23, streaming, cut off, 1 rows: 1 +I
statement 2, finished: SELECT f(b)
  result 2 at 5:24, streaming, finished, 2 rows: 2 +I
warning at 5:1 of 1.1, line-between-rows: a line of something else among the rows of a result
error at 1:23 of 1.1, result-cut-off: the result is cut off after 1 rows`},
	{"the first rows of a changelog stand before another one", changes[:39] + changes + "Received a total of 2 rows\n", `
statement 0, finished:
  result 1 at 1:1, streaming, cut off, 0 rows, 1 damaged: 
  result 2 at 4:7, streaming, finished, 2 rows: 2 +I
error at 4:1 of 0.1, piece-unread: a row is cut off by another table
error at 1:1 of 0.1, result-cut-off: the result is cut off after 0 rows`},
	{"a line below the closing border is no head", table + "| 2 |\n+---+\n1 row in set\n", `
statement 0, closed:
  result 1 at 1:1, batch, closed, 1 rows, 1 damaged
error at 6:1 of 0.1, piece-unread: rows without the head of their table
error at 8:1 of 0.0, footer-alone: "1 row in set" closes no result`},
	{"names that can be cut in more than one way", "+----+---+---+\n| op | ?|? | |? |\n+----+---+---+\n| +I | 1 | 2 |\n+----+---+---+\nReceived a total of 1 row\n", `
statement 0, finished:
  result 1 at 1:1, streaming, finished, 1 rows, 1 damaged: 1 +I
error at 1:1 of 0.1, piece-unread: the names of the columns cannot be read for certain`},
	{"two sessions", "Flink SQL> SELECT f(a)Empty set\n\nFlink SQL> \nShutting down the session...\ndone.\n" +
		"[INFO] Executing SQL from file.\nFlink SQL> SELECT f(b)Empty set\n\nFlink SQL> \nShutting down the session...\ndone.\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 0 rows
statement 2, finished: SELECT f(b)
  result 2 at 7:23, batch, finished, 0 rows
warning at 6:1 of 0.0, another-session: another session of the client begins in the same file`},
	{"a session behind one that was killed at its prompt", "Flink SQL> SELECT f(a)Empty set\n\nFlink SQL> \n[INFO] Executing SQL from file.\nFlink SQL> SELECT f(b)Empty set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 0 rows
statement 2, finished: SELECT f(b)
  result 2 at 5:23, batch, finished, 0 rows
warning at 4:1 of 0.0, another-session: another session of the client begins in the same file`},
	{"a result after a failure", "[INFO] Executing SQL from file.\nFlink SQL> SELECT f(a)[ERROR] no\n\nFlink SQL> SELECT f(b)Empty set\n\nFlink SQL> SELECT f(c)Empty set\n", `
statement 1, failed: SELECT f(a)
statement 2, finished: SELECT f(b)
  result 1 at 4:23, batch, finished, 0 rows
statement 3, finished: SELECT f(c)
  result 2 at 6:23, batch, finished, 0 rows
error at 2:23 of 1.0, statement-failed: statement failed: no
warning at 4:23 of 2.0, after-failure: a result after a failed statement, at which a client that reads a file stops`},
	{"a message that lost the end of its colour", "\x1b[34;1m[INFO] x\nFlink SQL> SELECT f(b)" + table + "1 row in set\n", `
statement 1, finished: SELECT f(b)
  result 1 at 2:23, batch, finished, 1 rows`},
	{"a changelog in CSV", "+I,a,1\n-U,a,1\n\n+U,a,2\n", `
error at 1:1 of 0.0, csv-refused: a changelog in CSV, with the row kind first: neither the client nor the print connector wrote it, and nothing tells its columns and nulls
error at 4:1 of 0.0, csv-refused: a changelog in CSV, with the row kind first: neither the client nor the print connector wrote it, and nothing tells its columns and nulls`},
	{"prompts behind what no other line has", "1 ms: Flink SQL> SELECT 1;\n20 ms: Flink SQL> SELECT 2;\n", `
error at 1:1 of 0.0, prefix-refused: the client's prompt stands behind something that the next line does not begin with: what the client wrote there is not read`},
	{"a damaged row kind", "Flink SQL> SELECT f(a)" + strings.Replace(changes, "+I | 1", "+i | 1", 1) + "Received a total of 2 rows\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, streaming, finished, 1 rows, 1 damaged: 1 +I
error at 4:1 of 1.1, piece-unread: a row without a row kind in a changelog
error at 7:1 of 1.1, footer-count: the footer counts 2 rows, but 1 were read`},
	{"a damaged op", "Flink SQL> SELECT f(a)" + strings.Replace(changes, "op", "oq", 1) + "Received a total of 2 rows\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, batch, finished, 2 rows
warning at 1:23 of 1.1, mode-ambiguous: nothing printed tells whether the first column holds row kinds or data; read as batch`},
	{"a compiled plan", "\ufeff{\n  \"flinkVersion\" : \"2.3\",\n  \"nodes\" : [ ]\n}\n", `
error at 1:1 of 0.0, not-client-output: nothing here is written by the SQL client: it looks like a compiled plan, which planinfo reads`},
	{"a damaged row_kind", "+----------+---+\n| now_kind | a |\n+----------+---+\n|       +I | 1 |\n+----------+---+\nReceived a total of 1 rows\n", `
statement 0, finished:
  result 1 at 1:1, batch, finished, 1 rows
warning at 1:1 of 0.1, mode-ambiguous: nothing printed tells whether the first column holds row kinds or data; read as batch`},
	{"a printed row behind what may be a prefix or its identifier", "#a> +I[1]\nb]\n", `
statement 0, unknown:
  result 1 at 1:1, streaming, unknown, 1 rows of sink "a": 1 +I
warning at 1:1 of 0.0, row-may-go-on: a printed row behind a prefix that may be of its identifier, so that the lines behind it may be of the row`},
	{"a column op without its footer", "Flink SQL> SELECT op, n\n+----+---+\n| op | n |\n+----+---+\n| +I | 1 |\n| -D | 2 |\n+----+---+\n", `
statement 1, closed: SELECT op, n
  result 1 at 2:1, streaming, closed, 2 rows: 1 +I, 1 -D
warning at 2:1 of 1.1, mode-ambiguous: nothing printed tells whether the first column holds row kinds or data; read as streaming`},
	{"a column op beside a footer in a tall cell, CR LF", strings.ReplaceAll("Flink SQL> SELECT f(b)\n+----+--------------------------------+\n| op |                              b |\n+----+--------------------------------+\n| xx |  x\nReceived a total of 1 row\ny |\n+----+--------------------------------+\n1 row in set\n", "\n", "\r\n"), `
statement 1, finished: SELECT f(b)
  result 1 at 2:1, batch, finished, 1 rows`},
	{"a damaged footer", "Flink SQL> SELECT f(a)" + changes + "2rows in set\nFlink SQL> \n", `
statement 1, closed: SELECT f(a)
  result 1 at 1:23, streaming, closed, 2 rows, 1 damaged: 2 +I
warning at 1:23 of 1.1, mode-ambiguous: nothing printed tells whether the first column holds row kinds or data; read as streaming
error at 7:1 of 1.1, piece-unread: what looks like the footer of the result cannot be read`},
	{"killed behind its echo", "Flink SQL> INSERT INTO t VALUES (1)\nKilled\nFlink SQL> \n", `
statement 1, unknown: INSERT INTO t VALUES (1)
Killed
error at 1:1 of 1.0, statement-unknown: nothing tells how the statement ended`},
	{"text behind the colour of a message", "Flink SQL> \x1b[34;1m[INFO] x\x1b[0mand a table\n" + table + "1 row in set\n", `
statement 1, finished:
  result 1 at 2:1, batch, finished, 1 rows`},
	{"the input ends in a string", "Flink SQL> SELECT '(x)Empty set\n", `
statement 1, unknown: SELECT '(x)
error at 1:1 of 1.0, statement-unknown: nothing tells how the statement ended`},
	{"what has no colour among what has is no message", "Flink SQL> \x1b[34;1m[INFO] x\x1b[0m\nFlink SQL> INSERT INTO t VALUES ('(x)[INFO] bo (y)\n2026-11-30 07:45:24,343 INFO  x\n", `
statement 1, none:
statement 2, unknown: INSERT INTO t VALUES ('(x)[INFO] bo (y)
error at 2:1 of 2.0, statement-unknown: nothing tells how the statement ended`},
	{"interrupted: an end that comes behind the client's last words (1.15)", "Flink SQL> SELECT f(a)" + changes[:44] + "\nShutting down the session...\n" + changes[44:] + "Received a total of 2 rows\n\nFlink SQL> done.\n", `
statement 1, cut off: SELECT f(a)
  result 1 at 1:23, streaming, cut off, 2 rows: 2 +I
warning at 5:1 of 1.1, line-between-rows: a line of something else among the rows of a result
error at 1:23 of 1.1, result-cut-off: the result is cut off after 2 rows`},
	{"an empty line in place of a row, before an error", "Flink SQL> SELECT f(a)" + changes[:55] + "\n[ERROR] Could not execute SQL statement. Reason:\norg.a.B: no\n", `
statement 1, failed: SELECT f(a)
  result 1 at 1:23, streaming, failed, 2 rows: 2 +I
error at 7:1 of 1.1, statement-failed: statement failed: org.a.B: no
warning at 6:1 of 1.1, line-between-rows: a line of something else among the rows of a result`},
	{"prompts behind a prefix, below a message whose colour lost its end", "c | \x1b[34;1m[INFO] Executing SQL from file.\x1b[\n0m\nc | Flink SQL> SELECT f(a)" + strings.ReplaceAll(table, "\n", "\nc | ") + "1 row in set\n", `
statement 1, finished: SELECT f(a)
  result 1 at 3:27, batch, finished, 1 rows`},
	{"an exception behind the client's last words (2.1)", "Flink SQL> SELECT f(a)" + changes[:55] + "Shutting down the session...\n\nException in thread \"main\" done.\norg.a.B: no\n\tat org.a.B.c(B.java:1)\n", `
statement 1, failed: SELECT f(a)
  result 1 at 1:23, streaming, failed, 2 rows: 2 +I
error at 8:1 of 1.1, statement-failed: statement failed: org.a.B: no`},
	{"nothing of the client", "just\nsome lines\n", `
error at 1:1 of 0.0, not-client-output: nothing here is written by the SQL client`},
	{"nothing at all", "", `
error at 1:1 of 0.0, not-client-output: nothing here is written by the SQL client`},
	{"a last empty prompt is no statement", "Flink SQL> CREATE TABLE t (a INT)[INFO] done\n\nFlink SQL> ", `
statement 1, none: CREATE TABLE t (a INT)`},
	{"a changelog counts its kinds", "Flink SQL> SELECT f(a)+----+---+\n| op | a |\n+----+---+\n| +I | 1 |\n| -U | 1 |\n| +U | 2 |\n| -D | 2 |\n| +I | 3 |\n+----+---+\nReceived a total of 5 rows\n", `
statement 1, finished: SELECT f(a)
  result 1 at 1:23, streaming, finished, 5 rows: 2 +I, 1 -U, 1 +U, 1 -D`},
}

const printed = "a:1> +I[1]\nb> +I[x]\na:2> -U[1]\n"

// What rows of print sinks make of a transcript.
var printedTests = []struct {
	name, input, want string
}{
	{"sinks that interleave", printed, `
statement 0, unknown:
  result 1 at 1:1, streaming, unknown, 2 rows of sink "a", several tasks: 1 +I, 1 -U
  result 2 at 2:1, streaming, unknown, 1 rows of sink "b": 1 +I`},
	{"a torn row", "a> +I[1]\nb> +I[x\n[INFO] x\nb> +I[x]\n", `
statement 0, none:
  result 1 at 1:1, streaming, unknown, 1 rows of sink "a": 1 +I
  result 2 at 2:1, streaming, unknown, 1 rows, 1 damaged of sink "b": 1 +I
error at 2:1 of 0.0, piece-unread: a row of a print sink without its end`},
	{"a row that the input ends in", "a> +I[1]\na> +I[x", `
statement 0, unknown:
  result 1 at 1:1, streaming, unknown, 1 rows, 1 damaged of sink "a": 1 +I
error at 2:1 of 0.0, piece-cut-off: a row of a print sink is cut off by the end of the input`},
	{"a job that prints while statements go on", "Flink SQL> INSERT INTO t VALUES (1)[INFO] done\na> +I[1]\n[INFO] also done\na> +I[2]\nFlink SQL> f(x)Empty set\na> +I[3]\n\nFlink SQL> \na> +I[4]\n", `
statement 1, none: INSERT INTO t VALUES (1)
  result 1 at 2:1, streaming, unknown, 2 rows of sink "a": 2 +I
statement 2, finished: f(x)
  result 2 at 5:16, batch, finished, 0 rows
  result 3 at 6:1, streaming, unknown, 1 rows of sink "a": 1 +I
statement 3, unknown:
  result 4 at 9:1, streaming, unknown, 1 rows of sink "a": 1 +I`},
	{"a statement of which only a job's rows come", "Flink SQL> f(x)\na> +I[1]\nFlink SQL> f(y)Empty set\n", `
statement 1, unknown: f(x)
  result 1 at 2:1, streaming, unknown, 1 rows of sink "a": 1 +I
statement 2, finished: f(y)
  result 2 at 3:16, batch, finished, 0 rows
error at 1:1 of 1.0, statement-unknown: nothing tells how the statement ended`},
	{"a program's tables and rows", table + printed + table, `
statement 0, closed:
  result 1 at 1:1, batch, closed, 1 rows
  result 2 at 6:1, streaming, unknown, 2 rows of sink "a", several tasks: 1 +I, 1 -U
  result 3 at 7:1, streaming, unknown, 1 rows of sink "b": 1 +I
  result 4 at 9:1, batch, closed, 1 rows`},
	{"a row among those of a table", table[:18] + "a> +I[1]\n" + table[18:] + "1 row in set\n", `
statement 0, finished:
  result 1 at 1:1, batch, finished, 1 rows
warning at 4:1 of 0.1, line-between-rows: a line of something else among the rows of a result`},
}

func TestPrintedOutline(t *testing.T) {
	for _, test := range printedTests {
		t.Run(test.name, func(t *testing.T) {
			tr := read(t, []byte(test.input), "")
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), outlineText(tr)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestManySinks reads more sinks than an outline keeps open.
func TestManySinks(t *testing.T) {
	var in strings.Builder
	for i := range 3500 {
		fmt.Fprintf(&in, "sink%d> +I[%d]\n", i, i)
	}
	in.WriteString("sink3499> +I[last]\nsink0> +I[again]\n")
	tr := read(t, []byte(in.String()), "")
	results := tr.Results()
	if n := len(results); n != 3501 || len(tr.Problems) > 0 {
		t.Fatalf("%d results, problems %v", n, tr.Problems)
	}
	for i, r := range results {
		want := int64(1)
		if i == 3499 {
			want = 2
		}
		if r.Number != i+1 || r.End != sqlclient.EndUnknown || r.Count != want || r.Sink.Identifier != fmt.Sprintf("sink%d", i%3500) {
			t.Fatalf("result %d: %+v", i+1, r)
		}
	}
}

func TestOutline(t *testing.T) {
	codes := make(map[sqlclient.Code]bool)
	ends := make(map[sqlclient.End]bool)
	for _, test := range outlineTests {
		t.Run(test.name, func(t *testing.T) {
			tr := read(t, []byte(test.input), "")
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n"), outlineText(tr)); diff != "" {
				t.Error(diff)
			}
			for _, p := range tr.Problems {
				codes[p.Code] = true
			}
			for _, st := range tr.Statements {
				ends[st.End()] = true
			}
		})
	}
	for _, c := range []sqlclient.Code{sqlclient.StatementFailed, sqlclient.StatementUnknown, sqlclient.ResultCutOff, sqlclient.PieceUnread, sqlclient.PieceCutOff,
		sqlclient.FooterCount, sqlclient.FooterAlone, sqlclient.RowRecovered, sqlclient.LineBetweenRows, sqlclient.ModeAmbiguous, sqlclient.AnotherSession, sqlclient.AfterFailure, sqlclient.CSVRefused, sqlclient.PrefixRefused, sqlclient.NotClientOutput} {
		if !codes[c] {
			t.Errorf("no test has the problem %s", c)
		}
	}
	for e := sqlclient.EndFinished; e.String() != ""; e++ {
		if !ends[e] {
			t.Errorf("no test ends %q", e)
		}
	}
}

// outlineText returns what a transcript holds, without its messages and rows.
func outlineText(tr *sqlclient.Transcript) string {
	var lines []string
	for _, st := range tr.Statements {
		lines = append(lines, strings.TrimSuffix(fmt.Sprintf("statement %d, %v: %s", st.Number, st.End(), st.SQL), " "))
		for _, r := range st.Results {
			line := fmt.Sprintf("  result %d at %v, %v, %v, %d rows", r.Number, r.Pos, r.Mode, r.End, r.Count)
			if int64(len(r.Rows)) != r.Count {
				line += fmt.Sprintf(", %d kept", len(r.Rows))
			}
			if r.Recovered > 0 {
				line += fmt.Sprintf(", %d recovered", r.Recovered)
			}
			if r.Damaged > 0 {
				line += fmt.Sprintf(", %d damaged", r.Damaged)
			}
			if r.Sink != nil {
				line += fmt.Sprintf(" of sink %q", r.Sink.Identifier)
				if r.Sink.Subtasks {
					line += ", several tasks"
				}
			}
			line += kindsText(r)
			lines = append(lines, line)
		}
	}
	for _, p := range tr.Problems {
		lines = append(lines, fmt.Sprintf("%v at %v of %d.%d, %s: %s", p.Severity, p.Pos, p.Statement, p.Result, p.Code, p.Msg))
	}
	return strings.Join(lines, "\n")
}

func kindsText(r *sqlclient.Result) string {
	if r.Mode != sqlclient.ModeStreaming {
		return ""
	}
	var kinds []string
	for kind := changelog.Insert; kind.String() != ""; kind++ {
		if n := r.Changes(kind); n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %v", n, kind))
		}
	}
	return ": " + strings.Join(kinds, ", ")
}

// TestRecordsOfOthers adds records that no Reader makes.
func TestRecordsOfOthers(t *testing.T) {
	o := sqlclient.NewOutline("", nil)
	o.Add(&sqlclient.Rows{})
	strange := changelog.Row{Kind: 99}
	if r := o.Add(&sqlclient.Row{Row: strange}); r.Count != 1 || r.Changes(99) != 0 {
		t.Errorf("%d rows, %d of the kind", r.Count, r.Changes(99))
	}
	if r := o.Add(&sqlclient.PrintLine{Row: strange}); r.Count != 1 || r.Changes(99) != 0 {
		t.Errorf("%d rows of a print sink, %d of the kind", r.Count, r.Changes(99))
	}
}

// A column op below the client's prompt is data where the footer is that of a batch
// result, whatever is in it, and also where another column begins with blanks, so that
// it is as wide as one of a changelog may be; and where the footer is too far away to
// be known, it tells. What stands behind the client's last words is another program's.
func TestColumnOpAboveRowsInSet(t *testing.T) {
	const prompt, head = "Flink SQL> SELECT f(a)", "+----+------+\n| op |    a |\n+----+------+\n"
	const blanks, number, named = "| +I |    x |\n", "| +I |    1 |\n", "| -D |    x |\n"
	const quit = prompt + "Empty set\nFlink SQL> QUIT;\n[INFO] Exiting Flink SQL CLI Client...\n\nShutting down the session...\ndone.\n"
	result := func(rows string, footer string) string {
		return head + rows + head[:14] + strings.Replace(footer, "N", fmt.Sprint(strings.Count(rows, "\n")), 1) + "\n"
	}
	far := strings.Repeat(blanks, 40<<10/len(blanks)) // further than is looked ahead
	for _, test := range []struct {
		name, input string
		mode        sqlclient.Mode
		said        sqlclient.Code
	}{
		{"blanks", prompt + result(blanks, "N row in set"), sqlclient.ModeBatch, sqlclient.ModeAmbiguous},
		{"blanks before a number", prompt + result(number, "N row in set"), sqlclient.ModeBatch, sqlclient.ModeAmbiguous},
		{"changes", prompt + result(named, "N row in set"), sqlclient.ModeBatch, sqlclient.ModeAmbiguous},
		{"changes and others", prompt + result(strings.Repeat(number, 20)+"|  x |    1 |\n", "N rows in set"), sqlclient.ModeBatch, sqlclient.ModeAmbiguous},
		{"behind a session", quit + result(number, "N row in set"), sqlclient.ModeStreaming, ""},
		{"behind a session, far", quit + result(far, "N rows in set"), sqlclient.ModeStreaming, ""},
		{"behind a session that ends among rows", prompt + head + number + "Shutting down the session...\n" + number + head[:14] + "done.\n" + result(number, "N row in set"), sqlclient.ModeStreaming, sqlclient.ResultCutOff},
		{"in the next session", quit + prompt + result(number, "N row in set"), sqlclient.ModeBatch, sqlclient.AnotherSession + sqlclient.ModeAmbiguous},
		{"a column +/- alone", prompt + "+-----+\n| +/- |\n+-----+\n|   + |\n+-----+\n1 row in set\n", sqlclient.ModeBatch, ""},
		{"no prompt", result(blanks, "N row in set"), sqlclient.ModeStreaming, sqlclient.ModeAmbiguous},
		{"no prompt and a number", result(number, "N row in set"), sqlclient.ModeStreaming, ""},
		{"a changelog", prompt + result(blanks, "Received a total of N row"), sqlclient.ModeStreaming, ""},
		{"a prompt before another result", prompt + "Empty set\n" + result(blanks, "N row in set"), sqlclient.ModeBatch, sqlclient.ModeAmbiguous},
		{"far", prompt + result(far, "N rows in set"), sqlclient.ModeStreaming, sqlclient.FooterMode},
		{"far, and data", prompt + result(strings.ReplaceAll(far, "+I", " y"), "Received a total of N rows"), sqlclient.ModeBatch, sqlclient.FooterMode},
		{"far, but ambiguous", prompt + result(strings.ReplaceAll(blanks, "+I", " y")+far, "N rows in set"), sqlclient.ModeStreaming, sqlclient.ModeAmbiguous + sqlclient.PieceUnread + sqlclient.FooterMode + sqlclient.FooterCount},
		{"far, without a prompt", result(far, "N rows in set"), sqlclient.ModeStreaming, ""},
	} {
		tr := read(t, []byte(test.input), "f")
		results := tr.Results()
		r := results[len(results)-1]
		if r.Mode != test.mode || r.End != sqlclient.EndFinished {
			t.Errorf("%s: %v, %v", test.name, r.Mode, r.End)
		}
		var said sqlclient.Code
		for _, p := range tr.Problems {
			said += p.Code
			if p.Code == sqlclient.FooterMode && p.Severity != sqlclient.SeverityError {
				t.Errorf("%s: %v: %v", test.name, p.Severity, p)
			}
		}
		misread := strings.Contains(string(said), string(sqlclient.FooterMode))
		table, err := r.Final()
		if e := (*sqlclient.MisreadError)(nil); errors.As(err, &e) != misread || r.Misread != misread || misread && (e.Result != r || table.Len() > 0) {
			t.Errorf("%s: misread: %v, %d rows, %v", test.name, r.Misread, table.Len(), err)
		}
		if said != test.said {
			t.Errorf("%s: %v, want %q", test.name, tr.Problems, test.said)
		}
		if err := checkReaders([]byte(test.input), "f"); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// Tables behind the last words of a client are of no statement of it, and the next
// client's first words still tell of another session.
func TestBehindSession(t *testing.T) {
	const printed = "+----+----------------------+\n| op |                    n |\n+----+----------------------+\n| +I |                    1 |\n+----+----------------------+\n1 row in set\n"
	const session = "Flink SQL> SELECT f(a)+---+\n| a |\n+---+\n| 1 |\n+---+\n1 row in set\n\nFlink SQL> QUIT;\n[INFO] Exiting Flink SQL CLI Client...\n\nShutting down the session...\ndone.\n"
	tr := read(t, []byte(session+printed+"Empty set\n"+session), "f")
	var got []string
	for _, st := range tr.Statements {
		got = append(got, fmt.Sprintf("%d %q %d %v", st.Number, st.SQL, len(st.Results), st.End()))
	}
	want := []string{
		`1 "SELECT f(a)" 1 finished`, `2 "QUIT;" 0 none`, `0 "" 2 finished`,
		`3 "SELECT f(a)" 1 finished`, `4 "QUIT;" 0 none`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(tr.Problems) != 1 || tr.Problems[0].Code != sqlclient.AnotherSession {
		t.Errorf("%v", tr.Problems)
	}
}

// statementForm returns all that a part of a statement tells.
func statementForm(st *sqlclient.Statement) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d at %v, %q complete %v, continued %v, %v", st.Number, st.Pos, st.SQL, st.Complete, st.Continued, st.End())
	for _, m := range st.Messages {
		fmt.Fprintf(&text, "\nmessage %v %q", m.Level, m.Raw)
	}
	for _, j := range st.Jobs {
		fmt.Fprintf(&text, "\njob %s %q", j.ID, j.Raw)
	}
	for _, r := range st.Results {
		fmt.Fprintf(&text, "\nresult %d at %v of %d, %v, ambiguous %v, snapshot %v, %v, %d rows, %d recovered, %d damaged, %v, misread %v, %v",
			r.Number, r.Pos, r.Statement.Number, r.Mode, r.Ambiguous, r.Snapshot, r.Columns, r.Count, r.Recovered, r.Damaged, r.End, r.Misread, r.Notation())
		for kind := changelog.None; kind <= changelog.Retract; kind++ {
			fmt.Fprint(&text, " ", r.Changes(kind))
		}
		if r.Footer != nil {
			fmt.Fprintf(&text, "\nfooter %v %v %d %q %q", r.Footer.Span(), r.Footer.Kind, r.Footer.Rows, r.Footer.Seconds, r.Footer.Raw)
		}
		if r.Sink != nil {
			fmt.Fprintf(&text, "\nsink %q, subtasks %v", r.Sink.Identifier, r.Sink.Subtasks)
		}
	}
	return text.String()
}

// checkReleased says whether what statements tell depends on whether records are
// handed out again, and statements given back.
func checkReleased(data []byte) error {
	outlined := func(release bool, opts ...sqlclient.Option) []string {
		outline := sqlclient.NewOutline("f", nil)
		var forms []string
		kept := make(map[int]*sqlclient.Statement) // of those without a form yet
		next := func() {
			for st, ok := outline.Next(); ok; st, ok = outline.Next() {
				if !release || st.Continued {
					kept[len(forms)] = st
					forms = append(forms, "")
				} else {
					forms = append(forms, statementForm(st))
				}
				if release {
					outline.Release(st)
				}
			}
		}
		for rec := range sqlclient.NewReader(bytes.NewReader(data), "f", opts...).Records() {
			outline.Add(rec)
			next()
		}
		outline.Close()
		next()
		for i, st := range kept { // only now, when all was overwritten that could be
			forms[i] = statementForm(st)
		}
		return forms
	}
	want := outlined(false)
	for _, size := range []int{64, 256 << 10} {
		for _, release := range []bool{false, true} {
			if diff := firstDiff(want, outlined(release, sqlclient.ReuseRows(), sqlclient.BufferSize(size))); diff != "" {
				return fmt.Errorf("a buffer of %d bytes, released %v: %s", size, release, diff)
			}
		}
	}
	return nil
}

// A statement that is released twice by mistake makes no two results one.
func TestReleaseTwice(t *testing.T) {
	const one = "Flink SQL> SELECT 1;\n+---+\n| x |\n+---+\n| 1 |\n+---+\n1 row in set\n\n"
	o := sqlclient.NewOutline("", nil)
	var numbers []int
	var kept []*sqlclient.Result
	take := func() {
		for st, ok := o.Next(); ok; st, ok = o.Next() {
			if st.Number == 1 {
				o.Release(st)
				o.Release(st)
				continue
			}
			kept = append(kept, st.Results...)
		}
	}
	for rec := range sqlclient.NewReader(strings.NewReader(strings.Repeat(one, 4)), "", sqlclient.ReuseRows()).Records() {
		o.Add(rec)
		take()
	}
	o.Close()
	take()
	for _, r := range kept {
		numbers = append(numbers, r.Number)
	}
	if want := []int{2, 3, 4}; !slices.Equal(numbers, want) {
		t.Errorf("results %v, want %v", numbers, want)
	}
}

// TestRelease reads all transcripts with records and statements that are used again.
func TestRelease(t *testing.T) {
	for _, test := range outlineTests {
		if err := checkReleased([]byte(strings.Repeat(test.input+"\n", 3))); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for _, name := range find(t) {
		data := load(t, name)
		if len(data) > 64<<10 || testing.Short() && len(data) > 8<<10 {
			continue
		}
		if err := checkReleased(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := checkReleased(bytes.ReplaceAll(data, []byte{'\n'}, []byte("\n> "))); err != nil {
			t.Errorf("%s, quoted: %v", name, err)
		}
	}
	// A statement of so many results comes in parts, which share their text.
	many := "Flink SQL> SELECT f(a)" + strings.Repeat(table+"1 row in set (0.10 seconds)\n", 1001)
	others := strings.NewReplacer("f(a)", "g(b, c)", "0.10", "0.2").Replace(many)
	if err := checkReleased([]byte(many + "Flink SQL> \n" + others)); err != nil {
		t.Error(err)
	}
}
