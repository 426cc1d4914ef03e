package sqlclient_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

const transcripts = "../testdata/transcripts"

var prefixesOf = flag.String("prefixes", "", "TestPrefixes reads every prefix of the files that this pattern matches")

// find returns the names, relative to transcripts, of all files of Flink's
// output.
func find(t testing.TB) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(transcripts, func(path string, d fs.DirEntry, err error) error {
		switch filepath.Ext(strings.TrimSuffix(path, ".gz")) {
		case ".out", ".raw", ".txt":
			name, _ := filepath.Rel(transcripts, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("no transcripts in %s (%v)", transcripts, err)
	}
	return names
}

// load returns the content of a transcript. One that is kept compressed may be
// named without its ".gz".
func load(t testing.TB, name string) []byte {
	t.Helper()
	path := filepath.Join(transcripts, name)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		path += ".gz"
		data, err = os.ReadFile(path)
	}
	if err == nil && filepath.Ext(path) == ".gz" {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t testing.TB, data []byte, name string, opts ...sqlclient.Option) *sqlclient.Transcript {
	t.Helper()
	tr, err := sqlclient.Read(bytes.NewReader(data), name, opts...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return tr
}

// release returns the release that the name of a transcript begins with.
func release(name string) string {
	r, _, _ := strings.Cut(name, "/")
	return r
}

// nullWord returns what a release prints for null.
func nullWord(release string) string {
	if strings.HasPrefix(release, "1.13.") || strings.HasPrefix(release, "1.14.") {
		return "(NULL)"
	}
	return "<NULL>"
}

// TestLab compares the final tables of a lab, as twelve releases printed them,
// with the answers that were computed without Flink.
func TestLab(t *testing.T) {
	want := labAnswers(t)
	seen := map[string]int{}
	for _, name := range find(t) {
		lab := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".gz"), ".out")
		if want[lab] == nil || filepath.Base(filepath.Dir(name)) != "joins" {
			continue
		}
		seen[release(name)]++
		results := read(t, load(t, name), name).Results()
		if len(results) != 1 {
			t.Errorf("%s: %d results, want 1", name, len(results))
			continue
		}
		final, err := results[0].Final()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for row := range final.Rows() {
			for i, c := range row.Cells {
				row.Cells[i].Text = withoutZeros(c.Text)
			}
			got = append(got, rowText(row))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want[lab], got); diff != "" {
			t.Errorf("%s: final table (-want +got):\n%s", name, diff)
		}
	}
	if len(seen) != 12 {
		t.Errorf("labs of %d releases, want 12", len(seen))
	}
	for release, n := range seen {
		if n != len(want) {
			t.Errorf("%s has %d of %d results", release, n, len(want))
		}
	}
}

// labAnswers returns the sorted rows of each result of the lab.
func labAnswers(t *testing.T) map[string][]string {
	var answers map[string]json.RawMessage
	if err := json.Unmarshal(load(t, "lab/expected.json"), &answers); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for _, lab := range []string{"count", "regular", "interval", "unshipped", "temporal", "latest"} {
		dec := json.NewDecoder(bytes.NewReader(answers[lab]))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%s: %v", lab, err)
		}
		switch v := v.(type) {
		case []any:
			for _, row := range v {
				rows[lab] = append(rows[lab], answerText(row.([]any)))
			}
		case map[string]any:
			for key, rest := range v {
				row := []any{key}
				if more, ok := rest.([]any); ok {
					row = append(row, more...)
				} else {
					row = append(row, rest)
				}
				rows[lab] = append(rows[lab], answerText(row))
			}
		}
		slices.Sort(rows[lab])
	}
	return rows
}

func answerText(row []any) string {
	cells := make([]string, len(row))
	for i, v := range row {
		cells[i] = withoutZeros(fmt.Sprint(v))
	}
	return strings.Join(cells, " · ")
}

var fraction = regexp.MustCompile(`^[-0-9: ]+\.\d+$`)

// withoutZeros returns a number or timestamp without the zeros at its end: the
// answers have as many as the calculation left, Flink as many as the type.
func withoutZeros(s string) string {
	if fraction.MatchString(s) {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func rowText(row changelog.Row) string {
	cells := make([]string, len(row.Cells))
	for i, c := range row.Cells {
		cells[i] = c.Text
	}
	return strings.Join(cells, " · ")
}

// TestCells compares every cell of the files that print awkward values with
// the value that Flink was given.
func TestCells(t *testing.T) {
	truth := cellTruth(t)
	withRows := 0
	for _, name := range find(t) {
		if base := filepath.Base(name); !strings.HasPrefix(base, "cells") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tr := read(t, load(t, name), name, sqlclient.NullWord(nullWord(release(name))))
			results := tr.Results()
			if len(results) == 0 {
				failed := func(st *sqlclient.Statement) bool { return st.Failure() != nil }
				if !slices.ContainsFunc(tr.Statements, failed) {
					t.Error("neither rows nor an error")
				}
				return
			}
			withRows++
			if len(results) != 1 {
				t.Fatalf("%d results, want 1", len(results))
			}
			for _, p := range tr.Problems {
				t.Errorf("problem: %v", p)
			}
			checkCells(t, results[0], truth, name)
		})
	}
	// cellsf and cellsf_batch in all twelve releases, cells and cells_ascii in
	// the seven from 1.18 on.
	if want := 2*12 + 2*7; withRows != want {
		t.Errorf("rows in %d files, want %d", withRows, want)
	}
}

type trueCell struct {
	kind string
	note *string
}

// cellTruth returns the values by their number.
func cellTruth(t *testing.T) []trueCell {
	var rows [][3]any
	if err := json.Unmarshal(load(t, "sql/cells.truth.json"), &rows); err != nil {
		t.Fatal(err)
	}
	truth := make([]trueCell, len(rows))
	for _, row := range rows {
		cell := &truth[int(row[2].(float64))]
		cell.kind = row[0].(string)
		if note, ok := row[1].(string); ok {
			cell.note = &note
		}
	}
	if len(truth) != 61 {
		t.Fatalf("%d values, want 61", len(truth))
	}
	return truth
}

func checkCells(t *testing.T, res *sqlclient.Result, truth []trueCell, name string) {
	var columns []string
	for _, c := range res.Columns {
		columns = append(columns, c.Name)
	}
	if diff := cmp.Diff([]string{"kind", "note", "n"}, columns); diff != "" {
		t.Fatalf("columns (-want +got):\n%s", diff)
	}
	if res.End != sqlclient.EndFinished || res.Recovered != 0 || res.Damaged != 0 {
		t.Errorf("end %v, %d rows recovered, %d damaged", res.End, res.Recovered, res.Damaged)
	}
	ascii := strings.Contains(name, "ascii")
	null := nullWord(release(name))
	seen := make([]bool, len(truth))
	for _, row := range res.Rows {
		n, err := strconv.Atoi(row.Cells[2].Text)
		if err != nil || n < 0 || n >= len(truth) || seen[n] {
			t.Errorf("%v: invented row %q", row.Pos, rowText(row))
			continue
		}
		seen[n] = true
		want := truth[n]
		if got := row.Cells[0].Text; got != want.kind {
			t.Errorf("%v: kind %q, want %q", row.Pos, got, want.kind)
		}
		cell := row.Cells[1]
		switch {
		case want.note == nil:
			if !cell.IsNull() || cell.Text != null {
				t.Errorf("%v: %q, want null", row.Pos, cell.Text)
			}
		default:
			value := *want.note
			if ascii {
				value = toASCII(value)
			}
			if cell.IsNull() != (value == null) {
				t.Errorf("%v: null is %t for %q", row.Pos, cell.IsNull(), value)
			}
			checkCell(t, row.Pos, cell, value)
		}
	}
	for n, ok := range seen {
		if !ok {
			t.Errorf("row %d (%s) is lost", n, truth[n].kind)
		}
	}
}

// checkCell compares a cell with a value. Leading blanks cannot be told from
// padding; of a cut cell, what stands before the dots begins the value.
func checkCell(t *testing.T, pos changelog.Pos, cell changelog.Cell, value string) {
	want := strings.TrimLeft(value, " ")
	if cell.Text == want {
		return
	}
	start, cut := strings.CutSuffix(cell.Text, "...")
	if !cut || !cell.MaybeCut() || !strings.HasPrefix(want, start) {
		t.Errorf("%v: cell %q, want %q", pos, cell.Text, want)
	}
}

// toASCII returns s as an ASCII locale prints it.
func toASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		return '?'
	}, s)
}

// misread holds the files of which the reference of TestSummary says something
// else, and why it is wrong.
var misread = map[string]string{
	"2.3.0/shapes/err_editor.out":       editorEcho,
	"2.3.0/shapes/err_editor_batch.out": editorEcho,
}

const editorEcho = "its only [ERROR] is a line of the echoed statement, which was never executed"

// TestSummary compares results and errors with those that another reader found.
func TestSummary(t *testing.T) {
	for name, want := range summary(t) {
		tr := read(t, load(t, name), name)
		errors, results := 0, []string{}
		for _, st := range tr.Statements {
			for _, m := range st.Messages {
				if m.Level == sqlclient.LevelError && strings.Contains(m.Raw, "[ERROR]") {
					errors++
				}
			}
			for _, r := range st.Results {
				if r.Columns == nil {
					continue // the reference knows nothing of an "Empty set"
				}
				end := strings.ReplaceAll(r.End.String(), " ", "-")
				results = append(results, fmt.Sprintf("%v:%d:%s", r.Mode, len(r.Rows), end))
			}
		}
		got := fmt.Sprintf("%d results, %d errors: %s", len(results), errors, strings.Join(results, " "))
		if why, ok := misread[name]; ok {
			if got == want {
				t.Errorf("%s is read as the reference reads it, though %s", name, why)
			}
		} else if got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

// summary returns what the reference found in each file.
func summary(t *testing.T) map[string]string {
	data, err := os.ReadFile("../../shared/corpus/summary.tsv")
	if err != nil {
		t.Skip("the reference is not at hand")
	}
	found := map[string]string{}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasSuffix(f[0], ".out") {
			found[f[0]] = fmt.Sprintf("%s results, %s errors: %s", f[1], f[2], f[3])
		}
	}
	if len(found) < 400 {
		t.Fatalf("the reference knows %d files only", len(found))
	}
	return found
}

// records reads all records. They come as text that holds all their fields.
func records(r io.Reader, name string, opts ...sqlclient.Option) (texts []string, err error) {
	var recs []sqlclient.Record
	for rec, e := range sqlclient.NewReader(r, name, opts...).Records() {
		if err != nil {
			return nil, errors.New("an error was not the last")
		}
		if err = e; e == nil {
			recs = append(recs, rec)
		}
	}
	for _, rec := range recs { // only now, when what was read is overwritten
		texts = append(texts, fmt.Sprintf("%T %#v", rec, rec))
	}
	return texts, err
}

// TestSpans checks that the records of each file cover it, that their places
// are right, and that they do not depend on how the input arrives.
func TestSpans(t *testing.T) {
	for _, name := range find(t) {
		data := load(t, name)
		if err := checkSpans(data, name); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// Three releases have all shapes that there are.
		if r := release(name); len(data) > 64<<10 || r != "1.13.6" && r != "1.17.2" && r != "2.3.0" {
			continue
		}
		if err := checkReaders(data, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// unescaped returns the text that a piece of a JSON string stands for, or "".
func unescaped(piece string) string {
	var text string
	if json.Unmarshal([]byte(`"`+piece+`"`), &text) != nil {
		return ""
	}
	return text
}

// checkSpans says what is wrong with the places of the records of data.
func checkSpans(data []byte, name string) error {
	at := changelog.Pos{File: name, Line: 1, Col: 1}
	order := byteOrder(data)
	for rec, err := range sqlclient.NewReader(bytes.NewReader(data), name).Records() {
		if err != nil {
			return err
		}
		span := rec.Span()
		if span.Start != at {
			return fmt.Errorf("%T begins at %+v, want %+v", rec, span.Start, at)
		}
		if _, ok := rec.(*sqlclient.Encoding); ok && span.Len() == 0 {
			continue
		}
		if span.Len() <= 0 || span.End.Offset > int64(len(data)) {
			return fmt.Errorf("%T at %v has %d bytes", rec, span.Start, span.Len())
		}
		piece := data[at.Offset:span.End.Offset]
		at = after(at, piece, order)
		if span.End != at {
			return fmt.Errorf("%T ends at %+v, want %+v", rec, span.End, at)
		}
		piece = decoded(piece, order)
		raw := string(piece)
		switch rec := rec.(type) {
		case *sqlclient.Text:
			raw = rec.Text
		case *sqlclient.Echo:
			raw = rec.Raw
		case *sqlclient.Message:
			raw = rec.Raw
		case *sqlclient.Head:
			raw = rec.Raw
		case *sqlclient.PrintLine:
			raw = rec.Raw
		case *sqlclient.Footer:
			raw = rec.Raw
		case *sqlclient.Job:
			raw = rec.Raw
		case *sqlclient.SyntaxError:
			if len(rec.Raw) < 1<<10 { // else it is the first KiB
				raw = rec.Raw
			} else if !strings.HasPrefix(raw, rec.Raw) && !quotedIn(rec.Raw, raw) {
				return fmt.Errorf("%T at %v: raw text %q, want %q", rec, span.Start, rec.Raw, raw)
			}
		case *sqlclient.Row:
			if rec.Pos != span.Start {
				return fmt.Errorf("row at %v begins at %v", rec.Pos, span.Start)
			}
			for _, c := range rec.Cells {
				if !bytes.Contains(piece, []byte(c.Text)) && !quotedIn(c.Text, string(piece)) && !strings.Contains(unescaped(raw), c.Text) &&
					!(rec.Recovered() != 0 && scattered(c.Text, string(piece))) {
					return fmt.Errorf("row at %v has no %q", rec.Pos, c.Text)
				}
			}
		}
		if raw != string(piece) && !quotes(raw, string(piece)) {
			return fmt.Errorf("%T at %v: raw text %q, want %q", rec, span.Start, raw, piece)
		}
	}
	if at.Offset != int64(len(data)) {
		return fmt.Errorf("the records end at %v (offset %d of %d)", at, at.Offset, len(data))
	}
	return nil
}

// quotes reports whether raw is piece without prefixes before its lines.
func quotes(raw, piece string) bool {
	lines, quoted := strings.Split(raw, "\n"), strings.Split(piece, "\n")
	return len(lines) == len(quoted) && slices.EqualFunc(lines, quoted, func(line, quoted string) bool { return strings.HasSuffix(quoted, line) })
}

// quotedIn reports whether the lines of text stand in piece, each but the first
// behind a prefix.
func quotedIn(text, piece string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		i := strings.Index(piece, line)
		if i < 0 {
			return false
		}
		piece = piece[i+len(line):]
	}
	return true
}

// scattered reports whether the characters of text stand in piece, in order.
func scattered(text, piece string) bool {
	for _, c := range []byte(text) {
		i := strings.IndexByte(piece, c)
		if i < 0 {
			return false
		}
		piece = piece[i+1:]
	}
	return true
}

// byteOrder returns the byte order of an input in UTF-16, nil for another.
func byteOrder(data []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	return nil
}

// decoded returns a piece of the input as UTF-8.
func decoded(piece []byte, order binary.ByteOrder) []byte {
	if order == nil {
		return piece
	}
	var units []uint16
	for len(piece) > 1 {
		units, piece = append(units, order.Uint16(piece)), piece[2:]
	}
	text := string(utf16.Decode(units))
	if len(piece) > 0 {
		text += "\xff"
	}
	return []byte(text)
}

// after returns the place behind piece, which begins at p.
func after(p changelog.Pos, piece []byte, order binary.ByteOrder) changelog.Pos {
	for len(piece) > 0 {
		size := 1
		newline := order == nil && piece[0] == '\n'
		if order != nil && len(piece) > 1 {
			size, newline = 2, order.Uint16(piece) == '\n'
		}
		piece = piece[size:]
		p.Offset += int64(size)
		p.Col += size
		if newline {
			p.Line++
			p.Col = 1
		}
	}
	return p
}

var errBroken = errors.New("the pipe is broken")

// checkReaders says whether the records depend on how the input arrives, and
// whether an error comes once and last, behind all that was read.
func checkReaders(data []byte, name string) error {
	want, err := records(bytes.NewReader(data), name)
	if err != nil {
		return err
	}
	for _, way := range []struct {
		name string
		r    io.Reader
	}{
		{"one byte", iotest.OneByteReader(bytes.NewReader(data))},
		{"half", iotest.HalfReader(bytes.NewReader(data))},
		{"data and EOF", iotest.DataErrReader(bytes.NewReader(data))},
	} {
		got, err := records(way.r, name)
		if err != nil {
			return fmt.Errorf("%s reads: %v", way.name, err)
		}
		if diff := firstDiff(want, got); diff != "" {
			return fmt.Errorf("%s reads: %s", way.name, diff)
		}
	}
	got, err := records(bytes.NewReader(data), name, sqlclient.BufferSize(64))
	if err != nil {
		return fmt.Errorf("a small buffer: %v", err)
	}
	if diff := firstDiff(want, got); diff != "" {
		return fmt.Errorf("a small buffer: %s", diff)
	}
	got, err = records(io.MultiReader(bytes.NewReader(data), iotest.ErrReader(errBroken)), name)
	if !errors.Is(err, errBroken) {
		return fmt.Errorf("an error while reading: got %v", err)
	}
	if diff := firstDiff(want, got); diff != "" {
		return fmt.Errorf("an error while reading: %s", diff)
	}
	return nil
}

// firstDiff returns the first record in which two lists differ.
func firstDiff(want, got []string) string {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(want):
			return "one more: " + got[i]
		case i >= len(got):
			return "missing: " + want[i]
		case want[i] != got[i]:
			return "got  " + got[i] + "\nwant " + want[i]
		}
	}
	return ""
}

// TestPrefixes reads what is left of a transcript that ends too early: it holds
// no row that the whole does not hold, and no result is finished before it is.
func TestPrefixes(t *testing.T) {
	if *prefixesOf != "" {
		names, err := filepath.Glob(*prefixesOf)
		if err != nil || len(names) == 0 {
			t.Fatalf("no file matches %s (%v)", *prefixesOf, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			ends := make([]int, len(data))
			for i := range ends {
				ends[i] = i
			}
			checkPrefixes(t, data, name, ends)
		}
		return
	}
	for _, name := range []string{
		"1.13.6/shapes/cells.out", "1.13.6/shapes/changelog.out", "1.13.6/shapes/insert.out", "1.13.6/tty/session70.raw",
		"1.14.6/shapes/empty.out", "1.15.4/shapes/show.out", "1.16.3/shapes/width.out", "1.17.2/shapes/cellsf.out",
		"1.18.1/shapes/headers.out", "1.19.3/shapes/err_midstream.out", "1.20.5/shapes/stdin.out", "2.0.2/shapes/err_verbose.out",
		"2.1.3/shapes/types_batch.out", "2.2.1/joins/unshipped.out", "2.3.0/joins/count.out", "2.3.0/shapes/cells.out",
		"2.3.0/shapes/empty.out", "2.3.0/shapes/err_fail.out", "2.3.0/shapes/show.out", "2.3.0/tty/session120.raw",
	} {
		data := load(t, name)
		checkPrefixes(t, data, name, cuts(data, 100))
	}
}

// cuts returns about n places at which to cut data: around the starts of lines,
// most of all of those that end a result, and evenly in between.
func cuts(data []byte, n int) []int {
	set := map[int]bool{}
	for i := range n / 3 {
		set[i*len(data)*3/n] = true
	}
	var starts, ends []int
	for i := range data[:len(data)-1] {
		if data[i] != '\n' {
			continue
		}
		starts = append(starts, i+1)
		for _, s := range []string{"Received", "+-", "Empty", "Query", "1 row"} {
			if bytes.HasPrefix(data[i+1:], []byte(s)) {
				ends = append(ends, i+1)
			}
		}
	}
	for _, places := range [][]int{starts, ends} {
		for i := 0; i < len(places); i += max(1, len(places)*9/n) {
			at := places[i]
			line := max(1, bytes.IndexByte(append(data[at:len(data):len(data)], '\n'), '\n'))
			for _, cut := range []int{at - 1, at, at + 1, at + line/2, at + line - 1, at + line} {
				if cut >= 0 && cut < len(data) {
					set[cut] = true
				}
			}
		}
	}
	places := make([]int, 0, len(set))
	for at := range set {
		places = append(places, at)
	}
	sort.Ints(places)
	return places
}

func checkPrefixes(t *testing.T, data []byte, name string, ends []int) {
	t.Helper()
	// Without a null word, what is null depends on the cells behind.
	null := sqlclient.NullWord("<NULL>")
	whole := read(t, data, name, null).Results()
	for _, n := range ends {
		for i, part := range read(t, data[:n], name, null).Results() {
			if i >= len(whole) {
				t.Errorf("%s: the first %d bytes hold a result %d, the whole does not", name, n, i+1)
				break
			}
			if err := comparePart(part, whole[i]); err != nil {
				t.Errorf("%s: result %d of the first %d bytes: %v", name, i+1, n, err)
			}
		}
	}
}

// comparePart says what a result claims that its continuation does not bear out.
func comparePart(part, whole *sqlclient.Result) error {
	if part.Statement.Number != whole.Statement.Number {
		return fmt.Errorf("of statement %d, in the whole of %d", part.Statement.Number, whole.Statement.Number)
	}
	if len(part.Rows) == 0 && part.Mode != whole.Mode {
		return nil // what the first column is may only be told by the rows
	}
	if part.Mode != whole.Mode || !slices.Equal(part.Columns, whole.Columns) {
		return errors.New("another head than in the whole")
	}
	for i, row := range part.Rows {
		if i >= len(whole.Rows) {
			return fmt.Errorf("invented row %q", rowText(row))
		}
		if diff := cmp.Diff(whole.Rows[i], row); diff != "" {
			return fmt.Errorf("row %d (-whole +part):\n%s", i+1, diff)
		}
	}
	if part.End == sqlclient.EndFinished && (whole.End != sqlclient.EndFinished || len(part.Rows) != len(whole.Rows)) {
		return fmt.Errorf("finished with %d rows; the whole is %v with %d", len(part.Rows), whole.End, len(whole.Rows))
	}
	return nil
}
