package datatype

import (
	"strconv"
	"strings"
	"time"
)

// A matcher finds where a scalar value that starts at pos ends; -1 if none starts there. It goes as far as it can, which is
// never too far: what may follow a value (", ", "=" or a bracket) continues none.
type matcher func(text string, pos int) (end int)

// matcherOf gives the matcher of a scalar kind; nil for a kind whose values can be any text, and for VARIANT (see jsonEnds).
func matcherOf(k Kind) matcher {
	switch k {
	case Boolean:
		return matchBoolean
	case Tinyint:
		return func(text string, pos int) int { return matchInteger(text, pos, 8) }
	case Smallint:
		return func(text string, pos int) int { return matchInteger(text, pos, 16) }
	case Integer:
		return func(text string, pos int) int { return matchInteger(text, pos, 32) }
	case Bigint:
		return func(text string, pos int) int { return matchInteger(text, pos, 64) }
	case Decimal:
		return matchDecimal
	case Float, Double:
		return matchDouble
	case Date:
		return matchDate
	case Time:
		return matchTime
	case Timestamp:
		return matchTimestamp
	case TimestampWithLocalTimeZone, TimestampWithTimeZone:
		return matchZonedTimestamp
	case IntervalYearMonth:
		return matchYearMonth
	case IntervalDayTime:
		return matchDayTime
	case Binary, Varbinary:
		return matchBytes
	case Bitmap:
		return matchBitmap
	case Null:
		return func(string, int) int { return -1 } // it has no value but null
	}
	return nil
}

// cursor walks over a text; once something is missing it stays failed.
type cursor struct {
	text   string
	pos    int
	failed bool
}

func (c *cursor) end() int {
	if c.failed {
		return -1
	}
	return c.pos
}

// skip goes past a text, if it is what follows.
func (c *cursor) skip(text string) bool {
	if strings.HasPrefix(c.text[c.pos:], text) {
		c.pos += len(text)
		return true
	}
	return false
}

func (c *cursor) need(text string) {
	if !c.skip(text) {
		c.failed = true
	}
}

// digits reads from least to most digits and gives their number, or what fits into an int of many.
func (c *cursor) digits(least, most int) int {
	start := c.pos
	for c.pos < len(c.text) && c.pos-start < most && '0' <= c.text[c.pos] && c.text[c.pos] <= '9' {
		c.pos++
	}
	if c.pos-start < least {
		c.failed = true
	}
	if c.pos == start {
		return 0
	}
	n, _ := strconv.Atoi(c.text[start:c.pos])
	return n
}

// between reads two digits of a number that has bounds.
func (c *cursor) between(low, high int) int {
	n := c.digits(2, 2)
	if n < low || n > high {
		c.failed = true
	}
	return n
}

// anyDigits is more digits than a number has that Flink prints.
const anyDigits = 400

func matchBoolean(text string, pos int) int {
	for _, word := range [...]string{"TRUE", "FALSE", "true", "false"} {
		if strings.HasPrefix(text[pos:], word) {
			return pos + len(word)
		}
	}
	return -1
}

func matchInteger(text string, pos, bits int) int {
	c := cursor{text: text, pos: pos}
	if c.whole(20); c.failed {
		return -1
	}
	if _, err := strconv.ParseInt(text[pos:c.pos], 10, bits); err != nil {
		return -1
	}
	return c.pos
}

// matchDecimal takes the exponent that Java's BigDecimal prints for a zero with many places: 0E-18.
func matchDecimal(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	c.number()
	return c.end()
}

func (c *cursor) number() {
	c.whole(anyDigits)
	if c.skip(".") {
		c.digits(1, anyDigits)
	}
	if c.skip("E") {
		if !c.skip("-") {
			c.skip("+")
		}
		c.digits(1, anyDigits)
	}
}

// whole reads a number without a leading zero: Flink prints none, and in JSON it would be no number.
func (c *cursor) whole(most int) {
	c.skip("-")
	start := c.pos
	c.digits(1, most)
	if c.pos > start+1 && c.text[start] == '0' {
		c.failed = true
	}
}

func matchDouble(text string, pos int) int {
	for _, word := range [...]string{"NaN", "Infinity", "-Infinity"} {
		if strings.HasPrefix(text[pos:], word) {
			return pos + len(word)
		}
	}
	return matchDecimal(text, pos)
}

func matchDate(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	c.date()
	return c.end()
}

// date reads a day that exists. Java writes years beyond 9999 with a sign.
func (c *cursor) date() (year, month, day int) {
	sign := 1
	switch {
	case c.skip("-"):
		sign = -1
	case c.skip("+"):
	}
	year = sign * c.digits(4, 9)
	c.need("-")
	month = c.between(1, 12)
	c.need("-")
	day = c.between(1, 31)
	if day > 28 && !c.failed && time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Day() != day {
		c.failed = true
	}
	return year, month, day
}

// clock reads a time of day. The client always prints seconds; Java's LocalTime (print connector) leaves them out when they are zero.
func (c *cursor) clock() (hour, minute, second, nanos int) {
	hour = c.between(0, 23)
	c.need(":")
	minute = c.between(0, 59)
	if !c.skip(":") {
		return hour, minute, 0, 0
	}
	second = c.between(0, 59)
	if c.skip(".") {
		start := c.pos
		nanos = c.digits(1, 9)
		for range 9 - (c.pos - start) {
			nanos *= 10
		}
	}
	return hour, minute, second, nanos
}

func matchTime(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	c.clock()
	return c.end()
}

func matchTimestamp(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	c.timestamp()
	return c.end()
}

// timestamp has a T in the middle where Java's LocalDateTime printed it (print connector).
func (c *cursor) timestamp() {
	c.date()
	if !c.skip("T") {
		c.need(" ")
	}
	c.clock()
}

// matchZonedTimestamp takes the Z of Java's Instant (print connector) and the offset of OffsetDateTime; the client prints neither.
func matchZonedTimestamp(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	c.timestamp()
	switch {
	case c.failed || c.skip("Z"):
	case c.skip("+"), c.skip("-"):
		c.between(0, 18)
		c.need(":")
		c.between(0, 59)
	}
	return c.end()
}

// parseTime reads what matchDate, matchTimestamp or matchZonedTimestamp took.
func parseTime(text string) (t time.Time, ok bool) {
	c := cursor{text: text}
	year, month, day := c.date()
	var hour, minute, second, nanos int
	if c.skip("T") || c.skip(" ") {
		hour, minute, second, nanos = c.clock()
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC), !c.failed
}

// matchYearMonth takes +1-02, and the Period that Java prints: P14M.
func matchYearMonth(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	if c.skip("P") {
		return c.isoFields("Y", "M")
	}
	if !c.skip("+") {
		c.need("-")
	}
	c.digits(1, 9)
	c.need("-")
	c.between(0, 11)
	return c.end()
}

// matchDayTime takes +1 02:03:04.005, and the Duration that Java prints: PT26H3M4.005S.
func matchDayTime(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	if c.skip("PT") {
		return c.isoFields("H", "M", "S")
	}
	if !c.skip("+") {
		c.need("-")
	}
	c.digits(1, 9)
	c.need(" ")
	if !c.failed {
		c.clock()
	}
	return c.end()
}

// isoFields reads numbers that end in these letters, each of which may be missing but not all of them.
func (c *cursor) isoFields(letters ...string) int {
	start := c.pos
	for _, letter := range letters {
		field := *c
		field.skip("-")
		field.digits(1, anyDigits)
		if letter == "S" && field.skip(".") {
			field.digits(1, 9)
		}
		if field.need(letter); !field.failed {
			*c = field
		}
	}
	if c.pos == start {
		return -1
	}
	return c.pos
}

func matchBytes(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	if c.skip("x'") {
		start := c.pos
		for c.pos < len(text) && strings.IndexByte("0123456789abcdefABCDEF", text[c.pos]) >= 0 {
			c.pos++
		}
		if c.need("'"); (c.pos-1-start)%2 != 0 {
			return -1
		}
		return c.end()
	}
	if c.need("["); c.failed || c.skip("]") {
		return c.end()
	}
	for {
		end := matchInteger(text, c.pos, 8)
		if end < 0 {
			return -1
		}
		if c.pos = end; c.skip("]") {
			return c.pos
		}
		if !c.skip(", ") {
			return -1
		}
	}
}

func matchBitmap(text string, pos int) int {
	c := cursor{text: text, pos: pos}
	if c.need("{"); c.failed || c.skip("}") {
		return c.end()
	}
	for {
		c.digits(1, 10)
		if c.failed || c.skip("}") {
			return c.end()
		}
		c.need(",")
	}
}
