package compiledplan

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-69e58989/flinkread/datatype"
)

// joinText is a Join as text, so that tests read like plans.
type joinText struct {
	Class       Class
	Types       []string
	Left, Right []string
	Condition   string
	Specs       []string
	Times       []string
	Bounds      *Bounds
	Tables      [][]string
}

func textOf(n *Node, j Join) joinText {
	text := joinText{Class: j.Class, Types: j.Types, Left: j.LeftKeys(), Right: j.RightKeys(), Condition: j.Condition.String(), Bounds: j.Bounds}
	for _, in := range j.Inputs {
		if in.Spec != NoSpec {
			text.Specs = append(text.Specs, in.Spec.String())
		}
		if in.Time != nil {
			text.Times = append(text.Times, in.Time.Name+" "+in.TimeAttribute.String())
		}
	}
	for _, tables := range n.InputTables() {
		var names []string
		for _, table := range tables {
			names = append(names, table.Name)
		}
		text.Tables = append(text.Tables, names)
	}
	return text
}

func TestJoins(t *testing.T) {
	const (
		no   = "NoUniqueKey"
		has  = "HasUniqueKey"
		key  = "JoinKeyContainsUniqueKey"
		hour = int64(3_600_000)
	)
	id, lab := []string{"id"}, [][]string{{"orders"}, {"shipments"}}
	os := [][]string{{"o"}, {"s"}}
	regular := func(typ string) joinText {
		return joinText{Class: RegularJoin, Types: []string{typ}, Left: id, Right: id, Specs: []string{no, no}, Tables: os}
	}
	interval := func(typ string, lower, upper int64) joinText {
		return joinText{Class: IntervalJoin, Types: []string{typ}, Left: id, Right: id, Times: []string{"ts ROWTIME", "ts ROWTIME"}, Bounds: &Bounds{datatype.Rowtime, lower, upper}, Tables: os}
	}
	cross, nonEqui := regular("INNER"), regular("INNER")
	cross.Left, cross.Right = nil, nil
	nonEqui.Condition = "(left.u <> right.sid)"
	proctime := interval("INNER", -60_000, 60_000)
	proctime.Bounds.Time, proctime.Times = datatype.Proctime, []string{"pt PROCTIME", "pt PROCTIME"}
	onOrders := func(typ string, lower, upper int64) joinText {
		j := interval(typ, lower, upper)
		j.Left, j.Right, j.Times, j.Tables = []string{"order_id"}, []string{"order_id"}, []string{"order_time ROWTIME", "ship_time ROWTIME"}, lab
		return j
	}
	for _, release := range []string{"1.15.4", "1.18.1", "2.3.0"} {
		temporal := joinText{Class: TemporalJoin, Types: []string{"INNER"}, Left: []string{"c"}, Right: []string{"c"}, Times: []string{"ts ROWTIME", "ts ROWTIME"}, Tables: [][]string{{"o"}, {"r"}}}
		temporalLeft := temporal
		temporalLeft.Types = []string{"LEFT"}
		for name, want := range map[string]joinText{
			"regular-inner": regular("INNER"), "regular-left": regular("LEFT"), "regular-right": regular("RIGHT"), "regular-full": regular("FULL"),
			"regular-cross": cross, "regular-non-equi": nonEqui,
			"regular-anti": regular("ANTI"),
			"regular-upsert": {Class: RegularJoin, Types: []string{"INNER"}, Left: []string{"u"}, Right: []string{"u"},
				Specs: []string{has, key}, Tables: [][]string{{"ord"}, {"usr"}}},
			"regular-on-version-view": {Class: RegularJoin, Types: []string{"INNER"}, Left: []string{"c"}, Right: []string{"c"}, Specs: []string{no, key}, Tables: [][]string{{"o"}, {"r"}}},
			"interval-no-watermark": {Class: RegularJoin, Types: []string{"INNER"}, Left: []string{"order_id"}, Right: []string{"order_id"}, Specs: []string{no, no}, Tables: lab,
				Condition: "((right.ship_time >= left.order_time) AND (right.ship_time <= (left.order_time + 7200000:INTERVAL HOUR)))"},
			"interval-inner":      interval("INNER", -2*hour, 0),
			"interval-left":       interval("LEFT", -2*hour, hour/6),
			"interval-full":       interval("FULL", -2*hour, 0),
			"interval-exclusive":  interval("INNER", -hour+1, -1),
			"interval-proctime":   proctime,
			"interval-impossible": onOrders("LEFT", -hour, -2*hour),
			"unshipped":           onOrders("LEFT", -2*hour, 0),
			"where-not-on":        onOrders("INNER", -2*hour, 0),
			"temporal-inner":      temporal, "temporal-left": temporalLeft,
			"window-join": {Class: WindowJoin, Types: []string{"INNER"}, Left: id, Right: id, Tables: os},
		} {
			t.Run(release+"/"+name, func(t *testing.T) {
				plan := readPlan(t, filepath.Join("../testdata/plans", release, name+".json"))
				n := onlyOf(t, plan, want.Class)
				j, _ := n.Join()
				if diff := cmp.Diff(want, textOf(n, j), cmpopts.EquateEmpty()); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestMultiJoin(t *testing.T) {
	n := onlyOf(t, readPlan(t, "../testdata/plans/2.3.0/multi-join.json"), MultiJoin)
	j, _ := n.Join()
	if !slices.Equal(j.Types, []string{"INNER", "INNER"}) {
		t.Errorf("types %q: the first of the list is a placeholder", j.Types)
	}
	id := func(index int) Column { return Column{index, "id"} }
	want := []KeyPair{{0, 1, id(0), id(1)}, {0, 2, id(0), id(1)}}
	if diff := cmp.Diff(want, j.Keys); diff != "" {
		t.Error(diff)
	}
	if got, want := j.Condition.String(), "((input0.id = input1.id) AND (input0.id = input2.id))"; got != want {
		t.Errorf("condition %s", got)
	}
	if states := statesOf(t, n); len(states) != 3 || states[2].Input != 2 || states[2].Name != "input-state-2" || states[2].RuntimeName != "multi-join-input-2" {
		t.Errorf("%+v", states)
	}
}

// The joins below stand in no plan of our own: no connector that comes with Flink can be looked up, or be joined by delta.
func parseNodes(t *testing.T, nodes, edges string) *Plan {
	t.Helper()
	plan, err := Parse([]byte(`{"flinkVersion":"2.3","nodes":[
		{"id":1,"type":"stream-exec-table-source-scan_1","scanTableSource":{"table":{"identifier":"` + "`c`.`d`.`a``b`" + `"}},"outputType":"ROW<` + "`k` INT, `v` STRING" + `>"},
		{"id":2,"type":"stream-exec-table-source-scan_1","scanTableSource":{"table":{"identifier":"*anonymous_datagen$1*"}},"outputType":"ROW<` + "`k2` INT, `w` STRING" + `>"},
		` + nodes + `],"edges":[` + edges + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestLookupJoin(t *testing.T) {
	const lookup = `{"id":3,"type":"stream-exec-lookup-join_1","joinType":"LEFT","joinCondition":{"kind":"CALL","syntax":"BINARY","internalName":"$>$1","operands":[
			{"kind":"INPUT_REF","inputIndex":0,"type":"INT"},{"kind":"INPUT_REF","inputIndex":3,"type":"INT"}],"type":"BOOLEAN"},
		"temporalTable":{"lookupTableSource":{"table":{"identifier":"` + "`c`.`d`.`customers`" + `"}},"outputType":"ROW<` + "`id` INT, `age` INT" + `> NOT NULL"},
		"lookupKeys":{"0":{"type":"FieldRef","index":0},"1":{"type":"Constant","value":"x"}},"inputChangelogMode":["INSERT"],%REST%"outputType":"ROW<>"}`
	for _, test := range []struct {
		rest string
		want []State
	}{
		{"", nil},
		{`"requireUpsertMaterialize":true,"lookupKeyContainsPrimaryKey":false,"state":[{"index":0,"ttl":"1 d","name":"lookupJoinState"}],`,
			[]State{{Input: NoInput, Index: 0, Name: "lookupJoinState", RuntimeName: "values", Role: RoleRows, TTL: "1 d", TTLFrom: TTLFromPlan, Source: Recorded, Until: Until{Kind: UntilTTL}}}},
		{`"requireUpsertMaterialize":true,"lookupKeyContainsPrimaryKey":true,`,
			[]State{{Input: NoInput, Index: NoIndex, RuntimeName: "unique-value", Role: RoleRows, TTLFrom: TTLFromJob, Source: Implied}}},
	} {
		plan := parseNodes(t, replaceOnce(t, lookup, "%REST%", test.rest), `{"source":1,"target":3}`)
		n := plan.Node(3)
		j, _ := n.Join()
		want := Join{Class: LookupJoin, Types: []string{"LEFT"}, Keys: []KeyPair{{0, 1, Column{0, "k"}, Column{0, "id"}}}, Inputs: []JoinInput{{}}, Table: Table{"c", "d", "customers"}}
		if diff := cmp.Diff(want, j, cmpopts.IgnoreFields(Join{}, "Condition")); diff != "" {
			t.Error(diff)
		}
		if got := j.Condition.String(); got != "(left.k > right.age)" {
			t.Errorf("condition %s", got)
		}
		if diff := cmp.Diff(test.want, statesOf(t, n)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([][]Table{{{"c", "d", "a`b"}}}, n.InputTables()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDeltaJoin(t *testing.T) {
	plan := parseNodes(t, `{"id":3,"type":"stream-exec-delta-join_2","joinType":"INNER","leftJoinKeys":[0],"rightJoinKeys":[0],
		"condition":{"kind":"CALL","syntax":"BINARY","internalName":"$=$1","operands":[{"kind":"INPUT_REF","inputIndex":0,"type":"INT"},{"kind":"INPUT_REF","inputIndex":2,"type":"INT"}],"type":"BOOLEAN"},
		"outputType":"ROW<>"}`, `{"source":1,"target":3},{"source":2,"target":3}`)
	n := plan.Node(3)
	j, _ := n.Join()
	if got, want := textOf(n, j), (joinText{Class: DeltaJoin, Types: []string{"INNER"}, Left: []string{"k"}, Right: []string{"k2"}, Condition: "(left.k = right.k2)", Tables: [][]string{{"a`b"}, {"*anonymous_datagen$1*"}}}); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	if s := statesOf(t, n); len(s) > 0 {
		t.Errorf("%+v", s)
	}
}

func TestBatchJoins(t *testing.T) {
	plan := parseNodes(t, `
		{"id":3,"type":"batch-exec-join_1","joinSpec":{"joinType":"SEMI","leftKeys":[0],"rightKeys":[0],"filterNulls":[true],"nonEquiCondition":null},"outputType":"ROW<>"},
		{"id":4,"type":"batch-exec-nested-loop-join_1","joinType":"INNER","condition":{"kind":"CALL","internalName":"$LIKE$1","operands":[{"kind":"INPUT_REF","inputIndex":1},{"kind":"LITERAL","value":"it's","type":"CHAR(4) NOT NULL"}]},"outputType":"ROW<>"}`,
		strings.ReplaceAll(`{"source":1,"target":3},{"source":2,"target":3},{"source":1,"target":4},{"source":2,"target":4}`, "}", `,"shuffle":{"type":"FORWARD"},"shuffleMode":"PIPELINED"}`))
	hash, _ := plan.Node(3).Join()
	if hash.Class != BatchJoin || !slices.Equal(hash.Types, []string{"SEMI"}) || len(hash.Keys) != 1 || hash.Keys[0].Right.Name != "k2" {
		t.Errorf("%+v", hash)
	}
	nested, _ := plan.Node(4).Join()
	if nested.Class != BatchJoin || len(nested.Keys) != 0 || nested.Condition.String() != "(left.v LIKE 'it''s')" {
		t.Errorf("%+v: %s", nested, nested.Condition)
	}
	for _, id := range []int{3, 4} {
		if s := statesOf(t, plan.Node(id)); len(s) > 0 || !plan.Node(id).Batch() {
			t.Errorf("node %d keeps %+v", id, s)
		}
	}
	if problems := codes(plan.Validate()); len(problems) > 0 {
		t.Errorf("%q", problems)
	}
}

// TestProcessingTimeTemporalJoin: a temporal table function joined by processing time keeps the newest rows only.
func TestProcessingTimeTemporalJoin(t *testing.T) {
	plan := parseNodes(t, `{"id":3,"type":"stream-exec-temporal-join_1","joinSpec":{"joinType":"INNER","leftKeys":[0],"rightKeys":[0]},"isTemporalFunctionJoin":true,"leftTimeAttributeIndex":1,"rightTimeAttributeIndex":-1,"outputType":"ROW<>"}`,
		`{"source":1,"target":3},{"source":2,"target":3}`)
	n := plan.Node(3)
	j, _ := n.Join()
	if j.Inputs[1].Time != nil || j.Inputs[0].Time == nil || j.Inputs[0].TimeAttribute != datatype.NoTimeAttribute {
		t.Errorf("%+v", j.Inputs)
	}
	if s := statesOf(t, n); len(s) != 1 || s[0].RuntimeName != "right" || s[0].Input != 1 || s[0].Role != RoleVersions || s[0].TTLFrom != TTLFromJob {
		t.Errorf("%+v", s)
	}
}

// TestJoinOfBrokenInputs: what cannot be read is left out, and never made up.
func TestJoinOfBrokenInputs(t *testing.T) {
	plan := parseNodes(t, `
		{"id":3,"type":"stream-exec-values_1","outputType":"ROW<"},
		{"id":4,"type":"stream-exec-join_1","joinSpec":{"joinType":"INNER","leftKeys":[0,7],"rightKeys":[1,0]},"leftUpsertKeys":[["x"],[7]],"outputType":"ROW<>"},
		{"id":5,"type":"stream-exec-interval-join_1","intervalJoinSpec":{"joinSpec":{"joinType":7},"windowBounds":{"isEventTime":true,"leftLowerBound":"1.5","leftUpperBound":0,"leftTimeIndex":99}},"outputType":"ROW<>"},
		{"id":7,"type":"stream-exec-interval-join_1","intervalJoinSpec":{"windowBounds":{"leftLowerBound":-1,"leftUpperBound":2}},"outputType":"ROW<>"},
		{"id":6,"type":"stream-exec-join_1","outputType":"ROW<>"}`,
		`{"source":3,"target":4},{"source":9,"target":4},{"source":3,"target":5}`)
	j, _ := plan.Node(4).Join()
	if got := j.LeftKeys(); !slices.Equal(got, []string{"$0", "$7"}) {
		t.Errorf("left keys %q", got)
	}
	if j.Inputs[0].Spec != JoinKeyContainsUniqueKey || len(j.Inputs[0].UniqueKeys) != 1 || plan.Node(4).Inputs()[1].Node != nil {
		t.Errorf("%+v", j.Inputs)
	}
	j, _ = plan.Node(5).Join()
	if j.Bounds != nil || j.Types != nil || len(j.Inputs) != 1 {
		t.Errorf("%+v", j)
	}
	if s := statesOf(t, plan.Node(5)); len(s) != 4 || s[0].Until != (Until{}) {
		t.Errorf("%+v", s)
	}
	if j, _ := plan.Node(7).Join(); j.Bounds == nil || *j.Bounds != (Bounds{Lower: -1, Upper: 2}) {
		t.Errorf("%+v", j.Bounds)
	}
	if s := statesOf(t, plan.Node(7)); len(s) != 4 || s[0].Until != (Until{}) {
		t.Errorf("a time that is not said: %+v", s)
	}
	if j, ok := plan.Node(6).Join(); !ok || len(j.Inputs) != 0 || j.Types != nil {
		t.Errorf("%+v", j)
	}
	if _, source := plan.Node(6).Output(); source != SourceUnknown {
		t.Error("the output of a join without type is known")
	}
}
