package sqlclient_test

import (
	"strings"
	"testing"
	"time"
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

// Lines that look like pieces of a border do not each look at those ahead.
func TestManyPieces(t *testing.T) {
	for _, lines := range []string{"---+\n", "+---+\n", strings.Repeat("+--\n", 60) + "| a\n", strings.Repeat("-+\n", 100) + "| a\n"} {
		input := strings.Repeat(lines, 1<<20/len(lines))
		start := time.Now()
		read(t, []byte(input), "")
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%.10q and so on: %v for %d bytes", lines, took, len(input))
		}
	}
}
