package duration

import (
	"math"
	"testing"
)

func TestText(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0 ms", 1: "1 ms", -1: "-1 ms", 1500: "1500 ms", 1000: "1 s", 90_000: "90 s", 60_000: "1 min", 5_400_000: "90 min",
		7_200_000: "2 h", -3_600_000: "-1 h", 86_400_000: "1 d", 129_600_000: "36 h", -172_800_000: "-2 d",
		math.MaxInt64: "9223372036854775807 ms", math.MinInt64: "-9223372036854775808 ms",
	} {
		if got := Text(ms); got != want {
			t.Errorf("%d: %q instead of %q", ms, got, want)
		}
	}
}
