package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-69e58989/flinkread/internal/command/commandtest"
)

// The commands of the package's documentation print what it says.
func TestDocumentation(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"transcripts/2.3.0/joins/regular.out", "transcripts/2.3.0/shapes/changelog.out", "transcripts/2.3.0/shapes/err_validate.out", "transcripts/2.3.0/print/sinks.out", "plans/2.3.0/lab-regular.json"} {
		data, err := os.ReadFile(filepath.Join("../../testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commandtest.Documentation(t, "fmtout", run, dir, 8)
}
