package grammar

import "golang.org/x/text/width"

// units returns the width of r in the measure that Flink pads by
// (org.apache.flink.table.utils.print.TableauStyle): UTF-16 code units, and one
// more where the East Asian Width is Wide or Fullwidth.
func units(r rune) int {
	n := 1
	if r > 0xFFFF {
		n = 2
	}
	if wide(r) {
		n++
	}
	return n
}

// wide reports whether r was wide in Unicode 13, which is what Flink's ICU4J
// 67.1 knows.
func wide(r rune) bool {
	for _, since := range wideSince {
		if since[0] <= r && r <= since[1] {
			return false
		}
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return true
	}
	return false
}

// wideSince lists what x/text calls wide and Unicode 13 does not: characters of
// Unicode 14 and later, and the last two of each plane, which are none.
var wideSince = [][2]rune{
	{0x2630, 0x2637}, {0x268A, 0x268F}, {0x4DC0, 0x4DFF}, // Unicode 16
	{0x1AFF0, 0x1AFFF}, {0x1B11F, 0x1B122}, {0x1B132, 0x1B132}, {0x1B155, 0x1B155},
	{0x1F6DC, 0x1F6DF}, {0x1F7F0, 0x1F7F0}, {0x1F979, 0x1F979}, {0x1F9CC, 0x1F9CC},
	{0x1FA75, 0x1FA77}, {0x1FA7B, 0x1FA7F}, {0x1FA87, 0x1FA8F}, {0x1FAA9, 0x1FAAF},
	{0x1FAB7, 0x1FABF}, {0x1FAC3, 0x1FACF}, {0x1FAD7, 0x1FAFF},
	{0x2FFFE, 0x2FFFF}, {0x3FFFE, 0x3FFFF},
}
