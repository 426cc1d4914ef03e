// Package placed has the rows of a printed table as they stand, see package raw, and
// lets a *changelog.Table take them from there: to make cells of a row, and to put
// these together again, costs as much as the rest of the fold.
//
// Kind and Row are types of package changelog, which imports this one.
package placed

import "github.com/seed-69e58989/flinkread/internal/tableau"

// Apply applies rows, which are a *Rows, to a *changelog.Table, as its ApplyAll does.
// Package changelog sets it.
var Apply func(table, rows any)

// Rows are rows of a table, valid as long as those they are of. None of it is to
// be changed.
type Rows[Kind ~uint8, Row any] struct {
	// Places are where the cells of plain rows stand. Without one the rows are
	// to be had from Whole alone.
	Places []tableau.Place
	// Text is what the client wrote of the rows, one behind the other, each with
	// its newline. What is behind it up to its capacity may be read, but means
	// nothing: so no load of eight bytes has to stop at the end of the text.
	Text []byte
	// Bounds tell of each row where it is.
	Bounds []Bounds[Kind]
	// Blanks are how many blanks the columns of plain rows begin with: for each row,
	// plain or not, as many as Kinds and Places together.
	Blanks []uint16
	// Cells are those of the rows that are not plain, within their row. The first
	// Kinds of a row are none of the Places: one, if it is of the row kind.
	Cells []tableau.Cell
	Kinds int
	// Marked: any cell may have marks, not only one that ends in a byte with an
	// ending (see tableau.EndingOf).
	Marked bool
	// UTF8: all of the text is.
	UTF8 bool
	// File is that in which the rows stand, see changelog.Pos.
	File string
	// Whole has the rows with their cells.
	Whole interface {
		// Row returns the i-th row. It and its strings are valid only until the
		// next call.
		Row(i int) *Row
		// Pos returns the place of the i-th row in its file.
		Pos(i int) (offset int64, line, col int)
	}
	// Lines: each row is a line of the file, so where it stands follows from where
	// the first one does, and from its place in the text.
	Lines bool
}

// Bounds tell where a row ends in the text, and where its cells are.
type Bounds[Kind ~uint8] struct {
	// End is behind the row's newline.
	End int32
	// Cells is Plain or Ended, or where the cells of the row begin in those of
	// the rows.
	Cells int32
	// Kind is the row's kind.
	Kind Kind
}

// Rows of ASCII alone are not measured: each cell is what stands in its place,
// without the blanks it begins with.
const (
	Plain = -1 // no cell has marks, unless any may
	Ended = -2 // some cell ends in a byte with an ending
)

// Start returns where the i-th row begins in the text.
func (r *Rows[Kind, Row]) Start(i int) int {
	if i == 0 {
		return 0
	}
	return int(r.Bounds[i-1].End)
}
