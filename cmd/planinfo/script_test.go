package main

import (
	"testing"

	"github.com/seed-69e58989/flinkread/internal/command/commandtest"
)

func TestMain(m *testing.M) { commandtest.Main(m, "planinfo", main) }

// The scripts find the plans in $P, one directory for each release.
func TestScripts(t *testing.T) {
	commandtest.Scripts(t, *update, "P", "../../testdata/plans")
}
