package main

import (
	"io"
	"testing"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

func orders() (*section, []changelog.Row) {
	columns := []changelog.Column{{Name: "tier"}, {Name: "item"}, {Name: "orders"}, {Name: "amount"}}
	res := &sqlclient.Result{Number: 1, Statement: &sqlclient.Statement{Number: 4, SQL: "SELECT ..."}, Mode: sqlclient.ModeStreaming, Columns: columns}
	var rows []changelog.Row
	for _, r := range [][]string{
		{"silver", "item 4711", "17", "12227.99"},
		{"gold", "a | b 12", "3", "227.90"},
		{"東京都渋谷区", "item 12", "1024", "0.50"},
		{"platinum", "item 815", "99", "<NULL>"},
	} {
		row := changelog.Row{Kind: changelog.UpdateAfter}
		for _, text := range r {
			c := changelog.Cell{Text: text}
			if text == "<NULL>" {
				c.Marks = changelog.Null
			}
			row.Cells = append(row.Cells, c)
		}
		rows = append(rows, row)
	}
	return &section{Result: res, names: uniqueNames(columns)}, rows
}

func streaming(out *stream.Output) map[string]format {
	return map[string]format{
		"ndjson": &ndjson{out: out},
		"json":   &jsonArray{out: out},
		"csv":    newDelimited(out, ",", false),
		"tsv":    newDelimited(out, "\t", false),

		"table":    &document{out: out},
		"markdown": &document{out: out, markdown: true},
	}
}

// Rows of a result of any size go through these formats.
func TestRowsAllocateNothing(t *testing.T) {
	out := stream.NewOutput(io.Discard, "nothing")
	for name, f := range streaming(out) {
		s, rows := orders()
		f.begin(s)
		write := func() {
			for range 100 {
				for i := range rows {
					if err := f.row(&rows[i]); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for held(f) { // until the buffer has its size
			write()
		}
		write()
		if n := testing.AllocsPerRun(20, write); n > 0 {
			t.Errorf("%s: %v allocations in 400 rows", name, n)
		}
	}
}

// held reports whether a format holds the first rows of a result still.
func held(f format) bool {
	switch f := f.(type) {
	case *delimited:
		return !f.released
	case *document:
		return f.table.Held()
	}
	return false
}

func BenchmarkRow(b *testing.B) {
	for _, name := range []string{"ndjson", "json", "csv", "tsv", "table", "markdown"} {
		b.Run(name, func(b *testing.B) {
			f := streaming(stream.NewOutput(io.Discard, "nothing"))[name]
			s, rows := orders()
			f.begin(s)
			for held(f) {
				f.row(&rows[0])
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				f.row(&rows[i&3])
				i++
			}
		})
	}
}
