// Package raw hands the rows of a *sqlclient.Rows to the binaries as they stand:
// what costs most of a row is to find the texts of its cells, and who formats
// rows by their places spares it. Importers of sqlclient cannot see any of it,
// since a row comes with what stands behind it, which must not be changed.
package raw

import (
	"iter"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// Of returns the rows of a *sqlclient.Rows. Package sqlclient sets it.
var Of func(rows any) Rows

// Rows are rows of a table. They are valid as long as those they are of.
type Rows interface {
	// Places returns where the cells of plain rows stand. They are not to be
	// changed.
	Places() []tableau.Place
	// All iterates over the rows.
	All() iter.Seq[Row]
	// Row returns the row that All yielded as the i-th. It and its strings are valid
	// only as long as that.
	Row(i int, text []byte) *changelog.Row
}

// A Row is a row before its cells are looked for, valid only until the next one.
type Row struct {
	// Kind is the row's kind.
	Kind changelog.RowKind
	// Plain: the row is ASCII alone, and each cell is what stands in its place,
	// without the blanks it begins with. No cell has marks.
	Plain bool
	// Text is what the client wrote of the row, with its newline. What is behind it
	// up to its capacity may be read, but means nothing: so no load of eight bytes
	// has to stop at the row's end.
	Text []byte
	// Rows are those that the row is one of, as the I-th.
	Rows Rows
	I    int
}

// Row returns the row with its cells, valid as long as r.
func (r Row) Row() *changelog.Row { return r.Rows.Row(r.I, r.Text) }
