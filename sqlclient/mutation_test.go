package sqlclient_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

var (
	mutations = flag.Int("mutations", 3000, "how many damaged transcripts TestMutations reads")
	seed      = flag.Int("seed", 0, "the seed of the first of them")
)

// A mutation damages the lines of a transcript at i, and says how. It returns
// nil if there is nothing to damage there.
type mutation struct {
	name   string
	damage func(r *rand.Rand, lines [][]byte, i int, frame []bool) [][]byte
}

// behind are the lines that others are put before.
func behind(lines [][]byte, i int, put ...[]byte) [][]byte {
	return slices.Insert(slices.Clone(lines), i, put...)
}

func with(lines [][]byte, i int, line []byte) [][]byte {
	lines = slices.Clone(lines)
	lines[i] = line
	return lines
}

var mutationKinds = []mutation{
	{"dropped", func(_ *rand.Rand, lines [][]byte, i int, _ []bool) [][]byte {
		return slices.Delete(slices.Clone(lines), i, i+1)
	}},
	{"doubled", func(_ *rand.Rand, lines [][]byte, i int, _ []bool) [][]byte { return behind(lines, i, lines[i]) }},
	{"glued", func(_ *rand.Rand, lines [][]byte, i int, _ []bool) [][]byte {
		return with(lines, i, bytes.TrimRight(lines[i], "\r\n"))
	}},
	{"wrapped", func(r *rand.Rand, lines [][]byte, i int, _ []bool) [][]byte {
		if len(lines[i]) < 3 {
			return nil
		}
		at := 1 + r.IntN(len(lines[i])-2)
		return with(lines, i, slices.Insert(slices.Clone(lines[i]), at, '\n'))
	}},
	{"coloured", func(r *rand.Rand, lines [][]byte, i int, _ []bool) [][]byte {
		text := bytes.TrimRight(lines[i], "\n")
		return with(lines, i, fmt.Appendf(nil, "\x1b[3%dm%s\x1b[0m%s", r.IntN(8), text, lines[i][len(text):]))
	}},
	{"behind a logger's line", func(r *rand.Rand, lines [][]byte, i int, _ []bool) [][]byte {
		return behind(lines, i, []byte(logs[r.IntN(len(logs))]))
	}},
	{"cut short", func(r *rand.Rand, lines [][]byte, i int, _ []bool) [][]byte {
		return with(lines, i, append(slices.Clone(lines[i][:r.IntN(len(lines[i]))]), '\n'))
	}},
	{"with a byte flipped", func(r *rand.Rand, lines [][]byte, i int, frame []bool) [][]byte {
		var of []int
		for k, ok := range frame {
			if ok {
				of = append(of, k)
			}
		}
		if len(of) == 0 {
			return nil
		}
		line := slices.Clone(lines[i])
		line[of[r.IntN(len(of))]] ^= byte(1 + r.IntN(255))
		return with(lines, i, line)
	}},
}

// frameOf returns which bytes of a transcript are neither of a cell nor of a
// column's name, as far as can be told: of rows and heads the row kind, and the bars
// below the corners of their border, of the rest all.
func frameOf(data []byte) []bool {
	frame := slices.Repeat([]bool{true}, len(data))
	var border string
	changelog := false
	cells := func(from, to int64) {
		ascii := len(border) == int(to-from) && !bytes.ContainsFunc(data[from:to], func(r rune) bool { return r >= utf8.RuneSelf })
		for k := range frame[from:to] {
			op := changelog && (k == 2 || k == 3)
			frame[from+int64(k)] = ascii && (op || border[k] == '+' || border[k] == '\n')
		}
	}
	for rec := range sqlclient.NewReader(bytes.NewReader(data), "").Records() {
		span := rec.Span()
		switch rec := rec.(type) {
		case *sqlclient.Head:
			changelog = rec.Mode == sqlclient.ModeStreaming
			border = rec.Raw[:strings.IndexByte(rec.Raw, '\n')+1]
			n := int64(len(border))
			cells(span.Start.Offset+n, span.End.Offset-n)
		case *sqlclient.Row:
			cells(span.Start.Offset, span.End.Offset)
		}
	}
	return frame
}

// bare returns the lines of echoes that hold what looks like a table, which
// damage may lay bare.
func bare(data []byte) map[int]bool {
	lines := map[int]bool{}
	for rec := range sqlclient.NewReader(bytes.NewReader(data), "").Records() {
		if e, ok := rec.(*sqlclient.Echo); ok && strings.Contains(e.Raw, "+--") {
			for line := e.Span().Start.Line; line <= e.Span().End.Line; line++ {
				lines[line] = true
			}
		}
	}
	return lines
}

// TestMutations damages transcripts, and wants each result that now reads
// otherwise to have a problem that it did not have before.
func TestMutations(t *testing.T) {
	type original struct {
		name  string
		lines [][]byte
		frame []bool
		bare  map[int]bool
		read  *sqlclient.Transcript
	}
	var files []original
	for _, name := range find(t) {
		// What a print sink prints, or Zeppelin draws, has no borders and no count:
		// nothing tells of damage. Of CSV nothing is read, and bytes of UTF-16 are no
		// characters.
		data := load(t, name)
		plain := slices.ContainsFunc([]string{"+I[", "+I(", "+I,", "%table", `"paragraphs"`, "\x00"}, func(mark string) bool { return bytes.Contains(data, []byte(mark)) })
		if len(data) < 32<<10 && !plain {
			tr := read(t, data, name)
			if slices.ContainsFunc(tr.Problems, func(p *sqlclient.Problem) bool { return p.Code == sqlclient.FooterCount }) {
				continue // a row more may be just what its footer counts
			}
			files = append(files, original{name, bytes.SplitAfter(data, []byte("\n")), frameOf(data), bare(data), tr})
		}
	}
	for n := *seed; n < *seed+*mutations; n++ {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		file, m := files[r.IntN(len(files))], mutationKinds[n%len(mutationKinds)]
		i := r.IntN(len(file.lines) - 1)
		start := len(bytes.Join(file.lines[:i], nil))
		lines := m.damage(r, file.lines, i, file.frame[start:start+len(file.lines[i])])
		if lines == nil {
			continue
		}
		data := bytes.Join(lines, nil)
		began := time.Now()
		got := read(t, data, file.name)
		if took := time.Since(began); took > time.Second {
			t.Errorf("%s with line %d %s took %v", file.name, i+1, m.name, took)
		}
		if what := unsaid(file.read, got, i+1); what != "" && !file.bare[i+1] && !untold(file.read, i+1, m.name) {
			t.Errorf("%s, line %d %s (seed %d): %s\nbefore %q", file.name, i+1, m.name, n, what, file.lines[i])
		}
	}
}

// unsaid returns what reads otherwise in a damaged transcript without a problem
// that says so near the damage, which is at a line: between the prompt before it
// and the second one behind it. It returns "" for nothing.
func unsaid(before, after *sqlclient.Transcript, line int) string {
	was, is := rowTexts(before), rowTexts(after)
	if slices.Equal(was, is) {
		return ""
	}
	from, to, prompts := 0, 1<<30, 0
	for _, st := range before.Statements {
		switch {
		case st.Pos.Line <= line:
			from = st.Pos.Line
		case prompts == 1:
			to = min(to, st.Pos.Line+1)
		default:
			prompts++
		}
	}
	known := map[string]int{}
	for _, p := range before.Problems {
		known[string(p.Code)+p.Msg]++
	}
	elsewhere := ""
	for _, p := range after.Problems {
		if known[string(p.Code)+p.Msg]--; known[string(p.Code)+p.Msg] >= 0 {
			continue
		}
		if p.Pos.Line >= from && p.Pos.Line <= to {
			return ""
		}
		elsewhere = fmt.Sprintf(", and the problem is far away: %v", p)
	}
	for i := range was {
		if i >= len(is) || was[i] != is[i] {
			return fmt.Sprintf("row %d of %d was %s, %d rows now%s", i+1, len(was), was[i], len(is), elsewhere)
		}
	}
	return fmt.Sprintf("%d rows, now %d%s", len(was), len(is), elsewhere)
}

// untold reports whether nothing in the transcript could tell of the damage: a
// row dropped from, or doubled in, a result without a footer that counts.
func untold(tr *sqlclient.Transcript, line int, damage string) bool {
	for _, r := range tr.Results() {
		if r.End == sqlclient.EndFinished || damage != "dropped" && damage != "doubled" {
			continue
		}
		for _, row := range r.Rows {
			if row.Pos.Line == line {
				return true
			}
		}
	}
	return false
}

func rowTexts(tr *sqlclient.Transcript) []string {
	var texts []string
	for _, r := range tr.Results() {
		for _, row := range r.Rows {
			texts = append(texts, rowText(row))
		}
	}
	return texts
}
