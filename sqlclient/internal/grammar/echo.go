package grammar

import (
	"regexp"
	"strings"
)

// Noise prints nothing: escape codes, carriage returns, and the "^C" that a
// terminal shows for a key.
const noise = `(?:\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])?|\r|\^C)`

// A terminal's prompt turns bracketed paste on.
const (
	pasteOn  = "\x1b[?2004h"
	pasteOff = "\x1b[?2004l"
)

var (
	noiseText     = regexp.MustCompile(`^` + noise + `*`)
	anyCode       = regexp.MustCompile(`\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])?|\r+$|\r+\n`)
	promptText    = regexp.MustCompile(`^(?:\[\d[\d;]*m)?(?i:Flink SQL)` + noise + `*(?:\[\d[\d;]*m)?> ?`)
	logText       = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d[ T]\d\d:|[A-Z][a-z]{2} \d|(?:WARNING|INFO|SEVERE|SLF4J|log4j): )`)
	lastWords     = regexp.MustCompile(`^Shutting down the session\.\.\.(?:.*done\.|[^\n]*\ndone\.)`)
	goOnText      = regexp.MustCompile(`^[\r\n]*\n>[ \r\n]`)
	cutSaid       = regexp.MustCompile(`^(?:\x1b(?:\[[0-9;]*(?:m(?:\[|\[IN?F?O?|\[ER?R?O?R?|\[WA?R?N?I?N?G?)?)?)?|\[(?:IN?F?O?|ER?R?O?R?|WA?R?N?)|Em(?:p|pt|pty|pty |pty s|pty se|pty set)?)$`)
	statementText = regexp.MustCompile(`^(?i:SELECT|INSERT|CREATE|DROP|ALTER|SET|RESET|USE|SHOW|EXPLAIN|DESCRIBE|DESC|WITH|BEGIN|EXECUTE|LOAD|UNLOAD|ADD|VALUES) `)
	// Hive writes into the lines of others (1.15, 1.16).
	hiveText   = regexp.MustCompile(`Hive Session ID = [0-9a-f-]{36}$`)
	answerText = regexp.MustCompile(`^(?:== Abstract Syntax Tree ==|The following commands are available:)\r*\n`)
)

// plain returns s without escape codes and without the carriage returns before
// newlines.
func plain(s string) string {
	return anyCode.ReplaceAllStringFunc(s, func(code string) string {
		if strings.HasSuffix(code, "\n") {
			return "\n"
		}
		return ""
	})
}

// prompt makes tokens of a prompt and the echo behind it.
//
// From 1.15 on the client with -f echoes a statement through its line editor,
// which writes "> " before each line but the first, and nothing behind the last
// closing bracket, be it ")", "]" or "}", and be it in a string or a comment: the
// editor shows a bracket's partner, and nothing else makes it write. Up to 1.14 it writes the prompt in colour and the whole statement as it
// stands in the file, through the ";" at the end of a line. A terminal shows
// what was typed: colour and "> ".
func (s *scanner) prompt(codes string) bool {
	text := promptText.FindString(s.rest())
	if text == "" {
		return false
	}
	s.widths = nil
	s.emit(prompt, len(text))
	begin := s.pos.Offset
	coloured := strings.Contains(codes, "\x1b")
	if strings.Contains(codes, pasteOn) {
		if n := typedLength(s.rest()); n > 0 {
			s.emit(typedText, n)
		}
		return true
	}
	whole := coloured
	if n := eol(s.rest()); !coloured && (n > 0 && mark(s.rest()[n:], 1) == 0 && !statementText.MatchString(s.rest()[n:]) || n == 0 && s.answer()) {
		return true
	}
	lines := 1
	marked := false // "> " was seen
	for first := true; ; first = false {
		echoed, glued, untold := s.echoLine(s.src[begin:s.pos.Offset], s.rest(), first, coloured)
		if glued && whole && pending(s.rest()[echoed:]) {
			echoed, glued = len(strings.TrimRight(s.rest()[:restOfLine(s.rest())], "\r\n")), false
		}
		complete := endsInSemicolon(s.rest()[:echoed])
		if echoed > 0 {
			s.emit(sql, echoed)
		}
		if untold {
			s.emit(line, len(s.rest()))
		}
		if glued {
			return true
		}
		n := eol(s.rest())
		if n == 0 {
			return true // the end of the input
		}
		next := s.rest()[n:]
		blank := 0
		for eol(next[blank:]) > 0 {
			blank += eol(next[blank:]) // FLINK-30819: some releases print them between the lines
		}
		switch {
		case !complete && redrawn(next):
			s.emit(lineBreak, n)
		case !whole && mark(next[blank:], lines) > 0:
			s.emit(lineBreak, n+blank+mark(next[blank:], lines))
			marked = true
			lines++
		case coloured && !complete && !ends(next, true):
			s.emit(lineBreak, n)
		case !coloured && !complete && !marked && blank == 0 && !ends(next, false) && next != "":
			s.emit(lineBreak, n)
		default:
			s.emit(eolToken, n)
			return true
		}
	}
}

// pending reports whether a whole statement still goes on: its ";" comes before
// anything that the client says. A table in it is a string of the statement; the
// last statement of a file may lack its ";".
func pending(s string) bool {
	for s != "" {
		s = s[restOfLine(s):]
		if ends(s, true) {
			return false
		}
		if endsInSemicolon(strings.TrimRight(s[:restOfLine(s)], "\r\n")) {
			return true
		}
	}
	return false
}

// answer reports whether what stands behind the prompt is no echo but an answer
// without a table, as 1.15 prints SHOW CREATE and SET: it ends in no ";", the
// client says nothing about it, and then comes the next prompt. A single line
// is an answer only if it is a property of SET or a file of SHOW JARS.
func (s *scanner) answer() bool {
	text := s.rest()
	lines := 0
	sure := func() bool { return lines > 1 || s.rest()[0] == '\'' || s.rest()[0] == '/' }
	for first := true; eol(text) == 0; first = false {
		if !first && (behindNoise(text, promptText.MatchString) || behindNoise(text, isStop)) {
			return sure()
		}
		lines++
		n, glued, _ := s.echoLine("", text, first, false)
		if glued || endsInSemicolon(text[:n]) || !first && (ends(text, false) || strings.HasPrefix(text, "> ")) {
			return false
		}
		if text = text[n:]; eol(text) == 0 {
			return false // the end of the input
		}
		text = text[eol(text):]
	}
	text = strings.TrimLeft(text, "\r\n")
	return sure() && (behindNoise(text, promptText.MatchString) || behindNoise(text, isStop))
}

// echoLine returns how much of the line at the start of s is echo, without its
// newline, and whether something else stands behind it: a table, or what the
// client says. A string of the statement may hold what looks like the latter, so
// of several the last counts, and one in colour more than one without; and none
// does where the echo goes on in the next line. Where the prompt has colour, the
// client's own lines have it too and are not glued.
//
// Where the session's messages are in colour, a level without is none of them; and
// where the input ends behind what has no colour, within quotes, nothing tells.
func (sc *scanner) echoLine(before, s string, first, coloured bool) (n int, glued, untold bool) {
	line := strings.TrimRight(s[:restOfLine(s)], "\r\n")
	goesOn := goOnText.MatchString(s[len(line):])
	if i := hiveText.FindStringIndex(line); i != nil && !coloured && !goesOn {
		return i[0], true, false
	}
	said, saidInColour := -1, -1
	for n = range len(line) + 1 {
		end := n == 0 && first || n > 0 && strings.IndexByte(")]};", line[n-1]) >= 0
		if isHead(s[n:]) || end && (cutHead(s[n:]) || !coloured && cutSaid.MatchString(s[n:])) {
			return n, true, false
		}
		switch {
		case coloured || goesOn:
		case n < len(line) && line[n] == '\x1b' && says(s[n:]):
			saidInColour = n
		case end && says(s[n:]):
			said = n
		}
	}
	switch {
	case saidInColour >= 0:
		return saidInColour, true, false
	case said < 0, sc.colours && levelText.MatchString(s[said:]):
		return len(line), false, false
	}
	return said, true, len(s) == restOfLine(s) && strings.Count(before+s[:said], "'")%2 == 1
}

// says reports whether s begins with something that the client says about a
// statement, and that it prints behind the echo.
func says(s string) bool {
	text := s[len(noiseText.FindString(s)):]
	return levelText.MatchString(text) || emptyText.MatchString(text) || answerText.MatchString(text)
}

// ends reports whether s, at the start of a line, begins with something that
// ends an echo. Where the prompt has colour, so has the rest.
func ends(s string, coloured bool) bool {
	codes := noiseText.FindString(s)
	text := s[len(codes):]
	if isStop(text) && (!coloured || lastWords.MatchString(text)) {
		return true
	}
	if coloured {
		return strings.Contains(codes, "\x1b") && (levelText.MatchString(text) || promptText.MatchString(text))
	}
	return isHead(text) || levelText.MatchString(text) || promptText.MatchString(text) || isFooter(text) || jobText.MatchString(text) || logText.MatchString(text) || isPrint(text)
}

// redrawn reports whether s begins with the prompt again, drawn in the same
// line of the screen: the line editor does so after a bell.
func redrawn(s string) bool {
	text := strings.TrimLeft(s, "\a\r")
	return len(text) < len(s) && promptText.MatchString(text)
}

func behindNoise(s string, match func(string) bool) bool {
	return match(s[len(noiseText.FindString(s)):])
}

func endsInSemicolon(s string) bool {
	return strings.HasSuffix(strings.TrimRight(plain(s), " \t\r"), ";")
}
