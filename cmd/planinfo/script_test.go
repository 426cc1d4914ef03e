package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"planinfo": main})
}

// TestScripts runs the scripts in testdata/script. $P is the directory of the plans.
func TestScripts(t *testing.T) {
	plans, err := filepath.Abs("../../testdata/plans")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("P", plans)
			for _, name := range []string{"LANG", "LC_ALL", "TERM", "NO_COLOR", "RUNEWIDTH_EASTASIAN"} {
				env.Setenv(name, "")
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"compress": compress,
		},
	})
}

// exits CODE PROGRAM ARGS... runs a program that must exit with this very code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			ts.Fatalf("%v", err)
		}
		code = failed.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, not %d", code, want)
	}
}

// compress gz|zst FROM TO compresses a file.
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
		ts.Fatalf("unknown compression %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), out.Bytes(), 0o600))
}
