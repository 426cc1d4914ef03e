package compiledplan

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// nodeTypesOfReleases reads testdata/node-types.tsv: release, type, class.
func nodeTypesOfReleases(tb testing.TB) [][3]string {
	tb.Helper()
	data, err := os.ReadFile("testdata/node-types.tsv")
	if err != nil {
		tb.Fatal(err)
	}
	var rows [][3]string
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "release\t") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if len(cells) != 3 {
			tb.Fatalf("not three cells: %q", line)
		}
		rows = append(rows, [3]string(cells))
	}
	if len(rows) == 0 {
		tb.Fatal("no types")
	}
	return rows
}

// TestTableHoldsAllTypes checks the table against what the planners of ten releases list: each type is there, with the
// planner's class and the release that had it first, and nothing else is.
func TestTableHoldsAllTypes(t *testing.T) {
	since := make(map[string]string)
	class := make(map[string]string)
	for _, row := range nodeTypesOfReleases(t) {
		release, typ := row[0], row[1]
		if _, ok := since[typ]; !ok {
			since[typ] = release[:strings.LastIndex(release, ".")]
			class[typ] = row[2]
		}
		if operators()[typ] == nil {
			t.Errorf("the table lacks %s of %s", typ, release)
		}
	}
	seen := make(map[string]bool)
	for _, op := range operatorTable() {
		if op.class == "" || op.modes.infer == nil || op.modes.amends == nil {
			t.Errorf("%s: class or rule of modes is missing", op.node)
		}
		if len(op.forms) > 0 && op.runtime == "" {
			t.Errorf("%s: it says what is kept, but not which class keeps it", op.node)
		}
		recorded := false
		for _, f := range op.forms {
			for _, rule := range f.keeps {
				recorded = recorded || rule.entry != nil
				if rule.entry != nil && *rule.entry >= len(op.entries) {
					t.Errorf("%s: entry %d has no name", op.node, *rule.entry)
				}
			}
		}
		if recorded != (len(op.entries) > 0) {
			t.Errorf("%s: entries %q, used: %v", op.node, op.entries, recorded)
		}
		for _, typ := range op.types {
			if seen[typ.name] {
				t.Errorf("%s is there twice", typ.name)
			}
			seen[typ.name] = true
			if since[typ.name] == "" {
				t.Errorf("no release lists %s", typ.name)
				continue
			}
			if class[typ.name] != op.node {
				t.Errorf("%s: class %s instead of %s", typ.name, op.node, class[typ.name])
			}
			if typ.since != since[typ.name] {
				t.Errorf("%s: since %s instead of %s", typ.name, typ.since, since[typ.name])
			}
			if strings.HasPrefix(typ.name, "batch-") != op.batch {
				t.Errorf("%s: batch is %v", typ.name, op.batch)
			}
			if !op.class.IsJoin() && !strings.Contains(typ.name, "-exec-"+string(op.class)+"_") {
				t.Errorf("%s: class %s", typ.name, op.class)
			}
		}
	}
	if len(seen) != len(since) || len(operators()) != len(since) {
		t.Errorf("%d types in the table, %d listed ones", len(seen), len(since))
	}
}

// stateless are the types that keep nothing, on purpose: a type without forms that is not here was forgotten.
var stateless = []string{
	"stream-exec-async-calc_1", "stream-exec-async-correlate_1", "stream-exec-calc_1", "stream-exec-correlate_1",
	"stream-exec-delta-join_1", "stream-exec-delta-join_2",
	"stream-exec-drop-update-before_1", "stream-exec-exchange_1", "stream-exec-expand_1",
	"stream-exec-local-group-aggregate_1", "stream-exec-local-window-aggregate_1", "stream-exec-mini-batch-assigner_1",
	"stream-exec-ml-predict-table-function_1", "stream-exec-process-table-function_1", // the latter is opaque
	"stream-exec-python-async-calc_1", "stream-exec-python-calc_1", "stream-exec-python-correlate_1",
	"stream-exec-table-source-scan_1", "stream-exec-table-source-scan_2", "stream-exec-union_1", "stream-exec-values_1",
	"stream-exec-vector-search-table-function_1", "stream-exec-watermark-assigner_1",
}

func TestStatelessTypesAreDeliberate(t *testing.T) {
	for typ, op := range operators() {
		if op.batch {
			if len(op.forms) > 0 {
				t.Errorf("%s: batch operators keep nothing", typ)
			}
			continue
		}
		if got, want := len(op.forms) == 0, slices.Contains(stateless, typ); got != want {
			t.Errorf("%s: keeps nothing: %v, deliberately: %v", typ, got, want)
		}
	}
}

// TestUnknownType: a type that the table lacks survives with its text, and nothing is claimed of it.
func TestUnknownType(t *testing.T) {
	plan, err := Parse([]byte(`{"flinkVersion":"9.1","nodes":[
		{"id":1,"type":"stream-exec-values_1","outputType":"ROW<` + "`a`" + ` INT>"},
		{"id":2,"type":"stream-exec-join_7","novel":[1],"state":[{"index":0,"ttl":"1 d","name":"novelState"}],"outputType":"ROW<` + "`a`" + ` INT>","description":"Novel"}],
		"edges":[{"source":1,"target":2,"shuffle":{"type":"FORWARD"},"shuffleMode":"PIPELINED"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	n := plan.Node(2)
	if n.Known() || n.Class() != "" || n.Class().String() != "unknown" || n.Type() != "stream-exec-join_7" {
		t.Errorf("known %v, class %q, type %q", n.Known(), n.Class(), n.Type())
	}
	if !strings.Contains(n.Raw(), `"novel":[1]`) || n.Description() != "Novel" {
		t.Errorf("raw %s, description %q", n.Raw(), n.Description())
	}
	if s, known := n.State(); known || len(s) != 1 || s[0].Name != "novelState" || s[0].Source != Recorded || s[0].Role != RoleUnknown {
		t.Errorf("state %+v, known %v", s, known)
	}
	if _, ok := n.Join(); ok {
		t.Error("it is a join")
	}
	if out, source := n.Output(); out != 0 || source != SourceUnknown {
		t.Errorf("output %v, %v", out, source)
	}
	if _, known := n.Amends(); known {
		t.Error("it is known whether it amends")
	}
	if got := codes(plan.Validate()); !slices.Equal(got, []string{"unknown-version", "unknown-type"}) {
		t.Errorf("problems %q", got)
	}
}

func codes(problems []Problem) (codes []string) {
	for _, p := range problems {
		codes = append(codes, string(p.Code))
	}
	return codes
}
