package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever the input is, each format ends with a code of the contract, writes
// what its readers can read, and nothing that a terminal could obey.
func FuzzRun(f *testing.F) {
	var seeds []string
	for _, release := range []string{"1.13.6", "2.3.0"} {
		found, err := filepath.Glob(filepath.Join("../../testdata/transcripts", release, "shapes/*.out"))
		if err != nil || len(found) == 0 {
			f.Fatalf("no transcripts of %s: %v", release, err)
		}
		seeds = append(seeds, found...)
	}
	for _, name := range seeds {
		if info, err := os.Stat(name); err != nil || info.Size() > 8<<10 {
			continue // the long ones teach nothing more and slow the search down
		}
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, args := range []string{
			"-o table", "-o table --final", "-o markdown", "--list", "--list -o markdown", "--list -o ndjson", "--list -o json",
			"-o ndjson", "-o ndjson --final", "-o json", "-o json --final", "-o csv", "-o tsv --statement -1",
			"-o ndjson --typed", "-o json --typed --final", "-o ndjson --types id|INT,|name|ARRAY<STRING>",
		} {
			var stdout, stderr bytes.Buffer
			words := strings.Fields(args)
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], "|", " ")
			}
			code := run(words, bytes.NewReader(data), &stdout, &stderr)
			switch {
			case code == 2 && (strings.Contains(args, "--final") || strings.Contains(args, "sv") || strings.Contains(args, "--types")): // a key, or a choice
			case code != 0 && code != 1:
				t.Errorf("%s: exit code %d: %s", args, code, &stderr)
			}
			if i := bytes.IndexFunc(stderr.Bytes(), isControl); i >= 0 {
				t.Errorf("%s: a control in a diagnostic: %.60q", args, stderr.Bytes()[i:])
			}
			if strings.Contains(args, "sv") {
				continue // holds what the cells hold
			}
			if i := bytes.IndexFunc(stdout.Bytes(), isControl); i >= 0 {
				t.Errorf("%s: a control in the output: %.60q", args, stdout.Bytes()[i:])
			}
			if strings.Contains(args, "ndjson") {
				for line := range bytes.Lines(stdout.Bytes()) {
					if !json.Valid(line) {
						t.Errorf("%s: not JSON: %s", args, line)
					}
				}
			} else if strings.Contains(args, "json") && !json.Valid(stdout.Bytes()) {
				t.Errorf("%s: not JSON: %s", args, &stdout)
			}
		}
	})
}

func isControl(r rune) bool { return r < ' ' && r != '\n' || 0x7f <= r && r < 0xa0 }
