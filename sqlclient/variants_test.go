package sqlclient_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

// utf16Of returns what makes UTF-16 of a text, with its byte order mark.
func utf16Of(order binary.AppendByteOrder) func(string) string {
	return func(s string) string {
		var out []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + s)) {
			out = order.AppendUint16(out, unit)
		}
		return string(out)
	}
}

// TestVariants reads transcripts in other line ends and encodings, and behind a
// prefix: that changes nothing but places.
func TestVariants(t *testing.T) {
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	prefixed := func(prefix string) func(string) string {
		return func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			for i, line := range lines {
				if line != "" {
					lines[i] = prefix + line
				}
			}
			return strings.Join(lines, "")
		}
	}
	read := func(data string) []statement { return fast(read(t, []byte(data), "")) }
	compared := 0
	for _, name := range find(t) {
		switch release(name) {
		case "1.13.6", "1.17.2", "2.3.0":
		default:
			continue
		}
		data := load(t, name)
		if len(data) > 16<<10 || bytes.Contains(data, []byte{'\r'}) || testing.Short() && release(name) != "2.3.0" {
			continue
		}
		compared++
		want := read(string(data))
		for _, variant := range []struct {
			name   string
			change func(string) string
		}{
			{"CR LF", crlf},
			{"UTF-16, little-endian, CR LF", func(s string) string { return utf16Of(binary.LittleEndian)(crlf(s)) }},
			{"UTF-16, big-endian", utf16Of(binary.BigEndian)},
			{"a byte order mark", func(s string) string { return "\ufeff" + s }},
			{"indented", prefixed("    ")},
			{"in a comment", prefixed("// ")},
			{"in a quote", prefixed("> ")},
			{"in a diff", prefixed("+")},
		} {
			changed := variant.change(string(data))
			if diff := cmp.Diff(want, read(changed)); diff != "" {
				t.Errorf("%s, %s (-as it is +changed):\n%s", name, variant.name, diff)
			}
			if len(data) < 3<<10 {
				if diff := cmp.Diff(want, slow(t, changed)); diff != "" {
					t.Errorf("%s, %s (-as it is +changed, by the slow reader):\n%s", name, variant.name, diff)
				}
			}
		}
	}
	if compared < 60 && !testing.Short() {
		t.Errorf("compared %d transcripts only", compared)
	}
}

// TestMixedEncodings reads an output behind which another one was put in another
// encoding, as PowerShell's ">>" does: the first is read, and of the other its place
// is told.
func TestMixedEncodings(t *testing.T) {
	const one, two = "Flink SQL> SELECT f(a)" + table + "1 row in set\n", "Flink SQL> SELECT f(b)" + changes + "Received a total of 2 rows\n"
	little, big := utf16Of(binary.LittleEndian), utf16Of(binary.BigEndian)
	for _, test := range []struct{ name, input string }{
		{"UTF-8 behind little-endian", little(one) + two},
		{"UTF-8 behind big-endian", big(one) + two},
		{"a byte order mark and UTF-8 behind little-endian", little(one) + "\ufeff" + two},
		{"little-endian behind UTF-8", one + little(two)},
		{"big-endian behind UTF-8", one + big(two)},
		{"little-endian without its mark behind UTF-8", one + little(two)[2:]},
		{"big-endian without its mark behind UTF-8", one + big(two)[2:]},
		{"big-endian behind little-endian", little(one) + big(two)},
		{"little-endian without its mark behind big-endian", big(one) + little(two)[2:]},
		{"little-endian behind a byte too many", little(one) + "\n" + little(two)[2:]},
		{"big-endian behind a byte too many", big(one) + "\n" + big(two)},
		{"little-endian behind a byte too few", strings.TrimSuffix(little(one+"\n"), "\x00") + little(two)},
		{"big-endian behind a byte too few", strings.TrimSuffix(big(one+"\n"), "\n") + big(two)[2:]},
	} {
		tr := read(t, []byte(test.input), "f")
		results := tr.Results()
		if len(results) != 1 || results[0].End != sqlclient.EndFinished || len(results[0].Rows) != 1 {
			t.Errorf("%s: %+v", test.name, results)
		}
		told := 0
		for _, p := range tr.Problems {
			if p.Code == sqlclient.MixedEncodings && p.Severity == sqlclient.SeverityError && p.Pos.Line == 7 {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%s: %v", test.name, tr.Problems)
		}
		if err := checkReaders([]byte(test.input), "f"); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if err := checkSpans([]byte(test.input), "f"); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	const chinese, japanese = "湡湢汆湩歮湡湢汆湩歮…湡湢汆湩歮", "あいうえおかきくけこさしすせそたちつてと"
	for _, text := range []string{
		chinese, japanese, strings.Repeat("a\x00", 4), strings.Repeat("\x00\x00", 40),
		strings.Repeat("═", 60), strings.Repeat("─┼", 30), strings.Repeat("•", 20), strings.Repeat("…", 20), strings.Repeat("ㅋ", 20),
		strings.Repeat("━", 40) + "\n" + one + strings.Repeat("━", 40) + "\nFlink SQL> SELECT 'ㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋㅋ';\n[INFO] ††††††††††††††††\n" + one,
	} {
		for name, data := range map[string]string{"UTF-8": text, "UTF-16": little(text), "UTF-16, big-endian": big(text)} {
			for _, p := range read(t, []byte(data), name).Problems {
				if p.Code == sqlclient.MixedEncodings {
					t.Errorf("%q: %v", text, p)
				}
			}
		}
	}
}

// TestConcatenated reads files with byte order marks, one behind the other.
func TestConcatenated(t *testing.T) {
	const one, two = "Flink SQL> SELECT f(a)" + table + "1 row in set\n", "Flink SQL> SELECT f(b)" + changes + "Received a total of 2 rows\n"
	for name, encode := range map[string]func(string) string{
		"UTF-8": func(s string) string { return "\ufeff" + s }, "little-endian": utf16Of(binary.LittleEndian), "big-endian": utf16Of(binary.BigEndian),
	} {
		for _, test := range []struct {
			name, first, second string
			line                int // of the second mark
			problems            string
			statements, rows    int
		}{
			{"transcripts", one, two, 7, "", 2, 3},
			{"quoted", "> " + strings.ReplaceAll(strings.TrimSpace(one), "\n", "\n> ") + "\n", two, 7, "", 2, 3},
			{"a table that is cut off", one + table[:strings.LastIndex(table, "+-")], table, 11, "result-cut-off", 1, 3},
			{"tables", table, table, 6, "", 1, 2},
			{"printed rows", "a> +I[1]\n", "a> +I[2]\n", 2, "", 1, 2},
			{"a printed row that is cut off", "a> +I[1\n", "a> +I[2]\n", 2, "piece-unread", 1, 1},
		} {
			input := encode(test.first) + encode(test.second)
			marks := 0
			for rec := range sqlclient.NewReader(strings.NewReader(input), "").Records() {
				if text, ok := rec.(*sqlclient.Text); ok && text.Kind == sqlclient.TextMark {
					if line := text.Span().Start.Line; line != 1 && line != test.line {
						t.Errorf("%s, %s: a mark in line %d", test.name, name, line)
					}
					marks++
				}
			}
			tr := read(t, []byte(input), "f")
			rows := 0
			for _, res := range tr.Results() {
				rows += len(res.Rows)
			}
			var problems []string
			for _, p := range tr.Problems {
				if p.Severity == sqlclient.SeverityError {
					problems = append(problems, string(p.Code))
				}
			}
			if marks != 2 || len(tr.Statements) != test.statements || rows != test.rows || strings.Join(problems, " ") != test.problems {
				t.Errorf("%s, %s: %d marks, %d statements, %d rows, %v", test.name, name, marks, len(tr.Statements), rows, tr.Problems)
			}
			if err := checkReaders([]byte(input), "f"); err != nil {
				t.Errorf("%s, %s: %v", test.name, name, err)
			}
			if test.name == "quoted" { // spans have no prefixes
				continue
			}
			if err := checkSpans([]byte(input), "f"); err != nil {
				t.Errorf("%s, %s: %v", test.name, name, err)
			}
		}
	}
}

// TestWrapped reads tables of which a terminal broke each line that is too long.
// Rows with newlines in their cells cannot be put together again.
func TestWrapped(t *testing.T) {
	wrap := func(s string, width int) string {
		var out strings.Builder
		for line := range strings.Lines(s) {
			runes := []rune(strings.TrimSuffix(line, "\n"))
			if strings.HasPrefix(line, "|") || strings.HasPrefix(line, "+--") {
				for ; len(runes) > width; runes = runes[width:] {
					out.WriteString(string(runes[:width]) + "\n")
				}
			}
			out.WriteString(string(runes) + "\n")
		}
		return out.String()
	}
	wrapped, broken := 0, 0
	for _, name := range find(t) {
		if r := release(name); r != "1.13.6" && r != "1.14.6" || strings.HasSuffix(name, "/stdin.out") {
			continue // where the first border of a table stands behind the echo
		}
		data := load(t, name)
		if len(data) > 16<<10 || strings.Contains(string(data), "\r") {
			continue
		}
		for _, width := range []int{60, 80, 100} {
			changed := wrap(string(data), width)
			if changed == string(data) {
				continue
			}
			wrapped++
			tr := read(t, []byte(changed), name)
			results := tr.Results()
			for i, want := range read(t, data, name).Results() {
				if i >= len(results) {
					t.Errorf("%s, broken at %d: result %d is lost", name, width, i+1)
					break
				}
				got := results[i].Rows
				for _, row := range want.Rows {
					if len(got) > 0 && rowText(got[0]) == rowText(row) && got[0].Kind == row.Kind {
						got = got[1:]
					} else if broken++; !strings.Contains(rowText(row), "\n") || results[i].Damaged == 0 {
						t.Errorf("%s, broken at %d: row %q is lost", name, width, rowText(row))
					}
				}
				for _, row := range got {
					t.Errorf("%s, broken at %d: invented row %q", name, width, rowText(row))
				}
			}
		}
	}
	if wrapped < 40 || broken > 20 {
		t.Errorf("read %d transcripts, of which %d rows are lost", wrapped, broken)
	}
}

// TestWrappedBehindAnEcho reads the tables of transcripts whose lines a terminal of 80
// columns broke.
func TestWrappedBehindAnEcho(t *testing.T) {
	wrap := func(s string) string {
		var out strings.Builder
		for line := range strings.Lines(s) {
			for len(line) > 81 {
				out.WriteString(line[:80] + "\n")
				line = line[80:]
			}
			out.WriteString(line)
		}
		return out.String()
	}
	for _, name := range []string{
		"1.13.6/joins/regular.out", "1.13.6/shapes/changelog.out", "1.17.2/joins/count.out", "1.20.5/joins/temporal.out",
		"2.3.0/joins/regular.out", "2.3.0/joins/interval.out", "2.3.0/shapes/changelog.out", "2.3.0/shapes/types.out",
	} {
		data := string(load(t, name))
		want, got := rowTexts(read(t, []byte(data), name)), rowTexts(read(t, []byte(wrap(data)), name))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-as it is +wrapped):\n%s", name, diff)
		}
	}
}
