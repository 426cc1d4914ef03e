package compiledplan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/internal/duration"
)

// A Finding is something that a plan's owner may want to know before it runs: Flink would take the plan, but it may not
// do what was meant, or cost more than was thought.
type Finding struct {
	Code     Code
	Severity Severity
	Node     *Node
	Message  string // one sentence, or two
}

// The codes of findings; NullType and UnknownType, which are problems as well, come as findings, too.
const (
	// TimeCondition: a regular join whose condition bounds a timestamp of one input by one of the other, while neither is a
	// time attribute. It was meant to be an interval join, and keeps all rows.
	TimeCondition Code = "time-condition"

	// ImpossibleBounds: an interval join whose bounds no pair of rows can meet.
	ImpossibleBounds Code = "impossible-bounds"

	// JoinWithoutKeys: a regular join that compares every row with every other, in a single task.
	JoinWithoutKeys Code = "join-without-keys"

	// StateForever: rows, or an accumulator for each key, that no time ever removes. SeverityWarning of joins and sinks,
	// SeverityInfo of others.
	StateForever Code = "state-forever"

	// TTLIgnored: a sink whose recorded time-to-live Flink ignores.
	TTLIgnored Code = "ttl-ignored"

	// NormalizeVersions: a changelog normalization that feeds the versions of an event-time temporal join, in a plan of
	// 1.16 or before. Versions get lost, and results are wrong (FLINK-29849).
	NormalizeVersions Code = "normalize-versions"

	// StreamingSort: a sort of a stream by anything but time. Nothing comes out before the input ends.
	StreamingSort Code = "streaming-sort"
)

// Findings gives what is worth telling about the plan, node by node in the order of the file. There are few, and each can
// be shown from the plan.
func (p *Plan) Findings() []Finding {
	var findings []Finding
	for n := range p.Nodes() {
		report := func(severity Severity, code Code, format string, args ...any) {
			findings = append(findings, Finding{code, severity, n, fmt.Sprintf(format, args...)})
		}
		switch n.Class() {
		case "":
			if n.typ == "null_null" {
				report(SeverityError, NullType, "The planner met an operator that no plan may hold; this plan cannot be restored.")
			} else {
				report(SeverityWarning, UnknownType, "The type %.60q is not known here; what it remembers and puts out cannot be told.", n.typ)
			}
		case RegularJoin:
			j, _ := n.Join()
			if j.Condition.comparesTimes() {
				report(SeverityWarning, TimeCondition, "The condition bounds a timestamp of one input by one of the other, but neither is a time attribute here: "+
					"this is a regular join, which keeps the rows of both inputs%s, and no interval join. Are watermarks missing, or does an input update?", n.howLong())
				continue
			}
			if len(j.Keys) == 0 {
				report(SeverityWarning, JoinWithoutKeys, "No columns must be equal: every row meets every other, in a single task.")
			}
		case IntervalJoin:
			if b := n.bounds(); b != nil && b.Impossible() {
				report(SeverityWarning, ImpossibleBounds, "No pair of rows can meet the bounds: left time minus right time would have to be at least %s and at most %s.", duration.Text(b.Lower), duration.Text(b.Upper))
			}
		case TemporalJoin:
			if m := n.normalizedVersions(); m != nil {
				report(SeverityWarning, NormalizeVersions, "Node %d normalizes the versions below: up to 1.16.0 this damages them, and results are wrong (FLINK-29849).", m.id)
			}
		case "sort":
			if !n.op.batch {
				report(SeverityWarning, StreamingSort, "It keeps all rows, and nothing comes out before its input ends; Flink refuses to run it unless the job allows it.")
			}
		}
		states, _ := n.State()
		if slices.ContainsFunc(states, func(s State) bool {
			ms, ok := s.TTLMillis()
			return ok && ms > 0 && s.TTLFrom == TTLFromNone
		}) {
			report(SeverityWarning, TTLIgnored, "A time-to-live is recorded, but this way of materializing ignores it.")
		}
		if names := n.forever(states); len(names) > 0 && n.Class() != "sort" {
			severity := SeverityInfo // one entry for each key is what such an operator is for
			if n.Class().IsJoin() || n.Class() == "sink" {
				severity = SeverityWarning
			}
			report(severity, StateForever, "It keeps %s for ever: no time-to-live is set, and no watermark ends it.", strings.Join(names, ", "))
		}
	}
	return findings
}

// howLong says how long a regular join keeps rows, for a message.
func (n *Node) howLong() string {
	states, _ := n.State()
	if len(n.forever(states)) > 0 {
		return " for ever"
	}
	return ""
}

// forever names the rows and accumulators among states that nothing removes and that grow with the input's keys. A limit
// keeps as many rows as it says, and what has a single key keeps one.
func (n *Node) forever(states []State) (names []string) {
	switch n.Class() {
	case "limit", "sort-limit":
		if !n.ranksBy("Retract") {
			return nil
		}
	case "group-aggregate", "global-group-aggregate":
		if count(n.field("grouping")) == 0 {
			return nil
		}
	}
	for _, s := range states {
		if s.Until.Kind != UntilForever || s.Role != RoleRows && s.Role != RoleAccumulator && s.Role != RoleUnknown {
			continue
		}
		name := s.RuntimeName
		if s.Name != "" {
			name = s.Name
		}
		if slices.Contains(names, name) {
			continue
		}
		if len(names) == 8 {
			return append(names, "...")
		}
		names = append(names, name)
	}
	return names
}

// normalizedVersions gives the changelog normalization that feeds the right input of a temporal join in a plan of 1.16 or
// before, or nil. From 1.16.1 on the planner leaves it out (FLINK-29849).
func (n *Node) normalizedVersions() *Node {
	if right, ok := n.field("rightTimeAttributeIndex").int(); !ok || right < 0 || !n.plan.release.before(1, 17) || len(n.inputs) != 2 {
		return nil
	}
	m := n.inputs[1].Node
	for steps := 0; m != nil && steps < len(n.plan.nodes); steps++ {
		switch m.Class() {
		case "changelog-normalize":
			return m
		case "exchange", "calc", "watermark-assigner", "mini-batch-assigner":
		default:
			return nil
		}
		m = m.input(0)
	}
	return nil
}
