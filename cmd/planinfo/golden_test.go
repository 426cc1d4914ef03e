package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write files that tests compare with")

// TestPlans compares what is printed for every plan in testdata/plans with testdata/plans here: the table for all of them,
// and the JSON for those of the lab.
func TestPlans(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/plans/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 100 {
		t.Fatalf("only %d plans", len(paths))
	}
	for _, path := range paths {
		release, name := filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".json")
		formats := []string{"table"}
		if strings.HasPrefix(name, "lab-") {
			formats = append(formats, "ndjson")
		}
		for _, format := range formats {
			t.Run(release+"/"+name+"/"+format, func(t *testing.T) {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				var stdout, stderr bytes.Buffer
				code := run([]string{"-o", format}, bytes.NewReader(data), &stdout, &stderr)
				if code != 0 || stderr.Len() > 0 {
					t.Errorf("exit code %d: %s", code, stderr.String())
				}
				for line := range strings.Lines(stdout.String()) {
					if width := len([]rune(line)) - 1; format == "table" && width > pageWidth {
						t.Errorf("%d columns: %s", width, line)
					}
				}
				golden := filepath.Join("testdata/plans", release, name+map[string]string{"table": ".txt", "ndjson": ".ndjson"}[format])
				if *update {
					if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(golden, stdout.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), stdout.String()); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestFormatsAgree: the array of -o json holds the lines of -o ndjson, and every format tells of the same states.
func TestFormatsAgree(t *testing.T) {
	run := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		if code := run(args, strings.NewReader(""), &stdout, &stderr); code != 0 || stderr.Len() > 0 {
			t.Fatalf("%q: exit code %d: %s", args, code, stderr.String())
		}
		return stdout.String()
	}
	const plan = "../../testdata/plans/2.3.0/mini-batch-distinct.json"
	lines := run(plan, "-o", "ndjson")
	if got, want := run(plan, "-o", "json"), "[\n"+strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", ",\n")+"\n]\n"; got != want {
		t.Error(cmp.Diff(want, got))
	}
	table, markdown := run(plan), run("-o", "markdown", plan)
	for _, state := range []string{"globalGroupAggregateState", "incrementalGroupAggregateState", "unwritten for 1 h"} {
		if !strings.Contains(table, state) || !strings.Contains(markdown, state) {
			t.Errorf("%s is not in both:\n%s\n%s", state, table, markdown)
		}
	}
}
