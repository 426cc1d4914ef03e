package changelog

import (
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/word"
)

// A seed makes the hashes of a table its own, so that no file can hold keys that
// meet in one slot. The zero seed is none.
type seed [2]uint64

func newSeed() seed { return seed{rand.Uint64() | 1, rand.Uint64()} }

// hash sets the hashes of changes by their keys in text, as far as a slot has them.
// Behind a key are 16 bytes of something, which do not count.
//
// As wyhash does it, sixteen bytes are multiplied with each other, some of the last
// a second time. Nobody knows the factors who does not know the seed.
func (s seed) hash(changes []change, text []byte) {
	for i := range changes {
		c := &changes[i]
		n := c.key - c.start - recordHead
		p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(text)), c.start+recordHead)
		h := s[1] ^ uint64(n)
		var x, y uint64
		if n >= 16 {
			for ; n > 16; n -= 16 {
				h = mix(word.Load(p, 0)^s[0], word.Load(p, 8)^h)
				p = unsafe.Add(p, 16)
			}
			p = unsafe.Add(p, n-16)
			x, y = word.Load(p, 0), word.Load(p, 8)
		} else {
			x = word.Load(p, 0) &^ (^uint64(0) << (8 * uint(n)))
			y = word.Load(p, 8) &^ (^uint64(0) << (8 * uint(max(n-8, 0))))
		}
		c.hash = slot(mix(mix(x^s[0], y^h), s[0])) & hashMask
	}
}

func mix(x, y uint64) uint64 {
	high, low := bits.Mul64(x, y)
	return high ^ low
}
