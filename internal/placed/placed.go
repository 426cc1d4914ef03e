// Package placed lets a *changelog.Table take the plain rows of a *sqlclient.Rows
// from where they stand. Most of what it costs to apply one is to find the texts of
// its cells, to make strings of them, and to put these together again. As of package
// raw, importers of changelog and sqlclient see nothing of it.
package placed

import "github.com/seed-69e58989/flinkread/internal/tableau"

// Apply applies rows, which are a Rows[changelog.Row], to a *changelog.Table, as
// its ApplyAll does. Package changelog sets it.
var Apply func(table, rows any)

// Rows are rows of a printed table. They are asked for in their order.
type Rows[R any] interface {
	// Places returns where the cells of plain rows stand.
	Places() []tableau.Place
	// File returns the name of the file that the rows stand in.
	File() string
	// Len returns the number of rows.
	Len() int
	// Plain sets row to the i-th row, and reports whether that is plain: the row is
	// ASCII alone, and each cell is what stands in its place, without the blanks
	// that it begins with, and has no marks.
	Plain(i int, row *Row) bool
	// Row returns the i-th row with its cells. It and its strings are valid only
	// until the next call.
	Row(i int) *R
}

// A Row is a plain row.
type Row struct {
	Kind uint8 // a changelog.RowKind
	// Text is what the client wrote of the row. What is behind it up to its capacity
	// may be read, but means nothing.
	Text      []byte
	Offset    int64 // as in changelog.Pos
	Line, Col int
}
