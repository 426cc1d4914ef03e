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
	for _, name := range []string{"joins/regular.out", "shapes/changelog.out", "shapes/err_validate.out"} {
		data, err := os.ReadFile(filepath.Join("../../testdata/transcripts/2.3.0", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commandtest.Documentation(t, "fmtout", run, dir, 5)
}
