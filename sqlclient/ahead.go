package sqlclient

import "github.com/seed-69e58989/flinkread/internal/tableau"

const (
	// aheadAfter is how many rows of a table are read before a second
	// goroutine is worth its start.
	aheadAfter = 4096
	// aheadBlocks is how many blocks there are at a time: one that is being
	// handed out, one that is being filled, and one between.
	aheadBlocks = 3
)

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
			if b.rows.Len() > 0 {
				filled <- b
			}
			if !more {
				return
			}
		}
	}()
	defer func() { // also where the caller's loop panics
		close(free)
		for range filled { // until the goroutine has let go of the input
		}
	}()
	for b := range filled {
		if r.emitRows(&b.rows); r.halted {
			return
		}
		free <- b
	}
}

// A block is a run of rows that are read but not handed out yet. It owns the
// buffer that they are in.
type block struct {
	buf  []byte
	rows Rows
}

// fill reads rows into b. It reports false before what is no row of the table,
// and at the end of the input.
func (r *Reader) fill(b *block) bool {
	in := r.in
	// The buffer is that of the block before, whose rows are still looked at.
	rest := in.data()
	if len(b.buf) < 2*len(rest) || len(b.buf) < initialBuffer {
		b.buf = make([]byte, max(2*len(rest), initialBuffer))
	}
	in.buf, in.r, in.w = b.buf, 0, copy(b.buf, rest)
	for {
		n, out := r.take(&b.rows, in.data())
		if n > 0 {
			b.buf = in.buf
			in.r += n
			return out == tableau.Short
		}
		if out != tableau.Short || !in.more() {
			return false
		}
	}
}
