package compiledplan

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func findingsOf(p *Plan) (list []string) {
	for _, f := range p.Findings() {
		list = append(list, fmt.Sprintf("%d %v %s", f.Node.ID(), f.Severity, f.Code))
	}
	return list
}

// TestFindingsOfPlans: each of these plans of 2.3.0 has these findings, and no others.
func TestFindingsOfPlans(t *testing.T) {
	for plan, want := range map[string][]string{
		"lab-regular":           {"7 warning state-forever", "10 info state-forever"},
		"lab-interval":          nil,
		"lab-temporal":          {"27 info state-forever"},
		"interval-no-watermark": {"5 warning time-condition"},
		"interval-impossible":   {"7 warning impossible-bounds"},
		"interval-left":         nil,
		"regular-cross":         {"83 warning join-without-keys", "83 warning state-forever"},
		"regular-job-ttl":       nil,
		"limit":                 nil,
		"sort-limit":            nil,
		"match-recognize":       nil,
		"over-aggregate":        nil,
		"window-aggregate":      nil,
		"window-join":           nil,
		"temporal-sort":         nil,
		"stateless":             nil,
		"rank-top-n":            {"307 info state-forever"},
		"multi-join":            {"379 warning state-forever"},
	} {
		if got := findingsOf(readPlan(t, filepath.Join("../testdata/plans/2.3.0", plan+".json"))); !slices.Equal(got, want) {
			t.Errorf("%s: %q instead of %q", plan, got, want)
		}
	}
	for _, release := range []string{"1.15.4", "1.18.1"} {
		got := readPlan(t, filepath.Join("../testdata/plans", release, "interval-no-watermark.json")).Findings()
		if len(got) != 1 || got[0].Code != "time-condition" || strings.Contains(got[0].Message, "for ever") != (release == "1.18.1") {
			t.Errorf("%s: %v", release, got)
		}
	}
	if got := findingsOf(readPlan(t, "../testdata/plans/1.15.4/lab-regular.json")); len(got) > 0 {
		t.Errorf("state that is not recorded is said to stay: %q", got)
	}
}

func TestFindings(t *testing.T) {
	const below = `{"id":3,"type":"stream-exec-changelog-normalize_1","outputType":"ROW<>"},{"id":4,"type":"stream-exec-exchange_1","outputType":"ROW<>"},
		{"id":5,"type":"stream-exec-temporal-join_1","leftTimeAttributeIndex":1,"rightTimeAttributeIndex":1,"outputType":"ROW<>"}`
	const edges = `{"source":1,"target":3},{"source":3,"target":4},{"source":2,"target":5},{"source":4,"target":5}`
	for _, test := range []struct{ name, version, nodes, edges, want string }{
		{"normalized versions", "1.16", below, edges, "5 warning normalize-versions"},
		{"normalized versions of a release that can do it", "1.17", below, edges, ""},
		{"normalized versions of nobody knows when", "", below, edges, ""},
		{"a normalized left side", "1.16", below, `{"source":1,"target":3},{"source":3,"target":4},{"source":4,"target":5},{"source":2,"target":5}`, ""},
		{"versions in a circle", "1.16", below, `{"source":2,"target":5},{"source":4,"target":5},{"source":4,"target":4}`, ""},
		{"a sort", "2.3", `{"id":3,"type":"stream-exec-sort_1","outputType":"ROW<>"}`, `{"source":1,"target":3}`, "3 warning streaming-sort"},
		{"a sort of a batch", "2.3", `{"id":3,"type":"batch-exec-sort_1","outputType":"ROW<>"}`, `{"source":1,"target":3}`, ""},
		{"no plan may hold it", "1.18", `{"id":3,"type":"null_null","outputType":"ROW<>"}`, `{"source":1,"target":3}`, "3 error null-type"},
		{"a type of the future", "2.9", `{"id":3,"type":"stream-exec-novel_1","outputType":"ROW<>"}`, `{"source":1,"target":3}`, "3 warning unknown-type"},
		{"a time-to-live that is ignored", "2.3", `{"id":3,"type":"stream-exec-sink_2","requireUpsertMaterialize":true,"upsertMaterializeStrategy":"VALUE","state":[{"index":0,"ttl":"1 d","name":"sinkMaterializeState"}],"outputType":"ROW<>"}`,
			`{"source":1,"target":3}`, "3 warning ttl-ignored,3 warning state-forever"},
		{"an aggregate without keys", "2.3", `{"id":3,"type":"stream-exec-group-aggregate_1","grouping":[],"state":[{"index":0,"ttl":"0 ms","name":"groupAggregateState"}],"outputType":"ROW<>"}`, `{"source":1,"target":3}`, ""},
		{"an aggregate with a time-to-live", "2.3", `{"id":3,"type":"stream-exec-group-aggregate_1","grouping":[0],"state":[{"index":0,"ttl":"1 d","name":"groupAggregateState"}],"outputType":"ROW<>"}`, `{"source":1,"target":3}`, ""},
		{"a LIMIT that must keep all", "2.3", `{"id":3,"type":"stream-exec-limit_1","rankStrategy":{"type":"Retract"},"state":[{"index":0,"ttl":"0 ms","name":"rankState"}],"outputType":"ROW<>"}`, `{"source":1,"target":3}`, "3 info state-forever"},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := parseNodes(t, test.nodes, test.edges)
			plan.release = parseRelease(test.version)
			if got := strings.Join(findingsOf(plan), ","); got != test.want {
				t.Errorf("%q instead of %q", got, test.want)
			}
			for _, f := range plan.Findings() {
				if !strings.HasSuffix(f.Message, ".") && !strings.HasSuffix(f.Message, "?") {
					t.Errorf("no sentence: %q", f.Message)
				}
			}
		})
	}
}
