package jsontext

// An Array is a JSON array that is written one element after the other, each
// on a line of its own. The zero Array has no element yet.
type Array struct{ n int }

// AppendNext appends what stands before the next element.
func (a *Array) AppendNext(dst []byte) []byte {
	a.n++
	if a.n == 1 {
		return append(dst, "[\n"...)
	}
	return append(dst, ",\n"...)
}

// AppendEnd appends what ends the array.
func (a *Array) AppendEnd(dst []byte) []byte {
	if a.n == 0 {
		return append(dst, "[]"...)
	}
	return append(dst, "\n]"...)
}
