package main

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the blocks of docs/graders.md")

// fenced is a block of the guide: its language, the name behind it, its text.
var fenced = regexp.MustCompile("(?ms)^```(\\w+) (\\w+)\n(.*?)^```$")

// Each block of Go in the guide is the declaration of that name, or the body of
// the example; each block of text is what that example prints.
func TestGuide(t *testing.T) {
	const guide = "../../docs/graders.md"
	data, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	code, output := declarations(t)
	blocks := 0
	rewritten := fenced.ReplaceAllStringFunc(string(data), func(block string) string {
		blocks++
		parts := fenced.FindStringSubmatch(block)
		language, name, text := parts[1], parts[2], parts[3]
		want, ok := code[name]
		if language == "text" {
			want, ok = output[name]
		}
		if !ok {
			t.Errorf("no %s %s", language, name)
			return block
		}
		if diff := cmp.Diff(want, text); diff != "" && !*update {
			t.Errorf("%s %s:\n%s", language, name, diff)
		}
		return "```" + language + " " + name + "\n" + want + "```"
	})
	for name := range output {
		if !strings.Contains(string(data), "```go "+name+"\n") || !strings.Contains(string(data), "```text "+name+"\n") {
			t.Errorf("the guide does not show %s", name)
		}
	}
	if fences := strings.Count(string(data), "\n```"); fences != 2*blocks {
		t.Errorf("%d fences, of which %d are of blocks with names", fences, 2*blocks)
	}
	if *update {
		if err := os.WriteFile(guide, []byte(rewritten), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// declarations gives the functions and types of the package as they are written,
// of an example only the body, and what examples print.
func declarations(t *testing.T) (code, output map[string]string) {
	t.Helper()
	code, output = make(map[string]string), make(map[string]string)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		src := string(readFile(t, name))
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		text := func(from, to token.Pos) string { return src[set.Position(from).Offset:set.Position(to).Offset] + "\n" }
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				name := decl.Name.Name
				if !strings.HasPrefix(name, "Example") {
					from := decl.Pos()
					if decl.Doc != nil {
						from = decl.Doc.Pos()
					}
					code[name] = text(from, decl.End())
					continue
				}
				body := strings.Trim(text(decl.Body.Lbrace+1, decl.Body.Rbrace), "\n")
				body, printed, _ := strings.Cut(strings.ReplaceAll("\n"+body, "\n\t", "\n"), "\n// Output:\n")
				code[name] = strings.TrimPrefix(body, "\n") + "\n"
				output[name] = strings.ReplaceAll(strings.TrimPrefix(printed, "// "), "\n// ", "\n") + "\n"
			case *ast.GenDecl:
				if spec, ok := decl.Specs[0].(*ast.TypeSpec); ok {
					from := decl.Pos()
					if decl.Doc != nil {
						from = decl.Doc.Pos()
					}
					code[spec.Name.Name] = text(from, decl.End())
				}
			}
		}
	}
	return code, output
}
