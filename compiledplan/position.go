package compiledplan

import (
	"fmt"
	"strings"
)

// A Pos is a place in the text of a plan. The zero Pos is no place at all.
type Pos struct {
	Offset int // bytes before it, a byte order mark counted
	Line   int // from 1
	Col    int // in bytes, from 1
}

// String gives line:column, or "-" for no place.
func (p Pos) String() string {
	if p.Line == 0 {
		return "-"
	}
	return fmt.Sprintf("%d:%d", p.Line, p.Col)
}

// A locator turns offsets into places. Asking for rising offsets costs one pass over the text in all.
type locator struct {
	text string
	last Pos
}

func (l *locator) at(offset int) Pos {
	if l.last.Line == 0 || offset < l.last.Offset {
		l.last = Pos{Line: 1, Col: 1}
	}
	between := l.text[l.last.Offset:offset]
	if n := strings.Count(between, "\n"); n > 0 {
		l.last.Line += n
		l.last.Col = len(between) - strings.LastIndexByte(between, '\n')
	} else {
		l.last.Col += len(between)
	}
	l.last.Offset = offset
	return l.last
}
