package grammar

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// typedLength returns the length of what was typed at a terminal: up to where
// the editor switches bracketed paste off, or to the next prompt.
func typedLength(s string) int {
	for n := 0; n < len(s); {
		l := s[n : n+restOfLine(s[n:])]
		if n > 0 && behindNoise(l, promptText.MatchString) {
			return n
		}
		if i := strings.Index(l, pasteOff); i >= 0 {
			return n + i
		}
		n += len(l)
	}
	return len(s)
}

var (
	markText    = regexp.MustCompile(`^( *>)( |\r*\n|$)`)
	numberText  = regexp.MustCompile(`^(\d+)>( |\r*\n|$)`)
	controlText = regexp.MustCompile(`^\x1b\[(\d*)([ABCDGKJP@])`)
	marginText  = regexp.MustCompile(`\n\x1b\[A\x1b\[(\d+)C`)
)

// mark returns the length of what stands before a line of a statement with n
// lines before it: "> ", or with line numbers "1> ".
func mark(s string, n int) int {
	if m := numberText.FindStringSubmatch(s); m != nil && m[1] == strconv.Itoa(n) && !printText.MatchString(s) {
		return len(m[1]) + len(strings.TrimRight(">"+m[2], "\r\n"))
	}
	if m := markText.FindStringSubmatch(s); m != nil && (s[0] == '>' || !printText.MatchString(s)) {
		return len(strings.TrimRight(m[1]+m[2], "\r\n"))
	}
	return 0
}

// shown returns the statement that a terminal shows of what was typed. A cell of
// the screen is a place, two numbers; what stands there is text, "" behind a wide
// character.
func shown(typed string) string {
	type place struct{ row, col int }
	screen := map[place]string{}
	goesOn := map[int]bool{} // rows that the terminal began for want of room
	width, last := 1<<30, 0
	for _, m := range marginText.FindAllStringSubmatch(typed, -1) {
		if n, _ := strconv.Atoi(m[1]); n < 4096 && (width == 1<<30 || n+1 > width) {
			width = n + 1
		}
	}
	at := place{0, len("Flink SQL> ")}
	clear := func(keep func(place) bool) {
		for p := range screen {
			if !keep(p) {
				delete(screen, p)
			}
		}
	}
	for typed != "" {
		if m := controlText.FindStringSubmatch(typed); m != nil {
			typed = typed[len(m[0]):]
			n, _ := strconv.Atoi(m[1])
			here, step := at, max(1, n)
			switch m[2] {
			case "A":
				at.row = max(0, at.row-step)
			case "B":
				at.row += step
			case "C":
				at.col += step
			case "D":
				at.col = max(0, at.col-step)
			case "G":
				at.col = step - 1
			case "K":
				clear(func(p place) bool { return n > 0 || p.row != here.row || p.col < here.col })
			case "J":
				clear(func(p place) bool { return n > 0 || p.row < here.row || p.row == here.row && p.col < here.col })
			case "P", "@":
				moved := map[place]string{}
				for p, c := range screen {
					switch {
					case p.row != here.row || p.col < here.col:
					case m[2] == "@":
						p.col += step
					case p.col < here.col+step:
						continue
					default:
						p.col -= step
					}
					moved[p] = c
				}
				screen = moved
			}
			last = max(last, at.row)
			continue
		}
		if code := escapeText.FindString(typed); code != "" {
			typed = typed[len(code):]
			continue
		}
		r, size := utf8.DecodeRuneInString(typed)
		c := typed[:size]
		typed = typed[size:]
		switch {
		case r == '\r':
			at.col = 0
		case r == '\n':
			at = place{at.row + 1, 0}
		case r == '\b':
			at.col = max(0, at.col-1)
		case r == '\t' || r >= ' ' && r != 0x7f:
			if r == '\t' {
				c = " "
			}
			n := 1
			if wide(r) {
				n = 2
			}
			if at.col+n > width {
				at = place{at.row + 1, 0}
				goesOn[at.row] = true
			}
			screen[at] = c
			if n == 2 {
				screen[place{at.row, at.col + 1}] = ""
			}
			at.col += n
		}
		last = max(last, at.row)
	}
	ends := make([]int, last+1)
	for p := range screen {
		ends[p.row] = max(ends[p.row], p.col+1)
	}
	text, lines := "", 0
	for row, end := range ends {
		l := ""
		for col := range end {
			c, ok := screen[place{row, col}]
			if !ok {
				c = " "
			}
			if row > 0 || col >= len("Flink SQL> ") {
				l += c
			}
		}
		if goesOn[row] {
			text += l
			continue
		}
		if lines > 0 {
			text = strings.TrimRight(text, " ") + "\n"
			l = l[mark(strings.TrimRight(l, " "), lines):]
		}
		text += l
		lines++
	}
	return strings.TrimRight(text, " ")
}
