package grammar

import (
	"regexp"
	"strings"
)

var (
	// A colour may have lost its escape character on its way through a clipboard.
	levelText = regexp.MustCompile(`^(?:\[\d[\d;]*m)?\[(?:INFO|WARNING|ERROR)\] ?`)
	fatalText = regexp.MustCompile(`^(?:Failed to initialize from sql script:|Exception in thread "main" )`)
	classText = regexp.MustCompile(`^([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+)(: |:?\r*\n|:?$)`)
	initText  = regexp.MustCompile(`^Successfully initialized from sql script:`)
)

const (
	reset      = "\x1b[0m"
	reasonText = "Could not execute SQL statement. Reason:"
	causeText  = "Caused by: "
)

// message makes tokens of a message. In colour it goes on to the colour's reset,
// which may be many lines below. Without, an information or a warning is a line,
// and an error goes on to the next thing that the client says. An exception of
// the client itself is never in colour.
func (s *scanner) message(coloured bool) bool {
	opening := levelText.FindString(s.rest())
	long := strings.Contains(opening, "[ERROR]")
	if opening != "" {
		s.colours = coloured || s.colours && !strings.Contains(s.rest()[:restOfLine(s.rest())], "Executing SQL from file.")
		s.emit(level, len(opening))
	} else if opening = fatalText.FindString(s.rest()); opening != "" {
		long = strings.HasPrefix(opening, "Exception")
		s.emit(fatal, len(opening))
	} else {
		return false
	}
	s.widths = nil
	text := s.rest()
	length := restOfLine(text)
	for (long || coloured) && length < len(text) && goesOn(text[length:], coloured, strings.HasPrefix(opening, "Exception")) {
		length += restOfLine(text[length:])
	}
	closed := strings.Index(text[:length], reset)
	if coloured && closed >= 0 {
		length = closed
	} else {
		closed = -1
		length = len(strings.TrimRight(text[:length], " \t\r\n"))
	}
	lost := 0
	if strings.Contains(opening, "m[") && strings.HasSuffix(text[:length], "[0m") {
		lost = len("[0m")
		length -= lost
	}
	last := s.pos.Offset + length
	if strings.HasPrefix(text[:length], reasonText) {
		if n := eol(text[len(reasonText):length]); n > 0 {
			s.emit(reason, len(reasonText)+n)
		}
	}
	if long {
		s.class(last)
	}
	for s.pos.Offset < last {
		rest := s.src[s.pos.Offset:last]
		if strings.HasPrefix(rest, causeText) && classText.MatchString(rest[len(causeText):]) {
			s.emit(cause, len(causeText))
			s.class(last)
		}
		s.words(last)
		if n := eol(s.src[s.pos.Offset:last]); n > 0 {
			s.emit(newline, n)
		}
	}
	n := lost
	if closed >= 0 {
		n = len(reset)
	}
	s.emit(end, n+eol(s.rest()[n:]))
	return true
}

// goesOn reports whether a message may go on with s, which stands at the start
// of a line.
func goesOn(s string, coloured, stack bool) bool {
	if coloured {
		return !behindNoise(s, promptText.MatchString) && !behindNoise(s, isStop)
	}
	if stack {
		return strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, causeText)
	}
	text := s[len(noiseText.FindString(s)):]
	return !isHead(text) && !promptText.MatchString(text) && !levelText.MatchString(text) && !fatalText.MatchString(text) &&
		!isStop(text) && !jobText.MatchString(text) && !initText.MatchString(text) && !isPrint(text)
}

// class makes a token of the class at the start of what ends at last, if one
// stands there.
func (s *scanner) class(last int) {
	if m := classText.FindStringSubmatch(s.src[s.pos.Offset:last]); m != nil {
		s.emit(class, len(m[1]))
		s.skip(len(strings.TrimRight(m[2], "\r\n")))
	}
}

// words makes tokens of the rest of a line that ends at last, without escape
// codes.
func (s *scanner) words(last int) {
	for s.pos.Offset < last && eol(s.src[s.pos.Offset:last]) == 0 {
		n := 0
		for rest := s.src[s.pos.Offset:last]; n < len(rest) && rest[n] != '\x1b' && eol(rest[n:]) == 0; {
			n++
		}
		if n > 0 {
			s.emit(words, n)
		}
		s.skip(len(escapeText.FindString(s.src[s.pos.Offset:last])))
	}
}
