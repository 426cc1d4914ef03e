package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
)

const (
	transcripts = "../../testdata/transcripts"
	labData     = transcripts + "/lab"
)

func labGrader(t testing.TB) *grader {
	t.Helper()
	g, err := newGrader(os.DirFS(labData))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// releases are those that the lab was run on.
func releases(t testing.TB) []string {
	t.Helper()
	dirs, err := filepath.Glob(transcripts + "/*/joins")
	if err != nil || len(dirs) != 12 {
		t.Fatalf("labs %q, %v", dirs, err)
	}
	for i, dir := range dirs {
		dirs[i] = filepath.Base(filepath.Dir(dir))
	}
	return dirs
}

// withoutPlans are the releases that have no COMPILE PLAN.
var withoutPlans = []string{"1.13.6", "1.14.6"}

// rightWork is a right submission of a release.
func rightWork(t testing.TB, release string) fstest.MapFS {
	t.Helper()
	work := make(fstest.MapFS)
	addFiles(t, work, labData+"/sql")
	addFiles(t, work, filepath.Join(transcripts, release, "joins"))
	work["report.json"] = &fstest.MapFile{Data: readFile(t, "testdata/report.json")}
	if !slices.Contains(withoutPlans, release) {
		for _, p := range plans {
			work[p.artefact()+".json"] = &fstest.MapFile{Data: readFile(t, filepath.Join("../../testdata/plans", release, "lab-"+p.question+".json"))}
		}
	}
	return work
}

// addFiles puts the files of a directory into a submission, over those that are
// there.
func addFiles(t testing.TB, work fstest.MapFS, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		work[strings.TrimSuffix(e.Name(), ".gz")] = &fstest.MapFile{Data: readFile(t, filepath.Join(dir, e.Name()))}
	}
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil && strings.HasSuffix(name, ".gz") {
		var r io.Reader
		if r, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(r)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// names gives the names of the checks with a status.
func names(s *submission, is status) []string {
	var names []string
	for _, c := range s.Checks {
		if c.Status == is {
			names = append(names, c.Name)
		}
	}
	return names
}

func describe(s *submission) string {
	var b strings.Builder
	for _, c := range s.Checks {
		if c.Status != pass {
			fmt.Fprintf(&b, "%+v\n", c)
		}
	}
	return b.String()
}

// Right submissions of every release pass. Where there are no plans, nothing
// but their want is wrong.
func TestRight(t *testing.T) {
	g := labGrader(t)
	for _, release := range releases(t) {
		t.Run(release, func(t *testing.T) { checkRight(t, g.grade(rightWork(t, release)), release) })
	}
}

// So do those that stand as directories beside this repository, where they do.
func TestRightDirectories(t *testing.T) {
	const corpus = "../../../shared/corpus"
	g, err := newGrader(os.DirFS(corpus + "/lab"))
	if err != nil {
		t.Skip(err)
	}
	for _, release := range releases(t) {
		t.Run(release, func(t *testing.T) { checkRight(t, g.gradeDir(filepath.Join(corpus, release, "joins")), release) })
	}
}

func checkRight(t *testing.T, s *submission, release string) {
	t.Helper()
	if !slices.Contains(withoutPlans, release) {
		if !s.Passed || len(names(s, pass)) != 64 {
			t.Error(describe(s))
		}
		return
	}
	if diff := cmp.Diff([]string{"regular-plan.file", "interval-plan.file", "temporal-plan.file"}, names(s, fail)); diff != "" {
		t.Error(diff)
	}
	for _, c := range s.Checks {
		switch {
		case c.Status == fail && !strings.Contains(c.Hint, "this release has no compiled plans"):
			t.Errorf("%s says %q", c.Name, c.Hint)
		case c.Status == notCheckable && !strings.Contains(c.Name, "-plan."):
			t.Errorf("%s is not checkable", c.Name)
		}
	}
}

// The answers that are computed here are those that were computed otherwise.
func TestAnswers(t *testing.T) {
	var want struct {
		Count     map[string]int
		Regular   map[string][]any
		Interval  [][]any
		Unshipped [][]any
		Temporal  [][]any
		Latest    map[string][]any
		Report    map[string]json.Number
	}
	d := json.NewDecoder(bytes.NewReader(readFile(t, labData+"/expected.json")))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	lists := map[string][][]any{"interval": want.Interval, "unshipped": want.Unshipped, "temporal": want.Temporal}
	for tbl, n := range want.Count {
		lists["count"] = append(lists["count"], []any{tbl, n})
	}
	for tier, values := range want.Regular {
		lists["regular"] = append(lists["regular"], append([]any{tier}, values...))
	}
	for currency, values := range want.Latest {
		lists["latest"] = append(lists["latest"], append([]any{currency}, values...))
	}

	g := labGrader(t)
	for _, q := range g.questions {
		var rows []changelog.Row
		for _, values := range lists[q.name] {
			var r changelog.Row
			for _, v := range values {
				r.Cells = append(r.Cells, changelog.Cell{Text: fmt.Sprint(v)})
			}
			rows = append(rows, r)
		}
		if len(rows) == 0 {
			t.Errorf("nothing to compare %s with", q.name)
		}
		missing, extra := changelog.Diff(slices.Values(q.rows), slices.Values(q.canonical(slices.Values(rows))))
		if missing != nil || extra != nil {
			t.Errorf("%s: missing %v, extra %v", q.name, missing, extra)
		}
	}
	if len(want.Report) != len(g.figures) {
		t.Errorf("%d figures, want %v", len(g.figures), want.Report)
	}
	for key, n := range want.Report {
		if !(entry{text: n.String()}).is(g.figures[key]) {
			t.Errorf("%s: %v, want %v", key, g.figures[key], n)
		}
	}
}

// Whatever line of whatever output is left out, the submission fails: in the
// text around a result too, unless it is one that says nothing.
func TestLineLeftOut(t *testing.T) {
	g := labGrader(t)
	right := rightWork(t, "1.15.4")
	for _, q := range g.questions {
		file := q.name + ".out"
		lines := slices.Collect(strings.Lines(string(right[file].Data)))
		step := 1 + len(lines)/60 // the long outputs in samples
		for i := 0; i < len(lines); i += step {
			if !strings.HasPrefix(lines[i], "|") {
				continue
			}
			work := fs.FS(fstest.MapFS{file: {Data: []byte(strings.Join(slices.Delete(slices.Clone(lines), i, i+1), ""))}})
			s := g.grade(work)
			if s.passed(q.name+".end") && s.passed(q.name+".rows") && s.passed(q.name+".columns") {
				t.Errorf("%s without line %d passes: %s", file, i+1, lines[i])
			}
		}
	}
}

// An output that is cut off anywhere before its footer ends is told to be; one
// that lacks only what follows the footer passes.
func TestCutOff(t *testing.T) {
	g := labGrader(t)
	right := rightWork(t, "1.15.4")
	for _, q := range g.questions {
		file := q.name + ".out"
		data := right[file].Data
		footer := bytes.LastIndex(data, []byte("+\n")) + 2
		whole := footer + bytes.IndexByte(data[footer:], '\n') + 1
		for n := 1; n < len(data); n += 1 + min(len(data)/50, max(1, (whole-n)/10)) {
			s := g.grade(fstest.MapFS{file: {Data: data[:n]}})
			passed := s.passed(q.name + ".rows")
			if passed != (n >= whole) {
				t.Errorf("%s cut at %d of %d: rows pass: %v", file, n, whole, passed)
			}
			for _, c := range s.Checks {
				if c.Status != fail || !strings.HasPrefix(c.Name, q.name+".") {
					continue
				}
				if c.Name != q.name+".file" && c.Hint != cutOff && !strings.Contains(c.Hint, "2>&1") {
					t.Errorf("%s cut at %d: %+v", file, n, c)
				}
			}
		}
	}
}

// Without the statement, mistakes that print the same cannot be told apart.
func TestHintWithoutStatement(t *testing.T) {
	g := labGrader(t)
	work := rightWork(t, "1.20.5")
	addFiles(t, work, "testdata/wrong/unshipped-inner")
	delete(work, "unshipped.sql")
	for _, c := range g.grade(work).Checks {
		if c.Name == "unshipped.rows" && (!strings.Contains(c.Hint, "LEFT is missing") || !strings.Contains(c.Hint, "; or the time condition stands in WHERE")) {
			t.Errorf("hint: %s", c.Hint)
		}
	}
}

// Nothing that a learner may hand in makes the grader panic, or pass.
func FuzzGrade(f *testing.F) {
	g := labGrader(f)
	work := rightWork(f, "2.3.0")
	files := []string{"count.out", "regular.out", "interval.out", "unshipped.out", "temporal.out", "regular-plan.json", "interval-plan.json", "temporal-plan.json", "report.json"}
	for i, file := range files {
		f.Add(byte(i), work[file].Data)
	}
	f.Add(byte(8), []byte(`{"matched_orders": 1e99999, "interval_rows": "194", "usd_gap_krw": -3510247.126465, "unshipped_orders": [67]}`))
	f.Fuzz(func(t *testing.T, file byte, data []byte) {
		name := files[int(file)%len(files)]
		s := g.grade(fstest.MapFS{name: {Data: data}})
		if len(s.Checks) != 64 {
			t.Errorf("%d checks", len(s.Checks))
		}
		if s.Passed {
			t.Error("an incomplete submission passes")
		}
	})
}

// One submission is to take less than 100 ms.
func BenchmarkGrade(b *testing.B) {
	g := labGrader(b)
	work := rightWork(b, "2.3.0")
	for b.Loop() {
		if !g.grade(work).Passed {
			b.Fatal("does not pass")
		}
	}
}
