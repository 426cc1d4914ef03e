package sqlclient

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// A Schema is what a DESCRIBE printed of a table or view.
type Schema struct {
	Result  *Result            // what was printed
	Table   []string           // its name, in its parts, as the statement gives it; nil where the statement was not printed
	Columns []changelog.Column // with their types

	printed []string // the types as printed, without the time attributes
	broken  bool     // a row says no column, or no type that is known
}

// Schemas holds the tables that a transcript describes, and tells which of them
// a result has its columns from. It is filled in the order of the transcript,
// row by row or with the results of Read. The zero Schemas holds none.
//
// It keeps what DESCRIBE printed, up to some 65,000 columns.
type Schemas struct {
	all     []*Schema
	columns int
	full    bool
}

// describeColumns are those of DESCRIBE, of 1.13 to 2.3; a table with comments
// has one more (from 1.17 on).
var describeColumns = []string{"name", "type", "null", "key", "extras", "watermark", "comment"}

// Describes reports whether a result is that of a DESCRIBE, by its columns and by
// its statement if that was printed.
func Describes(r *Result) bool {
	n := len(r.Columns)
	if r.Mode != ModeBatch || n < len(describeColumns)-1 || n > len(describeColumns) {
		return false
	}
	for i, c := range r.Columns {
		if c.Name != describeColumns[i] {
			return false
		}
	}
	if r.Statement == nil || r.Statement.SQL == "" {
		return true
	}
	_, ok := describedTable(r.Statement)
	return ok
}

// Add takes a row of a result. Only those count that a DESCRIBE printed; what is
// kept of them is the Schemas' own.
func (s *Schemas) Add(r *Result, row *changelog.Row) {
	if !Describes(r) {
		return
	}
	if n := len(s.all); n == 0 || s.all[n-1].Result != r {
		schema := &Schema{Result: r}
		if r.Statement != nil {
			schema.Table, _ = describedTable(r.Statement)
		}
		s.all = append(s.all, schema)
	}
	if s.columns++; s.columns > maxColumns {
		s.full = true
		return
	}
	s.all[len(s.all)-1].add(row)
}

func (s *Schema) add(row *changelog.Row) {
	if len(row.Cells) < 3 || row.Cells[1].MaybeCut() {
		s.broken = true
		return
	}
	text := row.Cells[1].Text
	attribute := ""
	if i := strings.LastIndex(text, " *"); i >= 0 && strings.HasSuffix(text, "*") {
		text, attribute = text[:i], text[i:]
	}
	nullability := ""
	switch row.Cells[2].Text {
	case "TRUE", "true":
	case "FALSE", "false":
		nullability = " NOT NULL"
	default:
		s.broken = true
	}
	typ, err := datatype.Parse(strings.Clone(text) + nullability + attribute)
	if err != nil {
		s.broken = true
	}
	s.printed = append(s.printed, strings.Clone(text))
	s.Columns = append(s.Columns, changelog.Column{Name: strings.Clone(row.Cells[0].Text), Type: typ})
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
	if r.Statement == nil || r.Sink != nil || len(r.Columns) == 0 || Describes(r) {
		return nil, nil
	}
	selected, ok := selectedTable(r.Statement)
	if !ok && r.Statement.SQL != "" {
		return nil, nil
	}
	var found *Schema
	for _, schema := range slices.Backward(s.all) {
		if schema.broken || !schema.Result.End.Whole() || !sameNames(schema.Columns, r.Columns) || !sameTable(schema.Table, selected) {
			continue
		}
		switch {
		case found == nil:
			found = schema
		case found.Table != nil && selected != nil && schema.Table != nil:
			// the newest is what became of the table
		case !slices.Equal(found.printed, schema.printed):
			return nil, &SchemaError{Result: r, Schema: found, Msg: fmt.Sprintf("the descriptions at %v and %v have its columns, with different types", schema.Result.Pos, found.Result.Pos)}
		}
	}
	if found == nil {
		return nil, nil
	}
	if s.full {
		return nil, &SchemaError{Result: r, Schema: found, Msg: "too many tables are described to tell whose columns it has"}
	}
	for i, c := range found.Columns {
		if err := r.CheckWidth(i, c.Type); err != nil {
			return nil, &SchemaError{Result: r, Schema: found, Msg: fmt.Sprintf("the description at %v has its columns, but is that of something else", found.Result.Pos), Err: err}
		}
	}
	return found, nil
}

func sameNames(a, b []changelog.Column) bool {
	return slices.EqualFunc(a, b, func(a, b changelog.Column) bool { return a.Name == b.Name && !a.MaybeCut && !b.MaybeCut })
}

// sameTable reports whether two names may be those of one table. One may say less
// than the other: t and catalog.database.t; nil says nothing.
func sameTable(a, b []string) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[len(a)-n:], b[len(b)-n:])
}

// selectedTable returns the name of the table of which a statement takes all
// columns as they are.
func selectedTable(st *Statement) (name []string, ok bool) {
	s := sqlScanner{rest: st.SQL}
	if !s.word("SELECT") || !s.sign("*") || !s.word("FROM") {
		return nil, false
	}
	if name, ok = s.name(); !ok {
		return nil, false
	}
	if s.end() {
		return name, st.Complete
	}
	for _, word := range []string{"WHERE", "ORDER", "LIMIT", "OFFSET", "FETCH"} {
		if s.word(word) {
			return name, true
		}
	}
	return nil, false
}

// describedTable returns the name of the table that a statement describes.
func describedTable(st *Statement) (name []string, ok bool) {
	s := sqlScanner{rest: st.SQL}
	if !s.word("DESCRIBE") && !s.word("DESC") {
		return nil, false
	}
	if name, ok = s.name(); ok && !s.end() && len(name) == 1 && strings.EqualFold(name[0], "EXTENDED") {
		name, ok = s.name()
	}
	return name, ok && s.end()
}

// A sqlScanner reads the beginning of a statement. What it asks for is taken only
// if it is there.
type sqlScanner struct{ rest string }

// blanks skips white space and comments, hints included.
func (s *sqlScanner) blanks() {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\r\n")
		var ok bool
		switch {
		case strings.HasPrefix(s.rest, "--"):
			_, s.rest, _ = strings.Cut(s.rest, "\n")
		case strings.HasPrefix(s.rest, "/*"):
			if _, s.rest, ok = strings.Cut(s.rest[2:], "*/"); !ok {
				return
			}
		default:
			return
		}
	}
}

func (s *sqlScanner) end() bool {
	s.blanks()
	return s.rest == "" || s.rest == ";"
}

func (s *sqlScanner) sign(sign string) (ok bool) {
	s.blanks()
	s.rest, ok = strings.CutPrefix(s.rest, sign)
	return ok
}

func (s *sqlScanner) word(word string) bool {
	before := s.rest
	if got, ok := s.identifier(); ok && strings.EqualFold(got, word) {
		return true
	}
	s.rest = before
	return false
}

// name reads a.b.c, of which each part may stand in back quotes.
func (s *sqlScanner) name() (parts []string, ok bool) {
	for {
		part, ok := s.identifier()
		if !ok && s.sign("`") {
			part, ok = s.quoted()
		}
		if !ok {
			return nil, false
		}
		if parts = append(parts, part); !s.sign(".") {
			return parts, true
		}
	}
}

func (s *sqlScanner) identifier() (string, bool) {
	s.blanks()
	n := 0
	for n < len(s.rest) {
		c := s.rest[n]
		if c != '_' && c != '$' && c < 0x80 && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			break
		}
		n++
	}
	word := s.rest[:n]
	s.rest = s.rest[n:]
	return word, n > 0
}

// quoted reads up to the closing back quote; two of them are one that stands in
// the name.
func (s *sqlScanner) quoted() (string, bool) {
	var name strings.Builder
	for {
		part, rest, ok := strings.Cut(s.rest, "`")
		if !ok {
			return "", false
		}
		name.WriteString(part)
		if s.rest, ok = strings.CutPrefix(rest, "`"); !ok {
			return name.String(), true
		}
		name.WriteByte('`')
	}
}

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

// Notation returns the notation in which the values of the result are printed, as
// far as its statement tells: a print sink always writes as Java does, and a
// statement that the client did not print to its end was run by -f of 1.15 or
// later. AnyNotation if nothing tells; a null cell in the same file then does, see
// [datatype.Notation].
func (r *Result) Notation() datatype.Notation {
	switch st := r.Statement; {
	case r.Sink != nil && r.Sink.round:
		return datatype.OldJavaNotation
	case r.Sink != nil:
		return datatype.JavaNotation
	case st != nil && st.Number > 0 && !st.Complete && !st.coloured:
		return datatype.CastNotation
	}
	return datatype.AnyNotation
}
