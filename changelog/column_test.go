package changelog_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
)

func TestColumnValue(t *testing.T) {
	integer, err := datatype.Parse("INT NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	typed, untyped := changelog.Column{Name: "n", Type: integer}, changelog.Column{Name: "n"}
	for _, test := range []struct {
		column changelog.Column
		cell   changelog.Cell
		want   string
		err    error
	}{
		{typed, changelog.Cell{Text: "12"}, "12", nil},
		{untyped, changelog.Cell{Text: "12"}, "null", changelog.ErrNoType},
		{typed, changelog.Cell{Text: "12", Marks: changelog.MaybeCut}, "null", changelog.ErrMaybeCut},
		{untyped, changelog.Cell{Text: "12", Marks: changelog.MaybeCut}, "null", changelog.ErrNoType},
		{typed, changelog.Cell{Text: "<NULL>", Marks: changelog.Null}, "null", nil},
		{untyped, changelog.Cell{Text: "<NULL>", Marks: changelog.Null}, "null", nil},
	} {
		v, err := test.column.Value(test.cell, datatype.CastNotation)
		if got := string(v.AppendJSON(nil)); got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%v of %v is %s, %v", test.cell, test.column.Type, got, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), `column "n": `) {
			t.Errorf("%v names no column", err)
		}
	}
	_, err = typed.Value(changelog.Cell{Text: "twelve"}, datatype.CastNotation)
	var value *datatype.ValueError
	if !errors.As(err, &value) || value.Text != "twelve" || !strings.HasPrefix(err.Error(), `column "n": `) {
		t.Errorf("%v", err)
	}
}

// The type of a column makes a number of its text, digit for digit.
func ExampleColumn_Value() {
	amount, err := datatype.Parse("DECIMAL(38, 2)")
	if err != nil {
		panic(err)
	}
	column := changelog.Column{Name: "amount", Type: amount}
	v, err := column.Value(changelog.Cell{Text: "1227.90"}, datatype.CastNotation)
	if err != nil {
		panic(err)
	}
	d, _ := v.Decimal()
	fmt.Println(d)
	// Output: 1227.90
}
