package changelog

import (
	"strconv"

	"github.com/seed-69e58989/flinkread/datatype"
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
	// Recovered: the row did not fit its border; the cell's bounds were found
	// by its bars, or by widths in which "?" may stand for a wide character.
	Recovered
)

// A Cell is one value of a row, as text.
type Cell struct {
	Text  string // as printed, without the padding
	Marks Marks
}

// IsNull reports whether the cell may be null: its text is the null word.
func (c Cell) IsNull() bool { return c.Marks&Null != 0 }

// MaybeCut reports whether the printed text may be shorter than the value.
func (c Cell) MaybeCut() bool { return c.Marks&MaybeCut != 0 }

// A Column is a column of a result.
type Column struct {
	Name     string        // as printed; names may repeat
	MaybeCut bool          // the name fills its column and ends in "..."
	Type     datatype.Type // the zero Type: not known
}

// A Row is one row of a changelog or of a batch result.
type Row struct {
	Kind  RowKind
	Cells []Cell
	Pos   Pos // of the row's first byte
}
