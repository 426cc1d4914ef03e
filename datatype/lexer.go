package datatype

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// Token types of the language of types. A token is as large as it can be without hiding structure, since participle's cost
// is per token and per alternative: a word that is a keyword is classed here and not by alternatives in the grammar, and
// NOT NULL, a zone and the numbers behind a type are one token each. The lexer is total: what fits nowhere is a tokenBad, which no rule of the grammar takes.
const (
	tokenScalar     lexer.TokenType = iota + 1 // a type that takes nothing or numbers: INT, VARCHAR, TIMESTAMP_LTZ, DOUBLE PRECISION
	tokenCollection                            // ARRAY or MULTISET
	tokenUnit                                  // YEAR to SECOND
	tokenNull                                  // NULL: a type, or behind one
	tokenNotNull                               // NOT NULL
	tokenZone                                  // WITHOUT TIME ZONE, WITH TIME ZONE, WITH LOCAL TIME ZONE
	tokenAttribute                             // *ROWTIME* or *PROCTIME*
	tokenNumbers                               // (10) or (10, 2)
	tokenKeyword                               // any other keyword
	tokenWord                                  // any other unquoted name
	tokenName                                  // `quoted`, quotes included
	tokenString                                // 'quoted', quotes included
	tokenPunct                                 // one of <>(),.*
	tokenBad                                   // a quote that is never closed
)

// typeLexer is the lexer of the grammar. It holds nothing: one definition serves every parse.
type typeLexer struct{}

func (typeLexer) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Scalar": tokenScalar, "Collection": tokenCollection, "Unit": tokenUnit, "Null": tokenNull,
		"NotNull": tokenNotNull, "Zone": tokenZone, "Attribute": tokenAttribute, "Numbers": tokenNumbers,
		"Keyword": tokenKeyword, "Word": tokenWord, "Name": tokenName, "String": tokenString, "Punct": tokenPunct, "Bad": tokenBad,
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
	typ, value, end := tokenAt(s.text, s.pos)
	s.pos = end
	return lexer.Token{Type: typ, Value: value, Pos: at}, nil
}

// tokenAt finds the token that starts at pos, which is neither a blank nor the end. The value of what is made of keywords
// is in upper case with single blanks, however it was written.
func tokenAt(text string, pos int) (typ lexer.TokenType, value string, end int) {
	switch c := text[pos]; c {
	case '<', '>', ')', ',', '.':
		return tokenPunct, text[pos : pos+1], pos + 1
	case '(':
		if end := numbersEnd(text, pos); end > 0 {
			return tokenNumbers, text[pos:end], end
		}
		return tokenPunct, "(", pos + 1
	case '*':
		for _, attribute := range []string{"*ROWTIME*", "*PROCTIME*"} {
			if strings.HasPrefix(text[pos:], attribute) {
				return tokenAttribute, attribute, pos + len(attribute)
			}
		}
		return tokenPunct, "*", pos + 1
	case '`', '\'':
		end, closed := quotedEnd(text, pos)
		switch {
		case !closed:
			typ = tokenBad
		case c == '`':
			typ = tokenName
		default:
			typ = tokenString
		}
		return typ, text[pos:end], end
	}
	end = wordEnd(text, pos)
	word := keyword(text[pos:end])
	switch word {
	case "":
		return tokenWord, text[pos:end], end
	case "CHAR", "VARCHAR", "STRING", "BOOLEAN", "BINARY", "VARBINARY", "BYTES", "DECIMAL", "NUMERIC", "DEC", "TINYINT",
		"SMALLINT", "INT", "INTEGER", "BIGINT", "FLOAT", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "DESCRIPTOR",
		"VARIANT", "BITMAP", "SYMBOL":
		return tokenScalar, word, end
	case "DOUBLE":
		if _, after, ok := followedBy(text, end, "PRECISION"); ok {
			end = after
		}
		return tokenScalar, word, end
	case "ARRAY", "MULTISET":
		return tokenCollection, word, end
	case "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND":
		return tokenUnit, word, end
	case "NULL":
		return tokenNull, word, end
	case "NOT":
		if _, after, ok := followedBy(text, end, "NULL"); ok {
			return tokenNotNull, "NOT NULL", after
		}
	case "WITH", "WITHOUT":
		for _, words := range [][]string{{"TIME", "ZONE"}, {"LOCAL", "TIME", "ZONE"}} {
			if tail, after, ok := followedBy(text, end, words...); ok {
				return tokenZone, word + tail, after
			}
		}
	}
	return tokenKeyword, word, end
}

// followedBy says whether these keywords are what follows, and gives them with a blank before each.
func followedBy(text string, pos int, keywords ...string) (tail string, end int, ok bool) {
	for _, k := range keywords {
		pos = skipSpace(text, pos)
		end := wordEnd(text, pos)
		if keyword(text[pos:end]) != k {
			return "", 0, false
		}
		pos = end
		tail += " " + k
	}
	return tail, pos, true
}

// numbersEnd finds the end of (n) or (n, m) at pos; 0 if that is not what stands there.
func numbersEnd(text string, pos int) int {
	for range 2 {
		pos = skipSpace(text, pos+1)
		start := pos
		for pos < len(text) && '0' <= text[pos] && text[pos] <= '9' {
			pos++
		}
		if pos == start {
			return 0
		}
		switch pos = skipSpace(text, pos); {
		case pos == len(text):
			return 0
		case text[pos] == ')':
			return pos + 1
		case text[pos] != ',':
			return 0
		}
	}
	return 0
}

func wordEnd(text string, pos int) int {
	for pos < len(text) && strings.IndexByte("<>(),.*`'", text[pos]) < 0 {
		r, size := utf8.DecodeRuneInString(text[pos:])
		if isSpace(r) {
			break
		}
		pos += size
	}
	return pos
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
	inner, quote := token[1:len(token)-1], token[:1]
	if strings.IndexByte(inner, quote[0]) < 0 {
		return inner
	}
	return strings.ReplaceAll(inner, quote+quote, quote)
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

// keyword gives the keyword of Flink's language of types that a word is, in upper case, or the empty string.
func keyword(word string) string {
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
