package sqlclient

import (
	"bytes"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// What a file holds of a row need not be what the client wrote: its newlines
// became CR LF, a terminal broke it into several lines, or another program wrote
// a line into the midst of it.

// maxJoined is how many lines are put together to a row or a border.
const maxJoined = 64

// rewrittenRow reads a row that fits its border as soon as what happened to it is
// undone. It reports false, and takes nothing, if there is none.
func (r *Reader) rewrittenRow() bool {
	row, n := r.rowWithCRLF()
	marks := changelog.Marks(0)
	if m := r.rowWithReturns(); m > 0 {
		if marks = changelog.RecoveredNewlines; row == nil {
			marks, n = changelog.RecoveredReturns, m
		}
		switch {
		case r.strict:
			r.table.damaged = true
			r.unread(n, "a row is not read for certain: "+Recovery(marks))
			return true
		case row == nil:
			return r.emitRow(n, marks)
		}
		r.table.layout.Split(row, r.table.cells)
	}
	if row == nil && !r.strict {
		row, n = r.interruptedRow()
		marks = changelog.RecoveredInterrupted
	}
	if row == nil && !r.strict {
		var byBars bool
		row, n, byBars = r.wrappedRow()
		if marks = changelog.RecoveredWrapped; byBars {
			marks |= changelog.RecoveredByBars
		}
	}
	if row != nil {
		r.emitRewritten(row, n, marks)
	}
	return row != nil
}

// emitRewritten hands out a row whose cells are in the table, and whose text is
// what the client wrote where the file has the next n bytes.
func (r *Reader) emitRewritten(text []byte, n int, marks changelog.Marks) bool {
	t := &r.table
	kind := changelog.None
	if t.mode == ModeStreaming {
		var ok bool
		if kind, ok = rowKind(text[t.cells[0].From:t.cells[0].To]); !ok {
			return r.unread(n, "a row without a row kind in a changelog")
		}
	}
	data := r.in.data()
	if !r.nullSet && r.old == oldNullUnknown && bytes.Contains(text, []byte(oldNullWord)) {
		r.noteNulls(append(bytes.Clone(text), data[n:]...))
	}
	r.one(&r.batch, text, len(text), kind, marks)
	end := r.in.place.behind(r.in.pos, data[:n])
	r.batch.place = func(changelog.Pos, []byte) changelog.Pos { return end }
	r.in.r += n
	return r.emitRows(&r.batch)
}

// rowWithCRLF finds the row that comes next in a file whose newlines became CR
// LF, as those of terminals and of Windows do: there a newline in a cell takes
// two columns, where Flink counted one. It returns the row with the newlines that
// the client wrote, and its length in the file; nil if there is none.
func (r *Reader) rowWithCRLF() (row []byte, n int) {
	t := &r.table
	if !t.crlf || r.in.pos.Offset < t.crlfFrom {
		return nil, 0
	}
	seen := 0
	defer func() {
		if row == nil { // so that damaged rows of a wide table are not each looked for in all of it
			t.crlfFrom = r.in.pos.Offset + int64(seen/64)
		}
	}()
	var text []byte
	for i, next := 0, len(t.layout.Border)+1; ; {
		m, whole := r.in.line(i, t.layout.MaxRow())
		if !whole || len(text) > t.layout.MaxRow() {
			return nil, 0
		}
		line := r.in.data()[i : i+m-1]
		text = append(append(text, bytes.TrimSuffix(line, []byte{'\r'})...), '\n')
		i += m
		seen = i
		if len(text) < next {
			continue
		}
		switch k, out := t.layout.Split(text, t.cells); out {
		case tableau.Whole:
			return text[:k], linesLen(r.in.data(), bytes.Count(text[:k], []byte{'\n'}))
		case tableau.Mismatch:
			return nil, 0
		}
		next = len(text) + len(text)/8 + 1 // so that a long row is not split for each of its lines
	}
}

// rowWithReturns returns the length of the row that comes next in a file whose
// newlines became CR LF, if it has newlines in it and fits its border as it stands: with
// their carriage returns as columns. Those that a value had of its own may be left
// alone where newlines became CR LF; but a row that lost a line may fit so, too, and a
// longer one may begin so. It returns 0 if there is none.
func (r *Reader) rowWithReturns() int {
	t := &r.table
	if t.crlf {
		if n, out := t.layout.Split(r.in.data(), t.cells); out == tableau.Whole && mayBeRewritten(r.in.data()[:n]) {
			return n
		}
	}
	return 0
}

// mayBeRewritten reports whether a row that fits its border may be one whose newlines
// became CR LF: its last one is CR LF, and so is another.
func mayBeRewritten(row []byte) bool {
	return bytes.HasSuffix(row, []byte("\r\n")) && holdsCRLF(row)
}

// holdsCRLF reports whether a row has CR LF before its end.
func holdsCRLF(row []byte) bool {
	i := bytes.Index(row, []byte("\r\n"))
	return i >= 0 && i+2 < len(row)
}

// linesLen returns the length of so many lines.
func linesLen(data []byte, lines int) int {
	n := 0
	for range lines {
		n += bytes.IndexByte(data[n:], '\n') + 1
	}
	return n
}

// interruptedRow finds the row that comes next if lines of loggers stand in the
// midst of one of its lines, which goes on behind them.
func (r *Reader) interruptedRow() (row []byte, n int) {
	t := &r.table
	first, whole := r.in.line(0, maxRecovered)
	if !whole {
		return nil, 0
	}
	logs := first
	for range maxJoined {
		m, whole := r.in.line(logs, maxRecovered)
		if !whole {
			return nil, 0
		}
		if line := r.in.data()[logs : logs+m]; !isLog(line) && !isStack(line) {
			tries := 0
			for p := 1; p < first && p+len(line) <= t.layout.MaxRow() && tries < maxJoined; p++ {
				if !isLog(r.in.data()[p:first]) {
					continue
				}
				tries++
				text := append(bytes.Clone(r.in.data()[:p]), line...)
				if k, out := t.layout.Split(text, t.cells); out == tableau.Whole && k == len(text) {
					return text, logs + m
				}
			}
			return nil, 0
		}
		logs += m
	}
	return nil, 0
}

// isStack reports whether the line is of a stack that a logger printed.
func isStack(line []byte) bool {
	return bytes.HasPrefix(line, []byte("\tat ")) || bytes.HasPrefix(line, []byte("\t... ")) || bytes.HasPrefix(line, []byte("Caused by: "))
}

// wrappedRow finds the row that comes next if a terminal, or who copied from it,
// broke it into several lines. Either all of it is there, so that the lines fit
// the border when they are put together; or blanks of padding were lost where it
// was broken, beside a bar (byBars).
func (r *Reader) wrappedRow() (row []byte, n int, byBars bool) {
	t := &r.table
	bars := len(t.layout.Widths) + 1
	var text []byte
	edges := true // each line ends or begins at a bar
	for range maxJoined {
		m, whole := r.in.line(n, maxRecovered)
		if !whole {
			return nil, 0, false
		}
		line := trimEOL(r.in.data()[n : n+m])
		if n > 0 {
			if len(line) == 0 || isBorderPiece(line) || line[0] == '|' && bytes.Count(line, []byte{'|'}) == bars {
				return nil, 0, false
			}
			switch classify(line) {
			case otherToken:
				edges = edges && (text[len(text)-1] == '|' || line[0] == '|')
			case logToken, blankToken: // a piece may begin with a timestamp, or be padding
				edges = false
			default:
				return nil, 0, false
			}
		}
		text = append(text, line...)
		n += m
		if len(text) > t.layout.MaxRow() {
			return nil, 0, false
		}
		if n == m || !edges && len(text) < len(t.layout.Border) { // a single line was tried already, and no text has more columns than bytes
			continue
		}
		row = append(text, '\n')
		if k, out := t.layout.Split(row, t.cells); out == tableau.Whole && k == len(row) {
			return row, n, false
		}
		if edges && !t.damaged && bytes.Count(text, []byte{'|'}) == bars && (t.wrapped || r.somethingBehind(n)) && splitByBars(row, t.cells) && fits(t.layout, row, t.cells) {
			return row, n, true
		}
	}
	return nil, 0, false
}

// wrappedBorder returns the length of the border that closes the table, if it
// comes next and is broken into several lines; 0 if it does not.
func (r *Reader) wrappedBorder() int {
	n, left := 0, r.table.layout.Border
	for range maxJoined {
		m, whole := r.in.line(n, maxText)
		line := trimEOL(r.in.data()[n : n+m])
		if !whole || !isBorderPiece(line) || !bytes.HasPrefix(left, line) {
			return 0
		}
		n += m
		if left = left[len(line):]; len(left) == 0 {
			return n
		}
	}
	return 0
}

// fits reports whether each cell is no wider than its column.
func fits(layout *tableau.Layout, row []byte, cells []tableau.Cell) bool {
	for i, c := range cells {
		if tableau.Width(row[c.From:c.To]) > layout.Widths[i] {
			return false
		}
	}
	return true
}

// somethingBehind reports whether the input goes on behind n bytes.
func (r *Reader) somethingBehind(n int) bool {
	return len(r.in.data()) > n || r.in.more()
}

// interruptedHead finds the head of a table whose first border is the n bytes at i of
// the data, if lines of loggers stand between its lines. It returns the line of the
// names, and the length of it all; nil if there is none.
func (r *Reader) interruptedHead(i, n int, layout *tableau.Layout) (names []byte, size int) {
	size = n
	for range maxJoined {
		n, whole := r.in.line(i+size, maxText)
		if !whole {
			return nil, 0
		}
		line := r.in.data()[i+size : i+size+n]
		size += n
		switch {
		case isLog(line):
		case names == nil && line[0] == '|':
			names = bytes.Clone(line)
		case names != nil && bytes.Equal(trimEOL(line), layout.Border):
			return names, size
		default:
			return nil, 0
		}
	}
	return nil, 0
}

// isBorderPiece reports whether a line may be a piece of a border.
func isBorderPiece(line []byte) bool {
	return len(line) > 0 && len(bytes.Trim(line, "+-")) == 0
}

// borderPieces is what is known of a run of lines that may be pieces of a border, from
// looking in vain for the head of a table that begins with one of them: so that
// not each of them looks through the lines ahead again.
type borderPieces struct {
	end   int64 // the offset up to which no line begins a head
	names int64 // the offset of the line behind the run
	tries int   // lines of the run that looked beyond it
}

// maxTries is how many lines of a run of pieces look beyond it: those above a
// head may be of something else.
const maxTries = 4

// borderPiece returns where in a line a piece of a border begins that ends the
// line: at its start, or behind an echo, where the client prints the first border
// (1.15 to 2.3). It returns -1 for none.
func borderPiece(line []byte) int {
	at := len(bytes.TrimRight(line, "+-"))
	if at == len(line) || at > 0 && line[at] != '+' {
		return -1
	}
	if n, _ := promptLen(line); at > 0 && at != n && !endsStatement(line[:at]) {
		return -1
	}
	return at
}

// wrappedHead finds the head of a table at i of the data of which a terminal, or
// who copied from it, broke the lines, or lost the first character. It returns
// its border, the line of the names, and the length of it all; nil if there is
// none.
func (r *Reader) wrappedHead(i int) (layout *tableau.Layout, names []byte, size int) {
	start, known := r.in.pos.Offset+int64(i), &r.borders
	if start < known.end {
		return nil, nil, 0
	}
	var top, rule []byte
	halfway := 0 // the length of the pieces that are more than those of a border
	for lines := range 3 * maxJoined {
		n, whole := r.in.line(i+size, maxText)
		line := trimEOL(r.in.data()[i+size : i+size+n])
		piece := isBorderPiece(line)
		if names == nil && !piece {
			if !whole || len(line) == 0 || line[0] != '|' {
				known.end = start + int64(size)
				return nil, nil, 0
			}
			if at := start + int64(size); known.names != at {
				known.names, known.tries = at, 0
			}
			if known.tries++; known.tries > maxTries {
				known.end = known.names
				return nil, nil, 0
			}
		}
		size += n
		switch {
		case !whole || size > maxText || len(line) == 0:
			return nil, nil, 0
		case names == nil && piece:
			top = append(top, line...)
			if lines == 2*maxJoined {
				halfway = size
			}
		case names == nil, rule == nil && !piece:
			names = append(names, line...)
		case piece:
			rule = append(rule, line...)
		default:
			return nil, nil, 0
		}
		switch {
		case len(rule) > len(top)+1 || len(rule) > 0 && rule[0] != '+':
			return nil, nil, 0
		case len(rule) > 0 && (bytes.Equal(rule, top) || string(rule) == "+"+string(top)):
			layout, ok := tableau.ParseBorder(rule)
			if !ok || len(layout.Widths) > maxColumns || lines < 3 && len(rule) == len(top) { // nothing is broken
				return nil, nil, 0
			}
			return layout, append(names, '\n'), size
		}
	}
	if names == nil {
		known.end = start + int64(halfway)
	}
	return nil, nil, 0
}
