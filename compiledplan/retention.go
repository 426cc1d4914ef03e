package compiledplan

import (
	"math"
	"strconv"
	"strings"
)

// durationUnits are the labels that Flink's TimeUtils.parseDuration knows (1.15 to 2.3), in nanoseconds. A number without
// a label counts milliseconds.
var durationUnits = map[string]int64{
	"d": 86400e9, "day": 86400e9, "days": 86400e9,
	"h": 3600e9, "hour": 3600e9, "hours": 3600e9,
	"m": 60e9, "min": 60e9, "minute": 60e9, "minutes": 60e9,
	"s": 1e9, "sec": 1e9, "secs": 1e9, "second": 1e9, "seconds": 1e9,
	"": 1e6, "ms": 1e6, "milli": 1e6, "millis": 1e6, "millisecond": 1e6, "milliseconds": 1e6,
	"µs": 1e3, "micro": 1e3, "micros": 1e3, "microsecond": 1e3, "microseconds": 1e3,
	"ns": 1, "nano": 1, "nanos": 1, "nanosecond": 1, "nanoseconds": 1,
}

// parseDuration reads a time-to-live as Flink writes and reads it ("0 ms", "1 d", "36000"), in milliseconds.
func parseDuration(text string) (ms int64, ok bool) {
	text = strings.TrimSpace(text)
	digits := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(text)
	}
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	unit, known := durationUnits[strings.ToLower(strings.TrimSpace(text[digits:]))]
	if err != nil || !known {
		return 0, false
	}
	if unit < 1e6 {
		return n / (1e6 / unit), true
	}
	if unit /= 1e6; n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}
