package sqlclient

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBreak stops after each record in turn: what was handed out is what there
// is, and there is nothing after it.
func TestBreak(t *testing.T) {
	var all strings.Builder
	for _, test := range readerTests {
		all.WriteString(test.input + "\n")
	}
	want, err := records(t, strings.NewReader(all.String()))
	if err != nil {
		t.Fatal(err)
	}
	for stop := 1; stop <= len(want); stop++ {
		r := NewReader(strings.NewReader(all.String()), "")
		var got []string
		for rec, err := range r.Records() {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, describe(rec)); len(got) == stop {
				break
			}
		}
		if diff := cmp.Diff(want[:stop], got); diff != "" {
			t.Fatalf("stopped after %d records: %s", stop, diff)
		}
		for rec, err := range r.Records() {
			t.Fatalf("stopped after %d records, and a second range has %v, %v", stop, rec, err)
		}
	}
}

func TestSecondRangeIsEmpty(t *testing.T) {
	r := NewReader(strings.NewReader(readerTests[1].input), "")
	n := 0
	for range r.Records() {
		n++
	}
	for rec, err := range r.Records() {
		t.Errorf("a second range has %v, %v", rec, err)
	}
	if n == 0 {
		t.Error("the first range has none")
	}
}

// TestCopies reads each small transcript as often as it takes to pass all the
// sizes at which a reader could stop to think: every copy has the same records.
func TestCopies(t *testing.T) {
	const enough = maxText + textBatch
	var names []string
	for _, release := range []string{"2.3.0", "1.17.2", "1.13.6"} { // those between print as these do
		found, err := filepath.Glob("../testdata/transcripts/" + release + "/shapes/*.out")
		if err != nil {
			t.Fatal(err)
		}
		if names = append(names, found...); testing.Short() {
			break
		}
	}
	seen := make(map[string]bool)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 16<<10 || testing.Short() && len(data) < 6<<10 || seen[string(data)] {
			continue
		}
		seen[string(data)] = true
		// Without its newline a last line would go on with the next copy.
		if n := len(data); n > 0 && data[n-1] != '\n' {
			data = append(data, '\n')
		}
		t.Run(strings.TrimPrefix(filepath.ToSlash(name), "../testdata/transcripts/"), func(t *testing.T) {
			few := copies(t, data, 3)
			times := enough/len(data) + 1
			many := copies(t, data, times)
			for i, got := range many {
				want := few[1]
				if i == 0 {
					want = few[0]
				} else if i == times-1 {
					want = few[2]
				}
				if !slices.Equal(want, got) {
					t.Fatalf("copy %d of %d: %s", i, times, cmp.Diff(want, got))
				}
			}
		})
	}
	if len(seen) == 0 {
		t.Error("found no transcripts")
	}
}

// copies returns the records of each of n copies of data in a row, with their
// places within the copy. A record belongs to the copy in which it begins.
func copies(t *testing.T, data []byte, n int) [][]string {
	t.Helper()
	all := make([][]string, n)
	lines := bytes.Count(data, []byte{'\n'})
	for rec, err := range NewReader(bytes.NewReader(bytes.Repeat(data, n)), "").Records() {
		if err != nil {
			t.Fatal(err)
		}
		start := rec.Span().Start
		i := int(start.Offset) / len(data)
		_, text, _ := strings.Cut(describe(rec), " ")
		all[i] = append(all[i], fmt.Sprintf("%d, line %d, %d long: %s", int(start.Offset)-i*len(data), start.Line-i*lines, rec.Span().Len(), text))
	}
	return all
}

func TestFooterRaw(t *testing.T) {
	for _, line := range []string{"1 row in set\r\n", "\x1b[1mReceived a total of 2 rows\x1b[0m\n", "Empty set"} {
		if f, ok := parseFooter(line); !ok || f.Raw != line {
			t.Errorf("%q: %v, %q", line, ok, f.Raw)
		}
	}
}
