package compiledplan

import (
	"fmt"
	"slices"
	"strings"
)

// A Finding is something that a plan's owner may want to know before it runs: Flink would take the plan, but it may not
// do what was meant, or cost more than was thought.
type Finding struct {
	Code     string // one of the codes that Findings lists
	Severity Severity
	Node     *Node
	Message  string // one sentence, or two
}

// Findings gives what is worth telling about the plan, node by node in the order of the file. There are few, and each can
// be shown from the plan.
//
//	time-condition         a regular join whose condition bounds a timestamp of one input by one of the other, while
//	                       neither is a time attribute: it was meant to be an interval join, and keeps all rows
//	impossible-bounds      an interval join whose bounds no pair of rows can meet
//	join-without-keys      a regular join that compares every row with every other, in a single task
//	state-forever          rows, or an accumulator for each key, that no time ever removes (SeverityInfo, but for joins and sinks)
//	ttl-ignored            a sink whose recorded time-to-live Flink ignores
//	normalize-versions     a changelog normalization that feeds the versions of an event-time temporal join, in a plan of
//	                       1.16 or before: versions get lost, and results are wrong (FLINK-29849)
//	streaming-sort         a sort of a stream by anything but time: nothing comes out before the input ends
//	null-type              a node of type null_null: the plan cannot be restored (FLINK-33179)
//	unknown-type           a node of a type that is not known here, of which nothing can be told
func (p *Plan) Findings() []Finding {
	var findings []Finding
	for n := range p.Nodes() {
		report := func(severity Severity, code, format string, args ...any) {
			findings = append(findings, Finding{code, severity, n, fmt.Sprintf(format, args...)})
		}
		switch n.Class() {
		case "":
			if n.typ == "null_null" {
				report(SeverityError, "null-type", "The planner met an operator that no plan may hold; this plan cannot be restored.")
			} else {
				report(SeverityWarning, "unknown-type", "The type %.60q is not known here; what it remembers and puts out cannot be told.", n.typ)
			}
		case RegularJoin:
			j, _ := n.Join()
			if j.Condition.comparesTimes() {
				report(SeverityWarning, "time-condition", "The condition bounds a timestamp of one input by one of the other, but neither is a time attribute here: "+
					"this is a regular join, which keeps the rows of both inputs%s, and no interval join. Are watermarks missing, or does an input update?", n.howLong())
				continue
			}
			if len(j.Keys) == 0 {
				report(SeverityWarning, "join-without-keys", "No columns must be equal: every row meets every other, in a single task.")
			}
		case IntervalJoin:
			if b := n.bounds(); b != nil && b.Impossible() {
				report(SeverityWarning, "impossible-bounds", "No pair of rows can meet the bounds: left time minus right time would have to be at least %d ms and at most %d ms.", b.Lower, b.Upper)
			}
		case TemporalJoin:
			if m := n.normalizedVersions(); m != nil {
				report(SeverityWarning, "normalize-versions", "Node %d normalizes the versions below: up to 1.16.0 this damages them, and results are wrong (FLINK-29849).", m.id)
			}
		case "sort":
			if !n.op.batch {
				report(SeverityWarning, "streaming-sort", "It keeps all rows, and nothing comes out before its input ends; Flink refuses to run it unless the job allows it.")
			}
		}
		states, _ := n.State()
		if slices.ContainsFunc(states, func(s State) bool {
			ms, ok := s.TTLMillis()
			return ok && ms > 0 && s.TTLFrom == TTLFromNone
		}) {
			report(SeverityWarning, "ttl-ignored", "A time-to-live is recorded, but this way of materializing ignores it.")
		}
		if names := n.forever(states); len(names) > 0 && n.Class() != "sort" {
			severity := SeverityInfo // one entry for each key is what such an operator is for
			if n.Class().IsJoin() || n.Class() == "sink" {
				severity = SeverityWarning
			}
			report(severity, "state-forever", "It keeps %s for ever: no time-to-live is set, and no watermark ends it.", strings.Join(names, ", "))
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
