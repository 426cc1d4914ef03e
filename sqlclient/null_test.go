package sqlclient_test

import (
	"bytes"
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
