package sqlclient

import (
	"bytes"
	"io"

	"github.com/seed-69e58989/flinkread/changelog"
)

// NullWord sets the word that stands for null. Without it "<NULL>" does, and
// "(NULL)" does in an input in which no cell is "<NULL>" (1.13 and 1.14 print
// "(NULL)"). To know that of the input ahead, the Reader looks through it once
// if it is an io.Seeker; otherwise only the cells before count. An empty word
// makes blank cells null.
func NullWord(word string) Option {
	return func(r *Reader) { r.nullSet, r.null = true, word }
}

// oldNull is what is known of the null word of 1.13 and 1.14.
type oldNull uint8

const (
	oldNullUnknown oldNull = iota
	oldNullHolds           // no cell of the input is "<NULL>"
	oldNullIsText          // some cell is
)

const (
	nullWord    = "<NULL>"
	oldNullWord = "(NULL)"
)

// noteNulls takes note of the cells in the table that are the null word of some
// release. They are those of the row that data begin with, which are all that
// was read of the input from there on.
func (r *Reader) noteNulls(data []byte) {
	t := &r.table
	for c, cell := range t.cells {
		text := data[cell.From:cell.To]
		if t.left[c] {
			text = bytes.TrimRight(text, " ")
		}
		switch string(text) {
		case nullWord:
			r.old = oldNullIsText
		case oldNullWord:
			if r.old == oldNullUnknown && !r.nullAhead(data) {
				r.old = oldNullHolds
			}
		}
	}
}

// nullAhead looks for a cell "<NULL>" in rest, what was read and is still to
// come, and in the input behind. It sets old if it knows.
func (r *Reader) nullAhead(rest []byte) bool {
	const cell = " " + nullWord + " |"
	if bytes.Contains(rest, []byte(cell)) {
		r.old = oldNullIsText
		return true
	}
	s, ok := r.in.src.(io.ReadSeeker)
	if !ok {
		return false
	}
	back, err := s.Seek(0, io.SeekCurrent)
	if err != nil { // a pipe
		return false
	}
	found := false
	window := make([]byte, 64<<10)
	kept := copy(window, tail(rest, len(cell)-1))
	for !found && err == nil {
		var n int
		n, err = readSome(s, window[kept:])
		found = bytes.Contains(window[:kept+n], []byte(cell))
		kept = copy(window, tail(window[:kept+n], len(cell)-1))
	}
	if _, err := s.Seek(back, io.SeekStart); err != nil {
		r.in.err = err
	}
	if found {
		r.old = oldNullIsText
	}
	return found
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// unmarkOldNulls takes the mark of null from cells "(NULL)" that came before
// the first "<NULL>", where the source could not be looked through ahead.
func (t *Transcript) unmarkOldNulls() {
	for _, res := range t.Results() {
		for _, row := range res.Rows {
			for i := range row.Cells {
				if row.Cells[i].Text == oldNullWord {
					row.Cells[i].Marks &^= changelog.Null
				}
			}
		}
	}
}
