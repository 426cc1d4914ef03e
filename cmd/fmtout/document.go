package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/render"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/internal/visible"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

const (
	pageWidth = 100
	// A table that is wider than two lines of a page is drawn with one line
	// for each cell.
	maxTableWidth = 2 * pageWidth
)

// A document writes results as tables to be read by people, each below a line
// that says what it is, and the errors of statements.
type document struct {
	out      *stream.Output
	markdown bool

	section *section
	table   render.Drawing
	numbers []bool   // which columns hold a number in a row that is held
	texts   []bool   // which hold something else, and no null
	cells   []string // of the row that is drawn
	begun   bool     // something was written
	drawn   int      // the number of the result that was written last; 0: none yet
	file    string   // which that is of
	results bool     // there was one, whether it could be drawn or not
	without int64    // statements without a result
}

func (f *document) early() bool       { return false }
func (f *document) interleaves() bool { return false }

func (f *document) begin(s *section) error {
	f.section = s
	f.table = render.Drawing{Markdown: f.markdown}
	f.numbers = make([]bool, len(s.Columns))
	f.texts = make([]bool, len(s.Columns))
	if s.ops() {
		f.table.Columns = append(f.table.Columns, render.Column{Name: "op"})
	}
	for _, c := range s.Columns {
		f.table.Columns = append(f.table.Columns, render.Column{Name: c.Name})
	}
	return nil
}

func (f *document) rows(rows *sqlclient.Rows) error { return writeEach(f, rows) }

func (f *document) row(row *changelog.Row) error {
	f.cells = f.cells[:0]
	if f.section.ops() {
		f.cells = append(f.cells, row.Kind.String())
	}
	for i := range row.Cells {
		f.cells = append(f.cells, row.Cells[i].Text)
	}
	f.out.Buf = f.table.AppendRow(f.out.Buf, f.cells)
	if !f.table.Held() {
		return f.out.Spill()
	}
	for i := range row.Cells[:min(len(row.Cells), len(f.numbers))] {
		c := &row.Cells[i]
		if isNumber(c.Text) {
			f.numbers[i] = true
		} else if !c.IsNull() {
			f.texts[i] = true
		}
	}
	if !f.table.Full() {
		return nil
	}
	known := fmt.Sprintf("more than %s", counted(int64(len(f.table.Rows)-1), "row"))
	if f.section.final {
		known = f.outcome()
	}
	f.heading(f.title(known))
	f.align()
	f.out.Buf = f.table.Release(f.out.Buf)
	return f.out.Spill()
}

func (f *document) end() error {
	f.drawn, f.file = f.section.Number, f.section.file
	title := f.title(f.outcome())
	if !f.table.Held() {
		f.out.Buf = append(f.out.Buf, '\n')
		f.line(title)
		return f.out.Spill()
	}
	f.heading(title)
	switch {
	case len(f.table.Columns) == 0:
		f.line("Empty set")
	case !f.markdown && len(f.table.Columns) > 3 && len(f.table.Rows) > 0 && f.table.TextWidth() > maxTableWidth:
		return f.cellwise()
	default:
		f.align()
		f.out.Buf = f.table.AppendEnd(f.out.Buf)
	}
	return f.out.Spill()
}

func (f *document) refuse(*section) error { return nil }

// cellwise draws the table with one row for each cell.
func (f *document) cellwise() error {
	d := render.Drawing{Table: render.Table{Columns: []render.Column{{Name: "row", Right: true}, {Name: "column"}, {Name: "value"}}}}
	for r, row := range f.table.Rows {
		number := strconv.Itoa(r + 1)
		for i, cell := range row[:min(len(row), len(f.table.Columns))] {
			f.out.Buf = d.AppendRow(f.out.Buf, []string{number, f.table.Columns[i].Name, cell})
			number = ""
			if d.Full() {
				f.out.Buf = d.Release(f.out.Buf)
			}
			if err := f.out.Spill(); err != nil {
				return err
			}
		}
	}
	f.out.Buf = d.AppendEnd(f.out.Buf)
	return f.out.Spill()
}

// align lets the columns stand right that hold nothing but numbers and nulls.
func (f *document) align() {
	first := len(f.table.Columns) - len(f.section.Columns)
	for i := range f.section.Columns {
		f.table.Columns[first+i].Right = f.numbers[i] && !f.texts[i]
	}
}

// isNumber reports whether s is a plain decimal number.
func isNumber(s string) bool {
	s = strings.TrimLeft(s, " ")
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	digits := false
	point := false
	for i := range len(s) {
		switch {
		case '0' <= s[i] && s[i] <= '9':
			digits = true
		case s[i] == '.' && digits && !point:
			point, digits = true, false
		case (s[i] == 'E' || s[i] == 'e') && digits:
			return isNumber(s[i+1:]) && !strings.ContainsAny(s[i+1:], ".eE")
		default:
			return false
		}
	}
	return digits
}

// title returns "statement 4, result 1: streaming, " and then rest.
func (f *document) title(rest string) string {
	s := f.section
	result := fmt.Sprintf("%s, result %d", place(s.file, s.Statement.Number), s.Number)
	if s.Sink != nil {
		result += " of the " + sinkName(s.Sink)
	}
	return fmt.Sprintf("%s: %v, %s", result, s.Mode, rest)
}

func place(file string, number int) string {
	if file == "" {
		return fmt.Sprintf("Statement %d", number)
	}
	return fmt.Sprintf("%s, statement %d", file, number)
}

// outcome returns how the section ended and how many rows it had.
func (f *document) outcome() string {
	s := f.section
	rows := counted(s.Count, "row")
	if s.final {
		rows = counted(int64(s.rows), "row")
		if s.Mode == sqlclient.ModeStreaming {
			rows = counted(s.Count, "change") + " folded into " + rows
		}
	}
	text := s.End.String() + ", " + rows
	if s.Recovered > 0 {
		text += fmt.Sprintf(" (%d recovered)", s.Recovered)
	}
	if s.Damaged > 0 {
		text += ", " + counted(s.Damaged, "piece") + " unread"
	}
	return text
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// heading writes a title and the section's statement below it.
func (f *document) heading(title string) {
	f.titled(title, f.section.Statement.SQL, f.section.Statement.Complete)
}

func (f *document) titled(title, sql string, complete bool) {
	if f.begun {
		f.out.Buf = append(f.out.Buf, '\n')
	}
	f.begun = true
	if f.markdown {
		f.out.Buf = append(f.out.Buf, "### "...)
	}
	f.line(title)
	if sql != "" {
		sql = oneLine(sql)
		if !complete {
			sql += " …" // the client printed a part of it
		}
		if f.markdown {
			f.out.Buf = append(f.out.Buf, '\n')
			f.indented(sql)
		} else {
			f.line(render.Shorten(sql, pageWidth))
		}
	}
	f.out.Buf = append(f.out.Buf, '\n')
}

// line writes a line of text.
func (f *document) line(s string) {
	if f.markdown {
		f.out.Buf = render.AppendMarkdown(f.out.Buf, s)
	} else {
		f.out.Buf = visible.Append(f.out.Buf, s)
	}
	f.out.Buf = append(f.out.Buf, '\n')
}

// statement writes the error of a statement that failed.
func (f *document) statement(st *statement) error {
	if st.result != nil {
		f.results = true
	} else {
		f.without++
	}
	if st.failure == nil {
		return nil
	}
	sql := st.sql
	if st.result != nil && st.result.Number == f.drawn && st.file == f.file {
		sql = "" // it stands above the result
	}
	f.titled(place(st.file, st.number)+": failed", sql, st.complete)
	f.indented(st.failure.Summary())
	_, rest, _ := strings.Cut(st.failure.Text, "\n")
	stack := 0
	for line := range strings.Lines(strings.TrimRight(rest, "\n")) {
		line = strings.TrimRight(line, "\n")
		if isStackLine(line) {
			stack++
			continue
		}
		f.indented(strings.ReplaceAll(line, "\t", "    "))
	}
	if stack > 0 {
		f.indented("(and " + counted(int64(stack), "line") + " of its stack)")
	}
	return f.out.Spill()
}

// indented writes a line behind some blanks, which Markdown shows as it is.
func (f *document) indented(line string) {
	if line != "" {
		f.out.Buf = append(f.out.Buf, "    "...)
		f.out.Buf = visible.Append(f.out.Buf, line)
	}
	f.out.Buf = append(f.out.Buf, '\n')
}

// isStackLine reports whether a line names a place in the client's or the
// cluster's code, of which a printed stack has hundreds.
func isStackLine(line string) bool {
	line, indented := strings.CutPrefix(line, "\t")
	return indented && (strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "... "))
}

// close says why nothing is printed, if that is so: who reads tables would take silence for a fault.
func (f *document) close() error {
	if !f.begun && !f.results {
		switch f.without {
		case 0: // as the diagnostics tell
		case 1:
			f.line("The statement has no result; --list tells what became of it.")
		default:
			f.line(fmt.Sprintf("None of the %d statements has a result; --list tells what became of each.", f.without))
		}
	}
	return f.out.Spill()
}
