package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

// TestDrawnAsFlinkDraws draws the values that Flink drew, wide and joined and
// broken over lines, and compares with what it printed.
func TestDrawnAsFlinkDraws(t *testing.T) {
	printed, err := os.ReadFile("../testdata/transcripts/2.3.0/shapes/cells.out")
	if err != nil {
		t.Fatal(err)
	}
	tr, err := sqlclient.Read(bytes.NewReader(printed), "cells.out")
	if err != nil {
		t.Fatal(err)
	}
	rows := tr.Results()[0].Rows
	if len(rows) != 61 {
		t.Fatalf("%d rows, want 61", len(rows))
	}
	saved := widths
	defer func() { widths = saved }()
	widths = [...]int{30, 30, 11, 0}
	for _, row := range rows {
		drawn := drawRow(row.Kind.String(), []string{row.Cells[0].Text, row.Cells[1].Text, row.Cells[2].Text})
		if !strings.HasPrefix(string(printed[row.Pos.Offset:]), drawn) {
			t.Errorf("%v: drawn %q, but Flink printed %q", row.Pos, drawn, printed[row.Pos.Offset:][:len(drawn)])
		}
	}
}

func TestDatasetsHoldTheirTruth(t *testing.T) {
	for _, d := range datasets {
		t.Run(d.name, func(t *testing.T) {
			var transcript, truth bytes.Buffer
			if err := d.write(2000, &transcript, &truth); err != nil {
				t.Fatal(err)
			}
			tr, err := sqlclient.Read(&transcript, "")
			if err != nil || len(tr.Problems) > 0 {
				t.Fatal(err, tr.Problems)
			}
			lines := json.NewDecoder(&truth)
			n := 0
			for _, r := range tr.Results() {
				for _, row := range r.Rows {
					var want struct {
						Statement int
						Op        string
						Row       struct{ Name, Note, N, Amount string }
					}
					if err := lines.Decode(&want); err != nil {
						t.Fatal(err)
					}
					got := []string{row.Cells[0].Text, row.Cells[1].Text, row.Cells[2].Text, row.Cells[3].Text}
					if got[0] != want.Row.Name || got[1] != want.Row.Note || got[2] != want.Row.N || got[3] != want.Row.Amount || row.Kind.String() != want.Op || r.Statement.Number != want.Statement {
						t.Fatalf("row %d: %v %q, want %+v", n, row.Kind, got, want)
					}
					n++
				}
			}
			if n < 2000 || lines.More() {
				t.Errorf("%d rows were read, and more were made", n)
			}
		})
	}
}
