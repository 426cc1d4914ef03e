package compiledplan

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// modeText gives what a node puts out, how that is known, and whether it amends.
func modeText(n *Node) string {
	out, source := n.Output()
	amends := "amends unknown"
	if a, known := n.Amends(); known {
		amends = map[bool]string{true: "amends", false: "no"}[a]
	}
	if source == SourceUnknown {
		return "unknown, " + amends
	}
	return fmt.Sprintf("%v, %v, %s", out, source, amends)
}

// TestModesOfPlans shows what operators of real plans put out. The sinks are blackholes, which want no rows before updates.
func TestModesOfPlans(t *testing.T) {
	const (
		inserts = "+I, inferred, no"
		upserts = "+I +U -D"
	)
	for _, release := range []string{"1.15.4", "1.18.1", "2.3.0"} {
		for plan, want := range map[string]map[Class]string{
			"regular-inner": {RegularJoin: inserts, "table-source-scan": inserts},
			"regular-semi":  {RegularJoin: "+I, recorded, no"},
			"regular-left":  {RegularJoin: "+I +U -D, inferred, amends", "table-source-scan": inserts, "sink": "+I +U -D, recorded, no"},
			"regular-full":  {RegularJoin: "+I +U -D, inferred, amends"},
			"regular-anti":  {RegularJoin: "+I +U -D, recorded, amends"},
			"regular-upsert": {RegularJoin: "+I -U +U -D, inferred, no", "table-source-scan": "+I -U +U -D, inferred, amends",
				"sink": "+I -U +U -D, recorded, no"},
			"regular-on-version-view": {RegularJoin: "+I -U +U -D, inferred, no", "deduplicate": "+I -U +U -D, inferred, amends", "group-aggregate": upserts + ", recorded, amends"},
			"interval-left":           {IntervalJoin: inserts},
			"interval-impossible":     {IntervalJoin: inserts},
			"temporal-left":           {TemporalJoin: inserts, "deduplicate": "+I +U -D, inferred, amends"},
			"window-join":             {WindowJoin: inserts},
			"group-aggregate":         {"group-aggregate": "+I +U, recorded, amends"},
			"window-aggregate":        {"global-window-aggregate": inserts, "local-window-aggregate": inserts},
			"legacy-group-window":     {"group-window-aggregate": "+I, recorded, no"},
			"over-aggregate":          {"over-aggregate": inserts},
			"deduplicate-first":       {"deduplicate": inserts},
			"deduplicate-last":        {"deduplicate": upserts + ", inferred, amends"},
			"rank-top-n":              {"rank": upserts + ", recorded, amends"},
			"limit":                   {"limit": inserts},
			"sort-limit":              {"sort-limit": upserts + ", inferred, amends"},
			"temporal-sort":           {"temporal-sort": "+I, recorded, no"},
			"match-recognize":         {"match": "+I, recorded, no"},
			"mini-batch-distinct": {"local-group-aggregate": inserts, "incremental-group-aggregate": inserts,
				"global-group-aggregate": upserts + ", recorded, amends"},
			"changelog-normalize": {"table-source-scan": "+I -U +U -D, inferred, amends", "drop-update-before": upserts + ", recorded, no"},
			"union-values":        {"union": "+I, recorded, no", "values": inserts},
			"stateless":           {"calc": "+I, recorded, no", "sink": "+I, recorded, no"},
		} {
			t.Run(release+"/"+plan, func(t *testing.T) {
				got := make(map[Class][]string)
				for n := range readPlan(t, filepath.Join("../testdata/plans", release, plan+".json")).Nodes() {
					got[n.Class()] = append(got[n.Class()], modeText(n))
				}
				for class, want := range want {
					found := false
					for _, text := range got[class] {
						found = found || text == want
					}
					if !found {
						t.Errorf("%s: %q instead of %q", class, got[class], want)
					}
				}
			})
		}
	}
}

// TestModesOfUpdates shows what EXPLAIN CHANGELOG_MODE of 2.3.0 said of operators above sources that update, and one that the
// planner takes for another that amends.
func TestModesOfUpdates(t *testing.T) {
	for plan, want := range map[string]map[Class]string{
		"window-aggregate-updates": {"local-window-aggregate": "+I -U +U -D, inferred, no", "global-window-aggregate": "+I, inferred, no"},
		"limit-updates":            {"limit": "+I +U -D, recorded, no"},
		"rank-first-rows":          {"rank": "+I +U -D, inferred, no"},
	} {
		got := make(map[Class]string)
		for n := range readPlan(t, filepath.Join("../testdata/plans/2.3.0", plan+".json")).Nodes() {
			if _, ok := want[n.Class()]; ok {
				got[n.Class()] = modeText(n)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", plan, diff)
		}
	}
}

// TestModeRules goes through rules that no plan of our own shows: node 3 stands above nodes 1 and 2, and below the sink 4,
// if it records a mode.
func TestModeRules(t *testing.T) {
	const (
		all     = `["INSERT","UPDATE_BEFORE","UPDATE_AFTER","DELETE"]`
		upsert  = `["INSERT","UPDATE_AFTER","DELETE"]`
		inserts = `["INSERT"]`
	)
	for _, test := range []struct {
		name, typ, fields, sink string
		left, right, node       string
	}{
		{"nothing is known", "calc_1", "", "", "unknown, amends unknown", "unknown, amends unknown", "unknown, no"},
		{"inserts go back to the source", "calc_1", "", inserts, "+I, inferred, no", "unknown, amends unknown", "+I, recorded, no"},
		{"deletes by key are deletes", "calc_1", "", `["INSERT","UPDATE_AFTER","~DELETE"]`, "+I +U -D, inferred, amends", "unknown, amends unknown", "+I +U -D, recorded, no"},
		{"a word of the future", "calc_1", "", `["INSERT","MERGE"]`, "unknown, amends unknown", "unknown, amends unknown", "unknown, no"},
		{"an inner join of what is only added", "join_1", `"joinSpec":{"joinType":"INNER"},`, inserts, "+I, inferred, no", "+I, inferred, no", "+I, recorded, no"},
		{"an inner join: which side updates is not known", "join_1", `"joinSpec":{"joinType":"INNER"},`, all, "unknown, amends unknown", "unknown, amends unknown", "+I -U +U -D, recorded, no"},
		{"a left join", "join_1", `"joinSpec":{"joinType":"LEFT"},`, upsert, "unknown, amends unknown", "unknown, amends unknown", "+I +U -D, recorded, amends"},
		{"a join of an unknown type", "join_1", `"joinSpec":{"joinType":"NOVEL"},`, "", "unknown, amends unknown", "unknown, amends unknown", "unknown, amends unknown"},
		{"a join that records its inputs (2.4)", "join_1", `"joinSpec":{"joinType":"INNER"},"leftInputChangelogMode":["INSERT"],"rightInputChangelogMode":["INSERT","UPDATE_AFTER"],`, "",
			"+I, recorded, no", "+I +U, recorded, amends", "+I +U, inferred, no"},
		{"an interval join", "interval-join_1", `"intervalJoinSpec":{"joinSpec":{"joinType":"LEFT"}},`, "", "+I, inferred, no", "+I, inferred, no", "+I, inferred, no"},
		{"an interval join that fires early (2.4)", "interval-join_1", `"intervalJoinSpec":{"joinSpec":{"joinType":"LEFT"},"earlyFireDelay":1000},`, `["INSERT","UPDATE_AFTER"]`, "+I, inferred, no", "+I, inferred, no", "+I +U, recorded, amends"},
		{"a temporal join hands on its left side", "temporal-join_1", ``, upsert, "+I +U -D, inferred, amends", "unknown, amends unknown", "+I +U -D, recorded, no"},
		{"a multi-join with an outer one", "multi-join_1", `"joinTypes":["INNER","LEFT"],`, all, "unknown, amends unknown", "unknown, amends unknown", "+I -U +U -D, recorded, amends"},
		{"a union of what only one side can have", "union_1", "", "", "unknown, amends unknown", "unknown, amends unknown", "unknown, no"},
		{"an aggregate that retracts", "group-aggregate_1", `"needRetraction":true,"generateUpdateBefore":true,`, "", "unknown, amends unknown", "unknown, amends unknown", "+I -U +U -D, inferred, amends"},
		{"an aggregate that does not say whether it retracts", "group-aggregate_1", `"generateUpdateBefore":false,`, "", "unknown, amends unknown", "unknown, amends unknown", "unknown, amends"},
		{"an aggregate that does not say, but its sink does", "group-aggregate_1", "", `["INSERT","UPDATE_AFTER"]`, "unknown, amends unknown", "unknown, amends unknown", "+I +U, recorded, amends"},
		{"a local window aggregate of changes", "local-window-aggregate_1", `"needRetraction":true,`, "", "unknown, amends unknown", "unknown, amends unknown", "unknown, no"},
		{"a local window aggregate of inserts", "local-window-aggregate_1", "", "", "+I, inferred, no", "unknown, amends unknown", "+I, inferred, no"},
		{"a legacy window without description", "group-window-aggregate_1", `"needRetraction":false,`, "", "+I, inferred, no", "unknown, amends unknown", "unknown, amends unknown"},
		{"a deduplication that says nothing", "deduplicate_1", "", "", "+I, inferred, no", "unknown, amends unknown", "unknown, amends unknown"},
		{"a window aggregate that retracts", "window-aggregate_1", `"needRetraction":true,`, "", "unknown, amends unknown", "unknown, amends unknown", "+I, inferred, no"},
		{"a legacy window that fires early", "group-window-aggregate_1", `"needRetraction":false,"description":"GroupWindowAggregate(emit=[early delay 1000 millisecond])",`, `["INSERT","UPDATE_AFTER"]`, "+I, inferred, no", "unknown, amends unknown", "+I +U, recorded, amends"},
		{"a normalization", "changelog-normalize_1", `"generateUpdateBefore":true,`, "", "unknown, amends", "unknown, amends unknown", "+I -U +U -D, inferred, no"},
		{"a rank of updates", "rank_1", `"rankStrategy":{"type":"UpdateFast"},"generateUpdateBefore":false,`, "", "unknown, amends", "unknown, amends unknown", "+I +U -D, inferred, amends"},
		{"a rank that may send rows before updates", "rank_1", `"rankStrategy":{"type":"UpdateFast"},`, "", "unknown, amends", "unknown, amends unknown", "unknown, amends"},
		{"a rank by a strategy that is not said", "rank_1", `"generateUpdateBefore":false,`, "", "unknown, amends unknown", "unknown, amends unknown", "+I +U -D, inferred, amends unknown"},
		{"a limit of changes", "limit_1", `"rankStrategy":{"type":"Retract"},"rankRange":{"type":"Constant","start":1,"end":3},"generateUpdateBefore":true,`, "", "unknown, amends unknown", "unknown, amends unknown", "+I -U +U -D, inferred, no"},
		{"a limit of changes behind an offset", "limit_1", `"rankStrategy":{"type":"Retract"},"rankRange":{"type":"Constant","start":2,"end":3},"generateUpdateBefore":true,`, "", "unknown, amends unknown", "unknown, amends unknown", "+I -U +U -D, inferred, amends"},
		{"a limit of changes, of which rows is not said", "limit_1", `"rankStrategy":{"type":"Retract"},"generateUpdateBefore":true,`, "", "unknown, amends unknown", "unknown, amends unknown", "+I -U +U -D, inferred, amends unknown"},
		{"first rows in mini batches (2.1+)", "deduplicate_1", `"isRowtime":false,"keepLastRow":false,"outputInsertOnly":false,"generateUpdateBefore":false,`, "", "+I, inferred, no", "unknown, amends unknown", "+I +U -D, inferred, amends"},
		{"a sort at the end of the input", "sort_1", "", "", "unknown, amends unknown", "unknown, amends unknown", "+I, inferred, no"},
		{"a process table function", "process-table-function_1", `"inputChangelogModes":[["INSERT"],["INSERT"]],"outputChangelogMode":["INSERT","UPDATE_AFTER"],`, "", "+I, recorded, no", "+I, recorded, no", "+I +U, recorded, amends"},
		{"a process table function above changes", "process-table-function_1", `"inputChangelogModes":[["INSERT","DELETE"],["INSERT"]],"outputChangelogMode":["INSERT","DELETE"],`, "", "+I -D, recorded, amends", "+I, recorded, no", "+I -D, recorded, amends unknown"},
		{"a contradiction", "match_1", "", upsert, "+I, inferred, no", "unknown, amends unknown", "unknown, no"},
		{"a type of the future", "novel_1", "", upsert, "unknown, amends unknown", "unknown, amends unknown", "+I +U -D, recorded, amends unknown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			sink := ""
			if test.sink != "" {
				sink = `"inputChangelogMode":` + test.sink + `,`
			}
			edges := `{"source":1,"target":3},{"source":3,"target":4}`
			if strings.Contains(test.typ, "join") || strings.Contains(test.typ, "union") || strings.Contains(test.typ, "process") {
				edges = `{"source":1,"target":3},{"source":2,"target":3},{"source":3,"target":4}`
			}
			plan := parseNodes(t, `{"id":3,"type":"stream-exec-`+test.typ+`",`+test.fields+`"outputType":"ROW<>"},{"id":4,"type":"stream-exec-sink_1",`+sink+`"outputType":"ROW<>"}`, edges)
			for id, want := range map[int]string{1: test.left, 2: test.right, 3: test.node} {
				if got := modeText(plan.Node(id)); got != want {
					t.Errorf("node %d: %q instead of %q", id, got, want)
				}
			}
		})
	}
}

// TestFirstRows: the first rows by processing time stay first, so that nothing is taken back, though the planner says that all
// may be; others give way.
func TestFirstRows(t *testing.T) {
	for orderBy, want := range map[string]string{
		`{"index":0,"isAscending":true}`:                                "+I +U -D, inferred, no",
		`{"index":0,"isAscending":false}`:                               "+I +U -D, inferred, amends",
		`{"index":1,"isAscending":true}`:                                "+I +U -D, inferred, amends",
		`{"index":0,"isAscending":true},{"index":1,"isAscending":true}`: "+I +U -D, inferred, amends",
	} {
		plan := parseNodes(t, `{"id":3,"type":"stream-exec-values_1","outputType":{"type":"ROW","fields":[
				{"name":"pt","fieldType":{"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE","precision":3,"kind":"PROCTIME"}},{"name":"a","fieldType":"INT"}]}},
			{"id":4,"type":"stream-exec-rank_1","rankStrategy":{"type":"AppendFast"},"orderBy":{"fields":[`+orderBy+`]},"generateUpdateBefore":false,"outputType":"ROW<>"}`, `{"source":3,"target":4}`)
		if got := modeText(plan.Node(4)); got != want {
			t.Errorf("%s: %q instead of %q", orderBy, got, want)
		}
	}
}

// TestMaterializingSink: what reaches the table has no rows before updates, whatever reached the sink.
func TestMaterializingSink(t *testing.T) {
	plan := parseNodes(t, `{"id":3,"type":"stream-exec-sink_1","requireUpsertMaterialize":true,"inputChangelogMode":["INSERT","UPDATE_BEFORE","UPDATE_AFTER","DELETE"],"outputType":"ROW<>"}`, `{"source":1,"target":3}`)
	if got := modeText(plan.Node(3)); got != "+I +U -D, inferred, no" {
		t.Error(got)
	}
	if got := modeText(plan.Node(1)); got != "+I -U +U -D, recorded, amends" {
		t.Error(got)
	}
}

// TestConnectorModes: only connectors and formats that come with Flink are known.
func TestConnectorModes(t *testing.T) {
	for options, want := range map[string]string{
		`"connector":"datagen"`:                                           "+I, inferred, no",
		`"connector":"filesystem","format":"csv"`:                         "+I, inferred, no",
		`"connector":"filesystem","format":"debezium-json"`:               "+I -U +U -D, inferred, amends",
		`"connector":"kafka","value.format":"canal-json"`:                 "+I -U +U -D, inferred, amends",
		`"connector":"upsert-kafka","key.format":"json"`:                  "+U -D, inferred, amends",
		`"connector":"kafka","format":"novel"`:                            "unknown, amends unknown",
		`"connector":"novel","format":"csv"`:                              "unknown, amends unknown",
		`"format":"csv"`:                                                  "unknown, amends unknown",
		`"connector":"filesystem","format":{"x":"debezium-json"}`:         "unknown, amends unknown",
		`"connector":"filesystem","format":"csv","format":"maxwell-json"`: "+I -U +U -D, inferred, amends", // the last counts
	} {
		plan, err := Parse([]byte(`{"flinkVersion":"2.3","nodes":[{"id":1,"type":"stream-exec-table-source-scan_1","scanTableSource":{"table":{"identifier":"x","resolvedTable":{"options":{` + options + `}}}}}],"edges":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := modeText(plan.Node(1)); got != want {
			t.Errorf("%s: %q instead of %q", options, got, want)
		}
	}
}

func TestChangelogMode(t *testing.T) {
	if got := AllKinds.String(); got != "+I -U +U -D" {
		t.Error(got)
	}
	if m := Insert | Delete; !m.Contains(Delete) || m.Contains(AllKinds) || m.IsInsertOnly() || !Insert.IsInsertOnly() {
		t.Error(m)
	}
	if got := ChangelogMode(0).Kinds(); got == nil || len(got) != 0 {
		t.Errorf("%v", got)
	}
}
