package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocumentation runs the commands of the package's documentation, in the directory that it names, and compares.
func TestDocumentation(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../testdata/plans/2.3.0")
	commands := 0
	for _, block := range strings.Split(file.Doc.Text(), "\n\t$ planinfo ")[1:] {
		line, rest, _ := strings.Cut(block, "\n")
		var want strings.Builder
		for line := range strings.Lines(rest) {
			code, ok := strings.CutPrefix(line, "\t")
			if !ok && line != "\n" {
				break
			}
			want.WriteString(code)
		}
		commands++
		var stdout, stderr bytes.Buffer
		if code := (command{strings.NewReader(""), &stdout, &stderr}).run(strings.Fields(line)); code != 0 || stderr.Len() > 0 {
			t.Errorf("planinfo %s: exit code %d\n%s", line, code, stderr.String())
		}
		if diff := cmp.Diff(strings.TrimRight(want.String(), "\n"), strings.TrimRight(stdout.String(), "\n")); diff != "" {
			t.Errorf("planinfo %s\n%s", line, diff)
		}
	}
	if commands != 3 {
		t.Errorf("%d commands in the documentation", commands)
	}
}
