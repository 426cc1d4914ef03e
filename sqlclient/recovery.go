package sqlclient

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// Recovery says in words how a row, or the names of columns, were recovered; "" for
// marks of no recovery.
func Recovery(marks changelog.Marks) string {
	var words []string
	for _, way := range recoveryWords {
		if marks&way.marks == way.marks {
			words = append(words, way.words)
			marks &^= way.marks
		}
	}
	return strings.Join(words, "; ")
}

// recoveryWords are words for each mark of recovery, and before them for those that
// say something else together.
var recoveryWords = [...]struct {
	marks changelog.Marks
	words string
}{
	{changelog.RecoveredWrapped | changelog.RecoveredByBars, "broken into several lines, which lack blanks and were put together by their bars"},
	{changelog.RecoveredWrapped, "broken into several lines, which were put together"},
	{changelog.RecoveredInterrupted, "lines of another program were taken out of it"},
	{changelog.RecoveredReturns, "lines end in CR LF, but it fits its border where those within it are the value's own, as which they were kept"},
	{changelog.RecoveredNewlines, "lines end in CR LF, and it fits its border both where those within it are the value's own and where they were newlines, as which they are read"},
	{changelog.RecoveredNarrow, "narrower than its border: an output encoding replaced wide characters by ?"},
	{changelog.RecoveredByBars, "does not fit its border: its cells were found by its bars"},
}

const (
	maxRecovered = 64 << 10 // bytes of a row that is worth the search
	maxStates    = 256      // places where a column may begin
)

// recoverRow reads a row that does not fit its border, if its cells can be
// found without a doubt. It reports false, and takes nothing, otherwise.
func (r *Reader) recoverRow() bool {
	t := &r.table
	if r.rewrittenRow() {
		return true
	}
	if r.strict {
		return false
	}
	n, whole := r.in.line(0, maxRecovered)
	if !whole {
		return false
	}
	if m := narrowCells(t.layout, r.in.data(), t.cells); m > 0 {
		r.emitRow(m, changelog.RecoveredNarrow)
		return true
	}
	row := r.in.data()[:n]
	if (!t.damaged || t.loose) && splitByBars(row, t.cells) && (!t.damaged || beginsWithKind(row[t.cells[0].From:])) {
		t.damaged = false
		r.emitRow(n, changelog.RecoveredByBars)
		return true
	}
	return false
}

// narrowCells finds the cells of a row in which an output encoding wrote "?" for
// characters that Flink counted as wide: each cell may lack as many columns as
// it has "?". It returns the row's length if there is just one way to read it,
// else 0.
func narrowCells(layout *tableau.Layout, data []byte, cells []tableau.Cell) int {
	data = data[:min(len(data), maxRecovered, layout.MaxRow())]
	if !bytes.HasPrefix(data, []byte("| ")) || bytes.IndexByte(data, '?') < 0 {
		return 0
	}
	type state struct {
		at   int // where the column begins
		from int // index of the state of the column before
	}
	columns := make([][]state, len(layout.Widths)+1)
	columns[0] = []state{{at: 2}}
	for c, w := range layout.Widths {
		last := c == len(layout.Widths)-1
		for from, s := range columns[c] {
			width, marks := 0, 0
			for p := s.at; p < len(data) && width <= w; {
				if lacking := w - width; lacking <= marks && bytes.HasPrefix(data[p:], []byte(" |")) {
					if next, ok := columnBehind(data, p, last); ok {
						columns[c+1] = append(columns[c+1], state{at: next, from: from})
						if len(columns[c+1]) > maxStates {
							return 0
						}
					}
				}
				if data[p] == '?' {
					marks++
				}
				rn, size := utf8.DecodeRune(data[p:])
				width, p = width+tableau.RuneWidth(rn), p+size
			}
		}
	}
	ends := columns[len(columns)-1]
	if len(ends) != 1 {
		return 0
	}
	s := ends[0]
	for c := len(layout.Widths) - 1; c >= 0; c-- {
		before := columns[c][s.from]
		to := s.at - 3
		if c == len(layout.Widths)-1 {
			to = bytes.LastIndexByte(data[:s.at], '|') - 1
		}
		cells[c] = cellOf(data, before.at, to)
		s = before
	}
	return ends[0].at
}

// columnBehind returns where the next column begins if the bar at p+1 ends a
// column, or, for the last column, where the row ends.
func columnBehind(data []byte, p int, last bool) (int, bool) {
	if !last {
		return p + 3, p+2 < len(data) && data[p+2] == ' '
	}
	end, out := tableau.RowEnd(data, p+2)
	return end, out == tableau.Whole
}
