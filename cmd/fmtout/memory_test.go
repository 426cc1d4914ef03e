package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestPeakMemory feeds four million rows to the binary, of one result or of as many as
// have ten rows: it takes no more memory for them than for the first million, nor than
// it may at all.
func TestPeakMemory(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds a binary, and asks the system for its memory")
	}
	fmtout := filepath.Join(t.TempDir(), "fmtout")
	if msg, err := exec.Command("go", "build", "-o", fmtout, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, msg)
	}
	border := "+----+" + strings.Repeat("-", 32) + "+" + strings.Repeat("-", 22) + "+\n"
	head := border + fmt.Sprintf("| op | %30s | %20s |\n", "name", "amount") + border
	var rows, results bytes.Buffer
	for i := range 10_000 {
		name, width := "silver", 30
		if i%5 == 0 {
			name, width = "東京都渋谷区", 24
		}
		row := fmt.Sprintf("| +I | %*s | %20d |\n", width, name, i)
		rows.WriteString(row)
		if i%10 == 0 {
			fmt.Fprintf(&results, "Flink SQL> SELECT name, SUM(amount) FROM t%d;\n%s", i, head)
		}
		results.WriteString(row)
		if i%10 == 9 {
			fmt.Fprintf(&results, "%sReceived a total of 10 rows (%d.58 seconds)\n\n", border, i)
		}
	}
	for _, test := range []struct {
		args  string
		small bool // many results
		cores int
		limit int64 // KiB
	}{
		{"--list", false, 1, 12 << 10}, {"--list", false, 2, 16 << 10}, {"-o ndjson", false, 1, 12 << 10}, {"-o ndjson", false, 2, 16 << 10}, {"-o csv", false, 1, 12 << 10}, {"-o table", false, 2, 16 << 10},
		{"-o ndjson", true, 1, 12 << 10}, {"-o ndjson", true, 2, 16 << 10}, {"--list -o ndjson", true, 1, 12 << 10},
	} {
		t.Run(fmt.Sprintf("%s, many results %v, on %d", test.args, test.small, test.cores), func(t *testing.T) {
			peaks := func(env ...string) (first, last int64) {
				cmd := exec.Command(fmtout, strings.Fields(test.args)...)
				cmd.Env = append(append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", test.cores)), env...)
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				out := new(counter)
				cmd.Stdout = out
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				unit := results.Bytes()
				if !test.small {
					io.WriteString(in, head)
					unit = rows.Bytes()
				}
				for i := range 400 {
					if _, err := in.Write(unit); err != nil {
						t.Fatal(err)
					}
					if i == 99 {
						first = peakOf(t, cmd.Process.Pid)
					}
				}
				last = peakOf(t, cmd.Process.Pid)
				if !test.small {
					io.WriteString(in, border+"Received a total of 4000000 rows\n")
				}
				in.Close()
				if err := cmd.Wait(); err != nil {
					t.Fatal(err)
				}
				if *out == 0 {
					t.Error("it wrote nothing")
				}
				return first, last
			}
			_, most := peaks()
			// The garbage collector's own memory, a MiB, comes with its first cycle. Rows
			// allocate nothing, so that comes late; here it comes in the first million.
			first, last := peaks("GOGC=5")
			t.Logf("at most %d KiB; with an eager collector %d KiB for the first million, %d KiB for all", most, first, last)
			if last > first+512 {
				t.Errorf("%d KiB for a million rows, %d KiB for four", first, last)
			}
			if most > test.limit {
				t.Errorf("%d KiB, at most %d are wanted", most, test.limit)
			}
		})
	}
}

// A counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// peakOf returns the most memory that a process had, in KiB.
func peakOf(t *testing.T, pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var peak int64
	if _, err := fmt.Sscan(rest, &peak); err != nil {
		t.Fatal(err)
	}
	return peak
}
