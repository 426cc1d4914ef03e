package main

import (
	"fmt"
	"strings"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A statement is what there is to tell of a statement that is over. One with
// several results (in a file without prompts, all belong to statement 0) is
// told of once for each result, with what the client said from there up to the
// next, so that what is told grows no faster than the file.
type statement struct {
	file     string // "" if there is only one
	number   int
	line     int    // of the prompt; of the result for all but the first
	sql      string // as far as it was printed
	complete bool
	result   *sqlclient.Result // nil: none
	end      sqlclient.End
	failure  *sqlclient.Message // the first error; nil: none
	job      string             // the id of the first one; "": none
	// warnings are the client's own, and what was found to be wrong or doubtful
	// apart from what end and failure say; the first of them, if there are many.
	warnings []string
	more     int // warnings beyond
}

// gather takes a statement, or a further part of the one before, and gives the
// format what is over.
func (f *reading) gather(part *sqlclient.Statement) error {
	if f.over == nil {
		f.tellNext(part, part.Pos.Line)
	}
	messages, jobs := part.Messages, part.Jobs
	for _, res := range part.Results {
		for len(messages) > 0 && messages[0].Span().Start.Offset < res.Pos.Offset {
			f.over.add(messages[0])
			messages = messages[1:]
		}
		for len(jobs) > 0 && jobs[0].Span().Start.Offset < res.Pos.Offset {
			f.over.addJob(jobs[0])
			jobs = jobs[1:]
		}
		if f.over.result != nil {
			if err := f.tell(); err != nil {
				return err
			}
			f.tellNext(part, res.Pos.Line)
		}
		f.over.result, f.over.end = res, res.End
	}
	for _, m := range messages {
		f.over.add(m)
	}
	for _, j := range jobs {
		f.over.addJob(j)
	}
	if part.Continued {
		return nil
	}
	if f.over.result == nil {
		f.over.end = part.End()
	}
	err := f.tell()
	f.over = nil
	return err
}

// tellNext makes a part of a statement, from the line on, the next to be told of.
func (f *reading) tellNext(part *sqlclient.Statement, line int) {
	f.told = statement{file: f.name, number: part.Number, line: line, sql: part.SQL, complete: part.Complete}
	f.over = &f.told
}

// tell gives the format the statement that is over.
func (f *reading) tell() error {
	st, result := f.over, 0
	if st.result != nil {
		result = st.result.Number
	}
	for _, t := range f.current.take(st.number, result) {
		st.warn(t)
	}
	return f.format.statement(st)
}

// add takes a message of the client.
func (st *statement) add(m *sqlclient.Message) {
	switch {
	case m.Level == sqlclient.LevelError && st.failure == nil:
		st.failure = m
	case m.Level == sqlclient.LevelWarning:
		st.warning(m.Text)
	}
}

func (st *statement) addJob(j *sqlclient.Job) {
	if st.job == "" {
		st.job = j.ID
	}
}

// warn takes problems that were found.
func (st *statement) warn(t *tally) {
	switch t.first.Code {
	case sqlclient.StatementFailed, sqlclient.StatementUnknown, sqlclient.ResultCutOff:
		return
	}
	text := fmt.Sprintf("%d:%d: %s", t.first.Pos.Line, t.first.Pos.Col, t.first.Msg)
	if t.n > 1 {
		text += fmt.Sprintf(" (and %d more of this kind)", t.n-1)
	}
	st.warning(text)
}

func (st *statement) warning(text string) {
	if len(st.warnings) == maxReported {
		st.more++
		return
	}
	st.warnings = append(st.warnings, text)
}

// summary returns why the statement failed, or what it is, in one line.
func (st *statement) summary() string {
	if st.failure != nil {
		reason := st.failure.RootCause()
		if class, _, _ := strings.Cut(reason, ": "); st.failure.Class != "" && !strings.Contains(class, " ") {
			reason = reason[strings.LastIndexByte(class, '.')+1:] // behind its package
		}
		return oneLine(reason)
	}
	text := oneLine(st.sql)
	if text == "" && st.result != nil {
		return sinkName(st.result.Sink)
	}
	if text != "" && !st.complete {
		text += " …"
	}
	return text
}

// oneLine returns a statement with each run of white space as one blank, which stays
// valid when the statement is released.
func oneLine(sql string) string {
	fields := strings.Fields(sql)
	if len(fields) == 1 {
		return strings.Clone(fields[0])
	}
	return strings.Join(fields, " ")
}
