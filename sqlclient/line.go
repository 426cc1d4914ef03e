package sqlclient

import (
	"bytes"
	"strconv"
	"strings"
	"unsafe"
)

// skipEscapes returns the length of what b starts with that prints nothing:
// escape sequences, carriage returns, and the "^C" that a terminal echoes.
func skipEscapes(b []byte) int {
	i := 0
	for i < len(b) {
		switch {
		case b[i] == '\r':
			i++
		case b[i] == 0x1b:
			i += escapeLen(b[i:])
		case b[i] == '^' && i+1 < len(b) && b[i+1] == 'C':
			i += 2
		default:
			return i
		}
	}
	return i
}

// escapeLen returns the length of the escape sequence that b starts with. One
// without its end is the escape character alone.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 1
	}
	switch b[1] {
	case '[': // control sequence: parameters, then a final byte
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
			if b[i] < 0x20 || b[i] > 0x3f {
				break
			}
		}
		return 1
	case '=', '>':
		return 2
	}
	return 1
}

// plain returns text without escape sequences, carriage returns at line ends,
// and other control characters that print nothing.
func plain(text string) string {
	if strings.IndexByte(text, 0x1b) < 0 && strings.IndexByte(text, '\r') < 0 && strings.IndexByte(text, '\a') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == 0x1b:
			i += escapeLen([]byte(text[i:min(len(text), i+64)]))
		case c == '\a' || c == '\r' && (i+1 == len(text) || text[i+1] == '\n' || text[i+1] == '\r'):
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	return string(out)
}

// trimEOL returns line without its newline and the carriage returns before it.
func trimEOL(line []byte) []byte {
	n := len(line)
	for n > 0 && (line[n-1] == '\n' || line[n-1] == '\r') {
		n--
	}
	return line[:n]
}

// textOf returns b as a string that is valid only as long as b.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf returns the bytes of s, which must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

const prompt = "Flink SQL"

// promptLen returns the length of the prompt that line starts with, and
// whether it is coloured; 0 for none. The colour's end may stand before the
// ">" (1.13 and 1.14 with -f, and terminals).
func promptLen(line []byte) (n int, coloured bool) {
	if len(line) == 0 {
		return 0, false
	}
	switch line[0] {
	case prompt[0], prompt[0] | 0x20, '[', '^', '\r', 0x1b:
	default: // as of most lines
		return 0, false
	}
	if n := len(prompt + "> "); len(line) >= n && string(line[:n]) == prompt+"> " {
		return n, false
	}
	i := skipEscapes(line)
	coloured = bytes.IndexByte(line[:i], 0x1b) >= 0
	i += literalColour(line[i:])
	if !hasPrefixFold(line[i:], prompt) {
		return 0, false
	}
	i += len(prompt)
	i += skipEscapes(line[i:])
	i += literalColour(line[i:])
	if i >= len(line) || line[i] != '>' {
		return 0, false
	}
	i++
	if i < len(line) && line[i] == ' ' {
		i++
	}
	return i, coloured
}

func hasPrefixFold(b []byte, s string) bool {
	return len(b) >= len(s) && (string(b[:len(s)]) == s || strings.EqualFold(string(b[:len(s)]), s))
}

var levelTags = [...]struct {
	tag   string
	level Level
}{{"[INFO]", LevelInfo}, {"[ERROR]", LevelError}, {"[WARNING]", LevelWarning}, {"[WARN]", LevelWarning}}

// levelOf returns the level of the message that line starts with, the length
// of everything up to the end of the level, and whether it is coloured.
func levelOf(line []byte) (level Level, n int, coloured bool) {
	i := skipEscapes(line)
	coloured = bytes.IndexByte(line[:i], 0x1b) >= 0
	i += literalColour(line[i:])
	if i >= len(line) || line[i] != '[' {
		return LevelNone, 0, false
	}
	for _, t := range levelTags {
		if bytes.HasPrefix(line[i:], []byte(t.tag)) {
			return t.level, i + len(t.tag), coloured
		}
	}
	return LevelNone, 0, false
}

// literalColour returns the length of a colour that lost its escape character
// on its way through a clipboard, such as "[31;1m".
func literalColour(b []byte) int {
	if len(b) < 3 || b[0] != '[' {
		return 0
	}
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c >= '0' && c <= '9' || c == ';':
		case c == 'm' && i > 1:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// glue returns where in the last line of an echo something else begins: the
// client prints a statement up to its last closing bracket and goes on in the
// same line (1.15 to 2.3). It returns -1 for none. Only the first line of an echo
// may be empty. A string in the statement may look like any of it, but the
// client's own stands last, and in colour where it prints colour.
func glue(echo []byte, first bool) int {
	endsEcho := func(s []byte) bool { return len(s) == 0 && first || endsStatement(s) }
	if i := hiveSession(trimEOL(echo)); i >= 0 {
		return i
	}
	at, colouredAt := -1, -1
	for _, t := range levelTags {
		for end := len(echo); ; {
			i := bytes.LastIndex(echo[:end], []byte(t.tag))
			if i < 0 {
				break
			}
			start := colourBefore(echo, i)
			if start < i && echo[start] == 0x1b {
				colouredAt = max(colouredAt, start)
				break
			}
			if endsEcho(echo[:start]) {
				at = max(at, start)
			}
			end = i
		}
	}
	if colouredAt >= 0 {
		return colouredAt
	}
	body := trimEOL(echo)
	for _, h := range explainHeads {
		if i := len(body) - len(h); i > at && string(body[i:]) == h && endsEcho(body[:i]) {
			at = i
		}
	}
	if i := bytes.LastIndex(body, []byte("Empty set")); i > at && endsEcho(body[:i]) {
		if f, ok := parseFooter(textOf(body[i:])); ok && f.Kind == FooterEmptySet {
			at = i
		}
	}
	if at < 0 && first && isOutput(body) {
		return 0
	}
	return at
}

// beginsStatement reports whether a line begins with a word that a statement
// begins with.
func beginsStatement(line []byte) bool {
	word, _, ok := bytes.Cut(line, []byte{' '})
	if !ok {
		return false
	}
	switch strings.ToUpper(string(word[:min(len(word), len("DESCRIBE"))])) {
	case "SELECT", "INSERT", "CREATE", "DROP", "ALTER", "SET", "RESET", "USE", "SHOW", "EXPLAIN", "DESCRIBE", "DESC", "WITH", "BEGIN", "EXECUTE", "LOAD", "UNLOAD", "ADD", "VALUES":
		return true
	}
	return false
}

// hiveSession returns where in a line the word of another logger begins that ends
// it: Hive's, which writes in the midst of a line of the client (the dialect of
// Hive, 1.15 and 1.16). It returns -1 for none.
func hiveSession(line []byte) int {
	const word, id = "Hive Session ID = ", len("00000000-0000-0000-0000-000000000000")
	i := len(line) - len(word) - id
	if i < 0 || !bytes.HasPrefix(line[i:], []byte(word)) || len(bytes.Trim(line[i+len(word):], "0123456789abcdef-")) > 0 {
		return -1
	}
	return i
}

// cutGlue returns where in a last line without its newline the input ends in what
// is glued to the echo: a border, a colour, a level, or an empty set. It returns
// -1 for none.
func cutGlue(echo []byte, first bool) int {
	start := len(echo)
	for start > 0 && (echo[start-1] == '-' || echo[start-1] == '+') {
		start--
	}
	if start < len(echo) && echo[start] == '+' {
		return ifEndsEcho(echo, start, first)
	}
	if i := bytes.LastIndexByte(echo, 0x1b); i >= 0 && colourOrLevel(echo[i:]) {
		return ifEndsEcho(echo, i, first)
	}
	for _, word := range [...]string{"[INFO]", "[ERROR]", "[WARN", "Empty set"} {
		for n := len(word); n >= 2; n-- {
			if i := len(echo) - n; i >= 0 && string(echo[i:]) == word[:n] {
				return ifEndsEcho(echo, i, first)
			}
		}
	}
	return -1
}

func ifEndsEcho(echo []byte, i int, first bool) int {
	if i == 0 && first || endsStatement(echo[:i]) {
		return i
	}
	return -1
}

// colourOrLevel reports whether s is the beginning of a colour and a level.
func colourOrLevel(s []byte) bool {
	if len(s) == 1 {
		return true
	}
	if s[1] != '[' {
		return false
	}
	rest := bytes.TrimLeft(s[2:], "0123456789;")
	if len(rest) == 0 {
		return true
	}
	if rest[0] != 'm' {
		return false
	}
	for _, t := range levelTags {
		if strings.HasPrefix(t.tag, string(rest[1:])) {
			return true
		}
	}
	return false
}

// continuation returns the length of what the client writes before a line of a
// statement, with number lines before it: "> ", or the number and "> " if it was
// told to show line numbers (FLINK-24911, 2.0). Copies have blanks before it. It
// returns 0 for none.
func continuation(line []byte, number int) int {
	rest := bytes.TrimLeft(line, " ")
	if digits := strconv.Itoa(number); len(rest) == len(line) && bytes.HasPrefix(rest, []byte(digits)) {
		rest = rest[len(digits):]
	}
	n := len(line) - len(rest)
	switch {
	case len(rest) == 0 || rest[0] != '>':
		return 0
	case len(rest) == 1 || rest[1] == '\n' || rest[1] == '\r':
		return n + 1
	case rest[1] != ' ':
		return 0
	}
	if _, row := printHeadOf(line); row && n > 0 { // of a print sink
		return 0
	}
	return n + 2
}

// beginsWithKind reports whether s begins with a row kind.
func beginsWithKind(s []byte) bool {
	return len(s) > 1 && (s[0] == '+' || s[0] == '-') && bytes.IndexByte([]byte("IUD"), s[1]) >= 0
}

// continuedEcho reports whether the text, behind a line of an echo that has so
// many lines, begins with a line that goes on with it.
func continuedEcho(text []byte, number int) bool {
	text = bytes.TrimLeft(text, "\r\n") // FLINK-30819: empty lines between those of an echo
	return continuation(text, number) > 0
}

// colouredLevel returns where in a line a coloured level begins; -1 for none.
func colouredLevel(line []byte) int {
	if bytes.IndexByte(line, 0x1b) < 0 {
		return -1
	}
	for _, t := range levelTags {
		if i := bytes.Index(line, []byte(t.tag)); i >= 0 {
			if start := colourBefore(line, i); start < i && line[start] == 0x1b {
				return start
			}
		}
	}
	return -1
}

// endsStatement reports whether an echo may end after s.
func endsStatement(s []byte) bool {
	return len(s) > 0 && bytes.IndexByte([]byte(")]};"), s[len(s)-1]) >= 0
}

// colourBefore returns where the colour starts that ends at i: an escape
// sequence, or one without its escape character.
func colourBefore(b []byte, i int) int {
	j := bytes.LastIndexByte(b[max(0, i-16):i], '[')
	if j < 0 {
		return i
	}
	j += max(0, i-16)
	if j+literalColour(b[j:i]) != i {
		return i
	}
	if j > 0 && b[j-1] == 0x1b {
		j--
	}
	return j
}

// explainHeads are the headings that an EXPLAIN begins with where it is
// printed without a box (1.15).
var explainHeads = []string{
	"== Abstract Syntax Tree ==", "== Optimized Physical Plan ==", "== Optimized Execution Plan ==",
	"== Physical Execution Plan ==", "== Optimized Physical Plan With Advice ==",
}

// isOutput reports whether the line begins an answer that stands in no box.
func isOutput(body []byte) bool {
	switch {
	case bytes.Equal(body, []byte("The following commands are available:")): // HELP
		return true
	case len(body) > 5 && body[0] == '/' && bytes.HasSuffix(body, []byte(".jar")): // SHOW JARS in 1.15
		return true
	}
	for _, h := range explainHeads {
		if string(body) == h {
			return true
		}
	}
	return false
}

// classify says what a line is that stands for itself.
func classify(line []byte) tokenType {
	body := trimEOL(line)
	i := skipEscapes(body)
	visible := body[i:]
	if len(bytes.TrimLeft(visible, " \t")) == 0 {
		return blankToken
	}
	switch visible[0] {
	case 'F', 'f':
		if n, _ := promptLen(body); n > 0 {
			return echoToken
		}
		if bytes.HasPrefix(visible, []byte("Failed to initialize from sql script:")) {
			return errorToken
		}
	case '[':
		if level, _, _ := levelOf(body); level == LevelError {
			return errorToken
		} else if level != LevelNone {
			return messageToken
		} else if n, _ := promptLen(body); n > 0 {
			return echoToken
		}
	case 'J':
		if _, ok := parseJob(visible); ok {
			return jobToken
		}
	case 'S':
		switch {
		case saysSubmitted(visible):
			return messageToken
		case bytes.HasPrefix(visible, []byte("Shutting down the session...")):
			return shutdownToken
		case bytes.HasPrefix(visible, []byte("Successfully initialized from sql script:")):
			return initToken
		case bytes.HasPrefix(visible, []byte("Searching for '")) && bytes.HasSuffix(body, []byte("not found.")):
			return bannerToken
		}
	case 'N':
		if bytes.HasPrefix(visible, []byte("No default environment")) {
			return bannerToken
		}
	case 'C':
		if bytes.HasPrefix(visible, []byte("Command history file path:")) {
			return bannerToken
		}
	case 'd':
		if string(visible) == shutdownEnd {
			return doneToken
		}
	case 'E':
		if bytes.HasPrefix(visible, []byte(exceptionInThread)) || saysRefused(visible) {
			return errorToken
		}
	case ' ':
		trimmed := bytes.TrimLeft(visible, " ")
		if bytes.HasPrefix(trimmed, []byte("Welcome! Enter 'HELP;'")) {
			return bannerToken
		}
		if isSquirrel(trimmed) {
			return squirrelToken
		}
	}
	if c := visible[0]; c == 'R' || c == 'Q' || c == 'E' || c >= '0' && c <= '9' {
		if _, ok := parseFooter(textOf(visible)); ok {
			return footerToken
		}
	}
	if isOutput(visible) {
		return outputToken
	}
	if isScreen(visible) {
		return screenToken
	}
	if isLog(visible) {
		return logToken
	}
	return otherToken
}

// saysSubmitted reports whether the line is what Confluent's shell says of a
// statement before its result, which it draws with the names in the middle.
func saysSubmitted(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte("Submitting statement..."))
	return bytes.HasPrefix(line, []byte("Statement successfully submitted."))
}

// saysRefused reports whether the line is what Confluent's shell says of a
// statement that fails.
func saysRefused(line []byte) bool {
	for _, why := range []string{"Error: statement submission failed", "Error: couldn't process statement", "Error: can't fetch results."} {
		if bytes.HasPrefix(line, []byte(why)) {
			return true
		}
	}
	return false
}

// isSquirrel reports whether the line is of the picture that the client shows
// a person before the first prompt.
func isSquirrel(s []byte) bool {
	r := []rune(string(s[:min(len(s), 3)]))
	return len(r) == 1 && (r[0] == '▒' || r[0] == '▓' || r[0] == '█' || r[0] == '░')
}

// isLog reports whether a logger or the JVM wrote the line.
func isLog(s []byte) bool {
	for _, prefix := range [...]string{"WARNING: ", "INFO: ", "SEVERE: ", "SLF4J: ", "Hive Session ID = ", "log4j:", "OpenJDK 64-Bit Server VM warning: ", "Picked up "} {
		if len(s) >= len(prefix) && s[0] == prefix[0] && string(s[:len(prefix)]) == prefix {
			return true
		}
	}
	switch {
	case len(s) > 20 && digits(s[:4]) && s[4] == '-' && digits(s[5:7]) && s[7] == '-' && digits(s[8:10]) && (s[10] == ' ' || s[10] == 'T') && digits(s[11:13]) && s[13] == ':':
		return true // 2023-03-15 07:45:24,343 INFO ...
	case len(s) > 12 && s[3] == ' ' && bytes.IndexByte([]byte("JFMASOND"), s[0]) >= 0 && (bytes.Contains(s[:min(len(s), 30)], []byte(" AM ")) || bytes.Contains(s[:min(len(s), 30)], []byte(" PM "))):
		return true // Nov 30, 2026 7:43:31 AM org.jline.utils.Log logr
	case len(s) > 10 && s[0] == '[' && digits(s[1:2]) && bytes.Contains(s[:min(len(s), 24)], []byte("s][")):
		return true // [0.019s][warning][perf,memops] ...
	}
	return false
}

func digits[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0
}

// looksLikeRow reports whether a line outside of a table is drawn as a row is.
func looksLikeRow(body []byte) bool {
	return len(body) > 4 && bytes.HasPrefix(body, []byte("| ")) && bytes.HasSuffix(body, []byte(" |"))
}

// isCSVChange reports whether the line is a row of a changelog in CSV that has
// the row kind first, as other writers than Flink's client print it.
func isCSVChange(line []byte) bool {
	line = bytes.TrimLeft(line, `"`)
	if len(line) < 3 {
		return false
	}
	_, ok := rowKind(line[:2])
	return ok && (line[2] == ',' || bytes.HasPrefix(line[2:], []byte(`",`)))
}

// parseJob reads "Job ID: " and 32 hexadecimal digits.
func parseJob(s []byte) (id string, ok bool) {
	rest, ok := bytes.CutPrefix(bytes.TrimRight(s, " \r\n"), []byte("Job ID: "))
	if !ok || len(rest) != 32 {
		return "", false
	}
	for _, c := range rest {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", false
		}
	}
	return string(rest), true
}

// parseFooter reads a line that counts the rows of a result. The count is in
// the singular for 0 and 1 or for 1 only, by release; the time is there from
// 1.17 on.
func parseFooter(line string) (f Footer, ok bool) {
	body := textOf(trimEOL(bytesOf(line)))
	if f, ok = parsePlainFooter(body); !ok {
		if text := plain(body); len(text) < len(body) {
			f, ok = parsePlainFooter(text)
		}
	}
	if ok {
		f.Raw = line
	}
	return f, ok
}

// parsePlainFooter reads a footer without its newline and without what prints
// nothing.
func parsePlainFooter(text string) (f Footer, ok bool) {
	rest, seconds, timed := strings.Cut(strings.TrimPrefix(text, "^C"), " (")
	if timed {
		if f.Seconds, ok = strings.CutSuffix(seconds, " seconds)"); !ok || !isNumber(f.Seconds) {
			return Footer{}, false
		}
	}
	if rest == "Empty set" {
		f.Kind = FooterEmptySet
		return f, true
	}
	if count, ok := strings.CutPrefix(rest, "Received a total of "); ok {
		f.Kind, rest = FooterReceived, count
	} else if count, ok := strings.CutPrefix(rest, "Query terminated, received a total of "); ok {
		f.Kind, rest = FooterTerminated, count
	} else if count, ok := strings.CutSuffix(rest, " in set"); ok {
		f.Kind, rest = FooterRowsInSet, count
	} else {
		return Footer{}, false
	}
	count, ok := strings.CutSuffix(strings.TrimSuffix(rest, "s"), " row")
	if !ok || len(count) > 18 || !digits(count) {
		return Footer{}, false
	}
	for _, c := range count {
		f.Rows = f.Rows*10 + int64(c-'0')
	}
	return f, true
}

// isNumber reports whether s is digits, a point or comma, and digits.
func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] == '.' || s[i] == ',' {
			return digits(s[:i]) && digits(s[i+1:])
		}
	}
	return digits(s)
}
