package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/compiledplan"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// The examples of docs/graders.md read from these directories.
const (
	work  = "../../testdata/transcripts/2.3.0/joins"
	wrong = "testdata/wrong"
)

func Example_finalTable() {
	data, err := os.ReadFile(filepath.Join(work, "regular.out"))
	if err != nil {
		log.Fatal(err)
	}
	transcript, _ := sqlclient.Read(bytes.NewReader(data), "regular.out") // memory has no read errors
	for _, result := range transcript.Results() {
		fmt.Printf("%v: %v, %v, %d changes\n", result.Pos, result.Mode, result.End, result.Count)
		table, err := result.Final()
		if err != nil {
			fmt.Println(err)
		}
		for row := range table.Rows() {
			fmt.Println(row.Pos.Line, row.Cells[0].Text, row.Cells[1].Text, row.Cells[2].Text)
		}
	}
	// Output:
	// regular.out:11:60: streaming, finished, 424 changes
	// 431 silver 55 26973.19
	// 433 gold 74 33832.11
	// 435 bronze 32 15014.23
	// 437 free 53 29315.16
}

func Example_problems() {
	for _, file := range []string{"job-failed/regular.out", "killed/temporal.out"} {
		data, err := os.ReadFile(filepath.Join(wrong, file))
		if err != nil {
			log.Fatal(err)
		}
		transcript, _ := sqlclient.Read(bytes.NewReader(data), filepath.Base(file))
		for _, problem := range transcript.Problems {
			if problem.Severity == sqlclient.SeverityError {
				fmt.Println(problem)
			}
		}
		for _, result := range transcript.Results() {
			table, err := result.Final()
			var incomplete *sqlclient.IncompleteError
			if errors.As(err, &incomplete) {
				fmt.Printf("%v after %d rows\n", incomplete.Result.End, table.Len())
			}
		}
	}
	// Output:
	// regular.out:14:1: statement failed: java.lang.NumberFormatException: For input string: "761.08"
	// failed after 0 rows
	// temporal.out:11:12: the result is cut off after 97 rows
	// cut off after 97 rows
}

func Example_compare() {
	data, err := os.ReadFile(filepath.Join(work, "count.out"))
	if err != nil {
		log.Fatal(err)
	}
	transcript, _ := sqlclient.Read(bytes.NewReader(data), "count.out")
	table, err := transcript.Results()[0].Final()
	if err != nil {
		log.Fatal(err)
	}
	var want []changelog.Row
	for _, cells := range [][2]string{{"users", "40"}, {"orders", "240"}, {"shipments", "234"}, {"rates", "59"}} {
		want = append(want, changelog.Row{Cells: []changelog.Cell{{Text: cells[0]}, {Text: cells[1]}}})
	}
	missing, extra := changelog.Diff(table.Rows(), slices.Values(want))
	for _, row := range extra {
		fmt.Println(row.Pos, "is wrong:", row.Cells[0].Text, row.Cells[1].Text)
	}
	for _, row := range missing {
		fmt.Println("missing:", row.Cells[0].Text, row.Cells[1].Text)
	}
	// Output:
	// count.out:19:1 is wrong: shipments 233
	// missing: shipments 234
}

func Example_plan() {
	data, err := os.ReadFile("../../testdata/plans/2.3.0/lab-interval.json")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := compiledplan.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	for node := range plan.Nodes() {
		join, ok := node.Join()
		if !ok {
			continue
		}
		fmt.Println(join.Types, join.Class, node.InputTables())
		fmt.Println("left time - right time:", join.Bounds.Lower, "to", join.Bounds.Upper, "ms")
		states, known := node.State()
		fmt.Println(len(states), "states; all known:", known)
		for _, s := range states {
			fmt.Printf("%s: %v, until %v %+d ms, %v\n", s.RuntimeName, s.Role, s.Until.Kind, s.Until.Offset, s.Source)
		}
	}
	// Output:
	// [INNER] interval-join [[default_catalog.default_database.orders] [default_catalog.default_database.shipments]]
	// left time - right time: -7200000 to 0 ms
	// 4 states; all known: true
	// IntervalJoinLeftCache: rows, until watermark +7200000 ms, implied
	// IntervalJoinRightCache: rows, until watermark +0 ms, implied
	// IntervalJoinLeftTimerState: timer, until watermark +0 ms, implied
	// IntervalJoinRightTimerState: timer, until watermark +7200000 ms, implied
}

// finalTables hands out each result as soon as its statement is over, with the table that its rows fold into. Neither may be
// used any more when that call has returned.
func finalTables(in io.Reader, name string, each func(*sqlclient.Result, *changelog.Table)) error {
	outline := sqlclient.NewOutline(name, nil)
	tables := make(map[*sqlclient.Result]*changelog.Table) // of the statement that is being read
	over := func() {
		for statement, ok := outline.Next(); ok; statement, ok = outline.Next() {
			for _, result := range statement.Results {
				table := tables[result]
				if table == nil { // there were no rows
					table = changelog.NewTable(result.Columns)
				}
				each(result, table)
				delete(tables, result)
			}
			outline.Release(statement)
		}
	}
	for record, err := range sqlclient.NewReader(in, name, sqlclient.ReuseRows()).Records() {
		if err != nil {
			return err
		}
		result := outline.Add(record)
		over()
		if rows, ok := record.(*sqlclient.Rows); ok { // those of a print sink are PrintLines
			if tables[result] == nil {
				tables[result] = changelog.NewTable(result.Columns)
			}
			tables[result].ApplyAll(rows.All()) // copies what it keeps; anomalies are counted
		}
	}
	outline.Close()
	over()
	return nil
}

func Example_stream() {
	file, err := os.Open(filepath.Join(work, "regular.out"))
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	err = finalTables(file, "regular.out", func(result *sqlclient.Result, table *changelog.Table) {
		fmt.Printf("%d changes, %v, %d rows\n", result.Count, result.End, table.Len())
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 424 changes, finished, 4 rows
}

// The guide promises memory that does not grow with the results.
func TestStreamMemory(t *testing.T) {
	live := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	const results = 10_000
	text := "Flink SQL> SELECT f(x)+----+---+\n| op | x |\n+----+---+\n" + strings.Repeat("| +I | 1 |\n", 8) + "+----+---+\nReceived a total of 8 rows\n\n"
	in, out := io.Pipe()
	go func() {
		for range results {
			io.WriteString(out, text)
		}
		out.Close()
	}()
	before, n := live(), 0
	err := finalTables(in, "many.out", func(result *sqlclient.Result, table *changelog.Table) {
		if table.Len() != 8 || result.End != sqlclient.EndFinished {
			t.Fatalf("result %d, %v: %d rows", result.Number, result.End, table.Len())
		}
		if n++; n == 1 || n == results-1 {
			if used := live() - before; used > 4<<20 {
				t.Errorf("%d KiB in use at result %d", used>>10, n)
			}
		}
	})
	if err != nil || n != results {
		t.Errorf("%d results, %v", n, err)
	}
}

func Example_json() {
	g, err := newGrader(os.DirFS("../../testdata/transcripts/lab"))
	if err != nil {
		log.Fatal(err)
	}
	s := g.gradeDir(filepath.Join(wrong, "unshipped-inner")) // only what differs from a right one
	s.Work, s.Checks = "work", slices.DeleteFunc(s.Checks, func(c check) bool { return c.Name != "unshipped.rows" })
	p := newJSONPrinter(bufio.NewWriter(os.Stdout))
	p.add(s)
	if err := p.end(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"work":"work","passed":false,"checks":[{"name":"unshipped.rows","status":"fail","place":"unshipped.out:11:12","got":"0 rows","want":"67 rows; missing: (o0003, 2026-03-09 06:11:54) (o0008, 2026-03-09 06:24:53) (o0013, 2026-03-09 06:41:56) and 64 more","hint":"LEFT is missing: only a LEFT JOIN keeps the orders that have no shipment"}]}
}
