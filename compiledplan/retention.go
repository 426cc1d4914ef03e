package compiledplan

import (
	"math/big"
	"regexp"
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

// isoDuration is the grammar of Java's Duration.parse, which TimeUtils.parseDuration tries from 2.1 on for what does not
// begin with a digit: days, hours, minutes and seconds, each with its own sign, and one before them all.
var isoDuration = regexp.MustCompile(`^(?i)([-+]?)P(?:([-+]?[0-9]+)D)?(T(?:([-+]?[0-9]+)H)?(?:([-+]?[0-9]+)M)?(?:([-+]?[0-9]+)(?:[.,]([0-9]{0,9}))?S)?)?$`)

// longestNumber is how many digits a number of a duration may have: more would be too long in any unit.
const longestNumber = 40

// parseDuration reads a time-to-live as Flink writes and reads it, in milliseconds: "0 ms", "1 d", "36000" and, from 2.1
// on, "PT1H". What is shorter than a millisecond is cut off, as StateMetadata does.
func parseDuration(text string) (ms int64, ok bool) {
	text = strings.TrimSpace(text)
	if isISODuration(text) {
		return parseISODuration(text)
	}
	digits := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(text)
	}
	unit, known := durationUnits[strings.ToLower(strings.TrimSpace(text[digits:]))]
	if digits == 0 || !known {
		return 0, false
	}
	nanos, ok := inNanos(text[:digits], unit)
	if !ok {
		return 0, false
	}
	return wholeMillis(nanos)
}

// isISODuration says whether a time-to-live is one that only Flink 2.1 and later can read.
func isISODuration(text string) bool { return isoDuration.MatchString(strings.TrimSpace(text)) }

func parseISODuration(text string) (ms int64, ok bool) {
	parts := isoDuration.FindStringSubmatch(text)
	if strings.EqualFold(parts[3], "T") || parts[2]+parts[3] == "" {
		return 0, false
	}
	total := new(big.Int)
	for unit, part := range map[int64]string{86400e9: parts[2], 3600e9: parts[4], 60e9: parts[5], 1e9: parts[6]} {
		if part == "" {
			continue
		}
		nanos, ok := inNanos(part, unit)
		if !ok {
			return 0, false
		}
		total.Add(total, nanos)
	}
	if parts[7] != "" {
		fraction, _ := inNanos((parts[7] + "00000000")[:9], 1)
		if strings.HasPrefix(parts[6], "-") {
			fraction.Neg(fraction)
		}
		total.Add(total, fraction)
	}
	if parts[1] == "-" {
		total.Neg(total)
	}
	return wholeMillis(total)
}

func inNanos(number string, unit int64) (*big.Int, bool) {
	if len(number) > longestNumber {
		return nil, false
	}
	n, ok := new(big.Int).SetString(number, 10)
	if !ok {
		return nil, false
	}
	return n.Mul(n, big.NewInt(unit)), true
}

// wholeMillis refuses negative durations, as TimeUtils does, and what a long of milliseconds does not hold.
func wholeMillis(nanos *big.Int) (ms int64, ok bool) {
	if nanos.Sign() < 0 {
		return 0, false
	}
	nanos.Quo(nanos, big.NewInt(1e6))
	if !nanos.IsInt64() {
		return 0, false
	}
	return nanos.Int64(), true
}
