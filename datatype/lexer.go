package datatype

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// Token types of the language of types. The lexer is total: what fits nowhere is a tokenBad, which no rule of the grammar takes.
const (
	tokenKeyword lexer.TokenType = iota + 1 // in upper case, however it was written
	tokenWord                               // any other unquoted name
	tokenName                               // `quoted`, quotes included
	tokenString                             // 'quoted', quotes included
	tokenInt
	tokenAttribute // *ROWTIME* or *PROCTIME*
	tokenPunct     // one of <>(),.*
	tokenBad       // a quote that is never closed
)

// typeLexer is the lexer of the grammar. It holds nothing: one definition serves every parse.
type typeLexer struct{}

func (typeLexer) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Keyword": tokenKeyword, "Word": tokenWord, "Name": tokenName, "String": tokenString,
		"Int": tokenInt, "Attribute": tokenAttribute, "Punct": tokenPunct, "Bad": tokenBad,
	}
}

func (l typeLexer) LexString(_ string, text string) (lexer.Lexer, error) {
	return &scanner{text: text}, nil
}

func (l typeLexer) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return l.LexString(name, string(data))
}

// scanner cuts one text. Blanks between tokens are skipped here, since participle would keep them in memory.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) Next() (lexer.Token, error) {
	s.pos = skipSpace(s.text, s.pos)
	at := lexer.Position{Offset: s.pos}
	if s.pos == len(s.text) {
		return lexer.EOFToken(at), nil
	}
	typ, end := tokenAt(s.text, s.pos)
	value := s.text[s.pos:end]
	if typ == tokenWord {
		if keyword := keywordOf(value); keyword != "" {
			typ, value = tokenKeyword, keyword
		}
	}
	s.pos = end
	return lexer.Token{Type: typ, Value: value, Pos: at}, nil
}

// tokenAt finds the token that starts at pos, which is neither a blank nor the end.
func tokenAt(text string, pos int) (typ lexer.TokenType, end int) {
	switch c := text[pos]; c {
	case '<', '>', '(', ')', ',', '.':
		return tokenPunct, pos + 1
	case '*':
		for _, attribute := range []string{"*ROWTIME*", "*PROCTIME*"} {
			if strings.HasPrefix(text[pos:], attribute) {
				return tokenAttribute, pos + len(attribute)
			}
		}
		return tokenPunct, pos + 1
	case '`', '\'':
		end, closed := quotedEnd(text, pos)
		switch {
		case !closed:
			return tokenBad, len(text)
		case c == '`':
			return tokenName, end
		}
		return tokenString, end
	}
	digits := true
	for end = pos; end < len(text); {
		c := text[end]
		if strings.IndexByte("<>(),.*`'", c) >= 0 {
			break
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		if isSpace(r) {
			break
		}
		digits = digits && '0' <= c && c <= '9'
		end += size
	}
	if digits {
		return tokenInt, end
	}
	return tokenWord, end
}

// quotedEnd finds the end of the quoted text at pos. A doubled quote stands for one and does not end it.
func quotedEnd(text string, pos int) (end int, closed bool) {
	quote := text[pos]
	for pos++; ; pos += 2 {
		i := strings.IndexByte(text[pos:], quote)
		if i < 0 {
			return len(text), false
		}
		pos += i
		if pos+1 == len(text) || text[pos+1] != quote {
			return pos + 1, true
		}
	}
}

// unquote takes the quotes off a name or string token; a word stays as it is.
func unquote(token string) string {
	if token == "" || token[0] != '`' && token[0] != '\'' {
		return token
	}
	quote := token[:1]
	return strings.ReplaceAll(token[1:len(token)-1], quote+quote, quote)
}

func skipSpace(text string, pos int) int {
	for pos < len(text) {
		r, size := utf8.DecodeRuneInString(text[pos:])
		if !isSpace(r) {
			break
		}
		pos += size
	}
	return pos
}

// isSpace is Java's Character.isWhitespace, which Flink's parser asks: no-break spaces are part of a word.
func isSpace(r rune) bool {
	switch {
	case r == ' ', '\t' <= r && r <= '\r', 0x1c <= r && r <= 0x1f:
		return true
	case r < 0x80, r == 0xa0, r == 0x2007, r == 0x202f:
		return false
	}
	return unicode.In(r, unicode.Z)
}

// keywordOf gives the keyword that a word is, in upper case, or the empty string.
func keywordOf(word string) string {
	const longest = len("TIMESTAMP_LTZ")
	if len(word) > longest {
		return ""
	}
	switch upper := strings.ToUpper(word); upper {
	case "CHAR", "VARCHAR", "STRING", "BOOLEAN", "BINARY", "VARBINARY", "BYTES", "DECIMAL", "NUMERIC", "DEC",
		"TINYINT", "SMALLINT", "INT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE", "PRECISION", "DATE", "TIME", "WITH",
		"WITHOUT", "LOCAL", "ZONE", "TIMESTAMP", "TIMESTAMP_LTZ", "INTERVAL", "YEAR", "MONTH", "DAY", "HOUR", "MINUTE",
		"SECOND", "TO", "ARRAY", "MULTISET", "MAP", "ROW", "NULL", "RAW", "LEGACY", "NOT", "DESCRIPTOR", "STRUCTURED",
		"VARIANT", "BITMAP", "SYMBOL":
		return upper
	}
	return ""
}
