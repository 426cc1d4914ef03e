package sqlclient

import (
	"fmt"

	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// A WidthError says that a column of a changelog is not as wide as Flink makes
// the columns of a type.
type WidthError struct {
	Result *Result
	Column string
	Type   datatype.Type
	Width  int // of the column
	Want   int // of a column of the type, unless its name is longer
}

// Error says what does not fit, without the place.
func (e *WidthError) Error() string {
	return fmt.Sprintf("the column %q is %d wide, and no %s, which would be %d wide", e.Column, e.Width, e.Type, e.Want)
}

// CheckWidth reports, with a *WidthError, whether a type cannot be that of the
// i-th column. The columns of a changelog are as wide as their type asks for, or
// as their name where that is longer
// (org.apache.flink.table.utils.print.TableauStyle, 1.13 to 2.3). A width that
// fits proves nothing: DECIMAL(9, 0) is as wide as INT. Of a batch result and of
// strings, FLOAT, DOUBLE and whatever else is as wide as an option says, nothing
// can be told.
func (r *Result) CheckWidth(i int, t datatype.Type) error {
	want, fixed := typeWidth(t)
	if !fixed || r.Mode != ModeStreaming || r.Ambiguous || i < 0 || i >= len(r.widths) {
		return nil
	}
	width, name := r.widths[i], r.Columns[i].Name
	if width == want || width > want && (r.Columns[i].MaybeCut || width <= max(len(name), tableau.Width([]byte(name)))) {
		return nil
	}
	return &WidthError{Result: r, Column: name, Type: t, Width: width, Want: want}
}

// typeWidth returns how wide the column of a type is whose name is short.
func typeWidth(t datatype.Type) (width int, fixed bool) {
	precision, _ := t.Precision()
	switch t.Kind() {
	case datatype.Tinyint:
		width = 4
	case datatype.Smallint:
		width = 6
	case datatype.Integer:
		width = 11
	case datatype.Bigint:
		width = 20
	case datatype.Boolean:
		width = 5
	case datatype.Date:
		width = 10
	case datatype.Decimal:
		width = precision + 2
	case datatype.Time:
		width = 8
	case datatype.Timestamp, datatype.TimestampWithLocalTimeZone:
		width = 19
	default:
		return 0, false
	}
	switch t.Kind() {
	case datatype.Time, datatype.Timestamp, datatype.TimestampWithLocalTimeZone:
		if precision > 0 {
			width += 1 + precision
		}
	case datatype.Decimal:
		if precision < 0 { // a type of old, of which nothing is known
			return 0, false
		}
	}
	return max(width, len(nullWord)), true
}
