package sqlclient

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
)

// A Schema is what a DESCRIBE printed of a table or view.
type Schema struct {
	Pos     changelog.Pos      // of what was printed
	Table   []string           // its name, in its parts, as the statement gives it; nil where the statement was not printed
	Columns []changelog.Column // with their types

	types string // all types as printed, without the time attributes
}

// Schemas holds the tables that a transcript describes, and tells which of them
// a result has its columns from. It is filled in the order of the transcript,
// row by row or with the results of Read. The zero Schemas holds none.
//
// It keeps up to 1,000 descriptions, of up to 65,536 columns and 1 MiB of text in
// all. Of a table that is described again with the same types it keeps the newest.
// It keeps no Result but that of the newest row.
type Schemas struct {
	tables  map[string][]*Schema // by the names of their columns; the newest last
	kept    int                  // schemas in tables
	columns int                  // of these
	size    int                  // of their text, in bytes
	full    bool                 // there was one more
	newest  description
}

const (
	maxSchemas    = 1000
	maxSchemaText = 1 << 20
)

// A description is what is known of a result while its rows come.
type description struct {
	result *Result
	schema *Schema // nil if the result is no DESCRIBE, or says no column, or no type that is known
	types  []byte  // see Schema
	size   int     // of the text of the schema
}

// describeColumns are those of DESCRIBE, of 1.13 to 2.3; a table with comments
// has one more (from 1.17 on).
var describeColumns = []string{"name", "type", "null", "key", "extras", "watermark", "comment"}

// Describes reports whether the result is that of a DESCRIBE, by its columns and
// by its statement if that was printed.
func (r *Result) Describes() bool {
	n := len(r.Columns)
	if r.Mode != ModeBatch || n < len(describeColumns)-1 || n > len(describeColumns) {
		return false
	}
	for i := range r.Columns {
		if r.Columns[i].Name != describeColumns[i] {
			return false
		}
	}
	return r.Statement == nil || r.Statement.SQL == "" || r.Statement.request.described != nil
}

// Add takes a row of a result. Only those count that a DESCRIBE printed; what is
// kept of them is the Schemas' own.
func (s *Schemas) Add(r *Result, row *changelog.Row) {
	d := &s.newest
	if d.result != r {
		s.settle()
		*d = description{result: r}
		if r.Describes() {
			d.schema = &Schema{Pos: r.Pos}
			if r.Statement != nil {
				d.table(r.Statement)
			}
		}
	}
	if d.schema == nil {
		return
	}
	if !d.add(row) {
		d.schema = nil
	} else if d.size > maxSchemaText || len(d.schema.Columns) > maxColumns {
		d.schema, s.full = nil, true
	}
}

// table keeps the name of the table that a statement describes.
func (d *description) table(st *Statement) {
	for _, part := range st.request.described {
		d.schema.Table = append(d.schema.Table, strings.Clone(part))
		d.size += len(part)
	}
}

// add takes a row of a DESCRIBE, and reports whether it says a column and its
// type.
func (d *description) add(row *changelog.Row) bool {
	if len(row.Cells) < 3 || row.Cells[0].MaybeCut() || row.Cells[1].MaybeCut() {
		return false
	}
	text, attribute := row.Cells[1].Text, ""
	if i := strings.LastIndex(text, " *"); i >= 0 && strings.HasSuffix(text, "*") {
		text, attribute = text[:i], text[i:]
	}
	nullability := ""
	switch row.Cells[2].Text {
	case "TRUE", "true":
	case "FALSE", "false":
		nullability = " NOT NULL"
	default:
		return false
	}
	typ, err := datatype.Parse(strings.Clone(text) + nullability + attribute)
	if err != nil {
		return false
	}
	name := strings.Clone(row.Cells[0].Text)
	d.size += len(name) + len(text)
	d.types = appendPart(d.types, text)
	d.schema.Columns = append(d.schema.Columns, changelog.Column{Name: name, Type: typ})
	return true
}

// settle keeps what the newest result describes, if its printing ended well.
func (s *Schemas) settle() {
	d := s.newest
	if d.result == nil || d.result.End == EndOpen {
		return
	}
	s.newest = description{}
	if d.schema == nil || !d.result.End.Whole() {
		return
	}
	d.schema.types = string(d.types)
	names, _ := columnNames(d.schema.Columns)
	same := s.tables[names]
	if i := slices.IndexFunc(same, func(o *Schema) bool { return o.types == d.schema.types && slices.Equal(o.Table, d.schema.Table) }); i >= 0 {
		same = slices.Delete(same, i, i+1)
	} else if s.kept == maxSchemas || s.columns+len(d.schema.Columns) > maxColumns || s.size+d.size > maxSchemaText {
		s.full = true
		return
	} else {
		s.kept++
		s.columns += len(d.schema.Columns)
		s.size += d.size
	}
	if s.tables == nil {
		s.tables = make(map[string][]*Schema)
	}
	s.tables[names] = append(same, d.schema)
}

// columnNames returns the names of columns as one text that no other names have;
// none if one of them may be cut.
func columnNames(columns []changelog.Column) (names string, ok bool) {
	var text []byte
	for i := range columns {
		if columns[i].MaybeCut {
			return "", false
		}
		text = appendPart(text, columns[i].Name)
	}
	return string(text), true
}

// appendPart appends a text and where it ends.
func appendPart(dst []byte, part string) []byte {
	return append(append(strconv.AppendInt(dst, int64(len(part)), 10), ' '), part...)
}

// A SchemaError says why the types of a result's columns are not known although
// some DESCRIBE has columns of these names.
type SchemaError struct {
	Result *Result
	Schema *Schema // that of the names
	Msg    string
	Err    error // a *WidthError, or nil
}

// Error returns the place of the result and why its types are not known.
func (e *SchemaError) Error() string {
	text := fmt.Sprintf("%v: %s", e.Result.Pos, e.Msg)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error below.
func (e *SchemaError) Unwrap() error { return e.Err }

// Of returns the schema that a result has its columns from, nil if none is known.
// Only schemas count that were added before, and whose printing ended well.
//
// A schema is that of a result whose columns have just its names, in its order,
// if the result's statement allows it: "SELECT * FROM" the table, with nothing
// behind but a condition, an order or a limit; or a statement that was not
// printed. That is one without any bracket, and so without a call or a cast, of
// 1.15 or later with -f; or it is a program that prints no statements. (Up to
// 2.3 it is this alone that -f says of "DESCRIBE t" and "SELECT * FROM t".) Any
// other statement may have made columns of the same names from anything.
//
// The error is a *SchemaError: several schemas have these names and differ in
// their types, or one of the types is not that of a column as wide as the
// result's.
func (s *Schemas) Of(r *Result) (*Schema, error) {
	s.settle()
	if r.Statement == nil || r.Sink != nil || len(r.Columns) == 0 || r.Describes() {
		return nil, nil
	}
	names, ok := columnNames(r.Columns)
	if !ok || len(s.tables[names]) == 0 {
		return nil, nil
	}
	selected := r.Statement.request.selected
	if selected == nil && r.Statement.SQL != "" {
		return nil, nil
	}
	var found *Schema
	for _, schema := range slices.Backward(s.tables[names]) {
		switch {
		case !sameTable(schema.Table, selected):
		case found == nil:
			found = schema
		case found.Table != nil && selected != nil && schema.Table != nil:
			// the newest is what became of the table
		case found.types != schema.types:
			return nil, &SchemaError{Result: r, Schema: found, Msg: fmt.Sprintf("the descriptions at %v and %v have its columns, with different types", schema.Pos, found.Pos)}
		}
	}
	if found == nil {
		return nil, nil
	}
	if s.full {
		return nil, &SchemaError{Result: r, Schema: found, Msg: "too many tables are described to tell whose columns it has"}
	}
	for i := range found.Columns {
		if err := r.CheckWidth(i, found.Columns[i].Type); err != nil {
			return nil, &SchemaError{Result: r, Schema: found, Msg: fmt.Sprintf("the description at %v has its columns, but is that of something else", found.Pos), Err: err}
		}
	}
	return found, nil
}

// sameTable reports whether two names may be those of one table. One may say less
// than the other: t and catalog.database.t; nil says nothing.
func sameTable(a, b []string) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[len(a)-n:], b[len(b)-n:])
}
