package compiledplan

import (
	"fmt"
	"strings"
	"testing"
)

// TestHostilePlans: plans made to take long do not: a step for each pair of nodes, or for each level of each byte, would
// outlast the test's time limit.
func TestHostilePlans(t *testing.T) {
	if testing.Short() {
		t.Skip("large inputs")
	}
	values := func(id int, typ, rest string) string {
		return fmt.Sprintf(`{"id":%d,"type":"stream-exec-%s",%s"outputType":"ROW<>"}`, id, typ, rest)
	}
	plan := func(nodes, edges []string) string {
		return `{"flinkVersion":"1.16","nodes":[` + strings.Join(nodes, ",") + `],"edges":[` + strings.Join(edges, ",") + `]}`
	}
	edge := func(source, target int) string { return fmt.Sprintf(`{"source":%d,"target":%d}`, source, target) }

	var chain, ladder, star, circle []string
	var chainEdges, ladderEdges, starEdges, circleEdges []string
	const size = 20_000
	for i := range size {
		chain = append(chain, values(i, []string{"calc_1", "sink_1", "temporal-join_1", "changelog-normalize_1"}[i%4], ""))
		circle = append(circle, values(i, "calc_1", ""))
		star = append(star, values(i, "union_1", ""))
		if i > 0 {
			chainEdges = append(chainEdges, edge(i-1, i))
			circleEdges = append(circleEdges, edge(i-1, i))
			for range 3 {
				starEdges = append(starEdges, edge(i, 0))
			}
		}
	}
	circleEdges = append(circleEdges, edge(size-1, 0))
	for i := range 4000 { // each of these reaches all sinks of those behind it
		ladder = append(ladder, values(2*i, "calc_1", ""), values(2*i+1, "sink_1", `"dynamicTableSink":{"table":{"identifier":"t"}},`))
		ladderEdges = append(ladderEdges, edge(2*i, 2*i+1))
		if i > 0 {
			ladderEdges = append(ladderEdges, edge(2*i-2, 2*i))
		}
	}
	deep := strings.Repeat(`{"kind":"CALL","internalName":"$>$1","operands":[`, 300) + strings.Repeat(`{"kind":"INPUT_REF","inputIndex":0},`, 20_000) + `{}` + strings.Repeat(`]}`, 300)
	var entries, calls []string
	for i := range 50_000 {
		entries = append(entries, fmt.Sprintf(`{"index":%d,"ttl":"0 ms","name":"n%d"}`, i, i))
		calls = append(calls, fmt.Sprintf(`{"distinct":true,"argList":[%d]}`, i))
	}
	for name, input := range map[string]string{
		"chain": plan(chain, chainEdges), "circle": plan(circle, circleEdges), "star": plan(star, starEdges), "ladder": plan(ladder, ladderEdges),
		"deep condition": plan([]string{values(1, "values_1", ""), values(2, "join_1", `"joinSpec":{"joinType":"INNER","nonEquiCondition":`+deep+`},`)}, []string{edge(1, 2), edge(1, 2)}),
		"many entries":   plan([]string{values(1, "rank_1", `"state":[`+strings.Join(entries, ",")+`],`)}, nil),
		"many calls":     plan([]string{values(1, "group-aggregate_1", `"grouping":[0],"aggCalls":[`+strings.Join(calls, ",")+`],"state":[{"index":0,"ttl":"0 ms","name":"n"}],`)}, nil),
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := Parse([]byte(input))
			if err != nil {
				t.Fatal(err)
			}
			plan.Validate()
			plan.Findings()
			for n := range plan.Nodes() {
				n.State()
				n.Output()
				n.Amends()
				n.InputTables()
				if j, ok := n.Join(); ok {
					_ = j.Condition.String()
				}
				if n.ID()%100 == 0 { // the answers themselves may be long
					n.Sinks()
				}
			}
		})
	}
}
