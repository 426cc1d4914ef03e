package sqlclient

import (
	"bytes"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// modeWindow is how far a head looks ahead to tell a changelog from a batch
// result with a column op.
const modeWindow = 32 << 10

// borderTail does what the function of that name does. Of many results, most have the
// border of the one before.
func (r *Reader) borderTail(line []byte) int {
	if t := r.table.title; t != nil {
		body := trimReset(trimEOL(line))
		if start := len(body) - len(t.layout.Border); start >= 0 && bytes.Equal(body[start:], t.layout.Border) && (start == 0 || body[start-1] != '-' && body[start-1] != '+') {
			return start
		}
	}
	return borderTail(line)
}

// borderTail returns where in line a border begins that ends the line, or -1.
// The client prints a table's first border behind the echo of the statement,
// without a blank (1.15 to 2.3). A colour may end behind it.
func borderTail(line []byte) int {
	end := len(trimReset(trimEOL(line)))
	if end < 5 || line[end-1] != '+' || line[end-2] != '-' {
		return -1
	}
	start := end
	for start > 0 && (line[start-1] == '-' || line[start-1] == '+') {
		start--
	}
	for start < end && !bytes.HasPrefix(line[start:end], []byte("+---")) {
		start++
	}
	if start == end {
		return -1
	}
	return start
}

// head reads the head of a table whose first border is at i of the data. It
// returns the head and its length; or nil and 0 if there is none; or nil and
// the length of the rest if the input ends within it.
func (r *Reader) head(i int) (*Head, int) {
	n, whole := r.in.line(i, maxText)
	if !whole {
		return nil, 0
	}
	border := trimReset(trimEOL(r.in.data()[i : i+n]))
	var layout *tableau.Layout
	if t := r.table.title; t != nil && string(border) == string(t.layout.Border) {
		layout = t.layout
	} else {
		var ok bool
		if layout, ok = tableau.ParseBorder(border); !ok || len(layout.Widths) > maxColumns {
			return nil, 0
		}
	}
	// The header may hold a newline, so it ends where the border stands again.
	again := append(append(r.again[:0], '\n'), layout.Border...)
	r.again = again
	var end int // of the header line
	for {
		d := r.in.data()[i+n:]
		if len(d) > 0 && d[0] != '|' {
			return r.brokenHead(i, n, layout)
		}
		if j := bytes.Index(d[:min(len(d), layout.MaxRow()+2*len(again))], again); j >= 0 {
			end = j + 1
			break
		}
		if len(d) > layout.MaxRow()+2*len(again) {
			return nil, 0
		}
		if !r.in.more() {
			if bytes.Count(d, []byte{'\n'}) < 2 {
				return nil, len(r.in.data()) - i
			}
			return nil, 0
		}
	}
	last, whole := r.in.line(i+n+end, maxText)
	d := r.in.data()[i:]
	if !bytes.Equal(trimEOL(d[n+end:n+end+last]), layout.Border) {
		return nil, 0
	}
	if !whole {
		return nil, len(d)
	}
	if h := r.makeHead(i, layout, d[n:n+end], n+end+last, 0); h != nil {
		return h, len(h.Raw)
	}
	return r.brokenHead(i, n, layout)
}

// brokenHead reads a head with lines of loggers between its own, behind the n bytes
// of its first border. It returns what head does.
func (r *Reader) brokenHead(i, n int, layout *tableau.Layout) (*Head, int) {
	if r.strict {
		return nil, 0
	}
	if names, size := r.interruptedHead(i, n, layout); names != nil {
		if h := r.makeHead(i, layout, names, size, changelog.RecoveredInterrupted); h != nil {
			return h, size
		}
	}
	return nil, 0
}

// headInPieces reads a head whose lines are broken into several. It returns what
// head does.
func (r *Reader) headInPieces(i int) (*Head, int) {
	if layout, names, size := r.wrappedHead(i); names != nil {
		if h := r.makeHead(i, layout, names, size, changelog.RecoveredWrapped); h != nil {
			r.table.wrapped = true
			return h, size
		}
	}
	return nil, 0
}

// A title is what the lines of a head tell. The rows below tell the rest.
type title struct {
	raw     string // as read
	layout  *tableau.Layout
	names   string             // the header's line, as read
	header  []tableau.Cell     // of the names
	named   []changelog.Column // the row kind's, too, if there is one
	left    []bool             // the column stands at its left edge
	crlf    bool               // the lines end in CR LF
	unnamed bool               // see Head
	marks   changelog.Marks    // see Head
}

// makeTitle makes the title of a head, whose line of names is header. It returns nil
// if that cannot be one.
func (r *Reader) makeTitle(raw string, layout *tableau.Layout, header []byte, marks changelog.Marks) *title {
	cells := make([]tableau.Cell, len(layout.Widths))
	t := &title{raw: raw, layout: layout, header: cells, crlf: strings.HasSuffix(raw, "\r\n"), marks: marks}
	m, out := layout.Split(header, cells)
	if t.crlf && holdsCRLF(header) { // as in rewrittenRow
		switch asItStands := out == tableau.Whole && m == len(header); {
		case !asItStands:
			header = bytes.ReplaceAll(header, []byte("\r\n"), []byte{'\n'})
			m, out = layout.Split(header, cells)
		case r.strict:
			t.unnamed = true
		default:
			t.marks |= changelog.RecoveredReturns
		}
	}
	if out != tableau.Whole || m != len(header) {
		switch {
		case splitHeader(layout, header, cells):
		case !r.strict && narrowCells(layout, header, cells) == len(header):
			t.marks |= changelog.RecoveredNarrow
		case !r.strict && splitByBars(header, cells):
			t.marks |= changelog.RecoveredByBars
		case marks == 0 && bytes.Count(header, []byte{'\n'}) == 1 && looksLikeRow(trimEOL(header)):
			t.unnamed = true
		default:
			return nil
		}
	}
	t.names = string(header)
	t.left = make([]bool, len(cells))
	t.named = make([]changelog.Column, len(cells))
	if t.unnamed {
		if layout.Widths[0] == 2 && bytes.HasPrefix(header, []byte("| op | ")) {
			t.named[0].Name = "op"
		}
		return t
	}
	elsewhere := standElsewhere(header, cells)
	for c, cell := range cells {
		t.left[c] = elsewhere || standsLeft(header, cell)
		t.named[c] = columnOf(t.names, cell, t.left[c], layout.Widths[c])
	}
	return t
}

// makeHead makes the head that stands in the size bytes at i of the data, and
// begins its table. Header is the line of the names. It returns nil if that
// cannot be one.
func (r *Reader) makeHead(i int, layout *tableau.Layout, header []byte, size int, marks changelog.Marks) *Head {
	raw := r.in.data()[i : i+size]
	top := r.table.title
	if top == nil || top.layout != layout || top.raw != string(raw) || marks|top.marks != 0 { // of many results, most have the columns of the one before
		if top = r.makeTitle(string(raw), layout, header, marks); top == nil {
			return nil
		}
	}
	t := &r.table
	*t = table{title: top, cells: append(t.cells[:0], top.header...)}
	columns := top.named
	if !r.reuse { // who gives types to those of one head does not mean others
		columns = slices.Clone(columns)
	}
	h := handOut(r, &r.handed.head, Head{Raw: top.raw, Unnamed: top.unnamed, Marks: top.marks, Columns: columns, widths: layout.Widths, prompted: r.lex.session.prompted})
	if marks&changelog.RecoveredWrapped != 0 && h.Columns[0].Name == "op" && layout.Widths[0] == 2 && len(h.Columns) > 1 {
		h.Mode, h.Ambiguous = ModeStreaming, r.footerAhead(i+len(h.Raw)) == FooterRowsInSet
		if h.Ambiguous && h.prompted {
			h.Mode = ModeBatch
		}
	} else {
		h.Mode, h.Ambiguous = r.tableMode(h.Columns, i+len(h.Raw))
	}
	if h.Mode == ModeStreaming {
		h.Columns, h.widths = h.Columns[1:], h.widths[1:]
	}
	t.columns, t.mode = h.Columns, h.Mode
	t.loose = h.Mode == ModeStreaming && h.Marks&changelog.RecoveredByBars != 0
	return h
}

// splitHeader splits a header of which a name stands out of its column. From
// 1.20 on a batch column is as wide as its name's plain length, but the name is
// cut by its width with "...", which stands out of a column of one or two.
func splitHeader(layout *tableau.Layout, header []byte, cells []tableau.Cell) bool {
	p := 2
	if !bytes.HasPrefix(header, []byte("| ")) {
		return false
	}
	for c, w := range layout.Widths {
		cell, out := tableau.CellAt(header, p, w)
		if out != tableau.Whole || !bytes.HasPrefix(header[cell.To:], []byte(" |")) {
			if w >= 3 || !bytes.HasPrefix(header[p:], []byte("... |")) {
				return false
			}
			cell = cellOf(header, p, p+3)
		}
		cells[c] = cell
		p = cell.To + 3
		if p > len(header)-1 && c < len(layout.Widths)-1 {
			return false
		}
	}
	return len(bytes.TrimRight(header[p-1:], "\r\n")) == 0
}

// cellOf returns the cell that fills row[start:to], padding included.
func cellOf(row []byte, start, to int) tableau.Cell {
	from := start
	for from < to && row[from] == ' ' {
		from++
	}
	return tableau.Cell{Start: start, From: from, To: to}
}

// splitByBars splits a row that has just the bars between its columns.
func splitByBars(row []byte, cells []tableau.Cell) bool {
	row = trimEOL(row)
	if bytes.Count(row, []byte{'|'}) != len(cells)+1 || len(row) < 2 || row[0] != '|' || row[len(row)-1] != '|' {
		return false
	}
	p := 1
	for c := range cells {
		end := p + bytes.IndexByte(row[p:], '|')
		cell := cellOf(row, p, end)
		if cell.From < end && row[end-1] == ' ' {
			cell.To--
		}
		cell.Start = min(p+1, cell.To)
		cells[c] = cell
		p = end + 1
	}
	return true
}

// standsLeft reports whether a header cell stands at the left edge of its
// column. Flink's own stand right; other consoles draw the same box.
func standsLeft(header []byte, cell tableau.Cell) bool {
	return cell.From == cell.Start && cell.To > cell.From && header[cell.To-1] == ' '
}

// standElsewhere reports whether all header cells stand in the middle or at the
// left edge of their columns, or fill them, as other consoles, and some who draw
// tables anew, have them. The cells below stand anywhere.
func standElsewhere(header []byte, cells []tableau.Cell) bool {
	elsewhere := false
	for _, cell := range cells {
		before := cell.From - cell.Start
		behind := cell.To - cell.From - len(bytes.TrimRight(header[cell.From:cell.To], " "))
		if behind < before-1 || before > 0 && behind > before+1 {
			return false
		}
		elsewhere = elsewhere || behind > 0
	}
	return elsewhere
}

func columnOf(header string, cell tableau.Cell, left bool, w int) changelog.Column {
	name := header[cell.From:cell.To]
	if left {
		name = strings.TrimRight(name, " ")
	}
	return changelog.Column{Name: name, MaybeCut: maybeCut(name, cell.From-cell.Start, w)}
}

// maybeCut reports whether Flink may have cut text, before which stand pad
// blanks in a column of width w. Flink cuts to the width less three and writes
// "..."; where the next character is wide and does not fit, it pads one blank.
func maybeCut(text string, pad, w int) bool {
	return pad <= 1 && strings.HasSuffix(text, "...") && (w >= 3 || pad == 0)
}

// modeOf tells a changelog by its rows alone: damage may have come to a few of
// its row kinds, but a column op of anything else is data.
func modeOf(kinds, others int) (mode Mode, ambiguous bool) {
	if others > kinds/8 {
		return ModeBatch, kinds > 0
	}
	return ModeStreaming, others > 0
}

// kindAhead reports whether the row at i begins with a row kind, in a column
// of width w: below a name that is no op, but as narrow, that may be damage to the
// name.
func (r *Reader) kindAhead(i, w int) bool {
	for len(r.in.data())-i < 2+w && r.in.more() {
	}
	row := r.in.data()[i:]
	if len(row) < 2+w || !bytes.HasPrefix(row, []byte("| ")) {
		return false
	}
	_, ok := rowKind(bytes.TrimLeft(row[2:2+w], " "))
	return ok
}

// footerAhead returns the kind of the next footer behind i, none if something else
// of the client comes before it.
func (r *Reader) footerAhead(i int) FooterKind {
	for start := i; i-start < modeWindow; {
		n, whole := r.in.line(i, maxText)
		line := r.in.data()[i : i+n]
		switch kind := classify(line); {
		case !whole || kind == echoToken || kind == messageToken || kind == errorToken || kind == shutdownToken:
			return FooterNone
		case kind == footerToken:
			f, _ := parseFooter(textOf(line))
			return f.Kind
		}
		i += n
	}
	return FooterNone
}

// tableMode tells a changelog from rows without kinds. The client's changelogs
// have a first column op of width 2, and end in "Received a total of"; a batch
// result may have such a column too, and ends in "rows in set" (1.13 to 2.3). So
// does a changelog printed by TableResult.print(), which no prompt stands before, and
// whose widths come from types: a column wider than all in it is no batch column,
// unless what fills it begins with blanks. The rows begin at i.
func (r *Reader) tableMode(columns []changelog.Column, i int) (mode Mode, ambiguous bool) {
	t := &r.table
	if len(columns) == 1 { // a changelog has a column at least
		return ModeBatch, false
	}
	switch name := columns[0].Name; {
	case name == "+/-" && t.layout.Widths[0] == 3: // 1.11, 1.12
		return ModeStreaming, false
	case name == "op" && t.layout.Widths[0] == 2, name == "row_kind" && t.layout.Widths[0] == 8: // the latter while 1.11 was being made
	default:
		w := t.layout.Widths[0]
		return ModeBatch, (w == 2 || w == 3 || w == 8) && r.kindAhead(i, w)
	}
	if r.changelogEnds(i) {
		return ModeStreaming, false
	}
	cells := t.cells // of the header
	r.tight = r.tight[:0]
	for _, cell := range cells {
		r.tight = append(r.tight, cell.From == cell.Start)
	}
	searched := 0         // looked through for tall rows
	loose := false        // a row does not fit its border
	kinds, others := 0, 0 // rows that begin with a row kind, and that do not
	count := func(op []byte) {
		if _, ok := rowKind(op); ok {
			kinds++
		} else {
			others++
		}
	}
	for start := i; ; {
		row := r.in.data()[i:]
		n, out := t.layout.Split(row, cells)
		switch {
		case i-start > modeWindow:
			return modeOf(kinds, others)
		case out == tableau.Short:
			if r.in.more() {
				continue
			}
			return modeOf(kinds, others)
		case out == tableau.Mismatch && t.crlf && searched < maxTall:
			tall := row[:min(len(row), 2*t.layout.MaxRow(), modeWindow)]
			searched += len(tall)
			if op, n := t.tallRow(tall, cells); n > 0 {
				count(bytes.TrimLeft(op, " "))
				i += n
				continue
			}
		case out == tableau.Whole:
			row = row[:n]
			if string(row) == t.names { // drawn anew, see drawnAnew
				return modeOf(kinds, others)
			}
			count(bytes.TrimLeft(row[cells[0].From:cells[0].To], " "))
			i += n
			continue
		}
		n, whole := r.in.line(i, maxText)
		line := trimEOL(r.in.data()[i : i+n])
		end := i
		border := bytes.Equal(line, t.layout.Border)
		closed := border && whole
		if border {
			i += n
			n, whole = r.in.line(i, maxText)
			line = trimEOL(r.in.data()[i : i+n])
		} else if kind := classify(line); whole && (kind == otherToken || kind == blankToken || kind == logToken) {
			if splitByBars(line, cells) { // a row that does not fit
				count(line[cells[0].From:cells[0].To])
				loose = true
			}
			i += n
			continue
		}
		f, ok := parseFooter(textOf(line))
		switch {
		case ok && whole && (f.Kind == FooterReceived || f.Kind == FooterTerminated):
			return ModeStreaming, false
		case !ok || !whole:
			mode, ambiguous = modeOf(kinds, others)
			if mode == ModeStreaming && closed && !ok && string(line) != strings.TrimRight(t.names, "\r\n") && kinds > 0 && !loose && !slices.Contains(t.left, true) { // a batch result is printed at once, with its border
				tight, _ := r.fills(r.in.data()[start:end])
				ambiguous = ambiguous || !slices.Contains(tight, false)
			}
			return mode, ambiguous
		case r.lex.session.prompted:
			return ModeBatch, kinds > 0
		case others > 0:
			mode, _ := modeOf(kinds, others)
			return mode, mode == ModeStreaming
		case loose: // so no width tells anything
			return ModeStreaming, true
		}
		return r.modeByWidths(r.in.data()[start:end])
	}
}

// maxTall is how many bytes are looked through for tall rows behind a head: below a
// long border each line might begin one.
const maxTall = 1 << 20

// tallRow returns the row kind of a row of several lines that end in CR LF, and its
// length; 0 if data begin with none.
func (t *table) tallRow(data []byte, cells []tableau.Cell) (op []byte, n int) {
	if !bytes.HasPrefix(data, []byte("| ")) || len(data) < len(t.layout.Border) { // a row has a byte for each column at least
		return nil, 0
	}
	text := bytes.ReplaceAll(data, []byte("\r\n"), []byte{'\n'})
	m, out := t.layout.Split(text, cells)
	if out != tableau.Whole {
		return nil, 0
	}
	return text[cells[0].From:cells[0].To], linesLen(data, bytes.Count(text[:m], []byte{'\n'}))
}

// changelogEnds reports whether the next border behind i, as far as was read, has
// the footer of a changelog below it. Whatever stands before that border then,
// the rows are of a changelog.
func (r *Reader) changelogEnds(i int) bool {
	border := r.table.layout.Border
	rows := r.in.data()[i:]
	for at := 0; at < min(len(rows), modeWindow); {
		if rows[at] == '+' {
			if line, below, whole := bytes.Cut(rows[at:], []byte{'\n'}); whole && bytes.Equal(trimEOL(line), border) {
				n := bytes.IndexByte(below, '\n')
				if n < 0 {
					return false
				}
				f, ok := parseFooter(textOf(below[:n]))
				return ok && (f.Kind == FooterReceived || f.Kind == FooterTerminated)
			}
		}
		// Where no border can be on its way, none begins before: so of most rows only
		// the newline is looked at.
		end := at + len(border)
		if end >= len(rows) {
			return false
		}
		if c := rows[end]; c == '-' || c == '+' {
			end = at
		}
		n := bytes.IndexByte(rows[end:], '\n')
		if n < 0 {
			return false
		}
		at = end + n + 1
	}
	return false
}

// modeByWidths tells a changelog that TableResult.print() printed from a batch
// result whose rows all begin with a row kind, by what fills the columns. The header
// is known in tight.
func (r *Reader) modeByWidths(rows []byte) (mode Mode, ambiguous bool) {
	tight, words := r.fills(rows)
	if !slices.Contains(tight, false) {
		return ModeBatch, true
	}
	return ModeStreaming, !r.table.typed(tight, words)
}

// fills tells of each column whether something fills it, the name or a cell of
// the rows, and whether some cell is no number.
func (r *Reader) fills(rows []byte) (tight, words []bool) {
	t := &r.table
	tight = r.tight
	words = slices.Grow(r.words[:0], len(tight))[:len(tight)]
	clear(words)
	r.words = words
	for len(rows) > 0 {
		n, out := t.layout.Split(rows, t.cells)
		if out != tableau.Whole { // a line between rows
			_, rows, _ = bytes.Cut(rows, []byte{'\n'})
			continue
		}
		for c, cell := range t.cells {
			tight[c] = tight[c] || cell.From == cell.Start
			words[c] = words[c] || !isNumeric(rows[cell.From:cell.To])
		}
		rows = rows[n:]
	}
	return tight, words
}

// typed reports whether the width of some column comes from its type, and not
// from what is in it: it is that of STRING, or is wider than numbers, before which
// no value has blanks.
func (t *table) typed(tight, words []bool) bool {
	for c, w := range t.layout.Widths {
		if !tight[c] && (!words[c] || w == stringWidth) {
			return true
		}
	}
	return false
}

// stringWidth is the width of a column of STRING, unless an option says another one
// (sql-client.display.max-column-width, or table.display.max-column-width).
const stringWidth = 30

// isNumeric reports whether a cell holds what only numbers and times are printed
// with, or null.
func isNumeric(text []byte) bool {
	return len(text) > 0 && len(bytes.Trim(text, "0123456789+-.:E ")) == 0 || string(text) == nullWord || string(text) == oldNullWord
}
