package compiledplan

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// notListed are states that savepoints hold and State leaves out, as it says: data views of aggregate functions, nulls of
// distinct ones, operators' own watermarks, and the timers of a job's time-to-live, which are there only when it is set.
var notListed = regexp.MustCompile(`^agg\d+\$|_null_state$|^watermark$|CleanupTime$|^cleanup-timestamp$`)

// TestEvidence compares what is said of plans with the savepoints of jobs that ran them (docs/evidence/state): which states
// their operators registered, and whether a time-to-live governed them.
func TestEvidence(t *testing.T) {
	const dir = "../docs/evidence/state"
	listings, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if len(listings) == 0 {
		t.Fatal("no listings of savepoints")
	}
	for _, listing := range listings {
		data, err := os.ReadFile(listing)
		if err != nil {
			t.Fatal(err)
		}
		release := strings.TrimSuffix(filepath.Base(listing), ".tsv")
		type key struct{ query, operator string }
		names := make(map[key][]string)         // of the states of each operator of a job without any time-to-live
		byPlan := make(map[key]map[string]bool) // by name, whether a time-to-live set in the plan governs it
		byJob := make(map[key]map[string]bool)  // by name, whether one set in the job does
		var order []key
		for line := range strings.Lines(string(data)) {
			cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
			if len(cells) != 7 {
				t.Fatalf("%s: %q", listing, line)
			}
			k := key{cells[0], cells[2]}
			state, ttl := cells[4], cells[6]
			if cells[3] == "timer" || cells[0] == "query" || notListed.MatchString(state) {
				continue
			}
			if byPlan[k] == nil {
				byPlan[k], byJob[k] = make(map[string]bool), make(map[string]bool)
				order = append(order, k)
			}
			switch cells[1] {
			case "none":
				names[k] = append(names[k], state)
			case "plan":
				byPlan[k][state] = ttl == "ttl"
			case "job":
				byJob[k][state] = ttl == "ttl"
			}
		}
		for _, k := range order {
			t.Run(release+"/"+k.query+"/"+k.operator, func(t *testing.T) {
				id, _, _ := strings.Cut(k.operator, "_")
				number, err := strconv.Atoi(id)
				if err != nil {
					t.Fatalf("no id of a node in %s", k.operator)
				}
				n := readPlan(t, filepath.Join(dir, "plans", release, k.query+".json")).Node(number)
				if n == nil {
					t.Fatalf("no node %d", number)
				}
				states, known := n.State()
				if !known {
					t.Fatalf("the state of %v is not known; the savepoint has %q", n, names[k])
				}
				var said []string
				for _, s := range states {
					said = append(said, s.RuntimeName)
					governed, listed := byPlan[k][s.RuntimeName]
					if want := s.Source == Recorded && s.TTLFrom == TTLFromPlan; listed && governed != want {
						t.Errorf("%s: a time-to-live of the plan governs it: %v, said: %v", s.RuntimeName, governed, want)
					}
					if byJob[k][s.RuntimeName] && s.TTLFrom != TTLFromJob {
						t.Errorf("%s: the job's time-to-live governs it; said: %v", s.RuntimeName, s.TTLFrom)
					}
				}
				slices.Sort(said)
				slices.Sort(names[k])
				if !slices.Equal(said, names[k]) {
					t.Errorf("said: %q\nsavepoint: %q", said, names[k])
				}
			})
		}
	}
}
