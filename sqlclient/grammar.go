package sqlclient

import (
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar of the text between two tables. Its tokens are what textLexer
// cuts, each as long as can be.

// tokenType is the type of a token; the values are participle's.
type tokenType = lexer.TokenType

const (
	echoToken tokenType = -2 - iota
	messageToken
	jobToken
	footerToken
	textToken // to the grammar, each of the kinds of plain lines

	blankToken
	bannerToken
	logToken
	outputToken
	shutdownToken
	initToken
	truncatedToken
	screenToken
	strayToken // rows without a head
	otherToken

	// What classify tells apart, but the lexer does not.
	errorToken
	squirrelToken
	doneToken // "done.", which is the client's behind shutdownToken only
)

var tokenNames = map[string]tokenType{
	"EOF": lexer.EOF, "Echo": echoToken, "Message": messageToken, "Job": jobToken, "Footer": footerToken, "Text": textToken,
}

var textKinds = map[tokenType]TextKind{
	blankToken: TextBlank, bannerToken: TextBanner, logToken: TextLog, outputToken: TextOutput, shutdownToken: TextShutdown, initToken: TextInit,
	truncatedToken: TextTruncated, screenToken: TextScreen, otherToken: TextOther,
}

// textGrammar is the text between two tables. What participle costs is about
// its nodes and the alternatives that it tries, so the pieces are tokens of
// one list, and the commonest stand first.
type textGrammar struct {
	Pieces []lexer.Token `parser:"@( ( Text | Echo | Footer | Message | Job )* )"`
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
	if t.kind < textToken {
		t.kind = textToken
	}
	return lexer.Token{Type: t.kind, Value: s.text[t.start:t.end], Pos: lexer.Position{Offset: t.start}}, nil
}

// parseText parses tokens that cover text.
func parseText(text string, tokens []token) (*textGrammar, error) {
	stream, err := lexer.Upgrade(&tokenStream{text, tokens})
	if err != nil {
		return nil, err
	}
	return textParser().ParseFromLexer(stream)
}
