package sqlclient

import (
	"io"
	"slices"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar of the text between two tables. Its tokens are what textLexer
// cuts, each as long as can be.

// tokenType is the type of a token; the values are participle's.
type tokenType = lexer.TokenType

const (
	pieceToken tokenType = -2 - iota // any of these, to the grammar

	echoToken
	messageToken
	jobToken
	footerToken

	blankToken
	bannerToken
	logToken
	outputToken
	shutdownToken
	initToken
	truncatedToken
	screenToken
	strayToken    // rows without a head
	prefixedToken // a prompt behind something else
	csvToken      // a changelog in CSV
	otherToken

	// What classify tells apart, but the lexer does not.
	errorToken
	squirrelToken
	doneToken // "done.", which is the client's behind shutdownToken only
)

var tokenNames = map[string]tokenType{"EOF": lexer.EOF, "Piece": pieceToken}

var textKinds = map[tokenType]TextKind{
	blankToken: TextBlank, bannerToken: TextBanner, logToken: TextLog, outputToken: TextOutput, shutdownToken: TextShutdown, initToken: TextInit,
	truncatedToken: TextTruncated, screenToken: TextScreen, csvToken: TextCSV, prefixedToken: TextPrefixed, otherToken: TextOther,
}

// textGrammar is the text between two tables: any pieces in any order. What
// participle costs is about its nodes and the alternatives that it tries, so
// the pieces are tokens of one type (of which kind each is, its token knows),
// and the grammar takes them itself.
type textGrammar struct {
	Pieces []lexer.Token
}

// Parse takes all pieces up to the end.
func (g *textGrammar) Parse(lex *lexer.PeekingLexer) error {
	start := lex.RawCursor()
	for lex.Peek().Type == pieceToken {
		lex.Next()
	}
	g.Pieces = lex.Range(start, lex.RawCursor())
	return nil
}

var textParser = sync.OnceValue(func() *participle.Parser[textGrammar] {
	return participle.MustBuild[textGrammar](participle.Lexer(textDefinition{}))
})

// textDefinition tells participle the names of the tokens. The tokens
// themselves come from a textLexer; the definition cannot lex.
type textDefinition struct{}

func (textDefinition) Symbols() map[string]tokenType { return tokenNames }

func (textDefinition) Lex(string, io.Reader) (lexer.Lexer, error) { return &tokenStream{}, nil }

// tokenStream hands tokens of a text to participle.
type tokenStream struct {
	text   string
	tokens []token
}

// Next returns the next token. It never fails.
func (s *tokenStream) Next() (lexer.Token, error) {
	if len(s.tokens) == 0 {
		return lexer.EOFToken(lexer.Position{Offset: len(s.text)}), nil
	}
	t := s.tokens[0]
	s.tokens = s.tokens[1:]
	return lexer.Token{Type: pieceToken, Value: s.text[t.start:t.end], Pos: lexer.Position{Offset: t.start}}, nil
}

// parseText parses tokens that cover text.
func parseText(text string, tokens []token) (*textGrammar, error) {
	stream, err := lexer.Upgrade(&tokenStream{text, tokens})
	if err != nil {
		return nil, err
	}
	return textParser().ParseFromLexer(stream)
}

// appendPieces appends the pieces of a text that tokens cover. Where those are
// only what stands between two results if the client has nothing to say, each is a
// piece without being parsed: of many small results that would be the most of
// the work.
func appendPieces(dst []string, text string, tokens []token) ([]string, error) {
	if !slices.ContainsFunc(tokens, token.isSaid) {
		for _, t := range tokens {
			dst = append(dst, text[t.start:t.end])
		}
		return dst, nil
	}
	doc, err := parseText(text, tokens)
	if err != nil {
		return dst, err
	}
	for i := range doc.Pieces {
		dst = append(dst, doc.Pieces[i].Value)
	}
	return dst, nil
}

// isSaid reports whether the client, or something else, says more in a token than
// that a result is over or a statement comes.
func (t token) isSaid() bool {
	return t.kind != footerToken && t.kind != blankToken && t.kind != echoToken
}
