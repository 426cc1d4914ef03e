package changelog

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// A changes is a changelog: inserts of a population, then update pairs of every
// row in a random order, there and back, so that these can be repeated. The
// texts stand in one string in their order, as in a transcript.
type changes struct {
	text string
	ends []uint32 // of each cell
	live int
}

const (
	cellsPerRow = 4
	// Such a row is printed in 119 bytes: an op column, two strings of width
	// 30 and two numbers of width 20.
	printedRow = 119
)

func updatePairs(live int) *changes {
	rnd := rand.New(rand.NewPCG(1, uint64(live)))
	c := &changes{live: live}
	var text []byte
	row := func(key, version int) {
		end := func() { c.ends = append(c.ends, uint32(len(text))) }
		text = fmt.Appendf(text, "customer-%06d", key)
		end()
		text = append(text, "city of the "[:key%12]...)
		text = strconv.AppendInt(text, int64(key%977), 10)
		end()
		text = strconv.AppendInt(text, int64(100+version), 10)
		end()
		text = fmt.Appendf(text, "%d.%02d", key%10000+version, key%100)
		end()
	}
	for key := range live {
		row(key, 0)
	}
	for version := range 2 {
		for _, key := range rnd.Perm(live) {
			row(key, version)
			row(key, 1-version)
		}
	}
	c.text = string(text)
	return c
}

func (c *changes) len() int { return len(c.ends) / cellsPerRow }

// row sets cells to those of change i.
func (c *changes) row(cells []Cell, i int) {
	from := uint32(0)
	if i > 0 {
		from = c.ends[i*cellsPerRow-1]
	}
	for k := range cells {
		to := c.ends[i*cellsPerRow+k]
		cells[k] = Cell{Text: c.text[from:to]}
		from = to
	}
}

// change returns change i with its cells.
func (c *changes) change(cells []Cell, i int) Row {
	kind := UpdateAfter
	if i < c.live {
		kind = Insert
	} else if (i-c.live)%2 == 0 {
		kind = UpdateBefore
	}
	return Row{Kind: kind, Cells: cells, Pos: Pos{File: "q.out", Offset: int64(i) * printedRow, Line: i + 1, Col: 1}}
}

// apply applies the changes from one on and before another.
func (c *changes) apply(tb testing.TB, t *Table, from, to int) {
	cells := make([]Cell, cellsPerRow)
	for i := from; i < to; i++ {
		c.row(cells, i)
		if err := t.Apply(c.change(cells, i)); err != nil {
			tb.Fatal(err)
		}
	}
}

// rows yields the same changes.
func (c *changes) rows(from, to int) iter.Seq[*Row] {
	cells := make([]Cell, cellsPerRow)
	return func(yield func(*Row) bool) {
		for i := from; i < to; i++ {
			c.row(cells, i)
			if row := c.change(cells, i); !yield(&row) {
				return
			}
		}
	}
}

func rate(b *testing.B, rows int) {
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(rows)*printedRow/1e6/b.Elapsed().Seconds(), "MB/s")
}

func BenchmarkApply(b *testing.B) {
	for _, live := range []int{1_000, 50_000, 500_000} {
		for _, key := range [][]int{nil, {0}} {
			b.Run(fmt.Sprintf("live=%d/key=%v", live, key), func(b *testing.B) {
				c := updatePairs(live)
				t := NewTable(make([]Column, cellsPerRow), key...)
				c.apply(b, t, 0, live)
				cells := make([]Cell, cellsPerRow)
				i := live
				b.ReportAllocs()
				for b.Loop() {
					c.row(cells, i)
					if err := t.Apply(c.change(cells, i)); err != nil {
						b.Fatal(err)
					}
					if i++; i == c.len() {
						i = live
					}
				}
				rate(b, b.N)
			})
		}
	}
}

func BenchmarkApplyAll(b *testing.B) {
	for _, live := range []int{1_000, 50_000, 500_000} {
		for _, key := range [][]int{nil, {0}} {
			b.Run(fmt.Sprintf("live=%d/key=%v", live, key), func(b *testing.B) {
				c := updatePairs(live)
				t := NewTable(make([]Column, cellsPerRow), key...)
				t.ApplyAll(c.rows(0, live))
				b.ReportAllocs()
				for i := 0; i < b.N; i += 2 * live {
					t.ApplyAll(c.rows(live, live+min(2*live, b.N-i)))
				}
				rate(b, b.N)
			})
		}
	}
}

func BenchmarkInsert(b *testing.B) {
	for _, live := range []int{10, 500_000} {
		b.Run(fmt.Sprintf("live=%d", live), func(b *testing.B) {
			c := updatePairs(live)
			b.ReportAllocs()
			for b.Loop() {
				c.apply(b, NewTable(make([]Column, cellsPerRow)), 0, live)
			}
			rate(b, b.N*live)
		})
	}
}

func BenchmarkRows(b *testing.B) {
	const live = 500_000
	c := updatePairs(live)
	t := NewTable(make([]Column, cellsPerRow))
	c.apply(b, t, 0, c.len())
	b.ReportAllocs()
	for b.Loop() {
		for range t.Rows() {
		}
	}
	rate(b, b.N*live)
}

func BenchmarkDiff(b *testing.B) {
	const live = 50_000
	c := updatePairs(live)
	t := NewTable(make([]Column, cellsPerRow))
	c.apply(b, t, 0, live)
	want := slices.Collect(t.Rows())
	b.ReportAllocs()
	for b.Loop() {
		if missing, extra := Diff(t.Rows(), slices.Values(want)); missing != nil || extra != nil {
			b.Fatal(missing, extra)
		}
	}
	rate(b, b.N*live)
}
