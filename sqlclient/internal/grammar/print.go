package grammar

import (
	"regexp"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// printText is how a row of a print sink begins: the identifier of the sink and
// the number of the task, the flag of a retract stream, the row kind.
var printText = regexp.MustCompile(`^((?:[^\n]{1,1000}?> )??)((?:\((?:true|false),)?)([-+][IUD][\[(])`)

// isPrint reports whether a row of a print sink begins at the start of s, and
// nothing that the client or a logger writes.
func isPrint(s string) bool {
	m := printText.FindStringSubmatch(s)
	switch {
	case m == nil, m[3][:2] == "-I", m[2] == "(true," && m[3][0] == '-':
		return false
	}
	return !logText.MatchString(s) && !promptText.MatchString(s) && !levelText.MatchString(s)
}

// foreign reports whether s, at the start of a line, begins with what is no part
// of a row that goes on over lines.
func foreign(s string) bool {
	return ends(s, false) || fatalText.MatchString(s) || initText.MatchString(s)
}

// printed makes tokens of a row of a print sink.
func (s *scanner) printed() bool {
	text := s.rest()
	if s.widths != nil || !isPrint(text) {
		return false
	}
	m := printText.FindStringSubmatch(text)
	brackets := map[byte]string{'[': "]", '(': ")"}[m[3][2]]
	if m[2] != "" {
		brackets += ")"
	}
	var lasts []int // where a line ends that may be the last one of the row
	torn := false   // a line within it begins another row
	n := 0
	for n < len(text) {
		next := text[n:]
		if row := n > 0 && behindNoise(next, isPrint); row && len(lasts) > 0 {
			break
		} else if row {
			torn = true
		} else if n > 0 && behindNoise(next, foreign) {
			break
		}
		line := strings.TrimRight(next[:restOfLine(next)], "\r\n")
		if eol(next[len(line):]) == 0 {
			if len(lasts) == 0 {
				n = len(text)
			}
			break // the input ends in the line
		}
		behind := n + len(line)
		n += restOfLine(next)
		if strings.HasSuffix(line, brackets) && behind-len(brackets) >= len(m[0]) {
			lasts = append(lasts, behind)
			if torn {
				break
			}
		}
	}
	switch {
	case n == len(text) && len(lasts) == 0:
		s.emit(line, n)
		return true
	case len(lasts) == 0:
		s.emit(line, restOfLine(text))
		return true
	case torn || len(lasts) > 1:
		last := lasts[len(lasts)-1]
		s.emit(line, last+eol(text[last:]))
		return true
	}
	last := lasts[0] - len(brackets)
	for i, t := range []lexer.TokenType{printPrefix, retractFlag, change} {
		if m[i+1] != "" {
			s.emit(t, len(m[i+1]))
		}
	}
	if last > len(m[0]) {
		s.emit(fields, last-len(m[0]))
	}
	s.emit(closing, len(brackets))
	s.emit(eolToken, eol(text[lasts[0]:]))
	return true
}
