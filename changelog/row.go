package changelog

import (
	"strconv"
	"strings"
)

// A Pos is a place in a file. The zero Pos is no place.
type Pos struct {
	File   string // as the caller named it; may be empty
	Offset int64  // bytes before the place
	Line   int    // from 1
	Col    int    // in bytes, from 1
}

// IsValid reports whether p is a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String returns "file:line:col", without the file where it has no name, and
// "-" for no place.
func (p Pos) String() string {
	if !p.IsValid() {
		if p.File != "" {
			return p.File
		}
		return "-"
	}
	s := strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
	if p.File != "" {
		s = p.File + ":" + s
	}
	return s
}

// Marks say what the text of a cell may mean. They never change the text.
type Marks uint8

const (
	// Null: the text is the word that the release prints for null. A string
	// of the same letters prints no other way, so it carries the mark too.
	Null Marks = 1 << iota
	// MaybeCut: the text fills its column and ends in "...", so Flink may
	// have cut the value. A value may also end so.
	MaybeCut
	// RecoveredNarrow: the row is narrower than its border, because an output
	// encoding wrote "?" for characters that Flink counted as wide; the cells
	// were found by how many columns each may lack.
	RecoveredNarrow
	// RecoveredByBars: the row does not fit its border; the cells were found
	// by its bars, of which there are just as many as columns need.
	RecoveredByBars
	// RecoveredWrapped: a terminal, or who copied from it, broke the row into
	// several lines, which were put together; with RecoveredByBars they lack
	// columns, taken to be blanks.
	RecoveredWrapped
	// RecoveredInterrupted: another program wrote lines into the midst of the row,
	// which were taken out.
	RecoveredInterrupted
	// RecoveredReturns: lines end in CR LF, and the row fits its border, perhaps not
	// only, where the carriage returns within it are columns: they are the value's
	// own, or some of the row is missing.
	RecoveredReturns

	// Recovered is the marks that say that, and how, a row was recovered.
	Recovered = RecoveredNarrow | RecoveredByBars | RecoveredWrapped | RecoveredInterrupted | RecoveredReturns
)

// String says the marks in words, parted by commas; "" for none. Of several
// ways in which a row was recovered it says what tells most.
func (m Marks) String() string {
	var words []string
	if m&Null != 0 {
		words = append(words, "null")
	}
	if m&MaybeCut != 0 {
		words = append(words, "maybe cut")
	}
	switch {
	case m&Recovered == 0:
	case m&RecoveredWrapped != 0 && m&RecoveredByBars != 0:
		words = append(words, "broken into several lines, which lack blanks and were put together by their bars")
	case m&RecoveredWrapped != 0:
		words = append(words, "broken into several lines, which were put together")
	case m&RecoveredInterrupted != 0:
		words = append(words, "lines of another program were taken out of it")
	case m&RecoveredReturns != 0:
		words = append(words, "lines end in CR LF, but it fits its border where those within it are the value's own")
	case m&RecoveredNarrow != 0:
		words = append(words, "narrower than its border: an output encoding replaced wide characters by ?")
	default:
		words = append(words, "does not fit its border: its cells were found by its bars")
	}
	return strings.Join(words, ", ")
}

// A Cell is one value of a row, as text.
type Cell struct {
	Text  string // as printed, without the padding
	Marks Marks
}

// IsNull reports whether the cell may be null: its text is the null word.
func (c Cell) IsNull() bool { return c.Marks&Null != 0 }

// MaybeCut reports whether the printed text may be shorter than the value.
func (c Cell) MaybeCut() bool { return c.Marks&MaybeCut != 0 }

// A Row is one row of a changelog or of a batch result.
type Row struct {
	Kind  RowKind
	Cells []Cell
	Pos   Pos // of the row's first byte
}

// Recovered returns the marks that say how the row was recovered; none if it
// fits its border.
func (r *Row) Recovered() Marks {
	if len(r.Cells) == 0 {
		return 0
	}
	return r.Cells[0].Marks & Recovered
}
