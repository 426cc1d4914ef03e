package changelog

import (
	"encoding/binary"
	"math/bits"
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
type arena struct {
	pieces [][]byte
	tail   int // index of the piece that new blocks are cut from
	used   int // bytes cut from it
	free   [classes]block
	spare  []uint32 // indexes without a piece

	heldBytes, freeBytes int // of blocks handed out, and released
}

// A block is a place in an arena. The zero block is none: the first bytes of
// piece 0 are never handed out.
type block struct{ piece, offset uint32 }

const (
	granule    = 16
	classes    = 28
	ownPiece   = classes // the class of a block that is its own piece
	maxClassed = 4 << 10
	firstPiece = 512 // small results are many
	fullPiece  = 256 << 10
)

// classOf returns the class for n bytes, 0 < n <= maxClassed.
func classOf(n int) uint8 {
	if n <= 8*granule {
		return uint8((n - 1) / granule)
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

// alloc returns a block for n bytes, n > 0, and its class.
func (a *arena) alloc(n int) (block, uint8) {
	if n > maxClassed {
		return a.take(make([]byte, n)), ownPiece
	}
	c := classOf(n)
	size := classSize(c)
	a.heldBytes += size
	if b := a.free[c]; b != (block{}) {
		a.freeBytes -= size
		a.free[c] = getBlock(a.at(b))
		return b, c
	}
	if len(a.pieces) == 0 || a.used+size > len(a.pieces[a.tail]) {
		a.grow(size)
	}
	b := block{uint32(a.tail), uint32(a.used)}
	a.used += size
	return b, c
}

// grow begins a new piece to cut blocks from, of at least n bytes.
func (a *arena) grow(n int) {
	if len(a.pieces) == 0 {
		a.pieces = append(a.pieces, make([]byte, max(firstPiece, granule+n)))
		a.used = granule
		return
	}
	size := max(min(2*len(a.pieces[a.tail]), fullPiece), n)
	a.tail = int(a.add(make([]byte, size)))
	a.used = 0
}

// take makes a piece a block.
func (a *arena) take(piece []byte) block {
	if len(a.pieces) == 0 {
		a.grow(0)
	}
	a.heldBytes += len(piece)
	return block{piece: a.add(piece)}
}

// add takes in a piece and returns its index.
func (a *arena) add(piece []byte) uint32 {
	if n := len(a.spare); n > 0 {
		i := a.spare[n-1]
		a.spare = a.spare[:n-1]
		a.pieces[i] = piece
		return i
	}
	a.pieces = append(a.pieces, piece)
	return uint32(len(a.pieces) - 1)
}

// release takes back a block of the class.
func (a *arena) release(b block, c uint8) {
	if c == ownPiece {
		a.heldBytes -= len(a.pieces[b.piece])
		a.pieces[b.piece] = nil
		a.spare = append(a.spare, b.piece)
		return
	}
	size := classSize(c)
	a.heldBytes -= size
	a.freeBytes += size
	putBlock(a.at(b), a.free[c])
	a.free[c] = b
}

// wasteful says whether it is time to move what is held to a new arena: more
// than that is free, so the moves cost no more than the releases before.
func (a *arena) wasteful() bool { return a.freeBytes > a.heldBytes+fullPiece }

// move moves in a block of another arena, which is of no use afterwards.
func (a *arena) move(from *arena, b block, c uint8) block {
	if c == ownPiece {
		return a.take(from.pieces[b.piece])
	}
	to, _ := a.alloc(classSize(c))
	copy(a.at(to), from.at(b)[:classSize(c)])
	return to
}

// at returns the bytes of a block and whatever stands behind it.
func (a *arena) at(b block) []byte { return a.pieces[b.piece][b.offset:] }

// block returns the bytes of a block of the class.
func (a *arena) block(b block, c uint8) []byte {
	if c == ownPiece {
		return a.pieces[b.piece]
	}
	return a.at(b)[:classSize(c)]
}

func getBlock(b []byte) block {
	return block{binary.NativeEndian.Uint32(b), binary.NativeEndian.Uint32(b[4:])}
}

func putBlock(b []byte, to block) {
	binary.NativeEndian.PutUint32(b, to.piece)
	binary.NativeEndian.PutUint32(b[4:], to.offset)
}
