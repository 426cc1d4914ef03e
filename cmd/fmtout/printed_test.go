package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestWaitingRows has the rows of one print sink wait for those of another, up to
// what may wait: then the user is told, and the rest is written all the same.
func TestWaitingRows(t *testing.T) {
	value := strings.Repeat("x", 1<<19)
	var input bytes.Buffer
	for i := range maxWaiting/len(value) + 1 {
		fmt.Fprintf(&input, "a> +I[%d]\nb> +I[%s]\nc> +I[%d]\n", i, value, i)
	}
	var out, problems bytes.Buffer
	code := run([]string{"-o", "json"}, bytes.NewReader(input.Bytes()), &out, &problems)
	if want := "<stdin>:2:1: the rows of print sinks interleave, and too many would have to wait for those of others: choose -o ndjson\n"; code != 2 || problems.String() != want {
		t.Errorf("exit code %d, %s", code, problems.String())
	}
	if n := strings.Count(out.String(), `{"op":"+I"`); n != 2*(maxWaiting/len(value)+1) {
		t.Errorf("%d rows", n)
	}
	if !strings.Contains(out.String(), `"result":2,"mode":"streaming","columns":["line"],"end":"unknown","rows":null`) {
		t.Errorf("no result 2 without its rows")
	}

	out.Reset()
	problems.Reset()
	code = run([]string{"-o", "ndjson"}, bytes.NewReader(input.Bytes()), &out, &problems)
	if n := strings.Count(out.String(), "\n"); code != 0 || n != 3*(maxWaiting/len(value)+1) {
		t.Errorf("exit code %d, %d rows, %s", code, n, problems.String())
	}
}
