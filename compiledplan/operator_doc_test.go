package compiledplan

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write files that tests compare with")

// TestOperatorStateDoc keeps docs/operator-state.md in step with the table of operators, which it is written from:
// go test ./compiledplan -run OperatorStateDoc -update
func TestOperatorStateDoc(t *testing.T) {
	const path = "../docs/operator-state.md"
	want := operatorStateDoc()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of step; run this test with -update", path)
	}
}

const operatorStateIntro = `# What operators remember

Every operator that a compiled plan of Flink 1.15 to 2.3 may hold, with what it keeps in state, what governs that, and how
long it stays. This page is written from the table in ` + "`compiledplan/operator.go`" + ` (` + "`go test ./compiledplan -run OperatorStateDoc -update`" + `);
` + "`planinfo`" + ` and the package say the same of a plan at hand.

**How it was read.** The types are those that the planner of each release lists (planner jars of 1.15.4, 1.16.3, 1.17.2, 1.18.1,
1.19.3, 1.20.5, 2.0.2, 2.1.3, 2.2.1 and 2.3.0). What they keep was read from the named runtime classes of 1.20.5 and 2.3.0, and
the names of the states were looked up in all ten. [evidence/state](evidence/state) lists the states of real jobs, read from
savepoints of 1.20.5 and 2.3.0.

**Governed by.**

- *plan*: the entry of that name in the node's ` + "`state`" + ` list, which plans have from 1.18 on. The recorded time-to-live counts, whatever the
  job says; ` + "`0 ms`" + ` is for ever. Where the list is missing (older plans, or taken out by hand), the job's ` + "`table.exec.state.ttl`" + `
  counts. One entry may govern several states.
- *job*: the job's ` + "`table.exec.state.ttl`" + ` when it runs, which no plan records; by default it is for ever.
- *none*: no time-to-live at all.
- *none, though recorded*: the plan has an entry, but the operator ignores it.

A time-to-live counts processing time since an entry was last written.

**Input** counts from 0; for joins 0 is left and 1 is right.

**Not listed** are the queues of timer services, the operators' own copies of the watermark, rows on their way through
asynchronous calls, and what connectors keep.

`

func operatorStateDoc() string {
	var b strings.Builder
	b.WriteString(operatorStateIntro)
	b.WriteString("## Operators that remember\n\n")
	var without []operator
	for _, op := range operatorTable() {
		if len(op.forms) == 0 && !op.opaque {
			without = append(without, op)
			continue
		}
		fmt.Fprintf(&b, "### %s\n\n%s (`%s`).", op.class, typesText(op), op.node)
		if op.runtime != "" {
			fmt.Fprintf(&b, " Read from %s.", op.runtime)
		}
		b.WriteString("\n\n")
		if len(op.forms) > 0 {
			b.WriteString("| when | state | role | input | governed by | stays until |\n| --- | --- | --- | --- | --- | --- |\n")
		}
		for _, f := range op.forms {
			when := f.when
			if len(f.keeps) == 0 {
				fmt.Fprintf(&b, "| %s | nothing | | | | |\n", when)
			}
			for _, rule := range f.keeps {
				fmt.Fprintf(&b, "| %s | %s | %v | %s | %s | %s |\n", when, runtimeText(rule), rule.role, inputText(rule), governedText(op, rule), rule.until.words)
				when = ""
			}
		}
		if len(op.forms) > 0 {
			b.WriteString("\n")
		}
		if op.note != "" {
			b.WriteString(op.note + "\n\n")
		}
	}
	b.WriteString("## Operators that remember nothing\n\nWhat they put out depends on the row at hand alone. Batch operators keep no state that a job could restore.\n\n" +
		"| operator | types | planner's class | remarks |\n| --- | --- | --- | --- |\n")
	for _, op := range without {
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", op.class, typesText(op), op.node, op.note)
	}
	b.WriteString(truthValuesIntro)
	for _, op := range operatorTable() {
		if len(op.written)+len(op.leftOut) > 0 {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", op.class, strings.Join(op.written, ", "), strings.Join(op.leftOut, ", "))
		}
	}
	return b.String()
}

const truthValuesIntro = `
## Truth values

Flink reads a member that should be true or false, and is missing, as false. What a missing one means depends on whether it may be: some
are in every plan, and if such a one is missing, somebody took it out; then it counts as unknown here, with all that follows from it.
Others are left out when they are false. Which are which follows from the annotations of the planner's classes (a primitive boolean
with ` + "`@JsonProperty`" + ` alone; ` + "`@JsonInclude(NON_DEFAULT)`" + `; a nullable one that came later, with 1.19), read from the jars of 1.15.4, 1.18.1,
1.20.5, 2.1.3 and 2.3.0, and from the plans of all releases.

| operator | always there | left out when false |
| --- | --- | --- |
`

func typesText(op operator) string {
	var types []string
	for _, typ := range op.types {
		types = append(types, fmt.Sprintf("`%s` (%s+)", typ.name, typ.since))
	}
	return strings.Join(types, ", ")
}

func runtimeText(rule stateRule) string {
	if rule.runtime == "" {
		return "(named at run time)"
	}
	text := "`" + rule.runtime + "`"
	if rule.some != "" {
		text += ", " + rule.some
	}
	return text
}

func inputText(rule stateRule) string {
	switch {
	case rule.each != nil && rule.input == NoInput:
		return "each"
	case rule.input == NoInput:
		return "-"
	}
	return fmt.Sprint(rule.input)
}

func governedText(op operator, rule stateRule) string {
	switch {
	case rule.entry != nil && rule.ttl == TTLFromNone:
		return "none, though recorded"
	case rule.each != nil && rule.input == NoInput:
		return "plan: `" + op.entries[0] + "`"
	case rule.entry != nil:
		return "plan: `" + op.entries[*rule.entry] + "`"
	}
	return rule.ttl.String()
}
