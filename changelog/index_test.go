package changelog

import (
	"math/bits"
	"testing"
)

// Where a slot belongs depends on its hash alone, also in an index of more slots than
// there are hashes, and follows its order.
func TestHome(t *testing.T) {
	const hashes = 64 - blockBits
	for size := 3; size < min(48, bits.UintSize-1); size++ { // the number of slots is an int
		x := index{shift: uint8(64 - size)}
		last := -1
		for k := range 1 << 8 {
			hash := slot(k) << 56
			home := x.home(hash)
			if home != x.home(hash|^hashMask) || home >= 1<<size || home < last || size >= 8 && home == last {
				t.Fatalf("of 1<<%d slots, %#x belongs to %d, and one with a record to %d; before was %d", size, hash, home, x.home(hash|^hashMask), last)
			}
			last = home
		}
		if size >= hashes && x.home(1<<blockBits) != 1<<(size-hashes) {
			t.Errorf("of 1<<%d slots, the second hash belongs to %d", size, x.home(1<<blockBits))
		}
	}
}
