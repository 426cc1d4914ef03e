package changelog

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

// The hash depends on every byte of the key, on how many they are, and on the seed,
// but not on what is behind.
func TestHash(t *testing.T) {
	one, other := newSeed(), newSeed()
	hash := func(s seed, key []byte, behind byte) slot {
		text := slices.Concat(make([]byte, 3+recordHead), key, slices.Repeat([]byte{behind}, 16))
		changes := []change{{start: 3, key: 3 + recordHead + len(key)}}
		s.hash(changes, text)
		return changes[0].hash
	}
	for n := range 70 {
		key := make([]byte, n)
		want := hash(one, key, 0)
		if got := hash(one, key, 0xff); got != want {
			t.Errorf("the hash of %d bytes depends on what is behind", n)
		}
		if want&^hashMask != 0 {
			t.Errorf("the hash of %d bytes is %#x", n, want)
		}
		if hash(other, key, 0) == want || hash(one, append(key, 0), 0) == want {
			t.Errorf("the hash of %d bytes is that by another seed, or of more", n)
		}
		for i := range key {
			if key[i] = 1; hash(one, key, 0) == want {
				t.Errorf("the hash of %d bytes does not depend on byte %d", n, i)
			}
			key[i] = 0
		}
	}
}

// Cells are compared up to their last byte, and no further.
func TestHeadBefore(t *testing.T) {
	for n := range 70 {
		block := make([]uint64, 1+n/8+1)
		cells := slices.Concat(make([]byte, n), slices.Repeat([]byte{0xff}, 8))
		equal := func() bool { return (*head)(unsafe.Pointer(&block[0])).before(unsafe.Pointer(&cells[0]), n) }
		if !equal() {
			t.Errorf("%d equal bytes are not", n)
		}
		for i := range n {
			if cells[i] = 1; equal() {
				t.Errorf("%d bytes are equal that differ at %d", n, i)
			}
			cells[i] = 0
		}
	}
}

func TestHead(t *testing.T) {
	for _, number := range []uint64{1, 1<<48 - 1} {
		if h := newHead(classes-1, 0xff, number); h.class() != classes-1 || h.flags() != 0xff || h.number() != number {
			t.Errorf("class %d, flags %x, number %d; want %d", h.class(), h.flags(), h.number(), number)
		}
	}
}

// Keys that count up are spread over an index as if by chance.
func TestHashSpreads(t *testing.T) {
	s := newSeed()
	for _, format := range []string{"%d", "%08d", "%024d", "customer-%06d", "%d is the number of a customer", "%0200d", "%032b"} {
		const size = 1 << 16
		x := index{shift: 64 - 16}
		var changes []change
		var text []byte
		for k := range size {
			start := len(text)
			text = fmt.Appendf(append(text, make([]byte, recordHead)...), format, k)
			changes = append(changes, change{start: start, key: len(text)})
		}
		s.hash(changes, append(text, make([]byte, 16)...))
		seen, empty := make([]bool, size), size
		for _, c := range changes {
			if home := x.home(c.hash); !seen[home] {
				seen[home] = true
				empty--
			}
		}
		if share := float64(empty) / size; share < 0.35 || share > 0.39 {
			t.Errorf("of the keys %q, %.3f of as many slots are nobody's home, want 1/e", format, share)
		}
	}
}
