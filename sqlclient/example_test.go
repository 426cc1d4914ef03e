package sqlclient_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// From a file to the table that its changelog ends in.
func Example() {
	file, err := os.Open("../testdata/transcripts/2.3.0/joins/regular.out")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()

	transcript, err := sqlclient.Read(file, "regular.out")
	if err != nil {
		log.Fatal(err)
	}
	table, err := transcript.Results()[0].Final()
	if err != nil {
		log.Fatal(err)
	}
	for row := range table.Rows() {
		fmt.Println(row.Cells[0].Text, row.Cells[1].Text, row.Cells[2].Text)
	}
	// Output:
	// silver 55 26973.19
	// gold 74 33832.11
	// bronze 32 15014.23
	// free 53 29315.16
}

// A run that fails is read like any other: what failed, where, and which rows
// had come by then.
func Example_failedRun() {
	file, err := os.Open("../testdata/transcripts/2.3.0/shapes/err_midstream.out")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()

	transcript, err := sqlclient.Read(file, "err_midstream.out")
	if err != nil {
		log.Fatal(err) // only where the file cannot be read
	}
	for _, p := range transcript.Problems {
		fmt.Println(p)
	}
	for _, result := range transcript.Results() {
		table, err := result.Final()
		if incomplete := (*sqlclient.IncompleteError)(nil); errors.As(err, &incomplete) {
			fmt.Println("result", result.Number, result.End, "with", table.Len(), "rows")
		}
		fmt.Println(result.Statement.Failure().Class)
	}
	// Output:
	// err_midstream.out:69:1: statement failed: java.lang.NumberFormatException: For input string: 'oops'. Invalid character found.
	// result 1 failed with 50 rows
	// java.lang.NumberFormatException
}

// A transcript of any size, in constant memory: rows are looked at as they
// come, and an Outline says which result each belongs to and how that ended. Its
// statements are taken, and given back, while the file is read.
func ExampleReader_Records() {
	file, err := os.Open("../testdata/transcripts/2.3.0/joins/regular.out")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()

	outline := sqlclient.NewOutline("regular.out", func(p *sqlclient.Problem) { fmt.Println(p) })
	over := func() { // the statements that are over; of a long file none may pile up
		for statement, ok := outline.Next(); ok; statement, ok = outline.Next() {
			for _, result := range statement.Results {
				fmt.Println(result.Pos, result.Mode, result.End, result.Count)
			}
			outline.Release(statement)
		}
	}
	gold := 0
	for record, err := range sqlclient.NewReader(file, "regular.out", sqlclient.ReuseRows()).Records() {
		if err != nil {
			log.Fatal(err)
		}
		outline.Add(record)
		over()
		if rows, ok := record.(*sqlclient.Rows); ok {
			for row := range rows.All() { // the row and its strings are gone with the next one
				if row.Kind == changelog.UpdateAfter && row.Cells[0].Text == "gold" {
					gold++
				}
			}
		}
	}
	outline.Close()
	over()
	fmt.Println(gold, "updates of gold")
	// Output:
	// regular.out:11:60 streaming finished 424
	// 73 updates of gold
}

// A DESCRIBE tells the types of what is then read from the table.
func ExampleSchemas() {
	file, err := os.Open("../testdata/transcripts/2.3.0/describe/values.out")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()

	transcript, err := sqlclient.Read(file, "values.out")
	if err != nil {
		log.Fatal(err)
	}
	var schemas sqlclient.Schemas
	for _, result := range transcript.Results() {
		for _, row := range result.Rows {
			schemas.Add(result, &row) // only those of a DESCRIBE count
		}
		schema, err := schemas.Of(result)
		if err != nil || schema == nil || len(schema.Columns) > 2 {
			continue
		}
		for _, row := range result.Rows {
			for i, cell := range row.Cells {
				column := schema.Columns[i]
				v, err := column.Value(cell, result.Notation())
				if errors.Is(err, changelog.ErrMaybeCut) {
					fmt.Printf("%s is %.6s..., and perhaps more, ", column.Name, cell.Text)
					continue
				}
				fmt.Printf("%s %s is %s, ", column.Type, column.Name, v.AppendJSON(nil))
			}
			fmt.Println(row.Kind)
		}
	}
	// Output:
	// STRING name is "ab", INT id is 1, +I
	// STRING name is "NULL", INT id is 2, +I
	// name is a long..., and perhaps more, INT id is 3, +I
	// STRING name is null, INT id is null, +I
}

// The rows of a print sink are lines, in which nothing is escaped: only the types
// of its fields tell them apart.
func ExampleSplitPrinted() {
	file, err := os.Open("../testdata/transcripts/2.3.0/print/sinks.out")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()

	row, err := datatype.Parse("ROW<s STRING, n BIGINT>")
	if err != nil {
		log.Fatal(err)
	}
	types := func(sink string) []datatype.Type {
		if sink != "totals" {
			return nil
		}
		var types []datatype.Type
		for _, field := range row.Fields() {
			types = append(types, field.Type)
		}
		return types
	}
	transcript, err := sqlclient.Read(file, "sinks.out", sqlclient.SplitPrinted(types))
	if err != nil {
		log.Fatal(err)
	}
	for _, result := range transcript.Results() {
		table, err := result.Final() // a print sink never says that it is done
		fmt.Println(result.Sink.Identifier, result.Columns[0].Name, errors.As(err, new(*sqlclient.IncompleteError)))
		for row := range table.Rows() {
			for _, cell := range row.Cells {
				fmt.Printf(" %q", cell.Text)
			}
			fmt.Println()
		}
	}
	// Output:
	// orders line true
	//  "1, a"
	//  "2, b"
	//  "3, a"
	//  "4, c"
	//  "5, a"
	//  "6, b"
	// totals f0 true
	//  "c" "1"
	//  "a" "3"
	//  "b" "2"
}
