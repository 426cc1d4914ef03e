package main

import (
	"flag"
	"testing"

	"github.com/seed-69e58989/flinkread/internal/command/commandtest"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) { commandtest.Main(m, "fmtout", main) }

// The scripts find real transcripts in $T, one directory for each release.
func TestScripts(t *testing.T) {
	commandtest.Scripts(t, *update, "T", "../../testdata/transcripts")
}
