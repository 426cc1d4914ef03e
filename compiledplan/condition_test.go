package compiledplan

import (
	"strings"
	"testing"
)

func replaceOnce(t *testing.T, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is there %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, new, 1)
}

func TestCondition(t *testing.T) {
	const ref0, ref2 = `{"kind":"INPUT_REF","inputIndex":0}`, `{"kind":"INPUT_REF","inputIndex":2}`
	call := func(name string, operands ...string) string {
		return `{"kind":"CALL","internalName":"` + name + `","operands":[` + strings.Join(operands, ",") + `]}`
	}
	for _, test := range []struct {
		json, want string
		compares   bool
	}{
		{`null`, "", false},
		{`7`, "", false},
		{call("$=$1", ref0, ref2), "(left.t = right.t)", false},
		{call("$<=$1", ref0, ref2), "(left.t <= right.t)", true},
		{call("$<=$1", ref0, call("$+$1", ref2, `{"kind":"LITERAL","value":"60000","type":"INTERVAL MINUTE NOT NULL"}`)), "(left.t <= (right.t + 60000:INTERVAL MINUTE))", true},
		{call("$AND$1", call("$>$1", ref0, ref0), call("$=$1", ref2, ref2), call("$<$1", ref2, ref0)), "((left.t > left.t) AND (right.t = right.t) AND (right.t < left.t))", true},
		{call("$AND$1", call("$>$1", ref0, ref0), call("$>$1", ref2, ref2)), "((left.t > left.t) AND (right.t > right.t))", false},
		{call("$>$1", `{"kind":"INPUT_REF","inputIndex":1}`, `{"kind":"INPUT_REF","inputIndex":3}`), "(left.x > right.x)", false}, // no timestamps
		{call("$NOT$1", call("$IS NULL$1", ref0)), "NOT(IS NULL(left.t))", false},
		{call("$RAND$1"), "RAND()", false},
		{`{"kind":"CALL","catalogName":"` + "`c`.`d`.`f`" + `","operands":[` + ref0 + `]}`, "`c`.`d`.`f`(left.t)", false},
		{`{"kind":"CALL","operands":[{}]}`, "?(?)", false},
		{`{"kind":"INPUT_REF","inputIndex":9}`, "$9", false},
		{`{"kind":"INPUT_REF","inputIndex":-1}`, "$-1", false},
		{`{"kind":"LITERAL","value":null,"type":"NULL"}`, "NULL", false},
		{`{"kind":"LITERAL","value":true,"type":"BOOLEAN NOT NULL"}`, "true", false},
		{`{"kind":"LITERAL","value":"a'b","type":"VARCHAR(3) NOT NULL"}`, "'a''b'", false},
		{`{"kind":"LITERAL","value":"2026-01-01","type":"DATE NOT NULL"}`, "2026-01-01", false},
		{`{"kind":"LITERAL","sarg":{"ranges":[]},"type":"INT"}`, "Sarg[...]", false},
		{`{"kind":"FIELD_ACCESS","name":"f","expr":` + ref0 + `}`, "left.t.f", false},
		{`{"kind":"CORREL_VARIABLE","correl":"$cor0"}`, "CORREL_VARIABLE", false},
	} {
		plan, err := Parse([]byte(`{"flinkVersion":"2.3","nodes":[{"id":1,"type":"stream-exec-values_1","outputType":"ROW<` + "`t` TIMESTAMP(3), `x` INT" + `>"},
			{"id":2,"type":"stream-exec-join_1","joinSpec":{"joinType":"INNER","nonEquiCondition":` + test.json + `},"outputType":"ROW<>"}],
			"edges":[{"source":1,"target":2},{"source":1,"target":2}]}`))
		if err != nil {
			t.Fatalf("%s: %v", test.json, err)
		}
		j, _ := plan.Node(2).Join()
		if got := j.Condition.String(); got != test.want || j.Condition.IsZero() != (test.want == "") {
			t.Errorf("%s: %s instead of %s", test.json, got, test.want)
		}
		if !j.Condition.IsZero() && j.Condition.Raw() != test.json {
			t.Errorf("%s: raw %s", test.json, j.Condition.Raw())
		}
		if got := j.Condition.comparesTimes(); got != test.compares {
			t.Errorf("%s: compares times: %v", test.json, got)
		}
	}
}
