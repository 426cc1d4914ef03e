package changelog

import (
	"encoding/binary"
	"iter"
)

// Diff compares rows, such as those of a final table, with the rows wanted, as
// multisets: their order does not count, how often a row occurs does. missing
// are the rows of want that got lacks, extra those of got that want lacks, each
// in the order in which they came; both are nil if there is no difference.
//
// Rows are equal if they have the same number of cells and their texts are the
// same, byte for byte, or null on both sides: a null is equal to a null,
// whatever word was printed for it, and to nothing else. Whoever makes the rows
// of want marks null cells Null. Kinds, places and other marks do not take
// part: a cell that was cut is not equal to the whole value.
//
// Diff keeps rows while it runs, and returns them as they were given, so they
// must not be reused by whoever yields them. Those of Table.Rows are not.
func Diff(got, want iter.Seq[Row]) (missing, extra []Row) {
	var wanted []Row
	open := make(map[string]int)
	var key []byte
	for r := range want {
		key = appendKey(key[:0], r)
		open[string(key)]++
		wanted = append(wanted, r)
	}
	for r := range got {
		key = appendKey(key[:0], r)
		if open[string(key)] == 0 {
			extra = append(extra, r)
			continue
		}
		open[string(key)]--
	}
	for _, r := range wanted {
		key = appendKey(key[:0], r)
		if open[string(key)] > 0 {
			open[string(key)]--
			missing = append(missing, r)
		}
	}
	return missing, extra
}

// appendKey appends what rows are compared by in Diff.
func appendKey(b []byte, r Row) []byte {
	for _, c := range r.Cells {
		if c.IsNull() {
			b = append(b, 1)
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(c.Text))<<1)
		b = append(b, c.Text...)
	}
	return b
}
