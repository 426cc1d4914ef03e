package changelog

import "math/bits"

// An index finds the newest record of a key by the key's hash: open addressing
// with linear probing, at most half full, without tombstones. Slots are small, and in
// a fuller index the processor mispredicts how far to look.
type index struct {
	slots []slot // a power of two
	shift uint8  // of a slot, see home
	used  int
}

// A slot says in its lower bits where a record is, and in its upper ones what the
// hash of its key is, which spares most looks at the records of other keys. 0 is
// an empty slot.
type slot uint64

// hashMask are the bits of a slot that are those of the hash.
const hashMask = ^slot(1<<blockBits - 1)

func (s slot) record() block { return block(s &^ hashMask) }

// home returns where the slot belongs. It goes by the highest bits of the hash, so
// the slots of a larger index have nearly the same order: to fill it is to write
// from its beginning to its end. An index may have more slots than there are
// hashes.
func (x *index) home(s slot) int { return int((s & hashMask) >> (x.shift & 63)) }

// full reports whether n more slots are too many.
func (x *index) full(n int) bool { return (x.used+n)*2 > len(x.slots) }

// resize makes the index at least a sixth and at most a third full once n more
// slots are used. It returns the slots that it had, emptied.
func (x *index) resize(n int) (old []slot) {
	size := 8
	for (x.used+n)*3 > size {
		size *= 2
	}
	old = x.slots
	x.slots = make([]slot, size)
	// The system gives a page for the first write to it, but if it was read before, it
	// has to take back one of zeros first.
	for i := 0; i < size; i += 4096 / 8 {
		x.slots[i] = 0
	}
	x.shift = uint8(64 - bits.TrailingZeros(uint(size)))
	for _, s := range old {
		if s != 0 {
			i := x.home(s)
			for x.slots[i] != 0 {
				i = (i + 1) & (size - 1)
			}
			x.slots[i] = s
		}
	}
	clear(old)
	return old
}

// remove empties slot i and moves up those behind it that it kept from home.
func (x *index) remove(i int) {
	mask := len(x.slots) - 1
	for j := (i + 1) & mask; x.slots[j] != 0; j = (j + 1) & mask {
		if home := x.home(x.slots[j]); (j-home)&mask >= (j-i)&mask {
			x.slots[i] = x.slots[j]
			i = j
		}
	}
	x.slots[i] = 0
	x.used--
}
