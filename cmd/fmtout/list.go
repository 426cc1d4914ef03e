package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/jsontext"
	"github.com/seed-69e58989/flinkread/internal/render"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/internal/visible"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A statementsOnly is the part of a format that takes results, where it needs
// nothing of them but what their statements tell.
type statementsOnly struct{}

func (statementsOnly) early() bool                { return false }
func (statementsOnly) interleaves() bool          { return true }
func (statementsOnly) begin(*section) error       { return nil }
func (statementsOnly) row(*changelog.Row) error   { return nil }
func (statementsOnly) rows(*sqlclient.Rows) error { return nil }
func (statementsOnly) end() error                 { return nil }
func (statementsOnly) refuse(*section) error      { return nil }

// A listJSON writes one object for each statement.
type listJSON struct {
	statementsOnly
	out   *stream.Output
	array bool // one array in place of one object a line
	list  jsontext.Array

	names, cut []string // of the columns of a statement
}

func (f *listJSON) statement(st *statement) error {
	if f.array {
		f.out.Buf = f.append(f.list.AppendNext(f.out.Buf), st)
	} else {
		f.out.Buf = append(f.append(f.out.Buf, st), '\n')
	}
	return f.out.Spill()
}

func (f *listJSON) close() error {
	if f.array {
		f.out.Buf = append(f.list.AppendEnd(f.out.Buf), '\n')
	}
	return f.out.Spill()
}

// append appends the object of a statement.
func (f *listJSON) append(b []byte, st *statement) []byte {
	number := 0
	mode := sqlclient.ModeNone
	r := st.result
	if r != nil {
		number, mode = r.Number, r.Mode
	}
	b = appendPlace(append(b, '{'), st.file, st.number, number)
	b = append(b, `,"line":`...)
	b = strconv.AppendInt(b, int64(st.line), 10)
	b = appendText(append(b, `,"sql":`...), st.sql)
	b = append(b, `,"mode":`...)
	b = jsontext.AppendString(b, mode.String())
	if r != nil && r.Sink != nil {
		b = jsontext.AppendString(append(b, `,"sink":`...), r.Sink.Identifier)
	}
	b = append(b, `,"columns":`...)
	if r == nil || r.Columns == nil {
		b = append(b, "null"...)
	} else {
		f.names, f.cut = f.names[:0], f.cut[:0]
		for _, c := range r.Columns {
			f.names = append(f.names, c.Name)
			if c.MaybeCut {
				f.cut = append(f.cut, c.Name)
			}
		}
		b = appendStrings(b, f.names)
		if len(f.cut) > 0 {
			b = appendStrings(append(b, `,"maybe_cut_columns":`...), f.cut)
		}
	}
	if r == nil {
		b = append(b, `,"rows":null,"ops":null`...)
	} else {
		b = append(b, `,"rows":`...)
		b = strconv.AppendInt(b, r.Count, 10)
		b = appendKinds(append(b, `,"ops":`...), r)
	}
	b = append(b, `,"end":`...)
	b = jsontext.AppendString(b, st.end.String())
	b = append(b, `,"footer_rows":`...)
	if r == nil || r.Footer == nil {
		b = append(b, `null,"seconds":null`...)
	} else {
		b = strconv.AppendInt(b, r.Footer.Rows, 10)
		b = append(b, `,"seconds":`...)
		b = append(b, seconds(r.Footer.Seconds)...)
	}
	b = appendText(append(b, `,"job_id":`...), st.job)
	warnings := st.warnings
	if st.more > 0 {
		warnings = append(warnings, fmt.Sprintf("and %d more", st.more))
	}
	b = appendStrings(append(b, `,"warnings":`...), warnings)
	b = append(b, `,"error":`...)
	if st.failure != nil {
		b = jsontext.AppendString(b, st.failure.Text) // perhaps "": a class alone
		b = appendText(append(b, `,"error_class":`...), st.failure.Class)
		b = appendStrings(append(b, `,"caused_by":`...), st.failure.CausedBy)
	} else {
		b = append(b, `null,"error_class":null,"caused_by":[]`...)
	}
	return append(b, '}')
}

// appendText appends s, or null for "".
func appendText(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return jsontext.AppendString(b, s)
}

// appendKinds appends how many rows there are of each kind: of the four, or of
// the two that old releases print.
func appendKinds(b []byte, r *sqlclient.Result) []byte {
	if r.Mode != sqlclient.ModeStreaming {
		return append(b, "null"...)
	}
	kinds := []changelog.RowKind{changelog.Insert, changelog.UpdateBefore, changelog.UpdateAfter, changelog.Delete}
	if r.Changes(changelog.Add)+r.Changes(changelog.Retract) > 0 {
		kinds = []changelog.RowKind{changelog.Add, changelog.Retract}
	}
	sep := byte('{')
	for _, k := range kinds {
		b = append(b, sep)
		b = jsontext.AppendString(b, k.String())
		b = append(b, ':')
		b = strconv.AppendInt(b, r.Changes(k), 10)
		sep = ','
	}
	return append(b, '}')
}

// seconds returns the time of a footer as a JSON number, or null. The client
// prints it in the manner of its locale, perhaps with a comma, or in digits
// that are not ASCII's.
func seconds(printed string) string {
	s := strings.Replace(printed, ",", ".", 1)
	whole, fraction, point := strings.Cut(s, ".")
	if !isDigits(whole) || point && !isDigits(fraction) || len(whole) > 1 && whole[0] == '0' {
		return "null"
	}
	return s
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// A listTable writes one line for each statement, in one table for each file.
type listTable struct {
	statementsOnly
	out      *stream.Output
	markdown bool
	file     string // of the table; "" if there is only one
	tables   int    // that were begun
	table    render.Drawing
}

func listColumns() []render.Column {
	return []render.Column{
		{Name: "statement", Right: true},
		{Name: "result", Right: true},
		{Name: "line", Right: true},
		{Name: "mode"},
		{Name: "rows", Right: true},
		{Name: "end"},
		{Name: "sql, error", Overflow: render.Cut},
	}
}

func (f *listTable) statement(st *statement) error {
	if f.tables == 0 || st.file != f.file {
		f.out.Buf = f.table.AppendEnd(f.out.Buf)
		f.file = st.file
		f.tables++
		f.table = render.Drawing{Table: render.Table{Columns: listColumns(), Width: pageWidth}, Markdown: f.markdown}
		if f.tables > 1 {
			f.out.Buf = append(f.out.Buf, '\n')
		}
		if f.file != "" && f.markdown {
			f.out.Buf = append(f.out.Buf, "### "...)
			f.out.Buf = append(render.AppendMarkdown(f.out.Buf, f.file), "\n\n"...)
		} else if f.file != "" {
			f.out.Buf = append(visible.Append(f.out.Buf, f.file), "\n\n"...)
		}
	}
	var number, rows, mode string
	end := st.end.String()
	if r := st.result; r != nil {
		number, rows, mode = strconv.Itoa(r.Number), strconv.FormatInt(r.Count, 10), r.Mode.String()
	} else if st.end == sqlclient.EndNone {
		end = "ok"
	}
	f.out.Buf = f.table.AppendRow(f.out.Buf, []string{strconv.Itoa(st.number), number, strconv.Itoa(st.line), mode, rows, end, st.summary()})
	if f.table.Full() {
		f.out.Buf = f.table.Release(f.out.Buf)
	}
	return f.out.Spill()
}

func (f *listTable) close() error {
	f.out.Buf = f.table.AppendEnd(f.out.Buf)
	return f.out.Spill()
}
