package changelog

// An index finds the newest record of a key by the key's hash: open addressing
// with linear probing, at most three quarters full, without tombstones.
type index struct {
	slots []slot // a power of two
	used  int
}

// A slot without a record is empty. Its part of the hash spares most looks at
// the records of other keys.
type slot struct {
	hash   uint32
	record block
}

func (s *slot) empty() bool { return s.record == block{} }

// reserve makes sure that one more slot may be used.
func (x *index) reserve() {
	if (x.used+1)*4 > len(x.slots)*3 {
		x.resize()
	}
}

// resize makes the index at least a quarter and at most half full.
func (x *index) resize() {
	size := 8
	for (x.used+1)*2 > size {
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
