package main

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// Files that are read side by side come out as one after the other, with all that is
// told of them, however many goroutines read them.
func TestSideBySide(t *testing.T) {
	files, err := filepath.Glob("../../testdata/transcripts/*/*/*.out")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if testing.Short() {
		files = files[:50]
	}
	long := longFile(t)
	files = slices.Insert(files, 10, "no such file", long)
	files = append(files, long, long)
	results := func(cores int, flags ...string) (out, log string, code int) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		var stdout, stderr bytes.Buffer
		code = run(append(flags, files...), nil, &stdout, &stderr)
		return stdout.String(), stderr.String(), code
	}
	for _, flags := range [][]string{{"-o", "ndjson"}, {"-o", "ndjson", "--final"}, {"-o", "ndjson", "--statement", "-1", "--strict"}} {
		want, wantLog, wantCode := results(1, flags...)
		if len(want) == 0 || len(wantLog) == 0 {
			t.Fatalf("%q: %d bytes, %d of diagnostics", flags, len(want), len(wantLog))
		}
		for _, cores := range []int{2, 8} {
			got, gotLog, gotCode := results(cores, flags...)
			if gotCode != wantCode {
				t.Errorf("%q on %d cores: exit code %d, want %d", flags, cores, gotCode, wantCode)
			}
			if diff := cmp.Diff(wantLog, gotLog); diff != "" {
				t.Errorf("%q on %d cores (-one +many):\n%s", flags, cores, diff)
			}
			if got != want {
				t.Errorf("%q on %d cores: %d bytes that are not the same as %d on one", flags, cores, len(got), len(want))
			}
		}
	}
}

// longFile returns the name of a file that is not read before its turn.
func longFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "long.out")
	const border = "+----+-------+\n"
	if err := os.WriteFile(name, []byte(border+"| op |     n |\n"+border+strings.Repeat("| +I | 12345 |\n", 100_000)+border+"Received a total of 100000 rows\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// A long table of hard values, with what is no row between its rows, comes out the same
// whatever the number of goroutines that read it, in every format.
func TestLongTableOnCores(t *testing.T) {
	values := []string{"silver", "", "a | b", "x\n| +I | y", "東京都渋谷区", "ok 😀", "<NULL>", "(NULL)", "+----+---+", "many many many many many m...", "é\xff", `"quoted", \`}
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	border := "+----+" + strings.Repeat("-", 32) + "+" + strings.Repeat("-", 13) + "+\n"
	pad := func(s string, w int) string { return strings.Repeat(" ", w-tableau.Width([]byte(s))) + s }
	b.WriteString("Flink SQL> SELECT f(x);\n" + border + "| op | " + pad("s", 30) + " | " + pad("n", 11) + " |\n" + border)
	for i := range 80_000 {
		if i == 70_000 {
			b.WriteString("2026-03-15 07:45:24,343 INFO  org.apache.A [] - x\n| +I | damaged | |\n")
		}
		b.WriteString("| +I | " + pad(values[rng.IntN(len(values))], 30) + " | " + pad(strconv.Itoa(i%1000), 11) + " |\n")
	}
	b.WriteString(border + "Received a total of 80000 rows\n")
	name := filepath.Join(t.TempDir(), "hard.out")
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-o", "ndjson"}, {"-o", "csv"}, {"-o", "json"}, {"--list", "-o", "json"}, {"--final", "-o", "tsv"}, nil} {
		results := func(cores int) (out, log string) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			var stdout, stderr bytes.Buffer
			run(append(flags, name), nil, &stdout, &stderr)
			return stdout.String(), stderr.String()
		}
		want, wantLog := results(1)
		if len(want) == 0 || !strings.Contains(wantLog, "does not fit its border") {
			t.Fatalf("%q: %d bytes and\n%s", flags, len(want), wantLog)
		}
		for _, cores := range []int{2, 3, 8} {
			got, log := results(cores)
			if got != want {
				t.Errorf("%q on %d cores: %d bytes that are not the same as %d on one", flags, cores, len(got), len(want))
			}
			if diff := cmp.Diff(wantLog, log); diff != "" {
				t.Errorf("%q on %d cores (-one +many):\n%s", flags, cores, diff)
			}
		}
	}
}

// What can be read only once is not looked at before its turn.
func TestIsStream(t *testing.T) {
	for name, want := range map[string]bool{"-": true, os.DevNull: true, "cores_test.go": false, "no such file": false} {
		if got := isStream(name); got != want {
			t.Errorf("isStream(%q) = %v", name, got)
		}
	}
}

// An output that fails ends the reading of all files, and is told of once.
func TestSideBySideOutputFails(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	files, err := filepath.Glob("../../testdata/transcripts/*/*/*.out")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	long := longFile(t) // which fails
	full := errors.New("no space left")
	for range 5 {
		var stderr bytes.Buffer
		code := run(append([]string{"-o", "ndjson", long, "no such file"}, files...), nil, failing{full}, &stderr)
		if want := "standard output: " + full.Error() + "\n"; code != 3 || stderr.String() != want {
			t.Errorf("exit code %d, and\n%s", code, stderr.String())
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

var _ io.Writer = failing{}
