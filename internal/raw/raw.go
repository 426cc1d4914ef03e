// Package raw hands the rows of a *sqlclient.Rows to the binaries as they stand:
// what costs most of a row is to find the texts of its cells, and who formats
// rows by their places spares it. Importers of sqlclient cannot see any of it,
// since a row comes with what stands behind it, which must not be changed.
package raw

import (
	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// Of returns the rows of a *sqlclient.Rows. Package sqlclient sets it.
var Of func(rows any) Rows

// Rows are rows of a table, valid as long as those they are of. To look at them
// allocates nothing.
type Rows interface {
	// Places returns where the cells of plain rows stand. They are not to be
	// changed.
	Places() []tableau.Place
	// Len returns the number of rows.
	Len() int
	// At returns the i-th row.
	At(i int) Row
	// Row returns the i-th row with its cells. It and its strings are valid only until
	// the next call.
	Row(i int) *changelog.Row
}

// A Row is a row before its cells are looked for.
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
}
