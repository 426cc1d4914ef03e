package sqlclient

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// longTable returns a table of so many rows that they are read ahead, with
// values that imitate rows, and things between the rows that are none.
func longTable(rows int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []string{"silver", "", "a | b", "x\n| +I | y", "東京都渋谷区", "ok 😀", "<NULL>", "(NULL)", "+----+---+", "many many many many many m...", "é\xff"}
	var b strings.Builder
	border := "+----+" + strings.Repeat("-", 32) + "+" + strings.Repeat("-", 13) + "+\n"
	pad := func(s string, w int) string { return strings.Repeat(" ", w-tableau.Width([]byte(s))) + s }
	b.WriteString("Flink SQL> SELECT f(x)" + border + "| op | " + pad("s", 30) + " | " + pad("n", 11) + " |\n" + border)
	for i := range rows {
		switch rng.IntN(3000) {
		case 0:
			b.WriteString("2023-03-15 07:45:24,343 INFO  org.apache.A [] - x\n")
		case 1:
			b.WriteString("| +I | damaged | |\n")
		case 2:
			b.WriteString("| +X | " + pad("no kind", 30) + " | " + pad("1", 11) + " |\n")
		case 3:
			b.WriteString("^C")
		}
		fmt.Fprintf(&b, "| +I | %s | %s |\n", pad(values[rng.IntN(len(values))], 30), pad(fmt.Sprint(i), 11))
	}
	fmt.Fprintf(&b, "%sReceived a total of %d rows\n", border, rows)
	return b.String()
}

// soon is the number of rows behind which the tests' readers read ahead.
const soon = 1024

func aheadSoon(r *Reader) { r.aheadAfter = soon }

func onCores(t *testing.T, n int, src io.Reader, opts ...Option) ([]string, error) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	return records(t, src, append([]Option{aheadSoon}, opts...)...)
}

func TestReadingAheadChangesNothing(t *testing.T) {
	input := longTable(8 * soon)
	want, err := onCores(t, 1, strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	if len(want) < 8*soon {
		t.Fatalf("%d records of %d rows", len(want), 8*soon)
	}
	broken := errors.New("broken")
	for _, test := range []struct {
		name string
		src  func(string) io.Reader
		opts []Option
	}{
		{"owned", func(s string) io.Reader { return strings.NewReader(s) }, nil},
		{"batched", func(s string) io.Reader { return strings.NewReader(s) }, []Option{ReuseRows()}},
		{"of unknown length", func(s string) io.Reader { return &pieces{strings.NewReader(s), len(s)} }, nil},
		{"in halves", func(s string) io.Reader { return iotest.HalfReader(strings.NewReader(s)) }, nil},
		{"in small pieces", func(s string) io.Reader { return &pieces{strings.NewReader(s), 1000} }, []Option{ReuseRows()}},
		{"with an error", func(s string) io.Reader { return io.MultiReader(strings.NewReader(s), iotest.ErrReader(broken)) }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, cores := range []int{2, 5} {
				got, err := onCores(t, cores, test.src(input), test.opts...)
				if test.name == "with an error" {
					if !errors.Is(err, broken) {
						t.Errorf("error %v, want %v", err, broken)
					}
				} else if err != nil {
					t.Error(err)
				}
				if len(got) != len(want) {
					t.Errorf("%d records, want %d", len(got), len(want))
				}
				for i := range min(len(got), len(want)) {
					if got[i] != want[i] {
						t.Fatalf("%d cores, record %d (-want +got):\n%s", cores, i, cmp.Diff(want[i], got[i]))
					}
				}
			}
		})
	}
	t.Run("cut off", func(t *testing.T) {
		for cut := len(input) / 2; cut < len(input)/2+200; cut += 37 {
			want, _ := onCores(t, 1, strings.NewReader(input[:cut]))
			got, _ := onCores(t, 2, strings.NewReader(input[:cut]))
			if diff := cmp.Diff(want[len(want)-3:], got[len(got)-3:]); diff != "" || len(want) != len(got) {
				t.Fatalf("cut at %d: %d records, want %d (-want +got):\n%s", cut, len(got), len(want), diff)
			}
		}
	})
}

// pieces hands out at most n bytes at a time, and cannot seek.
type pieces struct {
	r io.Reader
	n int
}

func (p *pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.n)]) }

// TestReadingAheadEndsAtWhatIsNoRow puts one line that is no row of the
// changelog where a second goroutine begins to read, and behind.
func TestReadingAheadEndsAtWhatIsNoRow(t *testing.T) {
	head := "+----+-------+\n| op |     n |\n+----+-------+\n"
	for _, line := range []string{"| +X |     0 |\n", "| +I | 0 |\n", "SHOW TABLES;\n", "| +I | a | b |\n"} {
		for _, at := range []int{soon - 1, soon, soon + 1, soon + 2, 2 * soon} {
			var b strings.Builder
			b.WriteString(head)
			for i := range 3 * soon {
				if i == at {
					b.WriteString(line)
				}
				fmt.Fprintf(&b, "| +I | %5d |\n", i)
			}
			want, _ := onCores(t, 1, strings.NewReader(b.String()))
			got, _ := onCores(t, 2, strings.NewReader(b.String()))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q behind %d rows (-want +got):\n%s", line, at, diff)
			}
		}
	}
}

// The null words of a long table are what they are on one core: which word stands for
// null may depend on rows that are far behind, and already read.
func TestNullWordsWhileReadingAhead(t *testing.T) {
	for _, words := range [][]string{
		{"(NULL)"}, {"<NULL>"}, {"(NULL)", "(NULL)"}, {"(NULL)", "<NULL>"}, {"<NULL>", "(NULL)"}, {"(NULL)", "(NULL)", "<NULL>", "(NULL)"},
		append([]string{"<NULL>"}, slices.Repeat([]string{"(NULL)"}, 8)...),
	} {
		for _, seed := range []uint64{1, 2} {
			rng := rand.New(rand.NewPCG(seed, 0))
			at := make(map[int]string)
			for i, word := range words {
				at[(i+rng.IntN(4))*soon+rng.IntN(soon)] = word
			}
			var b strings.Builder
			border := "+----+" + strings.Repeat("-", 102) + "+\n" // a block holds a thousand rows
			fmt.Fprintf(&b, "%s| op | %100s |\n%s", border, "c", border)
			for i := range 12 * soon {
				word := at[i]
				if word == "" {
					word = [...]string{"silver", "<gold>", "(lead)", "东京"}[rng.IntN(4)]
				}
				fmt.Fprintf(&b, "| +I | %s%s |\n", strings.Repeat(" ", 100-tableau.Width([]byte(word))), word)
			}
			for name, src := range map[string]func() io.Reader{
				"whole":  func() io.Reader { return strings.NewReader(b.String()) },
				"a pipe": func() io.Reader { return &pieces{strings.NewReader(b.String()), 64 << 10} },
			} {
				want, got := nullLines(1, src()), nullLines(4, src())
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%q, seed %d, %s (-one core +four):\n%s", words, seed, name, diff)
				}
			}
		}
	}
}

// Of a piece of the input, no row is taken that changes what stands for null before it.
func TestTakePieceWithNullWords(t *testing.T) {
	const rows = "| +I | silver |\n| +I | (NULL) |\n| +I | <NULL> |\n| +I | (NULL) |\n"
	const row = len(rows) / 4
	for _, test := range []struct {
		old   oldNull
		first int // of the rows
		want  int
		know  oldNull
	}{
		{oldNullUnknown, 0, 1, oldNullUnknown},
		{oldNullUnknown, 1, 0, oldNullUnknown},
		{oldNullUnknown, 2, 2, oldNullIsText},
		{oldNullHolds, 0, 2, oldNullHolds},
		{oldNullHolds, 2, 0, oldNullHolds},
		{oldNullHolds, 3, 1, oldNullHolds},
		{oldNullIsText, 0, 4, oldNullIsText},
	} {
		r := NewReader(strings.NewReader("+----+--------+\n| op |      c |\n+----+--------+\n"+rows), "")
		for range r.Records() {
		}
		r.old = test.old
		taker := newTaker(r)
		b := &block{data: []byte(rows[test.first*row:])}
		if n := taker.take(b); n != test.want*row || b.rows.Len() != test.want || b.old != test.know {
			t.Errorf("%+v: took %d bytes, %d rows, and knows %d", test, n, b.rows.Len(), b.old)
		}
	}
}

// nullLines returns the lines of rows in which a cell is null, and of the last row.
func nullLines(cores int, src io.Reader) (lines []int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	last := 0
	for rec := range NewReader(src, "", aheadSoon, ReuseRows()).Records() {
		if rows, ok := rec.(*Rows); ok {
			for row := range rows.All() {
				if last = row.Pos.Line; row.Cells[0].IsNull() {
					lines = append(lines, last)
				}
			}
		}
	}
	return append(lines, last)
}

// A source that would have to keep what it gives is not asked to go back where that is
// not needed: the one of the binaries would write it to a file.
func TestReadingAheadDoesNotSeek(t *testing.T) {
	src := struct {
		io.Reader
		noSeek
	}{Reader: strings.NewReader(longTable(8 * soon))}
	got, err := onCores(t, 2, src, NullWord("n/a"))
	if err != nil || len(got) < 8*soon {
		t.Errorf("%d records, %v", len(got), err)
	}
}

type noSeek struct{}

func (noSeek) Seek(int64, int) (int64, error) { panic("seeks") }

// What stands behind a long table of a live input is handed out when it has come, and
// not when more has.
func TestReadingAheadDelaysNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const border = "+----+-------+\n"
	for name, behind := range map[string]string{
		"a footer":  border + "Received a total of 3 rows\n\n",
		"no border": "Received a total of 3 rows\n\n", // cancelled
	} {
		src, live := io.Pipe()
		go func() {
			row := "| +I | 12345 |\n"
			io.WriteString(live, border+"| op |     n |\n"+border)
			for range 8 {
				io.WriteString(live, strings.Repeat(row, 8*soon))
			}
			io.WriteString(live, behind+"Flink SQL> ")
		}()
		told := make(chan Record, 1)
		go func() {
			for rec := range NewReader(src, "", aheadSoon, ReuseRows()).Records() {
				switch rec.(type) {
				case *Footer:
					told <- rec
				}
			}
		}()
		select {
		case <-told:
		case <-time.After(time.Minute):
			t.Errorf("%s did not come", name)
		}
		live.Close()
	}
}

// noneLeft waits until there are no more goroutines than before: one that has let go
// of the input may take its time to end.
func noneLeft(t *testing.T, before int) {
	t.Helper()
	for wait := time.Now(); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Since(wait) > 10*time.Second {
			t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-before)
		}
	}
}

func TestStopWhileReadingAhead(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	input := longTable(3 * soon)
	for _, stop := range []int{soon, soon + 1, soon + 100, 2 * soon, 3*soon - 1} {
		before := runtime.NumGoroutine()
		n, end := 0, int64(0)
		src := strings.NewReader(input)
		r := NewReader(&pieces{src, 1000}, "", aheadSoon)
		for rec := range r.Records() {
			if n++; n == stop {
				end = rec.Span().End.Offset
				break
			}
		}
		left := src.Len()
		if n != stop {
			t.Fatalf("stopped after %d records, want %d", n, stop)
		}
		if read := int64(len(input) - left); read > end+modeWindow+10_000 {
			t.Errorf("stopped at %d, but %d bytes were read", end, read)
		}
		for range r.Records() {
			t.Fatal("a second range has records")
		}
		noneLeft(t, before)
		if src.Len() != left {
			t.Error("the source was read after the range had ended")
		}
	}
}

// A range that is left while several goroutines take rows leaves none behind, and
// nothing goes on reading.
func TestStopWhileRowsAreTaken(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	input := longTable(32 * soon)
	for _, stop := range []int{soon, 2*soon + 100, 8 * soon, 31 * soon} {
		before := runtime.NumGoroutine()
		src := strings.NewReader(input)
		n := 0
		for range NewReader(src, "", aheadSoon).Records() {
			if n++; n == stop {
				break
			}
		}
		left := src.Len()
		if n != stop {
			t.Fatalf("stopped after %d records, want %d", n, stop)
		}
		noneLeft(t, before)
		if src.Len() != left {
			t.Error("the source was read after the range had ended")
		}
	}
}

// Copies of a long table, and strict readers of it, give the same on any number of
// cores.
func TestReadingAheadOfCopies(t *testing.T) {
	table := longTable(6 * soon)
	utf16le := []byte{0xff, 0xfe}
	for _, c := range utf16.Encode([]rune(strings.ToValidUTF8(table, "?"))) {
		utf16le = append(utf16le, byte(c), byte(c>>8))
	}
	crlf := strings.ReplaceAll(table, "\n", "\r\n")
	for name, input := range map[string]string{
		"CR LF": crlf, "LF and CR LF": table + crlf, "UTF-16": string(utf16le),
		"quoted": strings.ReplaceAll(table, "\n", "\n> "), "marked": "\ufeff" + table,
	} {
		for _, opts := range [][]Option{{ReuseRows()}, {ReuseRows(), Strict(), NullWord("silver")}} {
			want, err := onCores(t, 1, strings.NewReader(input), opts...)
			if err != nil || len(want) == 0 {
				t.Fatalf("%s: %d records, %v", name, len(want), err)
			}
			got, _ := onCores(t, 4, strings.NewReader(input), opts...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-one core +four):\n%.2000s", name, diff)
			}
		}
	}
}

// TestPanicWhileReadingAhead panics in the loop over the records: nothing goes on
// reading.
func TestPanicWhileReadingAhead(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	input := longTable(3 * soon)
	before := runtime.NumGoroutine()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was lost")
			}
		}()
		n := 0
		for range NewReader(strings.NewReader(input), "", aheadSoon).Records() {
			if n++; n == soon+100 {
				panic("enough")
			}
		}
	}()
	noneLeft(t, before)
}

// Every table of every transcript is the same, read ahead from its first row on.
func TestReadingAheadOfRealTables(t *testing.T) {
	names, err := filepath.Glob("../testdata/transcripts/*/*/*.out")
	if err != nil || len(names) == 0 {
		t.Fatalf("found %d transcripts, %v", len(names), err)
	}
	described, _ := filepath.Glob("../testdata/transcripts/described/*.txt")
	for _, name := range append(names, described...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if testing.Short() && len(data) > 64<<10 {
			continue
		}
		want, err := onCores(t, 1, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		atOnce := Option(func(r *Reader) { r.aheadAfter = 0 })
		for _, opts := range [][]Option{{atOnce}, {atOnce, ReuseRows()}} {
			got, err := onCores(t, 2, bytes.NewReader(data), opts...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-one core +two): %s", name, diff)
			}
		}
	}
}
