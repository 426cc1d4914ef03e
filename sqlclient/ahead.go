package sqlclient

import (
	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

const (
	// aheadAfter is how many rows of a table are read before a second
	// goroutine is worth its start.
	aheadAfter = 4096
	// aheadBlocks is how many blocks there are at a time: one that is being
	// handed out, one that is being filled, and one between.
	aheadBlocks = 3
)

// A block is a run of rows that are read but not handed out yet. It owns its
// bytes.
type block struct {
	data   []byte
	start  int // where the rows begin
	rows   []blockRow
	values []value // of all rows, in order
}

type blockRow struct {
	end  int // behind the row's newline
	kind changelog.RowKind
}

// rowsAhead reads rows on a second goroutine while it hands out those that are
// read, up to what is no row of the table. In between the goroutine owns the
// input and what is known of the null word; the caller's side owns the place.
func (r *Reader) rowsAhead() {
	filled := make(chan *block, aheadBlocks)
	free := make(chan *block, aheadBlocks)
	for range aheadBlocks {
		free <- &block{}
	}
	go func() {
		defer close(filled)
		for b := range free {
			more := r.fill(b)
			if len(b.rows) > 0 {
				filled <- b
			}
			if !more {
				return
			}
		}
	}()
	columns := len(r.table.columns)
	for b := range filled {
		start, values := b.start, b.values
		for _, row := range b.rows {
			if r.halted {
				break
			}
			r.emitValues(row.kind, b.data[start:row.end], b.data, values[:columns])
			start, values = row.end, values[columns:]
		}
		if r.halted {
			close(free)
			for range filled { // until the goroutine has let go of the input
			}
			return
		}
		free <- b
	}
}

// fill reads rows into b until the input has to be read on. It reports false
// before what is no row of the table, and at the end of the input.
func (r *Reader) fill(b *block) bool {
	t := &r.table
	in := r.in
	b.rows, b.values = b.rows[:0], b.values[:0]
	// The buffer is that of the block before, whose rows are still looked at.
	rest := in.data()
	if len(b.data) < 2*len(rest) || len(b.data) < initialBuffer {
		b.data = make([]byte, max(2*len(rest), initialBuffer))
	}
	in.buf, in.r, in.w = b.data, 0, copy(b.data, rest)
	for {
		n, out := t.layout.Split(in.data(), t.cells)
		switch out {
		case tableau.Whole:
			row := in.data()[:n]
			kind, ok := t.kindOf(row)
			if !ok {
				return false
			}
			if len(b.rows) == 0 {
				b.data, b.start = in.buf, in.r
			}
			b.values = r.appendValues(b.values, row, in.r, 0)
			in.r += n
			b.rows = append(b.rows, blockRow{in.r, kind})
		case tableau.Short:
			if len(b.rows) > 0 {
				return true
			}
			if !in.more() {
				return false
			}
		default:
			return false
		}
	}
}
