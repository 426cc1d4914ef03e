package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	long := filepath.Join(t.TempDir(), "long.out") // more than waits for its turn
	const border = "+----+-------+\n"
	if err := os.WriteFile(long, []byte(border+"| op |     n |\n"+border+strings.Repeat("| +I | 12345 |\n", 100_000)+border+"Received a total of 100000 rows\n"), 0o666); err != nil {
		t.Fatal(err)
	}
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

// An output that fails ends the reading of all files, and is told of once.
func TestSideBySideOutputFails(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	files, err := filepath.Glob("../../testdata/transcripts/*/*/*.out")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	full := errors.New("no space left")
	var stderr bytes.Buffer
	code := run(append([]string{"-o", "ndjson"}, files...), nil, failing{full}, &stderr)
	if n := strings.Count(stderr.String(), full.Error()); code != 3 || n != 1 {
		t.Errorf("exit code %d, told %d times:\n%s", code, n, stderr.String())
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

var _ io.Writer = failing{}
