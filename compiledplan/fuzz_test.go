package compiledplan

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// addPlans seeds a fuzz target with some plans, whole and cut down to what a mutation can do something with.
func addPlans(f *testing.F) {
	err := filepath.WalkDir("../testdata/plans/2.3.0", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var compact []byte
		var plan any
		if err := json.Unmarshal(data, &plan); err != nil {
			return err
		}
		if compact, err = json.Marshal(plan); err != nil {
			return err
		}
		f.Add(compact)
		f.Add(compact[:len(compact)/2])
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"", "{", valuesPlan, valuesPlan + "}", "\ufeff" + valuesPlan, `{"nodes":[{"id":1,"type":"null_null"}],"edges":[{"source":1,"target":1}]}`, "Flink SQL> ", "[[[[", `{"a":"\ud800"}`} {
		f.Add([]byte(seed))
	}
}

// FuzzPlan: no input makes anything panic, and what is said of it holds together.
func FuzzPlan(f *testing.F) {
	addPlans(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		plan, err := Parse(data)
		if err != nil {
			if plan != nil {
				t.Error("both a plan and an error")
			}
			parse := err.(*ParseError)
			if parse.Pos.Offset < 0 || parse.Pos.Offset > len(data) || parse.Pos.Line < 1 || parse.Pos.Col < 1 {
				t.Errorf("place %+v", parse.Pos)
			}
			return
		}
		if !json.Valid([]byte(plan.doc.root.raw)) {
			t.Error("not JSON")
		}
		for _, problem := range plan.Validate() {
			if problem.Code == "" || problem.Severity == SeverityNone || problem.Message == "" || problem.Pos.Offset > len(data) {
				t.Errorf("%+v", problem)
			}
		}
		for _, finding := range plan.Findings() {
			if finding.Code == "" || finding.Severity == SeverityNone || finding.Message == "" || finding.Node == nil {
				t.Errorf("%+v", finding)
			}
		}
		for n := range plan.Nodes() {
			if n.Raw() != string(data[n.Pos().Offset:n.Pos().Offset+len(n.Raw())]) {
				t.Errorf("%v does not stand at %v", n, n.Pos())
			}
			states, known := n.State()
			for _, s := range states {
				if (s.Source == Recorded) != (s.Index != NoIndex) || s.Until.HasOffset && s.Until.Kind != UntilWatermark && s.Until.Kind != UntilProcessingTime ||
					s.Until.Inclusive && s.Until.Kind != UntilWatermark {
					t.Errorf("%v: %+v", n, s)
				}
			}
			if known && !n.Known() {
				t.Errorf("%v: the state of an unknown type is known", n)
			}
			if out, source := n.Output(); (out == 0) != (source == SourceUnknown) {
				t.Errorf("%v: %v, %v", n, out, source)
			}
			if j, ok := n.Join(); ok != n.Class().IsJoin() || ok && len(j.Inputs) != len(n.Inputs()) {
				t.Errorf("%v: %+v", n, j)
			} else if ok {
				_ = j.Condition.String()
			}
			n.Amends()
			n.Sinks()
			n.InputTables()
			n.OutputType()
			for range n.Options() {
			}
			_ = fmt.Sprint(n)
		}
	})
}

// FuzzCut: a plan that is cut, or has bytes behind it, is told from a whole one.
func FuzzCut(f *testing.F) {
	f.Add(30, "x")
	f.Fuzz(func(t *testing.T, cut int, rest string) {
		if cut < 0 || cut > len(valuesPlan) {
			return
		}
		plan, err := Parse([]byte(valuesPlan[:cut]))
		if (err == nil) != (cut == len(valuesPlan)) {
			t.Errorf("cut to %d bytes: %v, %v", cut, plan, err)
		}
		plan, err = Parse([]byte(valuesPlan + rest))
		if err != nil {
			if strings.ToValidUTF8(rest, "") == rest {
				t.Errorf("%q behind the plan: %v", rest, err)
			}
			return
		}
		want := 0
		if strings.Trim(rest, " \t\r\n") != "" {
			want = 1
		}
		if got := plan.Validate(); len(got) != want {
			t.Errorf("%q behind the plan: %v", rest, got)
		}
	})
}
