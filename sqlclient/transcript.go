package sqlclient

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-69e58989/flinkread/changelog"
)

// A Transcript is a whole saved output of the SQL client.
type Transcript struct {
	Name       string
	Statements []*Statement // statement 0 only if it has a result or failed
	Problems   []*Problem   // in the order in which they became known
}

// Read reads a whole transcript into memory. The error is that of r; what was
// read before it is in the transcript all the same. What is wrong with the
// content is in Problems, and in the End of each result. The rows are always
// owned by the transcript: the option ReuseRows has no effect.
func Read(r io.Reader, name string, opts ...Option) (*Transcript, error) {
	t := &Transcript{Name: name}
	o := NewOutline(name, func(p *Problem) { t.Problems = append(t.Problems, p) })
	var err error
	reader := NewReader(r, name, opts...)
	reader.reuse = false
	for rec, e := range reader.Records() {
		if e != nil {
			err = e
			break
		}
		res := o.Add(rec)
		switch rec := rec.(type) {
		case *Row:
			res.Rows = append(res.Rows, rec.Row)
		case *PrintLine:
			res.Rows = append(res.Rows, rec.Row)
		}
	}
	o.Close()
	for st, ok := o.Next(); ok; st, ok = o.Next() {
		t.add(st)
	}
	if !reader.nullSet && reader.old == oldNullIsText {
		t.unmarkOldNulls()
	}
	return t, err
}

// add adds a statement, or a further part of the last one.
func (t *Transcript) add(st *Statement) {
	n := len(t.Statements)
	if n == 0 || t.Statements[n-1].Number != st.Number {
		t.Statements = append(t.Statements, st)
		return
	}
	last := t.Statements[n-1]
	last.Results = append(last.Results, st.Results...)
	last.Messages = append(last.Messages, st.Messages...)
	last.Jobs = append(last.Jobs, st.Jobs...)
	last.Continued = st.Continued
	for _, r := range st.Results {
		r.Statement = last
	}
}

// Results returns the results of all statements, in the order of the input.
func (t *Transcript) Results() []*Result {
	var rs []*Result
	for _, st := range t.Statements {
		rs = append(rs, st.Results...)
	}
	return rs
}

// An IncompleteError says that a table is not the whole truth: the result did
// not end well, parts of it could not be read, its footer counts otherwise, or
// its rows were not kept.
type IncompleteError struct {
	Result *Result
}

// Error returns the place of the result and what is missing.
func (e *IncompleteError) Error() string {
	r := e.Result
	switch {
	case r.End == EndUnknown && r.Damaged == 0:
		return fmt.Sprintf("%v: nothing tells whether the result is complete", r.Pos)
	case r.End == EndUnknown:
		return fmt.Sprintf("%v: %d pieces of the result could not be read, and nothing tells whether it is complete", r.Pos, r.Damaged)
	case !r.End.Whole():
		return fmt.Sprintf("%v: the result is incomplete: %v", r.Pos, r.End)
	case r.Damaged > 0:
		return fmt.Sprintf("%v: %d pieces of the result could not be read", r.Pos, r.Damaged)
	case r.Count != int64(len(r.Rows)):
		return fmt.Sprintf("%v: the result has %d rows, of which %d were kept", r.Pos, r.Count, len(r.Rows))
	}
	return fmt.Sprintf("%v: the footer counts %d rows, but %d were read", r.Pos, r.Footer.Rows, r.Count)
}

// An UpsertError says that a changelog has +U but no -U that would say which
// row it replaces. Folded without its key it most likely has rows too many.
type UpsertError struct {
	Result *Result
}

// Error returns the place of the result and what is missing.
func (e *UpsertError) Error() string {
	return e.Result.Pos.String() + ": the changelog has +U but no -U: its key columns are needed to fold it"
}

// A MisreadError says that the footer of a result shows that its mode is not the one
// by which its rows were read: row kinds are data, or data row kinds.
type MisreadError struct {
	Result *Result
}

// Error returns the place of the result and its mode.
func (e *MisreadError) Error() string {
	return fmt.Sprintf("%v: the footer shows that the result was misread as %v: it cannot be folded", e.Result.Pos, e.Result.Mode)
}

// Final folds the rows into the table they stand for, by the key columns if
// some are given, else as a multiset. The table is usable even with an error,
// which wraps an *IncompleteError, an *UpsertError, or, where no row is folded, a
// *MisreadError, or a *changelog.Anomaly for a key column that is not there. (An "Empty set" says
// no columns, so any may be its key.) Changes that did not fit are in the table's
// anomalies.
func (r *Result) Final(key ...int) (*changelog.Table, error) {
	t := changelog.NewTable(r.Columns, key...)
	var errs []error
	if r.Misread {
		errs = append(errs, &MisreadError{r})
	} else if i := slices.IndexFunc(key, func(k int) bool { return k < 0 || k >= len(r.Columns) }); i >= 0 && (len(r.Columns) > 0 || len(r.Rows) > 0) {
		errs = append(errs, &changelog.Anomaly{Kind: changelog.NoKeyColumn, Pos: r.Pos, Msg: fmt.Sprintf("no column with the index %d to be the key", key[i])})
	} else {
		t.ApplyAll(func(yield func(*changelog.Row) bool) {
			for i := range r.Rows {
				if !yield(&r.Rows[i]) {
					return
				}
			}
		})
	}
	if len(key) == 0 && t.MaybeUpsert() {
		errs = append(errs, &UpsertError{r})
	}
	if !r.End.Whole() || r.Damaged > 0 || r.Count != int64(len(r.Rows)) || r.Footer != nil && r.Footer.Rows != r.Count {
		errs = append(errs, &IncompleteError{r})
	}
	return t, errors.Join(errs...)
}
