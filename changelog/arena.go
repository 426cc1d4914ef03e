package changelog

import (
	"iter"
	"math/bits"
	"unsafe"
)

// An arena keeps many small blocks of bytes in few large pieces of memory
// without pointers, so that the collector has nothing to look at. A released
// block is the next to be handed out for its class: a table whose rows change
// keeps the memory that it has.
//
// The classes are multiples of 16 bytes up to 128, then four to each doubling:
// of a block of more than 64 bytes at most a fifth is unused. A block of more
// than maxClassed bytes is rare (SHOW CREATE, EXPLAIN, collected arrays); it is
// its own piece and goes back to the collector.
//
// What is in a block is a record, whose head has the class. The head of a released
// block says that it is free, so all records are found where they stand.
type arena struct {
	pieces [][]byte
	used   int // bytes cut from the last of them
	free   [classes]block
	given  []byte   // zeros, to make pieces of
	owned  [][]byte // the pieces that are blocks
	spare  []uint32 // indexes without such a piece

	bytes, freeBytes int // of all blocks, and of those released
}

// A block is a place in an arena: the index of a piece and an offset in granules,
// or own and the index of a piece that is the block. The zero block is none: the
// first bytes of piece 0 are never handed out.
type block uint64

const (
	granule    = 16
	classes    = 28
	maxClassed = 4 << 10
	firstPiece = 512 // small results are many
	fullPiece  = granule << offsetBits

	blockBits  = 33
	own        = 1 << (blockBits - 1)
	offsetBits = 14
	// maxPieces are 64 GiB. Blocks beyond have their own pieces, of which there may
	// be as many as own.
	maxPieces = own >> offsetBits
)

// classOf returns the class for n bytes, 0 < n <= maxClassed.
func classOf(n int) uint8 {
	if n <= 8*granule {
		return uint8(uint(n-1) / granule)
	}
	s := bits.Len(uint(n-1)) - 3
	quarter := (n - 1) >> s // 4 to 7
	return uint8(8 + (s-5)*4 + quarter - 4)
}

// classSize returns the size of the blocks of a class.
func classSize(c uint8) int {
	if c < 8 {
		return (int(c) + 1) * granule
	}
	return (5 + int(c)%4) << (3 + c/4)
}

// alloc returns a block for n bytes, n > 0, where its head is, and its class, which
// that is to have.
func (a *arena) alloc(n int) (b block, to *head, c uint8) {
	if n > maxClassed {
		return a.take(make([]byte, (n+granule-1)&^(granule-1)))
	}
	c = classOf(n)
	size := classSize(c)
	if b = a.free[c]; b != 0 {
		to = a.head(b)
		a.free[c] = *to.next()
		a.freeBytes -= size
		return b, to, c
	}
	if len(a.pieces) == 0 || a.used+size > len(a.pieces[len(a.pieces)-1]) {
		if len(a.pieces) == maxPieces {
			return a.take(make([]byte, size))
		}
		a.grow(size)
	}
	b = block(len(a.pieces)-1)<<offsetBits | block(a.used/granule)
	a.used += size
	a.bytes += size
	return b, a.head(b), c
}

// grow begins a new piece to cut blocks from, of at least n bytes.
func (a *arena) grow(n int) {
	if len(a.pieces) == 0 {
		a.pieces = append(a.pieces, make([]byte, max(firstPiece, granule+n)))
		a.used = granule
		return
	}
	size := max(min(2*len(a.pieces[len(a.pieces)-1]), fullPiece), n)
	a.used = 0
	if len(a.given) >= size {
		a.pieces, a.given = append(a.pieces, a.given[:size:size]), a.given[size:]
		return
	}
	a.pieces = append(a.pieces, make([]byte, size))
}

// give gives the arena slots to make pieces of, which are empty. Memory that the index
// has grown out of would otherwise wait for the collector, and the arena, which grows
// as the index does, take new memory.
func (a *arena) give(slots []slot) {
	a.given = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slots))), len(slots)*int(unsafe.Sizeof(slots[0])))
}

// take makes a piece a block, and returns it as alloc does.
func (a *arena) take(piece []byte) (b block, to *head, c uint8) {
	i := len(a.owned)
	if n := len(a.spare); n > 0 {
		i = int(a.spare[n-1])
		a.spare = a.spare[:n-1]
		a.owned[i] = piece
	} else if uint64(i) == own {
		panic("changelog: a table of more rows than memory has room for")
	} else {
		a.owned = append(a.owned, piece)
	}
	a.bytes += len(piece)
	b = own | block(i)
	return b, a.head(b), 0
}

// release takes back a block.
func (a *arena) release(b block) {
	if b&own != 0 {
		i := b &^ own
		a.bytes -= len(a.owned[i])
		a.owned[i] = nil
		a.spare = append(a.spare, uint32(i))
		return
	}
	h := a.head(b)
	c := h.class()
	a.freeBytes += classSize(c)
	*h, *h.next() = newHead(c, free, 0), a.free[c]
	a.free[c] = b
}

// wasteful says whether it is time to move what is held to a new arena: more
// than that is free, so the moves cost no more than the releases before.
func (a *arena) wasteful() bool { return 2*a.freeBytes > a.bytes+fullPiece }

// move moves in a block of another arena, which is of no use afterwards.
func (a *arena) move(from *arena, b block) block {
	bytes := from.block(b)
	if b&own != 0 {
		b, _, _ = a.take(bytes)
		return b
	}
	moved, to, _ := a.alloc(len(bytes))
	*to = *from.head(b) // and so its class
	copy(a.block(moved), bytes)
	return moved
}

// head returns the head of a block.
func (a *arena) head(b block) *head {
	if b&own != 0 {
		return (*head)(unsafe.Pointer(&a.owned[b&^own][0]))
	}
	return (*head)(unsafe.Pointer(&a.pieces[b>>offsetBits][b.offset()]))
}

// offset returns where in its piece a block begins, if it is not its own.
func (b block) offset() int { return int(b&(1<<offsetBits-1)) * granule }

// block returns the bytes of a block, which has its head.
func (a *arena) block(b block) []byte {
	if b&own != 0 {
		return a.owned[b&^own]
	}
	piece, at := a.pieces[b>>offsetBits], b.offset()
	return piece[at : at+classSize((*head)(unsafe.Pointer(&piece[at])).class())]
}

// records iterates over the blocks that are handed out, and their heads: as they
// stand in memory, which is faster than in any other order.
func (a *arena) records() iter.Seq2[block, head] {
	return func(yield func(block, head) bool) {
		for i, piece := range a.pieces {
			at := 0
			if i == 0 {
				at = granule
			}
			for at < len(piece) {
				h := *(*head)(unsafe.Pointer(&piece[at]))
				if h == 0 { // was never handed out
					break
				}
				if h.flags()&free == 0 && !yield(block(i)<<offsetBits|block(at/granule), h) {
					return
				}
				at += classSize(h.class())
			}
		}
		for i, piece := range a.owned {
			if piece != nil && !yield(own|block(i), *(*head)(unsafe.Pointer(&piece[0]))) {
				return
			}
		}
	}
}

// next is, of a released block, where the one is that was released before.
func (h *head) next() *block { return (*block)(unsafe.Add(unsafe.Pointer(h), recordHead)) }
