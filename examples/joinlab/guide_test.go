package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

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

func Example_stream() {
	file, err := os.Open(filepath.Join(work, "regular.out"))
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	outline := sqlclient.NewOutline("regular.out", nil)
	tables := make(map[*sqlclient.Result]*changelog.Table)
	for record, err := range sqlclient.NewReader(file, "regular.out", sqlclient.ReuseRows()).Records() {
		if err != nil {
			log.Fatal(err)
		}
		result := outline.Add(record)
		if rows, ok := record.(*sqlclient.Rows); ok { // those of a print sink are PrintLines
			if tables[result] == nil {
				tables[result] = changelog.NewTable(result.Columns)
			}
			tables[result].ApplyAll(rows.All()) // copies what it keeps; anomalies are counted
		}
	}
	outline.Close()
	for statement, ok := outline.Next(); ok; statement, ok = outline.Next() {
		for _, result := range statement.Results {
			rows := 0
			if table := tables[result]; table != nil { // there were any
				rows = table.Len()
			}
			fmt.Printf("%d changes, %v, %d rows\n", result.Count, result.End, rows)
		}
	}
	// Output:
	// 424 changes, finished, 4 rows
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
