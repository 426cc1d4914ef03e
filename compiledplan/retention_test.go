package compiledplan

import (
	"strings"
	"testing"
)

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]int64{
		"0 ms": 0, "0": 0, "36000": 36000, "1 d": 86_400_000, "1d": 86_400_000, "12 h": 43_200_000, "3 min": 180_000, "3m": 180_000, "1 s": 1000,
		" 2  days ": 172_800_000, "2 HOURS": 7_200_000, "999 µs": 0, "1500 micros": 1, "1000000 ns": 1, "106751991167 d": 9_223_372_036_828_800_000,
		"9999999999999999999 ns": 9_999_999_999_999, "9223372036854775807": 9_223_372_036_854_775_807,
		"PT1H": 3_600_000, "pt1h": 3_600_000, " PT1H ": 3_600_000, "P1D": 86_400_000, "P1DT2H3M4.5S": 93_784_500, "PT24H30M": 88_200_000, "PT1,5S": 1500,
		"+PT5M": 300_000, "-PT-1H": 3_600_000, "P-1DT25H": 3_600_000, "PT1M-1.5S": 58_500, "PT0S": 0, "PT0.0005S": 0, "PT1.S": 1000,
	} {
		if got, ok := parseDuration(text); !ok || got != want {
			t.Errorf("%q: %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "ms", "-1 ms", "1.5 h", "1 week", "1 d 2 h", "99999999999999999999", "106751991168 d", "9223372036854775807 s",
		"9223372036854775808", "1_000 ms", "1 μs", strings.Repeat("9", 100_000), "PT" + strings.Repeat("9", 100_000) + "S",
		"P", "PT", "P1DT", "P1M", "P2W", "P1Y", "PT1.5H", "PT-1H", "-PT1H", "PT-0.5S", "PT1S2H", "1PT1H", "PT1.0000000001S", "PT9223372036854776S"} {
		if got, ok := parseDuration(text); ok {
			t.Errorf("%.40q: %d", text, got)
		}
	}
}

// TestRetention: what a recorded time-to-live means.
func TestRetention(t *testing.T) {
	for _, test := range []struct {
		ttl  string
		ms   int64
		ok   bool
		want Until
	}{
		{"0 ms", 0, true, Until{Kind: UntilForever}},
		{"PT1H", 3_600_000, true, Until{Kind: UntilTTL}},
		{"1 d", 86_400_000, true, Until{Kind: UntilTTL}},
		{"soon", 0, false, Until{}},
	} {
		plan := parseNodes(t, `{"id":3,"type":"stream-exec-group-aggregate_1","aggCalls":[],"state":[{"index":0,"ttl":"`+test.ttl+`","name":"groupAggregateState"}],"outputType":"ROW<>"}`, `{"source":1,"target":3}`)
		s := statesOf(t, plan.Node(3))
		if len(s) != 1 || s[0].TTL != test.ttl || s[0].TTLFrom != TTLFromPlan || s[0].Until != test.want {
			t.Errorf("%s: %+v", test.ttl, s)
		}
		if ms, ok := s[0].TTLMillis(); ms != test.ms || ok != test.ok {
			t.Errorf("%s: %d, %v", test.ttl, ms, ok)
		}
	}
}
