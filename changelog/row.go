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
	// RecoveredReturns: lines end in CR LF, and the row fits its border only where
	// the carriage returns within it are columns, as which they were kept: they are
	// the value's own, or some of the row is missing.
	RecoveredReturns
	// RecoveredNewlines: lines end in CR LF, and the row fits its border where the
	// carriage returns within it are columns, as well as without them: the value has
	// its newlines alone, and may be longer than the one that was printed.
	RecoveredNewlines

	// Recovered is the marks that say that, and how, a row was recovered.
	Recovered = RecoveredNarrow | RecoveredByBars | RecoveredWrapped | RecoveredInterrupted | RecoveredReturns | RecoveredNewlines
)

// markNames are the names of the marks, from the lowest bit on.
var markNames = [...]string{"null", "maybe cut", "narrow", "by bars", "wrapped", "interrupted", "returns", "newlines"}

// String returns the names of all marks, such as "maybe cut, wrapped"; "" for none.
func (m Marks) String() string {
	var names []string
	for bit, name := range markNames {
		if m&(1<<bit) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
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
