package compiledplan

import (
	"slices"
	"testing"
)

// TestReach compares the shared lists with a walk from each node, on every plan.
func TestReach(t *testing.T) {
	forEachPlan(t, func(t *testing.T, data []byte, path string) {
		plan, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for n := range plan.Nodes() {
			if got, want := plan.sinksReached().lists[n.place], n.walk((*Node).isSink, (*Node).consuming); !slices.Equal(got, want) {
				t.Errorf("%v: sinks %v instead of %v", n, got, want)
			}
			if got, want := plan.tablesReached().lists[n.place], n.walk((*Node).hasTable, (*Node).feeding); !slices.Equal(got, want) {
				t.Errorf("%v: tables %v instead of %v", n, got, want)
			}
			if len(n.Sinks()) == 0 {
				t.Errorf("%v serves no sink", n)
			}
		}
	})
}

// TestEdges: edges, inputs and consumers tell of the same.
func TestEdges(t *testing.T) {
	plan := readPlan(t, "../testdata/plans/2.3.0/lab-regular.json")
	edges := 0
	for e := range plan.Edges() {
		edges++
		if e.Shuffle != "FORWARD" || e.Mode != "PIPELINED" {
			t.Errorf("%+v", e)
		}
		source, target := plan.Node(e.Source), plan.Node(e.Target)
		if !slices.Contains(source.Consumers(), target) || !slices.Contains(target.Inputs(), Input{e.Source, source}) {
			t.Errorf("%v does not feed %v", source, target)
		}
	}
	if edges != plan.NumEdges() || edges != 10 {
		t.Errorf("%d edges", edges)
	}
	for range plan.Edges() {
		break
	}
	for range plan.Nodes() {
		break
	}
}
