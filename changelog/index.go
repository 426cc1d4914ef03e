package changelog

// An index finds the newest record of a key by the key's hash: open addressing
// with linear probing, at most three quarters full, without tombstones.
type index struct {
	slots []slot // a power of two
	used  int
}

// A slot says where a record is, and its number, by which the rows are in order.
// What a slot has spares most looks at records: those at the records of other
// keys, and all of them for sorting.
type slot struct {
	hash  uint32 // of the key
	piece uint32 // of the record's block
	place uint64 // number, repeated, and the block's offset in granules; 0: empty
}

const (
	offsetBits = 15
	repeated   = 1 << offsetBits // the record is followed by where an older one is
	// numberShift leaves 48 bits for numbers, enough for ten million rows a second
	// for most of a year.
	numberShift = offsetBits + 1
)

func newSlot(hash uint32, b block, number uint64) slot {
	return slot{hash, b.piece, number<<numberShift | uint64(b.offset/granule)}
}

func (s slot) empty() bool { return s.place == 0 }

func (s slot) number() uint64 { return s.place >> numberShift }

func (s slot) record() block {
	return block{s.piece, uint32(s.place&(1<<offsetBits-1)) * granule}
}

// reserve makes sure that n more slots may be used.
func (x *index) reserve(n int) {
	if (x.used+n)*4 > len(x.slots)*3 {
		x.resize(n)
	}
}

// resize makes the index at least a quarter and at most half full once n more
// slots are used.
func (x *index) resize(n int) {
	size := 8
	for (x.used+n)*2 > size {
		size *= 2
	}
	old := x.slots
	x.slots = make([]slot, size)
	for _, s := range old {
		if !s.empty() {
			i := int(s.hash) & (size - 1)
			for !x.slots[i].empty() {
				i = (i + 1) & (size - 1)
			}
			x.slots[i] = s
		}
	}
}

// remove empties slot i and moves up those behind it that it kept from home.
func (x *index) remove(i int) {
	mask := len(x.slots) - 1
	for j := (i + 1) & mask; !x.slots[j].empty(); j = (j + 1) & mask {
		home := int(x.slots[j].hash) & mask
		if (j-home)&mask >= (j-i)&mask {
			x.slots[i] = x.slots[j]
			i = j
		}
	}
	x.slots[i] = slot{}
	x.used--
}
