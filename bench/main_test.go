package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestChoose(t *testing.T) {
	for only, want := range map[string]int{"": len(comparisons), "wide table": 2, "final": 3} {
		if chosen, err := choose(only); err != nil || len(chosen) != want {
			t.Errorf("%q: %d comparisons, %v; want %d", only, len(chosen), err, want)
		}
	}
	_, err := choose("nothere")
	if err == nil {
		t.Fatal("what is not there was chosen")
	}
	for _, part := range []string{`"nothere"`, "decode and count of mixed x10", "start of tiny"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v: no %s", err, part)
		}
	}
}

func TestGoal(t *testing.T) {
	g := goal{rate: 100, ratio: 1 / 1.6, peak: 12}
	if got, want := g.String(), "100 MB/s, ratio 0.625, 12 MiB"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, test := range []struct {
		rate, ratio, peak float64
		met               bool
	}{
		{100, 0.625, 12, true}, {99, 0.625, 12, false}, {100, 0.624, 12, false}, {100, 0.625, 12.1, false},
	} {
		if got := g.met(test.rate, test.ratio, test.peak, time.Hour); got != test.met {
			t.Errorf("%+v: met %t", test, got)
		}
	}
	if g := (goal{after: time.Second}); g.met(0, 0, 0, 2*time.Second) || !g.met(0, 0, 0, time.Second) {
		t.Error("a second after the peer is otherwise")
	}
	for _, test := range []struct {
		ratio float64
		goal  bool
		want  string
	}{{0.6249, true, "0.625"}, {0.6249, false, "0.62"}, {20.456, true, "20.46"}} {
		if got := formatRatio(test.ratio, test.goal); got != test.want {
			t.Errorf("%v is %s, want %s", test.ratio, got, test.want)
		}
	}
}

func TestProcessor(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || strings.Contains(os.Getenv("GODEBUG"), "cpu.") {
		t.Skip("the system tells nothing of the processor, or GODEBUG something else")
	}
	want := " without AVX2"
	if regexp.MustCompile(`(?m)^flags\b.*\bavx2\b`).Match(info) {
		want = " with AVX2"
	}
	if got := processor(); !strings.HasSuffix(got, want) {
		t.Errorf("%q, want %q at its end", got, want)
	}
}
