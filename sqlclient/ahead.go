package sqlclient

import (
	"bytes"

	"github.com/seed-69e58989/flinkread/internal/tableau"
)

const (
	// aheadAfter is how many rows of a table are read before a second
	// goroutine is worth its start.
	aheadAfter = 4096
	// aheadBlocks is how many blocks there are at a time: one that is being
	// handed out, one that is being filled, and one between.
	aheadBlocks = 3
	// shareable is how much data two goroutines share to look for rows.
	shareable = 64 << 10
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
		second := newSecondHalf(r)
		defer second.close()
		for b := range free {
			more := r.fill(b, second)
			if b.rows[0].Len() > 0 {
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
		for i := range b.rows {
			if rows := &b.rows[i]; rows.Len() > 0 {
				if r.emitRows(rows); r.halted {
					return
				}
			}
		}
		free <- b
	}
}

// A block is rows that are read but not handed out yet, in one run or two. It
// owns the buffer that they are in.
type block struct {
	buf  []byte
	rows [2]Rows
}

// fill reads rows into b. It reports false before what is no row of the table,
// and at the end of the input.
func (r *Reader) fill(b *block, second *secondHalf) bool {
	in := r.in
	// The buffer is that of the block before, whose rows are still looked at.
	rest := in.data()
	if len(b.buf) < 2*len(rest) || len(b.buf) < initialBuffer {
		b.buf = make([]byte, max(2*len(rest), initialBuffer))
	}
	in.buf, in.r, in.w = b.buf, 0, copy(b.buf, rest)
	for {
		n, out := r.share(b, in.data(), second)
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

// share is take for a block: the rows of the second half of data are looked for
// at the same time as those of the first. Where they begin is a guess, which is
// right if the rows of the first half end there. If not, a value held what looks
// like the beginning of a row, and the rows behind are taken again, in order.
func (r *Reader) share(b *block, data []byte, second *secondHalf) (int, tableau.Outcome) {
	b.rows[1].begin(r)
	at := 0
	if len(data) >= r.shareable {
		at = bytes.Index(data[len(data)/2:], []byte("\n| "))
	}
	if at <= 0 {
		return r.take(&b.rows[0], data)
	}
	at += len(data)/2 + 1
	second.begin(&b.rows[1], data[at:])
	n, out := r.take(&b.rows[0], data[:at])
	m, outBehind := second.end()
	switch {
	case n == at:
		b.rows[1].settle(r)
		return n + m, outBehind
	case n > 0 && out == tableau.Short:
		m, out = r.take(&b.rows[1], data[n:])
		return n + m, out
	}
	b.rows[1].begin(r)
	if out == tableau.Short { // a row that is longer than half of the data
		return r.take(&b.rows[0], data)
	}
	return n, out
}

// A secondHalf looks for rows on a goroutine of its own.
type secondHalf struct {
	todo chan half
	done chan half
}

// A half is what a secondHalf looks through, and then what it found.
type half struct {
	rows *Rows
	data []byte
	n    int
	out  tableau.Outcome
}

func newSecondHalf(r *Reader) *secondHalf {
	s := &secondHalf{make(chan half), make(chan half)}
	go func() {
		for h := range s.todo {
			h.n, h.out = r.takeAside(h.rows, h.data)
			s.done <- h
		}
	}()
	return s
}

func (s *secondHalf) begin(rows *Rows, data []byte) { s.todo <- half{rows: rows, data: data} }

func (s *secondHalf) end() (int, tableau.Outcome) {
	h := <-s.done
	return h.n, h.out
}

func (s *secondHalf) close() { close(s.todo) }
