// Package raw hands the rows of a *sqlclient.Rows to the binaries as they stand:
// what costs most of a row is to make cells of it, and who formats rows by the
// places of their texts spares it. Importers of sqlclient cannot see any of it,
// since the rows come with what stands behind them, which must not be changed.
package raw

import (
	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/placed"
)

// Of returns the rows of a *sqlclient.Rows. Package sqlclient sets it.
var Of func(rows any) Rows

// Rows are rows of a table as they stand.
type Rows = placed.Rows[changelog.RowKind, changelog.Row]

// Bounds tell where a row is.
type Bounds = placed.Bounds[changelog.RowKind]

// What Bounds may say instead of where the cells of a row are.
const (
	Plain = placed.Plain
	Ended = placed.Ended
)
