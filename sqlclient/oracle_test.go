package sqlclient_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/sqlclient"
	"github.com/seed-69e58989/flinkread/sqlclient/internal/grammar"
)

// What both readers say about a transcript, in a form that compares.
type (
	statement struct {
		Number   int
		SQL      string
		Messages []message
		Jobs     []string
		Results  []result
	}
	message struct {
		Level, Class, Text string
		CausedBy           []string
	}
	result struct {
		Mode    string
		Columns []string
		Sink    string   // of a print sink
		Rows    []string // kind and cells; a "~" behind a cell that may be cut
		Footer  string
		End     string
	}
)

// fast returns what package sqlclient reads.
func fast(tr *sqlclient.Transcript) []statement {
	var statements []statement
	for _, st := range tr.Statements {
		s := statement{Number: st.Number, SQL: st.SQL}
		for _, m := range st.Messages {
			s.Messages = append(s.Messages, message{m.Level.String(), m.Class, m.Text, m.CausedBy})
		}
		for _, j := range st.Jobs {
			s.Jobs = append(s.Jobs, j.ID)
		}
		for _, r := range st.Results {
			if r.Sink != nil && r.Count == 0 {
				continue // nothing of it could be read
			}
			res := result{Mode: r.Mode.String(), End: r.End.String()}
			if r.Sink != nil {
				res.Sink = r.Sink.Identifier
			}
			for _, c := range r.Columns {
				res.Columns = append(res.Columns, c.Name)
			}
			for _, row := range r.Rows {
				text := row.Kind.String()
				for _, c := range row.Cells {
					text += cellForm(c.Text, c.MaybeCut())
				}
				res.Rows = append(res.Rows, text)
			}
			if r.Footer != nil {
				res.Footer = fmt.Sprintf("%d rows, %q seconds", r.Footer.Rows, r.Footer.Seconds)
			}
			s.Results = append(s.Results, res)
		}
		statements = append(statements, s)
	}
	return statements
}

func cellForm(text string, maybeCut bool) string {
	if maybeCut {
		return fmt.Sprintf(" %q~", text)
	}
	return fmt.Sprintf(" %q", text)
}

// slow returns what the grammar of whole transcripts reads.
func slow(t testing.TB, src string) []statement {
	t.Helper()
	src = string(decoded([]byte(src), byteOrder([]byte(src))))
	tr, err := grammar.Parse("", src)
	if err != nil {
		t.Fatalf("the grammar refuses %q: %v", src, err)
	}
	var statements []statement
	if st := statementOf(0, "", tr.Before); len(st.Results) > 0 || st.failed() {
		statements = append(statements, st)
	}
	for i, ast := range tr.Statements {
		st := statementOf(i+1, ast.Echo(), ast.Pieces)
		if i == len(tr.Statements)-1 && st.SQL == "" && len(st.Messages)+len(st.Results)+len(st.Jobs) == 0 {
			continue // a last empty prompt
		}
		statements = append(statements, st)
	}
	return statements
}

func (s statement) failed() bool {
	return slices.ContainsFunc(s.Messages, func(m message) bool { return m.Level == "ERROR" })
}

func statementOf(number int, sql string, pieces []*grammar.Piece) statement {
	st := statement{Number: number, SQL: sql}
	var open *result // the last result, as long as it has not ended
	bordered := false
	sinks := map[string]int{} // the results of print sinks since the last table
	ended := func(end string) {
		if open != nil {
			if open.End = end; end == "cut off" && bordered {
				open.End = "closed"
			}
		}
		open = nil
	}
	counted := func(f *grammar.Footer) {
		if open == nil {
			return
		}
		open.Footer = fmt.Sprintf("%s rows, %q seconds", f.Rows+f.InSet, f.Time)
		if strings.Contains(f.Words, "Query terminated") {
			ended("cancelled")
		} else {
			bordered = false
			ended("finished")
		}
	}
	for _, p := range pieces {
		switch {
		case p.Table != nil:
			ended("cut off")
			clear(sinks)
			st.Results = append(st.Results, resultOf(p.Table))
			open, bordered = &st.Results[len(st.Results)-1], p.Table.Bottom != ""
			for _, item := range p.Table.Items {
				if item.Job != nil {
					st.Jobs = append(st.Jobs, item.Job.ID)
				}
			}
			if f := p.Table.Footer; f != nil {
				counted(f)
			}
		case p.Empty != nil:
			ended("cut off")
			clear(sinks)
			st.Results = append(st.Results, result{Mode: "batch", End: "finished", Footer: fmt.Sprintf("0 rows, %q seconds", p.Empty.Time)})
		case p.Message != nil:
			m := messageOf(p.Message)
			if st.Messages = append(st.Messages, m); m.Level == "ERROR" {
				ended("failed")
			} else {
				ended("cut off")
			}
		case p.Job != nil:
			st.Jobs = append(st.Jobs, p.Job.ID)
		case p.Print != nil:
			ended("cut off")
			name := p.Print.Sink()
			at, ok := sinks[name]
			if !ok {
				at = len(st.Results)
				sinks[name] = at
				st.Results = append(st.Results, result{Mode: "streaming", Columns: []string{"line"}, Sink: name, End: "unknown"})
			}
			st.Results[at].Rows = append(st.Results[at].Rows, p.Print.Kind()+cellForm(p.Print.Text(), false))
		case p.Footer != nil:
			counted(p.Footer)
		case p.Stop != "":
			ended("cut off")
		case bordered && strings.TrimSpace(p.Line) != "" && !logLine.MatchString(p.Line):
			bordered = strings.HasSuffix(p.Line, "\n") // else it may be half of a footer
			ended("cut off")
		}
	}
	ended("cut off")
	return st
}

// logLine is a line of a logger, which may come before the footer of a result.
var logLine = regexp.MustCompile(`^(?:\d{4}-\d\d-\d\d[ T]\d\d:|[A-Z][a-z]{2} \d[^\n]{0,30} [AP]M |(?:WARNING|INFO|SEVERE|SLF4J|log4j): |Hive Session ID = )`)

func messageOf(m *grammar.Message) message {
	msg := message{Level: m.Name(), Class: m.Class, Text: m.Text()}
	for _, p := range m.Parts {
		if c := p.Cause; c != nil {
			msg.CausedBy = append(msg.CausedBy, strings.TrimSuffix(c.Class+": "+c.Text, ": "))
		}
	}
	return msg
}

// resultOf reads the first column as row kinds if it is called op and holds
// nothing else. Without a row only the footer can tell.
func resultOf(t *grammar.Table) result {
	var names []string
	var left []bool // blanks behind the text of a column are padding, too
	centred, apart := true, false
	for _, c := range t.Names.Cells {
		before := len(c.Text) - len(strings.TrimLeft(c.Text, " "))
		behind := min(len(c.Text)-before, len(c.Text)-len(strings.TrimRight(c.Text, " ")))
		left = append(left, before == 0 && behind > 0)
		centred = centred && behind >= before-1 && behind <= before+1
		apart = apart || before > 0 && behind > 0
	}
	for i, c := range t.Names.Cells {
		left[i] = left[i] || centred && apart
		names = append(names, unpadded(c.Text, left[i]))
	}
	res := result{Mode: "batch", Columns: names}
	var rows []*grammar.Row
	for _, item := range t.Items {
		if item.Row != nil {
			rows = append(rows, item.Row)
		}
	}
	width := len(t.Names.Cells[0].Text)
	kinds := names[0] == "op" && width == 2 || names[0] == "+/-" && width == 3 || names[0] == "row_kind" && width == 8
	for _, row := range rows {
		_, ok := changelog.ParseRowKind(unpadded(row.Cells[0].Text, false))
		kinds = kinds && ok
	}
	if len(rows) == 0 && kinds {
		kinds = t.Footer == nil || strings.Contains(t.Footer.Words, "total of")
	}
	first := 0
	if kinds {
		res.Mode, res.Columns, first = "streaming", names[1:], 1
	}
	for _, row := range rows {
		text := ""
		if kinds {
			text = unpadded(row.Cells[0].Text, false)
		}
		for i, c := range row.Cells[first:] {
			value := unpadded(c.Text, left[first+i])
			pad := len(c.Text) - len(strings.TrimLeft(c.Text, " "))
			text += cellForm(value, pad < 2 && strings.HasSuffix(value, "..."))
		}
		res.Rows = append(res.Rows, text)
	}
	return res
}

// unpadded returns the text of a cell without its padding.
func unpadded(cell string, left bool) string {
	if left {
		cell = strings.TrimRight(cell, " ")
	}
	return strings.TrimLeft(cell, " ")
}

// TestSlowReader tests the grammar itself, against what a third reader found.
func TestSlowReader(t *testing.T) {
	for name, want := range summary(t) {
		src := string(load(t, name))
		if len(src) > maxOracle {
			continue
		}
		errors, results := 0, []string{}
		for _, st := range slow(t, src) {
			for _, m := range st.Messages {
				if m.Level == "ERROR" && !strings.HasPrefix(m.Text, "Failed to initialize") {
					errors++ // the third reader knows [ERROR] only
				}
			}
			for _, r := range st.Results {
				if r.Columns != nil {
					results = append(results, fmt.Sprintf("%v:%d:%s", r.Mode, len(r.Rows), strings.ReplaceAll(r.End, " ", "-")))
				}
			}
		}
		got := fmt.Sprintf("%d results, %d errors: %s", len(results), errors, strings.Join(results, " "))
		if got != want && misread[name] == "" {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

// The slow reader is for inputs up to this size.
const maxOracle = 64 << 10

// TestReadersAgree compares both readers on every transcript that is not too
// long for the slow one.
func TestReadersAgree(t *testing.T) {
	for _, name := range find(t) {
		data := load(t, name)
		if len(data) > maxOracle || release(name) == "described" && hasCode(read(t, data, name), sqlclient.PieceUnread, sqlclient.RowRecovered) {
			continue // the grammar recovers nothing
		}
		if name == "described/docker-compose.txt" || name == "described/lines-with-times.txt" { // see TestPrefixed
			continue
		}
		if strings.HasPrefix(name, "described/zeppelin-") || strings.HasPrefix(name, "described/confluent-") {
			continue // nor does it know what other programs write
		}
		if diff := disagreement(t, data, name); diff != "" {
			t.Errorf("%s: (-slow +fast):\n%s", name, diff)
		}
	}
}

// TestReadersAgreeOnDamage compares both readers on transcripts of which a line
// is missing, stands twice, or has a logger's before it, and on what is left of
// transcripts that end too early.
func TestReadersAgreeOnDamage(t *testing.T) {
	compared := 0
	for _, name := range find(t) {
		data := load(t, name)
		if r := release(name); r != "1.13.6" && r != "1.17.2" && r != "2.3.0" || len(data) > 8<<10 {
			continue // three releases have all shapes that there are
		}
		if base := filepath.Base(name); strings.HasPrefix(base, "cells") && !strings.HasPrefix(base, "cellsf") || strings.HasPrefix(base, "err_editor") {
			continue // their statement is full of what looks like results, which damage may lay bare
		}
		r := rand.New(rand.NewPCG(uint64(len(data)), 0))
		lines := strings.SplitAfter(string(data), "\n")
		for k := range 8 {
			i := r.IntN(len(lines))
			before, line, behind := strings.Join(lines[:i], ""), lines[i], strings.Join(lines[i+1:], "")
			isRow := strings.HasPrefix(line, "| ") && i > 3 && strings.HasPrefix(lines[i-3], "+--")
			var damaged string
			switch {
			case k%4 == 0 && !strings.Contains(line, "\x1b[0m"): // a colour without its end is another matter
				damaged = before + behind
			case k%4 == 1:
				damaged = before + line + line + behind
			case k%4 == 2 && isRow:
				damaged = before + logs[0] + line + behind
			case k%4 == 3 && isRow:
				damaged = before + line[:r.IntN(len(line))]
			default:
				damaged = before
			}
			tr := read(t, []byte(damaged), name)
			if hasCode(tr, sqlclient.PieceUnread, sqlclient.RowRecovered) {
				continue // the grammar recovers nothing
			}
			compared++
			if diff := cmp.Diff(slow(t, damaged), fast(tr)); diff != "" {
				t.Errorf("%s, line %d, damage %d: (-slow +fast):\n%s\nbefore %q", name, i+1, k%4, diff, line)
			}
		}
	}
	if compared < 300 {
		t.Errorf("compared %d transcripts only", compared)
	}
}

// hasCode reports whether a transcript has a problem of one of the codes.
func hasCode(tr *sqlclient.Transcript, codes ...sqlclient.Code) bool {
	return slices.ContainsFunc(tr.Problems, func(p *sqlclient.Problem) bool { return slices.Contains(codes, p.Code) })
}

func disagreement(t testing.TB, data []byte, name string) string {
	t.Helper()
	return cmp.Diff(slow(t, string(data)), fast(read(t, data, name)))
}

// checkClient prints a session and compares what both readers find in it with
// what was printed.
func checkClient(t *testing.T, dice []byte) {
	t.Helper()
	c := client{dice: dice}
	transcript, want := c.session()
	if diff := cmp.Diff(want, slow(t, transcript)); diff != "" {
		t.Errorf("(-printed +slow):\n%s\nin:\n%s", diff, transcript)
	}
	if diff := cmp.Diff(want, fast(read(t, []byte(transcript), ""))); diff != "" {
		t.Errorf("(-printed +fast):\n%s\nin:\n%s", diff, transcript)
	}
}

// TestClient has both readers read what a client printed by chance.
func TestClient(t *testing.T) {
	for seed := range uint64(500) {
		if checkClient(t, throw(seed)); t.Failed() {
			t.Fatalf("with the dice of seed %d", seed)
		}
	}
}

// throw returns dice that depend on the seed only.
func throw(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	dice := make([]byte, r.IntN(200))
	for i := range dice {
		dice[i] = byte(r.Uint32())
	}
	return dice
}

// FuzzReaders has both readers read what a client prints by the fuzzer's dice.
func FuzzReaders(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(throw(seed))
	}
	f.Fuzz(func(t *testing.T, dice []byte) {
		if len(dice) < 1<<10 {
			checkClient(t, dice)
		}
	})
}
