package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/internal/command"
	"github.com/seed-69e58989/flinkread/internal/diag"
	"github.com/seed-69e58989/flinkread/internal/placed"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A session reads the files and gives their results to a format.
type session struct {
	*command.Env
	*options
	format format
	typing *typing         // nil: cells are text
	split  bool            // --types split the rows of a print sink
	turn   <-chan struct{} // closed when it is the session's turn, see sideBySide; nil: it is
}

// files reads all files. One that cannot be read does not stop the others; an
// output that cannot be written does.
func (s *session) files() {
	if s.typed {
		s.typing = &typing{spec: s.types}
	}
	if f, ok := s.format.(divisible); ok && len(s.Files) > 1 && s.types == nil && !s.typed {
		s.sideBySide(f)
	} else {
		for _, name := range s.Files {
			if s.open(name) != nil {
				return // the output keeps its error
			}
		}
	}
	var choice *choiceError
	if err := s.format.close(); errors.As(err, &choice) {
		s.choose(choice)
	}
	s.reportTypes()
}

// open reads the named file, if it can be opened. The error is one of the output.
func (s *session) open(name string) error {
	if s.turn != nil && isStream(name) {
		<-s.turn
	}
	in, err := stream.Open(name, s.Stdin)
	if err != nil {
		s.Log.Report(diag.Failure, err)
		return nil
	}
	defer in.Close() // was only read
	if n := in.Len(); s.turn != nil && (n < 0 || n > maxAside) {
		<-s.turn
	}
	return s.file(in)
}

// choose tells the user of the choice that must be made. A file that holds no
// result for a reason that was told already leaves no choice.
func (s *session) choose(err *choiceError) {
	if err.results == 0 && s.Log.Code() != diag.OK {
		return
	}
	s.Log.Report(diag.Usage, fmt.Errorf("fmtout: %w", err))
	for _, line := range err.lines() {
		s.Log.Report(diag.Usage, line)
	}
}

// file reads one file. The error is one of the output.
func (s *session) file(in *stream.Input) error {
	f := &reading{session: s, in: in, chosen: s.options.statement}
	if len(s.Files) > 1 {
		f.name = in.Name
	}
	if s.typing != nil {
		s.typing.schemas = sqlclient.Schemas{}
	}
	if f.chosen != nil && *f.chosen < 0 || s.format.early() {
		start, err := in.Seek(0, io.SeekCurrent)
		if err == nil {
			f.survey()
			_, err = in.Seek(start, io.SeekStart)
		}
		if err != nil {
			s.Log.Report(diag.Failure, fmt.Errorf("%s: %w", in.Name, err))
			return nil
		}
	}
	return f.read()
}

// A reading is one file being read.
type reading struct {
	*session
	in     *stream.Input
	name   string // "" if it is the only file
	chosen *int   // the statement that is wanted; nil: all

	ends []sqlclient.End // of the results, in order, if they were surveyed

	outline  *sqlclient.Outline
	notation datatype.Notation // of the file's values, as far as its nulls tell
	broken   bool              // reading failed
	tallies  tallies           // of the problems of the file
	current  tallies           // of what was not told of yet
	// sections are those that are not over: a table, or the print sinks that may
	// go on, in the order of their results. Written is the one that the format
	// is in.
	sections []*section
	written  *section
	spare    *section           // one that is over, to be used again
	results  int                // the number of the newest one
	columns  []changelog.Column // of the newest one
	names    []string           // unique ones of these
	waiting  int                // bytes of all rows that wait
	over     *statement         // what comes next to be told of; nil between two statements
	told     statement          // where that stands
	last     int                // the highest number of a statement that is over; -1: none yet
	taken    int                // statements that were given to the format
}

// records returns the records of the input.
func (f *reading) records() iter.Seq2[sqlclient.Record, error] {
	opts := []sqlclient.Option{sqlclient.ReuseRows()}
	if f.null != nil {
		opts = append(opts, sqlclient.NullWord(*f.null))
	}
	if f.strict {
		opts = append(opts, sqlclient.Strict())
	}
	if f.types != nil {
		opts = append(opts, sqlclient.SplitPrinted(f.types.fields))
	}
	return sqlclient.NewReader(f.in, f.in.Name, opts...).Records()
}

// survey reads the file once to know how its results end, and which statement
// one is that is counted from the end. What is wrong with the file is told when
// it is read again.
func (f *reading) survey() {
	outline := sqlclient.NewOutline(f.in.Name, nil)
	var numbers []int // of the last statements, as many as are counted
	want := 0
	if f.chosen != nil {
		want = max(0, -*f.chosen)
	}
	take := func() {
		for st, ok := outline.Next(); ok; st, ok = outline.Next() {
			for _, res := range st.Results {
				f.ends = append(f.ends, res.End)
			}
			number := st.Number
			outline.Release(st)
			if n := len(numbers); n > 0 && numbers[n-1] == number {
				continue // a further part of it
			}
			if numbers = append(numbers, number); len(numbers) > want {
				numbers = numbers[1:]
			}
		}
	}
	for rec, err := range f.records() {
		if err != nil {
			break
		}
		outline.Add(rec)
		take()
	}
	outline.Close()
	take()
	if want > 0 && len(numbers) == want {
		f.chosen = &numbers[0]
	}
}

// read reads the file. The error is one of the output.
func (f *reading) read() error {
	f.outline = sqlclient.NewOutline(f.in.Name, f.problem)
	f.last = -1
	for rec, err := range f.records() {
		if err != nil {
			f.broken = true
			f.Log.Report(diag.Failure, err)
			break
		}
		res := f.outline.Add(rec)
		if rows, ok := rec.(*sqlclient.Rows); ok {
			f.learn(res, rows)
			if err := f.rows(rows); err != nil {
				return err
			}
			continue
		}
		if err := f.follow(res); err != nil {
			return err
		}
		if line, ok := rec.(*sqlclient.PrintLine); ok {
			if err := f.printed(res, line); err != nil {
				return err
			}
		}
		if f.taken > 0 && f.chosen != nil {
			return f.finish() // the rest is not wanted
		}
	}
	f.outline.Close()
	if err := f.follow(nil); err != nil {
		return err
	}
	return f.finish()
}

// finish tells what can be told only at the end.
func (f *reading) finish() error {
	f.tallies.reportRest(f.Log, f.in.Name)
	if f.chosen != nil && f.taken == 0 && !f.broken {
		have := "the file has none"
		switch {
		case f.last == 0:
			have = "the file has only what stands before a first prompt, statement 0"
		case f.last == 1:
			have = "the file has only statement 1"
		case f.last > 1:
			have = fmt.Sprintf("the file has statements 1 to %d", f.last)
		}
		f.Log.Report(diag.Usage, fmt.Errorf("%s: no statement %d: %s", f.in.Name, *f.options.statement, have))
	}
	return nil
}

// wanted reports whether a statement was chosen.
func (f *reading) wanted(statement int) bool {
	return f.chosen == nil || *f.chosen == statement
}

// problem takes a problem of the file.
func (f *reading) problem(p *sqlclient.Problem) {
	if p.Code == sqlclient.NotClientOutput {
		if f.broken {
			return // it was not read
		}
	} else if !f.wanted(p.Statement) {
		return
	}
	code := diag.OK
	switch {
	case (p.Code == sqlclient.ResultCutOff || p.Code == sqlclient.PieceCutOff) && f.allowUnfinished:
	case p.Severity == sqlclient.SeverityError || f.strict:
		code = diag.Problem
	}
	f.current.add(p.Statement, p.Result, p)
	if f.tallies.add(0, 0, p) {
		f.Log.Report(code, p)
	} else {
		f.Log.Raise(code)
	}
}

// follow keeps up with the outline: it ends the sections whose results ended,
// adds one for res, the result of the record that was added, and hands on
// the statements that are over.
func (f *reading) follow(res *sqlclient.Result) error {
	if err := f.endSections(); err != nil {
		return err
	}
	if res != nil && res.Number > f.results {
		f.results = res.Number
		if f.wanted(res.Statement.Number) {
			if err := f.addSection(res); err != nil {
				return err
			}
			if err := f.endSections(); err != nil { // an empty set, over with its footer
				return err
			}
		}
	}
	for st, ok := f.outline.Next(); ok; st, ok = f.outline.Next() {
		f.last = max(f.last, st.Number) // statement 0 may come behind others
		if f.wanted(st.Number) {
			if !st.Continued {
				f.taken++
			}
			if err := f.gather(st); err != nil {
				return err
			}
		}
		if f.typing == nil { // which looks at results later on
			f.outline.Release(st)
		}
	}
	return nil
}

// addSection adds a section for res, whose rows come next.
func (f *reading) addSection(res *sqlclient.Result) error {
	if f.names == nil || !slices.Equal(f.columns, res.Columns) { // of many results, most have the columns of the one before
		f.columns, f.names = res.Columns, uniqueNames(res.Columns)
	}
	s := f.spare
	if f.spare = nil; s == nil {
		s = new(section)
	}
	*s = section{Result: res, file: f.name, names: f.names, end: res.End, final: f.final}
	f.sections = append(f.sections, s)
	s.typed = f.typedCells(res)
	f.split = f.split || isSplit(res)
	if n := res.Number - 1; n < len(f.ends) {
		s.end = f.ends[n]
	}
	if !f.final {
		if len(f.sections) == 1 || f.format.interleaves() {
			return f.write(s)
		}
		return nil
	}
	var key []int
	if res.Columns != nil { // an empty set has no columns, and no rows to fold
		var err error
		if key, err = keyColumns(f.key, s.names); err != nil {
			f.Log.Report(diag.Usage, fmt.Errorf("%v: %w", res.Pos, err))
			s.refused = true
			return nil
		}
	}
	s.table = changelog.NewTable(res.Columns, key...)
	return nil
}

// write lets the format begin s, or go on with it, and write the rows that wait.
func (f *reading) write(s *section) error {
	if s == f.written || s.refused {
		return nil
	}
	f.written = s
	if err := f.format.begin(s); err != nil {
		return err
	}
	for i := range s.waiting {
		f.waiting -= sizeOf(&s.waiting[i])
		if err := f.format.row(&s.waiting[i]); err != nil {
			return err
		}
	}
	s.waiting = nil
	return nil
}

// rows takes rows of a table, which is a section alone.
func (f *reading) rows(rows *sqlclient.Rows) error {
	if len(f.sections) == 0 || f.list {
		return nil
	}
	s := f.sections[0]
	if s.refused {
		return nil
	}
	if s.table != nil {
		all := raw.Of(rows)
		placed.Apply(s.table, &all) // the table keeps account of what does not fit
		return nil
	}
	return f.format.rows(rows)
}

// maxWaiting is how many bytes of rows may wait until the rows of other print
// sinks, with which they interleave, are written.
const maxWaiting = 64 << 20

// printed takes a row of a print sink.
func (f *reading) printed(res *sqlclient.Result, line *sqlclient.PrintLine) error {
	i := slices.IndexFunc(f.sections, func(s *section) bool { return s.Result == res })
	if i < 0 || f.list {
		return nil
	}
	switch s := f.sections[i]; {
	case s.refused:
	case s.table != nil:
		s.table.Apply(line.Row)
	case i == 0 || f.format.interleaves():
		if err := f.write(s); err != nil {
			return err
		}
		return f.format.row(&line.Row)
	default:
		row := line.Row
		row.Cells = slices.Clone(row.Cells)
		for c := range row.Cells {
			row.Cells[c].Text = strings.Clone(row.Cells[c].Text)
		}
		if f.waiting += sizeOf(&row); f.waiting > maxWaiting {
			f.Log.Report(diag.Usage, fmt.Errorf("%v: the rows of print sinks interleave, and too many would have to wait for those of others: choose -o ndjson", res.Pos))
			for _, row := range s.waiting {
				f.waiting -= sizeOf(&row)
			}
			f.waiting -= sizeOf(&row)
			s.refused, s.waiting = true, nil
			return nil
		}
		s.waiting = append(s.waiting, row)
	}
	return nil
}

// sizeOf returns about how much memory a row takes.
func sizeOf(row *changelog.Row) int {
	size := 128
	for i := range row.Cells {
		size += 32 + len(row.Cells[i].Text)
	}
	return size
}

// endSections ends the sections whose results ended.
func (f *reading) endSections() error {
	for len(f.sections) > 0 && f.sections[0].End != sqlclient.EndOpen {
		s := f.sections[0]
		f.sections = slices.Delete(f.sections, 0, 1)
		if err := f.endSection(s); err != nil {
			return err
		}
		if f.spare = s; f.written == s {
			f.written = nil
		}
		if len(f.sections) > 0 && !f.final && !f.format.interleaves() {
			if err := f.write(f.sections[0]); err != nil {
				return err
			}
		}
	}
	return nil
}

// endSection ends a section, and writes its table if its rows were folded.
func (f *reading) endSection(s *section) error {
	if s.typed != nil {
		defer s.typed.reportRest(s.Pos)
	}
	switch {
	case s.refused:
		s.end = s.End
		return f.format.refuse(s)
	case s.table == nil:
		if err := f.write(s); err != nil {
			return err
		}
		return f.format.end()
	}
	s.end = s.End
	table := s.table
	s.table = nil
	if s.Misread {
		f.Log.Report(diag.Problem, &sqlclient.MisreadError{Result: s.Result})
		return f.format.refuse(s)
	}
	if len(f.key) == 0 && table.MaybeUpsert() {
		f.Log.Report(diag.Usage, fmt.Errorf("%v: the changelog has +U but no -U, so its rows replace others by a key: name its columns with --key", s.Pos))
		return f.format.refuse(s)
	}
	f.reportTable(s, table)
	s.rows = table.Len()
	if err := f.format.begin(s); err != nil {
		return err
	}
	for row := range table.All() {
		if err := f.format.row(row); err != nil {
			return err
		}
	}
	return f.format.end()
}

// reportTable reports the changes that did not fit the table.
func (f *reading) reportTable(s *section, table *changelog.Table) {
	code := diag.OK
	if f.strict {
		code = diag.Problem
	}
	if s.Sink != nil && s.Sink.Subtasks {
		f.Log.Report(code, fmt.Errorf("%v: the rows of the print sink are of several parallel tasks, and nothing tells the order between them: what they fold into may be wrong", s.Pos))
	}
	n, first := table.Anomalies()
	for _, a := range first {
		f.Log.Report(code, a)
	}
	if n > len(first) {
		f.Log.Report(code, fmt.Errorf("%v: %d more changes do not fit the table", s.Pos, n-len(first)))
	}
	if n, pos := table.MaybeCut(); n > 0 {
		f.Log.Report(code, fmt.Errorf("%v: cells of %s may be cut, so different rows may have been taken for one", pos, counted(int64(n), "change")))
	}
}

// A tally counts the problems of one kind.
type tally struct {
	statement, result int // 0 also for all of a file
	first             *sqlclient.Problem
	n                 int
}

// tallies count problems by their code. They stay small whatever the file.
type tallies []*tally

// maxReported is how many problems of a kind are reported in a file, before
// the rest is only counted.
const maxReported = 20

// add counts p, and reports whether it is one of the first of its kind.
func (ts *tallies) add(statement, result int, p *sqlclient.Problem) bool {
	for _, t := range slices.Backward(*ts) {
		if t.first.Code == p.Code && t.statement == statement && t.result == result {
			t.n++
			return t.n <= maxReported
		}
	}
	*ts = append(*ts, &tally{statement, result, p, 1})
	return true
}

// take takes out the tallies of a statement up to a result.
func (ts *tallies) take(statement, result int) []*tally {
	var taken []*tally
	*ts = slices.DeleteFunc(*ts, func(t *tally) bool {
		if t.statement != statement || t.result > result {
			return t.statement < statement
		}
		taken = append(taken, t)
		return true
	})
	return taken
}

// reportRest reports how many problems were only counted.
func (ts tallies) reportRest(log *diag.Log, file string) {
	for _, t := range ts {
		if t.n > maxReported {
			log.Report(diag.OK, fmt.Errorf("%s: %d more problems of the kind %s", file, t.n-maxReported, t.first.Code))
		}
	}
}
