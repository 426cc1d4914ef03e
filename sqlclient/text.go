package sqlclient

import (
	"bytes"
	"slices"
	"strings"
)

// A textLexer cuts the text between two tables into tokens, a line at a time:
// whether a line belongs to an echo, to an error or to nothing depends on the
// lines before it. Tokens are as long as they can be, since what a parser
// costs is the count of its tokens.
type textLexer struct {
	tokens  []token
	mode    textMode
	session clientSession

	// Of the echo that mode is in:
	coloured bool // behind a coloured prompt: 1.13 and 1.14 echo whole statements, and lines go on without "> "
	pasted   bool // behind a prompt that switched bracketed paste on: it ends where paste is switched off
	complete bool // its last line ends in ";"
	marked   bool // it went on with "> "
	number   int  // of lines that it has
	bare     bool // it has no text yet
	gap      bool // its last token is a blank line, which belongs to it only if "> " follows
	headed   bool // the line goes on with the head of a table
	behind   int  // where its prompt ends
}

// A clientSession is what is known of the client that writes what is read. It is
// empty where that is another program, or may be.
type clientSession struct {
	prompted bool // it wrote a prompt, and did not say that it ends
	colours  bool // its messages are in colour
}

// A token is a range of the text, relative to the read position.
type token struct {
	kind       tokenType
	start, end int
}

type textMode uint8

const (
	plainText  textMode = iota
	inEcho              // a statement may go on
	inMessage           // a coloured message, up to the line in which the colour ends
	inError             // an error without colour, up to something known
	inStack             // an exception of the client itself, up to the end of its stack
	inOutput            // an answer without a box, up to the next prompt
	inSquirrel          // the picture and the banner below it
	inScreen            // a screen of table or changelog mode
)

const (
	// What the JVM prints of an exception that ends the client; and when another
	// thread says its last words in the same line (2.1.3, interrupted).
	exceptionInThread = `Exception in thread "main" `
	threadDone        = exceptionInThread + shutdownEnd
	// shutdownEnd is what the client says last.
	shutdownEnd = "done."

	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
	reset    = "\x1b[0m"
)

// add appends a token, or extends the last one if that is of the same kind of
// plain lines.
func (x *textLexer) add(kind tokenType, start, end int) {
	if start == end {
		return
	}
	if n := len(x.tokens); n > 0 && x.tokens[n-1].kind == kind && kind != footerToken && kind != jobToken {
		x.tokens[n-1].end = end
		return
	}
	x.begin(kind, start, end)
}

// addForeign adds a token of what another program wrote, in which a prompt shows
// that what the client said is behind it.
func (x *textLexer) addForeign(text []byte, kind tokenType, start, end int) {
	if promptIn(text[start:end]) > 0 {
		kind = prefixedToken
	}
	x.add(kind, start, end)
}

// begin appends a token even if the last one is of the same kind.
func (x *textLexer) begin(kind tokenType, start, end int) {
	x.tokens = append(x.tokens, token{kind, start, end})
}

// extend makes the last token end at end.
func (x *textLexer) extend(end int) {
	x.tokens[len(x.tokens)-1].end = end
}

// line takes the line text[start:end], which is of the kind. Whole: the line has
// its newline.
func (x *textLexer) line(text []byte, start, end int, whole bool, kind tokenType) {
	body := trimEOL(text[start:end])
	switch x.mode {
	case inEcho:
		if x.echoLine(text, start, end, whole, kind) {
			return
		}
		switch kind {
		case echoToken, shutdownToken:
			x.settleAnswer(text)
		}
	case inMessage:
		switch kind {
		case echoToken, shutdownToken: // which end a message that lost its end
		default:
			if i := behindReset(body); i > 0 && startsPrompt(body[i:]) {
				x.extend(start + i)
				x.mode = plainText
				x.top(text, start+i, end, whole)
				return
			}
			x.extend(end)
			if endsInReset(body) {
				x.mode = plainText
			}
			return
		}
	case inError:
		switch kind {
		case echoToken, messageToken, errorToken, shutdownToken, jobToken, initToken:
			x.trimBlankLines(text)
		default:
			x.extend(end)
			return
		}
	case inStack:
		first := text[x.tokens[len(x.tokens)-1].start:start]
		if trimmed := bytes.TrimLeft(body, " \t"); len(trimmed) < len(body) || bytes.HasSuffix(trimEOL(first), []byte(threadDone)) || bytes.HasPrefix(body, []byte("Caused by: ")) {
			x.extend(end)
			return
		}
	case inOutput:
		switch kind {
		case echoToken, messageToken, errorToken, shutdownToken, footerToken:
		default:
			x.extend(end)
			return
		}
	case inScreen:
		if x.screenLine(text, start, end, whole) {
			return
		}
	case inSquirrel:
		if kind != echoToken {
			x.extend(end)
			if bytes.Contains(body, []byte("Welcome! Enter 'HELP;'")) {
				x.mode = plainText
			}
			return
		}
	}
	x.mode = plainText
	x.topOf(kind, text, start, end, whole)
}

// echoLine takes a line of the kind that may go on with an echo, and reports false
// if it does not.
func (x *textLexer) echoLine(text []byte, start, end int, whole bool, kind tokenType) bool {
	line := text[start:end]
	body := trimEOL(line)
	if x.pasted {
		if i := bytes.Index(line, []byte(pasteOff)); i >= 0 {
			i += start + len(pasteOff)
			x.extend(i)
			x.mode = plainText
			if i < end {
				x.top(text, i, end, whole)
			}
			return true
		}
		if kind == echoToken {
			return false
		}
		x.extend(end)
		return true
	}
	if x.coloured && !x.complete {
		if endsWholeEcho(body, text[end:]) {
			return false
		}
		x.echo(text, start, start, end, whole)
		return true
	}
	if redrawn := bytes.TrimLeft(body, "\a"); len(redrawn) < len(body) || bytes.HasPrefix(body, []byte{'\r'}) {
		if n, _ := promptLen(redrawn); n > 0 && !x.complete { // the line editor draws the statement again
			x.echo(text, start, start, end, whole)
			return true
		}
	}
	if kind == echoToken {
		return false
	}
	if x.bare && beginsStatement(body) { // 1.13, with statements on standard input
		x.marked = false
	}
	x.bare = false
	mark := continuation(body, x.number)
	switch {
	case mark > 0:
		if x.gap { // FLINK-30819: an empty line between the lines of an echo
			x.tokens = x.tokens[:len(x.tokens)-1]
			x.gap = false
		}
		x.marked = true
		x.number++
		x.echo(text, start, min(start+mark, end), end, whole)
		return true
	case len(bytes.TrimSpace(body)) == 0:
		x.add(blankToken, start, end)
		x.gap = true
		return true
	case x.complete || x.gap || x.marked:
		return false
	}
	switch kind {
	case messageToken, errorToken, shutdownToken, footerToken, jobToken, logToken:
		return false
	}
	if looksLikeRow(body) || whole && borderTail(line) == 0 {
		return false
	}
	x.echo(text, start, start, end, whole)
	return true
}

// endsWholeEcho reports whether the line ends the echo of a whole statement
// (1.13 and 1.14), whose lines may look like anything: there the client's own
// lines are coloured, and its last words are two lines. Next is what follows.
func endsWholeEcho(body, next []byte) bool {
	if n, coloured := promptLen(body); n > 0 {
		return coloured
	}
	if level, _, coloured := levelOf(body); level != LevelNone {
		return coloured
	}
	return classify(body) == shutdownToken && (bytes.HasSuffix(body, []byte(shutdownEnd)) || bytes.HasPrefix(next, []byte(shutdownEnd)))
}

// isAnswer reports whether the text, behind a prompt, is what 1.15 answers without
// a box: the statement that SHOW CREATE prints, whose names are quoted,
// or a property.
func isAnswer(text []byte) bool {
	first, _, more := bytes.Cut(text, []byte("\n"))
	return more && (first[0] == '\'' || bytes.HasPrefix(first, []byte("CREATE ")) && bytes.Contains(first, []byte(" `")))
}

// settleAnswer makes an answer of what looked like an echo, when the next
// prompt comes: 1.15 prints SHOW CREATE and SET without a box, behind a prompt
// without an echo. Its lines do not go on with "> ", as those of a statement
// would; of a single line only a property is surely no statement.
func (x *textLexer) settleAnswer(text []byte) {
	if x.coloured || x.pasted || x.complete || x.marked {
		return
	}
	n := len(x.tokens) - 1
	if x.gap {
		n--
	}
	if echo := x.tokens[n]; echo.kind == echoToken && isAnswer(text[x.behind:echo.end]) {
		x.tokens[n].end = x.behind
		x.tokens = slices.Insert(x.tokens, n+1, token{outputToken, x.behind, echo.end})
	}
}

// echo takes text[start:end] as a line of an echo, whose statement text begins
// at sql, up to where something else is glued to it.
func (x *textLexer) echo(text []byte, start, sql, end int, whole bool) {
	if !x.coloured && !x.headed && !continuedEcho(text[end:], x.number) {
		g := glue(text[sql:end], start == x.behind)
		switch inColour := g >= 0 && text[sql+g] == 0x1b; {
		case g < 0, x.session.colours && !inColour && bytes.IndexByte(text[sql+g:end], '[') == 0: // the client's own is in colour here
		case end == len(text) && !inColour && bytes.Count(text[x.behind:sql+g], []byte{'\''})%2 == 1:
			// The input ends here, perhaps within a string.
			x.extend(sql + g)
			x.add(truncatedToken, sql+g, end)
			return
		default:
			x.extend(sql + g)
			x.mode = plainText
			x.top(text, sql+g, end, whole)
			return
		}
	}
	if !whole {
		if i := cutGlue(text[sql:end], start == x.behind); i >= 0 && !x.coloured {
			x.extend(sql + i)
			x.add(truncatedToken, sql+i, end)
			return
		}
	}
	x.extend(end)
	x.complete = endsInSemicolon(text[sql:end])
	if x.complete && x.coloured && !x.pasted {
		x.mode = plainText
	}
}

// endsInSemicolon reports whether a line ends in ";", but for white space and
// escape codes: a terminal's colour may end there.
func endsInSemicolon(line []byte) bool {
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = []byte(plain(string(line)))
	}
	return bytes.HasSuffix(bytes.TrimRight(line, " \t\r\n"), []byte(";"))
}

// top takes text[start:end], which is no part of what came before it.
func (x *textLexer) top(text []byte, start, end int, whole bool) {
	x.topOf(classify(text[start:end]), text, start, end, whole)
}

// topOf does what top does with a line of the kind.
func (x *textLexer) topOf(kind tokenType, text []byte, start, end int, whole bool) {
	line := text[start:end]
	switch kind {
	case echoToken:
		n, coloured := promptLen(line)
		x.begin(echoToken, start, start+n)
		x.session.prompted = true
		*x = textLexer{tokens: x.tokens, session: x.session, headed: x.headed, behind: start + n, mode: inEcho, number: 1, coloured: coloured, pasted: bytes.Contains(line[:n], []byte(pasteOn))}
		if len(bytes.TrimSpace(line[n:])) == 0 && !x.coloured {
			x.extend(end)
			x.marked, x.bare = true, true // blank lines before the statement go on with "> "
			return
		}
		x.echo(text, start+n, start+n, end, whole)
	case messageToken, errorToken:
		body := trimEOL(line)
		level, _, coloured := levelOf(body)
		if bytes.Contains(body, []byte(sessionBegins)) {
			x.session = clientSession{}
		}
		x.session.colours = x.session.colours || coloured
		if i := behindReset(body); i > 0 && (coloured && level != LevelError || startsPrompt(body[i:])) {
			x.begin(messageToken, start, start+i)
			x.top(text, start+i, end, whole)
			return
		}
		x.begin(messageToken, start, end)
		switch {
		case coloured && !endsInReset(body):
			x.mode = inMessage
		case !coloured && kind == errorToken && bytes.HasPrefix(body[skipEscapes(body):], []byte(exceptionInThread)):
			x.mode = inStack
		case !coloured && kind == errorToken && body[skipEscapes(body)] == '[':
			x.mode = inError
		}
	case squirrelToken:
		x.session = clientSession{}
		x.begin(bannerToken, start, end)
		x.mode = inSquirrel
	case screenToken:
		x.mode = inScreen
		x.screenLine(text, start, end, whole)
	case outputToken:
		x.add(outputToken, start, end)
		x.mode = inOutput
	case shutdownToken, bannerToken, initToken: // a client ends, or begins
		x.session = clientSession{}
		x.add(kind, start, end)
	case doneToken:
		kind = otherToken
		if n := len(x.tokens); n > 0 && x.tokens[n-1].kind == shutdownToken {
			kind = shutdownToken
		}
		x.add(kind, start, end)
	case otherToken:
		// A coloured level is the client's own, wherever it stands.
		if g := colouredLevel(line); g > 0 {
			x.addForeign(text, otherToken, start, start+g)
			x.top(text, start+g, end, whole)
			return
		}
		// So is a prompt before the head of a table.
		if i := promptIn(line); i > 0 && x.headed {
			x.add(otherToken, start, start+i)
			x.top(text, start+i, end, whole)
			return
		}
		switch {
		case !whole:
			kind = truncatedToken
		case looksLikeRow(bytes.TrimLeft(trimEOL(line), quoteBlanks)):
			kind = strayToken
		case isCSVChange(line):
			kind = csvToken
		}
		x.addForeign(text, kind, start, end)
	case logToken:
		x.addForeign(text, kind, start, end)
	case footerToken:
		if !whole {
			kind = truncatedToken
		}
		x.add(kind, start, end)
	default:
		x.add(kind, start, end)
	}
}

// trimBlankLines takes the blank lines at the end of the last token out of it.
func (x *textLexer) trimBlankLines(text []byte) {
	last := &x.tokens[len(x.tokens)-1]
	t := text[last.start:last.end]
	kept := len(bytes.TrimRight(t, " \t\r\n"))
	if i := bytes.IndexByte(t[kept:], '\n'); i >= 0 {
		kept += i + 1
	} else {
		kept = len(t)
	}
	end := last.end
	last.end = last.start + kept
	x.add(blankToken, last.end, end)
}

// finish ends the text where a table begins or the input ends.
func (x *textLexer) finish(text []byte) {
	if x.mode == inError {
		x.trimBlankLines(text)
	}
	*x = textLexer{tokens: x.tokens, session: x.session}
}

// restart makes the lexer ready for other text of the same session.
func (x *textLexer) restart() {
	*x = textLexer{tokens: x.tokens[:0], session: x.session}
}

// settled returns how many tokens no later line can change. Plain lines of one
// kind may go on, whatever comes between two looks at the input.
func (x *textLexer) settled() int {
	n := len(x.tokens)
	if n == 0 || x.mode == plainText && x.tokens[n-1].kind >= footerToken {
		return n
	}
	for n--; n > 0 && x.mode == inEcho && x.tokens[n].kind == blankToken; {
		n--
	}
	return n
}

// mayHead reports whether the border at at, in the line that comes next, may
// be the head of a table by what is known of the lines before.
func (x *textLexer) mayHead(line []byte, at int) bool {
	if n, _ := promptLen(line[:at]); n > 0 && x.mode != inEcho { // whatever lost its end before it
		return true
	}
	switch x.mode {
	case inMessage, inStack, inSquirrel:
		return false
	case inEcho:
		if x.pasted {
			i := bytes.Index(line, []byte(pasteOff))
			return i >= 0 && i < at
		}
		return continuation(line[:at], x.number) != at || at == 0 // within a string: an echo's last line is not empty
	}
	return true
}

// mayPrint reports whether what comes next may be a row of a print sink, by
// what is known of the lines before.
func (x *textLexer) mayPrint() bool {
	switch x.mode {
	case plainText, inError, inStack:
		return true
	case inEcho:
		return !x.pasted && (!x.coloured || x.complete)
	}
	return false
}

// mayQuote reports whether a block of quoted lines may begin with the line, by
// what is known of the lines before.
func (x *textLexer) mayQuote(line []byte) bool {
	switch line[0] {
	case '|', '\n', '\r':
		return false
	case '+':
		if bytes.HasPrefix(line, []byte("+-")) {
			return false
		}
	}
	switch x.mode {
	case inMessage: // which goes on, unless it lost its end
		return promptIn(line) > 0
	case inStack, inSquirrel:
		return false
	case inEcho:
		return x.complete && !x.pasted && line[0] != '>'
	}
	return true
}

// behindReset returns where in the line of a message text stands behind the end of
// its colour: the line lost its newline. It returns 0 for none.
func behindReset(body []byte) int {
	i := bytes.Index(body, []byte(reset)) + len(reset)
	if i < len(reset) || len(bytes.TrimSpace(body[i:])) == 0 {
		return 0
	}
	return i
}

func startsPrompt(text []byte) bool {
	n, _ := promptLen(text)
	return n > 0
}

func endsInReset(body []byte) bool {
	return bytes.HasSuffix(bytes.TrimRight(body, " \t"), []byte(reset))
}

// trimReset returns body without the end of a colour that it ends in.
func trimReset(body []byte) []byte { return bytes.TrimSuffix(body, []byte(reset)) }

// statementText appends the statement that an echo shows: without escape codes
// and, unless the echo is of a whole statement as it stands in its file (1.13
// and 1.14), the marks of continued lines.
func statementText(dst []byte, echo string, coloured, pasted bool) (sql []byte, complete bool) {
	text := plain(echo)
	if pasted {
		text = strings.Join(typed(echo), "\n")
	}
	for kept, more := 0, true; more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		if kept > 0 && (pasted || !coloured) {
			mark := continuation(bytesOf(line), kept)
			if mark == 0 && line == "" && !pasted { // FLINK-30819: an empty line is the client's
				continue
			}
			line = line[min(mark, len(line)):]
		}
		if kept++; kept > 1 {
			dst = append(dst, '\n')
		}
		dst = append(dst, line...)
	}
	sql = bytes.TrimSpace(dst)
	return sql, bytes.HasSuffix(sql, []byte{';'})
}

// messageParts reads a message: its level, its text, and for an error the
// class and the causes.
func messageParts(raw string) Message {
	text := plain(raw)
	text = strings.TrimRight(text, " \t\r\n")
	m := Message{Level: LevelError, Raw: raw}
	if level, n, _ := levelOf([]byte(text)); level != LevelNone {
		m.Level = level
		if text[0] != '[' || literalColour([]byte(text)) > 0 {
			text = strings.TrimSuffix(text, "[0m") // a colour that lost its escape character
		}
		text = strings.TrimPrefix(text[n:], " ")
	} else if saysSubmitted([]byte(text)) {
		m.Level = LevelInfo
	}
	m.Text = text
	if m.Level != LevelError {
		return m
	}
	if first, rest, ok := strings.Cut(text, "\n"); ok && strings.HasSuffix(strings.TrimRight(first, " "), "Reason:") {
		m.Text = rest
	}
	m.Text = strings.TrimPrefix(strings.TrimPrefix(m.Text, threadDone+"\n"), exceptionInThread)
	m.Class, m.Text = exceptionClass(m.Text)
	m.CausedBy = causes(m.Text)
	return m
}

// exceptionClass splits text into the class name that it begins with and what
// follows. A class name has a package; without one there is no class.
func exceptionClass(text string) (class, rest string) {
	i := 0
	for i < len(text) && (text[i] == '.' || text[i] == '_' || text[i] == '$' || text[i] >= '0' && text[i] <= '9' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z') {
		i++
	}
	class = text[:i]
	if strings.IndexByte(class, '.') < 1 || strings.HasSuffix(class, ".") || strings.Contains(class, "..") || class[0] >= '0' && class[0] <= '9' {
		return "", text
	}
	switch {
	case i == len(text):
		return class, ""
	case text[i] == '\n':
		return class, text[i+1:]
	case strings.HasPrefix(text[i:], ": "):
		return class, text[i+2:]
	case strings.HasPrefix(text[i:], ":\n"):
		return class, text[i+2:]
	}
	return "", text
}

// causes returns the causes of a printed stack, outermost first.
func causes(text string) []string {
	var out []string
	var open []string // lines of the last cause, which go on until its stack begins
	end := func() {
		if open != nil {
			out = append(out, strings.Join(open, "\n"))
			open = nil
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimLeft(line, " \t")
		if cause, ok := strings.CutPrefix(trimmed, "Caused by: "); ok {
			end()
			open = []string{cause}
			continue
		}
		if strings.HasPrefix(trimmed, "at ") || strings.HasPrefix(trimmed, "... ") {
			end()
		}
		if open != nil {
			open = append(open, line)
		}
	}
	end()
	return out
}
