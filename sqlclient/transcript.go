package sqlclient

import (
	"fmt"
	"io"

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
// content is in Problems, and in the End of each result.
func Read(r io.Reader, name string, opts ...Option) (*Transcript, error) {
	t := &Transcript{Name: name}
	o := NewOutline(func(p *Problem) { t.Problems = append(t.Problems, p) })
	var err error
	reader := NewReader(r, name, opts...)
	for rec, e := range reader.Records() {
		if e != nil {
			err = e
			break
		}
		res := o.Add(rec)
		if row, ok := rec.(*Row); ok {
			res.Rows = append(res.Rows, row.Row)
		}
	}
	o.Close()
	for st, ok := o.Next(); ok; st, ok = o.Next() {
		t.add(st)
	}
	if reader.null == "" && reader.old == oldNullIsText {
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
	for _, r := range st.Results {
		r.Statement = last
	}
}

// unmarkOldNulls takes the mark of null from cells "(NULL)" that came before
// the first "<NULL>", where the source could not be looked through ahead.
func (t *Transcript) unmarkOldNulls() {
	for _, res := range t.Results() {
		for _, row := range res.Rows {
			for i := range row.Cells {
				if row.Cells[i].Text == oldNullWord {
					row.Cells[i].Marks &^= changelog.Null
				}
			}
		}
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

// An IncompleteError says that not all of a result could be folded: it did not
// end well, or parts of it could not be read.
type IncompleteError struct {
	Result *Result
}

// Error returns the place of the result and what is missing.
func (e *IncompleteError) Error() string {
	r := e.Result
	if r.Damaged > 0 && r.End.Whole() {
		return fmt.Sprintf("%v: %d pieces of the result could not be read", r.Pos, r.Damaged)
	}
	return fmt.Sprintf("%v: the result is incomplete: %v", r.Pos, r.End)
}

// An UpsertError says that a changelog cannot be folded without a key: it has
// +U, but no -U that would say which row it replaces.
type UpsertError struct {
	Result *Result
}

// Error returns the place of the result and what is missing.
func (e *UpsertError) Error() string {
	return e.Result.Pos.String() + ": the changelog has +U but no -U: name the key columns to fold it"
}

// Final folds the rows into the table they stand for, by the key columns if
// some are given, else as a multiset. The table is usable even with an error:
// an *IncompleteError or an *UpsertError. What did not fold is in the table's
// anomalies.
func (r *Result) Final(key ...int) (*changelog.Table, error) {
	t := changelog.NewTable(r.Columns, key...)
	for _, row := range r.Rows {
		t.Apply(row) // the table counts its anomalies
	}
	switch {
	case len(key) == 0 && r.Kinds[changelog.UpdateAfter] > 0 && r.Kinds[changelog.UpdateBefore] == 0:
		return t, &UpsertError{r}
	case !r.End.Whole() || r.Damaged > 0:
		return t, &IncompleteError{r}
	}
	return t, nil
}
