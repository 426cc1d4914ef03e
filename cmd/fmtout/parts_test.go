package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The output of a program has no prompts, so all of it is one statement, which
// sqlclient hands out in parts.
const many = 2500

// runOn runs fmtout on an input.
func runOn(input string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(input), &out, &errs)
	return code, out.String(), errs.String()
}

func program(results int) string {
	var b strings.Builder
	for i := range results {
		fmt.Fprintf(&b, "+------+\n|    x |\n+------+\n| %4d |\n+------+\n1 row in set\n[WARNING] after %d\n", i+1, i+1)
	}
	return b.String()
}

const oneMore = "Flink SQL> SELECT (1)+---+\n| y |\n+---+\n| 1 |\n+---+\n1 row in set\n\nFlink SQL> \n"

func TestRowsOfManyResults(t *testing.T) {
	var want strings.Builder
	for i := range many {
		fmt.Fprintf(&want, `{"statement":0,"result":%d,"row":{"x":"%d"}}`+"\n", i+1, i+1)
	}
	last := fmt.Sprintf(`{"statement":1,"result":%d,"row":{"y":"1"}}`+"\n", many+1)
	for _, test := range []struct {
		input, statement, want string
		code                   int
	}{
		{program(many), "", want.String(), 0},
		{program(many), "0", want.String(), 0},
		{program(many), "-1", want.String(), 0},
		{program(many), "-2", "", 2},
		{program(many), "1", "", 2},
		{program(many) + oneMore, "", want.String() + last, 0},
		{program(many) + oneMore, "0", want.String(), 0},
		{program(many) + oneMore, "1", last, 0},
		{program(many) + oneMore, "-1", last, 0},
		{program(many) + oneMore, "-2", want.String(), 0},
		{program(many) + oneMore, "-3", "", 2},
	} {
		args := []string{"-o", "ndjson"}
		if test.statement != "" {
			args = append(args, "--statement", test.statement)
		}
		code, stdout, stderr := runOn(test.input, args...)
		if code != test.code {
			t.Errorf("--statement %q: exit code %d: %s", test.statement, code, stderr)
		}
		if diff := cmp.Diff(test.want, stdout); diff != "" {
			t.Errorf("--statement %q: %.500s", test.statement, diff)
		}
	}
}

type listed struct {
	Statement, Line int
	Result          *int
	End             string
	Warnings        []string
	Error           *string
}

func list(t *testing.T, input string, args ...string) []listed {
	t.Helper()
	_, stdout, stderr := runOn(input, append(args, "--list", "-o", "json")...)
	var got []listed
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("%v; %.1000s", err, stderr)
	}
	return got
}

// Each result is told of once, with what was said of it and nothing else.
func TestListOfManyResults(t *testing.T) {
	var want []listed
	for i := range many {
		n := i + 1
		want = append(want, listed{0, 7*i + 1, &n, "finished", []string{fmt.Sprintf("after %d", n)}, nil})
	}
	n := many + 1
	want = append(want, listed{1, 7*many + 1, &n, "finished", []string{}, nil})
	for from, args := range map[int][]string{0: nil, many: {"--statement", "-1"}} {
		if diff := cmp.Diff(want[from:], list(t, program(many)+oneMore, args...)); diff != "" {
			t.Errorf("%q: %.500s", args, diff)
		}
	}
	if diff := cmp.Diff(want[:many], list(t, program(many)+oneMore, "--statement", "0")); diff != "" {
		t.Errorf("statement 0: %.500s", diff)
	}
	_, stdout, _ := runOn(program(many), "--list")
	if got := strings.Count(stdout, "\n"); got != many+2 {
		t.Errorf("%d lines in the table of %d results", got, many)
	}
}

// A message behind the last result of a part belongs to that result.
func TestErrorBehindAThousandResults(t *testing.T) {
	for _, results := range []int{999, 1000, 1001} {
		input := program(results-1) + "+---+\n| x |\n+---+\n| 1 |\n[ERROR] Could not execute SQL statement. Reason:\norg.a.B: no\n"
		got := list(t, input)
		if len(got) != results {
			t.Fatalf("%d entries of %d results", len(got), results)
		}
		for i, entry := range got[:results-1] {
			if entry.Error != nil || entry.End != "finished" {
				t.Errorf("result %d: %+v", i+1, entry)
			}
		}
		if last := got[results-1]; last.Error == nil || *last.Error != "no" || last.End != "failed" {
			t.Errorf("the last of %d: %+v", results, last)
		}
		if _, stdout, _ := runOn(input); strings.Count(stdout, "Statement 0: failed") != 1 {
			t.Errorf("with %d results, the error was not told once", results)
		}
	}
}

// A statement of many messages and no result is told of once.
func TestManyMessages(t *testing.T) {
	var b strings.Builder
	b.WriteString("Flink SQL> EXECUTE STATEMENT SET (1)[ERROR] the first\n")
	for i := range many {
		fmt.Fprintf(&b, "[WARNING] w%d\n[ERROR] e%d\n", i+1, i+1)
	}
	b.WriteString("\nFlink SQL> SELECT (2)[INFO] done\n\nFlink SQL> \n")
	got := list(t, b.String())
	if len(got) != 2 {
		t.Fatalf("%d entries of 2 statements", len(got))
	}
	st := got[0]
	if st.Statement != 1 || st.Result != nil || st.End != "failed" || st.Error == nil || *st.Error != "the first" {
		t.Errorf("%+v", st)
	}
	if n := len(st.Warnings); n != maxReported+1 || st.Warnings[0] != "w1" || st.Warnings[n-1] != fmt.Sprintf("and %d more", many-maxReported) {
		t.Errorf("warnings %q", st.Warnings)
	}
	if got[1].Statement != 2 || got[1].End != "none" || got[1].Error != nil {
		t.Errorf("%+v", got[1])
	}
	code, stdout, _ := runOn(b.String())
	if want := "Statement 1: failed\nEXECUTE STATEMENT SET (1) …\n\n    the first\n"; code != 1 || stdout != want {
		t.Errorf("exit code %d, %.500s", code, stdout)
	}
}

// A result whose footer shows that it was misread is not folded.
func TestMisread(t *testing.T) {
	const head, row, n = "+----+---+\n| op | a |\n+----+---+\n", "| +I | b |\n", 4000
	input := "Flink SQL> SELECT f(a)" + head + strings.Repeat(row, n) + head[:11] + fmt.Sprintf("%d rows in set\n", n)
	for _, test := range []struct {
		args, want, said string
	}{
		{"--final -o ndjson", "", ":1:23: the footer shows that the result was misread as streaming: it cannot be folded\n"},
		{"-o ndjson", strings.Repeat(`{"statement":1,"result":1,"op":"+I","row":{"a":"b"}}`+"\n", n), ":4005:1: the footer is that of a batch result, but the first column was read as row kinds\n"},
	} {
		code, stdout, stderr := runOn(input, strings.Fields(test.args)...)
		if code != 1 || stdout != test.want || !strings.HasSuffix(stderr, test.said) {
			t.Errorf("%s: exit %d, %d bytes, %s", test.args, code, len(stdout), stderr)
		}
	}
}
