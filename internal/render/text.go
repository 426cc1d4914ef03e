package render

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unsafe"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/seed-69e58989/flinkread/internal/visible"
	"github.com/seed-69e58989/flinkread/internal/word"
)

// Text writes the table in the manner of psql:
//
//	 op | tier   | orders
//	----+--------+--------
//	 +I | silver |      1
//
// Lines have no trailing blanks. The error is that of w.
func (t *Table) Text(w io.Writer) error {
	_, err := w.Write(t.appendText(nil))
	return err
}

// maxDrawn is how many columns times lines tablewriter gets to draw: it takes
// several times that in memory.
const maxDrawn = 1 << 20

func (t *Table) appendText(dst []byte) []byte {
	if len(t.Columns) == 0 {
		return dst
	}
	cells, widths := t.layout()
	if len(t.Rows) > 0 && total(widths)*lineCount(cells) <= maxDrawn {
		if drawn, err := t.draw(cells); err == nil {
			for line := range bytes.Lines(drawn) {
				dst = append(dst, bytes.TrimRight(line, " \n")...)
				dst = append(dst, '\n')
			}
			return dst
		}
	}
	return t.appendLayout(dst, cells, widths)
}

func lineCount(cells [][][]string) int {
	n := 0
	for _, row := range cells {
		most := 0
		for _, lines := range row {
			most = max(most, len(lines))
		}
		n += most
	}
	return n
}

// draw draws a table of one row or more.
func (t *Table) draw(cells [][][]string) ([]byte, error) {
	// Its cache would keep the last thousands of cells, however long they are.
	twwidth.SetCacheCapacity(0)
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
			return nil, err
		}
	}
	err := table.Render()
	return drawn.Bytes(), err
}

// appendLayout draws what tablewriter does not: a table without rows, of which
// it leaves out the line below the names, and a large one.
func (t *Table) appendLayout(dst []byte, cells [][][]string, widths []int) []byte {
	line := make([]string, len(t.Columns))
	for r, row := range cells {
		for k, more := 0, true; more; k++ {
			more = false
			for i, lines := range row {
				line[i] = ""
				if k < len(lines) {
					line[i] = lines[k]
				}
				more = more || k+1 < len(lines)
			}
			dst = appendTextRow(dst, t.Columns, widths, line)
		}
		if r == 0 {
			dst = appendRule(dst, widths)
		}
	}
	return dst
}

// appendTextHead appends the names and the line below them.
func appendTextHead(dst []byte, columns []Column, widths []int) []byte {
	return appendRule(appendTextRow(dst, columns, widths, names(columns)), widths)
}

func appendRule(dst []byte, widths []int) []byte {
	for i, w := range widths {
		if i > 0 {
			dst = append(dst, '+')
		}
		for range w + 2 {
			dst = append(dst, '-')
		}
	}
	return append(dst, '\n')
}

// bar is what stands between two cells.
const bar = " | "

var (
	blanks = [16]byte([]byte("                "))
	bars   = [4]byte([]byte(bar + " "))
)

// appendTextRow appends a row in one line.
func appendTextRow(dst []byte, columns []Column, widths []int, cells []string) []byte {
	cells = cells[:min(len(cells), len(columns))]
	if len(cells) == 0 {
		return append(dst, '\n')
	}
	start := len(dst)
	dst = append(dst, ' ')
	for i, cell := range cells {
		at, w, right := len(dst), widths[i], columns[i].Right
		// Most cells print as they are, one column for each byte: over blanks, of
		// which there are up to a word too many.
		if pad := w - len(cell); pad >= 0 {
			if cap(dst)-at < w+len(blanks) {
				dst = slices.Grow(dst, w+len(blanks))
			}
			to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), at)
			for k := 0; k < w; k += len(blanks) {
				word.Copy16(unsafe.Add(to, k), unsafe.Pointer(&blanks))
			}
			word.Copy4(unsafe.Add(to, w), unsafe.Pointer(&bars))
			if !right {
				pad = 0
			}
			if word.CopyPrinting(unsafe.Add(to, pad), cell) {
				dst = dst[:at+w+len(bar)]
				continue
			}
		}
		dst = appendOther(dst, cell, w, columns[i])
	}
	dst = dst[:len(dst)-len(bar)]
	for len(dst) > start && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return append(dst, '\n')
}

// appendOther appends any cell, and the bar behind it.
func appendOther(dst []byte, cell string, w int, c Column) []byte {
	is, ok := commonWidth(cell)
	if !ok || c.Overflow == Cut && is > w {
		cell = visible.String(cell)
		if c.Overflow == Cut {
			cell = Shorten(cell, w)
		}
		is = width(cell)
	}
	pad := w - is
	if !c.Right {
		dst = append(dst, cell...)
	}
	for range pad {
		dst = append(dst, ' ')
	}
	if c.Right {
		dst = append(dst, cell...)
	}
	return append(dst, bar...)
}
