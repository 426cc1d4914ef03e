package compiledplan

import (
	"strconv"

	"github.com/seed-69e58989/flinkread/datatype"
)

// A Join is what a plan says of a join. Its slices belong to the caller.
type Join struct {
	Class Class

	// Types are as written: INNER, LEFT, RIGHT, FULL, SEMI, ANTI. A multi-join has one for each input but the first, for
	// which Flink writes a placeholder; any other join has one.
	Types []string

	// Keys are the columns that must be equal, pair by pair. An input that none of them names joins with all rows.
	Keys []KeyPair

	// Condition is what must hold besides keys and time bounds; the zero Condition if nothing must. Of a multi-join and of
	// delta-join_2 plans write the whole condition, keys included.
	Condition Condition

	// Inputs say of each input what the join knows of it. A lookup join has one input: the table that it asks is none.
	Inputs []JoinInput

	// Bounds are those of an interval join; nil for any other.
	Bounds *Bounds

	// Table is what a lookup join asks; the zero Table for any other.
	Table Table
}

// A KeyPair are two columns that must be equal.
type KeyPair struct {
	LeftInput, RightInput int // the right input of a lookup join is 1: its table
	Left, Right           Column
}

// A Column is a column of an input.
type Column struct {
	Index int
	Name  string // empty if the input's type cannot be read
}

// String gives the name, or $ and the index where no name is known.
func (c Column) String() string {
	if c.Name == "" {
		return "$" + strconv.Itoa(c.Index)
	}
	return c.Name
}

// A JoinInput is what a join knows of one of its inputs.
type JoinInput struct {
	// UniqueKeys are the sets of columns that tell rows apart, as the plan gives them: upsert keys from 1.16 on, unique
	// keys in 1.15. Regular joins and multi-joins have them.
	UniqueKeys [][]Column

	// Spec follows from UniqueKeys and the join's keys, for a regular join; NoSpec for any other.
	Spec InputSpec

	// Time is the column whose time counts, for interval and temporal joins; nil for any other, and for the right input
	// of a temporal join in processing time.
	Time *Column

	// TimeAttribute says of which sort Time is.
	TimeAttribute datatype.TimeAttribute
}

// An InputSpec says how a regular join keeps the rows of an input (Flink's JoinInputSideSpec). The zero InputSpec is none.
type InputSpec uint8

const (
	NoSpec                   InputSpec = iota
	JoinKeyContainsUniqueKey           // one row for each join key
	HasUniqueKey                       // one row for each join key and unique key
	NoUniqueKey                        // all rows, equal ones counted
)

// String gives the word of Flink's plan descriptions.
func (s InputSpec) String() string {
	switch s {
	case JoinKeyContainsUniqueKey:
		return "JoinKeyContainsUniqueKey"
	case HasUniqueKey:
		return "HasUniqueKey"
	case NoUniqueKey:
		return "NoUniqueKey"
	}
	return "none"
}

// Bounds are the bounds of an interval join: left time minus right time lies between Lower and Upper, both included.
type Bounds struct {
	Time  datatype.TimeAttribute // Rowtime or Proctime; NoTimeAttribute if the plan does not say which
	Lower int64                  // milliseconds
	Upper int64                  // milliseconds; below Lower if no pair can ever meet the condition
}

// Impossible says whether no pair of rows can meet the bounds. Flink builds operators without state for such a join
// (StreamExecIntervalJoin, all releases).
func (b Bounds) Impossible() bool { return b.Upper < b.Lower }

// Join gives what the plan says of a join; ok is false if the node is none.
func (n *Node) Join() (j Join, ok bool) {
	class := n.Class()
	if !class.IsJoin() {
		return Join{}, false
	}
	j = Join{Class: class, Types: n.joinTypes(), Inputs: make([]JoinInput, len(n.inputs))}
	switch class {
	case RegularJoin:
		n.readJoinSpec(&j, n.field("joinSpec"))
		n.readUniqueKeys(&j)
	case IntervalJoin:
		spec := n.field("intervalJoinSpec")
		n.readJoinSpec(&j, spec.get("joinSpec"))
		bounds := spec.get("windowBounds")
		j.Bounds = readBounds(bounds)
		n.readTime(&j, 0, bounds.get("leftTimeIndex"))
		n.readTime(&j, 1, bounds.get("rightTimeIndex"))
	case TemporalJoin:
		n.readJoinSpec(&j, n.field("joinSpec"))
		n.readTime(&j, 0, n.field("leftTimeAttributeIndex"))
		n.readTime(&j, 1, n.field("rightTimeAttributeIndex"))
	case WindowJoin:
		n.readJoinSpec(&j, n.field("joinSpec"))
	case BatchJoin:
		if spec := n.field("joinSpec"); spec.exists() {
			n.readJoinSpec(&j, spec)
		} else { // the nested loop join
			j.Condition = n.condition(n.field("condition"))
		}
	case DeltaJoin:
		j.Keys = n.keyPairs(n.joinKeyLists())
		n.readDeltaCondition(&j)
	case LookupJoin:
		n.readLookup(&j)
	case MultiJoin:
		n.readMultiJoin(&j)
	}
	return j, true
}

// joinTypes gives the types of a join. Flink writes a placeholder for the first input of a multi-join.
func (n *Node) joinTypes() (types []string) {
	for _, v := range []value{n.field("joinType"), n.field("joinSpec").get("joinType"), n.field("intervalJoinSpec").get("joinSpec").get("joinType")} {
		if s, ok := v.string(); ok {
			return []string{s}
		}
	}
	first := true
	for v := range n.field("joinTypes").elements() {
		if s, ok := v.string(); ok && !first {
			types = append(types, s)
		}
		first = false
	}
	return types
}

// joinKeyLists gives the lists of key columns of a join with two inputs.
func (n *Node) joinKeyLists() (left, right value) {
	switch n.Class() {
	case IntervalJoin:
		spec := n.field("intervalJoinSpec").get("joinSpec")
		return spec.get("leftKeys"), spec.get("rightKeys")
	case DeltaJoin:
		return n.field("leftJoinKeys"), n.field("rightJoinKeys")
	}
	spec := n.field("joinSpec")
	return spec.get("leftKeys"), spec.get("rightKeys")
}

// readJoinSpec reads Flink's JoinSpec.
func (n *Node) readJoinSpec(j *Join, spec value) {
	j.Keys = n.keyPairs(n.joinKeyLists())
	j.Condition = n.condition(spec.get("nonEquiCondition"))
}

func (n *Node) keyPairs(left, right value) []KeyPair {
	l, _ := left.integers()
	r, _ := right.integers()
	leftColumns, rightColumns := n.inputColumns(0), n.inputColumns(1)
	pairs := make([]KeyPair, 0, min(len(l), len(r)))
	for i := range min(len(l), len(r)) {
		pairs = append(pairs, KeyPair{0, 1, columnAt(leftColumns, l[i]), columnAt(rightColumns, r[i])})
	}
	return pairs
}

func columnAt(columns []column, index int) Column {
	c := Column{Index: index}
	if index >= 0 && index < len(columns) {
		c.Name = columns[index].name
	}
	return c
}

func (n *Node) readTime(j *Join, input int, index value) {
	i, ok := index.int()
	if !ok || i < 0 || input >= len(j.Inputs) {
		return
	}
	columns := n.inputColumns(input)
	c := columnAt(columns, i)
	j.Inputs[input].Time = &c
	if i < len(columns) {
		j.Inputs[input].TimeAttribute = columns[i].time
	}
}

func readBounds(v value) *Bounds {
	var b Bounds
	var lower, upper bool
	b.Lower, lower = v.get("leftLowerBound").integer()
	b.Upper, upper = v.get("leftUpperBound").integer()
	if !lower || !upper {
		return nil
	}
	if event, known := v.get("isEventTime").bool(); event {
		b.Time = datatype.Rowtime
	} else if known {
		b.Time = datatype.Proctime
	}
	return &b
}

// readUniqueKeys reads the keys of a regular join's inputs and works out how it keeps their rows, as Flink does
// (JoinUtil.analyzeJoinInput, 1.15 to 2.3).
func (n *Node) readUniqueKeys(j *Join) {
	for i, names := range [][2]string{{"leftUpsertKeys", "leftUniqueKeys"}, {"rightUpsertKeys", "rightUniqueKeys"}} {
		if i >= len(j.Inputs) {
			return
		}
		keys := n.field(names[0])
		if !keys.exists() {
			keys = n.field(names[1])
		}
		columns := n.inputColumns(i)
		inJoinKey := make(map[int]bool)
		for _, pair := range j.Keys {
			inJoinKey[[2]int{pair.Left.Index, pair.Right.Index}[i]] = true
		}
		in := &j.Inputs[i]
		in.Spec = NoUniqueKey
		for key := range keys.elements() {
			indexes, ok := key.integers()
			if !ok {
				continue
			}
			var unique []Column
			contained := true
			for _, index := range indexes {
				unique = append(unique, columnAt(columns, index))
				contained = contained && inJoinKey[index]
			}
			in.UniqueKeys = append(in.UniqueKeys, unique)
			if contained {
				in.Spec = JoinKeyContainsUniqueKey
			} else if in.Spec == NoUniqueKey {
				in.Spec = HasUniqueKey
			}
		}
	}
}

// readDeltaCondition reads what remains beside the keys: delta-join_1 (2.1 and 2.2) says it for each direction of the
// lookup, delta-join_2 (2.3) says the whole condition, keys included.
func (n *Node) readDeltaCondition(j *Join) {
	if whole := n.field("condition"); whole.exists() {
		j.Condition = n.condition(whole)
		return
	}
	j.Condition = n.condition(n.field("lookupRightTableJoinSpec").get("remainingCondition"))
}

// readLookup reads a lookup join, where lookupKeys tells for columns of the table what they must equal: a column of the
// input, or a constant.
func (n *Node) readLookup(j *Join) {
	j.Table, _ = n.Table()
	j.Condition = n.lookupCondition(n.field("joinCondition"))
	left, right := n.inputColumns(0), n.lookupColumns()
	for m := range n.field("lookupKeys").members() {
		of, err := strconv.Atoi(m.key)
		index, ok := m.value.get("index").int()
		if err == nil && ok {
			j.Keys = append(j.Keys, KeyPair{0, 1, columnAt(left, index), columnAt(right, of)})
		}
	}
}

// lookupColumns gives the columns of the table that a lookup join asks.
func (n *Node) lookupColumns() []column {
	return columnsOf(readType(n.field("temporalTable").get("outputType")))
}

// readMultiJoin reads a multi-join, where joinAttributeMap tells for each input which columns equal which of another;
// index -1 stands for no column.
func (n *Node) readMultiJoin(j *Join) {
	for m := range n.field("joinAttributeMap").members() {
		for ref := range m.value.elements() {
			var p KeyPair
			var ok [4]bool
			p.LeftInput, ok[0] = ref.get("leftInputId").int()
			p.Left.Index, ok[1] = ref.get("leftFieldIndex").int()
			p.RightInput, ok[2] = ref.get("rightInputId").int()
			p.Right.Index, ok[3] = ref.get("rightFieldIndex").int()
			if ok != [4]bool{true, true, true, true} || p.Left.Index < 0 || p.Right.Index < 0 {
				continue
			}
			p.Left = columnAt(n.inputColumns(p.LeftInput), p.Left.Index)
			p.Right = columnAt(n.inputColumns(p.RightInput), p.Right.Index)
			j.Keys = append(j.Keys, p)
		}
	}
	i := 0
	for keys := range n.field("inputUniqueKeys").elements() {
		if i >= len(j.Inputs) {
			break
		}
		columns := n.inputColumns(i)
		for key := range keys.elements() {
			indexes, _ := key.integers()
			var unique []Column
			for _, index := range indexes {
				unique = append(unique, columnAt(columns, index))
			}
			j.Inputs[i].UniqueKeys = append(j.Inputs[i].UniqueKeys, unique)
		}
		i++
	}
	j.Condition = n.condition(n.field("multiJoinCondition"))
}

// LeftKeys gives the names of the left columns of Keys. The caller owns the slice.
func (j Join) LeftKeys() []string {
	names := make([]string, len(j.Keys))
	for i, pair := range j.Keys {
		names[i] = pair.Left.String()
	}
	return names
}

// RightKeys gives the names of the right columns of Keys. The caller owns the slice.
func (j Join) RightKeys() []string {
	names := make([]string, len(j.Keys))
	for i, pair := range j.Keys {
		names[i] = pair.Right.String()
	}
	return names
}
