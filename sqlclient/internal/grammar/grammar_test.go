package grammar

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestEBNF pins the grammar.
func TestEBNF(t *testing.T) {
	const golden = "testdata/transcript.ebnf"
	got := EBNF() + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("grammar (-want +got):\n%s", diff)
	}
}

const (
	ruler  = "+----+---+\n"
	names  = "| op | x |\n"
	insert = "| +I | 1 |\n"
)

// Each alternative of the grammar, as the shortest input that takes it. What is
// parsed is written as a term; a cell is written with its padding.
var alternatives = []struct{ name, src, want string }{
	{"nothing", "", ""},
	{"line", "hello\n", `line("hello\n")`},
	{"a last line without its newline", "hello", `line("hello")`},
	{"stop", "Shutting down the session...\ndone.\n", `stop line("done.\n")`},

	{"prompt alone", "Flink SQL> ", "statement()"},
	{"prompt and newline", "Flink SQL> \n", `statement() line("\n")`},
	{"echo of a line", "Flink SQL> SELECT 1;\n", `statement("SELECT 1;")`},
	{"echo that the input ends in", "Flink SQL> SELECT\r", `statement("SELECT")`},
	{"echo that goes on", "Flink SQL> SELECT\n> f(x)\n", `statement("SELECT\nf(x)")`},
	{"echo of a line that begins with > ", "Flink SQL> SELECT\n> > y\n", `statement("SELECT\n> y")`},
	{"echo with an empty line of its own", "Flink SQL> SELECT\n> \n> f(x)\n", `statement("SELECT\n\nf(x)")`},
	{"echo with an empty line of the client", "Flink SQL> SELECT\n\n> f(x)\n", `statement("SELECT\nf(x)")`},
	{"echo that begins with empty lines", "Flink SQL> \n> \n> f(x)Empty set\n", `statement("f(x)") empty()`},
	{"echo without marks", "Flink SQL> SELECT\nf(x);\n", `statement("SELECT\nf(x);")`},
	{"whole echo", "\x1b[32mFlink SQL\x1b[0m> \nSELECT\n> '[ERROR] x';\n", `statement("SELECT\n> '[ERROR] x';")`},
	{"whole echo that holds a table", "\x1b[32mFlink SQL\x1b[0m> SELECT '\n" + ruler + names + ruler + insert + "';\nx\n",
		`statement("SELECT '\n+----+---+\n| op | x |\n+----+---+\n| +I | 1 |\n';") line("x\n")`},
	{"whole echo without its end", "\x1b[32mFlink SQL\x1b[0m> SELECT 1\n" + ruler + names + ruler, `statement("SELECT 1") table("op" "x")`},
	{"echo of a terminal", "\x1b[?2004h\x1b[32mFlink SQL\x1b[0m> SELECT\r\r\n> \x1b[2C1;\r\r\n", `statement("SELECT\n  1;")`},
	{"prompt drawn again", "Flink SQL> SELECT\r\n\a\rFlink SQL> f(x)\n> 1\n", `statement("SELECT\n\rFlink SQL> f(x)\n1")`},
	{"answer in the place of an echo", "Flink SQL> CREATE TABLE t (\n  a INT\n)\n\nFlink SQL> ", `statement() line("CREATE TABLE t (\n") line("  a INT\n") line(")\n") line("\n") statement()`},
	{"plan behind an echo", "Flink SQL> EXPLAIN f(x)== Abstract Syntax Tree ==\nx\n", `statement("EXPLAIN f(x)") line("== Abstract Syntax Tree ==\n") line("x\n")`},

	{"table with all of its end", ruler + names + ruler + insert + ruler + "Received a total of 1 row\n", `table("op" "x" row("+I" "1") bottom received(1))`},
	{"table without rows", ruler + names + ruler + "Received a total of 0 row\n", `table("op" "x" received(0))`},
	{"table without a footer", ruler + names + ruler + insert + ruler, `table("op" "x" row("+I" "1") bottom)`},
	{"table without an end", ruler + names + ruler + insert, `table("op" "x" row("+I" "1"))`},
	{"table behind an echo", "Flink SQL> f(x)" + ruler + names + ruler, `statement("f(x)") table("op" "x")`},
	{"table behind another line", "x" + ruler + names + ruler, `line("x") table("op" "x")`},
	{"table that was stopped", ruler + names + ruler + insert + "^CQuery terminated, received a total of 1 row\n", `table("op" "x" row("+I" "1") terminated(1))`},
	{"row behind a key", ruler + names + ruler + "^C" + insert, `table("op" "x" row("+I" "1"))`},
	{"rows of a terminal", "+---+\r\n| x |\r\n+---+\r\n| 1 |\r\r\n", `table("x" row("1"))`},
	{"line among rows", ruler + names + ruler + insert + "x\n" + insert, `table("op" "x" row("+I" "1") line("x\n") row("+I" "1"))`},
	{"job among rows", ruler + names + ruler + "Job ID: " + hexID + "\n" + insert, `table("op" "x" job row("+I" "1"))`},
	{"row that does not fit", ruler + names + ruler + "| +I | 12 |\n", `table("op" "x" line("| +I | 12 |\n"))`},
	{"row without its newline", ruler + names + ruler + "| +I | 1 |", `table("op" "x" line("| +I | 1 |"))`},
	{"row that the input ends in", ruler + names + ruler + "| +I |\n", `table("op" "x" line("| +I |\n"))`},
	{"row of lines that the input ends in", "+----------+\n| a |\n+----------+\n| a\nFlink", `table("a" line("| a\nFlink"))`},
	{"cut name that stands out", "+----+\n| ... |\n+----+\n|  1 |\n", `table("..." row(" 1"))`},
	{"name of an encoding without it", "+------+\n| ?? |\n+------+\n|    1 |\n", `table("??" row("   1"))`},
	{"value with everything", "+----------+\n|    value |\n+----------+\n| a | b\n+- |\n", `table("   value" row("a | b\n+-"))`},
	{"wide value", "+------+\n|    x |\n+------+\n| 金色 |\n|  金é |\n| 😀é |\n", `table("   x" row("金色") row(" 金é") row("😀é"))`},
	{"border and no head", ruler + "x\n", `line("+----+---+\n") line("x\n")`},
	{"other borders", ruler + names + "+----+\n", `line("+----+---+\n") line("| op | x |\n") line("+----+\n")`},
	{"head that the input ends in", "Flink SQL> f(x)" + ruler + names, `statement("f(x)") line("+----+---+\n") line("| op | x |\n")`},

	{"footer alone", "3 rows in set\n", `rows(3)`},
	{"footer with a time", "Received a total of 3 rows (0.58 seconds)\n", `received(3 0.58)`},
	{"rows in set with a time", "3 rows in set (1,5 seconds)\n", `rows(3 1,5)`},
	{"empty set", "Empty set\n", `empty()`},
	{"empty set with a time", "Empty set (0.10 seconds)\n", `empty(0.10)`},
	{"message behind a bracket in a string", "Flink SQL> SELECT '{k}[INFO] ok\n\nFlink SQL> \n", `statement("SELECT '{k}") message(INFO "ok") line("\n") statement() line("\n")`},
	{"message behind an array", "Flink SQL> SELECT a[1]\x1b[31;1m[ERROR] x\x1b[0m\n", `statement("SELECT a[1]") message(ERROR "x")`},
	{"empty set behind an echo", "Flink SQL> f(x)Empty set\n", `statement("f(x)") empty()`},
	{"footer without its newline", "Received a total of 42", `line("Received a total of 42")`},

	{"info", "[INFO] ok\n", `message(INFO "ok")`},
	{"info in colour", "\x1b[34;1m[INFO] ok\x1b[0m\n", `message(INFO "ok")`},
	{"info behind an echo", "Flink SQL> f(x)\x1b[34;1m[INFO] ok\x1b[0m\n", `statement("f(x)") message(INFO "ok")`},
	{"warning", "[WARNING] x\n", `message(WARNING "x")`},
	{"error", "[ERROR] x\n", `message(ERROR "x")`},
	{"error with a class", "[ERROR] Could not execute SQL statement. Reason:\na.B: x\n", `message(ERROR a.B "x")`},
	{"error with a class only", "[ERROR] Could not execute SQL statement. Reason:\na.B\n", `message(ERROR a.B "")`},
	{"error with a text only", "[ERROR] Could not execute SQL statement. Reason:\nx\n", `message(ERROR "x")`},
	{"error in colour, with a blank line", "\x1b[31;1m[ERROR] Could not execute SQL statement. Reason:\na.B: x\n\ny\n\x1b[0m\nz\n", `message(ERROR a.B "x\n\ny") line("z\n")`},
	{"error up to the next prompt", "[ERROR] x\n\ny\n\nFlink SQL> ", `message(ERROR "x\n\ny") line("\n") statement()`},
	{"causes", "[ERROR] Could not execute SQL statement. Reason:\na.B: x\n\tat f\nCaused by: c.D: y\n\t... 1 more\nCaused by: e.F\n",
		`message(ERROR a.B "x\n\tat f\nCaused by: c.D: y\n\t... 1 more\nCaused by: e.F" cause(c.D "y") cause(e.F ""))`},
	{"exception of the client", "Exception in thread \"main\" a.B: x\n\tat f\nCaused by: c.D: y\nz\n", `message(ERROR a.B "x\n\tat f\nCaused by: c.D: y" cause(c.D "y")) line("z\n")`},
	{"failing init script", "Failed to initialize from sql script: x\n", `message(ERROR "Failed to initialize from sql script: x")`},
	{"row of a print sink", "+I[1, a]\n", `print("" +I "1, a")`},
	{"row of a print sink without fields", "out> -D[]\n", `print("out" -D "")`},
	{"row of a task", "3> +U(1,a)\n", `print("" +U "1,a")`},
	{"row of a sink and a task", "[FEAT-15M]:1> -U[x]]\n", `print("[FEAT-15M]" -U "x]")`},
	{"rows of a retract stream", "R3:3> (true,+I[a])\n(false,+I[a])\n(false,-U[a])\n", `print("R3" +I "a") print("" - "a") print("" -U "a")`},
	{"row of two lines", "+I[a\nb]\n+I[c]\n", `print("" +I "a\nb") print("" +I "c")`},
	{"row of an unknown number of lines", "+I[a]\nb]\n+I[c]\n", `line("+I[a]\nb]\n") print("" +I "c")`},
	{"row that is torn, or holds another", "+I[a\n+I[b]\n", `line("+I[a\n+I[b]\n")`},
	{"row without its end", "+I[a\n[INFO] ok\n", `line("+I[a\n") message(INFO "ok")`},
	{"row that the input ends in", "+I[a]\n+I[b]", `print("" +I "a") line("+I[b]")`},
	{"row behind an echo", "Flink SQL> SELECT 1\n1> +I[a]\n", `statement("SELECT 1") print("" +I "a")`},
	{"row behind an error", "[ERROR] x\n1> +I[a]\n", `message(ERROR "x") print("" +I "a")`},
	{"row among the rows of a table", ruler + names + ruler + insert + "+I[a]\n" + insert, `table("op" "x" row("+I" "1") line("+I[a]\n") row("+I" "1"))`},
	{"job", "Job ID: " + hexID + "\n", `job`},
}

const hexID = "0123456789abcdef0123456789abcdef"

func TestAlternatives(t *testing.T) {
	for _, test := range alternatives {
		t.Run(test.name, func(t *testing.T) {
			tr, err := Parse("", test.src)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, term(tr)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestTokens checks that every token of the grammar is made by some input, so
// that no alternative waits for one that cannot come.
func TestTokens(t *testing.T) {
	made := map[lexer.TokenType]bool{}
	for _, test := range alternatives {
		for _, token := range tokens(t, test.src) {
			made[token.Type] = true
		}
	}
	for name, token := range symbols {
		if !made[token] {
			t.Errorf("no input makes the token %s", name)
		}
	}
}

func tokens(t testing.TB, src string) []lexer.Token {
	t.Helper()
	l, err := definition{}.LexString("", src)
	if err != nil {
		t.Fatal(err)
	}
	all, err := lexer.ConsumeAll(l)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// FuzzParse checks that the lexer and the grammar take anything, and that the
// tokens stand in the input, in order.
func FuzzParse(f *testing.F) {
	for _, test := range alternatives {
		f.Add(test.src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 64<<10 {
			return
		}
		at := 0
		for _, token := range tokens(t, src) {
			if token.Pos.Offset < at || !standsIn(src[token.Pos.Offset:], token.Value) {
				t.Fatalf("token %q at %d, behind %d", token.Value, token.Pos.Offset, at)
			}
			if wantLine := 1 + strings.Count(src[:token.Pos.Offset], "\n"); token.Pos.Line != wantLine {
				t.Fatalf("token %q on line %d, want %d", token.Value, token.Pos.Line, wantLine)
			}
			at = token.Pos.Offset + min(len(token.Value), 1)
		}
		if _, err := Parse("", src); err != nil {
			t.Fatal(err)
		}
	})
}

// standsIn reports whether src begins with the lines of text, which may have lost
// a prefix, or the carriage return before a newline.
func standsIn(src, text string) bool {
	for i, line := range strings.Split(text, "\n") {
		at := strings.Index(src, line)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		src = src[at+len(line):]
	}
	return true
}
