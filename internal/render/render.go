// Package render draws tables for people: aligned text and Markdown.
//
// Cells are drawn as they are, but for control characters, which are made
// visible (package visible): text of unknown origin may go to a terminal. Only
// a column that says so is ever cut, and a cut cell ends in "…".
package render

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/seed-69e58989/flinkread/internal/visible"
	"github.com/seed-69e58989/flinkread/internal/word"
)

// An Overflow says what a column does in a table that is too wide.
type Overflow uint8

const (
	Keep Overflow = iota // stay as wide as the longest cell
	Cut                  // cut cells, which then end in "…"; cells stay in one line
	Wrap                 // continue cells in the lines below
)

// A Column is a column of a Table.
type Column struct {
	Name     string
	Right    bool // cells stand right
	Overflow Overflow
}

// A Table is a small table that is held in memory.
type Table struct {
	Columns []Column
	Rows    [][]string // a row with too few cells ends in empty ones
	// Width is what the drawn table may take; for its sake columns that may
	// overflow do. 0: no limit.
	Width int
}

func names(columns []Column) []string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.Name
	}
	return list
}

// least is the width that an overflowing column keeps.
const least = 8

// width returns the number of terminal columns that s takes. It does not
// depend on the locale, unlike the default of tablewriter.
func width(s string) int {
	if w, ok := commonWidth(s); ok {
		return w
	}
	return twwidth.WidthWithOptions(s, twwidth.Options{})
}

// commonWidth returns the width of a text that is of nothing but printing ASCII and
// the most common characters of two columns: kana, ideographs and syllables of
// Hangul, as most texts are. None of them joins another, and none is a control: so
// this takes a small part of the time that tables and graphemes do.
func commonWidth(s string) (w int, ok bool) {
	w = word.Printing(s)
	for _, r := range s[w:] {
		switch {
		case ' ' <= r && r < 0x7f:
			w++
		case 0x4e00 <= r && r <= 0x9fff, 0xac00 <= r && r <= 0xd7a3, 0x3041 <= r && r <= 0x3096, 0x30a1 <= r && r <= 0x30ff:
			w += 2
		default:
			return 0, false
		}
	}
	return w, true
}

// Shorten returns s in one line of at most limit columns, with control
// characters made visible, and with "…" in the place of what is cut.
func Shorten(s string, limit int) string {
	s = visible.String(s)
	if width(s) <= limit {
		return s
	}
	return head(s, limit-1) + "…"
}

// head returns the longest prefix of s that is at most limit columns wide.
func head(s string, limit int) string {
	w := 0
	for i, r := range s {
		w += width(string(r))
		if w > limit {
			return s[:i]
		}
	}
	return s
}

// lines returns the lines of a cell. A newline of the cell stays visible at
// the end of its line, so that two lines are not taken for two rows.
func lines(cell string, c Column) []string {
	if c.Overflow == Cut || !strings.Contains(cell, "\n") {
		return []string{visible.String(cell)}
	}
	parts := strings.SplitAfter(cell, "\n")
	if parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	for i, p := range parts {
		parts[i] = visible.String(p)
	}
	return parts
}

// longLine is from how many bytes on a line is not measured as a whole before each
// of its pieces, which would take a time that grows with the square of its length.
const longLine = 4096

// wrap breaks a line into pieces of at most limit columns, behind blanks where
// there are some.
func wrap(line string, limit int) []string {
	var out []string
	for len(line) > longLine || width(line) > limit {
		piece := head(line, limit)
		if piece == "" || len(piece) == len(line) { // a wide character in a narrow column, or a long line of marks
			break
		}
		if i := strings.LastIndexByte(piece, ' '); i > 0 && line[len(piece)] != ' ' {
			piece = piece[:i+1]
		}
		out = append(out, strings.TrimRight(piece, " "))
		line = strings.TrimLeft(line[len(piece):], " ")
	}
	return append(out, line)
}

// TextWidth returns how wide Text draws the table.
func (t *Table) TextWidth() int {
	_, widths := t.layout()
	return total(widths)
}

// total returns the width of a table: two blanks for each column, and the bars
// between them.
func total(widths []int) int {
	sum := 3*len(widths) - 1
	for _, w := range widths {
		sum += w
	}
	return sum
}

// layout returns the lines of each cell, the names first, and the widths of
// the columns.
func (t *Table) layout() ([][][]string, []int) {
	widths := make([]int, len(t.Columns))
	cells := make([][][]string, 0, len(t.Rows)+1)
	head := names(t.Columns)
	for r := -1; r < len(t.Rows); r++ {
		row := head
		if r >= 0 {
			row = t.Rows[r]
		}
		out := make([][]string, len(t.Columns))
		for i, c := range t.Columns {
			out[i] = []string{""}
			if i < len(row) {
				out[i] = lines(row[i], c)
			}
			for _, line := range out[i] {
				widths[i] = max(widths[i], width(line))
			}
		}
		cells = append(cells, out)
	}
	t.shrink(widths)
	for _, row := range cells {
		for i, c := range t.Columns {
			switch c.Overflow {
			case Cut:
				row[i][0] = Shorten(row[i][0], widths[i])
			case Wrap:
				var out []string
				for _, line := range row[i] {
					out = append(out, wrap(line, widths[i])...)
				}
				row[i] = out
			}
		}
	}
	return cells, widths
}

// shrink takes from the widest of the columns that may overflow, until the
// table fits or none of them can give more.
func (t *Table) shrink(widths []int) {
	if t.Width <= 0 {
		return
	}
	for i, c := range t.Columns {
		if c.Overflow != Keep {
			widths[i] = min(widths[i], max(t.Width, least))
		}
	}
	for sum := total(widths); sum > t.Width; sum-- {
		widest := -1
		for i, c := range t.Columns {
			if c.Overflow != Keep && widths[i] > least && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}
