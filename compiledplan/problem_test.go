package compiledplan

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestValidate breaks a good plan in one way at a time; each is found, with its place, and nothing else is. § marks the place,
// and a question mark behind a code a warning.
func TestValidate(t *testing.T) {
	data, err := os.ReadFile("../testdata/plans/2.3.0/lab-regular.json")
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	replace := func(old, new string) string {
		if strings.Count(good, old) != 1 {
			t.Fatalf("%q is there %d times", old, strings.Count(good, old))
		}
		return strings.Replace(good, old, new, 1)
	}
	const state = `"state" : [ {
      "index" : 0,
      "ttl" : "0 ms",
      "name" : "leftState"
    }, {
      "index" : 1,
      "ttl" : "0 ms",
      "name" : "rightState"
    } ],`
	const join = `{
    "id" : 7,
    "type" : "stream-exec-join_1"`
	const edge = `{
    "source" : 4,
    "target" : 7,`
	for _, test := range []struct {
		name, input string
		codes       []string
		node        int // of the first problem; 0 for none
	}{
		{"nothing", good, nil, 0},
		{"version missing", "§" + replace(`"flinkVersion" : "2.3",`, ""), []string{"missing-version"}, 0},
		{"version empty", replace(`"2.3"`, `§""`), []string{"missing-version"}, 0},
		{"version null", replace(`"2.3"`, `§null`), []string{"missing-version"}, 0},
		{"version too new", replace(`"2.3"`, `§"3.0"`), []string{"unknown-version?"}, 0},
		{"version too new, and keys that a later release may know", replace(`"flinkVersion" : "2.3"`, `"flinkVersion" : §"2.4", "made" : "later"`), []string{"unknown-version?", "unknown-key?"}, 0},
		{"version that never was", replace(`"2.3"`, `§"1.21"`), []string{"unknown-version"}, 0},
		{"version with a nought before", replace(`"2.3"`, `§"2.04"`), []string{"unknown-version"}, 0},
		{"version of words", replace(`"2.3"`, `§"latest"`), []string{"unknown-version"}, 0},
		{"version as a number", replace(`"2.3"`, `§2.3`), []string{"other-kind?"}, 0},
		{"a key that no plan has", replace(`"flinkVersion"`, `"made" : §"by hand", "flinkVersion"`), []string{"unknown-key"}, 0},
		{"a key that no node has", replace(`"id" : 7,`, `"id" : 7, "made" : "by hand",`), nil, 0},
		{"version before plans", replace(`"2.3"`, `§"1.14"`), []string{"unknown-version?"}, 0},
		{"version before any known", replace(`"2.3"`, `§"1.2"`), []string{"unknown-version"}, 0},
		{"version with a patch release", replace(`"2.3"`, `§"2.3.0"`), []string{"unknown-version"}, 0},
		{"two nodes of one id", replace(join, `§{ "id" : 4, "type" : "stream-exec-join_1"`), []string{"duplicate-id", "input-count", "dangling-edge", "dangling-edge", "dangling-edge"}, 4},
		{"edge from nowhere", replace(edge, "§{\n    \"source\" : 40,\n    \"target\" : 7,"), []string{"dangling-edge"}, 0},
		{"edge to nowhere", replace(`"target" : 11`, `"target" : 12`), []string{"input-count", "dangling-edge"}, 11},
		{"circle", replace(`"edges" : [ {`, `"edges" : [ { "source" : 7, "target" : 2, "shuffle" : { "type" : "FORWARD" }, "shuffleMode" : "PIPELINED" }, {`), []string{"input-count?", "circle"}, 2},
		{"circle by an input too many", strings.TrimSuffix(strings.TrimSpace(good), "} ]\n}") + `}, { "source" : 10, "target" : 7, "shuffle" : { "type" : "FORWARD" }, "shuffleMode" : "PIPELINED" } ] }`, []string{"input-count?", "circle?"}, 7},
		{"nothing that Flink would run", strings.TrimSuffix(strings.TrimSpace(good), "} ]\n}") + `}, { "source" : 11, "target" : 11, "shuffle" : { "type" : "FORWARD" }, "shuffleMode" : "PIPELINED" } ] }`, []string{"input-count?", "no-root", "circle?"}, 11},
		{"null_null", replace(`"stream-exec-join_1"`, `"null_null"`), []string{"null-type"}, 7},
		{"unknown type", replace(`"stream-exec-join_1"`, `"stream-exec-join_2"`), []string{"unknown-type"}, 7},
		{"one input too few", replace(edge+"\n    \"shuffle\" : {\n      \"type\" : \"FORWARD\"\n    },\n    \"shuffleMode\" : \"PIPELINED\"\n  }, ", ""), []string{"input-count"}, 7},
		{"one input too few of a node that is not built", replace(edge, "{\n    \"source\" : 4,\n    \"target\" : 11,"), []string{"input-count?", "input-count?"}, 7},
		{"id as a string", replace(`"id" : 7,`, `"id" : §"7",`), []string{"other-kind?"}, 7},
		{"id with a fraction", replace(`"id" : 7,`, `"id" : §7.9,`), []string{"other-kind?"}, 7},
		{"edge with strings", replace(edge, "§{\n    \"source\" : \" 4\",\n    \"target\" : \"7\","), []string{"other-kind?"}, 0},
		{"edge without shuffle", replace(edge+"\n    \"shuffle\" : {\n      \"type\" : \"FORWARD\"\n    },", "§"+edge), []string{"edge-shuffle"}, 0},
		{"edge that hashes", replace(edge+"\n    \"shuffle\" : {\n      \"type\" : \"FORWARD\"", "§"+edge+"\n    \"shuffle\" : {\n      \"type\" : \"HASH\", \"keys\" : [ 0 ]"), []string{"edge-shuffle"}, 0},
		{"output type that is no row", replace("\"outputType\" : \"ROW<`tier` VARCHAR(2147483647), `amount` DECIMAL(10, 2)>\",\n    \"description\" : \"Exchange", "\"outputType\" : §\"INT\",\n    \"description\" : \"Exchange"), []string{"output-type"}, 9},
		{"output type that is only a name", replace("\"outputType\" : \"ROW<`tier` VARCHAR(2147483647), `amount` DECIMAL(10, 2)>\",\n    \"description\" : \"Exchange", "\"outputType\" : §\"ROW<`a` MAP<INT, ARRAY<NOVEL>>>\",\n    \"description\" : \"Exchange"), []string{"output-type"}, 9},
		{"output type of a sink that is no row", replace("\"outputType\" : \"ROW<`tier` VARCHAR(2147483647), `orders` BIGINT NOT NULL, `amount` DECIMAL(38, 2)>\",\n    \"description\" : \"Sink", "\"outputType\" : \"INT\",\n    \"description\" : \"Sink"), nil, 0},
		{"join key that is no column", replace(`"leftKeys" : [ 0 ]`, `"leftKeys" : [ 9 ]`), []string{"join-keys"}, 7},
		{"join key below nought", replace(`"leftKeys" : [ 0 ]`, `"leftKeys" : [ -1 ]`), []string{"join-keys"}, 7},
		{"keys that do not pair", replace(`"leftKeys" : [ 0 ]`, `"leftKeys" : [ 0, 1 ]`), []string{"join-keys"}, 7},
		{"keys that are no integers", replace(`"leftKeys" : [ 0 ]`, `"leftKeys" : [ "x" ]`), []string{"join-keys"}, 7},
		{"keys that are written as strings", replace(`"leftKeys" : [ 0 ]`, `"leftKeys" : [ "0" ]`), nil, 0},
		{"truth values missing", replace("\"generateUpdateBefore\" : false,\n    \"needRetraction\" : false,", ""), []string{"missing-field?", "missing-field?"}, 10},
		{"no join", replace(`"joinSpec"`, `"joinSpecification"`), []string{"join-keys"}, 7},
		{"no state is the job's", replace(state, ""), nil, 0},
		{"an empty list is as well", replace(state, `"state" : [ ],`), nil, 0},
		{"null is as well", replace(state, `"state" : null,`), nil, 0},
		{"state of another order", replace(state, `"state" : [ { "index" : 1, "ttl" : "1 d", "name" : "r" }, { "index" : 0, "ttl" : "36000", "name" : "l" } ],`), nil, 0},
		{"state that is no list", replace(state, `"state" : §{},`), []string{"state-entry"}, 7},
		{"state entry that is none", replace(state, `"state" : [ §7, { "index" : 1, "ttl" : "1 d", "name" : "r" } ],`), []string{"state-entry"}, 7},
		{"state entry without ttl", replace(state, `"state" : [ §{ "index" : 0, "name" : "l" }, { "index" : 1, "ttl" : "1 d", "name" : "r" } ],`), []string{"state-entry"}, 7},
		{"state entry without index", replace(state, `"state" : [ §{ "ttl" : "1 d", "name" : "l" }, { "index" : 1, "ttl" : "1 d", "name" : "r" } ],`), []string{"state-entry?"}, 7},
		{"state entry of other kinds", replace(state, `"state" : [ §{ "index" : "0", "ttl" : 7, "name" : 8 }, { "index" : 1, "ttl" : "1 d", "name" : "r" } ],`), []string{"other-kind?"}, 7},
		{"state entry too few", replace(state, `"state" : §[ { "index" : 0, "ttl" : "1 d", "name" : "l" } ],`), []string{"state-count"}, 7},
		{"state entry too many", replace(state, `"state" : §[ { "index" : 0, "ttl" : "1 d", "name" : "l" }, { "index" : 1, "ttl" : "1 d", "name" : "r" }, { "index" : 2, "ttl" : "1 d", "name" : "x" } ],`), []string{"state-count"}, 7},
		{"state index twice", replace(state, `"state" : [ { "index" : 0, "ttl" : "1 d", "name" : "l" }, §{ "index" : 0, "ttl" : "1 d", "name" : "r" } ],`), []string{"state-index"}, 7},
		{"state index left out", replace(state, `"state" : §[ { "index" : 0, "ttl" : "1 d", "name" : "l" }, { "index" : 2, "ttl" : "1 d", "name" : "r" } ],`), []string{"state-index"}, 7},
		{"state index below nought", replace(state, `"state" : [ { "index" : 0, "ttl" : "1 d", "name" : "l" }, §{ "index" : -1, "ttl" : "1 d", "name" : "r" } ],`), []string{"state-index", "state-index"}, 7},
		{"time-to-live that is none", replace(state, `"state" : [ §{ "index" : 0, "ttl" : "soon", "name" : "l" }, { "index" : 1, "ttl" : "1 d", "name" : "r" } ],`), []string{"state-ttl"}, 7},
		{"time-to-live in ISO-8601", replace(state, `"state" : [ { "index" : 0, "ttl" : "PT1H", "name" : "l" }, { "index" : 1, "ttl" : "P1D", "name" : "r" } ],`), nil, 0},
		{"trailing bytes", strings.TrimRight(good, "\n") + "\n  §\"PIPELINED\"\n  } ]\n}", []string{"trailing-bytes?"}, 0},
		{"trailing bytes that begin within a character", strings.TrimRight(good, "\n") + "§\x9f\x92\"\n  } ]\n}", []string{"trailing-bytes?"}, 0},
		{"trailing bytes of another plan", strings.TrimRight(good, "\n") + "§" + good, []string{"trailing-bytes?"}, 0},
		{"edges missing", "§" + good[:strings.Index(good, ",\n  \"edges\"")] + "}", []string{"missing-edges"}, 0},
		{"no nodes", `{ "flinkVersion" : "2.3", "nodes" : [ ], "edges" : [ ] }`, []string{"no-root"}, 0},
		{"key twice", replace(`"leftKeys" : [ 0 ]`, `"leftKeys" : [ 7 ], §"leftKeys" : [ 0 ]`), []string{"duplicate-key?"}, 0},
		{"key twice, once with escapes", replace(`"leftKeys" : [ 0 ]`, `"leftKeys" : [ 7 ], §"left\u004beys" : [ 0 ]`), []string{"duplicate-key?"}, 0},
		{"the same key in another object", replace(`"leftKeys" : [ 0 ]`, `"x" : [ { "leftKeys" : "a,\"b" }, { "leftKeys" : {} } ], "leftKeys" : [ 0 ]`), nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, after, marked := strings.Cut(test.input, "§")
			plan, err := Parse([]byte(before + after))
			if err != nil {
				t.Fatal(err)
			}
			problems := plan.Validate()
			var got []string
			for _, p := range problems {
				got = append(got, string(p.Code)+map[Severity]string{SeverityWarning: "?"}[p.Severity])
			}
			if !slices.Equal(got, test.codes) {
				t.Fatalf("%q instead of %q: %v", got, test.codes, problems)
			}
			if len(problems) == 0 {
				return
			}
			first := problems[0]
			if marked {
				want := Pos{Offset: len(before), Line: 1 + strings.Count(before, "\n"), Col: len(before) - strings.LastIndex(before, "\n")}
				if first.Pos != want {
					t.Errorf("at %+v instead of %+v: %v", first.Pos, want, first)
				}
			}
			if node := first.Node; (node == nil) != (test.node == 0) || node != nil && node.ID() != test.node {
				t.Errorf("node %v instead of %d", node, test.node)
			}
			if !strings.HasPrefix(first.String(), first.Pos.String()+": ") || len(first.Message) < 10 {
				t.Errorf("message %q", first)
			}
		})
	}
}

// TestValidateIsBounded: a hostile plan does not make a list without end.
func TestValidateIsBounded(t *testing.T) {
	for _, input := range []string{
		`{"flinkVersion":"2.3","nodes":[` + strings.Repeat(`{"id":1,"type":"x_1"},`, 5000) + `{"id":1,"type":"x_1"}],"edges":[]}`,
		`{"flinkVersion":"2.3","nodes":[],"edges":[],"x":{` + strings.Repeat(`"k":1,`, 100_000) + `"k":1}}`,
	} {
		plan, err := Parse([]byte(input))
		if err != nil {
			t.Fatal(err)
		}
		problems := plan.Validate()
		if len(problems) != maxProblems+1 || problems[maxProblems].Code != "more" {
			t.Errorf("%d problems", len(problems))
		}
	}
}

// TestDuplicateKeysCount: of a key that is there twice the last counts, as the problem says.
func TestDuplicateKeysCount(t *testing.T) {
	plan, err := Parse([]byte(strings.Replace(valuesPlan, `"id":1`, `"id":7,"type":"x_1","id":1`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if n := plan.Node(1); n == nil || n.Class() != "values" {
		t.Errorf("%v", n)
	}
	if got := codes(plan.Validate()); !slices.Equal(got, []string{"duplicate-key", "duplicate-key"}) {
		t.Errorf("%q", got)
	}
}

func TestRelease(t *testing.T) {
	for text, want := range map[string]release{
		"1.15": {1, 15}, "2.3": {2, 3}, "1.16.3": {1, 16}, "": {}, "1": {}, "x.y": {}, "-1.2": {}, "1.": {}, "1. 2": {}, "99999999.1": {},
	} {
		if got := parseRelease(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if r := (release{1, 20}); !r.before(2, 0) || r.before(1, 18) || r.before(1, 20) || (release{}).before(9, 9) {
		t.Error("the order of releases is wrong")
	}
}

func ExamplePlan_Validate() {
	plan, err := Parse([]byte(`{
  "flinkVersion" : "2.3",
  "nodes" : [ { "id" : 1, "type" : "null_null", "outputType" : "INT" } ],
  "edges" : [ { "source" : 1, "target" : 2, "shuffle" : { "type" : "FORWARD" }, "shuffleMode" : "PIPELINED" } ]
}
} ] }`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, problem := range plan.Validate() {
		fmt.Println(problem.Code, problem)
	}
	// Output:
	// null-type 3:15: node 1 has the type null_null: the planner met an operator that no plan may hold, and the plan cannot be restored
	// dangling-edge 4:15: the edge from 1 to 2: there is no node 2
	// trailing-bytes 6:1: 5 bytes behind the end of the plan, which Flink does not read: most likely a longer plan was overwritten without being cut to length (FLINK-32374)
}

// TestISODurationOfOldPlan: only Flink 2.1 and later read it, and they read older plans.
func TestISODurationOfOldPlan(t *testing.T) {
	for release, want := range map[string][]string{"2.0": {"state-ttl"}, "2.1": nil} {
		plan, err := Parse([]byte(`{"flinkVersion":"` + release + `","nodes":[{"id":1,"type":"stream-exec-values_1","outputType":"ROW<>"},
			{"id":2,"type":"stream-exec-limit_1","generateUpdateBefore":false,"state":[{"index":0,"ttl":"PT1H","name":"rankState"}],"outputType":"ROW<>"}],"edges":[{"source":1,"target":2,"shuffle":{"type":"FORWARD"},"shuffleMode":"PIPELINED"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		problems := plan.Validate()
		if got := codes(problems); !slices.Equal(got, want) || len(want) > 0 && problems[0].Severity != SeverityWarning {
			t.Errorf("%s: %v", release, problems)
		}
		if s, _ := plan.Node(2).State(); len(s) != 1 || s[0].TTL != "PT1H" || s[0].Until.Kind != UntilTTL {
			t.Errorf("%s: %+v", release, s)
		}
	}
}
