package main

import (
	"testing"

	"github.com/seed-69e58989/flinkread/internal/command/commandtest"
)

// The commands of the package's documentation print what it says.
func TestDocumentation(t *testing.T) {
	commandtest.Documentation(t, "planinfo", run, "../../testdata/plans/2.3.0", 3)
}
