package main

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"unicode"
)

// A printer writes submissions in one of the formats.
type printer interface {
	add(*submission)
	end() error // the first error of writing, if there was one
}

var printers = map[string]func(*bufio.Writer) printer{
	"text":  func(w *bufio.Writer) printer { return textPrinter{w} },
	"json":  newJSONPrinter,
	"junit": newJUnitPrinter,
}

// A textPrinter writes what a learner has to see: the checks that do not pass.
type textPrinter struct{ w *bufio.Writer }

func (p textPrinter) add(s *submission) {
	passed := 0
	for _, c := range s.Checks {
		if c.Status == pass {
			passed++
		}
	}
	fmt.Fprintf(p.w, "%s: %d of %d checks pass\n", visible(s.Work), passed, len(s.Checks))
	for _, c := range s.Checks {
		switch c.Status {
		case pass:
			continue
		case notCheckable:
			fmt.Fprintf(p.w, "  %s: not checkable: %s\n", c.Name, visible(c.Hint))
			continue
		}
		fmt.Fprintf(p.w, "  %s: fail\n", c.Name)
		for _, line := range []struct{ label, text string }{{"at", c.Place}, {"got", c.Got}, {"want", c.Want}, {"hint", c.Hint}} {
			if line.text != "" {
				fmt.Fprintf(p.w, "    %-4s  %s\n", line.label, visible(line.text))
			}
		}
	}
}

func (p textPrinter) end() error { return p.w.Flush() }

// visible replaces what a terminal would obey rather than show: a learner's
// file may hold anything.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// A jsonPrinter writes one object a line.
type jsonPrinter struct {
	w       *bufio.Writer
	encoder *json.Encoder
}

func newJSONPrinter(w *bufio.Writer) printer {
	p := jsonPrinter{w, json.NewEncoder(w)}
	p.encoder.SetEscapeHTML(false)
	return p
}

func (p jsonPrinter) add(s *submission) { p.encoder.Encode(s) } // w keeps the error
func (p jsonPrinter) end() error        { return p.w.Flush() }

// A junitPrinter writes the XML that build servers read: a suite for each
// submission. JUnit calls a test that could not be carried out an error.
type junitPrinter struct {
	w       *bufio.Writer
	encoder *xml.Encoder
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func newJUnitPrinter(w *bufio.Writer) printer {
	w.WriteString(xml.Header + "<testsuites>\n")
	p := junitPrinter{w, xml.NewEncoder(w)}
	p.encoder.Indent("", " ")
	return p
}

func (p junitPrinter) add(s *submission) {
	suite := junitSuite{Name: s.Work, Tests: len(s.Checks)}
	for _, c := range s.Checks {
		artefact, aspect, _ := strings.Cut(c.Name, ".")
		test := junitCase{Class: artefact, Name: aspect}
		switch c.Status {
		case fail:
			suite.Failures++
			test.Failure = &junitProblem{c.Hint, fmt.Sprintf("%s\ngot:  %s\nwant: %s", c.Place, c.Got, c.Want)}
		case notCheckable:
			suite.Errors++
			test.Error = &junitProblem{Message: c.Hint}
		}
		suite.Cases = append(suite.Cases, test)
	}
	p.encoder.Encode(suite) // w keeps the error
	p.w.WriteByte('\n')
}

func (p junitPrinter) end() error {
	p.w.WriteString("</testsuites>\n")
	return p.w.Flush()
}
