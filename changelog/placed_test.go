package changelog

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/internal/placed"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// printed are changes as they stand in a table of one file.
type printed []Row

func (p printed) Row(i int) *Row { return &p[i] }

func (p printed) Pos(i int) (offset int64, line, col int) {
	return p[i].Pos.Offset, p[i].Pos.Line, p[i].Pos.Col
}

// rows returns the changes as rows of so many columns, which are wider than their
// texts by spare. Behind them are as many bytes of noise.
func (p printed) rows(columns, spare, behind int) *placedRows {
	rows := &placedRows{File: p[0].Pos.File, Whole: p, Kinds: 1, Places: make([]tableau.Place, columns)}
	at := 2
	for c := range rows.Places {
		place := &rows.Places[c]
		place.Start, place.Width = at, 1+spare
		for _, r := range p {
			if len(r.Cells) == columns {
				place.Width = max(place.Width, len(r.Cells[c].Text)+spare)
			}
		}
		at += place.Width + 3
	}
	var text strings.Builder
	for _, r := range p {
		cells, start := len(rows.Cells), text.Len()
		rows.Cells = append(rows.Cells, tableau.Cell{})
		rows.Blanks = append(rows.Blanks, 0)
		text.WriteByte('|')
		bounds := placed.Bounds[RowKind]{Kind: r.Kind, Cells: placed.Plain}
		for c, place := range rows.Places {
			if len(r.Cells) != columns { // is no row of the table
				rows.Blanks = append(rows.Blanks, 0)
				continue
			}
			cell := r.Cells[c].Text
			text.WriteString(" " + strings.Repeat(" ", place.Width-len(cell)) + cell + " |")
			to := text.Len() - start - 2
			rows.Blanks = append(rows.Blanks, uint16(place.Width-len(cell)))
			rows.Cells = append(rows.Cells, tableau.Cell{Start: to - place.Width, From: to - len(cell), To: to})
			if strings.ContainsFunc(cell, func(r rune) bool { return r >= 0x80 }) {
				bounds.Cells = int32(cells)
			}
		}
		if len(r.Cells) != columns || slices.ContainsFunc(r.Cells, func(c Cell) bool {
			return c.Marks != 0 || bounds.Cells == placed.Plain && strings.HasSuffix(c.Text, ".")
		}) {
			bounds.Cells = placed.Ended
		}
		text.WriteByte('\n')
		bounds.End = int32(text.Len())
		rows.Bounds = append(rows.Bounds, bounds)
	}
	all := []byte(text.String() + strings.Repeat("| +I x", behind)[:behind])
	rows.Text = slices.Clip(all)[:text.Len()]
	return rows
}

// checkPlaced compares what rows fold into from where they stand with the naive
// table.
func (f fold) checkPlaced(t testing.TB, slow *naiveTable) {
	for _, spare := range []int{0, 7, 40} {
		table := f.table()
		for start, i := 0, 0; i < len(f.changes); i++ {
			if i+1 == len(f.changes) || f.changes[i+1].Pos.File != f.changes[start].Pos.File {
				placed.Apply(table, printed(f.changes[start:i+1]).rows(f.columns, spare, spare))
				start = i + 1
			}
		}
		f.compare(t, table, slow)
	}
}

// asked counts the rows that are asked for.
type asked struct {
	printed
	rows int
}

func (a *asked) Row(i int) *Row {
	a.rows++
	return a.printed.Row(i)
}

// Texts of every length, in columns of every width up to some words, become the
// same change as cells do, if they are short.
func TestPutPlaced(t *testing.T) {
	for _, key := range [][]int{nil, {1}, {2, 0}} {
		for _, first := range []string{"a", "金"} {
			for n := range 80 {
				for spare := range 18 {
					row := Row{Kind: Insert, Cells: []Cell{{Text: first}, {Text: strings.Repeat("x", n)}, {Text: "behind it"}}, Pos: Pos{Offset: 1 << 33, Line: 7, Col: 1}}
					rows := printed{row}.rows(3, spare, step)
					whole := &asked{printed: printed{row}}
					rows.Whole = whole
					table := NewTable(make([]Column, 3), key...)
					table.putPlaced(rows)
					if placed := whole.rows == 0; placed != (n <= longestShort) {
						t.Fatalf("%d bytes in a column of %d are taken from where they stand: %v", n, rows.Places[1].Width, placed)
					}
					got, gotText := table.batch.changes[0], string(table.batch.text)
					table.batch.empty()
					table.batch.add(&row, table.order, table.key, 0)
					want := table.batch.changes[0]
					if got != want || gotText != string(table.batch.text) {
						t.Fatalf("%d bytes in a column of %d: %+v, %q, want %+v, %q", n, rows.Places[1].Width, got, gotText, want, table.batch.text)
					}
				}
			}
		}
	}
}

// Nothing is read that may not be there, nor taken that may have marks.
func TestPutPlacedLimits(t *testing.T) {
	for _, test := range []struct {
		text   string
		behind int
		want   bool // it is taken from where it stands
	}{
		{"a", step, true}, {"a", step - 1, false}, {"金", step, true}, {"金", step - 1, false}, {"", step, true},
		{"a.", step, false}, {"金.", step, false}, {"<金>", step, false}, {"金(b)", step, false}, {"金(b) ", step, true},
	} {
		for _, cells := range [][]Cell{{{Text: test.text}, {Text: "b"}}, {{Text: "b"}, {Text: test.text}}} {
			p := printed{{Cells: cells}}
			rows := p.rows(2, 5, test.behind)
			whole := &asked{printed: p}
			rows.Whole = whole
			table := NewTable(make([]Column, 2), 1, 0)
			table.putPlaced(rows)
			if got := whole.rows == 0; got != test.want {
				t.Errorf("%q, %d bytes before the end, is taken from where it stands: %v", rows.Text, test.behind, got)
			}
		}
	}
}

// Where rows are lines, they stand one behind the other from the first one on.
func TestPlacedLines(t *testing.T) {
	p := make(printed, 3*maxBatch)
	for i := range p {
		p[i] = Row{Cells: []Cell{{Text: []string{"a", "金"}[i%2]}}}
	}
	rows := p.rows(1, 0, step)
	p[0].Pos = Pos{File: "f", Offset: 1000, Line: 50, Col: 7}
	rows.Lines, rows.File = true, "f"
	table := NewTable(make([]Column, 1))
	placed.Apply(table, rows)
	i := 0
	for row := range table.Rows() {
		want := p[0].Pos
		if i > 0 {
			want = Pos{File: "f", Offset: 1000 + int64(rows.Start(i)), Line: 50 + i, Col: 1}
		}
		if row.Pos != want {
			t.Fatalf("row %d is at %+v, want %+v", i, row.Pos, want)
		}
		i++
	}
	if i != len(p) {
		t.Errorf("%d rows, want %d", i, len(p))
	}
}

// Rows of another table are refused, and so are those of a table that has no such
// key.
func TestPlacedRowsRefused(t *testing.T) {
	for columns := range 5 {
		for _, key := range []int{0, 3} {
			table := NewTable(make([]Column, 3), key)
			rows := printed{{Cells: make([]Cell, columns)}}.rows(columns, 20, step)
			placed.Apply(table, rows)
			want := 0
			if columns != 3 || key == 3 {
				want = 1
			}
			if n, first := table.Anomalies(); n != want || table.Len() != 1-want {
				t.Errorf("a row of %d cells in a table of 3 columns, by column %d: %v, then %d rows", columns, key, first, table.Len())
			}
		}
	}
}

// Rows any of whose cells may have marks are taken with them.
func TestPlacedMarks(t *testing.T) {
	p := printed{{Cells: []Cell{{Text: "a", Marks: Recovered}}}}
	rows := p.rows(1, 0, step)
	rows.Marked, rows.Bounds[0].Cells = true, placed.Plain
	table := NewTable(make([]Column, 1))
	placed.Apply(table, rows)
	for row := range table.Rows() {
		if got := row.Cells[0].Marks; got != Recovered {
			t.Errorf("the marks became %v", got)
		}
	}
}
