package compiledplan

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

const valuesPlan = `{"flinkVersion":"2.3","nodes":[{"id":1,"type":"stream-exec-values_1","outputType":"ROW<` + "`a`" + ` INT>"}],"edges":[]}`

// TestParseErrors: what is no plan is refused with its place, and told for what it is. § marks the place.
func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		name, input string
		err         error
		found       Format
	}{
		{"empty", "§", ErrEmpty, FormatUnknown},
		{"blank", "§ \n\t\r\n", ErrEmpty, FormatUnknown},
		{"only a byte order mark", "§\ufeff", ErrEmpty, FormatUnknown},
		{"not UTF-8", "{\"a\":\n\"x§\xff\"}", ErrEncoding, FormatUnknown},
		{"not UTF-8 in the plan, and behind it", "{\"a\":\"§\xff\"} \xff", ErrEncoding, FormatUnknown},
		{"no plan, not UTF-8", "x§\xff", ErrEncoding, FormatUnknown},
		{"UTF-16", "§\xff\xfe{\x00}\x00", ErrEncoding, FormatUnknown},
		{"half a rune", "{\"a\":\"§\xe9\x87", ErrEncoding, FormatUnknown},
		{"transcript", "\n§Flink SQL> SELECT 1;\n", ErrNotPlan, FormatTranscript},
		{"transcript behind a log line", "§Nov 30, 2026 7:43:31 AM org.jline.utils.Log logr\n\nFlink SQL> [INFO] Executing SQL from file.", ErrNotPlan, FormatTranscript},
		{"tableau", "§+----+\n| op |\n+----+\n", ErrNotPlan, FormatTranscript},
		{"transcript that begins with a bracket", "[§INFO] Executing SQL from file.\n", ErrSyntax, FormatTranscript},
		{"EXPLAIN", "§== Abstract Syntax Tree ==\nLogicalSink()\n", ErrNotPlan, FormatExplain},
		{"SQL", "§COMPILE PLAN 'p.json' FOR INSERT INTO t SELECT 1;", ErrNotPlan, FormatSQL},
		{"SQL behind a comment", "§-- the plan\nSELECT 1", ErrNotPlan, FormatSQL},
		{"text", "§plan", ErrNotPlan, FormatUnknown},
		{"number", "§17", ErrNotPlan, FormatUnknown},
		{"gzip", "§\x1f\x8b\x08\x00", ErrSyntax, FormatCompressed},
		{"zstd", "§\x28\xb5\x2f\xfd", ErrSyntax, FormatCompressed},
		{"Smile", "§:)\n\x05\xfa", ErrSyntax, FormatSmile},
		{"array", "§[1, 2]", ErrNotPlan, FormatUnknown},
		{"other object", "§{\"a\":1}", ErrNotPlan, FormatUnknown},
		{"EXPLAIN as JSON", `§{"nodes":[{"id":1,"type":"Source: o[1]","pact":"Data Source","parallelism":1}]}`, ErrNotPlan, FormatExplainJSON},
		{"job plan", `§{"jid":"f00","name":"j","type":"STREAMING","nodes":[{"id":"cbc","parallelism":1}]}`, ErrNotPlan, FormatJobGraph},
		{"job plan of REST", `§{"plan":{"jid":"f00","nodes":[]}}`, ErrNotPlan, FormatJobGraph},
		{"job of REST", `§{"jid":"f00","vertices":[]}`, ErrNotPlan, FormatJobGraph},
		{"report", `§{"kind":"plan","flink_version":"2.3","nodes":11}` + "\n" + `{"kind":"node"}`, ErrNotPlan, FormatReport},
		{"cut", valuesPlan[:60] + "§", ErrTruncated, FormatUnknown},
		{"cut in a string", valuesPlan[:30] + "§", ErrTruncated, FormatUnknown},
		{"cut behind a backslash", `{"a":"x\§`, ErrTruncated, FormatUnknown},
		{"cut and broken before", `{"a"§;1,"b":[`, ErrSyntax, FormatUnknown},
		{"comma at the end", "{\"nodes\":[],\n \"edges\":[]\n,§}", ErrSyntax, FormatUnknown},
		{"wrong bracket", `{"nodes":[§}}`, ErrSyntax, FormatUnknown},
		{"control character", "{\"a\":\"x§\x01\"}", ErrSyntax, FormatUnknown},
		{"single quotes", `{§'nodes':[]}`, ErrSyntax, FormatUnknown},
		{"deep", strings.Repeat("[", MaxDepth) + "§[", ErrDepth, FormatUnknown},
		{"nodes is an object", `{"flinkVersion":"2.3","nodes":§{}}`, ErrNotPlan, FormatUnknown},
		{"node is a number", `{"flinkVersion":"2.3","nodes":[§7]}`, ErrStructure, FormatUnknown},
		{"node without id", `{"flinkVersion":"2.3","nodes":[§{"type":"x_1"}]}`, ErrStructure, FormatUnknown},
		{"node with a text for id", `{"flinkVersion":"2.3","nodes":[§{"id":"x","type":"x_1"}]}`, ErrStructure, FormatUnknown},
		{"node with half an id in a text", `{"flinkVersion":"2.3","nodes":[§{"id":"1.5","type":"x_1"}]}`, ErrStructure, FormatUnknown},
		{"node with an id that Java's int does not hold", `{"flinkVersion":"2.3","nodes":[§{"id":4294967296,"type":"x_1"}]}`, ErrStructure, FormatUnknown},
		{"node with a list for id", `{"flinkVersion":"2.3","nodes":[§{"id":[1],"type":"x_1"}]}`, ErrStructure, FormatUnknown},
		{"edge from a text", `{"flinkVersion":"2.3","nodes":[],"edges":[§{"source":"one","target":1}]}`, ErrStructure, FormatUnknown},
		{"node without type", "{\"flinkVersion\":\"2.3\",\"nodes\":[{\"id\":1,\"type\":\"x_1\"},\n  §{\"id\":2}]}", ErrStructure, FormatUnknown},
		{"edges is a number", `{"flinkVersion":"2.3","nodes":[],"edges":§7}`, ErrStructure, FormatUnknown},
		{"edge without target", `{"flinkVersion":"2.3","nodes":[],"edges":[§{"source":1}]}`, ErrStructure, FormatUnknown},
		{"edge is null", `{"flinkVersion":"2.3","nodes":[],"edges":[§null]}`, ErrStructure, FormatUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, after, ok := strings.Cut(test.input, "§")
			if !ok {
				t.Fatal("no place marked")
			}
			want := Pos{Offset: len(before), Line: 1 + strings.Count(before, "\n"), Col: len(before) - strings.LastIndex(before, "\n")}
			plan, err := Parse([]byte(before + after))
			var parse *ParseError
			if plan != nil || !errors.As(err, &parse) {
				t.Fatalf("plan %v, error %v", plan, err)
			}
			if !errors.Is(err, test.err) || parse.Found != test.found || parse.Pos != want {
				t.Errorf("%v at %+v, found %v; want %v at %+v, found %v\n%v", parse.Err, parse.Pos, parse.Found, test.err, want, test.found, err)
			}
			if !strings.HasPrefix(err.Error(), fmt.Sprintf("%d:%d: ", want.Line, want.Col)) {
				t.Errorf("message %q", err)
			}
		})
	}
}

func TestParseErrorOfSize(t *testing.T) {
	if _, err := Parse(make([]byte, MaxSize+1)); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
	many := `{"flinkVersion":"2.3","nodes":[` + strings.Repeat(`{"id":1,"type":"x_1"},`, MaxNodes) + `{"id":1,"type":"x_1"}],"edges":[]}`
	if _, err := Parse([]byte(many)); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
	many = `{"flinkVersion":"2.3","nodes":[],"edges":[` + strings.Repeat(`{"source":1,"target":1},`, 4*MaxNodes) + `{"source":1,"target":1}]}`
	if _, err := Parse([]byte(many)); !errors.Is(err, ErrSize) {
		t.Error(err)
	}
}

// TestParseTolerates: what is odd but can be read is read.
func TestParseTolerates(t *testing.T) {
	for name, input := range map[string]string{
		"byte order mark": "\ufeff" + valuesPlan,
		"blanks around":   " \r\n" + valuesPlan + "\r\n\t ",
		"other order":     `{"edges":[],"nodes":[{"outputType":"ROW<` + "`a`" + ` INT>","type":"stream-exec-values_1","id":1}],"flinkVersion":"2.3"}`,
		"escapes in keys": strings.Replace(valuesPlan, `"type"`, `"\u0074ype"`, 1),
		"unknown keys":    strings.Replace(valuesPlan, `{"id"`, `{"a.b":{"x":[{}]},"id"`, 1),
		"trailing bytes":  valuesPlan + `"PIPELINED" } ] }`,
	} {
		plan, err := Parse([]byte(input))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := plan.Node(1); plan.FlinkVersion() != "2.3" || n == nil || n.Class() != "values" || len(n.columns()) != 1 {
			t.Errorf("%s: %q, %v", name, plan.FlinkVersion(), n)
		}
	}
}

// TestParseCopies: the caller may use the bytes again.
func TestParseCopies(t *testing.T) {
	data := []byte(valuesPlan)
	plan, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	if n := plan.Node(1); n == nil || n.Type() != "stream-exec-values_1" || !strings.Contains(n.Raw(), "outputType") {
		t.Errorf("%v", n)
	}
}

// TestTruncatedPlans: a plan that is cut anywhere is refused as cut off.
func TestTruncatedPlans(t *testing.T) {
	data, err := os.ReadFile("../testdata/plans/2.3.0/lab-interval.json")
	if err != nil {
		t.Fatal(err)
	}
	end := len(strings.TrimRight(string(data), " \n"))
	for i := 0; i < end; i += 3 {
		_, err := Parse(data[:i])
		if i == 0 && errors.Is(err, ErrEmpty) || errors.Is(err, ErrTruncated) {
			continue
		}
		t.Fatalf("cut to %d bytes: %v", i, err)
	}
}

// TestPositions: nodes know where they stand, also behind multi-byte text and in other line ends.
func TestPositions(t *testing.T) {
	plan, err := Parse([]byte("{\"flinkVersion\":\"2.3\",\r\n\"é\":\"釜\", \"nodes\":[{\"id\":1,\"type\":\"a_1\"},\r\n\t{\"id\":2,\"type\":\"a_1\"}]}"))
	if err != nil {
		t.Fatal(err)
	}
	if got := plan.Node(1).Pos(); got.Line != 2 || got.Col != 22 {
		t.Errorf("node 1 at %+v", got)
	}
	if got := plan.Node(2).Pos(); got.Line != 3 || got.Col != 2 {
		t.Errorf("node 2 at %+v", got)
	}
	if got := (Pos{}).String(); got != "-" {
		t.Errorf("no place is %q", got)
	}
}

// TestSecrets: what stands in the options of a table stays there, however the plan is broken and whatever is printed.
func TestSecrets(t *testing.T) {
	const secret = "hunter2"
	good := `{"flinkVersion":"1.15","nodes":[{"id":1,"type":"stream-exec-table-source-scan_1","scanTableSource":{"table":{"identifier":"` + "`c`.`d`.`t`" + `",
		"resolvedTable":{"schema":{"columns":[]},"options":{"connector":"jdbc","password":"` + secret + `","x":["` + secret + `"],"format":"` + secret + `"}}}},"outputType":"ROW<>","description":"d"}],"edges":[]}`
	plan, err := Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	n := plan.Node(1)
	table, _ := n.Table()
	printed := fmt.Sprintf("%v %+v %#v %s %v %#v", n, n, n, n, table, table)
	for _, p := range plan.Validate() {
		printed += fmt.Sprintf("%v %+v %#v", p, p, p)
	}
	for _, f := range plan.Findings() {
		printed += fmt.Sprintf("%v %+v %#v", f, f, f)
	}
	printed += fmt.Sprintf("%v %+v %#v", plan, plan, plan)
	if strings.Contains(printed, secret) {
		t.Errorf("the secret is printed: %s", printed)
	}
	found := false
	for key, text := range n.Options() {
		found = found || key == "password" && text == secret
	}
	if !found {
		t.Error("the option is not there for those who ask")
	}
	for i := range len(good) {
		for _, broken := range []string{good[:i], good[:i] + "\x01" + good[i:], good[:i] + "\xff" + good[i:], good[:i] + good[min(i+1, len(good)):], good[:i] + `"` + good[i:], good[i:]} {
			plan, err := Parse([]byte(broken))
			if err == nil {
				for _, p := range plan.Validate() {
					if strings.Contains(p.String(), secret) {
						t.Fatalf("the secret is in a problem: %v", p)
					}
				}
			} else if strings.Contains(err.Error(), secret) {
				t.Fatalf("the secret is in the error: %v", err)
			}
		}
	}
}
