package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-69e58989/flinkread/compiledplan"
	"github.com/seed-69e58989/flinkread/internal/duration"
	"github.com/seed-69e58989/flinkread/internal/render"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/internal/visible"
)

// pageWidth is what the tables for people take at most, in columns.
const pageWidth = 100

// A textPrinter prints tables for people: the operators, what joins join by, and what each operator keeps. One table would
// have to cut or break the names to fit a page.
type textPrinter struct {
	out     *stream.Output
	options bool
	plans   int
}

func (p *textPrinter) end() {}

func (p *textPrinter) print(file string, plan *compiledplan.Plan) {
	if p.plans++; p.plans > 1 {
		p.line("")
	}
	names := namesOf(plan)
	p.paragraph(title(file, plan, names))
	operators := render.Table{Width: pageWidth, Columns: []render.Column{
		{Name: "id", Right: true}, {Name: "type", Overflow: render.Wrap}, {Name: "class"}, {Name: "tables", Overflow: render.Wrap}, {Name: "amends"},
	}}
	states := render.Table{Width: pageWidth, Columns: []render.Column{
		{Name: "id", Right: true}, {Name: "state", Overflow: render.Wrap}, {Name: "holds", Overflow: render.Wrap}, {Name: "TTL"}, {Name: "kept until"},
	}}
	for n := range plan.Nodes() {
		if !isTold(n) {
			continue
		}
		id := strconv.Itoa(n.ID())
		operators.Rows = append(operators.Rows, []string{id, n.Type(), n.Class().String(), tablesText(n, names), amendsText(n)})
		for _, cells := range statesText(n) {
			states.Rows = append(states.Rows, append([]string{id}, cells...))
		}
	}
	p.line("")
	if len(operators.Rows) == 0 {
		p.line("No operator holds state, and none joins.")
	} else {
		operators.Text(p.out) // the error stays in out
		p.line("")
		if joins := joinTable(plan, pageWidth); len(joins.Rows) > 0 {
			joins.Text(p.out) // as above
			p.line("")
		}
		states.Text(p.out) // as above
	}
	if findings := plan.Findings(); len(findings) > 0 {
		p.line("")
		for _, f := range findings {
			p.paragraph(findingText(f))
		}
	}
	if p.options {
		for n := range plan.Nodes() {
			t, ok := n.Table()
			if !ok {
				continue
			}
			p.line("")
			p.line(fmt.Sprintf("Options of %s (node %d):", names.of(t), n.ID()))
			for key, text := range n.Options() {
				p.line("  " + key + " = " + masked(key, text))
			}
		}
	}
}

func (p *textPrinter) line(text string) { p.out.Write(append(visible.Append(nil, text), '\n')) }

// paragraph writes a text in lines that fit the page, the second and later ones indented.
func (p *textPrinter) paragraph(text string) {
	var line strings.Builder
	for _, word := range strings.Fields(text) {
		if line.Len() > 0 && line.Len()+1+len(word) > pageWidth {
			p.line(line.String())
			line.Reset()
			line.WriteString("  ")
		} else if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word)
	}
	p.line(line.String())
}

// A markdownPrinter prints Markdown: a heading for each plan, a table, a list of findings.
type markdownPrinter struct {
	out     *stream.Output
	options bool
	plans   int
}

func (p *markdownPrinter) end() {}

func (p *markdownPrinter) print(file string, plan *compiledplan.Plan) {
	if p.plans++; p.plans > 1 {
		p.line("", "")
	}
	names := namesOf(plan)
	p.line("## ", title(file, plan, names))
	table := render.Table{Columns: []render.Column{{Name: "id", Right: true}, {Name: "type"}, {Name: "class"}, {Name: "tables"}, {Name: "state"}, {Name: "holds"}, {Name: "TTL"}, {Name: "kept until"}, {Name: "amends"}}}
	for n := range plan.Nodes() {
		if !isTold(n) {
			continue
		}
		for _, cells := range statesText(n) {
			row := []string{strconv.Itoa(n.ID()), n.Type(), n.Class().String(), tablesText(n, names)}
			table.Rows = append(table.Rows, append(append(row, cells...), amendsText(n)))
		}
	}
	p.line("", "")
	if len(table.Rows) == 0 {
		p.line("", "No operator holds state, and none joins.")
	} else {
		table.Markdown(p.out) // the error stays in out
		if joins := joinTable(plan, 0); len(joins.Rows) > 0 {
			p.line("", "")
			joins.Markdown(p.out) // as above
		}
	}
	if findings := plan.Findings(); len(findings) > 0 {
		p.line("", "")
		for _, f := range findings {
			p.line("- ", findingText(f))
		}
	}
	if p.options {
		options := render.Table{Columns: []render.Column{{Name: "id", Right: true}, {Name: "table"}, {Name: "option"}, {Name: "value"}}}
		for n := range plan.Nodes() {
			if t, ok := n.Table(); ok {
				for key, text := range n.Options() {
					options.Rows = append(options.Rows, []string{strconv.Itoa(n.ID()), names.of(t), key, masked(key, text)})
				}
			}
		}
		p.line("", "")
		options.Markdown(p.out) // the error stays in out
	}
}

func (p *markdownPrinter) line(markup, text string) {
	p.out.Write(append(render.AppendMarkdown([]byte(markup), text), '\n'))
}

// title says which plan it is: plan.json: Flink 2.3, 11 nodes, 10 edges, writes to t.
func title(file string, plan *compiledplan.Plan, names tableNames) string {
	version := "Flink " + plan.FlinkVersion()
	if plan.FlinkVersion() == "" {
		version = "unknown version"
	}
	text := fmt.Sprintf("%s: %s, %s, %s", file, version, counted(plan.NumNodes(), "node"), counted(plan.NumEdges(), "edge"))
	if sinks := sinkTables(plan, names); len(sinks) > 0 {
		text += ", writes to " + strings.Join(sinks, ", ")
	}
	return text
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// maxListed is how many names stand in a cell: a chain of joins has more tables with each.
const maxListed = 8

func listText(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		names = append(names[:maxListed:maxListed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// tablesText gives the tables of all inputs, inputs parted by a stroke, and what a lookup join asks as the last of them.
func tablesText(n *compiledplan.Node, names tableNames) string {
	var texts []string
	for _, tables := range names.inputs(n) {
		if len(tables) == 0 {
			tables = []string{"-"} // rows of no table, such as VALUES
		}
		texts = append(texts, listText(tables))
	}
	if join, _ := n.Join(); join.Table != (compiledplan.Table{}) {
		texts = append(texts, names.of(join.Table)+" (looked up)")
	}
	return strings.Join(texts, " / ")
}

// joinTable gives what each join joins by: its types, its keys, and within what times if it is an interval join.
func joinTable(plan *compiledplan.Plan, width int) render.Table {
	table := render.Table{Width: width, Columns: []render.Column{
		{Name: "id", Right: true}, {Name: "join", Overflow: render.Wrap}, {Name: "keys: left = right", Overflow: render.Wrap},
	}}
	times := false
	for n := range plan.Nodes() {
		join, ok := n.Join()
		if !ok {
			continue
		}
		row := []string{strconv.Itoa(n.ID()), listText(join.Types), keysText(join)}
		if b := join.Bounds; b != nil {
			row, times = append(row, duration.Text(b.Lower)+" to "+duration.Text(b.Upper)), true
		}
		table.Rows = append(table.Rows, row)
	}
	if times {
		table.Columns = append(table.Columns, render.Column{Name: "left time - right time"})
		for i, row := range table.Rows {
			if len(row) < len(table.Columns) {
				table.Rows[i] = append(row, "") // Markdown wants a cell in each column
			}
		}
	}
	return table
}

// keysText gives the keys of a join, with the inputs that they are of where there are more than two. A lookup join without keys may look
// for constants, and one whose type cannot be read may have any.
func keysText(join compiledplan.Join) string {
	if len(join.Keys) == 0 && len(join.Types) > 0 && join.Class != compiledplan.LookupJoin {
		return "none"
	}
	var keys []string
	for _, k := range join.Keys {
		left, right := k.Left.String(), k.Right.String()
		if len(join.Inputs) > 2 {
			left, right = inputText(k.LeftInput, len(join.Inputs))+": "+left, inputText(k.RightInput, len(join.Inputs))+": "+right
		}
		keys = append(keys, left+" = "+right)
	}
	return listText(keys)
}

func amendsText(n *compiledplan.Node) string {
	amends, known := n.Amends()
	switch {
	case !known:
		return "unknown"
	case amends:
		return "yes"
	}
	return "no"
}

func findingText(f compiledplan.Finding) string {
	return fmt.Sprintf("%v: node %d (%s): %s [%s]", f.Severity, f.Node.ID(), f.Node.Class(), f.Message, f.Code)
}

// statesText gives the cells of each state of a node: state, holds, TTL, kept until. A node without state has one line.
func statesText(n *compiledplan.Node) (rows [][]string) {
	states, known := n.State()
	if !known {
		rows = append(rows, []string{"not known", "", "", ""})
	} else if len(states) == 0 {
		rows = append(rows, []string{"keeps nothing", "", "", ""})
	}
	join, isJoin := n.Join()
	governed := make(map[int]int) // by index, how many states the plan's entry governs
	for _, s := range states {
		governed[s.Index]++
	}
	for _, s := range states {
		name := s.Name
		if name == "" {
			name = s.RuntimeName
		}
		if name == "" {
			name = "(named at run time)"
		}
		if s.Source == compiledplan.Recorded && governed[s.Index] > 1 {
			name += " (" + s.RuntimeName + ")"
		}
		holds := s.Role.String()
		if isJoin && s.Input != compiledplan.NoInput {
			holds = inputText(s.Input, len(join.Inputs)) + " " + holds
			if s.Role == compiledplan.RoleRows && s.Input < len(join.Inputs) && join.Inputs[s.Input].Spec == compiledplan.JoinKeyContainsUniqueKey {
				holds += ", one per key"
			}
		}
		rows = append(rows, []string{name, holds, ttlText(s), untilText(s)})
	}
	return rows
}

func inputText(input, of int) string {
	if of == 2 && input < 2 {
		return [...]string{"left", "right"}[input]
	}
	return fmt.Sprintf("input %d", input)
}

// ttlText says which time-to-live there is, or why none is known: a missing one has several meanings.
func ttlText(s compiledplan.State) string {
	switch {
	case s.Source == compiledplan.Recorded && s.TTLFrom == compiledplan.TTLFromNone:
		return s.TTL + " (ignored)"
	case s.Source == compiledplan.Recorded:
		return s.TTL
	case s.Source == compiledplan.NotRecorded:
		return "not recorded"
	case s.TTLFrom == compiledplan.TTLFromJob:
		return "the job's"
	}
	return s.TTLFrom.String()
}

// untilText says until when an entry stays.
func untilText(s compiledplan.State) string {
	switch s.Until.Kind {
	case compiledplan.UntilForever:
		return "for ever"
	case compiledplan.UntilTTL:
		return "unwritten for " + s.TTL
	case compiledplan.UntilWatermark:
		return "watermark" + offsetText(s)
	case compiledplan.UntilProcessingTime:
		return "clock" + offsetText(s)
	case compiledplan.UntilWindowEnd:
		return "window's end"
	case compiledplan.UntilSuperseded:
		return "newer version"
	}
	if s.TTLFrom == compiledplan.TTLFromJob {
		return "job's TTL, if set"
	}
	return "unknown"
}

// offsetText gives what the watermark or the clock must reach or pass: the row's time and an offset, or the time that the
// entry holds.
func offsetText(s compiledplan.State) string {
	u := s.Until
	than := " > "
	if u.Inclusive {
		than = " >= "
	}
	switch {
	case !u.HasOffset && s.Role == compiledplan.RoleRows:
		return than + "row + unknown"
	case !u.HasOffset:
		return than + "its time"
	case u.Offset == 0:
		return than + "row"
	case u.Offset < 0:
		return than + "row - " + strings.TrimPrefix(duration.Text(u.Offset), "-")
	}
	return than + "row + " + duration.Text(u.Offset)
}
