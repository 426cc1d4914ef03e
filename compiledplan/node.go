package compiledplan

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/seed-69e58989/flinkread/datatype"
)

// A Node is one operator of a plan.
type Node struct {
	plan      *Plan
	place     int // in plan.nodes
	id        int
	typ       string
	op        *operator // nil for a type that the table does not hold
	raw       value
	fields    []member
	pos       Pos
	inputs    []Input
	consumers []*Node

	columnsOnce sync.Once
	columnsRead []column
}

// An Input is what feeds a node.
type Input struct {
	ID   int   // of the node that feeds, as the edge says
	Node *Node // that node; nil if the plan holds none of that id, as Validate tells
}

// A Class says what an operator does, whatever its version is and whether it works on a stream or a batch. That of a join
// is one of the constants; that of another operator is its name without prefix and version, such as "group-aggregate".
// The zero Class is that of a type which this package does not know.
type Class string

// The joins.
const (
	RegularJoin  Class = "regular-join"
	IntervalJoin Class = "interval-join"
	TemporalJoin Class = "temporal-join"
	LookupJoin   Class = "lookup-join"
	WindowJoin   Class = "window-join"
	MultiJoin    Class = "multi-join"
	DeltaJoin    Class = "delta-join"
	BatchJoin    Class = "batch-join"
)

// String gives the class, or "unknown" for the zero Class.
func (c Class) String() string {
	if c == "" {
		return "unknown"
	}
	return string(c)
}

// IsJoin says whether it is one of the constants.
func (c Class) IsJoin() bool {
	switch c {
	case RegularJoin, IntervalJoin, TemporalJoin, LookupJoin, WindowJoin, MultiJoin, DeltaJoin, BatchJoin:
		return true
	}
	return false
}

// ID gives the number of the node. It counts on through a session of the client, so that the first one need not be 1.
func (n *Node) ID() int { return n.id }

// Type gives the type as written, name and version, such as "stream-exec-join_1".
func (n *Node) Type() string { return n.typ }

// Class says what the operator does.
func (n *Node) Class() Class {
	if n.op == nil {
		return ""
	}
	return n.op.class
}

// Known says whether this package knows the type. Nothing is known of a node of another type but what the accessors of
// this kind give: its text, inputs, output type, description.
func (n *Node) Known() bool { return n.op != nil }

// Batch says whether it is an operator of a bounded, batch execution plan; false too if the type is not known.
func (n *Node) Batch() bool { return n.op != nil && n.op.batch }

// Description gives the planner's own line about the operator, or the empty string.
func (n *Node) Description() string {
	s, _ := n.field("description").string()
	return s
}

// Pos gives where the node begins in the text of the plan.
func (n *Node) Pos() Pos { return n.pos }

// Raw gives the JSON of the node as written, options of its table included.
func (n *Node) Raw() string { return n.raw.raw }

// Inputs gives what feeds the node, in order: for a join the left input first. The caller owns the slice.
func (n *Node) Inputs() []Input { return slices.Clone(n.inputs) }

// Consumers gives the nodes that the node feeds, in the order of the edges. The caller owns the slice.
func (n *Node) Consumers() []*Node { return slices.Clone(n.consumers) }

// String gives the id and the type: "7 stream-exec-join_1".
func (n *Node) String() string { return fmt.Sprintf("%d %s", n.id, n.typ) }

// GoString is String, so that no way of printing gives options away.
func (n *Node) GoString() string { return n.String() }

// field gives a member of the node's object; of several of one key the last, as for get.
func (n *Node) field(key string) value {
	for i := len(n.fields) - 1; i >= 0; i-- {
		if n.fields[i].key == key {
			return n.fields[i].value
		}
	}
	return value{}
}

// A truth is what a plan says with a member that is true or false, if it says anything. The zero truth is unknown.
type truth uint8

const (
	isUnknown truth = iota
	isFalse
	isTrue
)

// truth reads a member. One that is missing is false where Flink leaves it out when it is false, else unknown.
func (n *Node) truth(key string) truth {
	v := n.field(key)
	if !v.exists() || v.isNull() {
		if n.op != nil && slices.Contains(n.op.leftOut, key) {
			return isFalse
		}
		return isUnknown
	}
	switch b, ok := v.bool(); {
	case !ok:
		return isUnknown
	case b:
		return isTrue
	}
	return isFalse
}

// OutputType gives the type of the rows that the node puts out: a ROW. It is read at each call.
func (n *Node) OutputType() (datatype.Type, error) { return readType(n.field("outputType")) }

func readType(v value) (datatype.Type, error) {
	if s, ok := v.string(); ok {
		return datatype.Parse(s)
	}
	return datatype.FromJSON([]byte(v.raw))
}

// A column is a field of the rows that a node puts out, as far as other nodes need to know it.
type column struct {
	name string
	kind datatype.Kind
	time datatype.TimeAttribute
}

func columnsOf(typ datatype.Type, err error) []column {
	if err != nil {
		return nil
	}
	var columns []column
	for _, field := range typ.Fields() {
		columns = append(columns, column{field.Name, field.Type.Kind(), field.Type.TimeAttribute()})
	}
	return columns
}

// columns gives the fields of the rows that the node puts out, or nil if its type cannot be read.
func (n *Node) columns() []column {
	if n == nil {
		return nil
	}
	n.columnsOnce.Do(func() { n.columnsRead = columnsOf(n.OutputType()) })
	return n.columnsRead
}

// inputColumns gives the fields of the rows of an input, or nil if there is no such input or its type cannot be read.
func (n *Node) inputColumns(input int) []column {
	if input < 0 || input >= len(n.inputs) {
		return nil
	}
	return n.inputs[input].Node.columns()
}

// A Table is a table that a node reads, looks up or writes, by name. The zero Table is none.
type Table struct {
	Catalog, Database string // empty for a table without a catalog: an anonymous one
	Name              string
}

// String gives the name with catalog and database, without quotes.
func (t Table) String() string {
	if t.Catalog == "" && t.Database == "" {
		return t.Name
	}
	return strings.Join([]string{t.Catalog, t.Database, t.Name}, ".")
}

// Table gives the table of a source, a sink or a lookup join; ok is false for any other node.
func (n *Node) Table() (t Table, ok bool) {
	t = n.plan.tables()[n.place]
	return t, t != Table{}
}

func (n *Node) readTable() (t Table, ok bool) {
	identifier, ok := n.tableSpec().get("identifier").string()
	if !ok {
		return Table{}, false
	}
	parts := splitIdentifier(identifier)
	if len(parts) != 3 {
		return Table{Name: identifier}, true
	}
	return Table{Catalog: parts[0], Database: parts[1], Name: parts[2]}, true
}

// Options gives the options of the table that Table gives, in the order of the file. They may hold passwords: do not print
// them unasked.
func (n *Node) Options() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for m := range n.tableSpec().get("resolvedTable").get("options").members() {
			text, ok := m.value.string()
			if !ok {
				text = m.value.raw
			}
			if !yield(m.key, text) {
				return
			}
		}
	}
}

// tableSpec gives the object with the identifier of the table and what the plan knows of it.
func (n *Node) tableSpec() value {
	switch n.Class() {
	case "table-source-scan":
		return n.field("scanTableSource").get("table")
	case "sink":
		return n.field("dynamicTableSink").get("table")
	case LookupJoin:
		return n.field("temporalTable").get("lookupTableSource").get("table")
	}
	return value{}
}

// splitIdentifier takes `a`.`b`.`c` apart, where a backtick in a name is written twice. Other texts, such as the
// *anonymous_datagen$1* of a table without a name, give nil.
func splitIdentifier(text string) []string {
	var parts []string
	for {
		if !strings.HasPrefix(text, "`") {
			return nil
		}
		var name strings.Builder
		i := 1
		for ; ; i++ {
			if i == len(text) {
				return nil
			}
			if text[i] == '`' {
				if i+1 == len(text) || text[i+1] != '`' {
					break
				}
				i++
			}
			name.WriteByte(text[i])
		}
		parts = append(parts, name.String())
		text = text[i+1:]
		if text == "" {
			return parts
		}
		if text[0] != '.' {
			return nil
		}
		text = text[1:]
	}
}
