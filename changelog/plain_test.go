package changelog

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/internal/placed"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// printed are changes of one file as a table has them in which they were printed:
// those that may stand there as plain rows do.
type printed struct {
	changes []Row
	places  []tableau.Place
	buf     []byte
}

// printedRuns returns changes as tables, one for each run of a file, of columns
// that are wider than their texts by spare.
func printedRuns(changes []Row, columns, spare int) (runs []*printed) {
	for start, i := 0, 0; i < len(changes); i++ {
		if i+1 == len(changes) || changes[i+1].Pos.File != changes[start].Pos.File {
			p := &printed{changes: changes[start : i+1], places: make([]tableau.Place, columns)}
			at := 2
			for c := range p.places {
				p.places[c] = tableau.Place{Start: at, Width: 1 + spare}
				for _, r := range p.changes {
					if isPlain(r, columns) {
						p.places[c].Width = max(p.places[c].Width, len(r.Cells[c].Text)+spare)
					}
				}
				at += p.places[c].Width + 3
			}
			runs, start = append(runs, p), i+1
		}
	}
	return runs
}

func isPlain(r Row, columns int) bool {
	return len(r.Cells) == columns && !slices.ContainsFunc(r.Cells, func(c Cell) bool {
		return c.Marks != 0 || strings.ContainsFunc(c.Text, func(r rune) bool { return r >= 0x80 })
	})
}

func (p *printed) Places() []tableau.Place { return p.places }

func (p *printed) File() string { return p.changes[0].Pos.File }

func (p *printed) Len() int { return len(p.changes) }

// Plain hands out a row with noise behind it, every seventh with nothing. All are
// in the same buffer.
func (p *printed) Plain(i int, row *placed.Row) bool {
	r := &p.changes[i]
	if !isPlain(*r, len(p.places)) {
		return false
	}
	text := append(p.buf[:0], '|')
	for c, place := range p.places {
		cell := r.Cells[c].Text
		text = append(text, " "+strings.Repeat(" ", place.Width-len(cell))+cell+" |"...)
	}
	text = append(text, '\n')
	p.buf = append(text, "| +I | noise of sixty-four bytes, which is what may be behind a row |"...)
	if text = p.buf[:len(text)]; i%7 == 6 {
		text = slices.Clip(text)
	}
	*row = placed.Row{Kind: uint8(r.Kind), Text: text, Offset: r.Pos.Offset, Line: r.Pos.Line, Col: r.Pos.Col}
	return true
}

func (p *printed) Row(i int) *Row { return &p.changes[i] }

// checkPlain compares what plain rows fold into with the naive table.
func (f fold) checkPlain(t testing.TB, slow *naiveTable) {
	for _, spare := range []int{0, 7, 40} {
		table := f.table()
		for _, run := range printedRuns(f.changes, f.columns, spare) {
			placed.Apply(table, run)
		}
		f.compare(t, table, slow)
	}
}

// Texts of every length, in columns of every width up to some words, are what a
// plain row adds, and a row of longer ones is left to be added as it is.
func TestAddPlain(t *testing.T) {
	const last = "behind it"
	for _, key := range [][]int{nil, {1}, {2, 0}} {
		for width := 1; width <= 80; width++ {
			for n := range width + 1 {
				text := strings.Repeat("x", n)
				table := NewTable(make([]Column, 3), key...)
				run := printedRuns([]Row{{Kind: None}, {Kind: Insert, Cells: []Cell{{Text: "a"}, {Text: text}, {Text: last}}, Pos: Pos{Offset: 1 << 33, Line: 7, Col: 1}}}, 3, 0)[0]
				run.places[1].Width = width
				run.places[2].Start += width - max(n, 1)
				var row placed.Row
				run.Plain(1, &row)
				c := table.batch.addPlain(&row, newLayout(run.places, table.order), table.key, 0)
				if (c == nil) != (n > longestShort) {
					t.Fatalf("a text of %d bytes in a column of %d: %v", n, width, c)
				}
				if c == nil {
					continue
				}
				got, gotText := *c, string(table.batch.text)
				table.batch.empty()
				if want := table.batch.add(&run.changes[1], table.order, table.key, 0); got != *want || gotText != string(table.batch.text) {
					t.Fatalf("a text of %d bytes in a column of %d: %+v, %q, want %+v, %q", n, width, got, gotText, *want, table.batch.text)
				}
			}
		}
	}
}

// Nothing is read that may not be there: a row with too little behind it is not
// taken from where it stands.
func TestAddPlainReach(t *testing.T) {
	table := NewTable(make([]Column, 2))
	run := printedRuns([]Row{{}, {Cells: []Cell{{Text: "a"}, {Text: "b"}}}}, 2, 20)[0]
	l := newLayout(run.places, table.order)
	for reach := l.reach - 8; reach < l.reach+8; reach++ {
		var row placed.Row
		run.Plain(1, &row)
		row.Text = row.Text[:min(len(row.Text), reach):reach]
		if c := table.batch.addPlain(&row, l, table.key, 0); (c != nil) != (reach >= l.reach) {
			t.Errorf("%d bytes to be read, of %d: %v", reach, l.reach, c)
		}
	}
	if n := len(table.batch.changes); n != 8 {
		t.Errorf("%d changes, want 8", n)
	}
}

// Rows of another table are refused.
func TestPlainRowsOfOtherColumns(t *testing.T) {
	for columns := range 5 {
		table := NewTable(make([]Column, 3))
		placed.Apply(table, printedRuns([]Row{{Cells: make([]Cell, columns)}}, columns, 20)[0])
		n, first := table.Anomalies()
		if refused := n == 1 && first[0].Kind == CellCount; refused != (columns != 3) || table.Len() != 1-n {
			t.Errorf("a row of %d cells in a table of 3 columns: %v, then %d rows", columns, first, table.Len())
		}
	}
}
