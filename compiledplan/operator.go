package compiledplan

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-69e58989/flinkread/datatype"
)

// An operator is what this package knows of a node class of Flink's planner. [operatorTable] holds one for each class
// that a compiled plan of 1.15 to 2.3 may hold; a type that it lacks is unknown.
type operator struct {
	class   Class
	types   []nodeType
	node    string // the planner's class
	batch   bool
	inputs  arity
	forms   []form   // empty: the operator remembers nothing
	entries []string // the names in the node\'s state list, which plans have from 1.18 on
	written []string // members that are true or false and that plans always have; Flink reads a missing one as false
	leftOut []string // those that plans lack when they are false
	opaque  bool     // it may remember more than any plan tells
	anyType bool     // its output type need not be a ROW
	runtime string   // the classes that forms were read from; empty if there are none
	note    string   // for docs/operator-state.md
	modes   modeRule
}

// A nodeType is a type as plans write it, and the first of the releases read whose planner writes it.
type nodeType struct{ name, since string }

// An arity is how many inputs a node has.
type arity struct{ least, most int }

var (
	noInput   = arity{0, 0}
	oneInput  = arity{1, 1}
	twoInputs = arity{2, 2}
	anyInputs = arity{1, 4 * MaxNodes}
)

// A form is what an operator remembers under a condition. Of several, the first that holds counts; if none does, what the
// operator remembers is unknown.
type form struct {
	when  string // the condition in words; empty if it always holds
	holds func(*Node) bool
	keeps []stateRule
}

// A stateRule says how to make a State.
type stateRule struct {
	runtime string
	role    Role
	input   int
	entry   *int    // index in the node's state list; nil if Flink never records it
	ttl     TTLFrom // if it is never recorded; TTLFromNone on a recorded one: the operator ignores the recorded time-to-live
	until   until   // without a function: until the recorded time-to-live ends it

	// each gives the rules in place of this one, where their number depends on the node, and whether these are all; runtime is
	// then a pattern, and some says in words which there are.
	each func(*Node) (rules []stateRule, all bool)
	some string
}

// An until is the end of a state's stay, in words and as data.
type until struct {
	words string
	of    func(*Node) Until
}

// states gives the rules of a node's states; known is false if no form holds, or there may be more than these.
func (op *operator) states(n *Node) (rules []stateRule, known bool) {
	f := op.form(n)
	if f == nil {
		return nil, false
	}
	known = true
	for _, rule := range f.keeps {
		if rule.each != nil {
			some, all := rule.each(n)
			rules, known = append(rules, some...), known && all
		} else {
			rules = append(rules, rule)
		}
	}
	return rules, known
}

// form gives the form that holds for a node, or nil if the operator has some and none holds.
func (op *operator) form(n *Node) *form {
	if len(op.forms) == 0 {
		return &form{}
	}
	for i := range op.forms {
		if f := &op.forms[i]; f.holds == nil || f.holds(n) {
			return f
		}
	}
	return nil
}

// operators gives the operator of each type.
var operators = sync.OnceValue(func() map[string]*operator {
	byType := make(map[string]*operator)
	table := operatorTable()
	for i := range table {
		for _, t := range table[i].types {
			byType[t.name] = &table[i]
		}
	}
	return byType
})

// Ends of stays.
var (
	byTTL       = until{words: "the TTL"}
	byJobTTL    = until{"the job's TTL", func(*Node) Until { return Until{} }}
	never       = until{"never", func(*Node) Until { return Until{Kind: UntilForever} }}
	atWindowEnd = until{"the end of the window", func(*Node) Until { return Until{Kind: UntilWindowEnd} }}
	atNewer     = until{"a newer version is at or below the watermark", func(*Node) Until { return Until{Kind: UntilSuperseded} }}
	atRowTime   = until{"the watermark reaches the row's time", func(*Node) Until { return Until{Kind: UntilWatermark, HasOffset: true, Inclusive: true} }}
	atWatermark = until{"the watermark reaches the time it holds", func(*Node) Until { return Until{Kind: UntilWatermark, Inclusive: true} }}
	atClock     = until{"the clock passes the time it holds", func(*Node) Until { return Until{Kind: UntilProcessingTime} }}
)

// recordedAt makes a rule for a state that the plan's state list governs from 1.18 on.
func recordedAt(entry, input int, runtime string, role Role) stateRule {
	return stateRule{runtime: runtime, role: role, input: input, entry: &entry, until: byTTL}
}

// jobTTL makes a rule for a state that the job's time-to-live governs, beside what until says.
func jobTTL(input int, runtime string, role Role, until until) stateRule {
	return stateRule{runtime: runtime, role: role, input: input, ttl: TTLFromJob, until: until}
}

// noTTL makes a rule for a state that no time-to-live governs.
func noTTL(input int, runtime string, role Role, until until) stateRule {
	return stateRule{runtime: runtime, role: role, input: input, ttl: TTLFromNone, until: until}
}

func always(keeps ...stateRule) []form { return []form{{keeps: keeps}} }

func stream(since string, names ...string) []nodeType {
	types := make([]nodeType, len(names))
	for i, name := range names {
		types[i] = nodeType{"stream-exec-" + name, since}
	}
	return types
}

func batch(since, name string) []nodeType { return []nodeType{{"batch-exec-" + name, since}} }

// operatorTable lists the node classes. The types are those of ExecNodeMetadataUtil and of the annotations in the planner
// jars of 1.15.4, 1.16.3, 1.17.2, 1.18.1, 1.19.3, 1.20.5, 2.0.2, 2.1.3, 2.2.1 and 2.3.0; the states were read from the
// runtime classes of 1.20.5 and 2.3.0, and their names looked up in all ten.
func operatorTable() []operator {
	return []operator{
		// Joins.
		{
			class: RegularJoin, types: stream("1.15", "join_1"), node: "StreamExecJoin", inputs: twoInputs, modes: modeRegularJoin, entries: []string{"leftState", "rightState"},
			runtime: "StreamingJoinOperator, StreamingSemiAntiJoinOperator, MiniBatchStreamingJoinOperator (1.19+)",
			note: "How a side is kept follows from the join's keys and the side's unique keys: one row for each join key, one for each unique key, or all rows with a count. " +
				"The time-to-live counts from the last time the row was written. An expired row is not retracted: it only stops to join.",
			forms: always(recordedAt(0, 0, "left-records", RoleRows), recordedAt(1, 1, "right-records", RoleRows)),
		},
		{
			class: IntervalJoin, types: stream("1.15", "interval-join_1"), node: "StreamExecIntervalJoin", inputs: twoInputs, modes: modeIntervalJoin,
			runtime: "TimeIntervalJoin, RowTimeIntervalJoin, ProcTimeIntervalJoin",
			note: "The bounds are of left time minus right time. Rows may stay longer: up to 1.17 by half of the span between the bounds, from 1.18 on by the executing session's table.exec.interval-join.min-cleanup-interval. " +
				"The names of the timers' states are crossed: the left one belongs to the clean-up of the right cache.",
			forms: []form{
				{when: "no pair of rows can meet the bounds", holds: func(n *Node) bool { b := n.bounds(); return b != nil && b.Impossible() }},
				{keeps: []stateRule{
					noTTL(0, "IntervalJoinLeftCache", RoleRows, leftLeaves), noTTL(1, "IntervalJoinRightCache", RoleRows, rightLeaves),
					noTTL(1, "IntervalJoinLeftTimerState", RoleTimer, rightLeaves), noTTL(0, "IntervalJoinRightTimerState", RoleTimer, leftLeaves),
				}},
			},
		},
		{
			class: TemporalJoin, types: stream("1.15", "temporal-join_1"), node: "StreamExecTemporalJoin", inputs: twoInputs, modes: modeTemporalJoin,
			runtime: "TemporalRowTimeJoinOperator, TemporalProcessTimeJoinOperator",
			note: "If the job's time-to-live T is set when it runs, a key without rows is cleared after T to 1.5 T of processing time, rows that still wait included; " +
				"else next-index and the last version stay for ever. The clean-up's own timer, cleanup-timestamp, exists only then.",
			forms: []form{
				{when: "event time", holds: func(n *Node) bool { i, ok := n.field("rightTimeAttributeIndex").int(); return ok && i >= 0 }, keeps: []stateRule{
					jobTTL(0, "left", RoleRows, atRowTime), jobTTL(1, "right", RoleVersions, atNewer),
					jobTTL(0, "next-index", RoleIndex, byJobTTL), jobTTL(NoInput, "timer", RoleTimer, atWatermark),
				}},
				{when: "processing time (temporal table functions only)", holds: func(n *Node) bool { _, ok := n.field("rightTimeAttributeIndex").int(); return ok }, keeps: []stateRule{
					jobTTL(1, "right", RoleVersions, until{"a newer version arrives", atNewer.of}),
				}},
			},
		},
		{
			class: WindowJoin, types: stream("1.15", "window-join_1"), node: "StreamExecWindowJoin", inputs: twoInputs, modes: modeInsertOnly,
			runtime: "WindowJoinOperator",
			forms:   always(noTTL(0, "left-records", RoleRows, atWindowEnd), noTTL(1, "right-records", RoleRows, atWindowEnd)),
		},
		{
			class: LookupJoin, types: stream("1.15", "lookup-join_1"), node: "StreamExecLookupJoin", inputs: oneInput, modes: modeLookupJoin, leftOut: []string{"requireUpsertMaterialize"}, entries: []string{"lookupJoinState"},
			runtime: "KeyedLookupJoinWrapper (1.16+)",
			note:    "Rows on their way through an asynchronous lookup are operator state too, until they are answered; they are not listed.",
			forms: []form{
				{when: "requireUpsertMaterialize and lookupKeyContainsPrimaryKey", holds: func(n *Node) bool {
					return n.truth("requireUpsertMaterialize") == isTrue && n.truth("lookupKeyContainsPrimaryKey") == isTrue
				}, keeps: []stateRule{recordedAt(0, NoInput, "unique-value", RoleRows)}},
				{when: "requireUpsertMaterialize", holds: func(n *Node) bool {
					return n.truth("requireUpsertMaterialize") == isTrue && n.truth("lookupKeyContainsPrimaryKey") == isFalse
				}, keeps: []stateRule{recordedAt(0, NoInput, "values", RoleRows)}},
				{when: "else", holds: func(n *Node) bool { return n.truth("requireUpsertMaterialize") == isFalse }},
			},
		},
		{
			class: MultiJoin, types: stream("2.1", "multi-join_1"), node: "StreamExecMultiJoin", inputs: anyInputs, modes: modeMultiJoin, entries: []string{"input-state-<input>"},
			runtime: "StreamingMultiJoinOperator",
			forms:   always(stateRule{runtime: "multi-join-input-<input>", role: RoleRows, input: NoInput, entry: new(int), until: byTTL, each: multiJoinStates, some: "one for each input"}),
		},
		{
			class: DeltaJoin, types: append(stream("2.1", "delta-join_1"), stream("2.3", "delta-join_2")...), node: "StreamExecDeltaJoin", inputs: twoInputs, modes: modeRegularJoin,
			note: "It asks the tables of its inputs instead of remembering their rows. Rows that wait for an answer are kept as _delta_join_operator_async_wait_state_, until they have it; they are not listed. Its caches are no state.",
		},

		// Aggregates.
		{
			class: "group-aggregate", types: stream("1.15", "group-aggregate_1"), node: "StreamExecGroupAggregate", inputs: oneInput, modes: modeAggregate, written: []string{"generateUpdateBefore", "needRetraction"}, entries: []string{"groupAggregateState"},
			runtime: "GroupAggFunction, MiniBatchGroupAggFunction, AsyncStateGroupAggFunction (2.x)", note: viewsNote,
			forms: always(recordedAt(0, 0, "accState", RoleAccumulator), distinctViews("aggCalls", recordedAt(0, 0, "distinctAcc_<n>", RoleAccumulator))),
		},
		{
			class: "local-group-aggregate", types: stream("1.15", "local-group-aggregate_1"), node: "StreamExecLocalGroupAggregate", inputs: oneInput, modes: modeLocalAggregate, written: []string{"needRetraction"},
			note: "Its bundle is flushed before each checkpoint.",
		},
		{
			class: "global-group-aggregate", types: stream("1.15", "global-group-aggregate_1"), node: "StreamExecGlobalGroupAggregate", inputs: oneInput, modes: modeGlobalAggregate, written: []string{"generateUpdateBefore", "needRetraction"}, entries: []string{"globalGroupAggregateState"},
			runtime: "MiniBatchGlobalGroupAggFunction", note: viewsNote,
			forms: always(recordedAt(0, 0, "accState", RoleAccumulator), distinctViews("aggCalls", recordedAt(0, 0, "distinctAcc_<n>", RoleAccumulator))),
		},
		{
			class: "incremental-group-aggregate", types: stream("1.15", "incremental-group-aggregate_1"), node: "StreamExecIncrementalGroupAggregate", inputs: oneInput, modes: modeInsertOnly, entries: []string{"incrementalGroupAggregateState"},
			runtime: "MiniBatchIncrementalGroupAggFunction",
			forms:   always(distinctViews("partialOriginalAggCalls", recordedAt(0, 0, "distinctAcc_<n>", RoleAccumulator))),
		},
		{
			class: "python-group-aggregate", types: stream("1.16", "python-group-aggregate_1"), node: "StreamExecPythonGroupAggregate", inputs: oneInput, modes: modeAggregate, written: []string{"generateUpdateBefore", "needRetraction"},
			runtime: "PythonStreamGroupAggregateOperator", note: "The names of Python's state are made at run time.",
			forms: always(jobTTL(0, "", RoleAccumulator, byJobTTL)),
		},
		{
			class: "window-aggregate", types: stream("1.15", "window-aggregate_1"), node: "StreamExecWindowAggregate", inputs: oneInput, modes: modeWindowAggregate, leftOut: []string{"needRetraction"},
			runtime: "SlicingWindowOperator (to 1.18), WindowAggOperator (1.19+)", note: windowNote,
			forms: windowAggregates,
		},
		{
			class: "local-window-aggregate", types: stream("1.15", "local-window-aggregate_1"), node: "StreamExecLocalWindowAggregate", inputs: oneInput, modes: modeLocalWindowAggregate, leftOut: []string{"needRetraction"},
			note: "Its buffer is flushed before each checkpoint.",
		},
		{
			class: "global-window-aggregate", types: stream("1.15", "global-window-aggregate_1"), node: "StreamExecGlobalWindowAggregate", inputs: oneInput, modes: modeGlobalWindowAggregate, leftOut: []string{"needRetraction"},
			runtime: "SlicingWindowOperator (to 1.18), WindowAggOperator (1.19+)", note: windowNote,
			forms: windowAggregates,
		},
		{
			class: "group-window-aggregate", types: stream("1.15", "group-window-aggregate_1"), node: "StreamExecGroupWindowAggregate", inputs: oneInput, modes: modeGroupWindow, written: []string{"needRetraction"},
			runtime: "WindowOperator",
			note: "A count window ends when it is full. With the executing session's experimental late firing, windows stay on for table.exec.emit.allow-lateness, or for the job's time-to-live if that is not set; with early or late firing there is previous-aggs as well. " +
				"No plan records these.",
			forms: []form{
				{when: "session windows", holds: func(n *Node) bool { return n.windowKind() == "SESSION" },
					keeps: []stateRule{noTTL(0, "window-aggs", RoleWindow, atWindowEnd), noTTL(0, "session-window-mapping", RoleWindow, atWindowEnd), distinctViews("aggCalls", noTTL(0, "distinctAcc_<n>", RoleWindow, atWindowEnd))}},
				{when: "else", holds: func(n *Node) bool { return n.windowKind() != "" }, keeps: []stateRule{noTTL(0, "window-aggs", RoleWindow, atWindowEnd), distinctViews("aggCalls", noTTL(0, "distinctAcc_<n>", RoleWindow, atWindowEnd))}},
			},
		},
		{
			class: "python-group-window-aggregate", types: stream("1.16", "python-group-window-aggregate_1"), node: "StreamExecPythonGroupWindowAggregate", inputs: oneInput, modes: modeGroupWindow, written: []string{"generateUpdateBefore", "needRetraction"},
			runtime: "PythonStreamGroupWindowAggregateOperator, StreamArrowPythonGroupWindowAggregateFunctionOperator",
			note:    "The names of Python's state are made at run time; the vectorised operator keeps the windows' rows in window-input and data-retract.",
			forms:   always(noTTL(0, "", RoleWindow, atWindowEnd)),
		},
		{
			class: "over-aggregate", types: stream("1.15", "over-aggregate_1"), node: "StreamExecOverAggregate", inputs: oneInput, modes: modeOver,
			runtime: "RowTimeRowsUnboundedPrecedingFunction, RowTimeRangeUnboundedPrecedingFunction, RowTimeUnboundedPrecedingOverFunctionV2 (2.1+), RowTimeRowsBoundedPrecedingFunction, RowTimeRangeBoundedPrecedingFunction, " +
				"ProcTimeUnboundedPrecedingFunction, ProcTimeRowsBoundedPrecedingFunction, ProcTimeRangeBoundedPrecedingFunction, NonTimeRangeUnboundedPrecedingFunction, NonTimeRowsUnboundedPrecedingFunction (2.1+)",
			note: "Where the job's time-to-live T governs, an idle key is cleared after T to 1.5 T, by a timer state of its own that exists only then. With a RANGE, an idle key is cleared after 1 to 1.5 times the range.",
			forms: []form{
				{when: "event time, from the first row on", holds: isOver(datatype.Rowtime, overUnbounded), keeps: []stateRule{
					jobTTL(0, "accState", RoleAccumulator, byJobTTL), jobTTL(0, "inputState", RoleRows, atRowTime),
				}},
				{when: "event time, ROWS", holds: isOver(datatype.Rowtime, overRows), keeps: []stateRule{
					jobTTL(0, "inputState", RoleRows, byJobTTL), jobTTL(0, "accState", RoleAccumulator, byJobTTL),
					jobTTL(0, "processedCountState", RoleIndex, byJobTTL), jobTTL(0, "lastTriggeringTsState", RoleIndex, byJobTTL),
				}},
				{when: "event time, RANGE", holds: isOver(datatype.Rowtime, overRange), keeps: []stateRule{
					noTTL(0, "inputState", RoleRows, afterRange(UntilWatermark)), noTTL(0, "accState", RoleAccumulator, atWatermark),
					noTTL(0, "lastTriggeringTsState", RoleIndex, atWatermark), noTTL(0, "cleanupTsState", RoleTimer, atWatermark),
				}},
				{when: "processing time, from the first row on", holds: isOver(datatype.Proctime, overUnbounded), keeps: []stateRule{
					jobTTL(0, "accState", RoleAccumulator, byJobTTL),
				}},
				{when: "processing time, ROWS", holds: isOver(datatype.Proctime, overRows), keeps: []stateRule{
					jobTTL(0, "inputState", RoleRows, byJobTTL), jobTTL(0, "accState", RoleAccumulator, byJobTTL),
					jobTTL(0, "processedCountState", RoleIndex, byJobTTL), jobTTL(0, "smallestTSState", RoleIndex, byJobTTL),
				}},
				{when: "processing time, RANGE", holds: isOver(datatype.Proctime, overRange), keeps: []stateRule{
					noTTL(0, "inputState", RoleRows, afterRange(UntilProcessingTime)), noTTL(0, "accState", RoleAccumulator, atClock),
					noTTL(0, "cleanupTsState", RoleTimer, atClock),
				}},
				{when: "ordered by a column that is no time attribute (2.1+)", holds: isOver(datatype.NoTimeAttribute, overUnbounded), keeps: []stateRule{
					jobTTL(0, "valueMapState", RoleRows, byJobTTL), jobTTL(0, "accMapState", RoleAccumulator, byJobTTL),
					jobTTL(0, "sortedListState", RoleIndex, byJobTTL), jobTTL(0, "idState", RoleIndex, byJobTTL),
				}},
			},
		},
		{
			class: "python-over-aggregate", types: stream("1.16", "python-over-aggregate_1"), node: "StreamExecPythonOverAggregate", inputs: oneInput, modes: modeInsertOnly,
			runtime: "StreamArrowPythonRowTimeBoundedRangeOperator, StreamArrowPythonProcTimeBoundedRangeOperator, and those for ROWS",
			forms: []form{
				{when: "event time, RANGE", holds: isOver(datatype.Rowtime, overRange), keeps: []stateRule{
					noTTL(0, "inputState", RoleRows, afterRange(UntilWatermark)), noTTL(0, "lastTriggeringTsState", RoleIndex, atWatermark), noTTL(0, "cleanupTsState", RoleTimer, atWatermark),
				}},
				{when: "processing time, RANGE", holds: isOver(datatype.Proctime, overRange), keeps: []stateRule{
					noTTL(0, "inputState", RoleRows, afterRange(UntilProcessingTime)), noTTL(0, "lastTriggeringTsState", RoleIndex, atClock), noTTL(0, "cleanupTsState", RoleTimer, atClock),
				}},
				{when: "RANGE from the first row on", holds: func(n *Node) bool { return n.overFrame() == overUnbounded }, keeps: []stateRule{
					noTTL(0, "inputState", RoleRows, never), noTTL(0, "lastTriggeringTsState", RoleIndex, never), noTTL(0, "cleanupTsState", RoleTimer, never),
				}},
				{when: "ROWS", holds: func(n *Node) bool { return n.overFrame() == overRows }, keeps: []stateRule{
					jobTTL(0, "inputState", RoleRows, byJobTTL), jobTTL(0, "lastTriggeringTsState", RoleIndex, byJobTTL),
				}},
			},
		},

		// Ranks, deduplication, normalisation.
		{
			class: "rank", types: stream("1.15", "rank_1"), node: "StreamExecRank", inputs: oneInput, modes: modeRank, written: []string{"generateUpdateBefore"}, entries: []string{"rankState"},
			runtime: rankRuntime, note: rankNote, forms: rankForms,
		},
		{
			class: "sort-limit", types: stream("1.15", "sort-limit_1"), node: "StreamExecSortLimit", inputs: oneInput, modes: modeRank, written: []string{"generateUpdateBefore"}, entries: []string{"rankState"},
			runtime: rankRuntime, note: rankNote, forms: rankForms,
		},
		{
			class: "limit", types: stream("1.15", "limit_1"), node: "StreamExecLimit", inputs: oneInput, modes: modeLimit, written: []string{"generateUpdateBefore"}, entries: []string{"rankState"},
			runtime: rankRuntime, note: rankNote, forms: rankForms,
		},
		{
			class: "deduplicate", types: stream("1.15", "deduplicate_1"), node: "StreamExecDeduplicate", inputs: oneInput, modes: modeDeduplicate, written: []string{"isRowtime", "keepLastRow", "generateUpdateBefore"}, entries: []string{"deduplicateState"},
			runtime: "ProcTimeDeduplicateKeepFirstRowFunction, ProcTimeDeduplicateKeepLastRowFunction, RowTimeDeduplicateFunction, RowTimeDeduplicateKeepFirstRowFunction (2.1+), and their mini-batch forms",
			forms: []form{
				{when: "first row, processing time", holds: func(n *Node) bool { return n.truth("isRowtime") == isFalse && n.truth("keepLastRow") == isFalse },
					keeps: []stateRule{recordedAt(0, 0, "deduplicate-state", RoleIndex)}},
				{when: "first row, event time, outputInsertOnly (2.1+)", holds: func(n *Node) bool {
					return n.truth("isRowtime") == isTrue && n.truth("keepLastRow") == isFalse && n.truth("outputInsertOnly") == isTrue
				},
					keeps: []stateRule{noTTL(0, "waiting-to-emit-on-timer", RoleRows, atRowTime), recordedAt(0, 0, "already-emitted-state-boolean", RoleIndex)}},
				{when: "else", holds: func(n *Node) bool { _, known := n.deduplicateAmends(); return known }, keeps: []stateRule{recordedAt(0, 0, "deduplicate-state", RoleRows)}},
			},
		},
		{
			class: "changelog-normalize", types: stream("1.15", "changelog-normalize_1"), node: "StreamExecChangelogNormalize", inputs: oneInput, modes: modeNormalize, written: []string{"generateUpdateBefore"}, entries: []string{"changelogNormalizeState"},
			runtime: "ProcTimeDeduplicateKeepLastRowFunction", note: "The last row of each unique key.",
			forms: always(recordedAt(0, 0, "deduplicate-state", RoleRows)),
		},
		{
			class: "window-rank", types: stream("1.15", "window-rank_1"), node: "StreamExecWindowRank", inputs: oneInput, modes: modeInsertOnly,
			runtime: "WindowRankOperator (to 1.18), WindowRankProcessor", forms: always(noTTL(0, "window_rank", RoleRows, atWindowEnd)),
		},
		{
			class: "window-deduplicate", types: stream("1.15", "window-deduplicate_1"), node: "StreamExecWindowDeduplicate", inputs: oneInput, modes: modeInsertOnly,
			runtime: "RowTimeWindowDeduplicateOperator (to 1.18), RowTimeWindowDeduplicateProcessor", forms: always(noTTL(0, "window_deduplicate", RoleRows, atWindowEnd)),
		},

		// Sorts and patterns.
		{
			class: "sort", types: stream("1.18", "sort_1"), node: "StreamExecSort", inputs: oneInput, modes: modeSort,
			runtime: "StreamSortOperator", note: "All rows, until the input ends; the rows of an unbounded one never leave.",
			forms: always(noTTL(0, "localBufferState", RoleRows, never)),
		},
		{
			class: "temporal-sort", types: stream("1.15", "temporal-sort_1"), node: "StreamExecTemporalSort", inputs: oneInput, modes: modeInsertOnly,
			runtime: "RowTimeSortOperator, ProcTimeSortOperator",
			forms: []form{
				{when: "event time", holds: func(n *Node) bool { return n.orderedBy(n.field("orderBy")) == datatype.Rowtime }, keeps: []stateRule{
					noTTL(0, "dataState", RoleRows, atRowTime), noTTL(0, "lastTriggeringTsState", RoleIndex, never),
				}},
				{when: "processing time and further columns", holds: func(n *Node) bool {
					return n.orderedBy(n.field("orderBy")) == datatype.Proctime && count(n.field("orderBy").get("fields")) > 1
				}, keeps: []stateRule{noTTL(0, "sortState", RoleRows, until{"the clock passes the row's time plus 1 ms", func(*Node) Until { return Until{Kind: UntilProcessingTime, Offset: 1, HasOffset: true} }})}},
				{when: "processing time", holds: func(n *Node) bool { return n.orderedBy(n.field("orderBy")) == datatype.Proctime }},
			},
		},
		{
			class: "match", types: stream("1.15", "match_1"), node: "StreamExecMatch", inputs: oneInput, modes: modeInsertOnly,
			runtime: "CepOperator, NFAState, SharedBuffer",
			note: "nfaStateName holds the partial matches: how far in the pattern each one is, and where in the shared buffer its rows are. " +
				"Without WITHIN no time ends a partial match; a row that breaks the pattern may. What is freed is freed when rows or watermarks of its key come.",
			forms: []form{
				{when: "event time", holds: func(n *Node) bool { return n.orderedBy(n.field("matchSpec").get("orderBy")) == datatype.Rowtime }, keeps: append(matchStates(UntilWatermark), noTTL(0, "eventQueuesStateName", RoleRows, atRowTime))},
				{when: "processing time", holds: func(n *Node) bool { return n.orderedBy(n.field("matchSpec").get("orderBy")) == datatype.Proctime }, keeps: matchStates(UntilProcessingTime)},
			},
		},

		// Sinks and sources.
		{
			class: "sink", types: append(stream("1.15", "sink_1"), stream("2.3", "sink_2")...), node: "StreamExecSink", inputs: oneInput, anyType: true, modes: modeSink, leftOut: []string{"requireUpsertMaterialize"}, entries: []string{"sinkMaterializeState"},
			runtime: "SinkUpsertMaterializer, SinkUpsertMaterializerV2 (2.2+), WatermarkCompactingSinkMaterializer (2.3+)",
			note:    "Rows of one primary key, until they are retracted. What the connector keeps is not listed.",
			forms: []form{
				{when: "no requireUpsertMaterialize", holds: func(n *Node) bool { return n.truth("requireUpsertMaterialize") == isFalse }},
				{when: "conflictStrategy ERROR or NOTHING (2.3+)", holds: func(n *Node) bool {
					s, _ := n.field("conflictStrategy").get("behavior").string()
					return n.truth("requireUpsertMaterialize") == isTrue && (s == "ERROR" || s == "NOTHING")
				}, keeps: []stateRule{
					recordedAt(0, 0, "current-value", RoleRows), recordedAt(0, 0, "watermark-buffer", RoleRows).until1(atRowTime), recordedAt(0, 0, "consolidated-checkpoint-id", RoleIndex),
				}},
				{when: "upsertMaterializeStrategy LEGACY, or none", holds: materializes("", "LEGACY"), keeps: []stateRule{recordedAt(0, 0, "values", RoleRows)}},
				{when: "upsertMaterializeStrategy VALUE (2.2+): ignores the TTL", holds: materializes("VALUE"), keeps: []stateRule{
					recordedAt(0, 0, "list", RoleRows).ignored(),
				}},
				{when: "upsertMaterializeStrategy MAP (2.2+): ignores the TTL", holds: materializes("MAP"), keeps: []stateRule{
					recordedAt(0, 0, "sqnToNodeState", RoleRows).ignored(), recordedAt(0, 0, "rowToSqnState", RoleIndex).ignored(), recordedAt(0, 0, "highestSqnState", RoleIndex).ignored(),
				}},
				{when: "upsertMaterializeStrategy ADAPTIVE (2.2+): ignores the TTL", holds: materializes("ADAPTIVE"), keeps: []stateRule{
					recordedAt(0, 0, "list", RoleRows).ignored(), recordedAt(0, 0, "sqnToNodeState", RoleRows).ignored(), recordedAt(0, 0, "rowToSqnState", RoleIndex).ignored(), recordedAt(0, 0, "highestSqnState", RoleIndex).ignored(),
				}},
			},
		},
		{class: "table-source-scan", types: append(stream("1.15", "table-source-scan_1"), stream("2.3", "table-source-scan_2")...), node: "StreamExecTableSourceScan", inputs: noInput, modes: modeSource,
			note: "What the connector keeps, such as offsets, is not listed."},
		{class: "values", types: stream("1.15", "values_1"), node: "StreamExecValues", inputs: noInput, modes: modeInsertOnly},

		// Functions of the user's.
		{
			class: "process-table-function", types: stream("2.1", "process-table-function_1"), node: "StreamExecProcessTableFunction", inputs: anyInputs, modes: modeProcess, opaque: true,
			note: "The function names its own states, and no plan records them. The time-to-live is the function's own or else the job's.",
		},
		{
			class: "window-table-function", types: stream("1.15", "window-table-function_1"), node: "StreamExecWindowTableFunction", inputs: oneInput, modes: modePassOn,
			runtime: "UnalignedWindowTableFunctionOperator (1.19+)",
			forms: []form{
				{when: "session windows (1.19+)", holds: isSession, keeps: []stateRule{
					noTTL(0, "session-window-tvf-acc", RoleRows, atWindowEnd), noTTL(0, "session-window-tvf-counter", RoleIndex, atWindowEnd), noTTL(0, "session-window-mapping", RoleWindow, atWindowEnd),
				}},
				{when: "else", holds: func(n *Node) bool { return n.windowType() != "" }},
			},
		},

		// Deliberately stateless: what they put out depends on the row at hand.
		{class: "calc", types: stream("1.15", "calc_1"), node: "StreamExecCalc", inputs: oneInput, modes: modePassOn},
		{class: "async-calc", types: stream("1.19", "async-calc_1"), node: "StreamExecAsyncCalc", inputs: oneInput, modes: modePassOn, note: asyncNote},
		{class: "python-calc", types: stream("1.16", "python-calc_1"), node: "StreamExecPythonCalc", inputs: oneInput, modes: modePassOn},
		{class: "python-async-calc", types: stream("2.3", "python-async-calc_1"), node: "StreamExecPythonAsyncCalc", inputs: oneInput, modes: modePassOn, note: asyncNote},
		{class: "correlate", types: stream("1.15", "correlate_1"), node: "StreamExecCorrelate", inputs: oneInput, modes: modePassOn},
		{class: "async-correlate", types: stream("2.2", "async-correlate_1"), node: "StreamExecAsyncCorrelate", inputs: oneInput, modes: modePassOn, note: asyncNote},
		{class: "python-correlate", types: stream("1.16", "python-correlate_1"), node: "StreamExecPythonCorrelate", inputs: oneInput, modes: modePassOn},
		{class: "ml-predict-table-function", types: stream("2.1", "ml-predict-table-function_1"), node: "StreamExecMLPredictTableFunction", inputs: oneInput, modes: modeInsertOnly, note: asyncNote},
		{class: "vector-search-table-function", types: stream("2.2", "vector-search-table-function_1"), node: "StreamExecVectorSearchTableFunction", inputs: oneInput, modes: modeInsertOnly, note: asyncNote},
		{class: "drop-update-before", types: stream("1.15", "drop-update-before_1"), node: "StreamExecDropUpdateBefore", inputs: oneInput, modes: modeDropUpdateBefore},
		{class: "exchange", types: stream("1.15", "exchange_1"), node: "StreamExecExchange", inputs: oneInput, modes: modePassOn},
		{class: "expand", types: stream("1.15", "expand_1"), node: "StreamExecExpand", inputs: oneInput, modes: modePassOn},
		{class: "mini-batch-assigner", types: stream("1.15", "mini-batch-assigner_1"), node: "StreamExecMiniBatchAssigner", inputs: oneInput, modes: modePassOn},
		{class: "union", types: stream("1.15", "union_1"), node: "StreamExecUnion", inputs: anyInputs, modes: modeUnion},
		{class: "watermark-assigner", types: stream("1.15", "watermark-assigner_1"), node: "StreamExecWatermarkAssigner", inputs: oneInput, modes: modePassOn},

		// Batch operators keep no keyed state: a batch job makes no checkpoints.
		batchOperator(BatchJoin, "2.0", "join_1", "BatchExecHashJoin", twoInputs),
		batchOperator(BatchJoin, "2.0", "nested-loop-join_1", "BatchExecNestedLoopJoin", twoInputs),
		batchOperator(LookupJoin, "2.0", "lookup-join_1", "BatchExecLookupJoin", oneInput),
		batchOperator("calc", "2.0", "calc_1", "BatchExecCalc", oneInput),
		batchOperator("correlate", "2.0", "correlate_1", "BatchExecCorrelate", oneInput),
		batchOperator("exchange", "2.0", "exchange_1", "BatchExecExchange", oneInput),
		batchOperator("expand", "2.0", "expand_1", "BatchExecExpand", oneInput),
		batchOperator("hash-aggregate", "2.0", "hash-aggregate_1", "BatchExecHashAggregate", oneInput),
		batchOperator("sort-aggregate", "2.0", "sort-aggregate_1", "BatchExecSortAggregate", oneInput),
		batchOperator("over-aggregate", "2.0", "over-aggregate_1", "BatchExecOverAggregate", oneInput),
		batchOperator("limit", "2.0", "limit_1", "BatchExecLimit", oneInput),
		batchOperator("match", "2.0", "match_1", "BatchExecMatch", oneInput),
		batchOperator("rank", "2.0", "rank_1", "BatchExecRank", oneInput),
		batchOperator("sink", "2.0", "sink_1", "BatchExecSink", oneInput),
		batchOperator("sort", "2.0", "sort_1", "BatchExecSort", oneInput),
		batchOperator("sort-limit", "2.0", "sort-limit_1", "BatchExecSortLimit", oneInput),
		batchOperator("table-source-scan", "2.0", "table-source-scan_1", "BatchExecTableSourceScan", arity{0, 1}), // a dynamic filter may feed it
		batchOperator("union", "2.0", "union_1", "BatchExecUnion", anyInputs),
		batchOperator("values", "2.0", "values_1", "BatchExecValues", noInput),
		batchOperator("window-table-function", "2.0", "window-table-function_1", "BatchExecWindowTableFunction", oneInput),
		batchOperator("vector-search-table-function", "2.2", "vector-search-table-function_1", "BatchExecVectorSearchTableFunction", oneInput),
		batchOperator("ml-predict-table-function", "2.3", "ml-predict-table-function_1", "BatchExecMLPredictTableFunction", oneInput),
	}
}

func batchOperator(class Class, since, name, node string, inputs arity) operator {
	return operator{class: class, types: batch(since, name), node: node, batch: true, inputs: inputs, modes: modeInsertOnly, anyType: class == "sink" || class == "limit"}
}

const (
	viewsNote  = "Aggregate functions may keep more in data views of their own (`agg<n>$...`), such as the values under MIN and MAX of an input that retracts; they are not listed. The same time-to-live governs them."
	windowNote = "A slice of hopping or cumulating windows stays until the last window that holds it ends. Late rows are dropped."
	asyncNote  = "Rows on their way through an asynchronous call are operator state, until they are answered; they are not listed."
	rankNote   = "RANK and DENSE_RANK are not supported by Flink."

	rankRuntime = "AppendOnlyFirstNFunction, FastTop1Function, AppendOnlyTopNFunction, UpdatableTopNFunction, RetractableTopNFunction"
)

// until1 replaces the end of a stay.
func (r stateRule) until1(u until) stateRule {
	r.until = u
	return r
}

// ignored makes a rule whose recorded time-to-live the operator ignores.
func (r stateRule) ignored() stateRule {
	r.ttl, r.until = TTLFromNone, never
	return r
}

// Interval joins. Left time minus right time lies within the bounds, so that a left row meets no right row later than its
// own time minus the lower bound, and a right row no left row later than its own time plus the upper bound.
var (
	leftLeaves  = until{"time passes the row's time minus the lower bound", func(n *Node) Until { return n.boundsUntil(func(b *Bounds) int64 { return -b.Lower }) }}
	rightLeaves = until{"time passes the row's time plus the upper bound", func(n *Node) Until { return n.boundsUntil(func(b *Bounds) int64 { return b.Upper }) }}
)

func (n *Node) bounds() *Bounds { return readBounds(n.field("intervalJoinSpec").get("windowBounds")) }

func (n *Node) boundsUntil(offset func(*Bounds) int64) Until {
	b := n.bounds()
	switch {
	case b == nil:
		return Until{}
	case b.Time == datatype.Rowtime:
		return Until{Kind: UntilWatermark, Offset: offset(b), HasOffset: true}
	case b.Time == datatype.Proctime:
		return Until{Kind: UntilProcessingTime, Offset: offset(b), HasOffset: true}
	}
	return Until{}
}

func multiJoinStates(n *Node) ([]stateRule, bool) {
	rules := make([]stateRule, len(n.inputs))
	for i := range rules {
		rules[i] = recordedAt(i, i, "multi-join-input-"+strconv.Itoa(i), RoleRows)
	}
	return rules, true
}

// distinctViews makes the rule for the values that DISTINCT aggregates have seen: one state for each set of arguments
// that is distinct, in the order of the calls.
func distinctViews(calls string, rule stateRule) stateRule {
	pattern := rule
	pattern.some = "one for each set of distinct arguments"
	pattern.each = func(n *Node) (rules []stateRule, all bool) {
		seen := make(map[string]bool)
		all = n.field(calls).isArray()
		for call := range n.field(calls).elements() {
			distinct, ok := call.get("distinct").bool()
			all = all && ok
			if args := call.get("argList").raw; distinct && !seen[args] {
				rule.runtime = "distinctAcc_" + strconv.Itoa(len(seen))
				rules = append(rules, rule)
				seen[args] = true
			}
		}
		return rules, all
	}
	return pattern
}

var windowAggregates = []form{
	{when: "session windows (1.19+)", holds: isSession, keeps: []stateRule{
		noTTL(0, "window-aggs", RoleWindow, atWindowEnd), noTTL(0, "session-window-mapping", RoleWindow, atWindowEnd), distinctViews("aggCalls", noTTL(0, "distinctAcc_<n>", RoleWindow, atWindowEnd)),
	}},
	{when: "else", holds: func(n *Node) bool { return n.windowType() != "" }, keeps: []stateRule{noTTL(0, "window-aggs", RoleWindow, atWindowEnd), distinctViews("aggCalls", noTTL(0, "distinctAcc_<n>", RoleWindow, atWindowEnd))}},
}

func isSession(n *Node) bool { return n.windowType() == "SessionWindow" }

// windowType gives the type of a window table function's window, or the empty string.
func (n *Node) windowType() string {
	s, _ := n.field("windowing").get("window").get("type").string()
	return s
}

// windowKind gives the kind of a legacy window, or the empty string.
func (n *Node) windowKind() string {
	s, _ := n.field("window").get("kind").string()
	return s
}

var rankForms = []form{
	{when: "AppendFast, ordered by processing time alone", holds: func(n *Node) bool { return n.ranksBy("AppendFast") && n.ranksByClock() }, keeps: rankStates(recordedAt(0, 0, "counterState", RoleIndex))},
	{when: "AppendFast or UpdateFast, first row only", holds: func(n *Node) bool {
		r := n.field("rankRange")
		return (n.ranksBy("AppendFast") || n.ranksBy("UpdateFast")) && r.get("type").raw == `"Constant"` && r.get("start").raw == "1" && r.get("end").raw == "1"
	}, keeps: rankStates(recordedAt(0, 0, "Top1-Rank-State", RoleRows))},
	{when: "AppendFast", holds: func(n *Node) bool { return n.ranksBy("AppendFast") }, keeps: rankStates(recordedAt(0, 0, "data-state-with-append", RoleRows))},
	{when: "UpdateFast", holds: func(n *Node) bool { return n.ranksBy("UpdateFast") }, keeps: rankStates(recordedAt(0, 0, "data-state-with-update", RoleRows))},
	{when: "Retract: all rows of the partition, not only the first", holds: func(n *Node) bool { return n.ranksBy("Retract") }, keeps: rankStates(recordedAt(0, 0, "data-state", RoleRows), recordedAt(0, 0, "sorted-map", RoleIndex))},
}

func rankStates(rules ...stateRule) []stateRule {
	end := recordedAt(0, 0, "rankEnd", RoleIndex)
	end.some = "if a column says how many"
	end.each = func(n *Node) ([]stateRule, bool) {
		switch n.field("rankRange").get("type").raw {
		case `"Variable"`:
			return []stateRule{recordedAt(0, 0, "rankEnd", RoleIndex)}, true
		case `"Constant"`, `"ConstantWithoutEnd"`:
			return nil, true
		}
		return nil, false
	}
	return append(rules, end)
}

// ranksByClock says whether the first rows by processing time are the first ones.
func (n *Node) ranksByClock() bool {
	fields := n.field("orderBy").get("fields")
	return count(fields) == 1 && n.orderedBy(n.field("orderBy")) == datatype.Proctime && first(fields).get("isAscending").raw == "true"
}

func (n *Node) ranksBy(strategy string) bool {
	s, _ := n.field("rankStrategy").get("type").string()
	return s == strategy
}

// materializes says whether a sink materializes and its strategy is one of these; "" stands for none.
func materializes(strategies ...string) func(*Node) bool {
	return func(n *Node) bool {
		s, _ := n.field("upsertMaterializeStrategy").string()
		return n.truth("requireUpsertMaterialize") == isTrue && slices.Contains(strategies, s)
	}
}

func matchStates(kind UntilKind) []stateRule {
	within := until{"the time of WITHIN, if there is one; or the pattern", func(n *Node) Until {
		ms, ok := intervalMillis(n.field("matchSpec").get("interval"))
		if !ok {
			return Until{}
		}
		return Until{Kind: kind, Offset: ms, HasOffset: true}
	}}
	return []stateRule{
		noTTL(0, "nfaStateName", RoleIndex, within), noTTL(0, "sharedBuffer-events", RoleRows, within),
		noTTL(0, "sharedBuffer-events-count", RoleIndex, within), noTTL(0, "sharedBuffer-entries-with-lockable-edges", RoleIndex, within),
	}
}

// An overFrame says how far an over-aggregate looks back.
type overFrame uint8

const (
	overUnknown overFrame = iota
	overUnbounded
	overRows
	overRange
)

func (n *Node) overGroup() value { return first(n.field("overSpec").get("groups")) }

func (n *Node) overFrame() overFrame {
	group := n.overGroup()
	kind, _ := group.get("lowerBound").get("kind").string()
	isRows, known := group.get("isRows").bool()
	switch {
	case !known:
		return overUnknown
	case kind == "UNBOUNDED_PRECEDING" || kind == "UNBOUNDED_WINDOW":
		return overUnbounded
	case kind == "BOUNDED_WINDOW" || kind == "CURRENT_ROW":
		if isRows {
			return overRows
		}
		return overRange
	}
	return overUnknown
}

func isOver(order datatype.TimeAttribute, frame overFrame) func(*Node) bool {
	return func(n *Node) bool {
		return n.overFrame() == frame && n.inputColumns(0) != nil && n.orderedBy(n.overGroup().get("orderBy")) == order
	}
}

// afterRange is the end of a row's stay under a RANGE: the row's time plus the range. The range is a constant that the
// frame refers to behind the columns of the input.
func afterRange(kind UntilKind) until {
	words := "the watermark passes the row's time plus the range"
	if kind == UntilProcessingTime {
		words = "the clock passes the row's time plus the range"
	}
	return until{words, func(n *Node) Until {
		offset := n.overGroup().get("lowerBound").get("offset")
		if index, ok := offset.get("inputIndex").int(); ok {
			columns, _ := n.field("overSpec").get("originalInputFields").int()
			i := 0
			for constant := range n.field("overSpec").get("constants").elements() {
				if i == index-columns {
					offset = constant
				}
				i++
			}
		}
		ms, ok := intervalMillis(offset)
		return Until{Kind: kind, Offset: ms, HasOffset: ok}
	}}
}

// intervalMillis reads a literal of an interval of days to seconds, which plans write in milliseconds.
func intervalMillis(literal value) (int64, bool) {
	text, ok := literal.get("value").string()
	typ, err := readType(literal.get("type"))
	if !ok || err != nil || typ.Kind() != datatype.IntervalDayTime {
		return 0, false
	}
	ms, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return ms, err == nil
}

// orderedBy says which time attribute of the input the first column of a sort is, NoTimeAttribute if it is none or unknown.
func (n *Node) orderedBy(sort value) datatype.TimeAttribute {
	index, ok := first(sort.get("fields")).get("index").int()
	columns := n.inputColumns(0)
	if !ok || index < 0 || index >= len(columns) {
		return datatype.NoTimeAttribute
	}
	return columns[index].time
}

// first gives the first element of an array, or the zero value.
func first(list value) value {
	for v := range list.elements() {
		return v
	}
	return value{}
}

func count(list value) (n int) {
	for range list.elements() {
		n++
	}
	return n
}
