package main

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/internal/visible"
)

// A delimited writes one result as CSV or TSV: a line of names, then the rows,
// each with its op first if it has one. Null is an empty field, the empty
// string is "". Fields are quoted as RFC 4180 says, with tabs too; lines end in
// a newline. The one null of a row that has no other field is an empty line.
//
// One result: with a second one there is a choice to make, and nothing should
// be written. Since a result may be of any size and the next one be far behind
// it, that holds up to a size; a larger result may have been written in part
// when the second one comes. The exit code tells in any case.
type delimited struct {
	out       *stream.Output
	delimiter byte
	terminal  bool // control characters have to be made visible

	released bool // more than holdBack bytes were written
	ops      bool
	results  int
	choices  choices
}

const holdBack = 256 << 10

func (f *delimited) early() bool       { return false }
func (f *delimited) interleaves() bool { return false }

func (f *delimited) begin(s *section) error {
	if f.choose(s); f.results > 1 {
		return nil
	}
	f.ops = s.ops()
	names := s.names
	if f.ops {
		names = append([]string{"op"}, uniqueNames(s.Columns, "op")...)
	}
	for i, name := range names {
		if i > 0 {
			f.out.Buf = append(f.out.Buf, f.delimiter)
		}
		f.out.Buf = f.appendField(f.out.Buf, name)
	}
	if len(names) > 0 {
		f.out.Buf = append(f.out.Buf, '\n')
	}
	return nil
}

// choose takes a result that could be chosen. With a second one nothing is to
// be written.
func (f *delimited) choose(s *section) {
	f.results++
	f.choices.add(s)
	if f.results > 1 && !f.released {
		f.out.Buf = f.out.Buf[:0]
	}
}

func (f *delimited) row(row *changelog.Row) error {
	if f.results > 1 {
		return nil
	}
	b := f.out.Buf
	if f.ops {
		b = append(b, row.Kind.String()...)
	}
	for i := range row.Cells {
		c := &row.Cells[i]
		if f.ops || i > 0 {
			b = append(b, f.delimiter)
		}
		if !c.IsNull() {
			b = f.appendField(b, c.Text)
		}
	}
	f.out.Buf = append(b, '\n')
	if !f.released && len(f.out.Buf) < holdBack {
		return nil
	}
	f.released = true
	return f.out.Spill()
}

func (f *delimited) appendField(dst []byte, s string) []byte {
	if f.terminal {
		s = visible.String(s)
	}
	from := len(dst)
	dst = slices.Grow(dst, len(s)+8)
	dst = append(dst, s...)
	switch {
	case len(s) == 0:
		return append(dst, `""`...)
	case special(dst[from:len(dst)+8], len(s), f.delimiter):
		return appendQuoted(dst[:from], s)
	}
	return dst
}

func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		dst = append(dst, s[:i+1]...)
		dst = append(dst, '"')
		s = s[i+1:]
	}
	dst = append(dst, s...)
	return append(dst, '"')
}

// special reports whether a field b[:n] has to be quoted: whether it holds the
// delimiter, a quote, a carriage return or a newline. It looks at eight bytes
// at a time; b has eight bytes more than n.
func special(b []byte, n int, delimiter byte) bool {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	d := ones * uint64(delimiter)
	for i := 0; i < n; i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		if rest := n - i; rest < 8 {
			x &= uint64(1)<<(8*rest) - 1
		}
		// A zero byte gets its high bit in (y-ones)&^y. Other bytes can get it
		// only behind a zero byte, so the answer is exact.
		delim, quote, cr, nl := x^d, x^ones*'"', x^ones*'\r', x^ones*'\n'
		if ((delim-ones)&^delim|(quote-ones)&^quote|(cr-ones)&^cr|(nl-ones)&^nl)&highs != 0 {
			return true
		}
	}
	return false
}

func (f *delimited) refuse(s *section) error {
	f.choose(s)
	return nil
}

func (f *delimited) end() error                 { return nil }
func (f *delimited) statement(*statement) error { return nil }

// close returns a *choiceError unless there was one result.
func (f *delimited) close() error {
	if f.results != 1 {
		return &choiceError{results: f.results, choices: f.choices}
	}
	return f.out.Spill()
}
