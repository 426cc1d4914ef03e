package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/internal/tableau"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A section is a result on its way to the output.
type section struct {
	*sqlclient.Result
	file string // "" if there is only one
	// names are those of the columns, each different from the others.
	names []string
	// end is how the result ends, as far as that is known when the section
	// begins: always when the rows are folded, and in formats that say it
	// before the rows (see format.early).
	end sqlclient.End
	// rows is the number of rows to come if final: that of the table.
	rows  int
	final bool // the rows are those of the final table

	table   *changelog.Table // the rows, to be folded; nil if they are not
	waiting []changelog.Row  // the rows, as long as another section is written
	typed   *typedCells      // nil: cells are text
	refused bool             // the user was told why the rows are not written
}

// ops reports whether the rows come with their kinds.
func (s *section) ops() bool { return s.Mode == sqlclient.ModeStreaming && !s.final }

// partial returns what a final table was folded from, if not from a result
// that was printed in full: "failed", "cut off" or "cancelled".
func (s *section) partial() string {
	if !s.final {
		return ""
	}
	switch s.end {
	case sqlclient.EndFailed, sqlclient.EndCutOff, sqlclient.EndCancelled:
		return s.end.String()
	}
	return ""
}

// A format writes results. Its methods are called in the order of the input;
// an error is one of writing, and nothing is called after it.
type format interface {
	// early reports whether begin needs to know the result's end.
	early() bool
	// interleaves reports whether begin may be called within another result, to
	// go on with that of its section.
	interleaves() bool
	// begin begins a result, with its rows to follow. The section is valid, and
	// kept up to date, until end.
	begin(*section) error
	// row writes a row, whose strings are valid only now.
	row(row *changelog.Row) error
	// rows writes rows of a table, which are valid only now.
	rows(rows *sqlclient.Rows) error
	// end ends the result.
	end() error
	// refuse takes, in the place of begin to end, a result that cannot be folded
	// or written as the user wants it, as the user was told.
	refuse(*section) error
	// statement is called when a statement is over, behind its results; once
	// for each of several. What it takes is valid only now.
	statement(*statement) error
	// close ends the output. An error of type *choiceError asks the user for
	// a choice.
	close() error
}

// writeEach writes the rows one by one.
func writeEach(f format, rows *sqlclient.Rows) error {
	for row := range rows.All() {
		if err := f.row(row); err != nil {
			return err
		}
	}
	return nil
}

// A framing writes rows of results by a frame, which does for the next result,
// too, if that has the same columns in the same places.
type framing struct {
	frame  *raw.Frame // nil: to be made
	places []tableau.Place
}

// A framed is a format whose rows a frame can write.
type framed interface {
	format
	// newFrame returns the frame of rows whose cells stand at places.
	newFrame(places []tableau.Place) *raw.Frame
	// head returns what rows of a kind begin with.
	head(changelog.RowKind) []byte
	// spill is called behind some rows.
	spill() error
}

// write writes rows of a table, those that the frame does not one by one.
func (f *framing) write(format framed, out *stream.Output, rows *sqlclient.Rows) error {
	all := raw.Of(rows)
	if len(all.Places) == 0 || all.Marked {
		return writeEach(format, rows)
	}
	if f.frame == nil || !slices.Equal(all.Places, f.places) {
		f.frame, f.places = format.newFrame(all.Places), all.Places
	}
	for kind := range changelog.Retract + 1 {
		if rows.Changes(kind) > 0 {
			f.frame.SetHead(kind, format.head(kind))
		}
	}
	f.frame.Begin(all)
	for i := 0; i < len(all.Bounds); {
		before := i
		if out.Buf, i = f.frame.Append(out.Buf, i); i > before {
			if err := format.spill(); err != nil {
				return err
			}
			continue
		}
		if err := format.row(all.Whole.Row(i)); err != nil {
			return err
		}
		i++
	}
	return nil
}

var formats = []string{"table", "ndjson", "json", "csv", "tsv", "markdown"}

// sinkName returns "print sink out", where out is the identifier, if there is
// one; "" for nil.
func sinkName(sink *sqlclient.PrintSink) string {
	switch {
	case sink == nil:
		return ""
	case sink.Identifier == "":
		return "print sink"
	}
	return "print sink " + sink.Identifier
}

// newFormat returns the format that the options ask for.
func newFormat(opts *options, out *stream.Output, terminal bool) (format, error) {
	if !slices.Contains(formats, opts.output) {
		return nil, fmt.Errorf("unknown output format %q; choose one of %s", opts.output, strings.Join(formats, ", "))
	}
	if opts.typed && !opts.json() {
		return nil, fmt.Errorf("--typed is for results as JSON; choose -o ndjson or -o json")
	}
	if opts.list {
		if opts.final {
			return nil, fmt.Errorf("--list prints no rows that --final or --key could fold")
		}
		switch opts.output {
		case "csv", "tsv":
			return nil, fmt.Errorf("--list cannot be written as %s; choose table, ndjson, json or markdown", opts.output)
		case "ndjson", "json":
			return &listJSON{out: out, array: opts.output == "json"}, nil
		}
		return &listTable{out: out, markdown: opts.output == "markdown"}, nil
	}
	switch opts.output {
	case "ndjson":
		return &ndjson{out: out}, nil
	case "json":
		return &jsonArray{out: out}, nil
	case "csv":
		return newDelimited(out, ",", terminal), nil
	case "tsv":
		return newDelimited(out, "\t", terminal), nil
	}
	return &document{out: out, markdown: opts.output == "markdown"}, nil
}
