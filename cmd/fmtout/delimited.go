package main

import (
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/internal/tableau"
	"github.com/seed-69e58989/flinkread/internal/visible"
	"github.com/seed-69e58989/flinkread/internal/word"
	"github.com/seed-69e58989/flinkread/sqlclient"
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
	delimiter string
	between   word.Fixed   // that
	text      *word.Writer // of a field
	terminal  bool         // control characters have to be made visible

	released bool // more than holdBack bytes were written
	ops      bool
	results  int
	choices  choices
	framing  framing
}

const holdBack = 256 << 10

// nothing is what comes before the first value of a row.
var nothing word.Fixed

func newDelimited(out *stream.Output, delimiter string, terminal bool) *delimited {
	f := &delimited{out: out, delimiter: delimiter, terminal: terminal, between: word.NewFixed(delimiter)}
	f.text = word.NewWriter(delimiter[0], f.appendSpecial)
	return f
}

func (f *delimited) early() bool       { return false }
func (f *delimited) interleaves() bool { return false }

func (f *delimited) begin(s *section) error {
	if f.choose(s); f.results > 1 {
		return nil
	}
	f.out.Buf = slices.Grow(f.out.Buf, holdBack+holdBack/2) // to get there step by step leaves a MiB of garbage
	f.ops = s.ops()
	names := s.names
	if f.ops {
		names = append([]string{"op"}, uniqueNames(s.Columns, "op")...)
	}
	before := &nothing
	for _, name := range names {
		f.out.Buf = f.appendField(f.out.Buf, before, name)
		before = &f.between
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
	before := &nothing
	if f.ops {
		b = append(b, row.Kind.String()...)
		before = &f.between
	}
	for i := range row.Cells {
		if c := &row.Cells[i]; !c.IsNull() {
			b = f.appendField(b, before, c.Text)
		} else if before != &nothing {
			b = append(b, f.delimiter...)
		}
		before = &f.between
	}
	f.out.Buf = append(b, '\n')
	return f.spill()
}

// spill writes what was collected if it is enough.
func (f *delimited) spill() error {
	if !f.released && len(f.out.Buf) < holdBack {
		return nil
	}
	f.released = true
	return f.out.Spill()
}

func (f *delimited) rows(rows *sqlclient.Rows) error {
	switch {
	case f.results > 1:
		return nil
	case f.terminal:
		return writeEach(f, rows)
	}
	return f.framing.write(f, f.out, rows)
}

// newFrame returns the frame of rows without nulls and special characters.
func (f *delimited) newFrame(places []tableau.Place) *raw.Frame {
	frame := raw.NewFrame(raw.Quoting{Special: "\"" + f.delimiter, Empty: true}) // an empty text is written as ""
	for i, place := range places {
		behind := f.delimiter
		if i == len(places)-1 {
			behind = "\n"
		}
		frame.Add(place, behind)
	}
	return frame
}

// head returns what rows of a kind begin with.
func (f *delimited) head(kind changelog.RowKind) []byte {
	if !f.ops {
		return nil
	}
	return []byte(kind.String() + f.delimiter)
}

// appendField appends what comes before a field, a delimiter or nothing, and s.
func (f *delimited) appendField(dst []byte, before *word.Fixed, s string) []byte {
	if s == "" {
		return append(append(dst, f.delimiter[:before.Len()]...), `""`...)
	}
	if f.terminal {
		s = visible.String(s)
	}
	return f.text.Append(dst, before, s)
}

// appendSpecial appends a field that may have to be quoted. Dst ends in what is
// done of it.
func (f *delimited) appendSpecial(dst []byte, s string, done int) []byte {
	if strings.IndexByte(s, f.delimiter[0]) < 0 && strings.IndexByte(s, '"') < 0 && strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0 {
		return append(dst, s[done:]...)
	}
	return appendQuoted(dst[:len(dst)-done], s)
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
