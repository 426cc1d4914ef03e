package compiledplan

import "testing"

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]int64{
		"0 ms": 0, "0": 0, "36000": 36000, "1 d": 86_400_000, "1d": 86_400_000, "12 h": 43_200_000, "3 min": 180_000, "3m": 180_000, "1 s": 1000,
		" 2  days ": 172_800_000, "2 HOURS": 7_200_000, "999 µs": 0, "1500 micros": 1, "1000000 ns": 1, "106751991167 d": 9_223_372_036_828_800_000,
	} {
		if got, ok := parseDuration(text); !ok || got != want {
			t.Errorf("%q: %d, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "ms", "-1 ms", "1.5 h", "1 week", "1 d 2 h", "99999999999999999999", "106751991168 d", "9223372036854775807 s"} {
		if got, ok := parseDuration(text); ok {
			t.Errorf("%q: %d", text, got)
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
		{"1 d", 86_400_000, true, Until{Kind: UntilTTL}},
		{"soon", 0, false, Until{}},
	} {
		plan := parseNodes(t, `{"id":3,"type":"stream-exec-group-aggregate_1","state":[{"index":0,"ttl":"`+test.ttl+`","name":"groupAggregateState"}],"outputType":"ROW<>"}`, `{"source":1,"target":3}`)
		s := statesOf(t, plan.Node(3))
		if len(s) != 1 || s[0].TTL != test.ttl || s[0].TTLFrom != TTLFromPlan || s[0].Until != test.want {
			t.Errorf("%s: %+v", test.ttl, s)
		}
		if ms, ok := s[0].TTLMillis(); ms != test.ms || ok != test.ok {
			t.Errorf("%s: %d, %v", test.ttl, ms, ok)
		}
	}
}
