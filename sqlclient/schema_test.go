package sqlclient

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
)

// schemasOf gives for each result of a transcript that is no DESCRIBE what its
// types are taken from.
func schemasOf(t *testing.T, input string) (found []string) {
	t.Helper()
	transcript, err := Read(strings.NewReader(input), "f")
	if err != nil {
		t.Fatal(err)
	}
	var schemas Schemas
	number := make(map[changelog.Pos]int) // of the result at a place
	for _, r := range transcript.Results() {
		for _, row := range r.Rows {
			schemas.Add(r, &row)
		}
		number[r.Pos] = r.Number
		if r.Describes() {
			continue
		}
		schema, err := schemas.Of(r)
		text := "none"
		if schema != nil {
			text = fmt.Sprint(number[schema.Pos])
		}
		if err != nil {
			text += " " + err.Error()
		}
		found = append(found, text)
	}
	return found
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
		{"a name that may be cut", p + box("1 row in set", []int{8, 4, 4, 3, 6, 9}, describeColumns[:6], []string{"abcde...", "INT", "TRUE", "", "", ""}) + p + streamingOf(11, "abcde..."), "none"},
		{"a name of four parts", p + "DESC a.b.c.t;\n" + ab + p + batchOf("a", "b"), "none none"},
		{"cut off", p + strings.TrimSuffix(ab, "2 rows in set\n")[:len(ab)-100] + "\n" + p + batchOf("a", "b"), "none"},
		{"no description", p + batchOf("a"), "none"},
		{"a program", ab + batchOf("a", "b"), "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := schemasOf(t, test.input+"\n"+p+"\n")
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
	for rec, err := range NewReader(strings.NewReader(input), "f", ReuseRows()).Records() {
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

// describe adds what a DESCRIBE of a table prints, of columns such as "a INT".
func (s *Schemas) describe(table string, columns ...string) *Result {
	sql := "DESCRIBE " + table
	r := &Result{Mode: ModeBatch, End: EndFinished, Statement: &Statement{SQL: sql, Complete: true, request: readRequest(sql, true)}}
	for _, name := range describeColumns[:6] {
		r.Columns = append(r.Columns, changelog.Column{Name: name})
	}
	for _, c := range columns {
		name, typ, _ := strings.Cut(c, " ")
		s.Add(r, &changelog.Row{Cells: []changelog.Cell{{Text: name}, {Text: typ}, {Text: "TRUE"}, {}, {}, {}}})
	}
	return r
}

// selectAll is the result of all columns of a table.
func selectAll(table string, names ...string) *Result {
	sql := "SELECT * FROM " + table
	r := &Result{Mode: ModeBatch, End: EndFinished, Statement: &Statement{SQL: sql, Complete: true, request: readRequest(sql, true)}}
	for _, name := range names {
		r.Columns = append(r.Columns, changelog.Column{Name: name})
	}
	return r
}

// However often a table is described, its newest description is what is kept.
func TestSchemasOfOneTable(t *testing.T) {
	var schemas Schemas
	all := selectAll("t", "a", "b")
	for i := range 3 * maxSchemas {
		schemas.describe("t", "a INT", "b "+[]string{"DATE", "INT", "STRING"}[i%3])
		schema, err := schemas.Of(all)
		if err != nil || schema.Columns[1].Type.String() != []string{"DATE", "INT", "STRING"}[i%3] {
			t.Fatalf("after %d: %v, %v", i, schema, err)
		}
	}
	if schemas.kept != 3 || schemas.columns != 6 || len(schemas.tables) != 1 {
		t.Errorf("%d schemas are kept, of %d columns", schemas.kept, schemas.columns)
	}
	if n := testing.AllocsPerRun(100, func() { schemas.Of(all) }); n > 2 {
		t.Errorf("%v allocations to find one of them", n)
	}
}

func TestSchemasAreLimited(t *testing.T) {
	long := strings.Repeat("n", maxSchemaText/100)
	var many []string
	for i := range maxColumns/3 + 1 {
		many = append(many, fmt.Sprintf("c%d INT", i))
	}
	for name, test := range map[string]struct {
		tables  int
		columns []string
	}{
		"tables":                   {maxSchemas, []string{"a INT"}},
		"columns":                  {3, many},
		"text":                     {100, []string{"a INT", long + " INT"}},
		"the columns of one table": {1, slices.Repeat(many, 4)},
		"the text of one table":    {1, slices.Repeat([]string{long + " INT"}, 101)},
	} {
		t.Run(name, func(t *testing.T) {
			var schemas Schemas
			schemas.describe("first", "a INT")
			first := selectAll("first", "a")
			for i := range test.tables {
				if schema, err := schemas.Of(first); schema == nil || err != nil {
					t.Fatalf("with %d more: %v", i, err)
				}
				schemas.describe(fmt.Sprint("t", i), test.columns...)
			}
			_, err := schemas.Of(first)
			var e *SchemaError
			if !errors.As(err, &e) || !strings.Contains(e.Msg, "too many") {
				t.Errorf("%v", err)
			}
			if schemas.kept > maxSchemas || schemas.columns > maxColumns || schemas.size > maxSchemaText {
				t.Errorf("%d schemas, %d columns, %d bytes", schemas.kept, schemas.columns, schemas.size)
			}
		})
	}
}

// The results that a schema is taken from, and their statements, can go.
func TestSchemasKeepNoResult(t *testing.T) {
	var schemas Schemas
	described := schemas.describe("t", "a INT")
	result, statement := weak.Make(described), weak.Make(described.Statement)
	described = nil
	if schema, err := schemas.Of(selectAll("t", "a")); schema == nil || err != nil {
		t.Fatal(schema, err)
	}
	runtime.GC()
	if result.Value() != nil || statement.Value() != nil {
		t.Error("a result, or its statement, is kept")
	}
	runtime.KeepAlive(&schemas)
}
