package compiledplan_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/seed-69e58989/flinkread/compiledplan"
)

func read(path string) *compiledplan.Plan {
	data, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	plan, err := compiledplan.Parse(data)
	if err != nil {
		panic(err)
	}
	return plan
}

// What does each operator remember, and until when?
func Example() {
	plan := read("../testdata/plans/2.3.0/lab-temporal.json")
	for n := range plan.Nodes() {
		states, known := n.State()
		if !known {
			fmt.Println(n.ID(), n.Class(), "may remember anything")
		}
		for _, s := range states {
			fmt.Println(n.ID(), n.Class(), s.RuntimeName, s.Role, "until", s.Until.Kind, "("+s.Source.String()+")")
		}
	}
	// Output:
	// 27 deduplicate deduplicate-state rows until forever (recorded)
	// 29 temporal-join left rows until watermark (implied)
	// 29 temporal-join right versions until superseded (implied)
	// 29 temporal-join next-index index until unknown (implied)
	// 29 temporal-join timer timer until watermark (implied)
}

// How does a plan join, and on what?
func ExampleNode_Join() {
	for _, name := range []string{"regular", "interval", "temporal"} {
		for n := range read("../testdata/plans/1.17.2/lab-" + name + ".json").Nodes() {
			j, ok := n.Join()
			if !ok {
				continue
			}
			fmt.Print(j.Class, " ", j.Types[0], " ", j.Keys[0].Left, " = ", j.Keys[0].Right)
			if j.Bounds != nil {
				fmt.Printf(", left minus right from %d to %d ms", j.Bounds.Lower, j.Bounds.Upper)
			}
			fmt.Println()
		}
	}
	// Output:
	// regular-join INNER user_id = user_id
	// interval-join INNER order_id = order_id, left minus right from -7200000 to 0 ms
	// temporal-join INNER currency = currency
}

// Which rows does an operator put out, and does it take some back?
func ExampleNode_Output() {
	for n := range read("../testdata/plans/1.20.5/lab-regular.json").Nodes() {
		if n.Class() == "group-aggregate" || n.Class() == compiledplan.RegularJoin {
			mode, source := n.Output()
			amends, _ := n.Amends()
			fmt.Println(n.Class(), mode, source, "amends:", amends)
		}
	}
	// Output:
	// regular-join +I inferred amends: false
	// group-aggregate +I +U recorded amends: true
}

func ExamplePlan_Findings() {
	plan := read("../testdata/plans/2.3.0/interval-no-watermark.json")
	for _, f := range plan.Findings() {
		fmt.Println(f.Severity, f.Code, "node", f.Node.ID())
	}
	// Output:
	// warning time-condition node 5
}

func ExampleParse() {
	_, err := compiledplan.Parse([]byte("Flink SQL> COMPILE PLAN 'p.json' FOR INSERT INTO t SELECT 1;\n"))
	fmt.Println(err)
	fmt.Println(errors.Is(err, compiledplan.ErrNotPlan))
	// Output:
	// 1:1: not a compiled plan: it begins with "F"; it seems to be a transcript of the SQL client
	// true
}
