package sqlclient

import (
	"bytes"
	"slices"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// NullWord sets the word that stands for null. Without it "<NULL>" does, and
// "(NULL)" does in an input in which no cell is "<NULL>" (1.13 and 1.14 print
// "(NULL)"). To know that of the input ahead, the Reader looks through it once
// if it is an io.Seeker, for "<NULL>" between bars, with blanks at most; otherwise
// through what it happens to have read, so that far behind the first "(NULL)" a
// "<NULL>" comes too late. An empty word makes blank cells null.
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

// nullWords is what is known of the words that stand for null.
type nullWords struct {
	null    string // the null word
	nullSet bool   // the caller named it
	old     oldNull
}

// mayChange reports whether a row may tell more of the words, which it may as long as
// "<NULL>" was not seen.
func (w *nullWords) mayChange() bool { return !w.nullSet && w.old != oldNullIsText }

// plainNull reports whether a cell of a plain row, none of which stands at the left edge,
// is a null word that tells more than is known of the old one.
func (t *table) plainNull(row []byte, old oldNull) bool {
	for _, p := range t.layout.Places {
		if p.Width < len(nullWord) {
			continue
		}
		cell := row[p.Start:][:p.Width]
		switch word := cell[p.Width-len(nullWord):]; {
		case string(word) != nullWord && (old != oldNullUnknown || string(word) != oldNullWord):
		case p.Width == len(nullWord) || cell[p.Width-len(nullWord)-1] == ' ':
			return true
		}
	}
	return false
}

// nullsIn reports which null words of some release the cells in the table are. They
// are those of the row that data begin with.
func (t *table) nullsIn(data []byte) (now, old bool) {
	for c, cell := range t.cells {
		n := cell.To - cell.From
		if n < len(nullWord) || n > len(nullWord) && !t.left[c] {
			continue
		}
		text := data[cell.From:cell.To]
		if t.left[c] {
			text = bytes.TrimRight(text, " ")
		}
		now = now || string(text) == nullWord
		old = old || string(text) == oldNullWord
	}
	return now, old
}

// mayHoldNull reports whether a cell in the table may be a null word. They are those of
// the row that data begin with.
func (t *table) mayHoldNull(data []byte) bool {
	var ends tableau.Endings
	for i := range t.cells {
		ends |= tableau.EndingOf(data[t.cells[i].To-1])
	}
	return ends&tableau.EndBracket != 0 || slices.Contains(t.left, true)
}

// noteNulls takes note of the null words in the row that data begin with, whose
// cells are in the table. Data are all that was read of the input from there on.
func (r *Reader) noteNulls(data []byte) {
	now, old := r.table.nullsIn(data)
	if old && r.old == oldNullUnknown {
		r.old = oldNullHolds
		now = now || r.nullAhead(data)
	}
	if now {
		r.old = oldNullIsText
	}
}

// nullAhead looks for a cell "<NULL>" in rest, what was read and is still to
// come, and in the input behind.
func (r *Reader) nullAhead(rest []byte) bool {
	var search nullSearch
	search.look(rest)
	if !search.found {
		r.in.ahead(search.look)
	}
	return search.found
}

// A nullSearch looks for "<NULL>" between bars in a text that comes piece by piece.
// Nothing but blanks may be there, too: the end of a longer value is no cell.
type nullSearch struct {
	found   bool
	barred  bool // behind a bar, of which only blanks and the word have come so far
	matched int  // bytes of the word
}

// look looks through the next piece. It reports whether to go on.
func (s *nullSearch) look(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '|':
			if s.matched == len(nullWord) {
				s.found = true
				return false
			}
			s.barred, s.matched = true, 0
		case !s.barred:
			bar := bytes.IndexByte(text[i:], '|')
			if bar < 0 {
				return true
			}
			i += bar - 1
		case c == ' ' && (s.matched == 0 || s.matched == len(nullWord)):
		case s.matched < len(nullWord) && c == nullWord[s.matched]:
			s.matched++
		default:
			s.barred, s.matched = false, 0
		}
	}
	return true
}

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
