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
// canonical.go reads the spellings of asSerializableString about forty times as fast and must agree with it.
//
// Flink's LogicalTypeParser is stricter in two places where nothing can be misread: it wants field names that are
// keywords quoted (ROW<date DATE>), and it takes one postfix only (INT ARRAY ARRAY, which Flink's SQL parser reads).

type typeNode struct {
	Pos       lexer.Position
	Base      *baseNode      `parser:"@@"`
	Modifiers *modifiersNode `parser:"@@?"`
	Postfixes []*postfixNode `parser:"@@*"`
	EndPos    lexer.Position // where the next token starts
}

// postfixNode is the second notation of collections: INT NOT NULL ARRAY.
type postfixNode struct {
	Pos       lexer.Position
	Keyword   string         `parser:"@( 'ARRAY' | 'MULTISET' )"`
	Modifiers *modifiersNode `parser:"@@?"`
}

// modifiersNode is what follows a type. asSummaryString puts the time attribute behind NOT NULL, DESCRIBE has no NOT NULL there.
type modifiersNode struct {
	Before    *nullabilityNode `parser:"( @@"`
	Attribute *attributeNode   `parser:"  @@? | @@"`
	After     *nullabilityNode `parser:"  @@? )"`
}

type nullabilityNode struct {
	Not bool `parser:"@'NOT'? 'NULL'"`
}

type attributeNode struct {
	Pos  lexer.Position
	Text string `parser:"@Attribute"`
}

type baseNode struct {
	Plain      string          `parser:"  @( 'BOOLEAN' | 'TINYINT' | 'SMALLINT' | 'INT' | 'INTEGER' | 'BIGINT' | 'FLOAT' | 'DATE' | 'STRING' | 'BYTES' | 'NULL' | 'SYMBOL' | 'DESCRIPTOR' | 'VARIANT' | 'BITMAP' )"`
	Double     string          `parser:"| @'DOUBLE' 'PRECISION'?"`
	Sized      *sizedNode      `parser:"| @@"`
	Decimal    *decimalNode    `parser:"| @@"`
	Time       *timeNode       `parser:"| @@"`
	Timestamp  *timestampNode  `parser:"| @@"`
	Interval   *intervalNode   `parser:"| @@"`
	Collection *collectionNode `parser:"| @@"`
	Map        *mapNode        `parser:"| @@"`
	Row        *rowNode        `parser:"| @@"`
	Structured *structuredNode `parser:"| @@"`
	Inline     *inlineNode     `parser:"| @@"`
	Raw        *rawNode        `parser:"| @@"`
	Named      *namedNode      `parser:"| @@"`
}

type numberNode struct {
	Pos    lexer.Position
	Digits string `parser:"@Int"`
}

type sizedNode struct {
	Keyword string      `parser:"@( 'CHAR' | 'VARCHAR' | 'BINARY' | 'VARBINARY' | 'TIMESTAMP_LTZ' )"`
	Length  *numberNode `parser:"( '(' @@ ')' )?"`
}

type decimalNode struct {
	Keyword   string      `parser:"@( 'DECIMAL' | 'DEC' | 'NUMERIC' )"`
	Precision *numberNode `parser:"( '(' @@"`
	Scale     *numberNode `parser:"  ( ',' @@ )? ')' )?"`
}

type timeNode struct {
	Keyword   string      `parser:"@'TIME'"`
	Precision *numberNode `parser:"( '(' @@ ')' )? ( 'WITHOUT' 'TIME' 'ZONE' )?"`
}

type timestampNode struct {
	Keyword   string      `parser:"@'TIMESTAMP'"`
	Precision *numberNode `parser:"( '(' @@ ')' )?"`
	With      bool        `parser:"( 'WITHOUT' 'TIME' 'ZONE' | @'WITH'"`
	Local     bool        `parser:"  @'LOCAL'? 'TIME' 'ZONE' )?"`
}

type intervalNode struct {
	From *intervalFieldNode `parser:"'INTERVAL' @@"`
	To   *intervalFieldNode `parser:"( 'TO' @@ )?"`
}

type intervalFieldNode struct {
	Pos       lexer.Position
	Name      string      `parser:"@( 'YEAR' | 'MONTH' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND' )"`
	Precision *numberNode `parser:"( '(' @@ ')' )?"`
}

type collectionNode struct {
	Keyword string    `parser:"@( 'ARRAY' | 'MULTISET' )"`
	Element *typeNode `parser:"'<' @@ '>'"`
}

type mapNode struct {
	Key   *typeNode `parser:"'MAP' '<' @@"`
	Value *typeNode `parser:"',' @@ '>'"`
}

type rowNode struct {
	Keyword string       `parser:"@'ROW'"`
	Fields  []*fieldNode `parser:"( '<' ( @@ ( ',' @@ )* )? '>' | '(' ( @@ ( ',' @@ )* )? ')' )"`
}

type fieldNode struct {
	Pos         lexer.Position
	Name        string    `parser:"@( Word | Name | Keyword )"`
	Type        *typeNode `parser:"@@"`
	Description string    `parser:"@String?"`
}

// structuredNode is a structured type without a name in a catalog, from 2.1 on (FLIP-520). Without attributes Flink prints the comma all the same.
type structuredNode struct {
	Class  string       `parser:"'STRUCTURED' '<' @String"`
	Fields []*fieldNode `parser:"( ',' ( @@ ( ',' @@ )* )? )? '>'"`
}

// inlineNode is how DESCRIBE prints the same up to 2.0: *com.example.Order<`id` INT>*.
type inlineNode struct {
	Pos    lexer.Position
	Class  []string     `parser:"'*' @( Word | Keyword ) ( '.' @( Word | Keyword ) )*"`
	Fields []*fieldNode `parser:"'<' ( @@ ( ',' @@ )* )? '>' '*'"`
}

type rawNode struct {
	Pos        lexer.Position
	Keyword    string `parser:"@( 'RAW' | 'LEGACY' )"`
	First      string `parser:"'(' @String"`
	Serializer string `parser:"',' @( String | '?' ) ')'"`
}

type namedNode struct {
	Pos  lexer.Position
	Path []string `parser:"@( Word | Name ) ( '.' @( Word | Name ) )*"`
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
		return &SyntaxError{Text: text, Offset: maxText, Msg: "the text of a type may have " + strconv.Itoa(maxText) + " bytes", Err: ErrLength}
	}
	depth := 0
	for pos := skipSpace(text, 0); pos < len(text); {
		_, end := tokenAt(text, pos)
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
	var positioned participle.Error
	if errors.As(err, &positioned) {
		return &SyntaxError{Text: text, Offset: min(positioned.Position().Offset, len(text)), Msg: positioned.Message()}
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
	t := c.base(n.Base, n.Pos)
	c.modify(&t, n.Modifiers)
	for _, p := range n.Postfixes {
		t.raw = c.source(n.Pos, p.Pos)
		kind, _ := kindOfKeyword(p.Keyword)
		t = c.nest(p.Pos, kind, parts{types: []Type{t}})
		c.modify(&t, p.Modifiers)
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

func (c *converter) modify(t *Type, m *modifiersNode) {
	if m == nil {
		return
	}
	for _, n := range []*nullabilityNode{m.Before, m.After} {
		if n != nil {
			t.notNull = n.Not
		}
	}
	if m.Attribute != nil {
		if !t.setAttribute(m.Attribute.Text) {
			c.fail(m.Attribute.Pos, "%s is no time and carries no time attribute", t.kind)
		}
	}
}

func (c *converter) base(n *baseNode, pos lexer.Position) Type {
	switch {
	case n.Plain != "":
		kind, length := kindOfKeyword(n.Plain)
		return scalar(kind, length, notGiven)
	case n.Double != "":
		return scalar(Double, notGiven, notGiven)
	case n.Sized != nil:
		kind, _ := kindOfKeyword(n.Sized.Keyword)
		return scalar(kind, c.number(n.Sized.Length), notGiven)
	case n.Decimal != nil:
		return scalar(Decimal, c.number(n.Decimal.Precision), c.number(n.Decimal.Scale))
	case n.Time != nil:
		return scalar(Time, c.number(n.Time.Precision), notGiven)
	case n.Timestamp != nil:
		kind := Timestamp
		switch {
		case n.Timestamp.Local:
			kind = TimestampWithLocalTimeZone
		case n.Timestamp.With:
			kind = TimestampWithTimeZone
		}
		return scalar(kind, c.number(n.Timestamp.Precision), notGiven)
	case n.Interval != nil:
		return c.interval(n.Interval)
	case n.Collection != nil:
		kind, _ := kindOfKeyword(n.Collection.Keyword)
		return c.nest(pos, kind, parts{types: []Type{c.typ(n.Collection.Element)}})
	case n.Map != nil:
		return c.nest(pos, Map, parts{types: []Type{c.typ(n.Map.Key), c.typ(n.Map.Value)}})
	case n.Row != nil:
		return c.nest(pos, Row, parts{fields: c.fields(n.Row.Fields)})
	case n.Structured != nil:
		return c.nest(pos, Structured, parts{class: unquote(n.Structured.Class), fields: c.fields(n.Structured.Fields)})
	case n.Inline != nil:
		// The keywords among the words of the name are upper-cased in the tokens, so it is taken from the text.
		class, _, _ := strings.Cut(c.text[n.Inline.Pos.Offset+1:], "<")
		class = strings.TrimFunc(class, isSpace)
		return c.nest(pos, Structured, parts{class: class, fields: c.fields(n.Inline.Fields)})
	case n.Raw != nil:
		return c.raw(n.Raw)
	}
	path := make([]string, len(n.Named.Path))
	for i, part := range n.Named.Path {
		path[i] = unquote(part)
	}
	if len(path) > 3 {
		c.fail(pos, "a name has at most three parts: catalog, database, type")
	}
	t, _ := composite(Unresolved, parts{path: path})
	return t
}

func (c *converter) fields(nodes []*fieldNode) []Field {
	fields := make([]Field, len(nodes))
	for i, n := range nodes {
		_, end := tokenAt(c.text, n.Pos.Offset) // not n.Name, where a keyword is upper-cased
		fields[i] = Field{Name: unquote(c.text[n.Pos.Offset:end]), Type: c.typ(n.Type), Description: unquote(n.Description)}
	}
	return fields
}

func (c *converter) raw(n *rawNode) Type {
	serializer := unquote(n.Serializer)
	if n.Serializer == "?" {
		serializer = ""
	}
	if n.Keyword == "RAW" {
		t, _ := composite(Raw, parts{class: unquote(n.First), serializer: serializer})
		return t
	}
	kind := kindOfRoot(unquote(n.First))
	if kind == Unknown {
		c.fail(n.Pos, "LEGACY names no type root: %s", quoteAround(n.First, 0))
	}
	t, _ := composite(kind, parts{serializer: serializer})
	t.legacy = true
	return t
}

func (c *converter) interval(n *intervalNode) Type {
	to, seconds := "", n.From
	if n.To != nil {
		to, seconds = n.To.Name, n.To
	}
	t, ok := intervalOf(n.From.Name, to)
	if !ok {
		c.fail(n.From.Pos, "no interval goes from %s to %s", n.From.Name, to)
		return t
	}
	t.length, t.fraction = notGiven, notGiven
	for _, f := range []*intervalFieldNode{n.From, n.To} {
		switch {
		case f == nil || f.Precision == nil:
		case f == seconds && t.res.fractional():
			t.fraction = c.number(f.Precision)
		case f == n.From && t.res.leading():
			t.length = c.number(f.Precision)
		default:
			c.fail(f.Precision.Pos, "%s has no precision in INTERVAL %s", f.Name, t.res)
		}
	}
	return t
}

func (c *converter) number(n *numberNode) int32 {
	if n == nil {
		return notGiven
	}
	v, err := strconv.ParseInt(n.Digits, 10, 32)
	if err != nil {
		c.fail(n.Pos, "%s is out of range", quoteAround(n.Digits, 0))
		return notGiven
	}
	return int32(v)
}
