package compiledplan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/datatype"
)

// A Severity says how bad a problem or a finding is. The zero Severity is none.
type Severity uint8

const (
	SeverityNone Severity = iota
	SeverityInfo
	SeverityWarning
	SeverityError
)

// String gives the word that planinfo prints.
func (s Severity) String() string { return word(s, "none", "info", "warning", "error") }

// A Code names a kind of problem or of finding.
type Code string

// The codes of problems, with the place where Flink decides the matter.
const (
	MissingVersion Code = "missing-version" // flinkVersion is missing or empty (JsonPlanGraph)
	UnknownVersion Code = "unknown-version" // a release that is not one of 1.15 to 2.3 (FlinkVersion); SeverityWarning of a later one
	UnknownKey     Code = "unknown-key"     // a key of the plan's own object that is none of its three (JsonPlanGraph)
	OtherKind      Code = "other-kind"      // a string where Flink writes a number, or the reverse; Flink reads it all the same (SeverityWarning)
	MissingEdges   Code = "missing-edges"   // edges is missing (JsonPlanGraph)
	DuplicateID    Code = "duplicate-id"    // two nodes with one id (ExecNodeGraphJsonPlanGenerator, JsonPlanGraph)
	DanglingEdge   Code = "dangling-edge"   // an edge from or to a node that is not there (JsonPlanGraph)
	EdgeShuffle    Code = "edge-shuffle"    // an edge that does not say FORWARD and PIPELINED (ShuffleJsonDeserializer, ExecEdge)
	Circle         Code = "circle"          // rows that come round to where they were (SeverityWarning where only surplus inputs do)
	NoRoot         Code = "no-root"         // no node, or none that feeds no other: nothing would run (ExecNodeGraph)
	NullType       Code = "null-type"       // null_null, what 1.15 to 1.18 write for a node that no plan may hold (FLINK-33179); a finding, too
	UnknownType    Code = "unknown-type"    // a type that is not one of 1.15 to 2.3 (ExecNodeTypeIdResolver); a finding, too
	InputCount     Code = "input-count"     // fewer inputs than the operator has, or more, which Flink ignores (SeverityWarning)
	UnreadableType Code = "output-type"     // an output type that is missing, cannot be read (LogicalTypeJsonDeserializer) or is no ROW
	MissingField   Code = "missing-field"   // a truth value that every release writes; Flink reads false (SeverityWarning)
	JoinKeys       Code = "join-keys"       // keys that do not pair, or are no columns of the inputs
	StateEntry     Code = "state-entry"     // a state entry without index, time-to-live or name (StateMetadata)
	StateTTL       Code = "state-ttl"       // a time-to-live that is none (TimeUtils), or one that not every release reads (SeverityWarning)
	StateCount     Code = "state-count"     // more or fewer entries than the operator has (StateMetadata)
	StateIndex     Code = "state-index"     // indices that are not 0, 1, ... once each (StateMetadata)
	TrailingBytes  Code = "trailing-bytes"  // something behind the plan, which Flink does not read: an overwritten longer one (FLINK-32374; SeverityWarning)
	DuplicateKey   Code = "duplicate-key"   // a key twice in one JSON object; the last counts (SeverityWarning)
	MoreProblems   Code = "more"            // the list was cut at its limit; the last problem says so
)

// A Problem is something about a plan that Flink would object to (SeverityError): neither the release that the plan names nor
// 2.3 would run it. Or it is something that only some releases take, or that they take in a way that the writer of the
// plan may not expect (SeverityWarning). docs/evidence/reading shows what each release did.
type Problem struct {
	Code     Code
	Severity Severity
	Pos      Pos
	Node     *Node // nil if it is of no single node
	Message  string
}

// String gives line:column: message.
func (p Problem) String() string { return p.Pos.String() + ": " + p.Message }

// maxProblems bounds what Validate lists: a hostile file could have millions.
const maxProblems = 1000

// Validate checks what Flink itself checks when it reads a plan and builds a job of it, in the order of the file as far as
// there is one. At most 1000 problems are listed; a last one, MoreProblems, then says that there are more.
func (p *Plan) Validate() []Problem {
	v := validation{plan: p, places: locator{text: p.doc.text}}
	v.roots, v.built, v.circle = p.job()
	v.header()
	v.nodes()
	v.edges()
	v.circles()
	v.trailing()
	v.duplicateKeys()
	return v.problems
}

type validation struct {
	plan     *Plan
	places   locator
	problems []Problem

	// Flink builds a job from the nodes that feed no other, and goes from each node to as many inputs as its operator has.
	roots  []*Node
	built  []bool // by place
	circle *Node  // a node that it would come to once more below itself, or nil
}

// unbuildable gives the severity of what keeps a node from being built: nobody minds if it is not part of the job.
func (v *validation) unbuildable(n *Node) Severity {
	if v.built[n.place] {
		return SeverityError
	}
	return SeverityWarning
}

func (v *validation) full() bool { return len(v.problems) > maxProblems }

func (v *validation) report(severity Severity, code Code, at int, n *Node, format string, args ...any) {
	switch {
	case len(v.problems) < maxProblems:
		v.problems = append(v.problems, Problem{code, severity, v.places.at(at), n, fmt.Sprintf(format, args...)})
	case !v.full():
		v.problems = append(v.problems, Problem{Code: MoreProblems, Severity: severity, Pos: v.places.at(at), Message: "there are more problems, from here on"})
	}
}

func (v *validation) header() {
	p := v.plan
	if !p.hasEdges {
		v.report(SeverityError, MissingEdges, p.doc.root.at, nil, "edges is missing")
	}
	text, ok := p.version.text()
	r := p.release
	at := p.version.at
	if ok && !p.version.isString() {
		v.report(SeverityWarning, OtherKind, at, nil, "flinkVersion is a number, where Flink writes a string; it reads it all the same")
	}
	switch {
	case !p.version.exists():
		v.report(SeverityError, MissingVersion, p.doc.root.at, nil, "flinkVersion is missing")
	case !ok || text == "":
		v.report(SeverityError, MissingVersion, at, nil, "flinkVersion is empty")
	case p.isLater():
		v.report(SeverityWarning, UnknownVersion, at, nil, "flinkVersion %.20q is later than the releases that are known here, 1.15 to 2.3: what is said of its plan may be wrong", text)
	case r.String() != text || r.major == 1 && (r.minor < 3 || r.minor > 20):
		v.report(SeverityError, UnknownVersion, at, nil, "flinkVersion %.20q is no release; Flink knows 1.3 to 1.20 and 2.0 to 2.3, without a third number", text)
	case r.before(1, 15):
		v.report(SeverityWarning, UnknownVersion, at, nil, "flinkVersion %.20q is a release that wrote no plans; Flink takes it all the same", text)
	}
	severity := SeverityError
	if p.isLater() {
		severity = SeverityWarning
	}
	for _, m := range p.unknown {
		v.report(severity, UnknownKey, m.value.at, nil, "the plan has a key %.40q; Flink refuses plans with other keys than flinkVersion, nodes and edges", m.key)
	}
}

// isLater says whether the plan names a release after those that are known here.
func (p *Plan) isLater() bool {
	return p.release.known() && !p.release.before(2, 4) && p.release.String() == p.FlinkVersion()
}

func (v *validation) nodes() {
	for n := range v.plan.Nodes() {
		at := n.raw.at
		if id := n.field("id"); !id.isInteger() {
			v.report(SeverityWarning, OtherKind, id.at, n, "the id of node %d is written as %.20s, where Flink writes an integer; it reads %d", n.id, id.raw, n.id)
		}
		if first := v.plan.byID[n.id]; first != n {
			v.report(SeverityError, DuplicateID, at, n, "node %d is there already, as %s at %s", n.id, first.typ, first.pos)
		}
		switch {
		case n.typ == "null_null":
			v.report(SeverityError, NullType, at, n, "node %d has the type null_null: the planner met an operator that no plan may hold, and the plan cannot be restored", n.id)
		case n.op == nil:
			v.report(SeverityError, UnknownType, at, n, "node %d has the type %.60q, which no release from 1.15 to 2.3 knows", n.id, n.typ)
		default:
			switch count := len(n.inputs); {
			case v.plan.hasEdges && count < n.op.inputs.least:
				v.report(v.unbuildable(n), InputCount, at, n, "node %d (%s) has %s instead of %s", n.id, n.typ, counted(count, "input", "inputs"), n.op.inputs)
			case count > n.op.inputs.most:
				v.report(SeverityWarning, InputCount, at, n, "node %d (%s) has %s instead of %s; Flink ignores those that its last edges give it", n.id, n.typ, counted(count, "input", "inputs"), n.op.inputs)
			}
		}
		if typ := n.field("outputType"); !typ.exists() {
			v.report(SeverityError, UnreadableType, at, n, "node %d has no outputType", n.id)
		} else if t, err := readType(typ); err != nil {
			v.report(SeverityError, UnreadableType, typ.at, n, "the outputType of node %d cannot be read: %v", n.id, err)
		} else if t.Kind() != datatype.Row && n.op != nil && !n.op.anyType {
			v.report(SeverityError, UnreadableType, typ.at, n, "the outputType of node %d (%s) is no ROW", n.id, n.typ)
		} else if name := unresolved(t); name != "" {
			v.report(SeverityError, UnreadableType, typ.at, n, "the outputType of node %d holds %.60q, which is no type that a plan may name", n.id, name)
		}
		v.joinKeys(n)
		v.written(n)
		v.states(n)
	}
}

// written looks for truth values that are always there. Flink reads a missing one as false, whatever the planner decided.
func (v *validation) written(n *Node) {
	if n.op == nil {
		return
	}
	for _, key := range n.op.written {
		if value := n.field(key); !value.exists() || value.isNull() {
			v.report(SeverityWarning, MissingField, n.raw.at, n, "node %d (%s) lacks %s, which every release writes; Flink reads false", n.id, n.typ, key)
		}
	}
}

// unresolved gives the first type below t that is only a name, or the empty string. Flink writes user-defined types in full,
// and takes no names of them (LogicalTypeParser).
func unresolved(t datatype.Type) (name string) {
	switch t.Kind() {
	case datatype.Unknown:
		return ""
	case datatype.Unresolved:
		return t.String()
	}
	for _, field := range t.Fields() {
		if name := unresolved(field.Type); name != "" {
			return name
		}
	}
	for _, child := range []datatype.Type{t.Element(), t.Key(), t.Value(), t.Source()} {
		if name := unresolved(child); name != "" {
			return name
		}
	}
	return ""
}

func (a arity) String() string {
	switch {
	case a.least == a.most:
		return fmt.Sprint(a.least)
	case a == anyInputs:
		return "at least 1"
	}
	return fmt.Sprintf("%d or %d", a.least, a.most)
}

func (v *validation) joinKeys(n *Node) {
	class := n.Class()
	if !class.IsJoin() || class == MultiJoin || class == LookupJoin || len(n.inputs) != 2 {
		return
	}
	left, right := n.joinKeyLists()
	l, okLeft := left.integers()
	r, okRight := right.integers()
	switch {
	case !left.exists() && !right.exists():
		if !n.field("joinType").exists() { // the nested loop join has a condition only
			v.report(SeverityError, JoinKeys, n.raw.at, n, "node %d (%s) has no keys", n.id, n.typ)
		}
		return
	case !okLeft || !okRight || len(l) != len(r):
		v.report(SeverityError, JoinKeys, n.raw.at, n, "the left and right keys of node %d do not pair", n.id)
		return
	}
	for i, keys := range [][]int{l, r} {
		columns := n.inputColumns(i)
		for _, key := range keys {
			if columns != nil && (key < 0 || key >= len(columns)) {
				v.report(v.unbuildable(n), JoinKeys, n.raw.at, n, "key %d of node %d is none of the %d columns of its %s input", key, n.id, len(columns), inputName(i, 2))
			}
		}
	}
}

// states repeats the checks of Flink's StateMetadata.
func (v *validation) states(n *Node) {
	list := n.field("state")
	if !list.exists() || list.isNull() {
		return
	}
	if !list.isArray() {
		v.report(SeverityError, StateEntry, list.at, n, "the state of node %d is no list", n.id)
		return
	}
	seen := make(map[int]bool)
	entries := 0
	for entry := range list.elements() {
		entries++
		place, span, name := entry.get("index"), entry.get("ttl"), entry.get("name")
		index, hasIndex := place.int()
		ttl, hasTTL := span.text()
		_, hasName := name.text()
		noIndex := !place.exists() || place.isNull()
		switch {
		case !entry.isObject() || !hasIndex && !noIndex || !hasTTL || !hasName:
			v.report(SeverityError, StateEntry, entry.at, n, "a state entry of node %d lacks its index, ttl or name", n.id)
			continue
		case noIndex:
			v.report(SeverityWarning, StateEntry, entry.at, n, "a state entry of node %d has no index, which Flink reads as 0", n.id)
		case !place.isInteger() || !span.isString() || !name.isString():
			v.report(SeverityWarning, OtherKind, entry.at, n, "in a state entry of node %d a string stands where Flink writes a number, or the reverse; it reads it all the same", n.id)
		}
		if _, ok := parseDuration(ttl); !ok {
			v.report(SeverityError, StateTTL, entry.at, n, "the time-to-live %.30q of node %d is no duration", ttl, n.id)
		} else if isISODuration(ttl) && v.plan.release.before(2, 1) {
			v.report(SeverityWarning, StateTTL, entry.at, n, "the time-to-live %.30q of node %d is an ISO-8601 duration, which Flink reads from 2.1 on only", ttl, n.id)
		}
		if severity := v.unbuildable(n); index < 0 || seen[index] {
			if index < 0 {
				severity = SeverityError // already when it is read
			}
			v.report(severity, StateIndex, entry.at, n, "the state indices of node %d should be 0, 1, ... once each, but there is a %d", n.id, index)
		}
		seen[index] = true
	}
	if entries == 0 {
		return // to Flink the same as no list
	}
	if want, ok := n.wantedStates(); ok && entries != want {
		v.report(v.unbuildable(n), StateCount, list.at, n, "node %d (%s) has %s instead of %d", n.id, n.typ, counted(entries, "state entry", "state entries"), want)
	}
	for i := range entries {
		if len(seen) == entries && !seen[i] {
			v.report(v.unbuildable(n), StateIndex, list.at, n, "the state indices of node %d should be 0, 1, ... once each, but %d is missing", n.id, i)
			break
		}
	}
}

// wantedStates gives the number of entries that Flink expects in a node's state list: one for each input.
func (n *Node) wantedStates() (int, bool) {
	if n.op == nil || len(n.op.entries) == 0 {
		return 0, false
	}
	if n.op.inputs == anyInputs {
		return len(n.inputs), n.plan.hasEdges
	}
	return n.op.inputs.least, true
}

func (v *validation) edges() {
	p := v.plan
	for _, e := range p.edges {
		if e.coerced {
			v.report(SeverityWarning, OtherKind, e.pos, nil, "the edge from %d to %d is not written as Flink writes it, perhaps with a string for a number; it reads it all the same", e.Source, e.Target)
		}
		for _, id := range slices.Compact([]int{e.Source, e.Target}) {
			if p.byID[id] == nil {
				v.report(SeverityError, DanglingEdge, e.pos, nil, "the edge from %d to %d: there is no node %d", e.Source, e.Target, id)
			}
		}
		if !strings.EqualFold(e.Shuffle, "FORWARD") || e.Mode != "PIPELINED" {
			v.report(SeverityError, EdgeShuffle, e.pos, nil, "the edge from %d to %d has the shuffle %.40q and the shuffleMode %.40q; Flink takes FORWARD and PIPELINED only", e.Source, e.Target, e.Shuffle, e.Mode)
		}
	}
}

// circles looks for rows that come round. An operator's surplus inputs do no harm from 1.19 on; up to 1.18 Flink went along
// all edges when it read the plan.
func (v *validation) circles() {
	p := v.plan
	if len(v.roots) == 0 && p.hasEdges {
		at := p.doc.root.at
		if len(p.nodes) > 0 {
			at = p.nodes[0].raw.at
		}
		v.report(SeverityError, NoRoot, at, nil, "every node feeds another one, or there is none; Flink would find nothing to run")
	}
	if n := v.circle; n != nil {
		v.report(SeverityError, Circle, n.raw.at, n, "what node %d puts out comes round to it", n.id)
	} else if _, n := p.descend(slices.Collect(p.Nodes()), func(n *Node) []Input { return n.inputs }); n != nil {
		v.report(SeverityWarning, Circle, n.raw.at, n, "what node %d puts out comes round to it, by an edge that Flink ignores from 1.19 on; earlier releases break off with a StackOverflowError", n.id)
	}
}

// job gives the nodes that feed no other, those that Flink builds, and one that it would come to once more below itself.
func (p *Plan) job() (roots []*Node, built []bool, circle *Node) {
	for n := range p.Nodes() {
		if len(n.consumers) == 0 {
			roots = append(roots, n)
		}
	}
	built, circle = p.descend(roots, (*Node).usedInputs)
	return roots, built, circle
}

// usedInputs gives the inputs that Flink takes.
func (n *Node) usedInputs() []Input {
	if n.op == nil {
		return n.inputs
	}
	return n.inputs[:min(len(n.inputs), n.op.inputs.most)]
}

// descend goes from nodes to their inputs, depth first. It gives the nodes that it came to, and the first that it came to once
// more below itself, or nil.
func (p *Plan) descend(from []*Node, inputs func(*Node) []Input) (seen []bool, circle *Node) {
	type step struct {
		node *Node
		next int // input
	}
	seen = make([]bool, len(p.nodes))
	done := make([]bool, len(p.nodes))
	for _, n := range from {
		if seen[n.place] {
			continue
		}
		seen[n.place] = true
		for stack := []step{{node: n}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			list := inputs(top.node)
			if top.next == len(list) {
				done[top.node.place] = true
				stack = stack[:len(stack)-1]
				continue
			}
			input := list[top.next].Node
			top.next++
			switch {
			case input == nil || done[input.place]:
			case !seen[input.place]:
				seen[input.place] = true
				stack = append(stack, step{node: input})
			case circle == nil:
				circle = input
			}
		}
	}
	return seen, circle
}

func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

func (v *validation) trailing() {
	if at := v.plan.doc.trailing; at >= 0 {
		v.report(SeverityWarning, TrailingBytes, at, nil, "%s behind the end of the plan, which Flink does not read: most likely a longer plan was overwritten without being cut to length (FLINK-32374)", counted(len(v.plan.doc.text)-at, "byte", "bytes"))
	}
}

// duplicateKeys reads the whole document once more, without gjson, which would read each level anew.
func (v *validation) duplicateKeys() {
	text, root := v.plan.doc.text, v.plan.doc.root
	var levels, free []map[string]int // of the objects that are open, the places of their keys; nil for an array
	expectKey := false
	for i := root.at; i < root.at+len(root.raw) && !v.full(); i++ {
		switch text[i] {
		case '{':
			if len(free) == 0 {
				free = append(free, make(map[string]int))
			}
			levels = append(levels, free[len(free)-1])
			free = free[:len(free)-1]
			expectKey = true
		case '[':
			levels = append(levels, nil)
			expectKey = false
		case '}', ']':
			if keys := levels[len(levels)-1]; keys != nil && len(keys) < 64 { // clearing a large one costs its size, each time
				clear(keys)
				free = append(free, keys)
			}
			levels = levels[:len(levels)-1]
			expectKey = false
		case ',':
			expectKey = levels[len(levels)-1] != nil
		case '"':
			start := i
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if !expectKey {
				continue
			}
			expectKey = false
			key := text[start+1 : i]
			if strings.Contains(key, `\`) {
				key, _ = value{text[start : i+1], start}.string()
			}
			keys := levels[len(levels)-1]
			if before, ok := keys[key]; ok {
				first := (&locator{text: text}).at(before)
				v.report(SeverityWarning, DuplicateKey, start, nil, "the key %.40q is there already, at %s; the last one counts", key, first)
			}
			keys[key] = start
		}
	}
}
