package changelog

import (
	"errors"

	"github.com/seed-69e58989/flinkread/datatype"
)

// A Column is a column of a result.
type Column struct {
	Name     string // as printed; names may repeat
	MaybeCut bool   // the name fills its column and ends in "..."
	// Type is the data type. The zero Type is an unknown one: what a result
	// prints does not tell it, so whoever knows it sets it.
	Type datatype.Type
}

// The errors of Column.Value, beside those of the types.
var (
	ErrNoType   = errors.New("the column's type is not known")
	ErrMaybeCut = errors.New("the cell may be cut")
)

// Value reads a cell of the column by the column's type. A null is the zero
// Value.
//
// A cell is not read, and the error says so, if the column has no type
// (ErrNoType) or if its text may have been cut (ErrMaybeCut): what is left of a
// number may be a number. A text that the type does not have, or has in more
// than one way, is a *datatype.ValueError, see [datatype.Type.ParseValue].
func (c *Column) Value(cell Cell, notation datatype.Notation) (datatype.Value, error) {
	switch {
	case cell.IsNull():
		return datatype.Value{}, nil
	case c.Type.Kind() == datatype.Unknown:
		return datatype.Value{}, ErrNoType
	case cell.MaybeCut():
		return datatype.Value{}, ErrMaybeCut
	}
	return c.Type.ParseValue(cell.Text, notation)
}
