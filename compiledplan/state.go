package compiledplan

import (
	"slices"
	"strconv"
)

// A State is one thing that an operator remembers, by the descriptor that it keeps it with at run time.
//
// One entry of a plan's state list may govern several of these: the retracting TOP-N, for one, keeps its rows and an index
// of their sort keys under one entry. Timers that Flink keeps for every timer service, rows on their way through an
// asynchronous call, and what connectors keep are not listed.
type State struct {
	Input       int     // whose rows it is made of, from 0; NoInput if of no single one
	Index       int     // in the plan's state list; NoIndex if it is not recorded
	Name        string  // in the plan's state list; empty if it is not recorded
	RuntimeName string  // of the state descriptor; empty if it is not known
	Role        Role    // what it is
	TTL         string  // as the plan writes it, "0 ms" for none; empty if it is not recorded
	TTLFrom     TTLFrom // which time-to-live governs it
	Source      Source  // how it is known
	Until       Until   // until when an entry stays
}

// For Input and Index of a State.
const (
	NoInput = -1
	NoIndex = -1
)

// TTLMillis gives the recorded time-to-live in milliseconds, 0 for none; ok is false if it is not recorded or not legible.
func (s State) TTLMillis() (ms int64, ok bool) {
	if s.Source != Recorded {
		return 0, false
	}
	return parseDuration(s.TTL)
}

// A Role says what a state is. The zero Role is unknown.
type Role uint8

const (
	RoleUnknown     Role = iota
	RoleRows             // rows of the input
	RoleTimer            // the time of the next clean-up or emission
	RoleIndex            // counters, sort keys, marks, partial matches: what finds rows, not rows
	RoleAccumulator      // what aggregates are computed from
	RoleWindow           // what belongs to one window
	RoleVersions         // the rows of a versioned table, by time
)

// String gives the word that planinfo prints.
func (r Role) String() string {
	return word(r, "unknown", "rows", "timer", "index", "accumulator", "window", "versions")
}

// TTLFrom says which time-to-live governs a state. The zero TTLFrom is unknown.
type TTLFrom uint8

const (
	TTLUnknown  TTLFrom = iota
	TTLFromPlan         // the recorded one, whatever the job says
	TTLFromJob          // the job's table.exec.state.ttl when it runs, which no plan records
	TTLFromNone         // none at all
)

// String gives the word that planinfo prints.
func (t TTLFrom) String() string { return word(t, "unknown", "plan", "job", "none") }

// A Source says how a fact is known. The zero Source is unknown: no version in the plan to tell, or nothing known at all.
type Source uint8

const (
	SourceUnknown Source = iota
	Recorded             // the plan says so
	Implied              // the operator is like that
	NotRecorded          // the plan is older than 1.18, which first recorded it
	Inferred             // worked out from other nodes by the planner's rules; of changelog modes only
)

// String gives the word that planinfo prints.
func (s Source) String() string {
	return word(s, "unknown", "recorded", "implied", "not recorded", "inferred")
}

// Until says until when an entry of a state stays.
type Until struct {
	Kind UntilKind

	// Offset is what is added to the row's time to get the time that counts: milliseconds, perhaps negative. It is known
	// (HasOffset) for kinds UntilWatermark and UntilProcessingTime of most operators.
	Offset    int64
	HasOffset bool

	// Inclusive says that an entry goes as soon as that time is reached, as what a timer of its own time frees (Flink fires
	// those at or below the watermark, InternalTimerServiceImpl, all releases); else the time must be passed. With a clock
	// it always must be (ProcessingTimeServiceUtil).
	Inclusive bool
}

// An UntilKind says what ends the stay of an entry. The zero UntilKind is unknown.
type UntilKind uint8

const (
	UntilUnknown        UntilKind = iota
	UntilForever                  // nothing does
	UntilTTL                      // the recorded time-to-live, in processing time since the entry was last written
	UntilWatermark                // the watermark, when it passes the row's time plus Offset, or reaches it if Inclusive
	UntilProcessingTime           // the clock, when it passes the row's time plus Offset
	UntilWindowEnd                // the end of the window, in the time of the window
	UntilSuperseded               // a newer version that is at or below the watermark
)

// String gives the word that planinfo prints.
func (k UntilKind) String() string {
	return word(k, "unknown", "forever", "ttl", "watermark", "processing_time", "window_end", "superseded")
}

func word[T ~uint8](of T, words ...string) string {
	if int(of) < len(words) {
		return words[of]
	}
	return strconv.Itoa(int(of))
}

// A recordedState is an entry of a node's state list.
type recordedState struct {
	at    value
	index int
	ttl   string
	name  string
}

// recordedStates reads a node's state list, values that are no objects left out. Flink takes a missing index for 0.
func (n *Node) recordedStates() []recordedState {
	var list []recordedState
	for v := range n.field("state").elements() {
		if !v.isObject() {
			continue
		}
		e := recordedState{at: v}
		for m := range v.members() {
			switch m.key {
			case "index":
				var ok bool
				if e.index, ok = m.value.int(); !ok && !m.value.isNull() {
					e.index = NoIndex
				}
			case "ttl":
				e.ttl, _ = m.value.text()
			case "name":
				e.name, _ = m.value.text()
			}
		}
		list = append(list, e)
	}
	return list
}

// State gives what the operator remembers, in a fixed order; nothing for an operator without memory. known is false if
// that cannot be told: for a type that this package does not know, and for a process table function, whose states no plan
// names; s then holds what the plan records, if anything.
//
// The facts are read from Flink's own operators, 1.15 to 2.3; docs/operator-state.md lists them with their classes.
func (n *Node) State() (s []State, known bool) {
	recorded := n.recordedStates()
	byIndex := make(map[int]int, len(recorded)) // of several entries of one index, the first
	for i, entry := range slices.Backward(recorded) {
		byIndex[entry.index] = i
	}
	used := make([]bool, len(recorded))
	if n.op != nil {
		var rules []stateRule
		rules, known = n.op.states(n)
		known = known && !n.op.opaque
		for _, rule := range rules {
			var entry *recordedState
			if rule.entry != nil {
				if i, ok := byIndex[*rule.entry]; ok {
					entry, used[i] = &recorded[i], true
				}
			}
			s = append(s, n.state(rule, entry))
		}
	}
	for i, entry := range recorded {
		if !used[i] {
			state := State{Input: NoInput, Index: entry.index, Name: entry.name, TTL: entry.ttl, TTLFrom: TTLFromPlan, Source: Recorded}
			state.Until = state.retention()
			s = append(s, state)
		}
	}
	return s, known
}

// state makes a State by a rule, and by the entry of the plan that governs it, if there is one.
func (n *Node) state(rule stateRule, entry *recordedState) State {
	s := State{Input: rule.input, Index: NoIndex, RuntimeName: rule.runtime, Role: rule.role, Source: Implied, TTLFrom: rule.ttl}
	switch {
	case entry != nil:
		s.Source, s.Index, s.Name, s.TTL = Recorded, entry.index, entry.name, entry.ttl
		if rule.ttl == TTLUnknown {
			s.TTLFrom = TTLFromPlan
		}
	case rule.entry != nil:
		s.Source = n.unrecorded()
		if rule.ttl == TTLUnknown {
			s.TTLFrom = TTLFromJob
		}
	}
	if rule.until.of != nil {
		s.Until = rule.until.of(n)
	} else {
		s.Until = s.retention()
	}
	return s
}

// unrecorded says why a state that Flink records stands in no state list: the key came with 1.18 (FLINK-31791). Flink
// reads a later plan without it as well, and takes the job's time-to-live (StateMetadata).
func (n *Node) unrecorded() Source {
	switch {
	case n.plan.release.before(1, 18):
		return NotRecorded
	case n.plan.release.known():
		return Implied
	}
	return SourceUnknown
}

// retention says until when the recorded time-to-live keeps an entry.
func (s State) retention() Until {
	ms, ok := s.TTLMillis()
	switch {
	case !ok:
		return Until{}
	case ms <= 0:
		return Until{Kind: UntilForever}
	}
	return Until{Kind: UntilTTL}
}
