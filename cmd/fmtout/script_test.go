package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fmtout": main})
}

// The scripts find real transcripts in $T, one directory for each release.
func TestScripts(t *testing.T) {
	transcripts, err := filepath.Abs("../../testdata/transcripts")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("T", transcripts)
			env.Setenv("LANG", "C")
			env.Setenv("TERM", "dumb")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"compress": compress,
		},
	})
}

// exits runs a command that must exit with a code: exits 2 fmtout --bogus.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [args...]")
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

// compress compresses a file: compress gz from to.
func compress(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: compress gz|zst from to")
	}
	data := []byte(ts.ReadFile(args[1]))
	var out bytes.Buffer
	switch args[0] {
	case "gz":
		z := gzip.NewWriter(&out)
		z.Write(data)
		ts.Check(z.Close())
	case "zst":
		z, err := zstd.NewWriter(&out)
		ts.Check(err)
		z.Write(data)
		ts.Check(z.Close())
	default:
		ts.Fatalf("no compression %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), out.Bytes(), 0o600))
}
