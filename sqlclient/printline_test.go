package sqlclient

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/datatype"
)

// Each test is the least that makes its point. The rows are what Flink prints.
var printLineTests = []struct {
	name, input, want string
}{
	{"the forms of a prefix", "out:12> +I[1]\nout> -U[1]\n3> +U[2]\n-D[2]\n", `
1:1 printed +I "1" by "out", 12
2:1 printed -U "1" by "out", 0
3:1 printed +U "2" by "", 3
4:1 printed -D "2"`},
	{"identifiers that look like other things", "[FEAT-15M]:1> +I[1]\na> b:0> +I[1]\na:b:2> +I[1]\n12 rows> +I[1]\n:7> +I[1]\n07> +I[1]\n", `
1:1 printed +I "1" by "[FEAT-15M]", 1
2:1 printed +I "1" by "a> b:0", 0
3:1 printed +I "1" by "a:b", 2
4:1 printed +I "1" by "12 rows", 0
5:1 printed +I "1" by "", 7
6:1 printed +I "1" by "07", 0`},
	{"the first row kind of a line counts", "a> +I[b> +I[1]]\n", `
1:1 printed +I "b> +I[1]" by "a", 0`},
	{"a retract stream", "(true,-U[a])\nR3:3> (true,+I[hello, 1])\n(false,-U[a])\n(false,+I[a])\n", `
1:1 text other "(true,-U[a])\n"
2:1 printed +I "hello, 1" by "R3", 3
3:1 printed -U "a"
4:1 printed - "a"`},
	{"1.12 writes round brackets", "2> +I(4,11)\nt> -U(1,[1, 2],{1=1},(),)\n(true,+I(1,a))\n", `
1:1 printed +I "4,11" round by "", 2
2:1 printed -U "1,[1, 2],{1=1},()," round by "t", 0
3:1 printed +I "1,a" round`},
	{"values with brackets and separators", "+I[]\n+I[]]\n+I[, ]\n+I[a], +I[b]\n+I[[1, 2], {k=1}, +I[1, q]]\n", `
1:1 printed +I ""
2:1 printed +I "]"
3:1 printed +I ", "
4:1 printed +I "a], +I[b"
5:1 printed +I "[1, 2], {k=1}, +I[1, q]"`},
	{"a value with newlines", "out> +I[1, two\n\nlines]\nout> +I[2]\n", `
1:1 printed +I "1, two\n\nlines" by "out", 0
4:1 printed +I "2" by "out", 0`},
	{"a terminal's newlines", "\x1b[0mout> +I[1]\r\n^Cout> +I[2\r\na]\r\n", `
1:1 printed +I "1" by "out", 0
2:1 printed +I "2\na" by "out", 0`},
	{"a row that may end in either of two lines", "+I[1, ends]\nbut, goes on]\n+I[2]\n", `
1:1 unread: a row of a print sink, of which one line or another may be the last
3:1 printed +I "2"`},
	{"a line of something else that ends in no bracket", "+I[1]\nhello\n\n+I[2]\n", `
1:1 printed +I "1"
2:1 text other "hello\n"
3:1 text blank "\n"
4:1 printed +I "2"`},
	{"a row that is torn, or holds a row", "+I[1, fake\nout> +I[13, row]]\n+I[2]\n", `
1:1 unread: a row of a print sink without its end, or with a line in it that looks like another row
3:1 printed +I "2"`},
	{"a row that the client ends", "+I[1, a\nb\nFlink SQL> f(x)Empty set\n", `
1:1 unread: a row of a print sink without its end
2:1 text other "b\n"
3:1 echo "f(x)"
3:16 footer empty set 0`},
	{"a row that a table ends", "+I[1, a\n+---+\n| a |\n+---+\n| ] |\n+---+\n]\n", `
1:1 unread: a row of a print sink without its end
2:1 head batch "a"
5:1 row "]"
6:1 border
7:1 text other "]\n"`},
	{"a row that the input ends in", "+I[1]\n+I[2]", `
1:1 printed +I "1"
2:1 unread: a row of a print sink is cut off by the end of the input`},
	{"lines of a row that the input ends in", "+I[1, a\nb\nc", `
1:1 unread: a row of a print sink is cut off by the end of the input`},
	{"log lines between", "2023-03-15 07:45:24,343 INFO  org.apache.A [] - x> +I[a]\n+I[1]\nWARNING: x> +I[a]\n+I[2]\n", `
1:1 text log "2023-03-15 07:45:24,343 INFO  org.apache.A [] - x> +I[a]\n"
2:1 printed +I "1"
3:1 text log "WARNING: x> +I[a]\n"
4:1 printed +I "2"`},
	{"what is no row", "+I [1]\n+I{a=1}\n-I[1]\nx +I[1]\n+I\n(true,1,a)\n", `
1:1 text other "+I [1]\n+I{a=1}\n-I[1]\nx +I[1]\n+I\n(true,1,a)\n"`},
	{"rows in a comment and in a quote", "-- 7> +I[1]\n-- 7> -D[1]\n\n> +I[a\n> b]\n", `
1:1 printed +I "1" by "", 7
2:1 printed -D "1" by "", 7
3:1 text blank "\n"
4:1 printed +I "a\nb"`},
	{"an echo, a message, and what they hold", "Flink SQL> SELECT '\n> +I[1]\n> ')[INFO] +I[1]\n+I[2]\n\x1b[31;1m[ERROR] x\n+I[3]\n\x1b[0m\n\x1b[32mFlink SQL\x1b[0m> SELECT '\n+I[1]\n';\n+I[4]\n", `
1:1 echo "SELECT '\n+I[1]\n')"
3:5 message INFO "+I[1]"
4:1 printed +I "2"
5:1 message ERROR "x\n+I[3]"
8:1 echo "SELECT '\n+I[1]\n';" complete
11:1 printed +I "4"`},
	{"among the rows of a table", "+---+\n| a |\n+---+\n| 1 |\n1> +I[1]\n| 2 |\n+---+\n1> +I[2]\n", `
1:1 head batch "a"
4:1 row "1"
5:1 text other "1> +I[1]\n"
6:1 row "2"
7:1 border
8:1 printed +I "2" by "", 1`},
	{"marks that are of the identifier, since the row goes on without them", "#a> +I[1\nb]\nx\n", `
1:1 printed +I "1\nb" by "#a", 0
3:1 text other "x\n"`},
	{"marks that may be of the identifier", "#a> +I[1]\nb]\n\n# a> +I[2]\nb\n\nb]\n", `
1:1 printed +I "1" by "a", 0 may go on
2:1 text other "b]\n"
3:1 text blank "\n"
4:1 printed +I "2" by "a", 0
5:1 text other "b\n"
6:1 text blank "\n"
7:1 text other "b]\n"`},
	{"in a quote: its marks are no identifier", " > +I[1, a]\n > +I[2, b]\n", `
1:1 printed +I "1, a"
2:1 printed +I "2, b"`},
}

func TestPrintLine(t *testing.T) {
	for _, test := range printLineTests {
		t.Run(test.name, func(t *testing.T) {
			checkRecords(t, test.input, test.want)
		})
	}
}

// TestLongPrintLine reads a row that is longer than any row may be, and goes on.
func TestLongPrintLine(t *testing.T) {
	long := "+I[" + strings.Repeat("x", maxText) + "y> +I[2]]\n"
	got, err := records(t, strings.NewReader("+I[0]\n"+long+"+I[1]\n"))
	if err != nil || len(got) != 4 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	want := []string{`1:1 printed +I "0"`, `2:1 unread: the line of a print sink is too long`, fmt.Sprintf(`2:%d text other "xxxy> +I[2]]\n"`, maxText+1), `3:1 printed +I "1"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPrintLineTime reads rows that do not end, each of which looks for its end.
func TestPrintLineTime(t *testing.T) {
	in := strings.Repeat("+I[a\nb\n[INFO] c\n", 100_000)
	n := 0
	for rec := range NewReader(strings.NewReader(in), "").Records() {
		if err := (*SyntaxError)(nil); errors.As(asError(rec), &err) {
			n++
		}
	}
	if n != 100_000 {
		t.Errorf("%d rows without their end", n)
	}
}

func asError(rec Record) error {
	err, _ := rec.(error)
	return err
}

// TestSplitPrinted splits the rows that Flink printed by their types.
func TestSplitPrinted(t *testing.T) {
	const file = "../testdata/transcripts/%s/print/%s.out"
	for _, test := range []struct {
		name, types string
		rows        int
		want        string // the first and the last row
	}{
		{"values", "INT; STRING", 12, ""},
		{"nested", "INT; ARRAY<STRING>; MAP<STRING, INT>; ROW<x INT, y STRING, z ROW<q BOOLEAN, p DOUBLE>>; ARRAY<ROW<i INT, s STRING>>; TIMESTAMP(3); TIMESTAMP_LTZ(3); DATE; TIME(0); DECIMAL(10, 2); BYTES", 2, `
"1" "[a, b, c]" "{k=1}" "+I[1, y, +I[true, 1.5]]" "[+I[1, s], +I[2, t]]" "2020-01-02T03:04" "1970-01-01T00:00:00Z" "2020-01-02" "03:04:05" "12.50" "[97, 98]"
"2"` + strings.Repeat(` "null"∅`, 10)},
		{"parallel", "STRING; BIGINT", 15, ""},
		{"sinks", "STRING; STRING", 15, `
"1" "a"
"b" "2"`},
	} {
		for _, release := range []string{"1.13.6", "1.17.2", "1.20.5", "2.3.0"} {
			name := fmt.Sprintf(file, release, test.name)
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			types := typesOf(t, test.types)
			var rows []string
			for rec := range NewReader(f, name, SplitPrinted(func(string) []datatype.Type { return types })).Records() {
				p, ok := rec.(*PrintLine)
				if !ok {
					continue
				}
				if !p.Split || p.Err != nil || len(p.Cells) != len(types) {
					t.Errorf("%v: %q, %v", p.Pos, p.Cells, p.Err)
				}
				rows = append(rows, cellTexts(p))
			}
			if len(rows) != test.rows {
				t.Errorf("%s: %d rows, want %d", name, len(rows), test.rows)
			} else if test.want != "" {
				if diff := cmp.Diff(test.want, "\n"+rows[0]+"\n"+rows[len(rows)-1]); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
		}
	}
}

func cellTexts(p *PrintLine) string {
	var texts []string
	for _, c := range p.Cells {
		texts = append(texts, cellText(c.Text, c.MaybeCut(), c.IsNull()))
	}
	return strings.Join(texts, " ")
}

// TestSplitSinks splits the rows of some sinks: those of a sink that its types do
// not fit stay whole, and those that can be split in two ways are told.
func TestSplitSinks(t *testing.T) {
	const input = "a> +I[1, x]\nb> +I[x]\nc> +I[x, y]\na> +I[x, 1]\na> -U[1, x]\nd> +I[x, y, z]\nd> +I(x,y)\na> +I[-, x]\n"
	types := map[string][]datatype.Type{"a": typesOf(t, "INT; STRING"), "b": typesOf(t, "INT; INT"), "d": make([]datatype.Type, 2)}
	split := SplitPrinted(func(sink string) []datatype.Type { return types[sink] })
	want := []string{
		`a true "1" "x"`, `b false "x"`, `c false "x, y"`, `a false "x, 1" this does not fit the types`, `a true "1" "x"`,
		`d false "x, y, z" the field 0 may end here or further on`, `d true "x" "y"`, `a true "-"∅ "x"`,
	}
	for _, opts := range [][]Option{{split, NullWord("-")}, {split, NullWord("-"), ReuseRows()}} {
		var got []string
		for rec := range NewReader(strings.NewReader(strings.ReplaceAll(input, "+I[-,", "+I[null,")), "", opts...).Records() {
			p := rec.(*PrintLine)
			s := fmt.Sprintf("%s %t %s", p.Sink, p.Split, cellTexts(p))
			if e := (*datatype.ValueError)(nil); errors.As(p.Err, &e) {
				s += " " + e.Msg
			}
			got = append(got, s)
		}
		want := slices.Clone(want)
		want[7] = `a true "null"∅ "x"`
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}

	tr, err := Read(strings.NewReader(input[:strings.LastIndex(input, "a>")]), "f", split)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range tr.Results() {
		s := fmt.Sprintf("%s, %d rows, %d damaged:", r.Sink.Identifier, len(r.Rows), r.Damaged)
		for _, c := range r.Columns {
			s += " " + strings.TrimSpace(c.Name+" "+c.Type.String())
		}
		got = append(got, s)
	}
	for _, p := range tr.Problems {
		got = append(got, p.Error())
	}
	if diff := cmp.Diff([]string{
		"a, 2 rows, 1 damaged: f0 INT f1 STRING", "b, 1 rows, 0 damaged: line", "c, 1 rows, 0 damaged: line", "a, 1 rows, 0 damaged: line",
		"d, 1 rows, 1 damaged: f0 f1", "d, 1 rows, 0 damaged: line",
		"f:4:1: the fields of a printed row cannot be told apart: value \"x, 1\" of type \"ROW<`f0` INT, `f1` STRING>\": offset 0: this does not fit the types",
		"f:6:1: the fields of a printed row cannot be told apart: value \"x, y, z\" of type \"ROW<`f0` , `f1` >\": offset 1: the field 0 may end here or further on",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSplitQuoted splits rows behind a prefix, block by block: a sink is known by its
// first row, whichever block that is in.
func TestSplitQuoted(t *testing.T) {
	const input = "> a> +I[1, x]\n> b> +I[x]\nend\n> a> +I[2, y]\n> b> +I[1, x]\nc> +I[3, z]\n"
	types := typesOf(t, "INT; STRING")
	for _, opts := range [][]Option{nil, {ReuseRows()}} {
		var got []string
		for rec := range NewReader(strings.NewReader(input), "", append(opts, SplitPrinted(func(string) []datatype.Type { return types }))...).Records() {
			if p, ok := rec.(*PrintLine); ok {
				got = append(got, fmt.Sprint(p.Sink, " ", p.Split, " ", cellTexts(p)))
			}
		}
		want := []string{`a true "1" "x"`, `b false "x"`, `a true "2" "y"`, `b false "1, x"`, `c true "3" "z"`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestUnfinishedPrinted reads rows of print sinks behind which the input ends before
// the bracket of the next one.
func TestUnfinishedPrinted(t *testing.T) {
	for _, test := range []struct {
		rows, last string
		cut        string // the sink whose row is cut off; "-" for none
	}{
		{"out> +I[1]\n", "out> -U", "out"},
		{"out> +I[1]\n", "out> ", "out"},
		{"out> +I[1]\n", "out", "out"},
		{"out> (true,+I(1))\n", "out> (tru", "out"},
		{"out:1> +I[1]\n", "out:2> +", "out"},
		{"out:1> +I[1]\n", "out:", "out"},
		{"3> +I[1]\n", "4> +", ""},
		{"+I[1]\n", "-U", ""},
		{"a> +I[1]\nab> +I[1]\n", "ab> +", "ab"},
		{"> out> +I[1]\n", "> out> +", "out"},
		{"out> +I[1]\n", "out> -U\n", "-"},
		{"out> +I[1]\n", "out> done", "-"},
		{"out> +I[1]\n", "other> -U", "-"},
		{"out> +I[1]\n", "outer", "-"},
		{"+I[1]\n", "12", "-"},
	} {
		tr, err := Read(strings.NewReader(test.rows+test.last), "")
		if err != nil {
			t.Fatal(err)
		}
		cut := "-"
		for _, r := range tr.Results() {
			if r.Damaged > 0 {
				cut = r.Sink.Identifier
			}
		}
		told := len(tr.Problems) == 1 && tr.Problems[0].Code == PieceCutOff && tr.Problems[0].Pos.Line == strings.Count(test.rows, "\n")+1
		if cut != test.cut || told != (cut != "-") {
			t.Errorf("%q behind %q: cut off is a row of %q, want %q; %v", test.last, test.rows, cut, test.cut, tr.Problems)
		}
	}
}

// TestSinkNames reads more rows than a buffer holds: the name of a sink is not
// that of a row that was read later.
func TestSinkNames(t *testing.T) {
	input := "first> +I[x]\n" + strings.Repeat("other> +I["+strings.Repeat("y", 100)+"]\n", 10_000)
	o := NewOutline("", nil)
	names := map[*Result]bool{}
	for rec := range NewReader(strings.NewReader(input), "", ReuseRows()).Records() {
		names[o.Add(rec)] = true
	}
	if len(names) != 2 {
		t.Errorf("%d results", len(names))
	}
	for r := range names {
		if r.Sink.Identifier != "first" && r.Sink.Identifier != "other" {
			t.Errorf("a sink %q", r.Sink.Identifier)
		}
	}
}

func typesOf(t *testing.T, list string) []datatype.Type {
	var types []datatype.Type
	for _, text := range strings.Split(list, "; ") {
		typ, err := datatype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, typ)
	}
	return types
}

// TestSinksOutliveTheBuffer reads more rows of two sinks than the buffer holds:
// what is kept of the first ones is not in it.
func TestSinksOutliveTheBuffer(t *testing.T) {
	var b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&b, "%s> +I[%d, %s]\n", []string{"alpha", "beta"}[i%2], i, strings.Repeat("x", i%41))
	}
	for name, opts := range map[string][]Option{"owned": nil, "batched": {ReuseRows()}} {
		outline := NewOutline("", nil)
		for rec := range NewReader(strings.NewReader(b.String()), "", opts...).Records() {
			outline.Add(rec)
		}
		outline.Close()
		var got []string
		for st, ok := outline.Next(); ok; st, ok = outline.Next() {
			for _, r := range st.Results {
				got = append(got, fmt.Sprint(r.Sink.Identifier, " ", r.Count))
			}
		}
		if diff := cmp.Diff([]string{"alpha 20000", "beta 20000"}, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
}
