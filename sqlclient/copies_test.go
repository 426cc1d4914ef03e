package sqlclient

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestQuoted reads tables and sessions behind a prefix.
func TestQuoted(t *testing.T) {
	const table = "+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n+----+---+\nReceived a total of 1 row\n"
	quote := func(prefix string) string {
		return prefix + strings.ReplaceAll(strings.TrimSuffix(table, "\n"), "\n", "\n"+prefix) + "\n"
	}
	const rows = "1:1 head streaming \"x\"\n4:1 row +I \"1\"\n5:1 border\n6:1 footer received 1"
	for _, test := range []struct{ name, input, want string }{
		{"blanks", quote("    "), rows},
		{"a tab", quote("\t"), rows},
		{"a comment", quote("// "), rows},
		{"a comment without a blank", quote("--"), rows},
		{"whose line it is", quote("jobmanager-1  | "), rows},
		{"a quote within a quote", quote("> > "), rows},
		{"a diff", quote("+"), rows},
		{"a comment of several lines", "/* " + strings.Replace(quote("   "), "   ", "", 1) + " */\n", rows + "\n7:1 text other \" */\\n\""},
		{"only the borders have the prefix", strings.ReplaceAll(table, "+----+", "++----+"), "1:1 head streaming ambiguous \"x\"\n4:1 row +I \"1\"\n5:1 border\n6:1 footer received 1"},
		{"the prefix ends", quote("# ") + table, rows + "\n7:1 head streaming \"x\"\n10:1 row +I \"1\"\n11:1 border\n12:1 footer received 1"},
		{"a row ends with the prefix", "  +---+\n  | x |\n  +---+\n  | 1 |\n| 2 |\n", "1:1 head batch \"x\"\n4:1 row \"1\"\n5:1 unread: rows without the head of their table"},
		{"the block ends in a row", "  +---+---+\n  | x | y |\n  +---+---+\n  | 1 |\nend\n", "1:1 head batch \"x\" \"y\"\n4:1 unread: a row does not fit its border\n5:1 text other \"end\\n\""},
		{"the input ends in a row", "  +---+---+\n  | x | y |\n  +---+---+\n  | 1 |", "1:1 head batch \"x\" \"y\"\n4:1 unread: a row is cut off by the end of the input"},
		{"a newline in a cell", "// +-----+\n// |   x |\n// +-----+\n// | a\n// b |\n// +-----+\n", "1:1 head batch \"x\"\n4:1 row \"a\\nb\"\n6:1 border"},
		{"a newline in a cell, without the prefix", "// +-----+\n// |   x |\n// +-----+\n// | a\nb |\n// end\n",
			"1:1 head batch \"x\"\n4:1 unread: a row does not fit its border\n5:1 text other \"b |\\n// end\\n\""},
		{"blank lines without their blanks", "  Flink SQL> SELECT 1;\n\n  Empty set\n\n  Flink SQL> ", "1:1 echo \"SELECT 1;\" complete\n2:1 text blank \"\\n\"\n3:1 footer empty set 0\n4:1 text blank \"\\n\"\n5:1 echo \"\""},
		{"a session in a list", "- Flink SQL> SELECT 1;\n- Empty set\n", "1:1 echo \"SELECT 1;\" complete\n2:1 footer empty set 0"},
		{"in an echo", "Flink SQL> SELECT 'x\n> " + strings.ReplaceAll(table, "\n", "\n> ") + "', f(x)\n",
			"1:1 echo \"SELECT 'x\\n+----+---+\\n| op | x |\\n+----+---+\\n| +I | 1 |\\n+----+---+\\nReceived a total of 1 row\\n', f(x)\""},
		{"another prefix before the names", "// +---+\n/* | x |\n// +---+\n// end\n", "1:1 text other \"// +---+\\n\"\n2:1 unread: rows without the head of their table\n3:1 text other \"// +---+\\n// end\\n\""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := records(t, strings.NewReader(test.input))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(test.want, "\n"), got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRewritten reads rows whose bytes in the file are not those that the client
// wrote.
func TestRewritten(t *testing.T) {
	const (
		head        = "+----+-------+\n| op |     x |\n+----+-------+\n"
		streaming   = "1:1 head streaming \"x\"\n"
		byBars      = " recovered: broken into several lines, which lack blanks and were put together by their bars"
		wrapped     = " recovered: broken into several lines, which were put together"
		interrupted = " recovered: lines of another program were taken out of it"
		log         = "2023-03-15 07:45:24,343 INFO  org.apache.A [] - x\n"
	)
	for _, test := range []struct{ name, input, want, strict string }{
		{"a newline in a cell, in a file with CR LF", strings.ReplaceAll(head+"| +I | a\nbcd |\n", "\n", "\r\n"), streaming + "4:1 row +I \"a\\nbcd\"", ""},
		{"CR LF in a cell", head + "| +I | a\r\nbc |\n", streaming + "4:1 row +I \"a\\r\\nbc\"", ""},
		{"broken between two characters", head + "| +I | ab\ncde |\n", streaming + "4:1 row +I \"abcde\"" + wrapped, streaming + "4:1 unread: a row does not fit its border\n5:1 text other \"cde |\\n\""},
		{"broken within padding that is lost", head + "| +I |\n12 |\n| +I |    13 |\n", streaming + "4:1 row +I \"12\"" + byBars + "\n6:1 row +I \"13\"",
			streaming + "4:1 unread: a row does not fit its border\n5:1 text other \"12 |\\n\"\n6:1 row +I \"13\""},
		{"broken within padding, at the end", head + "| +I |\n12 |\n", streaming + "4:1 unread: a row does not fit its border\n5:1 text other \"12 |\\n\"", streaming + "4:1 unread: a row does not fit its border\n5:1 text other \"12 |\\n\""},
		{"a value broken off", head + "| +I | 12\n3 |\n| +I |    13 |\n", streaming + "4:1 unread: a row does not fit its border\n5:1 text other \"3 |\\n\"\n6:1 row +I \"13\"", ""},
		{"a line in the midst of a row", head + "| +I |   " + log + "123 |\n", streaming + "4:1 row +I \"123\"" + interrupted, streaming + "4:1 unread: a row does not fit its border\n5:1 text other \"123 |\\n\""},
		{"a line between the border and the names", "+----+-------+\n" + log + "| op |     x |\n+----+-------+\n| +I |     1 |\n", streaming + "5:1 row +I \"1\"",
			"-"},
		{"a border that lost its first character", head[1:] + "| +I |     1 |\n", streaming + "4:1 row +I \"1\"",
			"-"},
		{"all lines broken", "+----+--\n-----+\n| op | \n    x |\n+----+--\n-----+\n| +I | 1\n2345 |\n+----+--\n-----+\nReceived a total of 1 row\n",
			streaming + "7:1 row +I \"12345\"" + wrapped + "\n9:1 border\n11:1 footer received 1", "-"},
		{"rows left out", head + "| +I |     1 |\n...\n| +I |     9 |\n", streaming + "4:1 row +I \"1\"\n5:1 unread: rows are left out: dots stand in their place\n6:1 row +I \"9\"", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := records(t, strings.NewReader(test.input))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(test.want, "\n"), got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			strict, err := records(t, strings.NewReader(test.input), Strict())
			if err != nil {
				t.Fatal(err)
			}
			switch test.strict {
			case "":
				test.strict = test.want
			case "-": // not as usual, and nothing recovered
				if text := strings.Join(strict, "\n"); strings.Contains(text, "recovered") || strings.Contains(text, " row ") {
					t.Errorf("a strict reader recovered rows:\n%s", text)
				}
				return
			}
			if diff := cmp.Diff(strings.Split(test.strict, "\n"), strict); diff != "" {
				t.Errorf("records of a strict reader (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTypedAtATerminal shows what was typed as a terminal does.
func TestTypedAtATerminal(t *testing.T) {
	for _, test := range []struct{ name, echo, want string }{
		{"taken back", "SELECX\b\x1b[KT 1;\r\r\n", "SELECT 1;"},
		{"taken back by writing over it", "SELECX\b \bT 1;", "SELECT 1;"},
		{"the partner of a bracket", "f(x)\b\b\b\x1b[3C;", "f(x);"},
		{"to the left and the right", "f(x)\x1b[4D\x1b[4C;", "f(x);"},
		{"drawn again", "SELECT\r\x1b[11C\x1b[KINSERT\r\r\n", "INSERT"},
		{"put in between", "SELECT 2;\b\b\x1b[3@1, ", "SELECT 1, 2;"},
		{"taken out", "SELECT 1, 2;\x1b[5D\x1b[3P", "SELECT 2;"},
		{"wider than the terminal", "SELECT 1\r\r\r\n\x1b[A\x1b[18C1234\r\r\n", "SELECT 1234"},
		{"a blank at the margin", "SELECT \r\r\r\n\x1b[A\x1b[17C 1;", "SELECT 1;"},
		{"wide characters", "'金'\b\b\b\b\x1b[4C;", "'金';"},
		{"three lines", "a,\r\r\n> b,\r\r\n> c;\r\r\n", "a,\n> b,\n> c;"},
		{"up, and down again", "f(\r\r\n> x)\x1b[A\r\x1b[12C\r\r\n\x1b[4C;", "f(\n> x);"},
		{"colours and bells", "\x1b[32mSELECT\x1b[0m\a 1", "SELECT 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.TrimRight(strings.Join(typed(test.echo), "\n"), "\n")
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
