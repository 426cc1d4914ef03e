package render

import (
	"strings"

	"github.com/seed-69e58989/flinkread/internal/visible"
)

// maxHeld is how many rows a Drawing holds at most.
const maxHeld = 4000

// A Drawing is a table of any length that is drawn as its rows come, as text or
// as Markdown. It holds the first rows, as a Table does, to draw them well. When
// they become too many, it draws them and then each row that comes in a line of
// its own, in columns as wide as those rows need: in text a wider cell stands
// out, unless its column is one to be cut.
type Drawing struct {
	Table
	Markdown bool

	lines   int   // that Rows take
	longest []int // cell in bytes of each column
	widths  []int // of the columns; nil while rows are held
}

// Held reports whether all rows so far are in Rows, and nothing was drawn.
func (d *Drawing) Held() bool { return d.widths == nil }

// Full reports whether Rows are more than should be held: Release is due. They
// are if their cells, each as long as the longest of its column, take more than
// maxDrawn bytes.
func (d *Drawing) Full() bool {
	return d.Held() && (len(d.Rows) > maxHeld || total(d.longest)*d.lines > maxDrawn)
}

// AppendRow appends to dst what the next row draws, which is nothing while rows
// are held. It keeps nothing of cells.
func (d *Drawing) AppendRow(dst []byte, cells []string) []byte {
	if !d.Held() {
		return d.appendLine(dst, cells)
	}
	for len(d.longest) < len(d.Columns) {
		d.longest = append(d.longest, len(d.Columns[len(d.longest)].Name))
	}
	size, lines := 0, 1
	for i, c := range cells {
		size += len(c)
		lines = max(lines, strings.Count(c, "\n")+1)
		if i < len(d.longest) {
			d.longest[i] = max(d.longest[i], len(c))
		}
	}
	d.lines += lines
	var all strings.Builder // one string for the cells of a row
	all.Grow(size)
	for _, c := range cells {
		all.WriteString(c)
	}
	rest := all.String()
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i], rest = rest[:len(c)], rest[len(c):]
	}
	d.Rows = append(d.Rows, row)
	return dst
}

// Release appends the head and the rows that are held. None is held from now on.
func (d *Drawing) Release(dst []byte) []byte {
	d.widths = make([]int, len(d.Columns))
	for i, c := range d.Columns {
		d.widths[i] = width(visible.String(c.Name))
		for _, row := range d.Rows {
			if i < len(row) {
				d.widths[i] = max(d.widths[i], width(visible.String(row[i])))
			}
		}
	}
	d.shrink(d.widths)
	if d.Markdown {
		dst = appendMarkdownHead(dst, d.Columns)
	} else {
		dst = appendTextHead(dst, d.Columns, d.widths)
	}
	for _, row := range d.Rows {
		dst = d.appendLine(dst, row)
	}
	d.Rows = nil
	return dst
}

func (d *Drawing) appendLine(dst []byte, cells []string) []byte {
	if d.Markdown {
		return appendMarkdownRow(dst, cells)
	}
	return appendTextRow(dst, d.Columns, d.widths, cells)
}

// AppendEnd appends the table if its rows are held still.
func (d *Drawing) AppendEnd(dst []byte) []byte {
	switch {
	case !d.Held():
		return dst
	case d.Markdown:
		return d.appendMarkdown(dst)
	}
	return d.appendText(dst)
}
