package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/internal/visible"
)

func columns() []Column {
	return []Column{{Name: "op"}, {Name: "tier"}, {Name: "n", Right: true}}
}

// draw draws rows as they come, releasing them when that is due.
func draw(d *Drawing, rows [][]string) string {
	var out []byte
	for _, row := range rows {
		out = d.AppendRow(out, row)
		if d.Full() {
			out = d.Release(out)
		}
	}
	return string(d.AppendEnd(out))
}

// Whether its rows are held is not to be seen in a table in which all fits.
func TestDrawing(t *testing.T) {
	rows := [][]string{{"+I", "silver", "1"}, {"-U", "金额", "10"}, {"+U", "", ""}}
	for _, markdown := range []bool{false, true} {
		whole := Table{Columns: columns(), Rows: rows}
		var want strings.Builder
		if markdown {
			whole.Markdown(&want)
		} else {
			whole.Text(&want)
		}
		held := Drawing{Table: Table{Columns: columns()}, Markdown: markdown}
		if diff := cmp.Diff(want.String(), draw(&held, rows)); diff != "" || !held.Held() {
			t.Errorf("held, markdown %v: %s", markdown, diff)
		}
		released := Drawing{Table: Table{Columns: columns()}, Markdown: markdown}
		out := released.AppendRow(nil, rows[0])
		out = released.AppendRow(out, rows[1])
		if len(out) > 0 {
			t.Errorf("rows that are held drew %q", out)
		}
		out = released.Release(out)
		out = released.AppendRow(out, rows[2])
		out = released.AppendEnd(out)
		if diff := cmp.Diff(want.String(), string(out)); diff != "" || released.Held() || len(released.Rows) > 0 {
			t.Errorf("released, markdown %v: %s", markdown, diff)
		}
	}
}

func TestDrawingOfLongerCells(t *testing.T) {
	d := Drawing{Table: Table{Columns: columns()}}
	d.AppendRow(nil, []string{"+I", "silver", "1"})
	d.Release(nil)
	got := d.AppendRow(nil, []string{"+U", "a tier that is new\nand long", "1000"})
	got = d.AppendRow(got, []string{"+U", "", ""})
	if want := " +U | a tier that is new␊and long | 1000\n +U |        |\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Cells of every length and kind stand in columns of every width as their widths
// say, whatever stands before them.
func TestAppendTextRow(t *testing.T) {
	cells := []string{"", "a", "say \"x\"", "金额", "a\tb", "ends in blanks  ", strings.Repeat("x", 33), strings.Repeat("金", 20)}
	for _, first := range cells {
		for _, second := range cells {
			for _, widths := range [][]int{{0, 0}, {1, 1}, {4, 4}, {20, 8}, {15, 16}, {16, 17}, {40, 5}, {5, 200}} {
				for right := range 4 {
					columns := []Column{{Right: right&1 != 0}, {Right: right&2 != 0, Overflow: Cut}}
					var want strings.Builder
					for i, cell := range []string{visible.String(first), Shorten(second, widths[1])} {
						pad := strings.Repeat(" ", max(0, widths[i]-width(cell)))
						if columns[i].Right {
							cell = pad + cell
						} else {
							cell += pad
						}
						want.WriteString([]string{" ", " | "}[i] + cell)
					}
					got := string(appendTextRow([]byte("before  "), columns, widths, []string{first, second, "no column's"}))
					if want := "before  " + strings.TrimRight(want.String(), " ") + "\n"; got != want {
						t.Fatalf("%q, %q in %v, right %b:\n%q, want\n%q", first, second, widths, right, got, want)
					}
				}
			}
		}
	}
}

func TestDrawingCuts(t *testing.T) {
	d := Drawing{Table: Table{Width: 24, Columns: []Column{{Name: "n"}, {Name: "sql", Overflow: Cut}}}}
	d.AppendRow(nil, []string{"1", "SELECT tier, COUNT(*) FROM orders"})
	got := string(d.AppendRow(d.Release(nil), []string{"2", "SHOW TABLES; -- and a remark"}))
	want := " n | sql\n---+--------------------\n 1 | SELECT tier, COUN…\n 2 | SHOW TABLES; -- a…\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A Drawing keeps nothing of the cells it is given, which the caller reuses.
func TestDrawingOwnsItsRows(t *testing.T) {
	d := Drawing{Table: Table{Columns: columns()}}
	row := []string{"+I", "silver", "1"}
	d.AppendRow(nil, row)
	row[1] = "gold"
	if got := d.Rows[0][1]; got != "silver" {
		t.Errorf("the row became %q", got)
	}
}

func TestDrawingHoldsLittle(t *testing.T) {
	for name, test := range map[string]struct {
		columns int
		row     func(i int) []string
		most    int // rows that may be held
	}{
		"many rows":            {1, func(i int) []string { return []string{"1"} }, maxHeld},
		"long rows":            {1, func(i int) []string { return []string{strings.Repeat("x", 10_000)} }, 105},
		"many columns":         {60_000, func(i int) []string { return make([]string, 60_000) }, 6},
		"one wide column":      {2, func(i int) []string { return []string{strings.Repeat("x", max(1, 100_000-i*100_000)), "1"} }, 11},
		"a cell of many lines": {2, func(i int) []string { return []string{strings.Repeat("\n", 10_000), "1"} }, 1},
	} {
		d := Drawing{Table: Table{Columns: make([]Column, test.columns)}}
		rows := 0
		for ; !d.Full() && rows <= maxHeld; rows++ {
			d.AppendRow(nil, test.row(rows))
		}
		if rows > test.most+1 {
			t.Errorf("%s: holds %d rows", name, rows)
		}
		if d.Release(nil); len(d.Rows) > 0 || d.Full() {
			t.Errorf("%s: %d rows are held after Release", name, len(d.Rows))
		}
	}
}

func TestDrawnRowsAllocateNothing(t *testing.T) {
	for _, markdown := range []bool{false, true} {
		d := Drawing{Table: Table{Columns: columns()}, Markdown: markdown}
		buf := d.Release(make([]byte, 0, 1024))
		for _, row := range [][]string{{"+I", "silver", "1227.99"}, {"+U", "金额 | *", "7"}} {
			if n := testing.AllocsPerRun(100, func() { buf = d.AppendRow(buf[:0], row) }); n > 0 {
				t.Errorf("markdown %v: %v allocations for %q", markdown, n, row)
			}
		}
	}
}

func BenchmarkDrawnRow(b *testing.B) {
	for _, markdown := range []bool{false, true} {
		b.Run(fmt.Sprintf("markdown=%v", markdown), func(b *testing.B) {
			d := Drawing{Table: Table{Columns: columns()}, Markdown: markdown}
			buf := d.Release(make([]byte, 0, 1024))
			row := []string{"+I", "silver", "1227.99"}
			b.ReportAllocs()
			for b.Loop() {
				buf = d.AppendRow(buf[:0], row)
			}
		})
	}
}
