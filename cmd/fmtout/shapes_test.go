package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A shape is a row of the table of shapes.
type shape struct {
	number  string
	files   []string
	verdict string // without its reason
}

var (
	shapeRow   = regexp.MustCompile(`(?m)^\| (T\d+|more) \|(?:[^|]*)\| ([^|]*) \| [^|]* \| (read|read with a warning|recognised and refused)(?:: [^|]+)? \|$`)
	quotedPath = regexp.MustCompile("`([^`]+)`")
)

// shapes reads the table.
func shapes(t *testing.T) []shape {
	t.Helper()
	page, err := os.ReadFile("../../docs/shapes.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []shape
	for _, m := range shapeRow.FindAllStringSubmatch(string(page), -1) {
		s := shape{number: m[1], verdict: m[3]}
		for _, path := range quotedPath.FindAllStringSubmatch(m[2], -1) {
			s.files = append(s.files, path[1])
		}
		found = append(found, s)
	}
	if rows := strings.Count(string(page), "\n| ") - strings.Count(string(page), "\n|---"); rows != len(found) {
		t.Errorf("the table has %d rows, of which %d are understood", rows, len(found))
	}
	return found
}

// problemsOf returns the problems of a file.
func problemsOf(t *testing.T, path string, opts ...sqlclient.Option) []*sqlclient.Problem {
	t.Helper()
	in, err := stream.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	tr, err := sqlclient.Read(in, path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return tr.Problems
}

// verdictOf returns what the table would call the reading of a file: its worst
// problem decides, but for what the client itself complained about.
func verdictOf(t *testing.T, path string) string {
	t.Helper()
	verdict := "read"
	for _, p := range problemsOf(t, path) {
		switch p.Code {
		case sqlclient.ScreenRefused, sqlclient.TableOfOneLine, sqlclient.CSVRefused, sqlclient.PrefixRefused:
			return "recognised and refused"
		case sqlclient.StatementFailed:
		default:
			verdict = "read with a warning"
		}
	}
	return verdict
}

// TestShapes reads a file of each shape, and compares all that fmtout says of it
// with the golden file beside it.
func TestShapes(t *testing.T) {
	number := 0
	for _, s := range shapes(t) {
		switch s.number {
		case "more", fmt.Sprintf("T%d", number): // of the shape before
		case fmt.Sprintf("T%d", number+1):
			number++
		default:
			t.Errorf("shape %s stands behind shape T%d", s.number, number)
		}
		if len(s.files) == 0 {
			t.Errorf("%s has no file", s.number)
		}
		for _, name := range s.files {
			t.Run(s.number+" "+name, func(t *testing.T) {
				path := "../../testdata/transcripts/" + name
				if got := verdictOf(t, path); got != s.verdict {
					t.Errorf("%s, but the table says %s", got, s.verdict)
				}
				for _, p := range problemsOf(t, path, sqlclient.Strict()) {
					if p.Code == sqlclient.RowRecovered {
						t.Errorf("a strict reader: %v", p)
					}
				}
				checkGolden(t, path)
			})
		}
	}
	if number != 61 {
		t.Errorf("%d shapes, want 61", number)
	}
}

// checkGolden compares what fmtout prints of a file with the golden file.
func checkGolden(t *testing.T, path string) {
	t.Helper()
	golden := strings.TrimSuffix(path, filepath.Ext(path)) + ".txtar"
	got := &txtar.Archive{}
	for _, args := range [][]string{{"-o", "ndjson"}, {"--list", "-o", "ndjson"}} {
		var out, problems bytes.Buffer
		code := run(append(args, path), nil, &out, &problems)
		if args[0] == "--list" {
			got.Files = append(got.Files, txtar.File{Name: "statements", Data: bare(out.Bytes(), path)})
			break
		}
		got.Files = append(got.Files, txtar.File{Name: "rows", Data: out.Bytes()},
			txtar.File{Name: fmt.Sprintf("problems, exit %d", code), Data: bare(problems.Bytes(), path)})
	}
	data := txtar.Format(got)
	if *update {
		if err := os.WriteFile(golden, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(data)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", golden, diff)
	}
}

// bare returns data without the path of the file.
func bare(data []byte, path string) []byte {
	return bytes.ReplaceAll(data, []byte(path+":"), nil)
}
