package compiledplan

import (
	"fmt"
	"slices"
	"strings"
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
	UnknownVersion Code = "unknown-version" // a release that is not one of 1.15 to 2.3 (FlinkVersion)
	MissingEdges   Code = "missing-edges"   // edges is missing (JsonPlanGraph)
	DuplicateID    Code = "duplicate-id"    // two nodes with one id (ExecNodeGraphJsonPlanGenerator, JsonPlanGraph)
	DanglingEdge   Code = "dangling-edge"   // an edge from or to a node that is not there (JsonPlanGraph)
	Circle         Code = "circle"          // rows that come round to where they were
	NullType       Code = "null-type"       // null_null, what 1.15 to 1.18 write for a node that no plan may hold (FLINK-33179); a finding, too
	UnknownType    Code = "unknown-type"    // a type that is not one of 1.15 to 2.3 (ExecNodeTypeIdResolver); a finding, too
	InputCount     Code = "input-count"     // more or fewer inputs than the operator has
	UnreadableType Code = "output-type"     // an output type that is missing or cannot be read (LogicalTypeJsonDeserializer)
	JoinKeys       Code = "join-keys"       // keys that do not pair, or are no columns of the inputs
	StateEntry     Code = "state-entry"     // a state entry without index, time-to-live or name (StateMetadata)
	StateTTL       Code = "state-ttl"       // a time-to-live that is none (TimeUtils), or one that not every release reads (SeverityWarning)
	StateCount     Code = "state-count"     // more or fewer entries than the operator has (StateMetadata)
	StateIndex     Code = "state-index"     // indices that are not 0, 1, ... once each (StateMetadata)
	TrailingBytes  Code = "trailing-bytes"  // something behind the plan: an overwritten longer one (FLINK-32374)
	DuplicateKey   Code = "duplicate-key"   // a key twice in one JSON object; the last counts (SeverityWarning)
	MoreProblems   Code = "more"            // the list was cut at its limit; the last problem says so
)

// A Problem is something about a plan that Flink would object to (SeverityError), or read in a way that the
// writer of the plan may not expect (SeverityWarning).
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
	v.header()
	v.nodes()
	v.edges()
	v.trailing()
	v.duplicateKeys()
	return v.problems
}

type validation struct {
	plan     *Plan
	places   locator
	problems []Problem
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
	text, ok := p.version.string()
	switch at := p.version.at; {
	case !p.version.exists():
		v.report(SeverityError, MissingVersion, p.doc.root.at, nil, "flinkVersion is missing")
	case !ok || text == "":
		v.report(SeverityError, MissingVersion, at, nil, "flinkVersion is empty")
	case !slices.Contains(releases, text):
		v.report(SeverityError, UnknownVersion, at, nil, "flinkVersion %.20q is no release with compiled plans that is known here: 1.15 to 1.20, 2.0 to 2.3", text)
	}
}

// releases are the texts of flinkVersion in releases whose plans this package knows.
var releases = []string{"1.15", "1.16", "1.17", "1.18", "1.19", "1.20", "2.0", "2.1", "2.2", "2.3"}

func (v *validation) nodes() {
	for n := range v.plan.Nodes() {
		at := n.raw.at
		if first := v.plan.byID[n.id]; first != n {
			v.report(SeverityError, DuplicateID, at, n, "node %d is there already, as %s at %s", n.id, first.typ, first.pos)
		}
		switch {
		case n.typ == "null_null":
			v.report(SeverityError, NullType, at, n, "node %d has the type null_null: the planner met an operator that no plan may hold, and the plan cannot be restored", n.id)
		case n.op == nil:
			v.report(SeverityError, UnknownType, at, n, "node %d has the type %.60q, which no release from 1.15 to 2.3 knows", n.id, n.typ)
		default:
			if count := len(n.inputs); v.plan.hasEdges && (count < n.op.inputs.least || count > n.op.inputs.most) {
				v.report(SeverityError, InputCount, at, n, "node %d (%s) has %d inputs instead of %s", n.id, n.typ, count, n.op.inputs)
			}
		}
		if typ := n.field("outputType"); !typ.exists() {
			v.report(SeverityError, UnreadableType, at, n, "node %d has no outputType", n.id)
		} else if _, err := readType(typ); err != nil {
			v.report(SeverityError, UnreadableType, typ.at, n, "the outputType of node %d cannot be read: %v", n.id, err)
		}
		v.joinKeys(n)
		v.states(n)
	}
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
				v.report(SeverityError, JoinKeys, n.raw.at, n, "key %d of node %d is none of the %d columns of its %s input", key, n.id, len(columns), inputName(i, 2))
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
		index, hasIndex := entry.get("index").int()
		ttl, hasTTL := entry.get("ttl").string()
		_, hasName := entry.get("name").string()
		if !hasIndex || !hasTTL || !hasName {
			v.report(SeverityError, StateEntry, entry.at, n, "a state entry of node %d lacks its index, ttl or name", n.id)
			continue
		}
		if _, ok := parseDuration(ttl); !ok {
			v.report(SeverityError, StateTTL, entry.at, n, "the time-to-live %.30q of node %d is no duration", ttl, n.id)
		} else if isISODuration(ttl) && v.plan.release.before(2, 1) {
			v.report(SeverityWarning, StateTTL, entry.at, n, "the time-to-live %.30q of node %d is an ISO-8601 duration, which Flink reads from 2.1 on only", ttl, n.id)
		}
		if index < 0 || seen[index] {
			v.report(SeverityError, StateIndex, entry.at, n, "the state indices of node %d should be 0, 1, ... once each, but there is a %d", n.id, index)
		}
		seen[index] = true
	}
	if entries == 0 {
		return // to Flink the same as no list
	}
	if want, ok := n.wantedStates(); ok && entries != want {
		v.report(SeverityError, StateCount, list.at, n, "node %d (%s) has %d state entries instead of %d", n.id, n.typ, entries, want)
	}
	for i := range entries {
		if len(seen) == entries && !seen[i] {
			v.report(SeverityError, StateIndex, list.at, n, "the state indices of node %d should be 0, 1, ... once each, but %d is missing", n.id, i)
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
		for _, id := range slices.Compact([]int{e.Source, e.Target}) {
			if p.byID[id] == nil {
				v.report(SeverityError, DanglingEdge, e.pos, nil, "the edge from %d to %d: there is no node %d", e.Source, e.Target, id)
			}
		}
	}
	if n := p.circle(); n != nil {
		v.report(SeverityError, Circle, n.raw.at, n, "what node %d puts out comes round to it", n.id)
	}
}

// circle gives the first node that is part of a circle, or hangs below one, or nil.
func (p *Plan) circle() *Node {
	missing := make([]int, len(p.nodes)) // inputs that are not yet done
	var done []*Node
	for i := range p.nodes {
		for _, input := range p.nodes[i].inputs {
			if input.Node != nil {
				missing[i]++
			}
		}
		if missing[i] == 0 {
			done = append(done, &p.nodes[i])
		}
	}
	for len(done) > 0 {
		n := done[len(done)-1]
		done = done[:len(done)-1]
		missing[n.place] = -1
		for _, consumer := range n.consumers {
			if missing[consumer.place]--; missing[consumer.place] == 0 {
				done = append(done, consumer)
			}
		}
	}
	for i, m := range missing {
		if m > 0 {
			return &p.nodes[i]
		}
	}
	return nil
}

func (v *validation) trailing() {
	if at := v.plan.doc.trailing; at >= 0 {
		v.report(SeverityError, TrailingBytes, at, nil, "%d bytes behind the end of the plan: most likely a longer plan was overwritten without being cut to length (FLINK-32374)", len(v.plan.doc.text)-at)
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
