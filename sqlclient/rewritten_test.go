package sqlclient_test

import (
	"runtime"
	"strings"
	"testing"
)

// A head in pieces is found below lines that look like pieces of it.
func TestHeadBelowPieces(t *testing.T) {
	const table = "+----\n--+\n| a   \n  |\n+----\n--+\n|   1 |\n"
	for name, above := range map[string]string{"nothing": "", "a rule": "-----\n", "rules": "-----\n---+\n+----\n", "a long run": strings.Repeat("-----\n", 200) + "\n"} {
		results := read(t, []byte(above+table), name).Results()
		if len(results) != 1 || len(results[0].Columns) != 1 || results[0].Columns[0].Name != "a" {
			t.Errorf("below %s: %+v", name, results)
		}
	}
}

// Lines that look like pieces of a border do not each look at all those ahead:
// what is put together grows with the input, and no faster.
func TestManyPieces(t *testing.T) {
	for _, lines := range []string{"---+\n", "+---+\n", strings.Repeat("+--\n", 60) + "| a\n", strings.Repeat("-+\n", 100) + "| a\n"} {
		allocated := func(size int) uint64 {
			input := []byte(strings.Repeat(lines, size/len(lines)))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			read(t, input, "")
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		const size = 64 << 10
		// It was 400 to 1100 times the input where each line looked ahead.
		if one, four := allocated(size), allocated(4*size); four > 5*one || one > 256*size {
			t.Errorf("%.10q and so on: %d bytes for %d KiB, %d for four times as many", lines, one, size>>10, four)
		}
	}
}
