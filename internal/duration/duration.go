// Package duration writes durations for people.
package duration

import "strconv"

// Text gives milliseconds in the largest unit that keeps them whole, as Flink
// writes durations (TimeUtils.formatWithHighestUnit): 2 h, 90 min, -1 d, 0 ms.
func Text(ms int64) string {
	if ms != 0 {
		for _, unit := range [...]struct {
			name string
			ms   int64
		}{{"d", 86_400_000}, {"h", 3_600_000}, {"min", 60_000}, {"s", 1000}} {
			if ms%unit.ms == 0 {
				return strconv.FormatInt(ms/unit.ms, 10) + " " + unit.name
			}
		}
	}
	return strconv.FormatInt(ms, 10) + " ms"
}
