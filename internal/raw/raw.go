// Package raw hands the rows of a *sqlclient.Rows to the binaries as they stand:
// what costs most of a row is to make cells of it, and who formats rows by the
// places of their texts spares it. Importers of sqlclient cannot see any of it,
// since the rows come with what stands behind them, which must not be changed.
package raw

import (
	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// Of returns the rows of a *sqlclient.Rows. Package sqlclient sets it.
var Of func(rows any) Rows

// Rows are rows of a table, valid as long as those they are of. None of it is to
// be changed.
type Rows struct {
	// Places are where the cells of plain rows stand. Without one the rows are
	// to be had from Whole alone.
	Places []tableau.Place
	// Text is what the client wrote of the rows, one behind the other, each with
	// its newline. What is behind it up to its capacity may be read, but means
	// nothing: so no load of eight bytes has to stop at the end of the text.
	Text []byte
	// Bounds tell of each row where it is.
	Bounds []Bounds
	// Cells are those of the rows that are not plain, within their row. The first
	// Kinds of a row are none of the Places: one, if it is of the row kind.
	Cells []tableau.Cell
	Kinds int
	// Marked: any cell may have marks, not only one that ends in a byte with an
	// ending (see tableau.EndingOf).
	Marked bool
	// UTF8: all of the text is.
	UTF8 bool
	// Whole has the rows with their cells.
	Whole interface {
		// Row returns the i-th row. It and its strings are valid only until the
		// next call.
		Row(i int) *changelog.Row
	}
}

// Bounds tell where a row ends in the text, and where its cells are.
type Bounds struct {
	// End is behind the row's newline.
	End int32
	// Cells is Plain or Ended, or where the cells of the row begin in those of
	// the rows.
	Cells int32
	// Kind is the row's kind.
	Kind changelog.RowKind
}

// Rows of ASCII alone are not measured: each cell is what stands in its place,
// without the blanks it begins with.
const (
	Plain = -1 // no cell has marks, unless any may
	Ended = -2 // some cell ends in a byte with an ending
)

// Start returns where the i-th row begins in the text.
func (r *Rows) Start(i int) int {
	if i == 0 {
		return 0
	}
	return int(r.Bounds[i-1].End)
}
