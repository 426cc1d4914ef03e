package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wrongWorks are submissions that real Flink made of wrong statements, or of
// right ones in runs that went wrong. Each is laid over the right submission of
// its release; see testdata/README.md. Since report.json stays the right one, it
// does not agree with an output whose rows are wrong, and cannot be compared with
// one that is not whole.
var wrongWorks = []struct {
	name      string
	release   string
	fail      string // the checks that fail
	uncertain string // the checks that are not checkable
	hint      string // a part of the hint of each check that fails, but report.outputs; alternatives with "|"
}{
	{"count-streaming", "1.17.2", "count.mode", "", "SET 'execution.runtime-mode' = 'batch'"},

	{"regular-batch", "1.15.4", "regular.mode", "", "SET 'execution.runtime-mode' = 'streaming'"},
	{"regular-left", "2.3.0", "regular.rows report.outputs", "", "JOIN, not LEFT JOIN"},
	{"regular-unnamed", "1.18.1", "regular.columns", "", "with AS"},

	{"interval-lower", "1.15.4", "interval.rows report.outputs", "", "at the very time of its order counts"},
	{"interval-upper", "1.20.5", "interval.rows report.outputs", "", "just 2 hours after its order counts"},
	{"interval-delay-minutes", "2.3.0", "interval.rows", "", "delay_s is in minutes"},
	{"interval-window-minutes", "1.18.1", "interval.rows report.outputs", "", "here it is 2 minutes"},
	{"interval-left", "1.17.2", "interval.rows report.outputs", "", "JOIN, not LEFT JOIN"},

	{"unshipped-where", "2.3.0", "unshipped.rows report.outputs", "", "the time condition stands in WHERE"},
	{"unshipped-where-or", "1.18.1", "unshipped.rows report.outputs", "", "the time condition stands in WHERE"},
	{"unshipped-inner", "1.20.5", "unshipped.rows report.outputs", "", "LEFT is missing"},
	{"unshipped-untimed", "1.17.2", "unshipped.rows report.outputs", "", "the time condition is missing"},
	{"unshipped-exclusive", "1.15.4", "unshipped.rows report.outputs", "", "just 2 hours after its order counts"},
	{"unshipped-kept", "1.14.6", "unshipped.rows report.outputs" + noPlans, dependOnPlans, "WHERE s.ship_id IS NULL is missing"},

	{"temporal-no-as-of", "2.3.0", "temporal.rows report.outputs", "", "FOR SYSTEM_TIME AS OF o.order_time is missing"},
	{"temporal-double", "1.20.5", "temporal.rows report.outputs", "", "DECIMAL is exact where DOUBLE"},
	{"temporal-rounded", "1.18.1", "temporal.rows report.outputs", "", "amount_krw is rounded"},
	{"temporal-left", "1.14.6", "temporal.rows report.outputs" + noPlans, dependOnPlans, "JOIN, not LEFT JOIN"},
	{"temporal-unversioned", "1.17.2", "temporal.result", "temporal.columns temporal.mode temporal.end temporal.rows report.outputs", "join rates_v, not rates"},

	{"latest-batch", "2.3.0", "latest.result", "latest.columns latest.mode latest.end latest.rows latest.changes report.outputs", "'execution.runtime-mode' = 'streaming'"},
	{"latest-rounded", "1.20.5", "latest.rows report.outputs", "", "rounded twice"},
	{"latest-unversioned", "1.18.1", "latest.rows report.outputs", "", "join rates_v, not rates"},
	{"latest-as-of", "1.15.4", "latest.rows report.outputs", "", "the rates at the time of each order"},
	{"latest-written-down", "2.3.0", "latest.changes", "", "each new rate takes back"},

	{"init-failed", "2.3.0", "interval.result", "interval.columns interval.mode interval.end interval.rows report.outputs", "the -i script failed"},
	{"init-failed-1.14", "1.14.6", "interval.result" + noPlans, "interval.columns interval.mode interval.end interval.rows" + dependOnPlans + " report.outputs", "the -i script failed"},
	{"init-forgotten", "1.17.2", "temporal.result", "temporal.columns temporal.mode temporal.end temporal.rows report.outputs", "started with -i ddl.sql"},
	{"table-mode", "1.15.4", "regular.result", "regular.columns regular.mode regular.end regular.rows report.outputs", "'sql-client.execution.result-mode' = 'tableau'"},
	{"stderr", "1.20.5", "interval.result", "interval.columns interval.mode interval.end interval.rows report.outputs", "with 2>&1"},
	{"stderr-1.15", "1.15.4", "interval.result", "interval.columns interval.mode interval.end interval.rows report.outputs", "with 2>&1"},
	{"releases-mixed", "1.20.5", "interval.result", "interval.columns interval.mode interval.end interval.rows report.outputs", "of different releases"},
	{"job-failed", "2.3.0", "regular.end", "regular.rows report.outputs", "a value does not fit"},
	{"job-failed-batch", "1.20.5", "count.result", "count.columns count.mode count.end count.rows report.outputs", "not where ddl.sql says"},
	{"cut-off", "1.18.1", "latest.end", "latest.rows report.outputs", "the output stops before its end"},
	{"killed", "2.3.0", "temporal.end", "temporal.rows report.outputs", "the output stops before its end"},
	{"appended", "1.17.2", "regular.result", "", ">> for >"},
	{"appended-failed", "1.20.5", "unshipped.result", "unshipped.columns unshipped.mode unshipped.end unshipped.rows report.outputs", "the message names the cause"},

	{"no-watermark", "1.20.5", "interval-plan.join interval-plan.state", "interval-plan.bounds", "watermarks are missing"},
	{"no-watermark-1.15", "1.15.4", "interval-plan.join interval-plan.state", "interval-plan.bounds", "watermarks are missing"},
	{"plan-untimed", "1.20.5", "interval-plan.join interval-plan.state", "interval-plan.bounds", "the time condition is missing"},
	{"plan-not-overwritten", "2.3.0", "interval-plan.bounds", "", "COMPILE PLAN does not overwrite a file"},
	{"plan-of-other-query", "1.18.1", "temporal-plan.sink temporal-plan.join temporal-plan.tables temporal-plan.keys", "", "the plan of the query in interval.sql"},
	{"plan-other-sink", "1.18.1", "regular-plan.sink", "", "INSERT INTO regular_sink"},
	{"plan-no-as-of", "1.17.2", "temporal-plan.join temporal-plan.state", "", "FOR SYSTEM_TIME AS OF o.order_time is missing"},
	{"plan-left", "2.3.0", "regular-plan.join", "", "neither LEFT nor RIGHT nor FULL"},
	{"plan-trailing", "1.15.4", "regular-plan.file", "", "remove the file and compile the plan again"},
	{"plan-explained", "1.20.5", "regular-plan.file", "regular-plan.sink regular-plan.join regular-plan.tables regular-plan.keys regular-plan.state", "COMPILE PLAN 'regular-plan.json'"},

	{"report-floats", "2.1.3", "report.usd_gap_krw report.outputs", "", "not floating point numbers"},
	{"report-of-wrong-outputs", "1.15.4", "interval.rows report.interval_rows", "", "at the very time of its order counts|your outputs say this too"},
}

// Submissions of 1.13 and 1.14 have no plans.
const (
	noPlans       = " regular-plan.file interval-plan.file temporal-plan.file"
	dependOnPlans = " regular-plan.sink regular-plan.join regular-plan.tables regular-plan.keys regular-plan.state" +
		" interval-plan.sink interval-plan.join interval-plan.tables interval-plan.keys interval-plan.bounds interval-plan.state" +
		" temporal-plan.sink temporal-plan.join temporal-plan.tables temporal-plan.keys temporal-plan.state"
)

func TestWrong(t *testing.T) {
	g := labGrader(t)
	for _, test := range wrongWorks {
		t.Run(test.name, func(t *testing.T) {
			work := rightWork(t, test.release)
			addFiles(t, work, filepath.Join("testdata/wrong", test.name))
			s := g.grade(work)
			inOrder := func(checks string) []string {
				var names []string
				for _, name := range g.names {
					if strings.Contains(" "+checks+" ", " "+name+" ") {
						names = append(names, name)
					}
				}
				return names
			}
			if diff := cmp.Diff(inOrder(test.fail), names(s, fail)); diff != "" {
				t.Errorf("failing:\n%s%s", diff, describe(s))
			}
			if diff := cmp.Diff(inOrder(test.uncertain), names(s, notCheckable)); diff != "" {
				t.Errorf("not checkable:\n%s%s", diff, describe(s))
			}
			for _, c := range s.Checks {
				if c.Status != fail || c.Name == "report.outputs" || strings.Contains(noPlans+" ", " "+c.Name+" ") && strings.Contains(c.Hint, "this release has no compiled plans") {
					continue
				}
				if !slices.ContainsFunc(strings.Split(test.hint, "|"), func(hint string) bool { return strings.Contains(c.Hint, hint) }) {
					t.Errorf("%s hints: %s", c.Name, c.Hint)
				}
			}
		})
	}
	dirs, err := filepath.Glob("testdata/wrong/*")
	if err != nil || len(dirs) != len(wrongWorks) {
		t.Errorf("%d directories, of which %d are tested", len(dirs), len(wrongWorks))
	}
}
