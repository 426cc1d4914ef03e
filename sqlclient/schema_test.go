package sqlclient

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
)

// schemasOf gives for each result of a transcript that is no DESCRIBE what its
// types are taken from.
func schemasOf(t *testing.T, input string) (found []string, schemas *Schemas) {
	t.Helper()
	transcript, err := Read(strings.NewReader(input), "f")
	if err != nil {
		t.Fatal(err)
	}
	schemas = &Schemas{}
	for _, r := range transcript.Results() {
		for _, row := range r.Rows {
			schemas.Add(r, &row)
		}
		if Describes(r) {
			continue
		}
		schema, err := schemas.Of(r)
		text := "none"
		if schema != nil {
			text = fmt.Sprint(schema.Result.Number)
		}
		if err != nil {
			text += " " + err.Error()
		}
		found = append(found, text)
	}
	return found, schemas
}

// box draws a table of one width, as the client prints it.
func box(footer string, widths []int, rows ...[]string) string {
	var b strings.Builder
	border := "+"
	for _, w := range widths {
		border += strings.Repeat("-", w+2) + "+"
	}
	b.WriteString(border + "\n")
	for i, row := range rows {
		for c, cell := range row {
			fmt.Fprintf(&b, "| %*s ", widths[c], cell)
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(border + "\n")
		}
	}
	return b.String() + border + "\n" + footer + "\n"
}

// described draws what DESCRIBE prints of columns such as "a INT".
func described(columns ...string) string {
	rows := [][]string{{"name", "type", "null", "key", "extras", "watermark"}}
	for _, c := range columns {
		name, typ, _ := strings.Cut(c, " ")
		typ, notNull := strings.CutSuffix(typ, " NOT NULL")
		rows = append(rows, []string{name, typ, map[bool]string{true: "FALSE", false: "TRUE"}[notNull], "", "", ""})
	}
	footer := fmt.Sprintf("%d rows in set", len(columns))
	if len(columns) == 1 {
		footer = "1 row in set"
	}
	return box(footer, []int{8, 40, 5, 5, 6, 9}, rows...)
}

func batchOf(names ...string) string {
	var widths []int
	var row []string
	for _, name := range names {
		widths, row = append(widths, max(len(name), 1)), append(row, "1")
	}
	return box("1 row in set", widths, names, row)
}

func streamingOf(width int, name string) string {
	return box("Received a total of 1 row", []int{2, width}, []string{"op", name}, []string{"+I", "1"})
}

func TestSchemas(t *testing.T) {
	const p = "Flink SQL> "
	ab := described("a INT", "b STRING")
	for _, test := range []struct{ name, input, want string }{
		{"not printed", p + ab + p + batchOf("a", "b"), "1"},
		{"other names", p + ab + p + batchOf("a", "c"), "none"},
		{"other order", p + ab + p + batchOf("b", "a"), "none"},
		{"other count", p + ab + p + batchOf("a"), "none"},
		{"more columns", p + ab + p + batchOf("a", "b", "c"), "none"},
		{"described later", p + batchOf("a", "b") + p + ab, "none"},
		{"another case", p + ab + p + batchOf("A", "b"), "none"},

		{"the table's own", p + "DESCRIBE t;\n" + ab + p + "SELECT * FROM t;\n" + batchOf("a", "b"), "1"},
		{"in full", p + "desc t;\n" + ab + p + "select *\nfrom `c`.d.`t`;\n" + batchOf("a", "b"), "1"},
		{"another table", p + "DESCRIBE t;\n" + ab + p + "SELECT * FROM u;\n" + batchOf("a", "b"), "none"},
		{"another database", p + "DESCRIBE d.t;\n" + ab + p + "SELECT * FROM e.t;\n" + batchOf("a", "b"), "none"},
		{"a condition", p + ab + p + "SELECT * FROM t WHERE f(a)" + batchOf("a", "b"), "1"},
		{"a hint and an order", p + ab + p + "SELECT * FROM t /*+ OPTIONS('x'='y') */ ORDER BY f(a)" + batchOf("a", "b"), "1"},
		{"a comment", p + ab + p + "-- (all)\n> SELECT * FROM t WHERE f(a)" + batchOf("a", "b"), "1"},
		{"a cast", p + ab + p + "SELECT CAST(a AS STRING)" + batchOf("a", "b"), "none"},
		{"new names", p + ab + p + "SELECT * FROM t AS t(a, b)" + batchOf("a", "b"), "none"},
		{"a union", p + ab + p + "SELECT * FROM t UNION SELECT f(a)" + batchOf("a", "b"), "none"},
		{"a subquery", p + ab + p + "SELECT * FROM (SELECT a, b FROM f(x))" + batchOf("a", "b"), "none"},
		{"columns by name", p + "DESCRIBE t;\n" + ab + p + "SELECT a, b FROM t;\n" + batchOf("a", "b"), "none"},

		{"two of one kind", p + ab + p + ab + p + batchOf("a", "b"), "2"},
		{"two that differ", p + ab + p + described("a INT", "b INT") + p + batchOf("a", "b"),
			"none f:15:12: the descriptions at f:1:12 and f:8:12 have its columns, with different types"},
		{"two that differ in what does not matter", p + described("a INT", "b TIMESTAMP(3) *ROWTIME*") + p + described("a INT NOT NULL", "b TIMESTAMP(3)") + p + batchOf("a", "b"), "2"},
		{"the newest of one table", p + "DESC t;\n" + ab + p + "DESC t;\n" + described("a INT", "b INT") + p + "SELECT * FROM t;\n" + batchOf("a", "b"), "2"},
		{"another table of the names", p + "DESC u;\n" + described("a INT", "b INT") + p + "DESC t;\n" + ab + p + "SELECT * FROM t;\n" + batchOf("a", "b"), "2"},

		{"a width that fits", p + described("a INT") + p + streamingOf(11, "a"), "1"},
		{"a wide name", p + described("a_long_name INT") + p + streamingOf(11, "a_long_name"), "1"},
		{"a width that does not", p + described("a INT") + p + streamingOf(20, "a"),
			`none f:7:12: the description at f:1:12 has its columns, but is that of something else: the column "a" is 20 wide, and no INT, which would be 11 wide`},

		{"a select of the same columns", p + "SELECT name, type, f(x)" + ab + p + batchOf("a", "b"), "none none"},
		{"a type of no release", p + described("a INT", "b WHAT<INT>") + p + batchOf("a", "b"), "none"},
		{"no boolean", p + strings.Replace(ab, " TRUE", "maybe", 1) + p + batchOf("a", "b"), "none"},
		{"cut off", p + strings.TrimSuffix(ab, "2 rows in set\n")[:len(ab)-100] + "\n" + p + batchOf("a", "b"), "none"},
		{"no description", p + batchOf("a"), "none"},
		{"a program", ab + batchOf("a", "b"), "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, _ := schemasOf(t, test.input+"\n"+p+"\n")
			if diff := cmp.Diff(test.want, strings.Join(found, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A DESCRIBE that is kept shares no memory with rows that are handed out again.
func TestSchemasOwnTheirText(t *testing.T) {
	input := "Flink SQL> " + described("a INT NOT NULL", "b TIMESTAMP(3) *ROWTIME* NOT NULL") + "Flink SQL> " + described("x DATE", "y TIME(0)") + "Flink SQL> " + batchOf("a", "b") + "\nFlink SQL> \n"
	var schemas Schemas
	outline := NewOutline("f", nil)
	var got []changelog.Column
	var current *Result
	for rec, err := range NewReader(strings.NewReader(input), "f", BatchRows()).Records() {
		if err != nil {
			t.Fatal(err)
		}
		if r := outline.Add(rec); r != nil {
			current = r
		}
		rows, ok := rec.(*Rows)
		if !ok {
			continue
		}
		if schema, err := schemas.Of(current); schema != nil && err == nil {
			got = schema.Columns
		}
		for row := range rows.All() {
			schemas.Add(current, row)
		}
	}
	types := make([]string, 0, 2)
	for _, c := range got {
		types = append(types, c.Name+" "+c.Type.String())
	}
	if diff := cmp.Diff([]string{"a INT NOT NULL", "b TIMESTAMP(3) NOT NULL *ROWTIME*"}, types); diff != "" {
		t.Error(diff)
	}
}

func TestSchemasAreLimited(t *testing.T) {
	var schemas Schemas
	var columns []changelog.Column
	for _, name := range describeColumns[:6] {
		columns = append(columns, changelog.Column{Name: name})
	}
	row := changelog.Row{Cells: []changelog.Cell{{Text: "a"}, {Text: "INT"}, {Text: "TRUE"}, {}, {}, {}}}
	for range maxColumns + 10 {
		schemas.Add(&Result{Mode: ModeBatch, Columns: columns, End: EndFinished}, &row)
	}
	_, err := schemas.Of(&Result{Statement: &Statement{}, Mode: ModeBatch, Columns: []changelog.Column{{Name: "a"}}})
	var e *SchemaError
	if !errors.As(err, &e) || !strings.Contains(e.Msg, "too many") {
		t.Errorf("%v", err)
	}
}

// TestCheckWidth: whatever a release prints in streaming mode is as wide as the
// type of its column asks for, and not as wide as a type that asks for more.
func TestCheckWidth(t *testing.T) {
	types := map[string]string{
		"f_boolean": "BOOLEAN", "f_tinyint": "TINYINT", "f_smallint": "SMALLINT", "f_int": "INT", "f_bigint": "BIGINT",
		"f_float": "FLOAT", "f_decimal": "DECIMAL(10, 4)", "f_decimal38": "DECIMAL(38, 18)", "f_string": "STRING",
		"f_date": "DATE", "f_time": "TIME(0)", "f_ts0": "TIMESTAMP(0)", "f_ts3": "TIMESTAMP(3)", "f_ts6": "TIMESTAMP(6)", "f_ts9": "TIMESTAMP(9)",
		"f_ltz3": "TIMESTAMP_LTZ(3)", "f_array": "ARRAY<INT>",
	}
	parse := func(text string) datatype.Type {
		typ, err := datatype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return typ
	}
	files, err := filepath.Glob("../testdata/transcripts/*/shapes/types.out")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		transcript, err := Read(strings.NewReader(string(data)), name)
		if err != nil {
			t.Fatal(err)
		}
		r := transcript.Results()[0]
		seen := 0
		for i, c := range r.Columns {
			text, ok := types[c.Name]
			if !ok {
				continue
			}
			seen++
			if err := r.CheckWidth(i, parse(text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			var e *WidthError
			if err := r.CheckWidth(i, parse("DECIMAL(37, 2)")); !errors.As(err, &e) || e.Want != 39 {
				t.Errorf("%s: %s may be a DECIMAL(37, 2): %v", name, c.Name, err)
			}
		}
		if seen != len(types) {
			t.Errorf("%s: %d of the columns", name, seen)
		}
		if r.CheckWidth(-1, parse("INT")) != nil || r.CheckWidth(len(r.Columns), parse("INT")) != nil {
			t.Error("a column that is not there is refused")
		}
	}
}

func TestNotation(t *testing.T) {
	for name, want := range map[string]datatype.Notation{
		"1.13.6/shapes/types.out": datatype.AnyNotation, "1.14.6/shapes/types.out": datatype.AnyNotation,
		"1.15.4/shapes/types.out": datatype.CastNotation, "1.20.5/shapes/types.out": datatype.CastNotation, "2.3.0/shapes/types_batch.out": datatype.CastNotation,
	} {
		data, err := os.ReadFile("../testdata/transcripts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		transcript, _ := Read(strings.NewReader(string(data)), name)
		if got := transcript.Results()[0].Notation(); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := (&Result{Sink: &PrintSink{}}).Notation(); got != datatype.JavaNotation {
		t.Errorf("a print sink: %v", got)
	}
}
