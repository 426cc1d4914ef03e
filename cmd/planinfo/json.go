package main

import (
	"strconv"

	"github.com/seed-69e58989/flinkread/compiledplan"
	"github.com/seed-69e58989/flinkread/internal/jsontext"
	"github.com/seed-69e58989/flinkread/internal/stream"
)

// A jsonPrinter prints objects: of a plan, its nodes in order, its findings. Their members and the order of these are part
// of what other programs rely on.
type jsonPrinter struct {
	out                    *stream.Output
	several                bool // files are named
	options                bool
	array                  bool
	before, between, after string
	objects                int
}

func (p *jsonPrinter) begin(file, kind string) {
	if p.objects == 0 {
		p.text(p.before)
	} else {
		p.text(p.between)
	}
	p.objects++
	p.text("{")
	if p.several {
		p.text(`"file":`)
		p.string(file)
		p.text(",")
	}
	p.text(`"kind":"` + kind + `"`)
}

func (p *jsonPrinter) finish() {
	p.text("}")
	p.out.Spill() // the error stays in out
}

func (p *jsonPrinter) end() {
	switch {
	case p.objects > 0:
		p.text(p.after)
	case p.array:
		p.text("[]\n")
	}
}

func (p *jsonPrinter) print(file string, plan *compiledplan.Plan) {
	names := namesOf(plan)
	p.begin(file, "plan")
	p.text(`,"flink_version":`)
	p.stringOrNull(plan.FlinkVersion())
	p.text(`,"nodes":`)
	p.int(int64(plan.NumNodes()))
	p.text(`,"edges":`)
	p.int(int64(plan.NumEdges()))
	p.text(`,"sinks":`)
	sinks := []int{}
	for _, sink := range plan.Sinks() {
		sinks = append(sinks, sink.ID())
	}
	p.ints(sinks)
	p.finish()
	for n := range plan.Nodes() {
		p.node(file, n, names)
	}
	for _, finding := range plan.Findings() {
		p.begin(file, "finding")
		p.text(`,"code":`)
		p.string(string(finding.Code))
		p.text(`,"severity":`)
		p.string(finding.Severity.String())
		p.text(`,"node":`)
		p.int(int64(finding.Node.ID()))
		p.text(`,"message":`)
		p.string(finding.Message)
		p.finish()
	}
}

func (p *jsonPrinter) node(file string, n *compiledplan.Node, names tableNames) {
	p.begin(file, "node")
	p.text(`,"id":`)
	p.int(int64(n.ID()))
	p.text(`,"type":`)
	p.string(n.Type())
	p.text(`,"class":`)
	p.string(n.Class().String())

	join, isJoin := n.Join()
	p.text(`,"join_types":`)
	p.stringsOrNull(join.Types, isJoin)
	p.text(`,"inputs":`)
	inputs := []int{}
	for _, input := range n.Inputs() {
		inputs = append(inputs, input.ID)
	}
	p.ints(inputs)
	p.text(`,"input_tables":[`)
	for i, list := range names.inputs(n) {
		if i > 0 {
			p.text(",")
		}
		p.stringsOrNull(list, true)
	}
	p.text(`],"left_keys":`)
	keyed := isJoin && join.Class != compiledplan.MultiJoin
	p.stringsOrNull(join.LeftKeys(), keyed)
	p.text(`,"right_keys":`)
	p.stringsOrNull(join.RightKeys(), keyed)
	p.text(`,"left_minus_right_ms":`)
	if b := join.Bounds; b != nil {
		p.text("[")
		p.int(b.Lower)
		p.text(",")
		p.int(b.Upper)
		p.text("]")
	} else {
		p.text("null")
	}
	p.text(`,"sinks":`)
	p.ints(sinkIDs(n))

	p.text(`,"state":`)
	if states, known := n.State(); known || len(states) > 0 { // what is recorded counts, whatever else there may be
		p.text("[")
		for i, s := range states {
			if i > 0 {
				p.text(",")
			}
			p.state(s)
		}
		p.text("]")
	} else {
		p.text("null")
	}

	output, source := n.Output()
	p.text(`,"output":`)
	p.stringsOrNull(output.Kinds(), source != compiledplan.SourceUnknown)
	p.text(`,"output_source":`)
	if source == compiledplan.SourceUnknown {
		p.text("null")
	} else {
		p.string(source.String())
	}
	p.text(`,"amends":`)
	if amends, known := n.Amends(); known {
		p.text(strconv.FormatBool(amends))
	} else {
		p.text("null")
	}
	if _, ok := n.Table(); ok && p.options {
		p.text(`,"options":{`)
		first := true
		for key, text := range n.Options() {
			if !first {
				p.text(",")
			}
			first = false
			p.string(key)
			p.text(":")
			p.string(masked(key, text))
		}
		p.text("}")
	}
	p.finish()
}

func (p *jsonPrinter) state(s compiledplan.State) {
	p.text(`{"input":`)
	p.intOrNull(int64(s.Input), s.Input != compiledplan.NoInput)
	p.text(`,"index":`)
	p.intOrNull(int64(s.Index), s.Index != compiledplan.NoIndex)
	p.text(`,"name":`)
	p.stringOrNull(s.Name)
	p.text(`,"runtime_name":`)
	p.stringOrNull(s.RuntimeName)
	p.text(`,"role":`)
	if s.Role == compiledplan.RoleUnknown {
		p.text("null")
	} else {
		p.string(s.Role.String())
	}
	p.text(`,"ttl":`)
	p.stringOrNull(s.TTL)
	p.text(`,"ttl_from":`)
	p.string(s.TTLFrom.String())
	p.text(`,"source":`)
	p.string(s.Source.String())
	p.text(`,"until":{"kind":`)
	p.string(s.Until.Kind.String())
	p.text(`,"offset_ms":`)
	p.intOrNull(s.Until.Offset, s.Until.HasOffset)
	p.text("}}")
}

func (p *jsonPrinter) text(s string)   { p.out.Buf = append(p.out.Buf, s...) }
func (p *jsonPrinter) string(s string) { p.out.Buf = jsontext.AppendString(p.out.Buf, s) }
func (p *jsonPrinter) int(n int64)     { p.out.Buf = strconv.AppendInt(p.out.Buf, n, 10) }

func (p *jsonPrinter) intOrNull(n int64, ok bool) {
	if ok {
		p.int(n)
	} else {
		p.text("null")
	}
}

// stringOrNull writes null for the empty string, which stands for what is not there.
func (p *jsonPrinter) stringOrNull(s string) {
	if s == "" {
		p.text("null")
	} else {
		p.string(s)
	}
}

func (p *jsonPrinter) stringsOrNull(list []string, ok bool) {
	if !ok {
		p.text("null")
		return
	}
	p.text("[")
	for i, s := range list {
		if i > 0 {
			p.text(",")
		}
		p.string(s)
	}
	p.text("]")
}

func (p *jsonPrinter) ints(list []int) {
	p.text("[")
	for i, n := range list {
		if i > 0 {
			p.text(",")
		}
		p.int(int64(n))
	}
	p.text("]")
}
