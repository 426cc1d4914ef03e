package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// aspects are what is checked of the output for a question.
func (q *question) aspects() []string {
	if q.name == "latest" {
		return []string{"file", "result", "columns", "mode", "end", "rows", "changes"}
	}
	return []string{"file", "result", "columns", "mode", "end", "rows"}
}

// output checks what the client printed for a question.
func (s *submission) output(q *question) {
	file := q.name + ".out"
	isOutput := check{Name: q.name + ".file", Want: "output of the SQL client",
		Hint: fmt.Sprintf("run sql-client.sh -i ddl.sql -f %s.sql > %s 2>&1: with 2>&1 the file also tells what went wrong", q.name, file)}
	data, ok := s.read(file, isOutput)
	if !ok {
		return
	}
	t, _ := sqlclient.Read(bytes.NewReader(data), file) // there is no error but that of the reader
	isOutput.Place, isOutput.Got = file+":1:1", isOutput.Want
	for _, p := range t.Problems {
		if p.Code == sqlclient.NotClientOutput {
			isOutput.Got = p.Msg
		}
	}
	if !s.equal(isOutput) {
		return
	}

	s.noPlans = s.noPlans || isOld(t)
	r := s.result(q, t)
	if r == nil {
		return
	}
	at := r.Pos.String()
	var names []string
	for _, c := range r.Columns {
		names = append(names, c.Name)
	}
	s.equal(check{Name: q.name + ".columns", Place: at, Got: strings.Join(names, ", "), Want: strings.Join(q.columnNames(), ", "),
		Hint: "give the columns these names with AS, in this order"})
	s.equal(check{Name: q.name + ".mode", Place: at, Got: r.Mode.String(), Want: q.mode.String(),
		Hint: fmt.Sprintf("SET 'execution.runtime-mode' = '%v' before the query", q.mode)})
	whole := s.end(q, t, r)
	if whole && q.aligned(names) {
		s.rows(q, r)
	}
	retracted := r.Changes(changelog.UpdateBefore) > 0
	if q.name == "latest" && r.Mode == sqlclient.ModeStreaming && (whole || retracted) {
		s.judge(retracted, check{Name: "latest.changes", Place: at, Got: kinds(r), Want: "-U among them",
			Hint: "each new rate takes back the sums of its currency: does the query join rates_v, in streaming mode?"})
	}
}

// isOld reports whether the client that wrote the output is of 1.13 or 1.14,
// which have no COMPILE PLAN. It echoes SET with -f, which later ones do not,
// and answers with words that the later ones that might echo it do not use.
func isOld(t *sqlclient.Transcript) bool {
	return slices.ContainsFunc(t.Statements, func(st *sqlclient.Statement) bool {
		return st.Complete && slices.ContainsFunc(st.Messages, func(m *sqlclient.Message) bool {
			return m.Text == "Session property has been set."
		})
	})
}

// result checks that the file holds one result. It returns that or, of several,
// the last one; nil if what came last gave none.
func (s *submission) result(q *question, t *sqlclient.Transcript) *sqlclient.Result {
	results := t.Results()
	c := check{Name: q.name + ".result", Place: t.Name + ":1:1", Got: count(len(results), "result"), Want: "1 result"}
	var last *sqlclient.Result
	if len(results) > 0 {
		last = results[len(results)-1]
		c.Place = last.Pos.String()
		c.Hint = "the last one is graded: was an older run's output kept, by >> for >, or is more than one query in the .sql file?"
	} else {
		c.Hint = "there is no error message either: was the error stream saved as well, with 2>&1?"
	}
	for _, p := range t.Problems {
		if p.Severity != sqlclient.SeverityError || last != nil && (p.Code != sqlclient.StatementFailed || p.Statement == last.Statement.Number) {
			continue // a warning, or something for end to tell
		}
		c.Place, c.Got = p.Pos.String(), count(len(results), "result")+"; "+p.Msg
		if last == nil || p.Statement > last.Statement.Number {
			last, c.Hint = nil, cause(p)
		}
	}
	s.equal(c)
	return last
}

// failures are what messages of the client usually mean in this lab.
var failures = []struct{ message, hint string }{
	{"Failed to initialize from sql script", "the -i script failed: the client's log says why; run the statements of ddl.sql one by one to see it"},
	{"Object '.*' not found", "the table is not there: was the client started with -i ddl.sql?"},
	{"sql-client.execution.result-mode", "SET 'sql-client.execution.result-mode' = 'tableau' before the query"},
	{"no primary key", "FOR SYSTEM_TIME AS OF wants a table with a primary key: join rates_v, not rates"},
	{"no row time attribute", "event time is missing: declare WATERMARK for the time columns in ddl.sql"},
	{"doesn't support consuming update", "an interval join takes no updates: join the tables themselves"},
	{"FileNotFoundException", "a file is not where ddl.sql says it is"},
	{"NumberFormatException|DateTimeParseException", "a value does not fit the type that its column has in ddl.sql"},
	{"failed to preserve datatypes", "batch mode cannot plan a view over event time: SET 'execution.runtime-mode' = 'streaming' before the query"},
	{"InvalidClassException|ClassNotFoundException: org.apache.flink", "client and cluster are of different releases"},
}

// cutOff is the hint for what stops before its end.
const cutOff = "the output stops before its end: was the run interrupted, or the file copied while it ran?"

// cause gives the hint for a problem of a statement.
func cause(p *sqlclient.Problem) string {
	switch p.Code {
	case sqlclient.StatementFailed:
		for _, f := range failures {
			if regexp.MustCompile(f.message).MatchString(p.Msg) {
				return f.hint
			}
		}
		return "the message names the cause"
	case sqlclient.StatementUnknown, sqlclient.PieceCutOff:
		return cutOff
	}
	return "the beginning of the output is missing, or the file is not as Flink wrote it"
}

// end checks that a result is whole.
func (s *submission) end(q *question, t *sqlclient.Transcript, r *sqlclient.Result) bool {
	c := check{Name: q.name + ".end", Place: r.Pos.String(), Got: r.End.String(), Want: sqlclient.EndFinished.String()}
	switch r.End {
	case sqlclient.EndFailed:
		c.Hint = "the job failed while it ran"
	case sqlclient.EndCutOff, sqlclient.EndClosed:
		c.Hint = cutOff
	case sqlclient.EndCancelled:
		c.Hint = "the query was stopped by hand: the tables of the lab end, so wait for the end"
	default:
		c.Hint = "the file is not as Flink wrote it"
	}
	for _, p := range t.Problems {
		if p.Severity == sqlclient.SeverityError && p.Statement == r.Statement.Number {
			c.Place, c.Got = p.Pos.String(), p.Msg
			if p.Code == sqlclient.StatementFailed {
				c.Got = "after " + count(r.Count, "row") + ": " + p.Msg
				c.Hint += ": " + cause(p)
			}
			break
		}
	}
	return s.equal(c)
}

// rows checks the table that a result ends in.
func (s *submission) rows(q *question, r *sqlclient.Result) {
	table, err := r.Final()
	got := q.canonical(table.Rows())
	missing, extra := changelog.Diff(slices.Values(got), slices.Values(q.rows))
	c := check{Name: q.name + ".rows", Place: r.Pos.String(), Got: count(len(got), "row") + list("; wrong: ", extra), Want: count(len(q.rows), "row") + list("; missing: ", missing)}
	if len(extra) > 0 {
		c.Place = extra[0].Pos.String()
	}
	switch anomalies, first := table.Anomalies(); {
	case err != nil:
		c.Got = err.Error()
	case anomalies > 0:
		c.Place, c.Got, c.Hint = first[0].Pos.String(), first[0].Msg, "the beginning of the changelog is missing"
	default:
		s.tables[q.name] = got
		if missing != nil || extra != nil {
			c.Hint = q.explain(got, missing, extra, s.text(q.name+".sql"))
		}
	}
	s.equal(c)
}

func count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// kinds lists the row kinds of a result, with their numbers.
func kinds(r *sqlclient.Result) string {
	var texts []string
	for _, kind := range []changelog.RowKind{changelog.Insert, changelog.UpdateBefore, changelog.UpdateAfter, changelog.Delete} {
		if n := r.Changes(kind); n > 0 {
			texts = append(texts, fmt.Sprintf("%d %v", n, kind))
		}
	}
	return strings.Join(texts, ", ")
}

// text reads a statement of the learner's, for hints. It may be missing.
func (s *submission) text(file string) string {
	if info, err := fs.Stat(s.dir, file); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return ""
	}
	data, _ := fs.ReadFile(s.dir, file)
	return string(data)
}
