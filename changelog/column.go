package changelog

import (
	"errors"
	"fmt"

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

// What the errors of Column.Value wrap, beside those of the types.
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
// than one way, is a *datatype.ValueError, see [datatype.Type.ParseValue]. Each
// error wraps one of these and names the column.
func (c *Column) Value(cell Cell, notation datatype.Notation) (datatype.Value, error) {
	switch {
	case cell.IsNull():
		return datatype.Value{}, nil
	case c.Type.Kind() == datatype.Unknown:
		return datatype.Value{}, &columnError{c.Name, ErrNoType}
	case cell.MaybeCut():
		return datatype.Value{}, &columnError{c.Name, ErrMaybeCut}
	}
	v, err := c.Type.ParseValue(cell.Text, notation)
	if err != nil {
		return v, &columnError{c.Name, err}
	}
	return v, nil
}

// A columnError is an error of a column's cell. Its text is made when it is asked
// for, which for cells that may be cut it rarely is.
type columnError struct {
	name string
	err  error
}

func (e *columnError) Error() string { return fmt.Sprintf("column %q: %v", e.name, e.err) }

func (e *columnError) Unwrap() error { return e.err }
