package sqlclient

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/raw"
)

// What Zeppelin's Flink interpreter shows of a query: %table, the names of the
// columns and the rows, with tabs between, then %text (FlinkStreamSqlInterpreter,
// UpdateStreamSqlJob and AppendStreamSqlJob of org.apache.zeppelin.flink.sql).
// It is a snapshot of the table that a changelog stands for: each time it is
// drawn again it takes the place of the former one. Tabs and newlines in values
// became blanks, and a null is the word "null", as a string may be.

const (
	tableMark   = "%table"
	textMark    = "%text"
	refreshMark = "Refresh with data: " // before tableMark in the interpreter's log
)

// tableMarkIn returns where in a line the mark of a table begins, or -1.
func tableMarkIn(line []byte) int {
	body := trimEOL(line)
	if rest, ok := bytes.CutPrefix(body, []byte(tableMark)); ok && (len(rest) == 0 || rest[0] == ' ' && bytes.IndexByte(rest, '\t') > 0) {
		return 0
	}
	if bytes.HasSuffix(body, []byte(refreshMark+tableMark)) {
		return len(body) - len(tableMark)
	}
	return -1
}

// snapshot reads the table that begins at the read position. It reports false
// at the end of the input.
func (r *Reader) snapshot() bool {
	n, whole := r.in.line(0, maxText)
	head := len(tableMark) + 1
	if len(trimEOL(r.in.data()[:n])) < head { // the names are in the next line
		head = n
		var m int
		m, whole = r.in.line(n, maxText)
		n += m
	}
	if !whole {
		r.cutOff("the head of a table is cut off by the end of the input")
		return false
	}
	raw := string(r.in.data()[:n])
	h := &Head{Mode: ModeBatch, Snapshot: true, Raw: raw}
	for name := range strings.SplitSeq(strings.TrimRight(raw[head:], "\r\n"), "\t") {
		h.Columns = append(h.Columns, changelog.Column{Name: name})
	}
	h.span = r.in.consume(n)
	if !r.emit(h) {
		return false
	}
	for !r.halted {
		n, whole := r.in.line(0, maxText)
		line := trimEOL(r.in.data()[:n])
		if n == 0 {
			return false
		}
		blank := len(line) == 0
		if end := r.markBehind(n, blank); end > 0 {
			return r.emit(&Border{span: r.in.consume(end)})
		}
		texts := strings.Split(string(line), "\t")
		fits := len(texts) == len(h.Columns)
		switch kind := classify(line); {
		case fits && len(texts) > 1 && whole:
			r.emitTexts(texts, n)
		case tableMarkIn(line) >= 0, kind == echoToken, kind == messageToken, kind == errorToken, kind == shutdownToken, blank && !fits:
			return true
		case !whole:
			r.cutOff("a row is cut off by the end of the input")
			return false
		case fits:
			r.emitTexts(texts, n)
		case len(texts) == 1:
			return true
		default:
			r.unread(n, fmt.Sprintf("a row of %d cells below %d names", len(texts), len(h.Columns)))
		}
	}
	return false
}

// markBehind returns the length of the mark that ends a table, with the blank
// line before it, or 0 if the line of n bytes does not begin it.
func (r *Reader) markBehind(n int, blank bool) int {
	start := 0
	if blank {
		start = n
		n, _ = r.in.line(start, maxText)
	}
	line := r.in.data()[start : start+n]
	rest, ok := bytes.CutPrefix(line, []byte(textMark))
	switch {
	case !ok:
		return 0
	case len(trimEOL(rest)) == 0:
		return start + n
	case rest[0] == ' ':
		return start + len(textMark) + 1
	}
	return 0
}

// emitTexts hands out a row that stands in the next n bytes.
func (r *Reader) emitTexts(texts []string, n int) bool {
	row := &changelog.Row{Cells: make([]changelog.Cell, len(texts)), Pos: r.in.pos}
	for i, text := range texts {
		row.Cells[i].Text = text
		if r.nullSet && text == r.null {
			row.Cells[i].Marks = changelog.Null
		}
	}
	r.batch = Rows{ready: row, rows: append(r.batch.rows[:0], raw.Bounds{End: int32(n), Cells: raw.Plain}), special: true}
	r.batch.survey(r.in.data()[:n])
	r.batch.odd[EncodingNotUTF8] = !utf8.Valid(r.batch.data)
	r.batch.kinds[changelog.None] = 1
	r.in.r += n
	return r.emitRows(&r.batch)
}

const (
	maxNote = 32 << 20 // the size of a note
	// maxNoteHead is how far a note's paragraphs are looked for.
	maxNoteHead = 64 << 10
	maxNesting  = 1000 // of its JSON
)

const paragraphs = `"paragraphs"`

// note reads an input that is a note of Zeppelin: a JSON object with paragraphs,
// of which each has the text that was run and, in results, what came of it. It
// reports false, and takes nothing, if the input is something else.
func (r *Reader) note() bool {
	if !r.beginsNote() {
		return false
	}
	for len(r.in.data()) <= maxNote && r.in.more() {
	}
	doc := string(r.in.data())
	switch {
	case len(doc) > maxNote:
		r.refuseRest(fmt.Sprintf("a Zeppelin note of more than %d MiB", maxNote>>20))
	case !shallow(doc):
		r.refuseRest(fmt.Sprintf("a Zeppelin note that nests deeper than %d levels", maxNesting))
	case !gjson.Valid(doc):
		r.refuseRest("a Zeppelin note that is no valid JSON; is it cut off?")
	default:
		n := noteReader{Reader: r, doc: doc, start: r.in.r}
		for _, p := range gjson.Get(doc, "paragraphs").Array() {
			n.paragraph(p)
		}
		n.markup(len(doc))
	}
	return true
}

// beginsNote looks as far ahead as needed to tell a note from something else,
// such as a log in lines of JSON, which may come slowly: in a note the first
// line names the paragraphs, or is a bracket alone.
func (r *Reader) beginsNote() bool {
	for {
		data := bytes.TrimLeft(r.in.data(), " \t\r\n")
		data = data[:min(len(data), maxNoteHead)]
		if len(data) > 0 && data[0] != '{' {
			return false
		}
		line, _, whole := bytes.Cut(data, []byte{'\n'})
		if whole && len(bytes.TrimSpace(line)) == 1 {
			line = data
		}
		if bytes.Contains(line, []byte(paragraphs)) {
			return true
		}
		if whole && len(line) < len(data) || len(data) >= maxNoteHead || !r.in.more() {
			return false
		}
	}
}

// refuseRest hands out all of the input as what cannot be read.
func (r *Reader) refuseRest(msg string) {
	e := &SyntaxError{Msg: msg, Raw: string(r.in.data()[:min(len(r.in.data()), maxRaw)])}
	e.where.Start = r.in.pos
	for {
		e.where.End = r.in.consume(len(r.in.data())).where.End
		if !r.in.more() {
			break
		}
	}
	r.emit(e)
}

// shallow reports whether JSON does not nest deeper than it may.
func shallow(doc string) bool {
	depth, quoted := 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			if depth++; depth > maxNesting {
				return false
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return true
}

// A noteReader hands out the records of a note.
type noteReader struct {
	*Reader
	doc   string
	start int // where the note begins in the buffer
}

// at returns the read position within the note.
func (n *noteReader) at() int { return n.in.r - n.start }

// markup hands out the JSON up to an offset.
func (n *noteReader) markup(to int) {
	if size := to - n.at(); size > 0 && !n.halted {
		t := &Text{Kind: TextMarkup, Text: n.doc[n.at():to]}
		t.span = n.in.consume(size)
		n.emit(t)
	}
}

// A notePiece is what the results of a paragraph hold, of one type.
type notePiece struct {
	kind string // TABLE, TEXT, HTML, ANGULAR, ...
	data gjson.Result
}

// paragraph hands out the records of a paragraph that was run as SQL, or that
// shows a table. Others are markup.
func (n *noteReader) paragraph(p gjson.Result) {
	results := p.Get("results")
	level := LevelNone
	switch results.Get("code").String() {
	case "SUCCESS":
		level = LevelInfo
	case "ERROR":
		level = LevelError
	}
	sql, interpreter := paragraphSQL(p.Get("text").String())
	statement := strings.HasSuffix(interpreter, "sql")
	var pieces []notePiece
	errorAt := -1 // the text that says why it failed: the last one
	for _, m := range results.Get("msg").Array() {
		piece := notePiece{m.Get("type").String(), m.Get("data")}
		if piece.data.Type != gjson.String || !n.stands(piece.data) {
			continue
		}
		statement = statement || piece.kind == "TABLE"
		if piece.kind == "TEXT" && level == LevelError {
			errorAt = len(pieces)
		}
		pieces = append(pieces, piece)
	}
	end := p.Index + len(p.Raw)
	if !statement || level == LevelNone || !n.stands(p) || end > len(n.doc) {
		return
	}
	n.markup(p.Index)
	first := end - 1
	if len(pieces) > 0 {
		first = pieces[0].data.Index
	}
	e := &Echo{SQL: sql, Complete: true, Raw: n.doc[n.at():first]}
	if e.span = n.in.consume(first - n.at()); !n.emit(e) {
		return
	}
	told := errorAt >= 0
	for i, piece := range pieces {
		if piece.data.Index < n.at() {
			continue
		}
		n.markup(piece.data.Index)
		switch piece.kind {
		case "TABLE":
			n.table(piece.data)
			told = told || level == LevelInfo
		case "TEXT":
			m := &Message{Level: LevelInfo, Text: strings.TrimRight(piece.data.String(), " \t\r\n"), Raw: piece.data.Raw}
			if i == errorAt {
				m.Level = LevelError
				m.fail()
			}
			m.span = n.in.consume(len(piece.data.Raw))
			n.emit(m)
			told = true
		case "ANGULAR":
			n.unread(len(piece.data.Raw), "a result of type=single: Zeppelin keeps its template, but not its values")
		}
		if n.halted {
			return
		}
	}
	if !told {
		n.markup(end - 1)
		m := &Message{Level: level, Text: results.Get("code").String(), Raw: n.doc[end-1 : end]}
		m.span = n.in.consume(1)
		n.emit(m)
	}
	n.markup(end)
}

// stands reports whether a value's offset in the note is known, and lies ahead.
func (n *noteReader) stands(v gjson.Result) bool {
	return v.Index >= n.at() && v.Index > 0 && strings.HasPrefix(n.doc[v.Index:], v.Raw)
}

// fail reads the text of a paragraph that failed: perhaps a line with the
// statement, then the exception with its stack.
func (m *Message) fail() {
	text := m.Text
	if first, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(first, "Fail to run sql command:") {
		text = rest
	}
	if class, rest := exceptionClass(text); class != "" {
		m.Class, m.Text = class, rest
	}
	m.CausedBy = causes(m.Text)
}

// paragraphSQL returns the text of a paragraph without the "%flink.ssql(type=
// update)" that names its interpreter, and that name.
func paragraphSQL(text string) (sql, interpreter string) {
	text = strings.TrimSpace(text)
	rest, ok := strings.CutPrefix(text, "%")
	if !ok {
		return text, ""
	}
	i := strings.IndexAny(rest, "( \t\r\n")
	if i < 0 {
		return "", rest
	}
	interpreter, rest = rest[:i], rest[i:]
	if rest[0] == '(' {
		// The properties may hold brackets: a template does.
		line, _, _ := strings.Cut(rest, "\n")
		for j := range len(line) {
			if line[j] == ')' && (j+1 == len(line) || strings.IndexByte(" \t\r", line[j+1]) >= 0) {
				rest = rest[j+1:]
				break
			}
		}
	}
	return strings.TrimSpace(rest), interpreter
}

// table hands out a table that is the content of a JSON string.
func (n *noteReader) table(data gjson.Result) {
	from, to := data.Index+1, data.Index+len(data.Raw)-1
	if from == to {
		return // nothing was shown
	}
	n.markup(from)
	names, behind := n.line(from, to)
	h := &Head{Mode: ModeBatch, Snapshot: true, Raw: n.doc[from:behind]}
	for _, name := range names {
		h.Columns = append(h.Columns, changelog.Column{Name: name})
	}
	if h.span = n.in.consume(behind - from); !n.emit(h) {
		return
	}
	for from = behind; from < to && !n.halted; from = behind {
		var texts []string
		texts, behind = n.line(from, to)
		switch {
		case len(texts) == len(names):
			n.emitTexts(texts, behind-from)
		case len(texts) == 1 && texts[0] == "":
			t := &Text{Kind: TextBlank, Text: n.doc[from:behind]}
			t.span = n.in.consume(behind - from)
			n.emit(t)
		default:
			n.unread(behind-from, fmt.Sprintf("a row of %d cells below %d names", len(texts), len(names)))
		}
	}
	if !n.halted {
		n.emit(&Border{span: n.in.consume(1)}) // the quote that closes the string
	}
}

// line returns the cells of the line that begins at from in a JSON string up to
// to, and where the next line begins.
func (n *noteReader) line(from, to int) (cells []string, behind int) {
	start := from
	cell := func(end int) {
		text := n.doc[start:end]
		if strings.IndexByte(text, '\\') >= 0 {
			text = gjson.Parse(`"` + text + `"`).String()
		}
		cells = append(cells, strings.Clone(text))
	}
	for i := from; i < to; {
		if n.doc[i] != '\\' {
			i++
			continue
		}
		size := 2
		c := n.doc[i+1]
		if c == 'u' {
			size = 6
			switch strings.ToLower(n.doc[i+2 : i+6]) {
			case "0009":
				c = 't'
			case "000a":
				c = 'n'
			}
		}
		switch c {
		case 't':
			cell(i)
			start = i + size
		case 'n':
			cell(i)
			return cells, i + size
		}
		i += size
	}
	cell(to)
	return cells, to
}
