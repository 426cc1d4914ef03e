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
// of a block of more than 64 bytes at most a fifth is unused, and rows that
// grow slowly through all classes leave behind, in sum, a few times what they
// take. A block of more than maxClassed bytes is rare (SHOW CREATE, EXPLAIN,
// collected arrays); it is its own piece and goes back to the collector.
type arena struct {
	pieces [][]byte
	tail   int // index of the piece that new blocks are cut from
	used   int // bytes cut from it
	free   [classes]block
	spare  []uint32 // indexes without a piece
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

// class returns the class for n bytes, 0 < n <= maxClassed, and the size of its
// blocks.
func class(n int) (c uint8, size int) {
	if n <= 8*granule {
		c := (n - 1) / granule
		return uint8(c), (c + 1) * granule
	}
	s := bits.Len(uint(n-1)) - 3
	quarter := (n - 1) >> s // 4 to 7
	return uint8(8 + (s-5)*4 + quarter - 4), (quarter + 1) << s
}

// alloc returns a block for n bytes, n > 0, and its class.
func (a *arena) alloc(n int) (block, uint8) {
	if len(a.pieces) == 0 {
		a.pieces = append(a.pieces, make([]byte, firstPiece))
		a.used = granule
	}
	if n > maxClassed {
		return block{piece: a.add(make([]byte, n))}, ownPiece
	}
	c, size := class(n)
	if b := a.free[c]; b != (block{}) {
		a.free[c] = getBlock(a.at(b))
		return b, c
	}
	if a.used+size > len(a.pieces[a.tail]) {
		a.tail = int(a.add(make([]byte, max(min(2*len(a.pieces[a.tail]), fullPiece), size))))
		a.used = 0
	}
	b := block{uint32(a.tail), uint32(a.used)}
	a.used += size
	return b, c
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
		a.pieces[b.piece] = nil
		a.spare = append(a.spare, b.piece)
		return
	}
	putBlock(a.at(b), a.free[c])
	a.free[c] = b
}

// at returns the bytes of a block and whatever stands behind it.
func (a *arena) at(b block) []byte { return a.pieces[b.piece][b.offset:] }

func getBlock(b []byte) block {
	return block{binary.NativeEndian.Uint32(b), binary.NativeEndian.Uint32(b[4:])}
}

func putBlock(b []byte, to block) {
	binary.NativeEndian.PutUint32(b, to.piece)
	binary.NativeEndian.PutUint32(b[4:], to.offset)
}
