package compiledplan

import (
	"iter"
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

// TestReadingEvidence compares Validate with what Flink made of plans that were changed in one way at a time
// (docs/evidence/reading): a problem is an error exactly if neither the release that wrote the plan nor 2.3.0 took it, and
// where only one of them took it there is a warning at least.
func TestReadingEvidence(t *testing.T) {
	const dir = "../docs/evidence/reading"
	type change struct {
		pattern     *regexp.Regexp
		replacement string
	}
	changes := make(map[string]change)
	for cells := range tsv(t, filepath.Join(dir, "cases.tsv"), 3) {
		// Go writes $1 for a group as Java does, but takes letters behind it for a part of its name.
		changes[cells[0]] = change{regexp.MustCompile(cells[1]), strings.ReplaceAll(cells[2], "$1", "${1}")}
	}
	for _, release := range []string{"1.15.4", "1.18.1", "2.0.2", "2.1.3", "2.3.0"} {
		good, err := os.ReadFile(filepath.Join("../testdata/plans", release, "lab-regular.json"))
		if err != nil {
			t.Fatal(err)
		}
		columns := 3
		if release == "2.3.0" {
			columns = 2
		}
		compared := 0
		for cells := range tsv(t, filepath.Join(dir, release+".tsv"), columns) {
			c, ok := changes[cells[0]]
			if !ok {
				t.Fatalf("no case %q", cells[0])
			}
			place := c.pattern.FindSubmatchIndex(good)
			if (place == nil) != (cells[1] == "-") {
				t.Fatalf("%s: %s: where the pattern matches depends on who reads it", release, cells[0])
			}
			if place == nil {
				continue
			}
			compared++
			text := string(good[:place[0]]) + string(c.pattern.Expand(nil, []byte(c.replacement), good, place)) + string(good[place[1]:])
			taken := 0
			for _, outcome := range cells[1:] {
				if outcome == "taken" {
					taken++
				}
			}
			want := SeverityError
			switch {
			case taken == len(cells)-1:
				want = SeverityNone // or a warning
			case taken > 0, cells[0] == "version 2.4": // which 2.4 will take
				want = SeverityWarning
			}
			got := SeverityNone
			plan, err := Parse([]byte(text))
			if err != nil {
				got = SeverityError
			} else {
				for _, p := range plan.Validate() {
					got = max(got, p.Severity)
				}
			}
			if got != want && (want != SeverityNone || got == SeverityError) {
				t.Errorf("%s: %s: %q, but here: %v", release, cells[0], cells[1:], got)
			}
		}
		if compared < 50 {
			t.Errorf("%s: only %d cases", release, compared)
		}
	}
}

// tsv gives the cells of each line of a file but the first.
func tsv(t *testing.T, path string, columns int) iter.Seq[[]string] {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func([]string) bool) {
		head := true
		for line := range strings.Lines(string(data)) {
			cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
			if len(cells) != columns {
				t.Fatalf("%s: %d cells: %q", path, len(cells), line)
			}
			if !head && !yield(cells) {
				return
			}
			head = false
		}
	}
}
