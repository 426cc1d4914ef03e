package grammar

import (
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// The types of tokens.
const (
	bar lexer.TokenType = iota + 1
	cellText
	bottom
	top
	rule
	prompt
	sql
	typedText
	lineBreak
	level
	fatal
	reason
	class
	words
	newline
	cause
	end
	job
	hex
	received
	terminated
	inSet
	empty
	number
	unit
	open
	seconds
	eolToken
	printPrefix
	retractFlag
	change
	fields
	closing
	stop
	line
)

var symbols = map[string]lexer.TokenType{
	"EOF": lexer.EOF,
	"Bar": bar, "Cell": cellText, "Bottom": bottom, "Top": top, "Rule": rule,
	"Prompt": prompt, "SQL": sql, "Typed": typedText, "Break": lineBreak,
	"Level": level, "Fatal": fatal, "Reason": reason, "Class": class, "Words": words, "Newline": newline, "Cause": cause, "End": end,
	"Job": job, "Hex": hex,
	"Received": received, "Terminated": terminated, "InSet": inSet, "Empty": empty,
	"Number": number, "Unit": unit, "Open": open, "Seconds": seconds,
	"Prefix": printPrefix, "Flag": retractFlag, "Change": change, "Fields": fields, "Closing": closing,
	"EOL": eolToken, "Stop": stop, "Line": line,
}

// definition is the lexer as participle wants it.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return symbols }

func (d definition) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	src, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return d.LexString(name, string(src))
}

func (definition) LexString(name, src string) (lexer.Lexer, error) {
	s := &scanner{src: src, pos: lexer.Position{Filename: name, Line: 1, Column: 1}}
	if strings.HasPrefix(src, "\ufeff") { // a byte order mark
		s.skip(len("\ufeff"))
	}
	s.scan()
	s.emit(lexer.EOF, 0)
	return s, nil
}

// A scanner cuts a whole transcript into tokens. Together they are the whole
// transcript, but for escape codes.
type scanner struct {
	src    string
	pos    lexer.Position // of what is not cut yet
	tokens []lexer.Token
	widths []int // of the open table
	crlf   bool  // the lines of the open table end in CR LF
	quoted bool  // what is cut has lost a prefix before each line

	colours bool // the messages of this session are in colour
}

// Next returns the next token.
func (s *scanner) Next() (lexer.Token, error) {
	t := s.tokens[0]
	if len(s.tokens) > 1 {
		s.tokens = s.tokens[1:]
	}
	return t, nil
}

func (s *scanner) rest() string { return s.src[s.pos.Offset:] }

// emit makes a token of the next n bytes.
func (s *scanner) emit(t lexer.TokenType, n int) {
	text := s.rest()[:n]
	s.tokens = append(s.tokens, lexer.Token{Type: t, Value: text, Pos: s.pos})
	s.pos.Advance(text)
}

// skip leaves the next n bytes out.
func (s *scanner) skip(n int) { s.pos.Advance(s.rest()[:n]) }

func (s *scanner) scan() {
	for s.rest() != "" {
		if s.row() || s.quote() {
			continue
		}
		codes := noiseText.FindString(s.rest())
		s.skip(len(codes))
		switch {
		case s.rest() == "", s.row(), s.bottom(), s.head(), s.prompt(codes), s.message(strings.Contains(codes, "\x1b")), s.printed(), s.footer(), s.job(), s.stop(), s.screen():
		default:
			s.line()
		}
	}
}

func (s *scanner) row() bool {
	if s.widths == nil {
		return false
	}
	cells, n := row(s.rest(), s.widths)
	if n <= 0 && s.crlf {
		// Each newline in a cell became two characters, where Flink counted one.
		if unixCells, m := row(strings.ReplaceAll(s.rest(), "\r\n", "\n"), s.widths); m > 0 {
			lines := strings.Count(strings.ReplaceAll(s.rest(), "\r\n", "\n")[:m], "\n")
			for n = 0; lines > 0; lines-- {
				n += restOfLine(s.rest()[n:])
			}
			cells = unixCells
		}
	}
	switch n {
	case 0:
		return false
	case cut:
		s.emit(line, len(s.rest()))
	default:
		s.cells(cells, n)
	}
	return true
}

// cells makes the tokens of a row of n bytes.
func (s *scanner) cells(cells []string, n int) {
	after := s.pos.Offset + n
	s.emit(bar, len("| "))
	for i, c := range cells {
		n := len(c)
		for n-strings.Count(s.rest()[:n], "\r\n") < len(c)-strings.Count(c, "\r\n") {
			n++ // for the characters of which the cell was freed
		}
		s.emit(cellText, n)
		s.tokens[len(s.tokens)-1].Value = c
		if i < len(cells)-1 {
			s.emit(bar, len(" | "))
		}
	}
	s.emit(bar, len(" |"))
	s.emit(eolToken, after-s.pos.Offset)
}

func (s *scanner) bottom() bool {
	widths, n := border(s.rest())
	if s.widths == nil || n == 0 || !slices.Equal(widths, s.widths) {
		return false
	}
	s.widths = nil
	s.emit(bottom, n)
	return true
}

func (s *scanner) head() bool {
	names, widths, above, middle, below := head(s.rest())
	if names == nil {
		return false
	}
	s.emit(top, above)
	s.cells(names, middle)
	s.crlf = strings.HasSuffix(s.rest()[:below], "\r\n")
	s.emit(rule, below)
	s.widths = widths
	return true
}

var (
	marksText    = regexp.MustCompile(`^[ \t/*#\->|;%"'+]{1,256}`)
	kindText     = regexp.MustCompile(`^[-+][IUD]`)
	failureText  = regexp.MustCompile(`^(?:Failed to initialize from sql script:|(?:\[\d[\d;]*m)?\[ERROR\] Could not execute SQL statement\.)`)
	quotedTop    = regexp.MustCompile(`^([^\n]{1,256}?)(\+---[-+]*\+)\r*\n`)
	commentOpens = regexp.MustCompile(`^[ \t]*(?:/\*\*?|<!--|""")[ \t]*$`)
)

// quote cuts a block of lines that have a prefix: they begin with a prompt
// behind blanks and marks, or with the three lines of a head, each behind the
// same; a comment may be opened before the first.
func (s *scanner) quote() bool {
	if s.quoted {
		return false
	}
	first, prefix := "", ""
	marks := marksText.FindString(s.rest())
	if marks != "" && kindText.MatchString(s.rest()[len(marks)-1:]) {
		marks = marks[:len(marks)-1]
	}
	quoted := s.rest()[len(marks):]
	if marks != "" && (behindNoise(quoted, promptText.MatchString) || behindNoise(quoted, failureText.MatchString) || isPrint(quoted)) {
		first, prefix = marks, marks
	} else if m := quotedTop.FindStringSubmatch(s.rest()); m != nil {
		first = m[1]
		names := s.rest()[len(m[0]):]
		bar := strings.IndexByte(names, '|')
		if strings.HasPrefix(names, first+"|") {
			bar = len(first)
		}
		if bar < 0 || bar > restOfLine(names) {
			return false
		}
		prefix = names[:bar]
		if prefix == "" && first == "+" {
			prefix = first
		} else if prefix != first && (prefix == "" || !commentOpens.MatchString(first)) {
			return false
		}
		if !strings.HasPrefix(names[restOfLine(names):], prefix+m[2]) {
			return false
		}
	} else {
		return false
	}
	type start struct{ block, source int }
	var starts []start // of the lines
	block, n := "", 0
	for next := s.rest(); next != ""; next = s.rest()[n:] {
		line := next[:restOfLine(next)]
		was := prefix
		if n == 0 {
			was = first
		}
		trimmed := strings.TrimRight(line, "\r\n")
		switch {
		case was == "+" && (strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "+--")):
			was = ""
		case strings.HasPrefix(line, was):
		case len(trimmed) < len(line) && trimmed == strings.TrimRight(was, " \t"):
			was = trimmed
		default:
			was = line
		}
		if was == line {
			break
		}
		starts = append(starts, start{len(block), s.pos.Offset + n + len(was)})
		block += line[len(was):]
		n += len(line)
	}
	sub := &scanner{src: block, pos: lexer.Position{Line: 1, Column: 1}, quoted: true}
	sub.scan()
	end := s.pos.Offset + n
	for _, t := range sub.tokens {
		for len(starts) > 1 && starts[1].block <= t.Pos.Offset {
			starts = starts[1:]
		}
		s.skip(starts[0].source + t.Pos.Offset - starts[0].block - s.pos.Offset)
		t.Pos = s.pos
		s.tokens = append(s.tokens, t)
	}
	s.skip(end - s.pos.Offset)
	s.widths = nil
	return true
}

var screenTitle = regexp.MustCompile(`^[ \t]*SQL Query Result \((?:Table|Changelog)\)`)

// screen makes a token of what a client shows that takes the whole screen.
func (s *scanner) screen() bool {
	if !screenTitle.MatchString(s.rest()) {
		return false
	}
	n := restOfLine(s.rest())
	for n < len(s.rest()) && !strings.Contains(s.rest()[:n], "\x1b[?1049l") {
		next := s.rest()[n:]
		next = next[len(noiseText.FindString(next)):]
		if promptText.MatchString(next) || levelText.MatchString(next) || isStop(next) || isHead(next) {
			break
		}
		n += restOfLine(s.rest()[n:])
	}
	if i := strings.Index(s.rest()[:n], "\x1b[?1049l"); i >= 0 {
		n = i
	}
	s.emit(line, n)
	return true
}

var (
	escapeText = regexp.MustCompile(`^\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])?`)

	receivedText   = regexp.MustCompile(`^(Received a total of )(\d{1,18})( rows?)(?:( \()(\d+(?:[.,]\d+)?)( seconds\)))?(\r*\n)`)
	terminatedText = regexp.MustCompile(`^(Query terminated, received a total of )(\d{1,18})( rows?)(?:( \()(\d+(?:[.,]\d+)?)( seconds\)))?(\r*\n)`)
	inSetText      = regexp.MustCompile(`^(\d{1,18})( rows?)( in set)(?:( \()(\d+(?:[.,]\d+)?)( seconds\)))?(\r*\n)`)
	emptyText      = regexp.MustCompile(`^(Empty set)(?:( \()(\d+(?:[.,]\d+)?)( seconds\)))?(\r*\n)`)
	jobText        = regexp.MustCompile(`^(Job ID: )([0-9a-f]{32})( *\r*\n)`)
)

func isFooter(s string) bool {
	return receivedText.MatchString(s) || terminatedText.MatchString(s) || inSetText.MatchString(s) || emptyText.MatchString(s)
}

func (s *scanner) footer() bool {
	if !isFooter(s.rest()) {
		return false
	}
	s.widths = nil
	return s.match(receivedText, received, number, unit, open, number, seconds, eolToken) ||
		s.match(terminatedText, terminated, number, unit, open, number, seconds, eolToken) ||
		s.match(inSetText, number, unit, inSet, open, number, seconds, eolToken) ||
		s.match(emptyText, empty, open, number, seconds, eolToken)
}

func (s *scanner) job() bool { return s.match(jobText, job, hex, eolToken) }

func isStop(s string) bool { return strings.HasPrefix(s, "Shutting down the session...") }

func (s *scanner) stop() bool {
	if !isStop(s.rest()) {
		return false
	}
	s.widths = nil
	s.colours = false
	s.emit(stop, restOfLine(s.rest()))
	return true
}

// match makes a token of each group of pattern that matched something.
func (s *scanner) match(pattern *regexp.Regexp, types ...lexer.TokenType) bool {
	groups := pattern.FindStringSubmatch(s.rest())
	if groups == nil {
		return false
	}
	for i, t := range types {
		if groups[i+1] != "" {
			s.emit(t, len(groups[i+1]))
		}
	}
	return true
}

// colouredText is a level in colour: wherever it stands, it is the client's own.
var colouredText = regexp.MustCompile(`\x1b\[[\d;]*m\[(?:INFO|WARNING|ERROR)\]`)

// line makes a token of a line, or of what of it stands before a table or a
// message in colour.
func (s *scanner) line() {
	rest := s.rest()
	n := restOfLine(rest)
	if i := colouredText.FindStringIndex(rest[:n]); i != nil && i[0] > 0 {
		n = i[0]
	}
	for i := range n {
		if i > 0 && isHead(rest[i:]) {
			n = i
			break
		}
	}
	s.emit(line, n)
}

// restOfLine returns the length of the line at the start of s, with its newline.
func restOfLine(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i + 1
	}
	return len(s)
}
