package sqlclient

import (
	"bytes"

	"github.com/seed-69e58989/flinkread/internal/tableau"
)

const (
	// aheadAfter is how many rows of a table are read before other goroutines join
	// in. It makes up for their start, and for what they read behind the table's end
	// in vain.
	aheadAfter = 1 << 14
	// maxTakers is how many goroutines take rows at most.
	maxTakers = 4
)

// rowsAhead reads rows on other goroutines while it hands out those that are read,
// up to what is no row of the table. One goroutine cuts the input into blocks, each
// up to where a row seems to end; it owns the input as long, and the caller's side
// owns the place. Others take the rows of the blocks. Where all blocks before it are
// rows and nothing else, a block begins where a row does; so what comes out is the same
// as without them.
//
// An input that is not there as a whole may be slow, and what stands behind the table
// must not wait until more than that has come. There the goroutine that cuts takes the rows,
// too, and stops where they do.
func (r *Reader) rowsAhead(cores int) {
	takers := 0
	if r.in.whole() {
		takers = min(cores, maxTakers)
	}
	blocks := takers + 3 // that are being cut, taken and handed out, and wait in between
	free, cut, toTake := make(chan *block, blocks), make(chan *block, blocks), make(chan *block, blocks)
	for range blocks {
		free <- &block{taken: make(chan int, 1)}
	}
	for range takers {
		t := newTaker(r)
		go func() {
			for b := range toTake {
				b.taken <- t.take(b)
			}
		}()
	}
	buf, cutter := r.in.buf, newTaker(r)
	go func() {
		defer close(toTake)
		defer close(cut)
		for b := range free {
			more := cutter.cut(b, r.in)
			if takers > 0 {
				toTake <- b
			} else {
				n := cutter.take(b)
				b.taken <- n
				more = more && n == len(b.data)
			}
			if cut <- b; !more {
				return
			}
		}
	}()

	var rest [][]byte // of blocks that are not only rows
	defer func() {    // also where the caller's loop panics
		close(free)
		for b := range cut { // until the goroutines have let go of the input
			<-b.taken
			rest = append(rest, b.data)
		}
		r.in.putBack(buf, rest)
	}()
	for b := range cut {
		n := <-b.taken
		if n > 0 {
			if b.old == oldNullIsText {
				r.old = b.old
			}
			r.emitRows(&b.rows)
		}
		if n < len(b.data) || r.halted {
			rest = append(rest, b.data[n:])
			return
		}
		free <- b
	}
}

// A block is a piece of the input. It owns the buffer that it is in.
type block struct {
	buf   []byte
	data  []byte
	rows  Rows     // that the data begin with
	old   oldNull  // what is known behind them
	taken chan int // how many bytes they have
}

// A taker takes the rows of blocks of a table, each of which is behind the one before.
type taker struct {
	table table
	words nullWords
}

func newTaker(r *Reader) *taker {
	t := &taker{r.table, r.nullWords}
	t.table.cells = make([]tableau.Cell, len(r.table.cells))
	return t
}

// take takes the rows of b, and returns how many bytes they have.
func (t *taker) take(b *block) int {
	n, _ := t.table.take(&b.rows, b.data, &t.words, nil)
	b.old = t.words.old
	return n
}

// cut makes b what comes next in the input, and reports false where that is the last.
func (t *taker) cut(b *block, in *buffer) bool {
	// The buffer is that of the block before, whose rows are still looked at.
	rest := in.data()
	if size := max(2*len(rest), initialBuffer); len(b.buf) < size {
		b.buf = make([]byte, size)
	}
	in.buf, in.r, in.w = b.buf, 0, copy(b.buf, rest)
	n, more := t.cutAt(in.data()), true
	for n == 0 && more {
		if more = in.more(); more {
			n = t.cutAt(in.data())
		} else {
			n = len(in.data())
		}
	}
	b.buf, b.data = in.buf, in.data()[:n]
	in.r += n
	return more
}

// cutAt returns where to cut data: behind the last row in them, or before it if it is
// not whole; 0 if nothing stands before it. Where nothing looks like a row, they stay in
// one piece.
func (t *taker) cutAt(data []byte) int {
	last := bytes.LastIndex(data, []byte("\n| ")) + 1
	switch n, out := t.table.layout.Split(data[last:], t.table.cells); out {
	case tableau.Whole:
		return last + n
	case tableau.Short:
		return last
	}
	return len(data)
}
