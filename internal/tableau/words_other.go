//go:build !amd64

package tableau

const hasAVX2 = false

// frames are nothing here.
type frames struct{ printed, any struct{} }

func newFrames(*Layout) (f frames) { return f }

// plainWords leaves all rows to Plain.
func (l *Layout) plainWords(_ struct{}, data []byte, ink []uint64, looks []Looks) (n int, refused bool) {
	return 0, false
}

// InkWords returns 0: there is no ink.
func (l *Layout) InkWords() int { return 0 }

// Blanks returns false: there is no ink.
func (l *Layout) Blanks(counts []uint16, ink []uint64, rows int) bool { return false }

// splitWords leaves all cells to splitSome.
func (l *Layout) splitWords(data []byte, cells []Cell) (i, p, control int) { return 0, 2, 0 }
