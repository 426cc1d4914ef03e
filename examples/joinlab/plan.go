package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-69e58989/flinkread/compiledplan"
)

// A plannedJoin is what a plan of the lab must say. Every text is as the checks
// compare it.
type plannedJoin struct {
	question string // of which it is the plan
	sink     string
	class    compiledplan.Class
	tables   [2]string // left and right; or right and left, unless the join is temporal
	key      string    // the column that both sides are joined by
	delay    string    // of the shipment behind its order; "" for a join without bounds
	states   string    // that are recorded
}

var plans = []plannedJoin{
	{"regular", "regular_sink", compiledplan.RegularJoin, [2]string{"orders", "users"}, "user_id", "", "leftState, rightState"},
	{"interval", "interval_sink", compiledplan.IntervalJoin, [2]string{"orders", "shipments"}, "order_id", "0s to 2h0m0s", "none"},
	{"temporal", "temporal_sink", compiledplan.TemporalJoin, [2]string{"orders", "rates"}, "currency", "", "none"},
}

func (w plannedJoin) artefact() string { return w.question + "-plan" }

// aspects are what is checked of the plan.
func (w plannedJoin) aspects() []string {
	if w.delay != "" {
		return []string{"file", "sink", "join", "tables", "keys", "bounds", "state"}
	}
	return []string{"file", "sink", "join", "tables", "keys", "state"}
}

// plan checks a compiled plan.
func (s *submission) plan(w plannedJoin) {
	file := w.artefact() + ".json"
	isPlan := check{Name: w.artefact() + ".file", Want: "a compiled plan",
		Hint: fmt.Sprintf("COMPILE PLAN '%s' FOR INSERT INTO %s SELECT ... writes it", file, w.sink)}
	if s.noPlans {
		isPlan.Hint = "this release has no compiled plans: COMPILE PLAN came with 1.15, and the outputs are of 1.13 or 1.14"
	}
	data, ok := s.read(file, isPlan)
	if !ok {
		return
	}
	plan, err := compiledplan.Parse(data)
	isPlan.Place, isPlan.Got = file+":1:1", isPlan.Want
	var refused *compiledplan.ParseError
	if errors.As(err, &refused) {
		isPlan.Place, isPlan.Got = place(file, refused.Pos), refused.Msg
		if refused.Found != compiledplan.FormatUnknown {
			isPlan.Got = refused.Found.String()
		}
	} else if p, broken := firstFault(plan); broken {
		isPlan.Place, isPlan.Got = place(file, p.Pos), p.Message
		isPlan.Hint = "remove the file and compile the plan again"
	}
	s.equal(isPlan)
	if plan != nil {
		s.plannedQuery(w, file, plan)
	}
}

// plannedQuery checks that a plan is of the right query, and what its join will
// remember.
func (s *submission) plannedQuery(w plannedJoin, file string, plan *compiledplan.Plan) {
	joins, sinks := joinsOf(plan), plan.Sinks()
	cause, otherwise := s.planHints(w, plan)
	judge := func(aspect string, n []*compiledplan.Node, got, want, hint string) {
		c := check{Name: w.artefact() + "." + aspect, Place: file + ":1:1", Got: got, Want: want, Hint: cmp.Or(cause, hint) + otherwise}
		if len(n) > 0 {
			c.Place = place(file, n[0].Pos())
		}
		s.equal(c)
	}
	judge("sink", sinks, sinkNames(sinks), w.sink, "INSERT INTO "+w.sink)
	judge("join", joins, joinNames(joins), "INNER "+w.class.String(), "the query has one JOIN, which is neither LEFT nor RIGHT nor FULL")
	if len(joins) != 1 {
		return
	}

	// A JOIN b and b JOIN a are the same, but not if one is AS OF the other.
	inputs := tableNames(joins[0])
	swapped := w.class != compiledplan.TemporalJoin && len(inputs) == 2 && inputs[0] == w.tables[1]
	if swapped {
		slices.Reverse(inputs)
	}
	on := fmt.Sprintf("the query joins %s and %s ON their %s", w.tables[0], w.tables[1], w.key)
	judge("tables", joins, strings.Join(inputs, ", "), strings.Join(w.tables[:], ", "), on)

	join, _ := joins[0].Join()
	var keys []string
	for _, pair := range join.Keys {
		left, right := pair.Left.String(), pair.Right.String()
		if swapped {
			left, right = right, left
		}
		keys = append(keys, left+" = "+right)
	}
	judge("keys", joins, strings.Join(keys, ", "), w.key+" = "+w.key, on)

	if b := join.Bounds; b != nil && w.delay != "" {
		// The bounds are those of the left time minus the right time.
		from, to := -b.Upper, -b.Lower
		if swapped {
			from, to = b.Lower, b.Upper
		}
		judge("bounds", joins, milliseconds(from)+" to "+milliseconds(to), w.delay, "ship_time is BETWEEN order_time AND order_time + INTERVAL '2' HOUR, both included")
	}

	states, old, known := recordedStates(joins[0])
	want := w.states
	if old && want != "none" {
		want = "left-records, right-records (not recorded before 1.18)"
	}
	if known {
		judge("state", joins, states, want, "a "+w.class.String()+" does not remember this")
	}
}

// recordedStates gives the states that the plan records, by the names it has for
// them. A plan of before 1.18 records none (FLINK-31791), but what a later one
// would record is known: old is then set, and the names are those that Flink
// uses at run time.
func recordedStates(n *compiledplan.Node) (names string, old, known bool) {
	states, known := n.State()
	var recorded []string
	for _, st := range states {
		switch st.Source {
		case compiledplan.Recorded:
			recorded = append(recorded, st.Name)
		case compiledplan.NotRecorded:
			old = true
			recorded = append(recorded, st.RuntimeName)
		case compiledplan.SourceUnknown:
			known = false
		}
	}
	switch names = strings.Join(recorded, ", "); {
	case old:
		names += " (not recorded before 1.18)"
	case names == "":
		names = "none"
	}
	return names, old, known
}

// planHints says what probably went wrong if a plan is not the wanted one: the
// cause, or "" if each check has to tell its own, and what else may be.
func (s *submission) planHints(w plannedJoin, plan *compiledplan.Plan) (cause, otherwise string) {
	joins := joinsOf(plan)
	for _, other := range plans {
		if other != w && len(joins) == 1 && joins[0].Class() == other.class && sinkNames(plan.Sinks()) == other.sink {
			return fmt.Sprintf("this is the plan of the query in %s.sql", other.question), ""
		}
	}
	if s.passed(w.question + ".rows") {
		otherwise = fmt.Sprintf("; %s.out is right, so this plan is of another statement or of an older one: COMPILE PLAN does not overwrite a file, so remove it and compile again", w.question)
	}
	if len(joins) != 1 || joins[0].Class() != compiledplan.RegularJoin {
		return "", otherwise
	}
	switch timed := slices.ContainsFunc(plan.Findings(), func(f compiledplan.Finding) bool { return f.Code == compiledplan.TimeCondition }); {
	case w.class == compiledplan.TemporalJoin:
		cause = "FOR SYSTEM_TIME AS OF o.order_time is missing: without it this is a regular join with the last rates"
	case w.class == compiledplan.IntervalJoin && !timed:
		cause = "the time condition is missing"
	case w.class == compiledplan.IntervalJoin && !s.watermarks(w.tables[:]):
		return "watermarks are missing: without WATERMARK in both tables of ddl.sql the time condition makes a regular join, which keeps all rows for ever", ""
	case w.class == compiledplan.IntervalJoin:
		cause = "a watermark was missing when this was compiled: the time condition made a regular join, which keeps all rows for ever"
	}
	return cause, otherwise
}

// watermarks reports whether ddl.sql declares a watermark in each of the tables.
func (s *submission) watermarks(tables []string) bool {
	ddl := s.text("ddl.sql")
	for _, table := range tables {
		declared := regexp.MustCompile(`(?is)\bcreate\s+table\s+` + table + `\b[^;]*\bwatermark\s+for\b`)
		if !declared.MatchString(ddl) {
			return false
		}
	}
	return true
}

func joinsOf(plan *compiledplan.Plan) []*compiledplan.Node {
	var joins []*compiledplan.Node
	for n := range plan.Nodes() {
		if n.Class().IsJoin() {
			joins = append(joins, n)
		}
	}
	return joins
}

// joinNames gives the kinds of joins, such as "INNER regular-join".
func joinNames(joins []*compiledplan.Node) string {
	var names []string
	for _, n := range joins {
		j, _ := n.Join()
		names = append(names, strings.Join(append(j.Types, j.Class.String()), " "))
	}
	if len(names) == 0 {
		return "no join"
	}
	return strings.Join(names, ", ")
}

// tableNames gives the tables that reach each input of a node.
func tableNames(n *compiledplan.Node) []string {
	var inputs []string
	for _, tables := range n.InputTables() {
		var names []string
		for _, t := range tables {
			names = append(names, t.Name)
		}
		inputs = append(inputs, strings.Join(names, " and "))
	}
	return inputs
}

func sinkNames(sinks []*compiledplan.Node) string {
	var names []string
	for _, n := range sinks {
		t, _ := n.Table()
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// firstFault gives the first reason not to take a file for the plan that was asked for: what Flink would refuse, or the end
// of another plan, which Flink does not read, but which no COMPILE PLAN of its own leaves.
func firstFault(plan *compiledplan.Plan) (compiledplan.Problem, bool) {
	for _, p := range plan.Validate() {
		if p.Severity == compiledplan.SeverityError || p.Code == compiledplan.TrailingBytes {
			return p, true
		}
	}
	return compiledplan.Problem{}, false
}

func place(file string, pos compiledplan.Pos) string { return file + ":" + pos.String() }

func milliseconds(n int64) string { return (time.Duration(n) * time.Millisecond).String() }
