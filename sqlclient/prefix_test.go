package sqlclient_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

// prefixes are what other programs write before line number n.
var prefixes = map[string]func(n int) string{
	"docker compose":    func(int) string { return "client-1  | " },
	"kubectl":           func(int) string { return "[pod/sql-client-0/client] " },
	"GitHub Actions":    func(n int) string { return stamp(n).Format("2006-01-02T15:04:05.0000000Z ") },
	"Kubernetes":        func(n int) string { return stamp(n).Format("2006-01-02T15:04:05.999999999Z ") },
	"a clock":           func(n int) string { return stamp(n).Format("15:04:05 ") },
	"a journal":         func(n int) string { return stamp(n).Format("Jan 02 15:04:05 ") + "host app[123]: " },
	"docker timestamps": func(n int) string { return "client-1  | " + stamp(n).Format("2006-01-02T15:04:05.000000000Z ") },
}

func stamp(n int) time.Time {
	return time.Date(2026, 11, 30, 7, 45, 24, 343123456, time.UTC).Add(time.Duration(n) * 7654321 * time.Nanosecond)
}

// behindPrefix puts a prefix before each line.
func behindPrefix(data []byte, prefix func(int) string) []byte {
	var out []byte
	n := 0
	for line := range bytes.Lines(data) {
		out = append(append(out, prefix(n)...), line...)
		n++
	}
	return out
}

// TestPrefixed reads transcripts, the lab's most of all, behind the prefixes of
// other programs: what they say is the same.
func TestPrefixed(t *testing.T) {
	for _, name := range find(t) {
		lab := filepath.Base(filepath.Dir(name)) == "joins"
		if !lab && filepath.Base(filepath.Dir(name)) != "shapes" || strings.HasSuffix(name, ".gz") {
			continue
		}
		data := load(t, name)
		plain := read(t, data, name)
		for kind, prefix := range prefixes {
			if (len(data) > 64<<10 || !lab) && kind != "docker compose" && kind != "Kubernetes" {
				continue
			}
			prefixed := behindPrefix(data, prefix)
			got := read(t, prefixed, name)
			if diff := cmp.Diff(said(plain), said(got)); diff != "" {
				t.Errorf("%s behind the prefix of %s (-without +with):\n%s", name, kind, diff)
			}
			if len(got.Problems) != len(plain.Problems) {
				t.Errorf("%s behind the prefix of %s: problems %v, want %v", name, kind, got.Problems, plain.Problems)
			}
			if len(data) > 64<<10 || !lab {
				continue
			}
			if err := checkSpans(prefixed, name); err != nil {
				t.Errorf("%s behind the prefix of %s: %v", name, kind, err)
			}
			if release(name) == "2.3.0" {
				if err := checkReaders(prefixed, name); err != nil {
					t.Errorf("%s behind the prefix of %s: %v", name, kind, err)
				}
			}
		}
	}
}

// said is what the statements of a transcript say, wherever they stand.
func said(tr *sqlclient.Transcript) []string {
	var out []string
	for _, st := range tr.Statements {
		out = append(out, fmt.Sprintf("statement %d %q, complete: %v, %v", st.Number, st.SQL, st.Complete, st.End()))
		for _, m := range st.Messages {
			out = append(out, fmt.Sprintf("%v %q %q %q", m.Level, m.Class, m.Text, m.CausedBy))
		}
		for _, r := range st.Results {
			out = append(out, fmt.Sprintf("%v %v, %d rows, %v", r.Mode, r.Columns, r.Count, r.End))
			final, err := r.Final()
			for row := range final.Rows() {
				out = append(out, rowText(row))
			}
			out = append(out, fmt.Sprint(err != nil))
		}
	}
	return out
}

// Where a prefix is none that is known, the client's words behind it are told.
func TestUnknownPrefix(t *testing.T) {
	for _, input := range []string{
		"[1 ms] Flink SQL> SELECT f(a)+----+---+\n[20 ms] | op | a |\n[300 ms] +----+---+\n[400 ms] | +I | 1 |\n[4 s] +----+---+\n",
		"2026-11-30T07:45:24 INFO a Flink SQL> \x1b[34;1m[INFO] done.\x1b[0m\nx\n",
		"a Flink SQL> SELECT 1;\nb\n",
		"a Flink SQL> SELECT 1;",
	} {
		tr := read(t, []byte(input), "")
		found := false
		for _, p := range tr.Problems {
			found = found || p.Severity == sqlclient.SeverityError && p.Code == sqlclient.PrefixRefused && p.Pos.Line == 1
		}
		if !found {
			t.Errorf("%q: problems %v", input, tr.Problems)
		}
		if err := checkSpans([]byte(input), ""); err != nil {
			t.Errorf("%q: %v", input, err)
		}
		if err := checkReaders([]byte(input), ""); err != nil {
			t.Errorf("%q: %v", input, err)
		}
	}
}

// A line of another program between those with the prefix ends a result, and not
// what is read behind it.
func TestInterleaved(t *testing.T) {
	const table = "+----+---+\n| op | a |\n+----+---+\n| +I | 1 |\n+----+---+\nReceived a total of 1 row\n"
	input := string(behindPrefix([]byte("Flink SQL> SELECT f(a)"+table+"\nFlink SQL> \n> SELECT g(a)\n"+table), prefixes["docker compose"]))
	lines := strings.SplitAfter(input, "\n")
	for i := range lines {
		tr := read(t, []byte(strings.Join(lines[:i], "")+"other-1  | busy\n"+strings.Join(lines[i:], "")), "")
		rows := int64(0)
		for _, r := range tr.Results() {
			rows += r.Count
		}
		if rows < 2 && len(tr.Problems) == 0 {
			t.Errorf("before line %d: %d rows, and nothing is wrong", i+1, rows)
		}
	}
}

// Many short blocks take no more memory, and no more time for each, than few.
func TestManyBlocks(t *testing.T) {
	for _, block := range []string{"a Flink SQL> x\na y\nb Flink SQL> x\nb y\n", "a Flink SQL> x\nb Flink SQL> x\n", "1:14:03:11 Flink SQL> x\n11:14:03:11 y\n"} {
		blocks := 1 << 20 / len(block)
		input := []byte(strings.Repeat(block, blocks))
		var before, after runtime.MemStats
		start := time.Now()
		runtime.ReadMemStats(&before)
		drain(t, bytes.NewReader(input), sqlclient.ReuseRows())
		runtime.ReadMemStats(&after)
		took, each := time.Since(start), (after.TotalAlloc-before.TotalAlloc)/uint64(blocks)
		if took > 20*time.Second || each > 10<<10 {
			t.Errorf("%q and so on: %v and %d bytes of memory for each", block, took, each)
		}
	}
}
