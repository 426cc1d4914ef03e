package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	g := labGrader(t)
	right := rightWork(t, "2.3.0")
	text := string(right["report.json"].Data)
	replace := func(from, to string) string {
		if !strings.Contains(text, from) {
			t.Fatalf("no %s in %s", from, text)
		}
		return strings.Replace(text, from, to, 1)
	}
	for _, test := range []struct {
		name, report string
		fail         []string
		place, got   string // of the first that fails
		hint         string
	}{
		{"other spellings", "{\"usd_gap_krw\":3510247126465e-6,\"orders_without_rate\":7.0,\"temporal_rows\":2.33E2,\"unshipped_orders\":67,\"interval_rows\":194,\"matched_orders\":214,\"name\":[\"ann\"]}", nil, "", "", ""},
		{"other number", replace("194", "193"), []string{"report.interval_rows", "report.outputs"}, "report.json:3:20", "193", "the number of final rows in interval.out"},
		{"other sign", replace("3510247.126465", "-3510247.126465"), []string{"report.usd_gap_krw", "report.outputs"}, "report.json:7:18", "-3510247.126465", "the other way round"},
		{"rounded", replace("3510247.126465", "3510247.13"), []string{"report.usd_gap_krw", "report.outputs"}, "report.json:7:18", "3510247.13", "round nothing"},
		{"in quotes", replace("67", `"67"`), []string{"report.unshipped_orders", "report.outputs"}, "report.json:4:23", `"67"`, "without quotes"},
		{"null", replace("67", "null"), []string{"report.unshipped_orders", "report.outputs"}, "report.json:4:23", "null", "without quotes"},
		{"too large to write out", replace("67", "67e99999"), []string{"report.unshipped_orders", "report.outputs"}, "report.json:4:23", "67e99999", ""},
		{"missing", replace(`"temporal_rows": 233,`, ""), []string{"report.temporal_rows"}, "report.json:1:1", "no temporal_rows", "temporal.out"},
		{"array", "[" + text + "]", []string{"report.file"}, "report.json:1:1", "no JSON object", "one object"},
		{"two objects", text + text, []string{"report.file"}, "report.json:1:1", "more than one JSON value", "one object"},
		{"cut", text[:60], []string{"report.file"}, "report.json:1:1", "unexpected EOF", "one object"},
		{"empty", "", []string{"report.file"}, "report.json", "an empty file", "one object"},
	} {
		t.Run(test.name, func(t *testing.T) {
			work := rightWork(t, "2.3.0")
			work["report.json"] = &fstest.MapFile{Data: []byte(test.report)}
			s := g.grade(work)
			if diff := cmp.Diff(test.fail, names(s, fail)); diff != "" {
				t.Fatalf("%s%s", diff, describe(s))
			}
			for _, c := range s.Checks {
				if c.Status == fail {
					if c.Place != test.place || c.Got != test.got || !strings.Contains(c.Hint, test.hint) {
						t.Errorf("%+v", c)
					}
					break
				}
			}
		})
	}
}
