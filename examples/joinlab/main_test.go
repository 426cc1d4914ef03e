package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// writeWork writes a submission to a directory.
func writeWork(t *testing.T, work fstest.MapFS) string {
	t.Helper()
	dir := t.TempDir()
	for name, file := range work {
		if err := os.WriteFile(filepath.Join(dir, name), file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func runCommand(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestExitCodes(t *testing.T) {
	right := writeWork(t, rightWork(t, "2.3.0"))
	wrong := writeWork(t, fstest.MapFS{})
	noDir := filepath.Join(right, "no-such-directory")
	badData := writeWork(t, fstest.MapFS{
		"joins_users.csv":     {Data: []byte("u1,gold,2026-03-09 00:00:00\n")},
		"joins_orders.csv":    {Data: []byte("o1,u1,USD,1.00,2026-03-09 00:00:00\no2,u1,USD,1.005,2026-03-09 00:00:00\n")},
		"joins_shipments.csv": {Data: []byte("s1,o1,2026-03-09 00:00:09\ns2,o1,2026-03-09 00:00:08\n")},
		"joins_rates.csv":     {Data: []byte("USD,1350.0000\n")},
	})
	for _, test := range []struct {
		name   string
		args   []string
		code   int
		stdout []string // lines that begin so
		stderr []string // parts
	}{
		{"right", []string{labData, right}, exitPassed, []string{right + ": 64 of 64 checks pass"}, nil},
		{"wrong", []string{labData, wrong}, exitFailed, []string{wrong + ": 0 of 64 checks pass", "  count.file: fail", "    got   no file"}, nil},
		{"in order", []string{labData, wrong, right, wrong}, exitFailed, []string{wrong + ": 0", right + ": 64", wrong + ": 0"}, nil},
		{"no directory", []string{labData, noDir, right}, exitUnreadable, []string{noDir + ": 0", right + ": 64"}, []string{noDir + ": "}},
		{"no data", []string{noDir, right}, exitUnreadable, nil, []string{"joins_users.csv", "joins_rates.csv"}},
		{"bad data", []string{badData, right}, exitUnreadable, nil, []string{
			"joins_orders.csv:2:11: amount has more than 2 places",
			"joins_shipments.csv:2:7: not in the order of time",
			"joins_rates.csv:1:1: wrong number of fields",
		}},
		{"no arguments", nil, exitUsage, nil, []string{"usage: joinlab"}},
		{"no submission", []string{labData}, exitUsage, nil, []string{"usage: joinlab"}},
		{"no such format", []string{"-o", "yaml", labData, right}, exitUsage, nil, []string{"usage: joinlab"}},
		{"no such flag", []string{"-x", labData, right}, exitUsage, nil, []string{"usage: joinlab"}},
		{"help", []string{"-h"}, exitPassed, nil, []string{"usage: joinlab"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := runCommand(test.args...)
			if code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			rest := "\n" + stdout
			for _, line := range test.stdout {
				_, after, ok := strings.Cut(rest, "\n"+line)
				if !ok {
					t.Errorf("no line %q in\n%s", line, rest)
				}
				rest = after
			}
			if test.stdout == nil && stdout != "" {
				t.Errorf("stdout: %s", stdout)
			}
			for _, part := range test.stderr {
				if !strings.Contains(stderr, part) {
					t.Errorf("no %q in %s", part, stderr)
				}
			}
			if test.stderr == nil && stderr != "" {
				t.Errorf("stderr: %s", stderr)
			}
		})
	}
}

// A file that is there but cannot be read is not the learner's fault; one that
// leads out of the submission is not read, and a pipe does not stop the grader.
func TestUnreadable(t *testing.T) {
	work := writeWork(t, rightWork(t, "2.3.0"))
	out := filepath.Join(work, "count.out")
	if err := errors.Join(os.Remove(out), os.Symlink(filepath.Join("..", "count.out"), out)); err != nil {
		t.Skip(err)
	}
	report := filepath.Join(work, "report.json")
	if err := errors.Join(os.Remove(report), os.Mkdir(report, 0o700)); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := runCommand(labData, work)
	if code != exitUnreadable || !strings.Contains(stdout, "\n  count.file: not checkable") || !strings.Contains(stderr, "count.out") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if !strings.Contains(stdout, "\n  report.file: fail\n    at    report.json\n    got   no regular file\n") {
		t.Error(stdout)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteError(t *testing.T) {
	right := writeWork(t, rightWork(t, "2.3.0"))
	for format := range printers {
		var stderr bytes.Buffer
		if code := run([]string{"-o", format, labData, right}, failingWriter{}, &stderr); code != exitUnreadable || stderr.String() != "disk full\n" {
			t.Errorf("%s: exit code %d, %q", format, code, stderr.String())
		}
	}
}

func TestJSON(t *testing.T) {
	work := rightWork(t, "2.3.0")
	work["unshipped.out"] = &fstest.MapFile{Data: []byte("a <b> \x1b[31m\xff\n")}
	dir, right := writeWork(t, work), writeWork(t, rightWork(t, "1.15.4"))
	code, stdout, _ := runCommand("-o", "json", labData, dir, right)
	lines := strings.SplitAfter(stdout, "\n")
	if code != exitFailed || len(lines) != 3 || lines[2] != "" {
		t.Fatalf("exit code %d, %d lines", code, len(lines))
	}
	if want := `{"work":"` + dir + `","passed":false,"checks":[{"name":"count.file","status":"pass","place":"count.out:1:1","got":"output of the SQL client","want":"output of the SQL client","hint":""},`; !strings.HasPrefix(lines[0], want) {
		t.Errorf("%.300s, want\n%s", lines[0], want)
	}
	if want := `{"name":"unshipped.file","status":"fail","place":"unshipped.out:1:1","got":"nothing here is written by the SQL client","want":"output of the SQL client","hint":"run sql-client.sh -i ddl.sql -f unshipped.sql > unshipped.out 2>&1: with 2>&1 the file also tells what went wrong"},` +
		`{"name":"unshipped.result","status":"not checkable","place":"","got":"","want":"","hint":"depends on unshipped.file"},`; !strings.Contains(lines[0], want) {
		t.Errorf("%s lacks\n%s", lines[0], want)
	}
	for i, line := range lines[:2] {
		var s submission
		if err := json.Unmarshal([]byte(line), &s); err != nil || s.Passed != (i == 1) || len(s.Checks) != 64 {
			t.Errorf("%v, %v, %d checks", err, s.Passed, len(s.Checks))
		}
	}
}

func TestJUnit(t *testing.T) {
	work := rightWork(t, "2.3.0")
	delete(work, "latest.out")
	dir := writeWork(t, work)
	_, stdout, _ := runCommand("-o", "junit", labData, dir, dir)
	var suites struct {
		Suites []junitSuite `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(stdout), &suites); err != nil {
		t.Fatal(err)
	}
	if len(suites.Suites) != 2 {
		t.Fatalf("%d suites", len(suites.Suites))
	}
	// Without latest.out there are 6 more checks of it, and what the report says of it.
	if s := suites.Suites[1]; s.Name != dir || s.Tests != 64 || len(s.Cases) != 64 || s.Failures != 1 || s.Errors != 7 {
		t.Errorf("%s: %d tests, %d cases, %d failures, %d errors", s.Name, s.Tests, len(s.Cases), s.Failures, s.Errors)
	}
}

// What a terminal would obey is not printed.
func TestVisible(t *testing.T) {
	work := rightWork(t, "2.3.0")
	out := bytes.Replace(work["count.out"].Data, []byte("users |"), []byte("\x1b[2J\u202e |"), 1)
	if bytes.Equal(out, work["count.out"].Data) {
		t.Fatal("nothing replaced")
	}
	work["count.out"] = &fstest.MapFile{Data: out}
	_, stdout, _ := runCommand(labData, writeWork(t, work))
	if !strings.Contains(stdout, "count.rows: fail") || strings.ContainsAny(stdout, "\x1b\u202e") {
		t.Errorf("%q", stdout)
	}
}
