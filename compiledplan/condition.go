package compiledplan

import (
	"fmt"
	"strings"

	"github.com/seed-69e58989/flinkread/datatype"
)

// A Condition is an expression over the columns of a node's inputs, as a plan writes it. The zero Condition is none.
type Condition struct {
	raw    value
	inputs [][]column // the columns that it counts through, input by input
	names  []string   // of the inputs
}

// condition makes a condition over the inputs of a join: "left" and "right", or "input 0" and so on.
func (n *Node) condition(v value) Condition {
	if !v.isObject() {
		return Condition{}
	}
	c := Condition{raw: v}
	for i := range n.inputs {
		c.inputs = append(c.inputs, n.inputColumns(i))
		c.names = append(c.names, inputName(i, len(n.inputs)))
	}
	return c
}

func inputName(i, of int) string {
	if of == 2 {
		return [...]string{"left", "right"}[i]
	}
	return fmt.Sprintf("input%d", i)
}

// lookupCondition makes a condition over the input of a lookup join and the table that it asks.
func (n *Node) lookupCondition(v value) Condition {
	if !v.isObject() {
		return Condition{}
	}
	return Condition{raw: v, inputs: [][]column{n.inputColumns(0), n.lookupColumns()}, names: []string{"left", "right"}}
}

// IsZero says whether there is no condition.
func (c Condition) IsZero() bool { return !c.raw.exists() }

// Raw gives the JSON of the expression as written, or the empty string.
func (c Condition) Raw() string { return c.raw.raw }

// deepestCondition is how far String and the findings look into a condition; nobody writes deeper ones.
const deepestCondition = 100

// String gives the expression in a form near to SQL, for people to read: columns behind the name of their input
// (left.order_time), operators and functions by their names in the plan, literals as in the plan's own descriptions
// (7200000:INTERVAL HOUR). The empty string for none; "..." stands for what nests deeper than 100 levels.
func (c Condition) String() string {
	if c.IsZero() {
		return ""
	}
	var b strings.Builder
	c.write(&b, c.raw, 0)
	return b.String()
}

// column finds the input and the column that an index counts to.
func (c Condition) column(index int) (input int, found column, ok bool) {
	for i, columns := range c.inputs {
		if columns == nil {
			return 0, column{}, false
		}
		if index >= 0 && index < len(columns) {
			return i, columns[index], true
		}
		index -= len(columns)
	}
	return 0, column{}, false
}

// infix are the operators that stand between their operands (syntax BINARY, and + and - of times, which are SPECIAL).
var infix = map[string]string{
	"=": "=", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-", "*": "*", "/": "/", "AND": "AND", "OR": "OR", "||": "||", "%": "%", "LIKE": "LIKE",
}

// An expression is one node of a condition, Flink's RexNode.
type expression struct {
	kind     string
	index    int    // of an INPUT_REF
	name     string // of a CALL, without $ and version, or of a FIELD_ACCESS
	operands value  // of a CALL
	of       value  // of a FIELD_ACCESS
}

// readExpression reads an object in one pass.
func readExpression(v value) expression {
	e := expression{name: "?", index: -1}
	for m := range v.members() {
		switch m.key {
		case "kind":
			e.kind, _ = m.value.string()
		case "inputIndex":
			e.index, _ = m.value.int()
		case "operands":
			e.operands = m.value
		case "expr":
			e.of = m.value
		case "internalName":
			if name, ok := m.value.string(); ok {
				e.name = name
				if end := strings.LastIndexByte(name, '$'); strings.HasPrefix(name, "$") && end > 1 {
					e.name = name[1:end] // $>=$1 is >=
				}
			}
		case "systemName", "catalogName", "sqlKind", "class", "name":
			if name, ok := m.value.string(); ok && e.name == "?" {
				e.name = name
			}
		}
	}
	return e
}

func (c Condition) write(b *strings.Builder, v value, depth int) {
	if depth == deepestCondition {
		b.WriteString("...")
		return
	}
	switch e := readExpression(v); e.kind {
	case "INPUT_REF":
		if input, column, ok := c.column(e.index); ok {
			b.WriteString(c.names[input] + "." + column.name)
		} else {
			fmt.Fprintf(b, "$%d", e.index)
		}
	case "LITERAL":
		c.writeLiteral(b, v)
	case "CALL":
		c.writeCall(b, e, depth)
	case "FIELD_ACCESS":
		c.write(b, e.of, depth+1)
		b.WriteString("." + e.name)
	case "":
		b.WriteString("?")
	default:
		b.WriteString(e.kind)
	}
}

func (c Condition) writeLiteral(b *strings.Builder, v value) {
	val := v.get("value")
	typ, _ := readType(v.get("type"))
	switch text, isString := val.string(); {
	case !val.exists() || val.isNull():
		if v.get("sarg").exists() {
			b.WriteString("Sarg[...]")
		} else {
			b.WriteString("NULL")
		}
	case !isString:
		b.WriteString(val.raw)
	case typ.Kind() == datatype.Char || typ.Kind() == datatype.Varchar:
		b.WriteString("'" + strings.ReplaceAll(text, "'", "''") + "'")
	case typ.Kind() == datatype.IntervalDayTime || typ.Kind() == datatype.IntervalYearMonth:
		b.WriteString(text + ":" + strings.TrimSuffix(typ.Raw(), " NOT NULL"))
	default:
		b.WriteString(text)
	}
}

func (c Condition) writeCall(b *strings.Builder, e expression, depth int) {
	operator, isInfix := infix[e.name]
	i := 0
	for operand := range e.operands.elements() {
		switch {
		case i == 0 && isInfix:
			b.WriteString("(")
		case i == 0:
			b.WriteString(e.name + "(")
		case isInfix:
			b.WriteString(" " + operator + " ")
		default:
			b.WriteString(", ")
		}
		c.write(b, operand, depth+1)
		i++
	}
	if i == 0 {
		b.WriteString(e.name + "(")
	}
	b.WriteString(")")
}

func isTimestamp(kind datatype.Kind) bool {
	switch kind {
	case datatype.Timestamp, datatype.TimestampWithTimeZone, datatype.TimestampWithLocalTimeZone:
		return true
	}
	return false
}

// comparesTimes says whether the condition bounds a timestamp of one input by one of another.
func (c Condition) comparesTimes() bool {
	_, compares := c.times(c.raw, 0)
	return compares
}

// times gives the inputs whose timestamps an expression is made of, and whether within it those of several are compared.
func (c Condition) times(v value, depth int) (of inputSet, compares bool) {
	if depth == deepestCondition {
		return of, false
	}
	switch e := readExpression(v); e.kind {
	case "INPUT_REF":
		if input, column, ok := c.column(e.index); ok && isTimestamp(column.kind) {
			return inputSet{some: true, first: input}, false
		}
	case "CALL":
		for operand := range e.operands.elements() {
			s, found := c.times(operand, depth+1)
			of, compares = of.with(s), compares || found
		}
		switch e.name {
		case ">", ">=", "<", "<=", "BETWEEN":
			compares = compares || of.several
		}
	}
	return of, compares
}

// An inputSet is none, one or several inputs.
type inputSet struct {
	some, several bool
	first         int
}

func (s inputSet) with(t inputSet) inputSet {
	if !s.some {
		return t
	}
	s.several = s.several || t.several || t.some && t.first != s.first
	return s
}
