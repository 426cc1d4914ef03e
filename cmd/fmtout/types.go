package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/compiledplan"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A rowType is a row of types that the columns of a result may have.
type rowType struct {
	name string        // how --types names it; "--types" for one that was written out
	what string        // the operator that it is of; "" for one that was written out
	row  datatype.Type // a ROW
}

// has reports whether a result with these columns has the types: names, count and
// order are the same. A print sink writes no names, so there the count decides:
// whoever gives types for it says which they are.
func (r *rowType) has(columns []changelog.Column, named bool) bool {
	return slices.EqualFunc(r.row.Fields(), columns, func(f datatype.Field, c changelog.Column) bool {
		return !named || f.Name == c.Name
	})
}

// String returns one line that tells it from others.
func (r *rowType) String() string {
	name := r.name
	if r.what != "" {
		name += ": " + r.what
	}
	var columns []string
	for _, f := range r.row.Fields() {
		columns = append(columns, fmt.Sprintf("%q %s", f.Name, f.Type))
	}
	return name + ": " + strings.Join(columns, ", ")
}

// A typeSpec is what --types says: types that were written out, or those of a
// compiled plan.
type typeSpec struct {
	rows   []rowType // what a result may have: what was written or chosen, or that of each sink
	others []rowType // what could be chosen as well: that of each other operator
}

// readTypes reads what --types says: the name of a file, with a ":" and the id of
// an operator behind it or without; or a row type, or the columns in it. An error
// of type *stream.Error says that the file cannot be read.
func readTypes(spec string) (*typeSpec, error) {
	file, id := spec, ""
	if _, err := os.Stat(spec); err != nil { // perhaps too long for a name
		i := strings.LastIndexByte(spec, ':')
		if i < 0 {
			return writtenTypes(spec)
		}
		if _, err := os.Stat(spec[:i]); err != nil {
			return writtenTypes(spec)
		}
		file, id = spec[:i], spec[i+1:]
	}
	in, err := stream.Open(file, nil)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, compiledplan.MaxSize+1))
	if err != nil {
		return nil, &stream.Error{Name: file, Err: err}
	}
	plan, err := compiledplan.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	return planTypes(file, id, plan)
}

// writtenTypes reads "ROW<a INT, b STRING>" or "a INT, b STRING".
func writtenTypes(text string) (*typeSpec, error) {
	row, err := datatype.Parse(text)
	if err != nil || row.Kind() != datatype.Row {
		row, err = datatype.Parse("ROW<" + text + ">")
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("no such file, and as types it cannot be read: %w", err)
	case len(row.Fields()) == 0:
		return nil, errors.New("it names no column")
	}
	for _, f := range row.Fields() {
		if f.Type.Kind() == datatype.Unresolved {
			return nil, fmt.Errorf("no such file, and as types it says that %q is of a type %s, which is none of Flink's own", f.Name, f.Type)
		}
	}
	return &typeSpec{rows: []rowType{{name: "--types", row: row}}}, nil
}

// planTypes takes the types of the operator of an id, or those of the sinks.
func planTypes(file, id string, plan *compiledplan.Plan) (*typeSpec, error) {
	spec := &typeSpec{}
	sinks := plan.Sinks()
	for n := range plan.Nodes() {
		row, err := n.OutputType()
		if err != nil || row.Kind() != datatype.Row {
			continue
		}
		r := rowType{name: fmt.Sprintf("%s:%d", file, n.ID()), what: n.Type(), row: row}
		if id == strconv.Itoa(n.ID()) || id == "" && slices.Contains(sinks, n) {
			spec.rows = append(spec.rows, r)
		} else {
			spec.others = append(spec.others, r)
		}
	}
	if len(spec.rows) == 0 {
		what := "no sink with types that can be read; choose one of its operators"
		if id != "" {
			what = fmt.Sprintf("no operator %s with types that can be read; choose another one", id)
		}
		return nil, &typesError{msg: fmt.Sprintf("%s has %s", file, what), choices: spec.others}
	}
	return spec, nil
}

// A typesError says that types have to be chosen, and from what.
type typesError struct {
	msg     string
	choices []rowType
	results []*sqlclient.Result // that have none of them
}

// Error returns one line.
func (e *typesError) Error() string { return e.msg }

// lines returns one error for each choice, if there are not too many.
func (e *typesError) lines() []error {
	var errs []error
	for i := range e.choices[:min(len(e.choices), maxChoices)] {
		errs = append(errs, errors.New(e.choices[i].String()))
	}
	if more := len(e.choices) - maxChoices; more > 0 {
		errs = append(errs, fmt.Errorf("and %d more", more))
	}
	for _, res := range e.results {
		errs = append(errs, fmt.Errorf("%v: statement %d, result %d: %s", res.Pos, res.Statement.Number, res.Number, quoteNames(namesOf(res.Columns))))
	}
	return errs
}

// A typing knows the types of results: those of --types, and those that the
// DESCRIBEs of a file tell.
type typing struct {
	spec    *typeSpec         // nil without --types
	schemas sqlclient.Schemas // of the file, up to where it was read

	fits    bool                // some result had the types of spec
	known   bool                // the types of some result are known
	results int                 // that were looked at
	misses  []*sqlclient.Result // the first results that had not the columns of spec
}

// columns picks the types of a result's columns. It returns the columns with
// their types, nil if nothing tells them; a column of the zero type stays text.
//
// The types of --types go to each result whose columns have just their names, in
// their order, and to each print sink with as many columns. If it gives none, a
// DESCRIBE before the result tells, see [sqlclient.Schemas.Of].
//
// An error says why a column stays text though there is a type for it: it is a
// *typesError if a choice has to be made, else a warning.
func (t *typing) columns(res *sqlclient.Result) ([]changelog.Column, error) {
	switch {
	case len(res.Columns) == 0, res.Describes():
		return nil, nil
	case res.Sink != nil && !isSplit(res):
		return nil, nil
	}
	t.results++
	if t.spec != nil {
		columns, err := t.specified(res)
		if columns != nil || err != nil {
			t.known = true
			return columns, err
		}
	}
	schema, err := t.schemas.Of(res)
	if schema == nil {
		return nil, err
	}
	t.known = true
	return schema.Columns, err
}

// isSplit reports whether the rows of a print sink were split into their fields.
func isSplit(res *sqlclient.Result) bool {
	return res.Sink != nil && (len(res.Columns) != 1 || res.Columns[0].Name != sqlclient.LineColumn)
}

// fields returns the types of the fields of each print sink; nil if there are
// several to choose from.
func (t *typeSpec) fields(string) []datatype.Type {
	var types []datatype.Type
	for i, r := range t.rows {
		if i > 0 && !r.row.Equal(t.rows[0].row) {
			return nil
		}
	}
	for _, f := range t.rows[0].row.Fields() {
		types = append(types, f.Type)
	}
	return types
}

// specified gives a result the types of --types, if it has their columns.
func (t *typing) specified(res *sqlclient.Result) ([]changelog.Column, error) {
	var fit []rowType
	for _, r := range t.spec.rows {
		if r.has(res.Columns, res.Sink == nil) && !slices.ContainsFunc(fit, func(f rowType) bool { return f.row.Equal(r.row) }) {
			fit = append(fit, r)
		}
	}
	switch len(fit) {
	case 0:
		if len(t.misses) < maxChoices {
			t.misses = append(t.misses, res)
		}
		return nil, nil
	case 1:
		t.fits = true
	default:
		t.fits = true
		return nil, &typesError{msg: fmt.Sprintf("%v: --types has several types for these columns; choose one by its operator", res.Pos), choices: fit}
	}
	columns := slices.Clone(res.Columns)
	var errs []error
	for i, f := range fit[0].row.Fields() {
		if err := res.CheckWidth(i, f.Type); err != nil {
			errs = append(errs, fmt.Errorf("%v: %w; it stays text", res.Pos, err))
			continue
		}
		columns[i].Type = f.Type
	}
	return columns, errors.Join(errs...)
}

// unused returns an error if --types was given and no result had its columns.
func (t *typing) unused() error {
	if t.spec == nil || t.fits {
		return nil
	}
	e := &typesError{msg: "no result has the columns of --types", choices: t.spec.rows, results: t.misses}
	for _, r := range t.spec.others {
		if slices.ContainsFunc(t.misses, func(res *sqlclient.Result) bool { return r.has(res.Columns, true) }) {
			e.choices = append(e.choices, r)
		}
	}
	return e
}
