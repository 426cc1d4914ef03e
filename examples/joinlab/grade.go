package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// A grader knows the right answers. It is safe for concurrent use.
type grader struct {
	questions []*question
	figures   map[string]*apd.Decimal // that the report must give
	names     []string                // of the checks, in order
}

// newGrader reads a lab and answers its questions.
func newGrader(data fs.FS) (*grader, error) {
	l, err := readLab(data)
	if err != nil {
		return nil, err
	}
	qs, err := l.questions()
	if err != nil {
		return nil, err
	}
	g := &grader{questions: qs}
	answers := make(tables)
	for _, q := range qs {
		answers[q.name] = q.rows
		g.expect(q.name, q.aspects())
	}
	for _, p := range plans {
		g.expect(p.artefact(), p.aspects())
	}
	g.expect("report", reportAspects())
	g.figures = answers.figures()
	return g, nil
}

func (g *grader) expect(artefact string, aspects []string) {
	for _, aspect := range aspects {
		g.names = append(g.names, artefact+"."+aspect)
	}
}

// gradeDir grades the submission in a directory.
func (g *grader) gradeDir(dir string) *submission {
	root, err := os.OpenRoot(dir) // a link out of the directory leads nowhere
	if err != nil {
		s := &submission{Work: dir, unreadable: []error{err}}
		s.finish(g.names)
		return s
	}
	defer root.Close()
	s := g.grade(root.FS())
	s.Work = dir
	return s
}

// grade grades a submission.
func (g *grader) grade(dir fs.FS) *submission {
	s := &submission{dir: dir, tables: make(tables)}
	for _, q := range g.questions {
		s.output(q)
	}
	for _, p := range plans {
		s.plan(p)
	}
	s.report(g.figures)
	s.finish(g.names)
	return s
}

// A submission is what a learner handed in, and what came of it.
type submission struct {
	Work   string  `json:"work"`
	Passed bool    `json:"passed"`
	Checks []check `json:"checks"`

	dir        fs.FS
	unreadable []error // what kept the grader from grading; no fault of the learner's
	tables     tables  // that the outputs end in, where that can be told
	noPlans    bool    // an output is of a release that has no COMPILE PLAN
}

// A check is one thing that was looked at.
type check struct {
	Name   string `json:"name"` // artefact.aspect
	Status status `json:"status"`
	Place  string `json:"place"` // file:line:col; the file alone if it cannot be read
	Got    string `json:"got"`
	Want   string `json:"want"`
	Hint   string `json:"hint"` // "" for a check that passes
}

type status string

const (
	pass         status = "pass"
	fail         status = "fail"
	notCheckable status = "not checkable"
)

// judge adds a check that can be decided.
func (s *submission) judge(ok bool, c check) bool {
	const most = 500 // bytes of what was seen; a learner's file may hold anything
	if len(c.Got) > most {
		c.Got = strings.ToValidUTF8(c.Got[:most], "") + "..."
	}
	c.Status = fail
	if ok {
		c.Status, c.Hint = pass, ""
	}
	s.Checks = append(s.Checks, c)
	return ok
}

// equal adds a check that passes if what was seen is what was wanted.
func (s *submission) equal(c check) bool { return s.judge(c.Got == c.Want, c) }

// passed reports whether a check was come to and passed.
func (s *submission) passed(name string) bool {
	return slices.ContainsFunc(s.Checks, func(c check) bool { return c.Name == name && c.Status == pass })
}

// finish puts the checks in order. Of those that were not come to it says why.
func (s *submission) finish(names []string) {
	done := make(map[string]check)
	failed := make(map[string][]string) // by artefact
	for _, c := range s.Checks {
		done[c.Name] = c
		if c.Status != pass {
			artefact, _, _ := strings.Cut(c.Name, ".")
			failed[artefact] = append(failed[artefact], c.Name)
		}
	}
	s.Checks, s.Passed = nil, true
	for _, name := range names {
		c, ok := done[name]
		if !ok {
			artefact, _, _ := strings.Cut(name, ".")
			c = check{Name: name, Status: notCheckable, Hint: "depends on " + strings.Join(failed[artefact], ", ")}
			switch {
			case s.dir == nil:
				c.Hint = "the submission cannot be read"
			case failed[artefact] == nil:
				c.Hint = "what is there does not tell"
			}
		}
		s.Passed = s.Passed && c.Status == pass
		s.Checks = append(s.Checks, c)
	}
}

// maxSize is far above the size of any honest file of the lab.
const maxSize = 8 << 20

// read reads a file of the submission. If it cannot, it adds c, which says what
// was wanted, with what it found in its place.
func (s *submission) read(file string, c check) ([]byte, bool) {
	c.Place = file
	info, err := fs.Stat(s.dir, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.Got = "no file"
	case err != nil:
		return nil, s.cannotRead(c, err)
	case !info.Mode().IsRegular(): // to open a pipe would wait for ever
		c.Got = "no regular file"
	case info.Size() == 0:
		c.Got = "an empty file"
	case info.Size() > maxSize:
		c.Got, c.Hint = "more than 8 MiB", "the lab's outputs are small: does the statement read other tables than the lab's?"
	default:
		data, err := fs.ReadFile(s.dir, file)
		if err != nil {
			return nil, s.cannotRead(c, err)
		}
		return data, true
	}
	return nil, s.judge(false, c)
}

// cannotRead adds a check of a file that is there but cannot be read, which is
// no fault of the learner's.
func (s *submission) cannotRead(c check, err error) bool {
	s.unreadable = append(s.unreadable, err)
	c.Status, c.Hint = notCheckable, err.Error()
	s.Checks = append(s.Checks, c)
	return false
}
