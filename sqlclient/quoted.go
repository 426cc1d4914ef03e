package sqlclient

import (
	"bytes"
	"io"
	"sort"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
)

// What the client printed is often kept where each line has something before
// it: in an indented block, a comment of some language, a quote, a diff, or the
// output of a program that says whose line each is, or from when. Such a block
// begins with a prompt, a failure or a row of a print sink behind blanks or marks;
// with a prompt or a coloured level behind anything with which the next line
// begins, too; or with the head of a table whose three lines have the same prefix,
// whatever that is. It goes on as long as lines have the prefix, in which a time may
// differ. Without it they are read as any others. Where the client's prompt or level
// told the prefix, each line that has it later on begins a block, too. So a newline in a cell is
// followed by the prefix, too, as it is where a text was indented as a whole.

const (
	// maxPrefix is the longest prefix of a quoted line.
	maxPrefix = 256
	// quoteBuffer is the size of the buffer of what was quoted.
	quoteBuffer = 16 << 10
)

// quoteBlanks are the characters that may stand before a row that is quoted;
// quoteMarks those before a prompt.
const (
	quoteBlanks = " \t/*#->;%\"'+"
	quoteMarks  = quoteBlanks + "|"
)

// quotes returns the prefix of the block that begins with the line at i of the
// data, which is of the kind, and that of its first line, which may open a comment.
// It returns false if no block begins there.
func (r *Reader) quotes(i int, line []byte, kind tokenType) (first, prefix string, ok bool) {
	if r.quoted != nil || len(line) == 0 || !r.lex.mayQuote(line) {
		return "", "", false
	}
	if marks := marksLen(line); marks > 0 && beginsQuote(line[marks:]) {
		return string(line[:marks]), string(line[:marks]), true
	}
	if own, ok := ownPrefix(line, r.prefix, false); ok && r.prefix != "" { // a line between was another's
		return own, r.prefix, true
	}
	if at := clientIn(line, kind); at > 0 && at <= maxPrefix {
		first, next := string(line[:at]), i+len(line)
		n, whole := r.in.line(next, maxText)
		if _, ok := ownPrefix(r.in.data()[next:next+n], first, whole); ok {
			r.prefix = first
			return first, first, true
		}
		line = r.in.data()[i:next]
	}
	at := borderTail(line)
	if at <= 0 && line[0] != ' ' && line[0] != '\t' {
		return "", "", false
	}
	if blanks := len(line) - len(bytes.TrimLeft(line, " \t")); blanks > 0 && bytes.HasPrefix(line[blanks:], []byte("---")) {
		at = blanks // a border that lost its first character
	}
	if at <= 0 || at > maxPrefix {
		return "", "", false
	}
	first = string(line[:at])
	border := string(bytes.TrimLeft(trimEOL(line[at:]), "+"))
	next := i + len(line)
	n, whole := r.in.line(next, maxText)
	if !whole {
		return "", "", false
	}
	names := r.in.data()[next : next+n]
	bar := bytes.IndexByte(names, '|')
	if bar < 0 || bar > maxPrefix {
		return "", "", false
	}
	if own, ok := ownPrefix(names, first, false); ok && bytes.HasPrefix(names[len(own):], []byte("|")) {
		bar = len(own) // and not a bar of the prefix
	}
	prefix = string(names[:bar])
	switch own, ok := ownPrefix(names, first, false); {
	case ok && own == prefix:
		prefix = first
	case prefix == "" && first == "+": // a diff whose other lines lost their mark
		prefix = first
	case prefix != "" && opensComment(first):
	default:
		return "", "", false
	}
	next += n
	n, whole = r.in.line(next, maxText)
	rule := r.in.data()[next : next+n]
	own, ok := ownPrefix(rule, prefix, false)
	if !whole || !ok || !bytes.HasPrefix(rule[len(own):], []byte{'+'}) || string(bytes.TrimLeft(trimEOL(rule[len(own):]), "+")) != border {
		return "", "", false
	}
	return first, prefix, true
}

// clientIn returns where in a line of the kind, if that is nothing else, a prompt, a
// coloured level or a failure of the client stands behind something of another
// program; -1 for none.
func clientIn(line []byte, kind tokenType) int {
	if kind != otherToken && kind != logToken {
		return -1
	}
	at := promptIn(line)
	if level := colouredLevel(line); level > 0 && (at <= 0 || level < at) {
		at = level
	}
	if failure := bytes.Index(line, []byte("Failed to initialize from sql script:")); failure > 0 && at <= 0 {
		at = failure
	}
	return at
}

// promptIn returns where in a line the first prompt begins; -1 for none.
func promptIn(line []byte) int {
	for from := 0; ; {
		i := bytes.Index(line[from:], []byte(prompt))
		if i < 0 {
			return -1
		}
		i += from
		start := colourBefore(line, i)
		if n, _ := promptLen(line[start:]); n > 0 {
			return start
		}
		from = i + len(prompt)
	}
}

// ownPrefix returns the prefix of a line of a block of which another line has a
// prefix: the same, but for digits where a time is among them, and for how many
// of these tell the fraction of a second. The prefix of a line that is nothing
// else (whole) may have lost its last blanks, as an editor takes them away.
func ownPrefix(line []byte, prefix string, whole bool) (own string, ok bool) {
	if bytes.HasPrefix(line, []byte(prefix)) {
		return prefix, true
	}
	n, fixed := 0, !hasTime(prefix)
	for i := 0; i < len(prefix); {
		switch {
		case n == len(line) || n > 2*maxPrefix:
			return "", false
		case prefix[i] == line[n]:
		case fixed || !isDigit(prefix[i]) || !isDigit(line[n]):
			rest := strings.TrimRight(prefix[i:], " \t")
			if body := trimEOL(line); whole && rest == "" && n == len(body) {
				return string(body), true
			}
			return "", false
		}
		fraction := i >= 3 && (prefix[i] == '.' || prefix[i] == ',') && isDigit(prefix[i-1]) && isDigit(prefix[i-2]) && prefix[i-3] == ':'
		i, n = i+1, n+1
		if fraction && !fixed {
			for i < len(prefix) && isDigit(prefix[i]) {
				i++
			}
			for n < len(line) && isDigit(line[n]) {
				n++
			}
		}
	}
	return string(line[:n]), true
}

// hasTime reports whether a time such as 10:14:03 stands in a prefix.
func hasTime(prefix string) bool {
	for i := 0; i+8 <= len(prefix); i++ {
		if t := prefix[i : i+8]; t[2] == ':' && t[5] == ':' && digits([]byte(t[:2])) && digits([]byte(t[3:5])) && digits([]byte(t[6:])) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// marksLen returns the length of the marks that line begins with, without the sign
// of a row kind.
func marksLen(line []byte) int {
	n := 0
	for n < len(line) && n < maxPrefix && bytes.IndexByte([]byte(quoteMarks), line[n]) >= 0 {
		n++
	}
	if n > 0 && beginsWithKind(line[n-1:]) {
		n--
	}
	return n
}

// quotesRow reports whether the row of a print sink that begins with h, in the line at i
// of the data, stands behind marks that are not of the sink's identifier. They are if the row
// goes on in a line without them.
func (r *Reader) quotesRow(h printHead, i, n int) bool {
	line := r.in.data()[i : i+n]
	marks := marksLen(line)
	if marks == 0 || r.quoted != nil {
		return false
	}
	if _, row := printed(line[marks:]); !row {
		return false
	}
	if bytes.HasSuffix(trimEOL(line), []byte(h.close)) {
		return true
	}
	next, whole := r.in.line(i+n, maxText)
	line = r.in.data()[i : i+n+next]
	_, quoted := ownPrefix(line[n:], string(line[:marks]), whole)
	return quoted || next == 0
}

// beginsQuote reports whether a line is the client's, or a print sink's, wherever
// it stands: a prompt, a failure, or a row.
func beginsQuote(line []byte) bool {
	if n, _ := promptLen(line); n > 0 {
		return true
	}
	if level, n, _ := levelOf(line); level == LevelError {
		return bytes.HasPrefix(line[n:], []byte(" Could not execute SQL statement."))
	}
	_, row := printed(line)
	return row || bytes.HasPrefix(line, []byte("Failed to initialize from sql script:"))
}

// opensComment reports whether a prefix opens a comment of several lines.
func opensComment(prefix string) bool {
	switch strings.Trim(prefix, " \t") {
	case "/*", "/**", "<!--", `"""`:
		return true
	}
	return false
}

// quote reads a block of quoted lines, which begins at the read position.
func (r *Reader) quote(first, prefix string) {
	q := &quotation{in: r.in, prefix: prefix, line: r.in.pos.Line}
	if r.quoteBuf == nil {
		r.quoteBuf = make([]byte, quoteBuffer)
	}
	if first != prefix {
		q.others = []quotedLine{{q.line, first}}
	}
	sub := &Reader{
		settings: r.settings,
		in:       &buffer{src: q, buf: r.quoteBuf, pos: r.in.pos, place: q.behind, odd: r.in.odd, text: r.in.text},
		quoted:   q,
	}
	sub.yield = func(rec Record, err error) bool {
		q.forget(rec.Span().Start.Line)
		r.in.pos = sub.in.pos
		return r.emit(rec)
	}
	for !sub.halted && sub.text() && sub.rows() {
	}
	r.in.pos, r.halted = sub.in.pos, sub.halted
}

// A quotation is the lines of a block without their prefix.
type quotation struct {
	in     *buffer
	prefix string
	line   int          // which comes next
	others []quotedLine // lines whose prefix is another one, in order
	within bool         // the line before is longer than what is looked at as one
	text   []byte       // taken out of the input, whose buffer it is in, but not read yet
	ended  bool         // the input goes on behind the block
}

type quotedLine struct {
	line   int
	prefix string
}

// goesOn reports whether something comes behind what is read: the end of it is
// not the end of the input.
func (r *Reader) goesOn() bool { return r.quoted != nil && r.quoted.ended }

// Read returns what comes next of the block.
func (q *quotation) Read(p []byte) (int, error) {
	if len(q.text) == 0 {
		if q.text = q.next(); len(q.text) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(p, q.text)
	q.text = q.text[n:]
	return n, nil
}

// ahead shows the input behind what was read, with its prefixes, and behind the block, too.
func (q *quotation) ahead(look func(text []byte) bool) error {
	if look(q.text) && look(q.in.data()) {
		q.in.ahead(look)
	}
	return nil
}

// next takes a line out of the input, and returns it without its prefix.
func (q *quotation) next() []byte {
	n, whole := q.in.line(0, maxText)
	line := q.in.data()[:n]
	prefix := q.prefixOf(q.line)
	own, ok := ownPrefix(line, prefix, whole)
	switch {
	case q.within:
		own = ""
	case prefix == "+" && (bytes.HasPrefix(line, []byte("| ")) || bytes.HasPrefix(line, []byte("+--"))):
		own = ""
	case !ok:
		n = 0
	}
	if n > 0 && own != prefix && !q.within && (len(own) != len(prefix) || q.in.text) {
		q.others = append(q.others, quotedLine{q.line, own})
	}
	prefix = own
	if n <= len(prefix) {
		q.ended = n > 0 || len(line) > 0
		return nil
	}
	q.within = !whole && n == maxText
	if whole {
		q.line++
	}
	q.in.r += n
	return line[len(prefix):]
}

// prefixOf returns the prefix of a line.
func (q *quotation) prefixOf(line int) string {
	i := sort.Search(len(q.others), func(i int) bool { return q.others[i].line >= line })
	if i < len(q.others) && q.others[i].line == line {
		return q.others[i].prefix
	}
	return q.prefix
}

// forget forgets the lines before one, of which no place is asked for any more.
func (q *quotation) forget(line int) {
	for len(q.others) > 0 && q.others[0].line < line {
		q.others = q.others[1:]
	}
}

// behind returns the place in the file behind d, which is of the block. The
// prefix of a line belongs to what the line begins with.
func (q *quotation) behind(pos changelog.Pos, d []byte) changelog.Pos {
	for len(d) > 0 {
		if pos.Col == 1 {
			pos = q.in.place.behind(pos, []byte(q.prefixOf(pos.Line)))
		}
		n := len(d)
		if i := bytes.IndexByte(d, '\n'); i >= 0 {
			n = i + 1
		}
		pos = q.in.place.behind(pos, d[:n])
		d = d[n:]
	}
	return pos
}
