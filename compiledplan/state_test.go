package compiledplan

import (
	"fmt"
	"strings"
	"testing"
)

// stateText gives the states of a node one a line: input, runtime name, role, time-to-live, end of stay.
func stateText(n *Node) string {
	states, known := n.State()
	var lines []string
	if !known {
		lines = append(lines, "unknown")
	}
	for _, s := range states {
		input := fmt.Sprint(s.Input)
		if s.Input == NoInput {
			input = "-"
		}
		line := fmt.Sprintf("%s %s %v, %v TTL, %v", input, s.RuntimeName, s.Role, s.TTLFrom, s.Until.Kind)
		if s.Until.HasOffset {
			line += fmt.Sprintf(" %+d", s.Until.Offset)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestForms goes through what operators keep under each condition. The inputs are node 1, with a plain column, an event
// time and a processing time, and node 2, with a key.
func TestForms(t *testing.T) {
	const recorded = `"state":[{"index":0,"ttl":"0 ms","name":"n"}],`
	rank := func(strategy, orderBy, rest string) string {
		return recorded + `"rankStrategy":{"type":"` + strategy + `"},"orderBy":{"fields":[` + orderBy + `]},` + rest
	}
	over := func(orderBy int, isRows bool, lower string) string {
		return fmt.Sprintf(`"overSpec":{"partition":{"fields":[0]},"groups":[{"orderBy":{"fields":[{"index":%d,"isAscending":true,"nullIsLast":false}]},"isRows":%v,"lowerBound":%s,"upperBound":{"kind":"CURRENT_ROW"}}],
			"constants":[{"kind":"LITERAL","value":"3600000","type":"INTERVAL HOUR NOT NULL"}],"originalInputFields":3},`, orderBy, isRows, lower)
	}
	const (
		column, eventTime, procTime = 0, 1, 2

		byColumn   = `{"index":0,"isAscending":true}`
		byProcTime = `{"index":2,"isAscending":true}`
		top10      = `"rankRange":{"type":"Constant","start":1,"end":10},`
		top1       = `"rankRange":{"type":"Constant","start":1,"end":1},`
		variable   = `"rankRange":{"type":"Variable","endIndex":1},`
		unbounded  = `{"kind":"UNBOUNDED_PRECEDING"}`
		bounded    = `{"kind":"BOUNDED_WINDOW","isPreceding":true,"offset":{"kind":"INPUT_REF","inputIndex":3,"type":"INTERVAL HOUR NOT NULL"}}`
	)
	sort := func(fields string) string { return `"orderBy":{"fields":[` + fields + `]},` }
	match := func(orderBy int, interval string) string {
		return fmt.Sprintf(`"matchSpec":{"orderBy":{"fields":[{"index":%d}]},"interval":%s},`, orderBy, interval)
	}
	const materialize = recorded + `"requireUpsertMaterialize":true,`
	const kept = "plan TTL, forever"
	for _, test := range []struct{ name, typ, fields, want string }{
		{"group aggregate", "group-aggregate_1", recorded + `"aggCalls":[],`, "0 accState accumulator, " + kept},
		{"group aggregate, two sets of distinct arguments", "group-aggregate_1", recorded + `"aggCalls":[{"distinct":true,"argList":[1]},{"distinct":false,"argList":[2]},{"distinct":true,"argList":[1]},{"distinct":true,"argList":[2]}],`,
			"0 accState accumulator, " + kept + "\n0 distinctAcc_0 accumulator, " + kept + "\n0 distinctAcc_1 accumulator, " + kept},
		{"group aggregate, distinct or not: not said", "group-aggregate_1", recorded + `"aggCalls":[{"argList":[1]}],`, "unknown\n0 accState accumulator, " + kept},
		{"local group aggregate", "local-group-aggregate_1", "", ""},
		{"global group aggregate", "global-group-aggregate_1", recorded + `"aggCalls":[],`, "0 accState accumulator, " + kept},
		{"incremental group aggregate", "incremental-group-aggregate_1", recorded + `"partialOriginalAggCalls":[{"distinct":true,"argList":[1]}],`, "0 distinctAcc_0 accumulator, " + kept},
		{"Python group aggregate", "python-group-aggregate_1", "", "0  accumulator, job TTL, unknown"},
		{"window aggregate", "window-aggregate_1", `"aggCalls":[],"windowing":{"window":{"type":"TumblingWindow"}},`, "0 window-aggs window, none TTL, window_end"},
		{"window aggregate over windows that are not said", "window-aggregate_1", `"aggCalls":[],`, "unknown"},
		{"window aggregate over sessions", "window-aggregate_1", `"aggCalls":[],"windowing":{"window":{"type":"SessionWindow"}},`, "0 window-aggs window, none TTL, window_end\n0 session-window-mapping window, none TTL, window_end"},
		{"local window aggregate", "local-window-aggregate_1", "", ""},
		{"global window aggregate, distinct", "global-window-aggregate_1", `"windowing":{"window":{"type":"CumulativeWindow"}},"aggCalls":[{"distinct":true,"argList":[1]}],`, "0 window-aggs window, none TTL, window_end\n0 distinctAcc_0 window, none TTL, window_end"},
		{"legacy window that is not said", "group-window-aggregate_1", `"aggCalls":[],`, "unknown"},
		{"legacy window", "group-window-aggregate_1", `"aggCalls":[],"window":{"kind":"TUMBLING"},`, "0 window-aggs window, none TTL, window_end"},
		{"legacy session", "group-window-aggregate_1", `"aggCalls":[],"window":{"kind":"SESSION"},`, "0 window-aggs window, none TTL, window_end\n0 session-window-mapping window, none TTL, window_end"},
		{"Python window", "python-group-window-aggregate_1", "", "0  window, none TTL, window_end"},

		{"over event time, unbounded", "over-aggregate_1", over(eventTime, false, unbounded), "0 accState accumulator, job TTL, unknown\n0 inputState rows, job TTL, watermark +0"},
		{"over event time, ROWS", "over-aggregate_1", over(eventTime, true, bounded), "0 inputState rows, job TTL, unknown\n0 accState accumulator, job TTL, unknown\n0 processedCountState index, job TTL, unknown\n0 lastTriggeringTsState index, job TTL, unknown"},
		{"over event time, RANGE", "over-aggregate_1", over(eventTime, false, bounded), "0 inputState rows, none TTL, watermark +3600000\n0 accState accumulator, none TTL, watermark\n0 lastTriggeringTsState index, none TTL, watermark\n0 cleanupTsState timer, none TTL, watermark"},
		{"over processing time, unbounded", "over-aggregate_1", over(procTime, true, unbounded), "0 accState accumulator, job TTL, unknown"},
		{"over processing time, ROWS", "over-aggregate_1", over(procTime, true, bounded), "0 inputState rows, job TTL, unknown\n0 accState accumulator, job TTL, unknown\n0 processedCountState index, job TTL, unknown\n0 smallestTSState index, job TTL, unknown"},
		{"over processing time, RANGE", "over-aggregate_1", over(procTime, false, bounded), "0 inputState rows, none TTL, processing_time +3600000\n0 accState accumulator, none TTL, processing_time\n0 cleanupTsState timer, none TTL, processing_time"},
		{"over a column", "over-aggregate_1", over(column, false, unbounded), "0 valueMapState rows, job TTL, unknown\n0 accMapState accumulator, job TTL, unknown\n0 sortedListState index, job TTL, unknown\n0 idState index, job TTL, unknown"},
		{"over a column, bounded: no release has it", "over-aggregate_1", over(column, true, bounded), "unknown"},
		{"over nothing legible", "over-aggregate_1", "", "unknown"},
		{"Python over event time, RANGE", "python-over-aggregate_1", over(eventTime, false, bounded), "0 inputState rows, none TTL, watermark +3600000\n0 lastTriggeringTsState index, none TTL, watermark\n0 cleanupTsState timer, none TTL, watermark"},
		{"Python over processing time, ROWS", "python-over-aggregate_1", over(procTime, true, bounded), "0 inputState rows, job TTL, unknown\n0 lastTriggeringTsState index, job TTL, unknown"},

		{"TOP-N", "rank_1", rank("AppendFast", byColumn, top10), "0 data-state-with-append rows, " + kept},
		{"TOP-1", "rank_1", rank("AppendFast", byColumn, top1), "0 Top1-Rank-State rows, " + kept},
		{"first rows by processing time", "rank_1", rank("AppendFast", byProcTime, top10), "0 counterState index, " + kept},
		{"last rows by processing time", "rank_1", rank("AppendFast", `{"index":2,"isAscending":false}`, top10), "0 data-state-with-append rows, " + kept},
		{"TOP-N of updates", "rank_1", rank("UpdateFast", byColumn, top10), "0 data-state-with-update rows, " + kept},
		{"TOP-1 of updates", "rank_1", rank("UpdateFast", byColumn, top1), "0 Top1-Rank-State rows, " + kept},
		{"TOP-N of retractions", "rank_1", rank("Retract", byColumn, top10), "0 data-state rows, " + kept + "\n0 sorted-map index, " + kept},
		{"TOP-N with a column for N", "rank_1", rank("AppendFast", byColumn, variable), "0 data-state-with-append rows, " + kept + "\n0 rankEnd index, " + kept},
		{"TOP-N by a strategy of the future", "rank_1", rank("Novel", byColumn, top10), "unknown\n-  unknown, " + kept},
		{"TOP-N, N is not said", "rank_1", recorded + `"orderBy":{"fields":[` + byColumn + `]},"rankStrategy":{"type":"Retract"},`, "unknown\n0 data-state rows, " + kept + "\n0 sorted-map index, " + kept},
		{"ORDER BY with LIMIT", "sort-limit_1", rank("AppendFast", byColumn, top10), "0 data-state-with-append rows, " + kept},
		{"LIMIT", "limit_1", rank("AppendFast", "", top10), "0 data-state-with-append rows, " + kept},
		{"LIMIT 1", "limit_1", rank("AppendFast", "", top1), "0 Top1-Rank-State rows, " + kept},

		{"first row, processing time", "deduplicate_1", recorded + `"isRowtime":false,"keepLastRow":false,`, "0 deduplicate-state index, " + kept},
		{"last row, processing time", "deduplicate_1", recorded + `"isRowtime":false,"keepLastRow":true,`, "0 deduplicate-state rows, " + kept},
		{"first row, event time", "deduplicate_1", recorded + `"isRowtime":true,"keepLastRow":false,"outputInsertOnly":false,`, "0 deduplicate-state rows, " + kept},
		{"first row, event time, once", "deduplicate_1", recorded + `"isRowtime":true,"keepLastRow":false,"outputInsertOnly":true,`, "0 waiting-to-emit-on-timer rows, none TTL, watermark +0\n0 already-emitted-state-boolean index, " + kept},
		{"last row, by what time is not said", "deduplicate_1", recorded + `"keepLastRow":true,`, "0 deduplicate-state rows, " + kept},
		{"first row, by what time is not said", "deduplicate_1", recorded + `"keepLastRow":false,`, "unknown\n-  unknown, " + kept},
		{"first or last row: not said", "deduplicate_1", recorded + `"isRowtime":false,"keepLastRow":null,`, "unknown\n-  unknown, " + kept},
		{"normalization", "changelog-normalize_1", recorded, "0 deduplicate-state rows, " + kept},
		{"window rank", "window-rank_1", "", "0 window_rank rows, none TTL, window_end"},
		{"window deduplication", "window-deduplicate_1", "", "0 window_deduplicate rows, none TTL, window_end"},

		{"sort", "sort_1", sort(byColumn), "0 localBufferState rows, none TTL, forever"},
		{"sort by event time", "temporal-sort_1", sort(`{"index":1},{"index":0}`), "0 dataState rows, none TTL, watermark +0\n0 lastTriggeringTsState index, none TTL, forever"},
		{"sort by processing time", "temporal-sort_1", sort(byProcTime), ""},
		{"sort by processing time and more", "temporal-sort_1", sort(byProcTime + "," + byColumn), "0 sortState rows, none TTL, processing_time +1"},
		{"sort by what is no time", "temporal-sort_1", sort(byColumn), "unknown"},
		{"pattern WITHIN", "match_1", match(eventTime, `{"kind":"LITERAL","value":"60000","type":"INTERVAL MINUTE NOT NULL"}`),
			"0 nfaStateName index, none TTL, watermark +60000\n0 sharedBuffer-events rows, none TTL, watermark +60000\n0 sharedBuffer-events-count index, none TTL, watermark +60000\n0 sharedBuffer-entries-with-lockable-edges index, none TTL, watermark +60000\n0 eventQueuesStateName rows, none TTL, watermark +0"},
		{"pattern", "match_1", match(procTime, "null"),
			"0 nfaStateName index, none TTL, unknown\n0 sharedBuffer-events rows, none TTL, unknown\n0 sharedBuffer-events-count index, none TTL, unknown\n0 sharedBuffer-entries-with-lockable-edges index, none TTL, unknown"},

		{"sink", "sink_2", "", ""},
		{"sink, neither materializing nor not", "sink_2", `"requireUpsertMaterialize":"perhaps",`, "unknown"},
		{"materializing sink", "sink_1", materialize, "0 values rows, " + kept},
		{"materializing sink, LEGACY", "sink_2", materialize + `"upsertMaterializeStrategy":"LEGACY",`, "0 values rows, " + kept},
		{"materializing sink, VALUE", "sink_2", materialize + `"upsertMaterializeStrategy":"VALUE",`, "0 list rows, none TTL, forever"},
		{"materializing sink, MAP", "sink_2", materialize + `"upsertMaterializeStrategy":"MAP",`, "0 sqnToNodeState rows, none TTL, forever\n0 rowToSqnState index, none TTL, forever\n0 highestSqnState index, none TTL, forever"},
		{"materializing sink, ADAPTIVE", "sink_2", materialize + `"upsertMaterializeStrategy":"ADAPTIVE",`, "0 list rows, none TTL, forever\n0 sqnToNodeState rows, none TTL, forever\n0 rowToSqnState index, none TTL, forever\n0 highestSqnState index, none TTL, forever"},
		{"materializing sink, strategy of the future", "sink_2", materialize + `"upsertMaterializeStrategy":"NOVEL",`, "unknown\n-  unknown, " + kept},
		{"sink that refuses conflicts", "sink_2", materialize + `"conflictStrategy":{"behavior":"ERROR"},`, "0 current-value rows, " + kept + "\n0 watermark-buffer rows, plan TTL, watermark +0\n0 consolidated-checkpoint-id index, " + kept},

		{"process table function", "process-table-function_1", "", "unknown"},
		{"window table function of windows that are not said", "window-table-function_1", "", "unknown"},
		{"window table function", "window-table-function_1", `"windowing":{"window":{"type":"TumblingWindow"}},`, ""},
		{"session window table function", "window-table-function_1", `"windowing":{"window":{"type":"SessionWindow"}},`, "0 session-window-tvf-acc rows, none TTL, window_end\n0 session-window-tvf-counter index, none TTL, window_end\n0 session-window-mapping window, none TTL, window_end"},
		{"state of the future", "calc_1", recorded, "-  unknown, " + kept},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan, err := Parse([]byte(`{"flinkVersion":"2.3","nodes":[{"id":1,"type":"stream-exec-values_1","outputType":{"type":"ROW","fields":[{"name":"c","fieldType":"INT"},
				{"name":"ts","fieldType":{"type":"TIMESTAMP_WITHOUT_TIME_ZONE","precision":3,"kind":"ROWTIME"}},{"name":"pt","fieldType":{"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE","precision":3,"kind":"PROCTIME"}}]}},
				{"id":2,"type":"stream-exec-` + test.typ + `",` + test.fields + `"outputType":"ROW<>"}],"edges":[{"source":1,"target":2}]}`))
			if err != nil {
				t.Fatal(err)
			}
			n := plan.Node(2)
			if !n.Known() {
				t.Fatalf("%v is not known", n)
			}
			if got := stateText(n); got != test.want {
				t.Errorf("%s\ninstead of\n%s", got, test.want)
			}
		})
	}
}

// TestSources: where knowledge comes from follows from the version: 1.18 first recorded state.
func TestSources(t *testing.T) {
	for version, want := range map[string]Source{`"1.15"`: NotRecorded, `"1.17"`: NotRecorded, `"1.18"`: Implied, `"2.3"`: Implied, `"9.9"`: Implied, `""`: SourceUnknown, `null`: SourceUnknown} {
		plan, err := Parse([]byte(`{"flinkVersion":` + version + `,"nodes":[{"id":1,"type":"stream-exec-join_1"},{"id":2,"type":"stream-exec-interval-join_1"}],"edges":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statesOf(t, plan.Node(1)) {
			if s.Source != want || s.TTLFrom != TTLFromJob || s.Until.Kind != UntilUnknown {
				t.Errorf("%s: %+v", version, s)
			}
		}
		for _, s := range statesOf(t, plan.Node(2)) {
			if s.Source != Implied || s.TTLFrom != TTLFromNone {
				t.Errorf("%s: %+v", version, s)
			}
		}
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		RoleUnknown.String(): "unknown", RoleVersions.String(): "versions", Role(99).String(): "99",
		TTLFromNone.String(): "none", NotRecorded.String(): "not recorded", UntilProcessingTime.String(): "processing_time",
		SeverityWarning.String(): "warning", NoSpec.String(): "none", NoUniqueKey.String(): "NoUniqueKey", FormatUnknown.String(): "unknown",
	} {
		if got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
}
