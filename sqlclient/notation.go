package sqlclient

import "github.com/seed-69e58989/flinkread/datatype"

// Notation returns the notation in which the values of the result are printed, as
// far as its statement tells: a print sink always writes as Java does, and a
// statement that the client did not print to its end was run by -f of 1.15 or
// later. AnyNotation if nothing tells; a null cell in the same file then does, see
// [datatype.Notation].
func (r *Result) Notation() datatype.Notation {
	switch st := r.Statement; {
	case r.Sink != nil && r.Sink.round:
		return datatype.OldJavaNotation
	case r.Sink != nil:
		return datatype.JavaNotation
	case st != nil && st.Number > 0 && !st.Complete && !st.coloured:
		return datatype.CastNotation
	}
	return datatype.AnyNotation
}
