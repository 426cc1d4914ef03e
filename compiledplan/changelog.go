package compiledplan

import (
	"math/bits"
	"slices"
	"strings"
)

// A ChangelogMode is a set of row kinds, as Flink's class of that name: what a stream of rows may carry. The zero
// ChangelogMode is empty.
type ChangelogMode uint8

const (
	Insert       ChangelogMode = 1 << iota // +I
	UpdateBefore                           // -U
	UpdateAfter                            // +U
	Delete                                 // -D

	AllKinds = Insert | UpdateBefore | UpdateAfter | Delete
)

// Contains says whether all kinds of another mode are in this one.
func (m ChangelogMode) Contains(kinds ChangelogMode) bool { return m&kinds == kinds }

// IsInsertOnly says whether rows are only added.
func (m ChangelogMode) IsInsertOnly() bool { return m == Insert }

// Kinds gives the row kinds as clients print them, in the order +I, -U, +U, -D. The caller owns the slice.
func (m ChangelogMode) Kinds() []string {
	kinds := []string{}
	for i, kind := range []string{"+I", "-U", "+U", "-D"} {
		if m&(1<<i) != 0 {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// String gives Kinds with blanks between.
func (m ChangelogMode) String() string { return strings.Join(m.Kinds(), " ") }

var kindWords = map[string]ChangelogMode{
	"INSERT": Insert, "UPDATE_BEFORE": UpdateBefore, "UPDATE_AFTER": UpdateAfter, "DELETE": Delete,
	"~DELETE": Delete, // a delete that carries the key only, from 2.1 on
}

// readMode reads a changelog mode as plans write it. A word that is not known makes it unknown.
func readMode(v value) (m ChangelogMode, ok bool) {
	if !v.isArray() {
		return 0, false
	}
	for e := range v.elements() {
		word, _ := e.string()
		kind, known := kindWords[word]
		if !known {
			return 0, false
		}
		m |= kind
	}
	return m, true
}

// Output gives the row kinds that the node may put out, for a sink those that reach its table. The mode is Recorded where
// the plan says it (a sink says it of its input, for one), Inferred where it follows from other nodes by the rules that
// Flink plans with, and of SourceUnknown, with an empty set, where it does not.
//
// The rules are those of FlinkChangelogModeInferenceProgram, 1.15 to 2.3. They say what may come, not what will: the
// deduplication of a stream without deletes is said to delete as well.
func (n *Node) Output() (ChangelogMode, Source) {
	m := n.plan.modesOf(n)
	if m.must != m.may {
		return 0, SourceUnknown
	}
	if m.recorded {
		return m.must, Recorded
	}
	return m.must, Inferred
}

// Amends says whether the node introduces updates or deletes: whether it takes back what it, or a source, put out, though
// no row of its inputs asks for it. Joins, filters and the like that only hand on the changes of their inputs do not
// amend. known is false if that cannot be told.
func (n *Node) Amends() (amends, known bool) {
	if n.op == nil {
		return false, false
	}
	return n.op.modes.amends(n)
}

// modes is what is known of the kinds that a node puts out: all of must, none but those of may.
type modes struct {
	must, may ChangelogMode
	recorded  bool
	broken    bool // the plan contradicts itself; nothing is known
}

// modesOf gives what is known of a node, also of none.
func (p *Plan) modesOf(n *Node) modes {
	if n == nil || p.modes()[n.place].broken {
		return modes{may: AllKinds}
	}
	return p.modes()[n.place]
}

// A modeRule says how the modes of a node and of its inputs hang together.
type modeRule struct {
	infer  func(*inference, *Node)
	amends func(*Node) (amends, known bool)
}

// An inference narrows down what nodes put out, until no rule has anything to add. Rules only ever narrow, so it ends.
//
// Flink infers in two passes: which changes there are from the sources up, and whether updates come with the row before
// them from the sinks down. A plan shows neither the mode of a source nor that of most operators, but it records some
// outcomes: what reaches a sink, whether an aggregate must undo rows, whether an operator sends rows before updates. So
// what is known here spreads from these in both directions.
type inference struct {
	modes   []modes
	waiting []*Node // first in, first out, so that an operator is looked at once for the news of all its inputs
	queued  []bool
}

func inferModes(p *Plan) []modes {
	inf := &inference{modes: make([]modes, len(p.nodes)), queued: make([]bool, len(p.nodes))}
	for i := range inf.modes {
		inf.modes[i].may = AllKinds
	}
	for i := range p.nodes {
		inf.queue(&p.nodes[i])
	}
	for len(inf.waiting) > 0 {
		n := inf.waiting[0]
		inf.waiting = inf.waiting[1:]
		inf.queued[n.place] = false
		if n.op != nil {
			n.op.modes.infer(inf, n)
		}
	}
	return inf.modes
}

func (inf *inference) queue(n *Node) {
	if !inf.queued[n.place] {
		inf.queued[n.place] = true
		inf.waiting = append(inf.waiting, n)
	}
}

func (inf *inference) of(n *Node) modes {
	if n == nil || inf.modes[n.place].broken {
		return modes{may: AllKinds}
	}
	return inf.modes[n.place]
}

// narrow says that a node puts out all of must, and none but those of may.
func (inf *inference) narrow(n *Node, must, may ChangelogMode) {
	if n == nil || inf.modes[n.place].broken {
		return
	}
	m := &inf.modes[n.place]
	now := *m
	now.must |= must
	now.may &= may
	if !now.may.Contains(UpdateAfter) {
		now.may &^= UpdateBefore
	}
	if now.must.Contains(UpdateBefore) {
		now.must |= UpdateAfter
	}
	if now.must == 0 && bits.OnesCount8(uint8(now.may)) == 1 {
		now.must = now.may // every stream carries something
	}
	now.broken = now.may == 0 || !now.may.Contains(now.must)
	if now == *m {
		return
	}
	*m = now
	inf.queue(n)
	for _, consumer := range n.consumers {
		inf.queue(consumer)
	}
}

func (inf *inference) exact(n *Node, m ChangelogMode) { inf.narrow(n, m, m) }

// record says what the plan records of a node.
func (inf *inference) record(n *Node, m ChangelogMode) {
	if n != nil {
		inf.modes[n.place].recorded = true
		inf.exact(n, m)
	}
}

// same says that two nodes put out the same kinds.
func (inf *inference) same(a, b *Node, kinds ChangelogMode) {
	x, y := inf.of(a), inf.of(b)
	inf.narrow(a, y.must&kinds, y.may|^kinds)
	inf.narrow(b, x.must&kinds, x.may|^kinds)
}

// beforeUpdates says that a node puts out rows before updates if it updates at all.
func (inf *inference) beforeUpdates(n *Node) {
	m := inf.of(n)
	if m.must.Contains(UpdateAfter) {
		inf.narrow(n, UpdateBefore, AllKinds)
	}
	if !m.may.Contains(UpdateBefore) {
		inf.narrow(n, 0, AllKinds&^UpdateAfter)
	}
}

// union says that a node puts out the kinds of its inputs together.
func (inf *inference) union(n *Node) {
	var must, may, several ChangelogMode // several: that more than one input may put out
	for _, input := range n.inputs {
		m := inf.of(input.Node)
		must |= m.must
		several |= may & m.may
		may |= m.may
	}
	inf.narrow(n, must, may)
	out := inf.of(n)
	for _, input := range n.inputs {
		in := input.Node
		inf.narrow(in, 0, out.may)
		if m := inf.of(in); in != nil {
			inf.narrow(in, out.must&m.may&^several, AllKinds) // nobody else can
		}
	}
}

// likeInputs says that a join asks its inputs for rows before updates exactly if it puts them out itself.
func (inf *inference) likeInputs(n *Node) {
	for i := range n.inputs {
		in := n.inputs[i].Node
		m, out := inf.of(in), inf.of(n)
		if out.must.Contains(UpdateBefore) {
			inf.beforeUpdates(in)
		}
		if !out.may.Contains(UpdateBefore) {
			inf.narrow(in, 0, AllKinds&^UpdateBefore)
		}
		if m.must.Contains(UpdateBefore) {
			inf.narrow(n, UpdateBefore, AllKinds)
		}
		if m.must.Contains(UpdateAfter) && !m.may.Contains(UpdateBefore) {
			inf.narrow(n, 0, AllKinds&^UpdateBefore)
		}
	}
}

func (n *Node) input(i int) *Node {
	if i >= len(n.inputs) {
		return nil
	}
	return n.inputs[i].Node
}

// updates says that a node puts out kinds m, deletes if they are among them or deletes is true, and rows before updates if it says so.
func (inf *inference) updates(n *Node, m ChangelogMode, deletes truth) {
	must, may := m, m
	for kind, is := range map[ChangelogMode]truth{Delete: deletes, UpdateBefore: n.truth("generateUpdateBefore")} {
		switch is {
		case isTrue:
			must, may = must|kind, may|kind
		case isUnknown:
			may |= kind
		}
	}
	inf.narrow(n, must, may)
}

// retracts says what needRetraction tells of an input: whether it does anything but add rows, and that it puts out rows
// before updates if it updates.
func (inf *inference) retracts(n *Node) {
	switch n.truth("needRetraction") {
	case isTrue:
		inf.beforeUpdates(n.input(0))
	case isFalse:
		inf.exact(n.input(0), Insert)
	}
}

func yes(*Node) (bool, bool) { return true, true }
func no(*Node) (bool, bool)  { return false, true }

var (
	// modeInsertOnly is the rule of operators that take and put out inserts only. Batch operators are among them.
	modeInsertOnly = modeRule{func(inf *inference, n *Node) {
		inf.exact(n, Insert)
		for i := range n.inputs {
			inf.exact(n.inputs[i].Node, Insert)
		}
	}, no}

	// modePassOn is the rule of operators that hand on the kinds of their input.
	modePassOn = modeRule{func(inf *inference, n *Node) { inf.same(n, n.input(0), AllKinds) }, no}

	modeUnion = modeRule{func(inf *inference, n *Node) { inf.union(n) }, no}

	// modeDropUpdateBefore: it stands above a source with rows before updates.
	modeDropUpdateBefore = modeRule{func(inf *inference, n *Node) {
		inf.narrow(n, UpdateAfter, AllKinds&^UpdateBefore)
		inf.narrow(n.input(0), UpdateBefore|UpdateAfter, AllKinds)
		inf.same(n, n.input(0), AllKinds&^UpdateBefore)
	}, no}

	modeSource = modeRule{
		func(inf *inference, n *Node) {
			if m, ok := n.connectorMode(); ok {
				inf.exact(n, m)
			}
		},
		func(n *Node) (bool, bool) {
			m := n.plan.modesOf(n)
			const changes = UpdateBefore | UpdateAfter | Delete
			return m.must&changes != 0, m.must&changes != 0 || m.may&changes == 0
		},
	}

	// modeSink: a sink records what reaches it. One that materializes puts the changes of its rows in order first, and
	// then sends no rows before updates (SinkUpsertMaterializer).
	modeSink = modeRule{func(inf *inference, n *Node) {
		m, ok := readMode(n.field("inputChangelogMode"))
		if !ok {
			return
		}
		inf.record(n.input(0), m)
		switch n.truth("requireUpsertMaterialize") {
		case isTrue:
			inf.exact(n, Insert|UpdateAfter|Delete)
		case isFalse:
			inf.record(n, m)
		}
	}, no}

	// modeRegularJoin: inner and semi joins hand on the changes of their inputs, others may change anything. Joins of 2.4
	// and later record the modes of their inputs.
	modeRegularJoin = modeRule{
		func(inf *inference, n *Node) {
			for i, key := range []string{"leftInputChangelogMode", "rightInputChangelogMode"} {
				if m, ok := readMode(n.field(key)); ok {
					inf.record(n.input(i), m)
				}
			}
			inf.join(n)
		},
		outerAmends,
	}

	modeMultiJoin = modeRule{(*inference).join, outerAmends}

	modeIntervalJoin = modeRule{
		func(inf *inference, n *Node) {
			inf.exact(n.input(0), Insert)
			inf.exact(n.input(1), Insert)
			if n.firesEarly() {
				inf.narrow(n, Insert|UpdateAfter, AllKinds&^Delete)
			} else {
				inf.exact(n, Insert)
			}
		},
		func(n *Node) (bool, bool) { return n.firesEarly(), true },
	}

	// modeTemporalJoin: the versions of the right input change nothing that was put out.
	modeTemporalJoin = modePassOn

	modeLookupJoin = modeRule{func(inf *inference, n *Node) {
		if m, ok := readMode(n.field("inputChangelogMode")); ok {
			inf.record(n.input(0), m)
		}
		inf.same(n, n.input(0), AllKinds)
	}, no}

	modeAggregate = modeRule{func(inf *inference, n *Node) {
		inf.retracts(n)
		inf.updates(n, Insert|UpdateAfter, n.truth("needRetraction"))
	}, yes}

	// modeLocalAggregate: accumulators go on as inserts, whatever the input does.
	modeLocalAggregate = modeRule{func(inf *inference, n *Node) {
		inf.retracts(n)
		inf.exact(n, Insert)
	}, no}

	modeGlobalAggregate = modeRule{func(inf *inference, n *Node) {
		inf.exact(n.input(0), Insert)
		deletes := n.truth("needRetraction")
		if n.splitsDistinct() {
			deletes = isTrue
		}
		inf.updates(n, Insert|UpdateAfter, deletes)
	}, yes}

	// modeLocalWindowAggregate: the planner gives it the mode of its input, though it only ever sends accumulators, as inserts
	// (TwoStageOptimizedWindowAggregateRule).
	modeLocalWindowAggregate = modeRule{func(inf *inference, n *Node) {
		inf.retracts(n)
		inf.same(n, n.input(0), AllKinds)
	}, no}

	modeWindowAggregate = modeLocalAggregate

	modeGlobalWindowAggregate = modeRule{func(inf *inference, n *Node) { inf.exact(n, Insert) }, no}

	// modeGroupWindow: updates come with early or late firing only, which the planner's description shows.
	modeGroupWindow = modeRule{
		func(inf *inference, n *Node) {
			inf.retracts(n)
			switch emits, known := n.emits(); {
			case emits && n.truth("generateUpdateBefore") == isTrue: // of Python's only
				inf.narrow(n, Insert|UpdateBefore|UpdateAfter, AllKinds&^Delete)
			case emits:
				inf.narrow(n, Insert|UpdateAfter, AllKinds&^Delete)
			case known:
				inf.exact(n, Insert)
			}
		},
		(*Node).emits,
	}

	// modeOver: only an order by a column that is no time attribute takes, and makes, changes (2.1+).
	modeOver = modeRule{
		func(inf *inference, n *Node) {
			switch amends, known := n.overAmends(); {
			case amends:
				inf.beforeUpdates(n.input(0))
				inf.narrow(n, Insert|UpdateAfter|Delete, AllKinds)
			case known:
				inf.exact(n.input(0), Insert)
				inf.exact(n, Insert)
			}
		},
		(*Node).overAmends,
	}

	modeRank = modeRule{func(inf *inference, n *Node) {
		inf.rankInput(n)
		inf.updates(n, Insert|UpdateAfter|Delete, isTrue)
	}, (*Node).rankAmends}

	modeLimit = modeRule{
		func(inf *inference, n *Node) {
			inf.rankInput(n)
			switch {
			case n.ranksBy("AppendFast"):
				inf.exact(n, Insert)
			case n.ranksBy("Retract"):
				inf.updates(n, Insert|UpdateAfter|Delete, isTrue)
			}
		},
		(*Node).limitAmends,
	}

	// modeDeduplicate: the planner of 2.0 takes all deduplications for ranks, which may change anything, though one that
	// puts out first rows once does not.
	modeDeduplicate = modeRule{
		func(inf *inference, n *Node) {
			inf.exact(n.input(0), Insert)
			switch amends, known := n.deduplicateAmends(); {
			case amends || n.plan.release == release{2, 0}:
				inf.updates(n, Insert|UpdateAfter|Delete, isTrue)
			case known && n.plan.release.known():
				inf.exact(n, Insert)
			}
		},
		(*Node).deduplicateAmends,
	}

	// modeNormalize: its input updates, without rows before updates. It adds these, but amends nothing that its input
	// does not amend.
	modeNormalize = modeRule{func(inf *inference, n *Node) {
		inf.narrow(n.input(0), UpdateAfter, AllKinds&^UpdateBefore)
		inf.updates(n, Insert|UpdateAfter|Delete, isTrue)
	}, no}

	// modeSort: a sort waits for the end of its input, and then puts out what is left.
	modeSort = modeRule{func(inf *inference, n *Node) {
		inf.beforeUpdates(n.input(0))
		inf.exact(n, Insert)
	}, no}

	modeProcess = modeRule{
		func(inf *inference, n *Node) {
			if m, ok := readMode(n.field("outputChangelogMode")); ok {
				inf.record(n, m)
			}
			i := 0
			for v := range n.field("inputChangelogModes").elements() {
				if m, ok := readMode(v); ok {
					inf.record(n.input(i), m)
				}
				i++
			}
		},
		func(n *Node) (bool, bool) {
			out, source := n.Output()
			if source == SourceUnknown || out.IsInsertOnly() {
				return false, out.IsInsertOnly()
			}
			for _, input := range n.inputs {
				if m := n.plan.modesOf(input.Node); m.may != Insert {
					return false, false // its changes may be those of its input
				}
			}
			return true, true
		},
	}
)

// join is the rule of regular, delta and multi-joins.
func (inf *inference) join(n *Node) {
	outer, known := outerAmends(n)
	if !known {
		return
	}
	if outer {
		inf.narrow(n, Insert|UpdateAfter|Delete, AllKinds)
	} else {
		inf.union(n)
	}
	inf.likeInputs(n)
}

// outerAmends says whether a join takes back rows: outer and anti joins do.
func outerAmends(n *Node) (amends, known bool) {
	types := n.joinTypes()
	for _, typ := range types {
		switch typ {
		case "INNER", "SEMI":
		case "LEFT", "RIGHT", "FULL", "ANTI":
			amends = true
		default:
			return false, false
		}
	}
	return amends, len(types) > 0
}

// splitsDistinct says whether a global aggregate sums up what an incremental one hands on. The planner infers modes while
// that one is still two aggregates, of which the first updates, so that the second may delete.
func (n *Node) splitsDistinct() bool {
	in := n.input(0)
	if in.isExchange() {
		in = in.input(0)
	}
	return in != nil && in.Class() == "incremental-group-aggregate"
}

func (n *Node) isExchange() bool { return n != nil && n.Class() == "exchange" }

// firesEarly says whether an outer interval join sends null rows before their time and corrects them (2.4+).
func (n *Node) firesEarly() bool {
	delay := n.field("intervalJoinSpec").get("earlyFireDelay")
	return delay.exists() && !delay.isNull()
}

// emits says whether a legacy window aggregate fires early or late, and so corrects what it put out. Its description alone
// tells, which Flink always writes.
func (n *Node) emits() (emits, known bool) {
	return strings.Contains(n.Description(), "emit=["), n.Description() != ""
}

// rankAmends: rows give way to those that come before them, but for the first rows by processing time, which nothing comes
// before (AppendOnlyFirstNFunction).
func (n *Node) rankAmends() (amends, known bool) {
	switch {
	case n.ranksBy("UpdateFast"), n.ranksBy("Retract"):
		return true, true
	case n.ranksBy("AppendFast") && n.inputColumns(0) != nil:
		return !n.ranksByClock(), true
	}
	return false, false
}

// limitAmends: a limit takes back what its input takes back, and only behind an OFFSET other rows as well, since these move
// up (RetractableTopNFunction).
func (n *Node) limitAmends() (amends, known bool) {
	start, ok := n.field("rankRange").get("start").integer()
	switch {
	case n.ranksBy("AppendFast"):
		return false, true
	case n.ranksBy("Retract"):
		return ok && start > 1, ok
	}
	return false, false
}

func (n *Node) overAmends() (amends, known bool) {
	if n.inputColumns(0) == nil {
		return false, false
	}
	return n.orderedBy(n.overGroup().get("orderBy")) == 0, true
}

// deduplicateAmends: the first row by processing time is put out once; so is, from 2.1 on, one that outputInsertOnly says it of.
func (n *Node) deduplicateAmends() (amends, known bool) {
	if only, ok := n.field("outputInsertOnly").bool(); ok {
		return !only, true
	}
	last, rowtime := n.truth("keepLastRow"), n.truth("isRowtime")
	return last == isTrue || rowtime == isTrue, last == isTrue || rowtime == isTrue || last == isFalse && rowtime == isFalse
}

// rankInput says what the strategy of a rank tells of its input (RankProcessStrategy).
func (inf *inference) rankInput(n *Node) {
	in := n.input(0)
	switch {
	case n.ranksBy("AppendFast"):
		inf.exact(in, Insert)
	case n.ranksBy("UpdateFast"):
		inf.narrow(in, UpdateAfter, AllKinds&^UpdateBefore)
	case n.ranksBy("Retract"):
		inf.beforeUpdates(in)
	}
}

// connectorMode gives the mode of a source whose connector and format come with Flink, if the plan names them
// (getChangelogMode of the connectors and formats, 1.15 to 2.3). Others decide for themselves.
func (n *Node) connectorMode() (m ChangelogMode, ok bool) {
	var connector, format string
	for key, text := range n.Options() {
		switch key {
		case "connector":
			connector = text
		case "format", "value.format":
			format = text
		}
	}
	switch connector {
	case "datagen":
		return Insert, true
	case "upsert-kafka":
		return UpdateAfter | Delete, true
	case "filesystem", "kafka":
		switch {
		case slices.Contains([]string{"csv", "json", "avro", "avro-confluent", "parquet", "orc", "raw", "protobuf"}, format):
			return Insert, true
		case slices.Contains([]string{"debezium-json", "debezium-avro-confluent", "canal-json", "maxwell-json", "ogg-json"}, format):
			return AllKinds, true
		}
	}
	return 0, false
}
