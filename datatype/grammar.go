package datatype

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar of a type's text: every type of Flink 1.13 to 2.3 in each of its spellings, those of asSerializableString
// (plans), asSummaryString (DESCRIBE, EXPLAIN) and DDL. It defines the language and finds what is wrong with a text;
// canonical.go reads the spellings of asSerializableString some fifty times as fast (BenchmarkParse) and must agree with it.
//
// Flink's LogicalTypeParser is stricter in two places where nothing can be misread: it wants field names that are
// keywords quoted (ROW<date DATE>), and it takes one postfix only (INT ARRAY ARRAY, which Flink's SQL parser reads).

type typeNode struct {
	Pos    lexer.Position
	Base   *baseNode      `parser:"@@"`
	Behind []lexer.Token  `parser:"@( ( NotNull | Null | Attribute | Collection )+ )?"`
	EndPos lexer.Position // where the next token starts
}

type baseNode struct {
	Name       *nameNode       `parser:"  @@"`
	Scalar     *scalarNode     `parser:"| @@"`
	Null       string          `parser:"| @Null"`
	Row        *rowNode        `parser:"| 'ROW' @@"`
	Map        *mapNode        `parser:"| 'MAP' '<' @@ '>'"`
	Interval   *intervalNode   `parser:"| 'INTERVAL' @@"`
	Raw        *rawNode        `parser:"| 'RAW' '(' @@ ')'"`
	Legacy     *rawNode        `parser:"| 'LEGACY' '(' @@ ')'"`
	Structured *structuredNode `parser:"| 'STRUCTURED' '<' @@ '>'"`
	Inline     *inlineNode     `parser:"| '*' @@ '*'"`
	Collection *collectionNode `parser:"| @@"`
}

type nameNode struct {
	Path []string `parser:"@( Name | Word ) ( '.' @( Name | Word ) )*"`
}

type scalarNode struct {
	Keyword string       `parser:"@Scalar"`
	Numbers *lexer.Token `parser:"@Numbers?"`
	Zone    *lexer.Token `parser:"@Zone?"`
}

type rowNode struct {
	Fields []*fieldNode `parser:"'<' ( @@ ( ',' @@ )* )? '>' | '(' ( @@ ( ',' @@ )* )? ')'"`
}

type fieldNode struct {
	Pos         lexer.Position
	Name        string    `parser:"@( Name | Word | Keyword | Scalar | Collection | Unit | Null )"`
	Type        *typeNode `parser:"@@"`
	Description string    `parser:"@String?"`
}

type mapNode struct {
	Key   *typeNode `parser:"@@"`
	Value *typeNode `parser:"',' @@"`
}

type collectionNode struct {
	Keyword string    `parser:"@Collection"`
	Element *typeNode `parser:"'<' @@ '>'"`
}

type intervalNode struct {
	Pos       lexer.Position
	From      string       `parser:"@Unit"`
	Precision *lexer.Token `parser:"@Numbers?"`
	To        string       `parser:"( 'TO' @Unit"`
	Fraction  *lexer.Token `parser:"  @Numbers? )?"`
}

// rawNode has no serializer where DESCRIBE prints a question mark in its place.
type rawNode struct {
	Pos        lexer.Position
	First      string `parser:"@String"`
	Serializer string `parser:"',' ( @String | '?' )"`
}

// structuredNode is a structured type without a name in a catalog, from 2.1 on (FLIP-520). Without attributes Flink prints the comma all the same.
type structuredNode struct {
	Class  string       `parser:"@String"`
	Fields []*fieldNode `parser:"( ',' ( @@ ( ',' @@ )* )? )?"`
}

// inlineNode is how DESCRIBE prints the same up to 2.0: *com.example.Order<`id` INT>*.
type inlineNode struct {
	Pos    lexer.Position
	Class  []string     `parser:"@( Word | Keyword ) ( '.' @( Word | Keyword ) )*"`
	Fields []*fieldNode `parser:"'<' ( @@ ( ',' @@ )* )? '>'"`
}

var typeParser = sync.OnceValue(func() *participle.Parser[typeNode] {
	return participle.MustBuild[typeNode](participle.Lexer(typeLexer{}))
})

// parseGrammar reads a text, which has no blanks around it, by the grammar.
func parseGrammar(text string) (Type, error) {
	if err := checkText(text); err != nil {
		return Type{}, err
	}
	node, err := typeParser().ParseString("", text)
	if err != nil {
		return Type{}, grammarError(text, err)
	}
	c := converter{text: text}
	t := c.typ(node)
	if c.err != nil {
		return Type{}, c.err
	}
	return t, nil
}

// checkText refuses what the grammar, which recurses and holds every token, must not see.
func checkText(text string) error {
	if len(text) > maxText {
		return &SyntaxError{Text: text, Offset: maxText, Msg: "the text is longer than " + strconv.Itoa(maxText) + " bytes", Err: ErrLength}
	}
	depth := 0
	for pos := skipSpace(text, 0); pos < len(text); {
		_, _, end := tokenAt(text, pos)
		switch text[pos] {
		case '<', '(':
			if depth++; depth > maxDepth {
				return &SyntaxError{Text: text, Offset: pos, Msg: depthMessage, Err: ErrDepth}
			}
		case '>', ')':
			depth--
		}
		pos = skipSpace(text, end)
	}
	return nil
}

func grammarError(text string, err error) *SyntaxError {
	var unexpected *participle.UnexpectedTokenError
	if errors.As(err, &unexpected) {
		return unexpectedToken(text, unexpected.Unexpected)
	}
	return &SyntaxError{Text: text, Msg: err.Error()}
}

func unexpectedToken(text string, token lexer.Token) *SyntaxError {
	e := &SyntaxError{Text: text, Offset: min(token.Pos.Offset, len(text))}
	switch {
	case token.EOF() && text == "":
		e.Msg = "no type"
	case token.EOF():
		e.Msg = "the type is not complete"
	case token.Type == tokenBad:
		e.Msg = "the quote is never closed"
	default:
		e.Msg = "unexpected " + quoteAround(token.Value, 0)
	}
	return e
}

// converter turns the nodes of one text into a Type, and keeps the first error.
type converter struct {
	text string
	err  error
}

func (c *converter) fail(pos lexer.Position, format string, args ...any) {
	if c.err == nil {
		c.err = &SyntaxError{Text: c.text, Offset: pos.Offset, Msg: fmt.Sprintf(format, args...)}
	}
}

// source gives the text from one token up to where another one starts.
func (c *converter) source(from lexer.Position, to lexer.Position) string {
	return strings.TrimRightFunc(c.text[from.Offset:to.Offset], isSpace)
}

func (c *converter) typ(n *typeNode) Type {
	t := c.base(n)
	nullability, attribute := false, false // what t already has behind it
	for _, token := range n.Behind {
		ok := true
		switch token.Type {
		case tokenNull, tokenNotNull:
			ok = !nullability
			nullability, t.notNull = true, token.Type == tokenNotNull
		case tokenAttribute:
			ok = !attribute && t.setAttribute(token.Value)
			attribute = true
		case tokenCollection: // the second notation of collections: INT NOT NULL ARRAY
			t.raw = c.source(n.Pos, token.Pos)
			kind, _ := kindOfKeyword(token.Value)
			t = c.nest(token.Pos, kind, parts{types: []Type{t}})
			nullability, attribute = false, false
		}
		if !ok {
			c.fail(token.Pos, "unexpected %s", quoteAround(token.Value, 0))
		}
	}
	t.raw = c.source(n.Pos, n.EndPos)
	return t
}

// nest makes a type that holds others, unless it gets too deep.
func (c *converter) nest(pos lexer.Position, kind Kind, p parts) Type {
	t, ok := composite(kind, p)
	if !ok && c.err == nil {
		c.err = &SyntaxError{Text: c.text, Offset: pos.Offset, Msg: depthMessage, Err: ErrDepth}
	}
	return t
}

func (c *converter) base(n *typeNode) Type {
	switch b := n.Base; {
	case b.Scalar != nil:
		return c.scalar(b.Scalar)
	case b.Null != "":
		return scalar(Null, notGiven, notGiven)
	case b.Row != nil:
		return c.nest(n.Pos, Row, parts{fields: c.fields(b.Row.Fields)})
	case b.Map != nil:
		return c.nest(n.Pos, Map, parts{types: []Type{c.typ(b.Map.Key), c.typ(b.Map.Value)}})
	case b.Collection != nil:
		kind, _ := kindOfKeyword(b.Collection.Keyword)
		return c.nest(n.Pos, kind, parts{types: []Type{c.typ(b.Collection.Element)}})
	case b.Interval != nil:
		return c.interval(b.Interval)
	case b.Raw != nil:
		return c.nest(n.Pos, Raw, parts{class: unquote(b.Raw.First), serializer: unquote(b.Raw.Serializer)})
	case b.Legacy != nil:
		kind := kindOfRoot(unquote(b.Legacy.First))
		if kind == Unknown {
			c.fail(b.Legacy.Pos, "no type root %s", quoteAround(b.Legacy.First, 0))
		}
		t := c.nest(n.Pos, kind, parts{serializer: unquote(b.Legacy.Serializer)})
		t.legacy = true
		return t
	case b.Structured != nil:
		return c.nest(n.Pos, Structured, parts{class: unquote(b.Structured.Class), fields: c.fields(b.Structured.Fields)})
	case b.Inline != nil:
		// The keywords among the words of the name are in upper case in the tokens, so it is taken from the text.
		class, _, _ := strings.Cut(c.text[b.Inline.Pos.Offset:], "<")
		class = strings.TrimFunc(class, isSpace)
		return c.nest(n.Pos, Structured, parts{class: class, fields: c.fields(b.Inline.Fields)})
	}
	path := make([]string, len(n.Base.Name.Path))
	for i, part := range n.Base.Name.Path {
		path[i] = unquote(part)
	}
	if len(path) > 3 {
		c.fail(n.Pos, "a name has at most three parts: catalog, database, type")
	}
	return c.nest(n.Pos, Unresolved, parts{path: path})
}

func (c *converter) fields(nodes []*fieldNode) []Field {
	fields := make([]Field, len(nodes))
	for i, n := range nodes {
		name := n.Name
		if name[0] != '`' {
			name = c.text[n.Pos.Offset:wordEnd(c.text, n.Pos.Offset)] // in the token a keyword is in upper case
		}
		fields[i] = Field{Name: unquote(name), Type: c.typ(n.Type), Description: unquote(n.Description)}
	}
	return fields
}

func (c *converter) scalar(n *scalarNode) Type {
	kind, length := kindOfKeyword(n.Keyword)
	t := scalar(kind, length, notGiven)
	if n.Numbers != nil {
		first, second := c.numbers(n.Numbers)
		switch {
		case kind == Decimal:
			t.length, t.fraction = first, second
		case kind.hasNumber() && length == notGiven && second == notGiven:
			t.length = first
		default:
			c.fail(n.Numbers.Pos, "unexpected %q behind %s", n.Numbers.Value, n.Keyword)
		}
	}
	if n.Zone != nil {
		switch {
		case n.Keyword == "TIMESTAMP" && n.Zone.Value == "WITH LOCAL TIME ZONE":
			t.kind = TimestampWithLocalTimeZone
		case n.Keyword == "TIMESTAMP" && n.Zone.Value == "WITH TIME ZONE":
			t.kind = TimestampWithTimeZone
		case (n.Keyword == "TIMESTAMP" || n.Keyword == "TIME") && n.Zone.Value == "WITHOUT TIME ZONE":
		default:
			c.fail(n.Zone.Pos, "unexpected %s behind %s", n.Zone.Value, n.Keyword)
		}
	}
	return t
}

func (c *converter) interval(n *intervalNode) Type {
	t, ok := intervalOf(n.From, n.To)
	if !ok {
		c.fail(n.Pos, "no interval goes from %s to %s", n.From, n.To)
		return t
	}
	leading, fractional := n.Precision, n.Fraction
	if t.res == Second {
		leading, fractional = nil, n.Precision
	}
	for _, p := range []struct {
		token   *lexer.Token
		allowed bool
		number  *int32
	}{{leading, t.res.leading(), &t.length}, {fractional, t.res.fractional(), &t.fraction}} {
		if p.token == nil {
			continue
		}
		first, second := c.numbers(p.token)
		if !p.allowed || second != notGiven {
			c.fail(p.token.Pos, "unexpected %q in INTERVAL %s", p.token.Value, t.res)
		}
		*p.number = first
	}
	return t
}

// numbers reads (n) or (n, m); m is notGiven in the first case.
func (c *converter) numbers(token *lexer.Token) (n, m int32) {
	first, second, two := strings.Cut(token.Value[1:len(token.Value)-1], ",")
	n, m = c.number(token, first), notGiven
	if two {
		m = c.number(token, second)
	}
	return n, m
}

func (c *converter) number(token *lexer.Token, digits string) int32 {
	n, err := strconv.ParseInt(strings.TrimFunc(digits, isSpace), 10, 32)
	if err != nil {
		c.fail(token.Pos, "%s is out of range", quoteAround(token.Value, 0))
	}
	return int32(n)
}
