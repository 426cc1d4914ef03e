// Package commandtest tests binaries as their users run them: by scripts, and
// by the commands of their documentation.
package commandtest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-69e58989/flinkread/internal/command"
)

// Main runs the tests of a package whose scripts run main by name.
func Main(m *testing.M, name string, main func()) {
	testscript.Main(m, map[string]func(){name: main})
}

// Scripts runs the scripts in testdata/script, in which the variable stands for
// the directory dir. Besides the commands of testscript they have
//
//	exits CODE PROGRAM ARGS...   run a program that must exit with this very code
//	compress gz|zst FROM TO      compress a file
func Scripts(t *testing.T, update bool, variable, dir string) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv(variable, dir)
			for _, name := range []string{"LANG", "LC_ALL", "TERM", "NO_COLOR", "RUNEWIDTH_EASTASIAN"} {
				env.Setenv(name, "")
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "compress": compress},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func compress(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: compress gz|zst FROM TO")
	}
	data := []byte(ts.ReadFile(args[1]))
	var out bytes.Buffer
	switch args[0] {
	case "gz":
		w := gzip.NewWriter(&out)
		_, err := w.Write(data)
		ts.Check(errors.Join(err, w.Close()))
	case "zst":
		w, err := zstd.NewWriter(&out)
		ts.Check(err)
		_, err = w.Write(data)
		ts.Check(errors.Join(err, w.Close()))
	default:
		ts.Fatalf("no compression %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), out.Bytes(), 0o600))
}

// Documentation runs the commands of the comment in doc.go, "$ name args", in
// the directory dir, and compares what they print. There must be as many as
// commands says.
func Documentation(t *testing.T, name string, run command.Func, dir string, commands int) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	found := 0
	for _, block := range codeBlocks(file.Doc.Text()) {
		line, want, _ := strings.Cut(block, "\n")
		args, ok := strings.CutPrefix(line, "$ "+name+" ")
		if !ok {
			continue
		}
		found++
		var stdout, stderr bytes.Buffer
		code := run(strings.Fields(args), strings.NewReader(""), &stdout, &stderr)
		got := stdout.String() + stderr.String()
		if code != 0 {
			got += fmt.Sprintf("[exit code %d]\n", code)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
	if found != commands {
		t.Errorf("found %d commands in the documentation, want %d", found, commands)
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
