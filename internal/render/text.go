package render

import (
	"bytes"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/seed-69e58989/flinkread/internal/visible"
)

// Text writes the table in the manner of psql:
//
//	 op | tier   | orders
//	----+--------+--------
//	 +I | silver |      1
//
// Lines have no trailing blanks. The error is that of w.
func (t *Table) Text(w io.Writer) error {
	if len(t.Columns) == 0 {
		return nil
	}
	if len(t.Rows) == 0 { // tablewriter leaves the line below the names out
		_, err := w.Write(t.Lines().AppendHead(nil))
		return err
	}
	cells, _ := t.layout()
	aligns := make(tw.Alignment, len(t.Columns))
	for i, c := range t.Columns {
		aligns[i] = tw.AlignLeft
		if c.Right {
			aligns[i] = tw.AlignRight
		}
	}
	var drawn bytes.Buffer // never fails; tablewriter would not report it if it did
	table := tablewriter.NewTable(&drawn,
		tablewriter.WithHeaderAutoFormat(tw.Off), // names as they are
		tablewriter.WithTrimSpace(tw.Off),        // cells as they are
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithEastAsian(tw.Off), // else widths depend on the locale
		tablewriter.WithAlignment(aligns),
		tablewriter.WithRendition(tw.Rendition{
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Borders: tw.BorderNone,
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.On, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowTop: tw.Off, ShowHeaderLine: tw.On, ShowBottom: tw.Off},
			},
		}),
	)
	for r, row := range cells {
		joined := make([]string, len(row))
		for i, lines := range row {
			joined[i] = strings.Join(lines, "\n")
		}
		if r == 0 {
			table.Header(joined)
		} else if err := table.Append(joined); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	out := drawn.Bytes()[:0] // a trimmed line never overtakes what is still to be read
	for line := range bytes.Lines(drawn.Bytes()) {
		out = append(out, bytes.TrimRight(line, " \n")...)
		out = append(out, '\n')
	}
	_, err := w.Write(out)
	return err
}

// Lines draws the rows of a table that is too long to be held, one line a row,
// like Text but for cells of several lines. A cell that is wider than its
// column stands out, unless the column is one to be cut.
type Lines struct {
	columns []Column
	widths  []int
}

// Lines returns a Lines with columns as wide as those of t, which should hold
// the first rows.
func (t *Table) Lines() *Lines {
	l := &Lines{columns: t.Columns, widths: make([]int, len(t.Columns))}
	for i, c := range t.Columns {
		l.widths[i] = width(visible.String(c.Name))
		for _, row := range t.Rows {
			if i < len(row) {
				l.widths[i] = max(l.widths[i], width(visible.String(row[i])))
			}
		}
	}
	t.shrink(l.widths)
	return l
}

// AppendHead appends the names and the line below them.
func (l *Lines) AppendHead(dst []byte) []byte {
	names := make([]string, len(l.columns))
	for i, c := range l.columns {
		names[i] = c.Name
	}
	dst = l.AppendRow(dst, names)
	for i, w := range l.widths {
		if i > 0 {
			dst = append(dst, '+')
		}
		for range w + 2 {
			dst = append(dst, '-')
		}
	}
	return append(dst, '\n')
}

// AppendRow appends a row.
func (l *Lines) AppendRow(dst []byte, cells []string) []byte {
	start := len(dst)
	for i, cell := range cells[:min(len(cells), len(l.columns))] {
		if i > 0 {
			dst = append(dst, " |"...)
		}
		dst = append(dst, ' ')
		cell = visible.String(cell)
		if l.columns[i].Overflow == Cut {
			cell = Shorten(cell, l.widths[i])
		}
		pad := l.widths[i] - width(cell)
		if !l.columns[i].Right {
			dst = append(dst, cell...)
		}
		for range pad {
			dst = append(dst, ' ')
		}
		if l.columns[i].Right {
			dst = append(dst, cell...)
		}
	}
	for len(dst) > start && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return append(dst, '\n')
}
