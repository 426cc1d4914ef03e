package sqlclient

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// In table and changelog mode the client takes the whole screen, and draws it
// again and again: a title, the state of the result, the names of the columns
// without bars, a page of rows, and what the keys do (CliTableResultView and
// CliChangelogResultView, 1.13 to 2.3). Saved, that is no result: rows of other
// pages are missing, and no border tells where a cell ends.
var screenTitles = [...]string{"SQL Query Result (Table)", "SQL Query Result (Changelog)"}

// screenOff switches back from the terminal's other screen.
const screenOff = "\x1b[?1049l"

// isScreen reports whether a screen of table or changelog mode begins with the
// line.
func isScreen(visible []byte) bool {
	s := bytes.TrimLeft(visible, " \t")
	return bytes.HasPrefix(s, []byte(screenTitles[0])) || bytes.HasPrefix(s, []byte(screenTitles[1]))
}

// screenLine takes a line that may go on with a screen, and reports false if it
// does not.
func (x *textLexer) screenLine(text []byte, start, end int, whole bool) bool {
	line := text[start:end]
	if i := bytes.Index(line, []byte(screenOff)); i >= 0 {
		i += start + len(screenOff)
		x.add(screenToken, start, i)
		x.mode = plainText
		if i < end {
			x.top(text, i, end, whole)
		}
		return true
	}
	switch classify(line) {
	case echoToken, messageToken, errorToken, shutdownToken, jobToken, initToken:
		return false
	}
	x.add(screenToken, start, end)
	return true
}

// A terminal is what a terminal makes of the bytes that the line editor (JLine)
// writes while a statement is typed: it moves the cursor to show the partner of
// a bracket, takes characters back, and draws a line again where the statement
// is wider than the terminal.
type terminal struct {
	width    int // 0: not known
	rows     []terminalRow
	row, col int
	// blanks is how many more cells may be filled that nothing was written to:
	// no more than the echo is long, so that a few moves do not make a huge text.
	blanks int
}

type terminalRow struct {
	text    []rune // 0: the second column of a wide character
	wrapped bool   // it goes on with the row above
}

const (
	maxTerminalRows    = 4096
	maxTerminalColumns = 4096
)

// typed returns the lines that a terminal shows of what was typed behind the
// prompt.
func typed(echo string) []string {
	t := &terminal{width: widthOf(echo), blanks: len(echo)}
	t.at(0)
	for _, c := range prompt + "> " {
		t.put(c)
	}
	for i := 0; i < len(echo); {
		switch c := echo[i]; {
		case c == 0x1b:
			n := escapeLen([]byte(echo[i:min(len(echo), i+64)]))
			t.control(echo[i : i+n])
			i += n
			continue
		case c == '\r':
			t.col = 0
		case c == '\n':
			t.at(t.row + 1)
			t.col = 0
		case c == '\b':
			t.col = max(0, t.col-1)
		case c == '\t':
			t.put(' ')
		case c < 0x20 || c == 0x7f:
		default:
			r, n := utf8.DecodeRuneInString(echo[i:])
			t.put(r)
			i += n
			continue
		}
		i++
	}
	t.rows[0].text = t.rows[0].text[min(len(prompt+"> "), len(t.rows[0].text)):]
	var lines []string
	for _, row := range t.rows {
		text := strings.ReplaceAll(string(row.text), "\x00", "")
		if row.wrapped && len(lines) > 0 {
			lines[len(lines)-1] += text
		} else {
			lines = append(lines, text)
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// widthOf returns the width of the terminal, 0 if nothing tells: where a row is
// full, the line editor goes back to its last column.
func widthOf(echo string) int {
	width := 0
	for {
		_, rest, found := strings.Cut(echo, "\n\x1b[A\x1b[")
		if !found {
			return width
		}
		echo = rest
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if n, err := strconv.Atoi(rest[:digits]); err == nil && n < maxTerminalColumns && strings.HasPrefix(rest[digits:], "C") {
			width = max(width, n+1)
		}
	}
}

// at moves to a row.
func (t *terminal) at(row int) {
	t.row = min(max(0, row), maxTerminalRows-1)
	for len(t.rows) <= t.row {
		t.rows = append(t.rows, terminalRow{})
	}
}

// put writes a character at the cursor.
func (t *terminal) put(r rune) {
	w := 1
	if tableau.Wide(r) {
		w = 2
	}
	if t.width > 0 && t.col+w > t.width || t.col+w > maxTerminalColumns {
		t.at(t.row + 1)
		t.rows[t.row].wrapped = true
		t.col = 0
	}
	row := &t.rows[t.row]
	if gap := t.col - len(row.text); gap > 0 {
		t.col -= gap - min(gap, t.blanks)
		t.blanks -= min(gap, t.blanks)
	}
	for len(row.text) < t.col+w {
		row.text = append(row.text, ' ')
	}
	row.text[t.col] = r
	if w == 2 {
		row.text[t.col+1] = 0
	}
	t.col += w
}

// control does what an escape sequence tells the terminal.
func (t *terminal) control(code string) {
	if len(code) < 3 || code[1] != '[' {
		return
	}
	// The number may be larger than an int of 32 bits.
	number, err := strconv.ParseInt(code[2:len(code)-1], 10, 64)
	if err != nil {
		number = 0
	}
	n := int(max(-1, min(number, maxTerminalRows, maxTerminalColumns)))
	row := &t.rows[t.row]
	switch code[len(code)-1] {
	case 'A':
		t.at(t.row - max(1, n))
	case 'B':
		t.at(t.row + max(1, n))
	case 'C':
		t.col = min(t.col+max(1, n), maxTerminalColumns-1)
	case 'D':
		t.col = max(0, t.col-max(1, n))
	case 'G':
		t.col = min(max(0, n-1), maxTerminalColumns-1)
	case 'K':
		if n == 0 && t.col < len(row.text) {
			row.text = row.text[:t.col]
		}
	case 'J':
		if n == 0 {
			row.text = row.text[:min(t.col, len(row.text))]
			t.rows = t.rows[:t.row+1]
		}
	case 'P': // take characters out
		if t.col < len(row.text) {
			row.text = slices.Delete(row.text, t.col, min(len(row.text), t.col+max(1, n)))
		}
	case '@': // make room; what goes beyond the last column is lost
		if t.col < len(row.text) {
			n = min(max(1, n), t.blanks, maxTerminalColumns-t.col)
			t.blanks -= n
			kept := row.text[:min(len(row.text), maxTerminalColumns-n)]
			row.text = slices.Insert(kept, t.col, slices.Repeat([]rune{' '}, n)...)
		}
	}
}
