package sqlclient

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
)

func TestRecovery(t *testing.T) {
	const (
		narrow = " recovered: narrower than its border: an output encoding replaced wide characters by ?"
		barred = " recovered: does not fit its border: its cells were found by its bars"
		unread = "unread: a row does not fit its border"
	)
	for _, test := range []struct {
		name   string
		widths []int
		rows   string
		want   []string
	}{
		{"all that is lacking may be wide", []int{4, 2}, "| ?? |  1 |\n", []string{`row "??" "1"` + narrow}},
		{"more is lacking than may be wide", []int{4, 2}, "| ? |  1 |\n", []string{`row "?" "1"` + barred}},
		{"only a question mark may be wide", []int{4, 2}, "| ?x |  1 |\n", []string{`row "?x" "1"` + barred}},
		{"a cell is too wide", []int{4, 2}, "| ????? |  1 |\n", []string{`row "?????" "1"` + barred}},
		{"a bar in a cell that lacks a column", []int{6, 2}, "| ? | y |  1 |\n", []string{`row "? | y" "1"` + narrow}},
		{"a newline in a cell that lacks a column", []int{4, 2}, "| ?\ny |  1 |\n", []string{`row "?\ny" "1"` + narrow}},
		{"two readings", []int{8, 8}, "| ???? | ? | ???? |\n", []string{unread}},
		{"a bar too many", []int{4, 2}, "| a | b |  1 |\n", []string{unread}},
		{"a bar too few", []int{4, 2}, "| a      1 |\n", []string{unread}},
		{"bars behind a row that was not read", []int{4, 2}, "| a | b |  1 |\n| c |  1 |\n|    d |  1 |\n| e |  1 |\n",
			[]string{unread, unread, `row "d" "1"`, `row "e" "1"` + barred}},
	} {
		t.Run(test.name, func(t *testing.T) {
			border, names := "+", "|"
			for _, w := range test.widths {
				border += strings.Repeat("-", w+2) + "+"
				names += strings.Repeat(" ", w) + "n |"
			}
			input := border + "\n" + names + "\n" + border + "\n" + test.rows + border + "\n"
			var got []string
			for rec, err := range NewReader(strings.NewReader(input), "").Records() {
				if err != nil {
					t.Fatal(err)
				}
				switch rec.(type) {
				case *Row, *SyntaxError:
					_, text, _ := strings.Cut(describe(rec), " ")
					got = append(got, text)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Each way of a recovery is told, also of several.
func TestRecoveryWords(t *testing.T) {
	told := make(map[string]changelog.Marks)
	for marks := changelog.Marks(0); ; marks++ {
		words := Recovery(marks)
		if other, ok := told[words]; ok && other&changelog.Recovered != marks&changelog.Recovered {
			t.Errorf("%v and %v: %q", other, marks, words)
		}
		if told[words] = marks; (words == "") != (marks&changelog.Recovered == 0) {
			t.Errorf("%v: %q", marks, words)
		}
		if marks == math.MaxUint8 {
			break
		}
	}
}
