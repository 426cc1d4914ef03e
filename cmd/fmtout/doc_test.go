package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The commands of the package's documentation print what it says.
func TestDocumentation(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	transcripts, err := filepath.Abs("../../testdata/transcripts/2.3.0")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"joins/regular.out", "shapes/changelog.out", "shapes/err_validate.out"} {
		data, err := os.ReadFile(filepath.Join(transcripts, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)

	commands := 0
	for _, block := range codeBlocks(file.Doc.Text()) {
		line, want, _ := strings.Cut(block, "\n")
		args, ok := strings.CutPrefix(line, "$ fmtout ")
		if !ok {
			continue
		}
		commands++
		var stdout, stderr bytes.Buffer
		code := command{strings.NewReader(""), &stdout, &stderr}.run(strings.Fields(args))
		got := stdout.String() + stderr.String()
		if code != 0 {
			got += fmt.Sprintf("[exit code %d]\n", code)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
	if commands != 5 {
		t.Errorf("found %d commands in the documentation", commands)
	}
}

// codeBlocks returns the indented blocks of a comment, without the indent.
// Blank lines within them belong to them.
func codeBlocks(doc string) []string {
	var blocks []string
	var block strings.Builder
	end := func() {
		if s := strings.TrimRight(block.String(), "\n"); s != "" {
			blocks = append(blocks, s+"\n")
		}
		block.Reset()
	}
	for line := range strings.Lines(doc) {
		switch code, ok := strings.CutPrefix(line, "\t"); {
		case ok:
			block.WriteString(code)
		case line == "\n" && block.Len() > 0:
			block.WriteString(line)
		default:
			end()
		}
	}
	end()
	return blocks
}
