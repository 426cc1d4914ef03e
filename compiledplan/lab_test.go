package compiledplan

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/datatype"
)

// releasesWithPlans are the releases whose plans stand in testdata.
var releasesWithPlans = []string{"1.15.4", "1.16.3", "1.17.2", "1.18.1", "1.19.3", "1.20.5", "2.0.2", "2.1.3", "2.2.1", "2.3.0"}

func readPlan(tb testing.TB, path string) *Plan {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	plan, err := Parse(data)
	if err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	return plan
}

func onlyOf(tb testing.TB, p *Plan, class Class) *Node {
	tb.Helper()
	var found *Node
	for n := range p.Nodes() {
		if n.Class() == class {
			if found != nil {
				tb.Fatalf("two nodes are a %s: %v and %v", class, found, n)
			}
			found = n
		}
	}
	if found == nil {
		tb.Fatalf("no node is a %s", class)
	}
	return found
}

func statesOf(tb testing.TB, n *Node) []State {
	tb.Helper()
	s, known := n.State()
	if !known {
		tb.Fatalf("the state of %v is not known", n)
	}
	return s
}

// recordsState says whether a release writes state lists.
func recordsState(release string) bool {
	return !slices.Contains([]string{"1.15.4", "1.16.3", "1.17.2"}, release)
}

// past is the end of a stay that comes when the watermark passes the row's time plus an offset.
func past(offset int64) Until { return Until{Kind: UntilWatermark, Offset: offset, HasOffset: true} }

// at is the end of a stay that comes when the watermark reaches the row's time.
var at = Until{Kind: UntilWatermark, HasOffset: true, Inclusive: true}

// TestLab shows what the three plans of the lab say, in every release: the regular join keeps all rows for ever, the
// interval join keeps an order for two hours and a shipment not at all, the temporal join keeps orders until the watermark
// and a version of each rate, over one row of each currency for ever.
func TestLab(t *testing.T) {
	for _, release := range releasesWithPlans {
		t.Run(release, func(t *testing.T) {
			dir := filepath.Join("../testdata/plans", release)
			governed := func(index int, name string) State {
				if recordsState(release) {
					return State{Index: index, Name: name, TTL: "0 ms", TTLFrom: TTLFromPlan, Source: Recorded, Until: Until{Kind: UntilForever}}
				}
				return State{Index: NoIndex, TTLFrom: TTLFromJob, Source: NotRecorded}
			}
			with := func(s State, input int, runtime string, role Role) State {
				s.Input, s.RuntimeName, s.Role = input, runtime, role
				return s
			}

			t.Run("regular", func(t *testing.T) {
				plan := readPlan(t, filepath.Join(dir, "lab-regular.json"))
				join := onlyOf(t, plan, RegularJoin)
				want := []State{
					with(governed(0, "leftState"), 0, "left-records", RoleRows),
					with(governed(1, "rightState"), 1, "right-records", RoleRows),
				}
				if diff := cmp.Diff(want, statesOf(t, join)); diff != "" {
					t.Error(diff)
				}
				j, _ := join.Join()
				if got := j.LeftKeys(); !slices.Equal(got, []string{"user_id"}) {
					t.Errorf("left keys %q", got)
				}
				if diff := cmp.Diff([][]Table{
					{{"default_catalog", "default_database", "orders"}}, {{"default_catalog", "default_database", "users"}},
				}, join.InputTables()); diff != "" {
					t.Error(diff)
				}
				if out, _ := join.Output(); out != Insert {
					t.Errorf("the join puts out %v", out)
				}
				if amends, known := join.Amends(); amends || !known {
					t.Errorf("the join amends: %v, known: %v", amends, known)
				}
				aggregate := onlyOf(t, plan, "group-aggregate")
				if out, source := aggregate.Output(); out != Insert|UpdateAfter || source != Recorded {
					t.Errorf("the aggregate puts out %v (%v), while the sink drops rows before updates", out, source)
				}
				if amends, known := aggregate.Amends(); !amends || !known {
					t.Errorf("the aggregate amends: %v, known: %v", amends, known)
				}
			})

			t.Run("interval", func(t *testing.T) {
				plan := readPlan(t, filepath.Join(dir, "lab-interval.json"))
				join := onlyOf(t, plan, IntervalJoin)
				j, _ := join.Join()
				if diff := cmp.Diff(&Bounds{Time: datatype.Rowtime, Lower: -7_200_000, Upper: 0}, j.Bounds); diff != "" {
					t.Error(diff)
				}
				if left, right := j.Inputs[0].Time.Name, j.Inputs[1].Time.Name; left != "order_time" || right != "ship_time" {
					t.Errorf("times %q and %q", left, right)
				}
				none := State{Index: NoIndex, TTLFrom: TTLFromNone, Source: Implied}
				left, right := none, none
				left.Until, right.Until = past(7_200_000), past(0)
				if diff := cmp.Diff([]State{
					with(left, 0, "IntervalJoinLeftCache", RoleRows), with(right, 1, "IntervalJoinRightCache", RoleRows),
					with(right, 1, "IntervalJoinLeftTimerState", RoleTimer), with(left, 0, "IntervalJoinRightTimerState", RoleTimer),
				}, statesOf(t, join)); diff != "" {
					t.Error(diff)
				}
				for n := range plan.Nodes() {
					if out, _ := n.Output(); out != Insert {
						t.Errorf("%v puts out %v", n, out)
					}
				}
			})

			t.Run("temporal", func(t *testing.T) {
				plan := readPlan(t, filepath.Join(dir, "lab-temporal.json"))
				join := onlyOf(t, plan, TemporalJoin)
				job := State{Index: NoIndex, TTLFrom: TTLFromJob, Source: Implied}
				left, right, timer := job, job, job
				left.Until, right.Until, timer.Until = at, Until{Kind: UntilSuperseded}, Until{Kind: UntilWatermark, Inclusive: true}
				if diff := cmp.Diff([]State{
					with(left, 0, "left", RoleRows), with(right, 1, "right", RoleVersions),
					with(job, 0, "next-index", RoleIndex), with(timer, NoInput, "timer", RoleTimer),
				}, statesOf(t, join)); diff != "" {
					t.Error(diff)
				}
				deduplicate := onlyOf(t, plan, "deduplicate")
				if diff := cmp.Diff([]State{with(governed(0, "deduplicateState"), 0, "deduplicate-state", RoleRows)}, statesOf(t, deduplicate)); diff != "" {
					t.Error(diff)
				}
				if amends, _ := deduplicate.Amends(); !amends {
					t.Error("the deduplication does not amend")
				}
				if amends, _ := join.Amends(); amends {
					t.Error("the join amends")
				}
				if out, _ := join.Output(); out != Insert {
					t.Errorf("the join puts out %v", out)
				}
			})
		})
	}
}

// TestImpossibleBounds: a join whose bounds no pair of rows can meet holds nothing, and that is known.
func TestImpossibleBounds(t *testing.T) {
	for _, release := range []string{"1.15.4", "1.18.1", "2.3.0"} {
		join := onlyOf(t, readPlan(t, filepath.Join("../testdata/plans", release, "interval-impossible.json")), IntervalJoin)
		if j, _ := join.Join(); !j.Bounds.Impossible() || len(statesOf(t, join)) > 0 {
			t.Errorf("%s: %+v holds %+v", release, j.Bounds, statesOf(t, join))
		}
	}
}

// TestSessionIDs: ids count on over the plans of one session.
func TestSessionIDs(t *testing.T) {
	next := 1
	for _, name := range []string{"regular", "interval", "temporal"} {
		for n := range readPlan(t, "../testdata/plans/2.3.0/lab-"+name+".json").Nodes() {
			if n.ID() != next {
				t.Fatalf("%s: id %d instead of %d", name, n.ID(), next)
			}
			next++
		}
	}
	if next != 32 {
		t.Errorf("the last id is %d", next-1)
	}
}

// TestConcurrentUse: a plan may be asked by several at once. The race detector looks on.
func TestConcurrentUse(t *testing.T) {
	plan := readPlan(t, "../testdata/plans/2.3.0/statement-set.json")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for n := range plan.Nodes() {
				n.State()
				n.Output()
				n.Amends()
				n.Join()
				n.Sinks()
				n.InputTables()
			}
			plan.Validate()
			plan.Findings()
		})
	}
	group.Wait()
}
