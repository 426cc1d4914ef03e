package compiledplan

import (
	"iter"
	"slices"
)

// A reach says for each node which marked nodes can be reached from it, itself included, by their places in rising order.
// Most nodes of a plan reach what their only neighbour reaches, so nodes share their lists.
type reach struct {
	lists [][]int32
	known []bool // beyond the limit nothing is known
}

// mostReached bounds what all lists of a reach hold together. Only a hostile plan comes near.
const mostReached = 1 << 24

// reachable works out what is reached over next, the neighbours in one direction; back are those in the other.
func (p *Plan) reachable(marked func(*Node) bool, next, back func(*Node) iter.Seq[*Node]) reach {
	r := reach{make([][]int32, len(p.nodes)), make([]bool, len(p.nodes))}
	waiting := make([]int, len(p.nodes)) // neighbours whose lists are not yet known
	var ready []*Node
	for n := range p.Nodes() {
		for range next(n) {
			waiting[n.place]++
		}
		if waiting[n.place] == 0 {
			ready = append(ready, n)
		}
	}
	seen := make([]bool, len(p.nodes))
	total := 0
	stuck := p.nodes // of circles, which Flink refuses, one node after the other is taken before its neighbours
	for total < mostReached {
		if len(ready) == 0 {
			for len(stuck) > 0 && r.known[stuck[0].place] {
				stuck = stuck[1:]
			}
			if len(stuck) == 0 {
				break
			}
			ready = append(ready, &stuck[0])
		}
		n := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		if r.known[n.place] {
			continue
		}
		list, shared := r.union(n, next, seen)
		if marked(n) {
			list, shared = append(slices.Clone(list), int32(n.place)), false
			slices.Sort(list)
		}
		if !shared {
			total += len(list)
		}
		r.lists[n.place], r.known[n.place] = list, true
		for m := range back(n) {
			if waiting[m.place]--; waiting[m.place] == 0 {
				ready = append(ready, m)
			}
		}
	}
	return r
}

// union gives the lists of a node's neighbours in one, and whether it is the list of one of them. seen is false throughout,
// before and after.
func (r *reach) union(n *Node, next func(*Node) iter.Seq[*Node], seen []bool) (list []int32, shared bool) {
	shared = true
	add := func(from []int32) {
		for _, place := range from {
			if !seen[place] {
				seen[place] = true
				list = append(list, place)
			}
		}
	}
	var last []int32
	for m := range next(n) {
		other := r.lists[m.place]
		switch {
		case len(other) == 0 || len(last) > 0 && &other[0] == &last[0]:
			continue
		case last == nil:
			list = other
		default:
			if shared {
				shared, list = false, nil
				add(last)
			}
			add(other)
		}
		last = other
	}
	if !shared {
		for _, place := range list {
			seen[place] = false
		}
		slices.Sort(list)
	}
	return list, shared
}

// of gives the marked nodes that a node reaches, in the order of the file.
func (r *reach) of(n *Node, marked func(*Node) bool, next func(*Node) iter.Seq[*Node]) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		list := r.lists[n.place]
		if !r.known[n.place] {
			list = n.walk(marked, next)
		}
		for _, place := range list {
			if !yield(&n.plan.nodes[place]) {
				return
			}
		}
	}
}

// walk goes from a node as far as it gets, for those nodes of which no list is known.
func (n *Node) walk(marked func(*Node) bool, next func(*Node) iter.Seq[*Node]) (list []int32) {
	seen := make([]bool, len(n.plan.nodes))
	seen[n.place] = true
	stack := []*Node{n}
	for len(stack) > 0 {
		m := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if marked(m) {
			list = append(list, int32(m.place))
		}
		for other := range next(m) {
			if !seen[other.place] {
				seen[other.place] = true
				stack = append(stack, other)
			}
		}
	}
	slices.Sort(list)
	return list
}

// feeding gives the nodes that feed a node, without those that are not there.
func (n *Node) feeding() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, input := range n.inputs {
			if input.Node != nil && !yield(input.Node) {
				return
			}
		}
	}
}

func (n *Node) consuming() iter.Seq[*Node] { return slices.Values(n.consumers) }

func (n *Node) isSink() bool { return n.Class() == "sink" }

func (n *Node) hasTable() bool { return n.plan.tables()[n.place] != Table{} }

// Sinks gives the sinks that the node serves, in the order of the file; for a sink, itself. The caller owns the slice. In a
// plan whose rows go round in a circle, which Flink refuses, some may be left out.
func (n *Node) Sinks() []*Node {
	sinks := n.plan.sinksReached()
	return slices.Collect(sinks.of(n, (*Node).isSink, (*Node).consuming))
}

// InputTables gives for each input the tables whose rows reach it, in the order of the file and each once, tables that a
// join below looks up included. The caller owns the slices. In a plan whose rows go round in a circle some may be left out.
func (n *Node) InputTables() [][]Table {
	below := n.plan.tablesReached()
	lists := make([][]Table, len(n.inputs))
	for i, input := range n.inputs {
		if input.Node == nil {
			continue
		}
		seen := make(map[Table]bool)
		for m := range below.of(input.Node, (*Node).hasTable, (*Node).feeding) {
			if table := n.plan.tables()[m.place]; !seen[table] && !m.isSink() {
				seen[table] = true
				lists[i] = append(lists[i], table)
			}
		}
	}
	return lists
}
