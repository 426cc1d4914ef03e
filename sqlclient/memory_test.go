package sqlclient_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// drain reads all records of src, with the outline of them, and returns how
// many there are of rows and of others.
func drain(t testing.TB, src io.Reader, opts ...sqlclient.Option) (rows, others int64) {
	t.Helper()
	outline := sqlclient.NewOutline("", nil)
	for rec, err := range sqlclient.NewReader(src, "", opts...).Records() {
		if err != nil {
			t.Fatal(err)
		}
		outline.Add(rec)
		for _, ok := outline.Next(); ok; _, ok = outline.Next() {
		}
		switch rec := rec.(type) {
		case *sqlclient.Row:
			rows++
		case *sqlclient.Rows:
			for range rec.All() {
				rows++
			}
		case *sqlclient.PrintLine:
			rows++
		default:
			others++
		}
	}
	outline.Close()
	return rows, others
}

// TestAllocations counts what a row costs: what 200,000 rows allocate more than
// 50,000 do.
func TestAllocations(t *testing.T) {
	if testing.Short() {
		t.Skip("large tables")
	}
	for kind, values := range tableValues {
		table := tableOf(values, true)
		for name, test := range map[string]struct {
			opts []sqlclient.Option
			want float64
		}{
			"owned":   {nil, 3}, // the record, its cells, and one string for their texts
			"batched": {[]sqlclient.Option{sqlclient.ReuseRows()}, 0},
		} {
			few, many := mallocs(t, table.times(5_000), test.opts), mallocs(t, table.times(20_000), test.opts)
			got := (float64(many) - float64(few)) / 150_000
			if got > test.want+0.01 {
				t.Errorf("%s rows, %s: %.3f allocations a row, want %v", kind, name, got, test.want)
			}
		}
	}
}

// TestResultAllocations counts what a result costs, and what it leaves behind if its
// statement is released: nothing.
func TestResultAllocations(t *testing.T) {
	const echo = "Flink SQL> SELECT f(%d)"
	for name, result := range map[string]string{
		"streaming": echo + "+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n+----+---+\nReceived a total of 1 row (%d.10 seconds)\n\n",
		"batch":     echo + "+---+\n| x |\n+---+\n| 1 |\n+---+\n1 row in set (%d.10 seconds)\n\n",
		"empty":     echo + "Empty set (%d.10 seconds)\n\n",
		"lines":     "Flink SQL> SELECT a,\n> f(%d);\n+---+\n| x |\n+---+\n| 1 |\n+---+\n1 row in set (%d seconds)\n\n",
	} {
		results := func(n int) []byte {
			var text []byte
			for i := range n {
				text = fmt.Appendf(text, result, i, i)
			}
			return text
		}
		few, many := results(2_000), results(6_000)
		count := func(text []byte) float64 {
			return testing.AllocsPerRun(1, func() {
				outline := sqlclient.NewOutline("", nil)
				n := 0
				for rec := range sqlclient.NewReader(bytes.NewReader(text), "", sqlclient.ReuseRows()).Records() {
					outline.Add(rec)
					for st, ok := outline.Next(); ok; st, ok = outline.Next() {
						n += len(st.Results)
						outline.Release(st)
					}
				}
				if n < 1999 {
					t.Errorf("%s: %d results", name, n)
				}
			})
		}
		if got := (count(many) - count(few)) / 4_000; got > 0.01 {
			t.Errorf("%s: %.3f allocations a result, want none", name, got)
		}
	}
}

func mallocs(t *testing.T, src io.Reader, opts []sqlclient.Option) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	drain(t, src, opts...)
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// live returns how many bytes of the heap are in use.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemoryDoesNotGrow reads tables of different length: at any time the same
// memory is in use.
func TestMemoryDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("large tables")
	}
	table := tableOf(tableValues["mixed"], true)
	for name, opts := range map[string][]sqlclient.Option{"owned": nil, "batched": {sqlclient.ReuseRows()}} {
		most := func(rows int64) int64 {
			used, peak := live(), int64(0)
			outline := sqlclient.NewOutline("", nil)
			n := int64(0)
			for rec := range sqlclient.NewReader(table.times(rows/10), "", opts...).Records() {
				outline.Add(rec)
				before := n
				if batch, ok := rec.(*sqlclient.Rows); ok {
					n += int64(batch.Len())
				} else {
					n++
				}
				if n*10/rows > before*10/rows {
					peak = max(peak, live()-used)
				}
			}
			if n < rows {
				t.Fatalf("%d records of %d rows", n, rows)
			}
			return peak
		}
		few, many := most(1_000_000), most(4_000_000)
		if many > few+64<<10 {
			t.Errorf("%s: %d KiB in use within 1,000,000 rows, %d KiB within 4,000,000", name, few>>10, many>>10)
		}
		if few > 4<<20 {
			t.Errorf("%s: %d KiB in use", name, few>>10)
		}
	}
}

// TestRowsPinNothing keeps a few rows of many: they keep nothing but themselves.
func TestRowsPinNothing(t *testing.T) {
	table := tableOf(tableValues["mixed"], true)
	before := live()
	var kept []changelog.Row
	n := 0
	for rec := range sqlclient.NewReader(table.times(20_000), "").Records() {
		if row, ok := rec.(*sqlclient.Row); ok {
			if n++; n%1000 == 0 {
				kept = append(kept, row.Row)
			}
		}
	}
	if used := live() - before; len(kept) != 200 || used > 200*512 {
		t.Errorf("%d rows keep %d bytes", len(kept), used)
	}
	runtime.KeepAlive(kept)
}

// peak runs f and returns by how much the heap grew at most. The collector works
// hard, so that little garbage counts.
func peak(f func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	before := live()
	stop, most := make(chan struct{}), make(chan int64)
	go func() {
		var m runtime.MemStats
		top := int64(0)
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			select {
			case <-tick.C:
				runtime.ReadMemStats(&m)
				top = max(top, int64(m.HeapAlloc))
			case <-stop:
				tick.Stop()
				most <- top - before
				return
			}
		}
	}()
	f()
	close(stop)
	return <-most
}

// TestHostileInput reads what is made to exhaust memory.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("gigabytes of input")
	}
	const (
		limit = 64 << 20
		kib   = 1 << 10
	)
	dashes := strings.Repeat("-", 64*kib)
	head := "Flink SQL> SELECT f(x)+----+---+\n| op | x |\n+----+---+\n"
	widest := "+" + strings.Repeat("-", 1<<20-4) + "+\n"
	long := "+----+" + strings.Repeat("-", 30*kib+2) + "+\n"
	columns := func(n int) string {
		border := "+" + strings.Repeat("---+", n) + "\n"
		return border + "|" + strings.Repeat(" x |", n) + "\n" + border
	}
	for _, test := range []struct {
		name string
		src  *source
		rows int64 // that are read
	}{
		{"a border of a GB", &source{head: "Flink SQL> SELECT f(x)+", unit: dashes, times: 16 * kib, foot: "+\n| x |\n"}, 0},
		{"ten million columns", &source{head: "Flink SQL> SELECT f(x)+", unit: strings.Repeat("---+", 10_000), times: 1000, foot: "\n| x |\n"}, 0},
		{"as many columns as may be", &source{head: columns(1 << 16), unit: "|" + strings.Repeat(" 1 |", 1<<16) + "\n", times: 100}, 100},
		{"more columns than may be", &source{head: columns(1<<16 + 1), unit: "|" + strings.Repeat(" 1 |", 1<<16+1) + "\n", times: 100}, 0},
		{"a row without end", &source{head: head + "| +I | ", unit: strings.Repeat("x", 64*kib), times: 16 * kib}, 0},
		{"a row of lines without end", &source{head: head + "| +I | ", unit: "x\n", times: 1_000_000}, 0},
		{"a wide row without end", &source{head: widest + "| x" + strings.Repeat(" ", 1<<20-7) + " |\n" + widest + "| ", unit: strings.Repeat("金", 20*kib), times: 2 * kib}, 0},
		{"names that do not fit a wide border", &source{head: widest + "| " + strings.Repeat("x", 1<<20-8) + "\n y |\n" + widest, unit: "| y |\n", times: 100}, 0},
		{"rows that are shorter than a wide border", &source{head: widest + "| x" + strings.Repeat(" ", 1<<20-7) + " |\n" + widest, unit: "| y |\n", times: 200_000}, 200_000},
		{"lines of CR LF below a column op and a long border", &source{unit: strings.ReplaceAll("Flink SQL> SELECT f(x)\n"+long+"| op | "+strings.Repeat(" ", 30*kib-1)+"x |\n"+long+strings.Repeat("| x\n", 7*kib), "\n", "\r\n"), times: 4}, 0},
		{"rows that do not fit", &source{head: head, unit: "| +I | xx |\n| +I | ? |\n", times: 200_000}, 400_000},
		{"a line without end", &source{unit: strings.Repeat("x", 64*kib), times: 16 * kib}, 0},
		{"a prompt without end", &source{head: "Flink SQL> SELECT '", unit: strings.Repeat("x\n", 32*kib), times: 128}, 0},
		{"a pasted statement without end", &source{head: "\x1b[?2004hFlink SQL> SELECT '", unit: strings.Repeat("x;\n", 16*kib), times: 256}, 0},
		{"a statement of 1.13 without end", &source{head: "\x1b[32mFlink SQL\x1b[0m> SELECT '", unit: strings.Repeat("x\n", 32*kib), times: 128}, 0},
		{"a coloured error without end", &source{head: "Flink SQL> \x1b[31;1m[ERROR] ", unit: strings.Repeat("\tat a.b.C.d(E.java:1)\n", kib), times: 2 * kib}, 0},
		{"an error without colour and end", &source{head: "Flink SQL> [ERROR] ", unit: strings.Repeat("Caused by: a.b.C: d\n", kib), times: 2 * kib}, 0},
		{"a stack without end", &source{head: "Exception in thread \"main\" a.b.C: d\n", unit: strings.Repeat("\tat a.b.C.d(E.java:1)\n", kib), times: 2 * kib}, 0},
		{"an answer without end", &source{head: "Flink SQL> EXPLAIN (x)== Abstract Syntax Tree ==\n", unit: strings.Repeat("+- A\n", kib), times: 4 * kib}, 0},
		{"tables in a statement of 1.13", &source{head: "\x1b[32mFlink SQL\x1b[0m> SELECT '\n", unit: "+---+\n| x |\n+---+\n", times: 13_000, foot: "';\n"}, 0},
		{"an error of many lines", &source{head: "Flink SQL> [ERROR] no\nCaused by: a.b.C: d\n", unit: "Expected\n", times: 500_000}, 0},
		{"blank lines without end", &source{unit: strings.Repeat("\n", 64*kib), times: 128}, 0},
		{"escape codes without end", &source{unit: strings.Repeat("\x1b[31;1m", 10*kib), times: 4 * kib}, 0},
		{"many tiny results", &source{unit: "+---+\n| x |\n+---+\n| 1 |\n+---+\n1 row in set\n", times: 250_000}, 250_000},
		{"many statements", &source{unit: "Flink SQL> SELECT 1;\nEmpty set\n\n", times: 100_000}, 0},
		{"many messages", &source{unit: "[WARNING] w\n", times: 400_000}, 0},
		{"many jobs", &source{unit: "Job ID: 68ae8f3b4dbfd650755a8fae632eeda1\n", times: 200_000}, 0},
		{"rows of a print sink without ends", &source{unit: "+I[xxxxxxxxxx\n+I(x\n", times: 200_000}, 0},
		{"many footers", &source{unit: "1 row in set\n", times: 200_000}, 0},
		{"messages of a MiB", &source{unit: "\x1b[34;1m[INFO] " + strings.Repeat(strings.Repeat("x", 1023)+"\n", 1000) + "\x1b[0m\n", times: 200}, 0},
		{"errors of a MiB", &source{unit: "\x1b[31;1m[ERROR] " + strings.Repeat("Caused by: a.b.C: d\n", 50*kib) + "\x1b[0m\n", times: 50}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var rows, others int64
			most := peak(func() { rows, others = drain(t, test.src, sqlclient.ReuseRows()) })
			t.Logf("%d rows, %d other records, %d MiB", rows, others, most>>20)
			if most > limit {
				t.Errorf("the heap grew by %d MiB", most>>20)
			}
			if rows != test.rows {
				t.Errorf("read %d rows, want %d", rows, test.rows)
			}
		})
	}
}

// TestPrintLineAllocations counts what a row of a print sink costs.
func TestPrintLineAllocations(t *testing.T) {
	for name, test := range map[string]struct {
		opts []sqlclient.Option
		want float64
	}{
		"owned":   {nil, 3}, // the record, its cell, and one string
		"batched": {[]sqlclient.Option{sqlclient.ReuseRows()}, 0},
	} {
		rows := func(n int) io.Reader { return strings.NewReader(strings.Repeat("out:1> +I[1, a name, 12.50]\n", n)) }
		few, many := mallocs(t, rows(10_000), test.opts), mallocs(t, rows(30_000), test.opts)
		if got := (float64(many) - float64(few)) / 20_000; got > test.want+0.01 {
			t.Errorf("%s: %.3f allocations a row, want %v", name, got, test.want)
		}
	}
}
