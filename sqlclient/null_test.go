package sqlclient_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/sqlclient"
)

func TestNullWord(t *testing.T) {
	const head = "+--------+\n|      s |\n+--------+\n"
	rows := func(cells ...string) string {
		text := head
		for _, c := range cells {
			text += "| " + strings.Repeat(" ", 6-len(c)) + c + " |\n"
		}
		return text
	}
	cells := []string{"<NULL>", "(NULL)", "", "NULL"}
	for _, test := range []struct {
		name  string
		cells []string
		opts  []sqlclient.Option
		want  string // the cells that are null
	}{
		{"both words", cells, nil, "<NULL>"},
		{"the later word first", []string{"(NULL)", "<NULL>"}, nil, "<NULL>"},
		{"the old word alone", cells[1:], nil, "(NULL)"},
		{"the old word again and again", []string{"a", "(NULL)", "(b)", "(NULL)", "c>", "(NULL)"}, nil, "(NULL) (NULL) (NULL)"},
		{"the later word far behind", []string{"(NULL)", "a", "(NULL)", "b", "<NULL>", "(NULL)"}, nil, "<NULL>"},
		{"a word", cells, []sqlclient.Option{sqlclient.NullWord("NULL")}, "NULL"},
		{"a word that is not there", cells, []sqlclient.Option{sqlclient.NullWord("nil")}, ""},
		{"the empty word", cells, []sqlclient.Option{sqlclient.NullWord("")}, "blank"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var null []string
			for _, row := range read(t, []byte(rows(test.cells...)), "", test.opts...).Results()[0].Rows {
				switch c := row.Cells[0]; {
				case c.IsNull() && c.Text == "":
					null = append(null, "blank")
				case c.IsNull():
					null = append(null, c.Text)
				}
			}
			if got := strings.Join(null, " "); got != test.want {
				t.Errorf("null are %q, want %q", got, test.want)
			}
		})
	}
}

// The words are found in cells at the left edge, too, which they do not end.
func TestNullWordAtTheLeft(t *testing.T) {
	const input = "+----------+\n| v        |\n+----------+\n| a        |\n| <NULL>   |\n| (NULL)   |\n+----------+\n3 rows in set\n"
	var got []bool
	for _, row := range read(t, []byte(input), "").Results()[0].Rows {
		for _, c := range row.Cells {
			got = append(got, c.IsNull())
		}
	}
	if diff := cmp.Diff([]bool{false, true, false}, got); diff != "" {
		t.Error(diff)
	}
}

// Where the input cannot be looked through ahead, only what came before counts
// for a Reader; Read knows in the end.
func TestNullWordOfAPipe(t *testing.T) {
	const input = "+--------+\n|      s |\n+--------+\n| (NULL) |\n| <NULL> |\n| (NULL) |\n"
	var marks []bool
	for rec, err := range sqlclient.NewReader(iotest.OneByteReader(strings.NewReader(input)), "").Records() {
		if err != nil {
			t.Fatal(err)
		}
		if row, ok := rec.(*sqlclient.Row); ok {
			marks = append(marks, row.Cells[0].IsNull())
		}
	}
	if diff := cmp.Diff([]bool{true, true, false}, marks); diff != "" {
		t.Errorf("records: %s", diff)
	}
	tr, err := sqlclient.Read(iotest.OneByteReader(strings.NewReader(input)), "")
	if err != nil {
		t.Fatal(err)
	}
	marks = nil
	for _, row := range tr.Results()[0].Rows {
		marks = append(marks, row.Cells[0].IsNull())
	}
	if diff := cmp.Diff([]bool{false, true, false}, marks); diff != "" {
		t.Errorf("transcript: %s", diff)
	}
}

// The word of later releases counts however far behind the older one it comes,
// and wherever the pieces end in which the input is looked through.
func TestNullWordFarAhead(t *testing.T) {
	const (
		head   = "+--------+\n|      s |\n+--------+\n| (NULL) |\n"
		cell   = " <NULL> |"
		buffer = 256 << 10 // what is read before, and what is looked through at a time
		window = 64<<10 - (len(cell) - 1)
	)
	for _, end := range []int{buffer, buffer + window, buffer + 2*window} {
		for inside := range len(cell) + 1 { // bytes of the cell before the end of a piece
			between := end - inside - len(head) - len("\n|")
			input := head + strings.Repeat("x", between) + "\n|" + cell + "\n"
			for rec, err := range sqlclient.NewReader(strings.NewReader(input), "").Records() {
				if err != nil {
					t.Fatal(err)
				}
				if row, ok := rec.(*sqlclient.Row); ok && row.Cells[0].IsNull() != (row.Cells[0].Text == "<NULL>") {
					t.Fatalf("%d bytes before %d: %s is null: %v", inside, end, row.Cells[0].Text, row.Cells[0].IsNull())
				}
			}
		}
	}
}

// TestNullWordOfCopies asks the same of copies: those behind a prefix, and in UTF-16. A
// "<NULL>" that is no cell by itself counts nowhere, whatever comes first.
func TestNullWordOfCopies(t *testing.T) {
	const head, old = "+----------+---+\n|        s | n |\n+----------+---+\n", "|   (NULL) | 1 |\n"
	far := strings.Repeat("| a value. | 2 |\n", 20_000)
	for _, test := range []struct {
		name, input string
		null        bool // whether "(NULL)" is
	}{
		{"alone", head + old, true},
		{"a cell", head + old + "|   <NULL> | 2 |\n", false},
		{"a cell far behind", head + old + far + "|   <NULL> | 2 |\n", false},
		{"a cell far behind, at the left edge", head + old + far + strings.ReplaceAll(head, "       s", "s       ") + "| <NULL>   | 2 |\n", false},
		{"a cell far before", head + "|   <NULL> | 2 |\n" + far + old, false},
		{"the end of a value", head + old + "| x <NULL> | 2 |\n", true},
		{"the end of a value far behind", head + old + far + "| x <NULL> | 2 |\n", true},
		{"the end of a value before", head + "| x <NULL> | 2 |\n" + old, true},
		{"the beginning of a value", head + old + "| <NULL> x | 2 |\n", true},
		{"a statement", head + old + "+----------+---+\n1 row in set\n\nFlink SQL> SELECT 'a <NULL> | b';\n", true},
	} {
		for name, input := range map[string]string{
			"as it is":      test.input,
			"CR LF":         strings.ReplaceAll(test.input, "\n", "\r\n"),
			"a prefix":      string(behindPrefix([]byte(test.input), prefixes["docker compose"])),
			"little-endian": utf16Of(binary.LittleEndian)(test.input),
			"big-endian":    utf16Of(binary.BigEndian)(test.input),
			"both":          utf16Of(binary.LittleEndian)(string(behindPrefix([]byte(test.input), prefixes["docker compose"]))),
		} {
			olds := 0
			for rec, err := range sqlclient.NewReader(strings.NewReader(input), "").Records() {
				if err != nil {
					t.Fatal(err)
				}
				row, ok := rec.(*sqlclient.Row)
				if ok && row.Cells[0].Text == "(NULL)" {
					if olds++; row.Cells[0].IsNull() != test.null {
						t.Errorf("%s, %s: (NULL) is null: %v", test.name, name, row.Cells[0].IsNull())
					}
				}
			}
			if olds != 1 {
				t.Errorf("%s, %s: %d rows with (NULL)", test.name, name, olds)
			}
		}
	}
}

// A stalled source can seek, and gives nothing more.
type stalled struct{ *bytes.Reader }

func (s stalled) Read(p []byte) (int, error) {
	if s.Len() == 0 {
		return 0, nil
	}
	return s.Reader.Read(p)
}

// TestNullWordOfAStalledSource looks ahead in a source that never ends.
func TestNullWordOfAStalledSource(t *testing.T) {
	const text = "+--------+\n| n      |\n+--------+\n| (NULL) |\n"
	tr, err := sqlclient.Read(stalled{bytes.NewReader([]byte(text))}, "")
	if !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got error %v", err)
	}
	if rows := tr.Results()[0].Rows; len(rows) != 1 || !rows[0].Cells[0].IsNull() {
		t.Errorf("got rows %v", rows)
	}
}
