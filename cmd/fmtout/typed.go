package main

import (
	"errors"
	"fmt"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/internal/diag"
	"github.com/seed-69e58989/flinkread/internal/jsontext"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A typedCells writes the cells of a result by the types of its columns.
type typedCells struct {
	columns  []changelog.Column
	notation *datatype.Notation // of the file, as far as it is known
	report   func(error)
	texts    []int // cells of each column that stay text though it has a type
}

// append appends the value of a cell as JSON: by the type of its column, or as
// text if that is not known, if the cell may be cut, or if it is no value of the
// type, or none for certain.
func (t *typedCells) append(dst []byte, row *changelog.Row, i int) []byte {
	cell, column := &row.Cells[i], &t.columns[i]
	if cell.IsNull() {
		if *t.notation == datatype.AnyNotation {
			*t.notation = notationOf(cell.Text)
		}
		return append(dst, "null"...)
	}
	v, err := column.Value(*cell, *t.notation)
	switch {
	case err == nil:
		return v.AppendJSON(dst)
	case errors.Is(err, changelog.ErrNoType), errors.Is(err, changelog.ErrMaybeCut):
	default:
		if t.texts[i]++; t.texts[i] == 1 {
			t.report(fmt.Errorf("%v: a cell stays text: %w", row.Pos, err))
		}
	}
	return jsontext.AppendString(dst, cell.Text)
}

// reportRest reports how many cells stay text beyond those that were reported.
func (t *typedCells) reportRest(pos changelog.Pos) {
	for i, n := range t.texts {
		if n > 1 {
			t.report(fmt.Errorf("%v: more cells of the column %q that stay text: %d", pos, t.columns[i].Name, n-1))
		}
	}
}

// notationOf returns the notation of the releases that print a null as word.
func notationOf(word string) datatype.Notation {
	switch word {
	case "<NULL>":
		return datatype.CastNotation
	case "(NULL)":
		return datatype.JavaNotation
	}
	return datatype.AnyNotation
}

// learn keeps what a DESCRIBE says, be it wanted or not.
func (f *reading) learn(res *sqlclient.Result, rows *sqlclient.Rows) {
	if f.typing == nil || !res.Describes() {
		return
	}
	for row := range rows.All() {
		f.typing.schemas.Add(res, row)
	}
}

// typedCells returns what writes the cells of a result by their types; nil if
// nothing tells these.
func (f *reading) typedCells(res *sqlclient.Result) *typedCells {
	if f.typing == nil {
		return nil
	}
	columns, err := f.typing.columns(res)
	f.reportType(err)
	if columns == nil {
		return nil
	}
	notation := &f.notation
	if f.null != nil {
		*notation = notationOf(*f.null)
	}
	if n := res.Notation(); n != datatype.AnyNotation {
		notation = &n
	}
	return &typedCells{columns: columns, notation: notation, report: f.reportType, texts: make([]int, len(columns))}
}

// reportType reports an error of types: a choice to be made, or a warning.
func (s *session) reportType(err error) {
	var choice *typesError
	var several interface{ Unwrap() []error }
	switch {
	case err == nil:
	case errors.As(err, &choice):
		s.Log.Report(diag.Usage, err)
		for _, line := range choice.lines() {
			s.Log.Report(diag.Usage, line)
		}
	case errors.As(err, &several):
		for _, err := range several.Unwrap() {
			s.reportType(err)
		}
	case s.strict:
		s.Log.Report(diag.Problem, err)
	default:
		s.Log.Report(diag.OK, err)
	}
}

// badTypes reports why --types cannot be read; it returns an error of usage.
func (s *session) badTypes(err error) error {
	var failure *stream.Error
	var choice *typesError
	switch {
	case errors.As(err, &failure):
		s.Log.Report(diag.Failure, err)
		return nil
	case errors.As(err, &choice):
		s.reportType(fmt.Errorf("fmtout: --types: %w", err))
		return nil
	}
	return fmt.Errorf("--types: %w", err)
}

// reportTypes tells, at the end, of types that no result has, and if no types
// are known at all. Where there were no results for a reason that was told
// already, there is nothing to say.
func (s *session) reportTypes() {
	t := s.typing
	if s.types != nil && !s.typed && !s.split && s.Log.Code() == diag.OK {
		s.Log.Report(diag.Usage, errors.New("fmtout: --types had nothing to do: but for JSON, types only split the rows of print sinks, and no such rows fit these; to write the values of tables by their types, choose -o ndjson or -o json"))
	}
	if t == nil || t.results == 0 && s.Log.Code() != diag.OK {
		return
	}
	if err := t.unused(); err != nil {
		s.reportType(fmt.Errorf("fmtout: %w", err))
	} else if !t.known && t.results > 0 {
		s.Log.Report(diag.OK, errors.New("fmtout: nothing tells the types of any column: no DESCRIBE before a result has its columns, and --types is not given"))
	}
}
