package grammar

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// eol returns the length of the newline at the start of s, 0 if there is none.
// A terminal writes carriage returns before it.
func eol(s string) int {
	rest := strings.TrimLeft(s, "\r")
	if !strings.HasPrefix(rest, "\n") {
		return 0
	}
	return len(s) - len(rest) + 1
}

var borderText = regexp.MustCompile(`^\+(?:---+\+)+`)

// border returns the widths of the columns of the border at the start of s,
// and its length with the newline; 0 if there is none. A border has one dash
// for each unit of a column, and one for the blank on each side.
func border(s string) (widths []int, n int) {
	if !strings.HasPrefix(s, "+-") {
		return nil, 0
	}
	text := borderText.FindString(s)
	newline := eol(s[len(text):])
	if text == "" || newline == 0 {
		return nil, 0
	}
	for _, dashes := range strings.Split(strings.Trim(text, "+"), "+") {
		widths = append(widths, len(dashes)-2)
	}
	return widths, len(text) + newline
}

// cut is the length of a row in which the input ends.
const cut = -1

// row returns the cells of the row at the start of s, with their padding, and
// its length with the newline; 0 if s begins with no row of these widths.
func row(s string, widths []int) (cells []string, n int) {
	if !strings.HasPrefix(s, "|") {
		return nil, 0
	}
	n = 1
	for _, w := range widths {
		if !strings.HasPrefix(s[n:], " ") {
			return nil, orCut(s[n:], " ")
		}
		n++
		c := cell(s[n:], w)
		if c <= 0 {
			return nil, c
		}
		cells = append(cells, s[n:n+c])
		n += c + len(" |")
	}
	newline := eol(s[n:])
	switch {
	case newline == 0:
		return nil, orCut(strings.TrimLeft(s[n:], "\r"), "\n")
	case newline > 9: // no terminal writes so many
		return nil, 0
	}
	return cells, n + newline
}

// cell returns the length of the cell at the start of s that is as wide as its
// column and stands before " |"; 0 if there is none. In a column of less than
// three units, what is cut stands out: Flink writes "..." all the same.
func cell(s string, w int) int {
	n := 0
	left := w
	for left > 0 && n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		left -= units(r)
		n += size
	}
	switch {
	case left == 0 && strings.HasPrefix(s[n:], " |"):
		return n
	case w < 3 && strings.HasPrefix(s, "... |"):
		return len("...")
	case left > 0:
		return cut
	case left == 0:
		return orCut(s[n:], " |")
	}
	return 0
}

// orCut returns cut if the input ends in what should stand at the start of s,
// else 0.
func orCut(s, what string) int {
	if len(s) < len(what) && strings.HasPrefix(what, s) {
		return cut
	}
	return 0
}

// head returns the names of the columns of the table that begins at the start
// of s, with their padding; nil if none does. A table begins with a border, a
// row of names, and the same border again.
func head(s string) (names []string, widths []int, top, middle, rule int) {
	widths, top = border(s)
	if top == 0 {
		return nil, nil, 0, 0, 0
	}
	names, middle = row(s[top:], widths)
	if names == nil {
		if names, middle = barred(s[top:], len(widths)); names == nil {
			return nil, nil, 0, 0, 0
		}
	}
	again, rule := border(s[top+middle:])
	if rule == 0 || !slices.Equal(widths, again) {
		return nil, nil, 0, 0, 0
	}
	return names, widths, top, middle, rule
}

func isHead(s string) bool {
	names, _, _, _, _ := head(s)
	return names != nil
}

var cutHeadText = regexp.MustCompile(`^\+---[-+]*(?:\r*\n(?:\|[^\n]*(?:\n[-+]*)?)?)?$`)

// cutHead reports whether s is the start of a head, in which the input ends.
func cutHead(s string) bool { return cutHeadText.MatchString(s) }

// barred returns the cells of the line at the start of s by its bars, if it has
// just the bars for n of them. Names that an output encoding could not print
// are narrower than their columns.
func barred(s string, n int) (cells []string, length int) {
	text, _, ok := strings.Cut(s, "\n")
	line := strings.TrimRight(text, "\r")
	if !ok || len(line) < len("|  |") || !strings.HasPrefix(line, "| ") || !strings.HasSuffix(line, " |") {
		return nil, 0
	}
	cells = strings.Split(line[2:len(line)-2], " | ")
	if len(cells) != n {
		return nil, 0
	}
	return cells, len(text) + 1
}
