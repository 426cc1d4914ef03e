package main

import (
	"fmt"
	"strings"

	"github.com/seed-69e58989/flinkread/compiledplan"
	"github.com/seed-69e58989/flinkread/internal/stream"
)

// A printer prints what is told of plans, in one of the formats. Its writes go to a stream.Output, which remembers errors.
type printer interface {
	print(file string, plan *compiledplan.Plan)
	end()
}

var formats = []string{"table", "ndjson", "json", "markdown"}

func newPrinter(opts options, out *stream.Output, several bool) (printer, error) {
	switch opts.output {
	case "table":
		return &textPrinter{out: out, options: opts.showOptions}, nil
	case "markdown":
		return &markdownPrinter{out: out, options: opts.showOptions}, nil
	case "ndjson":
		return &jsonPrinter{out: out, several: several, options: opts.showOptions, between: "\n", after: "\n"}, nil
	case "json":
		return &jsonPrinter{out: out, several: several, options: opts.showOptions, before: "[\n", between: ",\n", after: "\n]\n", array: true}, nil
	}
	return nil, fmt.Errorf("unknown output format %q; choose one of %s", opts.output, strings.Join(formats, ", "))
}

// tableNames names the tables of a plan: without catalog and database, unless two tables of the plan share a name.
type tableNames map[string]compiledplan.Table

func namesOf(plan *compiledplan.Plan) tableNames {
	names := make(tableNames)
	for n := range plan.Nodes() {
		if table, ok := n.Table(); ok {
			if other, taken := names[table.Name]; taken && other != table {
				table = compiledplan.Table{} // the name of several is the name of none
			}
			names[tableName(n)] = table
		}
	}
	return names
}

func tableName(n *compiledplan.Node) string {
	table, _ := n.Table()
	return table.Name
}

func (names tableNames) of(table compiledplan.Table) string {
	if names[table.Name] == table {
		return table.Name
	}
	return table.String()
}

// inputs gives the names of the tables of each input of a node.
func (names tableNames) inputs(n *compiledplan.Node) [][]string {
	lists := [][]string{}
	for _, tables := range n.InputTables() {
		list := []string{}
		for _, table := range tables {
			list = append(list, names.of(table))
		}
		lists = append(lists, list)
	}
	return lists
}

// isTold says whether a node is one of those that the tables for people list: it holds state or may, or joins.
func isTold(n *compiledplan.Node) bool {
	states, known := n.State()
	return !known || len(states) > 0 || n.Class().IsJoin()
}

// sinkIDs gives the ids of the sinks that a node serves.
func sinkIDs(n *compiledplan.Node) []int {
	ids := []int{}
	for _, sink := range n.Sinks() {
		ids = append(ids, sink.ID())
	}
	return ids
}

// sinkTables gives the names of the tables that a plan writes.
func sinkTables(plan *compiledplan.Plan, names tableNames) (list []string) {
	seen := make(map[compiledplan.Table]bool)
	for _, sink := range plan.Sinks() {
		if table, ok := sink.Table(); ok && !seen[table] {
			seen[table] = true
			list = append(list, names.of(table))
		}
	}
	return list
}
