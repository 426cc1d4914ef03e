package compiledplan

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync"
)

// A Plan is one compiled plan, as [Parse] read it. It is safe for concurrent use; what it hands out belongs to it unless
// said otherwise and must not be changed.
type Plan struct {
	doc      document
	version  value
	release  release
	nodes    []Node
	edges    []Edge
	unknown  []member      // of the plan's own object: keys that no plan has
	hasEdges bool          // the plan has a list of edges, perhaps an empty one
	byID     map[int]*Node // of several nodes of one id, the first

	// What takes the whole plan is worked out once, when it is asked for; by the places of the nodes.
	modes         func() []modes
	tables        func() []Table // the zero Table for none
	sinksReached  func() reach
	tablesReached func() reach
}

// An Edge says that the rows of one node go to another.
type Edge struct {
	Source, Target int    // ids of nodes; Validate tells if there are none of these
	Shuffle        string // how rows are spread: FORWARD in every plan that Flink writes; empty if it does not say
	Mode           string // Flink's StreamExchangeMode, PIPELINED in every plan that Flink writes; empty if it does not say
	pos            int
	coerced        bool // an end is not written as an integer, or the mode is no string
}

// Parse reads a compiled plan of any release. It takes what it can make sense of: a plan that Flink would refuse is still
// read, and [Plan.Validate] says what Flink would object to. The error, if any, is a *[ParseError]. Data is copied.
func Parse(data []byte) (*Plan, error) {
	if len(data) > MaxSize {
		return nil, &ParseError{Pos: Pos{Line: 1, Col: 1}, Err: ErrSize, Msg: fmt.Sprintf("%d bytes; the limit is %d", len(data), MaxSize)}
	}
	doc, err := checkDocument(string(data))
	if err != nil {
		return nil, err
	}
	r := reader{plan: &Plan{doc: doc}, places: locator{text: doc.text}}
	if err := r.readPlan(); err != nil {
		return nil, err
	}
	p := r.plan
	p.modes = sync.OnceValue(func() []modes { return inferModes(p) })
	p.tables = sync.OnceValue(func() []Table {
		tables := make([]Table, len(p.nodes))
		for n := range p.Nodes() {
			tables[n.place], _ = n.readTable()
		}
		return tables
	})
	p.sinksReached = sync.OnceValue(func() reach { return p.reachable((*Node).isSink, (*Node).consuming, (*Node).feeding) })
	p.tablesReached = sync.OnceValue(func() reach { return p.reachable((*Node).hasTable, (*Node).feeding, (*Node).consuming) })
	return p, nil
}

// A reader makes a plan of a checked document.
type reader struct {
	plan   *Plan
	places locator
}

func (r *reader) fail(at value, kind error, found Format, format string, args ...any) error {
	return &ParseError{Pos: (&locator{text: r.plan.doc.text}).at(at.at), Err: kind, Found: found, Msg: fmt.Sprintf(format, args...)}
}

func (r *reader) readPlan() error {
	root := r.plan.doc.root
	var nodes, edges value
	for m := range root.members() {
		switch m.key {
		case "flinkVersion":
			r.plan.version = m.value
		case "nodes":
			nodes = m.value
		case "edges":
			edges = m.value
		default:
			if len(r.plan.unknown) <= maxProblems {
				r.plan.unknown = append(r.plan.unknown, m)
			}
		}
	}
	found := FormatUnknown
	if !r.plan.version.exists() {
		found = jsonFormat(root)
	}
	switch {
	case !root.isObject():
		return r.fail(root, ErrNotPlan, FormatUnknown, "a JSON array, where a plan is an object")
	case !nodes.exists():
		return r.fail(root, ErrNotPlan, found, "a JSON object without nodes")
	case found != FormatUnknown:
		return r.fail(root, ErrNotPlan, found, "a JSON object without flinkVersion")
	case !nodes.isArray():
		return r.fail(nodes, ErrNotPlan, FormatUnknown, "nodes is no array")
	case edges.exists() && !edges.isArray():
		return r.fail(edges, ErrStructure, FormatUnknown, "edges is no array")
	}
	r.plan.hasEdges = edges.exists()
	text, _ := r.plan.version.text()
	r.plan.release = parseRelease(text)
	if err := r.readNodes(nodes); err != nil {
		return err
	}
	if err := r.readEdges(edges); err != nil {
		return err
	}
	r.connect()
	return nil
}

func (r *reader) readNodes(list value) error {
	p := r.plan
	var scratch, chunk []member // nodes share the arrays that hold their members
	for v := range list.elements() {
		if len(p.nodes) == MaxNodes {
			return r.fail(v, ErrSize, FormatUnknown, "more than %d nodes", MaxNodes)
		}
		if !v.isObject() {
			return r.fail(v, ErrStructure, FormatUnknown, "element %d of nodes is no object", len(p.nodes))
		}
		p.nodes = append(p.nodes, Node{plan: p, place: len(p.nodes), raw: v, pos: r.places.at(v.at)})
		n := &p.nodes[len(p.nodes)-1]
		scratch = scratch[:0]
		for m := range v.members() {
			scratch = append(scratch, m)
		}
		if len(scratch) > cap(chunk)-len(chunk) {
			chunk = make([]member, 0, max(256, len(scratch)))
		}
		chunk = append(chunk, scratch...)
		n.fields = chunk[len(chunk)-len(scratch) : len(chunk) : len(chunk)]
		var ok bool
		if n.id, ok = n.field("id").int(); !ok {
			return r.fail(v, ErrStructure, FormatUnknown, "element %d of nodes has no integer id", n.place)
		}
		if n.typ, ok = n.field("type").string(); !ok {
			return r.fail(v, ErrStructure, FormatUnknown, "node %d has no type", n.id)
		}
		n.op = operators()[n.typ]
	}
	return nil
}

func (r *reader) readEdges(list value) error {
	p := r.plan
	for v := range list.elements() {
		if len(p.edges) == 4*MaxNodes {
			return r.fail(v, ErrSize, FormatUnknown, "more than %d edges", 4*MaxNodes)
		}
		e := Edge{pos: v.at}
		var source, target bool
		for m := range v.members() {
			switch m.key {
			case "source":
				e.Source, source = m.value.int()
				e.coerced = e.coerced || !m.value.isInteger()
			case "target":
				e.Target, target = m.value.int()
				e.coerced = e.coerced || !m.value.isInteger()
			case "shuffle":
				e.Shuffle, _ = m.value.get("type").string()
			case "shuffleMode":
				var asIs bool
				e.Mode, asIs = exchangeMode(m.value)
				e.coerced = e.coerced || !asIs
			}
		}
		if !source || !target {
			return r.fail(v, ErrStructure, FormatUnknown, "element %d of edges has no integer source or target", len(p.edges))
		}
		p.edges = append(p.edges, e)
	}
	return nil
}

// exchangeMode reads an edge's mode as Jackson reads an enum: blanks around it do not count, and 0 is its first value. asIs
// is false for what Flink would write in another way.
func exchangeMode(v value) (mode string, asIs bool) {
	text, _ := v.string()
	mode = strings.TrimSpace(text)
	if n, ok := v.integer(); ok && n == 0 && (v.isString() || v.isInteger()) {
		return "PIPELINED", false
	} else if v.isNumber() {
		return v.raw, true
	}
	return mode, mode == text
}

// connect hangs the edges on their nodes, in their order, which is the order of a node's inputs.
func (r *reader) connect() {
	p := r.plan
	p.byID = make(map[int]*Node, len(p.nodes))
	for i := range p.nodes {
		if n := &p.nodes[i]; p.byID[n.id] == nil {
			p.byID[n.id] = n
		}
	}
	for _, e := range p.edges {
		source, target := p.byID[e.Source], p.byID[e.Target]
		if target != nil {
			target.inputs = append(target.inputs, Input{ID: e.Source, Node: source})
		}
		if source != nil && target != nil {
			source.consumers = append(source.consumers, target)
		}
	}
}

// FlinkVersion gives what the plan says of the release that it was made for, such as "1.18" or "2.3": never the patch
// release. The empty string if it says nothing.
func (p *Plan) FlinkVersion() string {
	s, _ := p.version.text()
	return s
}

// String says which plan it is, and nothing of what its tables' options hold.
func (p *Plan) String() string {
	return fmt.Sprintf("compiled plan of Flink %q: %d nodes, %d edges", p.FlinkVersion(), len(p.nodes), len(p.edges))
}

// GoString is String, so that no way of printing gives options away.
func (p *Plan) GoString() string { return p.String() }

// Nodes gives the nodes in the order of the file.
func (p *Plan) Nodes() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for i := range p.nodes {
			if !yield(&p.nodes[i]) {
				return
			}
		}
	}
}

// NumNodes counts the nodes.
func (p *Plan) NumNodes() int { return len(p.nodes) }

// NumEdges counts the edges.
func (p *Plan) NumEdges() int { return len(p.edges) }

// Edges gives the edges in the order of the file.
func (p *Plan) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, e := range p.edges {
			if !yield(e) {
				return
			}
		}
	}
}

// Node gives the node of an id, the first if there are several; nil if there is none.
func (p *Plan) Node(id int) *Node { return p.byID[id] }

// Sinks gives the nodes that write to tables, in the order of the file. There are several in a statement set.
func (p *Plan) Sinks() []*Node {
	var sinks []*Node
	for n := range p.Nodes() {
		if n.isSink() {
			sinks = append(sinks, n)
		}
	}
	return sinks
}

// A release is what flinkVersion says. The zero release is unknown.
type release struct{ major, minor int }

// parseRelease reads the two numbers that Flink writes; a third one, which people write, changes nothing.
func parseRelease(text string) release {
	major, rest, _ := strings.Cut(text, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, errMajor := strconv.ParseUint(major, 10, 16)
	b, errMinor := strconv.ParseUint(minor, 10, 16)
	if errMajor != nil || errMinor != nil {
		return release{}
	}
	return release{int(a), int(b)}
}

func (r release) known() bool { return r != release{} }

func (r release) String() string { return fmt.Sprintf("%d.%d", r.major, r.minor) }

// before compares known releases; an unknown one is before none.
func (r release) before(major, minor int) bool {
	return r.known() && (r.major < major || r.major == major && r.minor < minor)
}
