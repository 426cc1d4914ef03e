package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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

// The documentation lists the members that JSON has, in their order.
func TestMembers(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "// # Members of JSON\n")
	section, _, _ = strings.Cut(section, "// # ")
	var listed [][]string // of a row, of a result, of a statement
	member := regexp.MustCompile(`^//\t(\w+) `)
	prose := true
	for line := range strings.Lines(section) {
		if m := member.FindStringSubmatch(line); m != nil {
			if prose {
				listed = append(listed, nil)
			}
			listed[len(listed)-1] = append(listed[len(listed)-1], m[1])
		}
		prose = !strings.HasPrefix(line, "//\t")
	}
	if len(listed) != 3 {
		t.Fatalf("%d lists of members", len(listed))
	}

	dir := t.TempDir()
	table := filepath.Join(dir, "table.out")
	if err := os.WriteFile(table, []byte("Flink SQL> SELECT f(x)+----+--------+\n| op | abc... |\n+----+--------+\n| +I | abc... |\n| +I |    ?? |\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sink := filepath.Join(dir, "sink.out")
	if err := os.WriteFile(sink, []byte("out> +I[1]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	written := make([]map[string]bool, len(listed))
	take := func(list int, object []byte) {
		d := json.NewDecoder(bytes.NewReader(object))
		d.Token()
		last := -1
		for d.More() {
			name, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			at := slices.Index(listed[list], name.(string))
			if at <= last {
				t.Errorf("%v is not listed, or in another place: %s", name, object)
			}
			last = at
			if written[list] == nil {
				written[list] = make(map[string]bool)
			}
			written[list][name.(string)] = true
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
		}
	}
	objects := func(args ...string) (list []json.RawMessage) {
		var stdout, stderr bytes.Buffer
		if code := run(append(args, table, sink, "-o", "json"), nil, &stdout, &stderr); code == 2 || code == 3 {
			t.Fatal(code, stderr.String())
		}
		if err := json.Unmarshal(stdout.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, final := range []string{"--final", "--final=false"} {
		for _, object := range objects(final) {
			take(1, object)
			var inner struct{ Rows []json.RawMessage }
			if err := json.Unmarshal(object, &inner); err != nil {
				t.Fatal(err)
			}
			for _, object := range inner.Rows {
				take(0, object)
			}
		}
		var stdout, stderr bytes.Buffer
		run([]string{final, table, sink, "-o", "ndjson"}, nil, &stdout, &stderr)
		for object := range bytes.Lines(stdout.Bytes()) {
			take(0, object)
		}
	}
	for _, object := range objects("--list") {
		take(2, object)
	}
	for i, want := range listed {
		for _, name := range want {
			if !written[i][name] {
				t.Errorf("%s is listed, but was never written", name)
			}
		}
	}
}
