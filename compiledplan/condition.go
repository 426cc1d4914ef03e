package compiledplan

import (
	"fmt"
	"strings"

	"github.com/seed-69e58989/flinkread/datatype"
)

// A Condition is an expression over the columns of a node's inputs, as a plan writes it. The zero Condition is none.
type Condition struct {
	raw    value
	inputs [][]datatype.Field // the columns that it counts through, input by input
	names  []string           // of the inputs
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
	return Condition{raw: v, inputs: [][]datatype.Field{n.inputColumns(0), n.lookupColumns()}, names: []string{"left", "right"}}
}

// IsZero says whether there is no condition.
func (c Condition) IsZero() bool { return !c.raw.exists() }

// Raw gives the JSON of the expression as written, or the empty string.
func (c Condition) Raw() string { return c.raw.raw }

// longestCondition is what String and the findings look into; what is longer was not written by a person.
const longestCondition = 1 << 20

// String gives the expression in a form near to SQL, for people to read: columns behind the name of their input
// (left.order_time), operators and functions by their names in the plan, literals as in the plan's own descriptions
// (7200000:INTERVAL HOUR). The empty string for
// none, and "..." for one of more than a MiB.
func (c Condition) String() string {
	if c.IsZero() {
		return ""
	}
	if len(c.raw.raw) > longestCondition {
		return "..."
	}
	var b strings.Builder
	c.write(&b, c.raw)
	return b.String()
}

// column finds the input and the column that an index counts to.
func (c Condition) column(index int) (input int, field datatype.Field, ok bool) {
	for i, columns := range c.inputs {
		if columns == nil {
			return 0, datatype.Field{}, false
		}
		if index >= 0 && index < len(columns) {
			return i, columns[index], true
		}
		index -= len(columns)
	}
	return 0, datatype.Field{}, false
}

// infix are the operators that stand between their operands (syntax BINARY, and + and - of times, which are SPECIAL).
var infix = map[string]string{
	"=": "=", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-", "*": "*", "/": "/", "AND": "AND", "OR": "OR", "||": "||", "%": "%", "LIKE": "LIKE",
}

func (c Condition) write(b *strings.Builder, v value) {
	switch kind, _ := v.get("kind").string(); kind {
	case "INPUT_REF":
		index, _ := v.get("inputIndex").int()
		if input, field, ok := c.column(index); ok {
			b.WriteString(c.names[input] + "." + field.Name)
		} else {
			fmt.Fprintf(b, "$%d", index)
		}
	case "LITERAL":
		c.writeLiteral(b, v)
	case "CALL":
		c.writeCall(b, v)
	case "FIELD_ACCESS":
		c.write(b, v.get("expr"))
		name, _ := v.get("name").string()
		b.WriteString("." + name)
	case "":
		b.WriteString("?")
	default:
		b.WriteString(kind)
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

func (c Condition) writeCall(b *strings.Builder, v value) {
	name := callName(v)
	operator, isInfix := infix[name]
	i := 0
	for operand := range v.get("operands").elements() {
		switch {
		case i == 0 && isInfix:
			b.WriteString("(")
		case i == 0:
			b.WriteString(name + "(")
		case isInfix:
			b.WriteString(" " + operator + " ")
		default:
			b.WriteString(", ")
		}
		c.write(b, operand)
		i++
	}
	if i == 0 {
		b.WriteString(name + "(")
	}
	b.WriteString(")")
}

// callName gives the name of a called function: $>=$1 is >=.
func callName(v value) string {
	for _, key := range []string{"internalName", "systemName", "catalogName", "sqlKind", "class"} {
		name, ok := v.get(key).string()
		if !ok {
			continue
		}
		if key == "internalName" && strings.HasPrefix(name, "$") {
			if end := strings.LastIndexByte(name, '$'); end > 1 {
				return name[1:end]
			}
		}
		return name
	}
	return "?"
}

func isTimestamp(t datatype.Type) bool {
	switch t.Kind() {
	case datatype.Timestamp, datatype.TimestampWithTimeZone, datatype.TimestampWithLocalTimeZone:
		return true
	}
	return false
}

// comparesTimes says whether the condition bounds a timestamp of one input by one of another.
func (c Condition) comparesTimes() bool {
	if len(c.raw.raw) > longestCondition {
		return false
	}
	_, compares := c.times(c.raw)
	return compares
}

// times gives the inputs whose timestamps an expression is made of, and whether within it those of several are compared.
func (c Condition) times(v value) (of inputSet, compares bool) {
	switch kind, _ := v.get("kind").string(); kind {
	case "INPUT_REF":
		index, _ := v.get("inputIndex").int()
		if input, field, ok := c.column(index); ok && isTimestamp(field.Type) {
			return inputSet{some: true, first: input}, false
		}
	case "CALL":
		for operand := range v.get("operands").elements() {
			s, found := c.times(operand)
			of, compares = of.with(s), compares || found
		}
		switch callName(v) {
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
