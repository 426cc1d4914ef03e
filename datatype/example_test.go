package datatype_test

import (
	"errors"
	"fmt"

	"github.com/seed-69e58989/flinkread/datatype"
)

func ExampleParse() {
	t, err := datatype.Parse("ROW<`id` BIGINT NOT NULL, `ts` TIMESTAMP(3) *ROWTIME*, `tags` ARRAY<STRING>>")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range t.Fields() {
		fmt.Println(f.Name, f.Type.Kind(), f.Type.IsNullable(), f.Type.TimeAttribute() == datatype.Rowtime)
	}
	// Output:
	// id BIGINT false false
	// ts TIMESTAMP_WITHOUT_TIME_ZONE true true
	// tags ARRAY true false
}

func ExampleFromJSON() {
	t, err := datatype.FromJSON([]byte(`{"type":"ROW","fields":[{"name":"a","fieldType":"INT"},{"name":"pt","fieldType":{"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE","nullable":false,"precision":3,"kind":"PROCTIME"}}]}`))
	fmt.Println(t, err)
	// Output: ROW<`a` INT, `pt` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*> <nil>
}

func ExampleSyntaxError() {
	_, err := datatype.Parse("ROW<`a` INT, `b` STRINGG(3)>")
	var e *datatype.SyntaxError
	if errors.As(err, &e) {
		fmt.Println(e.Offset, e.Msg)
	}
	// Output: 24 unexpected "(3)"
}

func ExampleType_ParseValue() {
	t, err := datatype.Parse("ROW<user STRING, amount DECIMAL(10, 2)>")
	if err != nil {
		fmt.Println(err)
		return
	}
	// The string holds what separates fields, but only one reading fits the types.
	v, err := t.ParseValue("(Doe, Jane, 12.50)", datatype.CastNotation)
	fmt.Printf("%s %v\n", v.AppendJSON(nil), err)

	amount, _ := v.Elements()[1].Decimal()
	fmt.Println(amount)
	// Output:
	// {"user":"Doe, Jane","amount":12.50} <nil>
	// 12.50
}

// An array of strings never tells where one ends. What was most likely meant comes with an error that says so.
func ExampleType_ParseValue_ambiguous() {
	t, err := datatype.Parse("ARRAY<STRING>")
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := t.ParseValue("[red, green]", datatype.CastNotation)
	fmt.Printf("%s %v\n", v.AppendJSON(nil), errors.Is(err, datatype.ErrAmbiguous))
	// Output: ["red","green"] true
}
