package compiledplan

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// forEachPlan runs a test for each plan of testdata, and for the plans beside the repository where these are present:
// more releases, and the fixtures of Flink's own planner tests.
func forEachPlan(t *testing.T, test func(t *testing.T, data []byte, path string)) {
	plans := 0
	for _, root := range []string{"../testdata/plans", "../../shared/corpus", "../../shared/plans"} {
		if _, err := os.Stat(root); err != nil && strings.HasPrefix(root, "../../shared") {
			t.Logf("%s is missing: its plans are not tested", root)
			continue
		}
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			isPlan := strings.HasSuffix(path, ".json") || strings.Contains(path, "jsonplan-") && strings.HasSuffix(path, ".out")
			if root == "../../shared/corpus" {
				isPlan = isPlan && (strings.HasSuffix(path, "-plan.json") || strings.Contains(path, "/plans/"))
			}
			if entry.IsDir() || !isPlan {
				return nil
			}
			plans++
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			t.Run(strings.TrimPrefix(path, "../"), func(t *testing.T) { test(t, data, path) })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if plans < 100 {
		t.Fatalf("only %d plans", plans)
	}
}

// TestPlans checks on every plan what must hold for each: no node is unknown, nothing that Flink would object to but the
// version that fixtures leave empty, every type and state readable, and the state exactly what the file records, as
// another JSON reader sees it.
func TestPlans(t *testing.T) {
	forEachPlan(t, func(t *testing.T, data []byte, path string) {
		plan, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range plan.Validate() {
			if problem.Code != "missing-version" || plan.FlinkVersion() != "" || !strings.Contains(path, "jsonplan-") {
				t.Error(problem)
			}
		}
		var file struct {
			FlinkVersion string
			Nodes        []struct {
				ID          int
				Type        string
				Description string
				State       []struct {
					Index     int
					TTL, Name string
				}
			}
			Edges []struct{ Source, Target int }
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		if file.FlinkVersion != plan.FlinkVersion() || len(file.Nodes) != plan.NumNodes() || len(file.Edges) != plan.NumEdges() {
			t.Fatalf("%d nodes and %d edges of %q", plan.NumNodes(), plan.NumEdges(), plan.FlinkVersion())
		}
		i := 0
		for n := range plan.Nodes() {
			want := file.Nodes[i]
			i++
			if n.ID() != want.ID || n.Type() != want.Type || n.Description() != want.Description {
				t.Errorf("%v is %d %s", n, want.ID, want.Type)
			}
			if !n.Known() {
				t.Errorf("%v is not known", n)
			}
			states, known := n.State()
			if !known && n.Class() != "process-table-function" {
				t.Errorf("%v: what it keeps is not known", n)
			}
			type entry struct {
				index     int
				ttl, name string
			}
			var got, recorded []entry
			for _, s := range states {
				if s.Role == RoleUnknown || s.RuntimeName == "" && !strings.Contains(n.Type(), "python") {
					t.Errorf("%v: %+v", n, s)
				}
				if (s.Source == Recorded) != (s.Index != NoIndex && s.Name != "" && s.TTL != "") {
					t.Errorf("%v: %+v", n, s)
				}
				if e := (entry{s.Index, s.TTL, s.Name}); s.Source == Recorded && !slices.Contains(got, e) {
					got = append(got, e)
				}
			}
			for i, s := range want.State {
				name := n.op.entries[min(i, len(n.op.entries)-1)]
				if name = strings.ReplaceAll(name, "<input>", strconv.Itoa(i)); s.Index != i || s.Name != name {
					t.Errorf("%v: state %d is called %s, not %s", n, s.Index, s.Name, name)
				}
				recorded = append(recorded, entry{s.Index, s.TTL, s.Name})
			}
			if !slices.Equal(got, recorded) {
				t.Errorf("%v: %v is recorded, not %v", n, recorded, got)
			}
		}
	})
}

// TestInferredModes takes away from each plan what its sinks record, infers what reaches them from the sources up, and
// compares. Row kinds before updates depend on the sink alone in some plans; those stay unknown, but never are wrong.
func TestInferredModes(t *testing.T) {
	known := 0
	forEachPlan(t, func(t *testing.T, data []byte, path string) {
		plan, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for n := range plan.Nodes() {
			if plan.modes()[n.place].broken {
				t.Errorf("%v: the plan contradicts the rules: %+v", n, plan.modes()[n.place])
			}
		}
		bare, err := Parse([]byte(strings.ReplaceAll(string(data), `"inputChangelogMode"`, `"taken"`)))
		if err != nil {
			t.Fatal(err)
		}
		for _, sink := range plan.Sinks() {
			if sink.Batch() {
				continue
			}
			recorded, source := sink.Inputs()[0].Node.Output()
			if source != Recorded {
				t.Fatalf("what reaches %v is %v", sink, source)
			}
			before := bare.modesOf(bare.Node(sink.Inputs()[0].ID))
			if !recorded.Contains(before.must) || !before.may.Contains(recorded) {
				t.Errorf("%v: inferred at least %v and at most %v, but %v is recorded", sink, before.must, before.may, recorded)
			}
			if before.must == before.may {
				known++
			}
		}
	})
	if known < 80 {
		t.Errorf("only %d modes could be inferred without the sinks", known)
	}
}

// TestInputSpecsOfDescriptions compares what regular joins make of their keys with what the planner says in its descriptions.
func TestInputSpecsOfDescriptions(t *testing.T) {
	joins := 0
	forEachPlan(t, func(t *testing.T, data []byte, path string) {
		plan, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for n := range plan.Nodes() {
			j, ok := n.Join()
			if !ok || j.Class != RegularJoin || !strings.Contains(n.Description(), "InputSpec=") {
				continue
			}
			joins++
			for i, side := range []string{"left", "right"} {
				if want := side + "InputSpec=[" + j.Inputs[i].Spec.String() + "]"; !strings.Contains(n.Description(), want) {
					t.Errorf("%v: %s is not in %s", n, want, n.Description())
				}
			}
		}
	})
	if joins < 50 {
		t.Errorf("only %d joins", joins)
	}
}

// TestSinks: in a statement set each node says which sinks it serves.
func TestSinks(t *testing.T) {
	plan := readPlan(t, "../testdata/plans/1.18.1/statement-set.json")
	got := make(map[string][]string)
	for n := range plan.Nodes() {
		var names []string
		for _, sink := range n.Sinks() {
			table, _ := sink.Table()
			names = append(names, table.Name)
		}
		got[string(n.Class())] = append(got[string(n.Class())], strings.Join(names, "+"))
	}
	want := map[string][]string{
		"table-source-scan": {"k0+k1", "k0+k1"}, "exchange": {"k0+k1", "k0+k1"}, "watermark-assigner": {"k0+k1", "k0+k1"},
		"calc": {"k0+k1", "k0+k1", "k0+k1", "k0", "k1"}, "regular-join": {"k0", "k1"}, "sink": {"k0", "k1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
