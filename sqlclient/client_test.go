package sqlclient_test

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/width"
)

// A client prints what Flink's SQL client prints, and keeps what a reader has
// to find in it. What it prints is decided by dice.
type client struct {
	dice   []byte
	out    strings.Builder
	want   []statement
	old    bool // as 1.13 and 1.14 with -f: whole statements, a line each; else as 1.15 and later
	colour bool
}

// roll takes the next of the dice and returns a number below n; 0 when there
// are no dice left.
func (c *client) roll(n int) int {
	if len(c.dice) == 0 {
		return 0
	}
	d := int(c.dice[0])
	c.dice = c.dice[1:]
	return d % n
}

func (c *client) pick(from []string) string { return from[c.roll(len(from))] }

// session prints statements until the dice are used up, or one fails.
func (c *client) session() (transcript string, want []statement) {
	c.old = c.roll(3) == 2
	c.colour = c.old || c.roll(2) == 1
	c.out.WriteString("Nov 30, 2026 7:43:31 AM org.jline.utils.Log logr\n" +
		"WARNING: Unable to create a system terminal, creating a dumb terminal (enable debug logging for more information)\n")
	c.say("34;1", "[INFO] Executing SQL from file.")
	if !c.old {
		c.out.WriteString("\nCommand history file path: /home/flink/.flink-sql-history\n")
	}
	failed := false
	for len(c.dice) > 0 && !failed {
		failed = c.statement()
		if !c.old {
			c.out.WriteString("\n")
		}
	}
	switch {
	case c.old:
		c.out.WriteString("\n")
	case !failed:
		c.out.WriteString("Flink SQL> \n")
	}
	c.out.WriteString("Shutting down the session...\ndone.\n")
	return c.out.String(), c.want
}

// say prints a line in colour, if there is colour.
func (c *client) say(colour, text string) {
	if c.colour {
		text = "\x1b[" + colour + "m" + text + "\x1b[0m"
	}
	c.out.WriteString(text + "\n")
}

// statement prints a statement and the answer to it, and reports whether it
// failed.
func (c *client) statement() (failed bool) {
	c.want = append(c.want, statement{Number: len(c.want) + 1})
	c.echo()
	if c.roll(4) == 3 && !c.old { // else it would be a line of the statement
		c.info("Submitting SQL update statement to the cluster...")
		c.printed()
	}
	switch c.roll(8) {
	case 0:
		c.info("Execute statement succeeded.")
	case 1:
		c.info("Submitting SQL update statement to the cluster...")
		c.info("SQL update statement has been successfully submitted to the cluster:")
		id := fmt.Sprintf("%032x", 0xfeed+c.roll(256))
		c.out.WriteString("Job ID: " + id + "\n\n")
		c.last().Jobs = append(c.last().Jobs, id)
	case 2:
		c.out.WriteString("Empty set\n")
		c.last().Results = append(c.last().Results, result{Mode: "batch", Footer: `0 rows, "" seconds`, End: "finished"})
	case 3:
		c.failure()
		return true
	case 4:
		return c.table(false)
	default:
		return c.table(true)
	}
	return false
}

func (c *client) last() *statement { return &c.want[len(c.want)-1] }

func (c *client) info(text string) {
	c.say("34;1", "[INFO] "+text)
	c.last().Messages = append(c.last().Messages, message{Level: "INFO", Text: text})
}

// How a statement may begin: also with the blank lines that stood before it.
var firstLines = []string{"SELECT COUNT(*) FROM t", "SELECT 'x' AS `a;b`, f(x),", "INSERT INTO t", "-- a comment; with a semicolon", "SET", ""}

// What a statement may hold: fake tables, footers, prompts and errors.
var sqlLines = []string{
	"SELECT COUNT(*) FROM t", "FROM (VALUES (1), (2)) AS t(x)", "'+----+----+", "+----+----+", "| op |  x |", "| +I | fake |", "",
	"Received a total of 3 rows", "[ERROR] Could not execute SQL statement. Reason:", "Flink SQL> SELECT 1", "Empty set", "金額', (1)",
	"Shutting down the session...", "f(x)[ERROR] no", "f(x)[INFO] x (y)", "f(x)Empty set", "f(x)== Abstract Syntax Tree ==", "1 row in set", "-- a comment; with a semicolon", "y', 42)", "Job ID: 0", "SET",
}

// echo prints the prompt and what is echoed of the statement. From 1.15 on that
// ends in the last closing bracket, and what comes next stands behind it.
func (c *client) echo() {
	var lines []string
	for i := range c.roll(6) {
		from := sqlLines
		if i == 0 {
			from = firstLines
		}
		lines = append(lines, c.pick(from))
	}
	if c.old {
		lines = append(lines, "GROUP BY x;")
		c.out.WriteString("\x1b[32mFlink SQL\x1b[0m> " + strings.Join(lines, "\n") + "\n")
	} else {
		if len(lines) > 0 {
			lines = append(lines, c.pick([]string{"f(x)", "a[1]", "'{k}"}))
		}
		c.out.WriteString("Flink SQL> " + strings.Join(lines, "\n> "))
	}
	c.last().SQL = strings.TrimSpace(strings.Join(lines, "\n"))
}

var (
	printPrefixes = []string{"", "out> ", "out:1> ", "2> ", "[FEAT-15M]:1> ", "[FEAT-15M]:12> ", "a> b> ", "x:y:3> "}
	printSinks    = []string{"", "out", "out", "", "[FEAT-15M]", "[FEAT-15M]", "a> b", "x:y"}
	printValues   = []string{"1, a", "", "null", "x]", "a, [1, 2], {k=v}, +I[1, q]", "two\nlines", "\n\nblank", "金, 額", "| +I |", "a\t\r", "[[{("}
)

// printed prints rows of print sinks.
func (c *client) printed() {
	results := map[string]int{}
	st := c.last()
	for range c.roll(5) {
		i := c.roll(len(printPrefixes))
		value, kind := c.pick(printValues), c.pick(kinds)
		row := kind + "[" + value + "]"
		switch c.roll(4) {
		case 2:
			row = kind + "(" + value + ")"
		case 3:
			row = fmt.Sprintf("(%t,%s)", kind[0] == '+', row)
		}
		c.out.WriteString(printPrefixes[i] + row + "\n")
		if c.roll(4) == 3 {
			c.out.WriteString(logs[c.roll(len(logs))])
		}
		at, ok := results[printSinks[i]]
		if !ok {
			at = len(st.Results)
			results[printSinks[i]] = at
			st.Results = append(st.Results, result{Mode: "streaming", Columns: []string{"line"}, Sink: printSinks[i], End: "unknown"})
		}
		st.Results[at].Rows = append(st.Results[at].Rows, kind+cellForm(value, false))
	}
}

// failure prints an error: one line, or a stack with causes.
func (c *client) failure() {
	m := message{Level: "ERROR", Class: "java.lang.NumberFormatException", Text: "For input string: 'oops'."}
	if c.roll(2) == 1 {
		m.Class, m.Text = "org.apache.flink.sql.parser.impl.ParseException", "Encountered \"x\" at line 1, column 8.\nWas expecting one of:\n\n    \"ABS\" ..."
	}
	if c.roll(2) == 1 {
		m.Text += "\n\tat org.apache.Flink.main(Flink.java:1)\nCaused by: java.lang.Error: deep: down\n\tat a.B.c(D.java)\n\t... 7 more\nCaused by: a.B"
		m.CausedBy = []string{"java.lang.Error: deep: down", "a.B"}
	}
	c.say("31;1", "[ERROR] Could not execute SQL statement. Reason:\n"+m.Class+": "+m.Text)
	c.last().Messages = append(c.last().Messages, m)
}

var (
	columnNames = []string{"id", "a|b", "c d", "金额", "EXPR$0", "+I", "NULL", "a_very_long_column_name_that_is_longer_than_thirty", "op"}
	typeWidths  = []int{11, 20, 30, 6, 10, 23}
	cellPieces  = []string{
		"a", " ", "|", "\n", "\r", "\t", "金", "😀", "é", "e\u0301", "\u0085", "ａ", "<NULL>", "(NULL)", "...", "+----+", "\n| +I | ", " |\n", "\nFlink SQL> ",
		"\n[ERROR] Could not execute SQL statement. Reason:\n", "\nReceived a total of 3 rows\n", "\x1b[31;1m", "\x1b[0m", "𠮷", "한", "ｱ", "0123456789", "; ",
	}
	kinds = []string{"+I", "-U", "+U", "-D"}
	logs  = []string{"2026-11-30 07:45:24,343 INFO  org.apache.flink.X [] - hello\n", "WARNING: An illegal reflective access\n", "\n"}
)

// table prints a result and reports whether it failed.
func (c *client) table(streaming bool) (failed bool) {
	res := result{Mode: "batch"}
	var names []string
	var widths []int
	if streaming {
		res.Mode, names, widths = "streaming", []string{"op"}, []int{2}
	}
	var rows [][]string
	columns := 1 + c.roll(3)
	short := c.roll(2) == 1 // from 1.20 on a batch column is as wide as its name is long, and the name is cut
	for range c.roll(6) {
		var row []string
		if streaming {
			row = append(row, c.pick(kinds))
		}
		for range columns {
			value := ""
			for range c.roll(5) {
				value += c.pick(cellPieces)
			}
			row = append(row, value)
		}
		rows = append(rows, row)
	}
	for i := range columns {
		name := c.pick(columnNames)
		for name == "op" && i == 0 {
			name = c.pick(columnNames)
		}
		w := displayWidth(name)
		if streaming {
			w = max(w, c.pickWidth())
		} else if short {
			w = len([]rune(name))
		}
		names, widths = append(names, name), append(widths, w)
	}
	if !streaming { // as wide as the widest value, and at most 30
		for _, row := range rows {
			for i, value := range row {
				widths[i] = max(widths[i], min(displayWidth(value), 30))
			}
		}
	}

	for i, name := range names {
		if !streaming || i > 0 {
			res.Columns = append(res.Columns, strings.TrimLeft(draw(name, widths[i]), " "))
		}
	}

	border := "+"
	for _, w := range widths {
		border += strings.Repeat("-", w+2) + "+"
	}
	border += "\n"
	c.out.WriteString(border + drawRow(names, widths) + border)
	stop := -1
	if c.roll(4) == 3 {
		stop = c.roll(len(rows) + 1)
	}
	for i, row := range rows {
		if i == stop {
			break
		}
		if c.roll(8) == 7 {
			c.out.WriteString(c.pick(logs))
		}
		c.out.WriteString(drawRow(row, widths))
		text := ""
		for i, value := range row {
			cell := draw(value, widths[i])
			trimmed := strings.TrimLeft(cell, " ")
			if streaming && i == 0 {
				text = value
				continue
			}
			text += cellForm(trimmed, strings.HasSuffix(trimmed, "...") && len(cell)-len(trimmed) < 2)
		}
		res.Rows = append(res.Rows, text)
	}
	switch how := c.roll(4); {
	case stop >= 0 && how == 0:
		if c.roll(2) == 1 {
			c.out.WriteString("^C") // a terminal shows the key
		}
		fmt.Fprintf(&c.out, "Query terminated, received a total of %d row%s\n", len(res.Rows), plural(len(res.Rows)))
		res.Footer, res.End = fmt.Sprintf(`%d rows, "" seconds`, len(res.Rows)), "cancelled"
	case stop >= 0:
		res.End = "failed"
		c.failure()
		failed = true
	default:
		if len(rows) > 0 || !streaming {
			c.out.WriteString(border)
		}
		footer, time := fmt.Sprintf("Received a total of %d row%s", len(rows), plural(len(rows))), ""
		if !streaming {
			footer = fmt.Sprintf("%d row%s in set", len(rows), plural(len(rows)))
		}
		if how == 1 {
			time = "0.58"
			footer += " (0.58 seconds)"
		}
		res.End = "finished"
		if how == 2 && len(rows) > 0 { // TableResult.print()
			footer, res.End = "", "closed"
		} else {
			res.Footer = fmt.Sprintf("%d rows, %q seconds", len(rows), time)
			footer += "\n"
		}
		c.out.WriteString(footer)
	}
	c.last().Results = append(c.last().Results, res)
	return failed
}

func (c *client) pickWidth() int { return typeWidths[c.roll(len(typeWidths))] }

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// drawRow draws a row as TableauStyle does: no cell is escaped.
func drawRow(cells []string, widths []int) string {
	row := "|"
	for i, cell := range cells {
		row += " " + draw(cell, widths[i]) + " |"
	}
	return row + "\n"
}

// draw pads or cuts a value to w columns. What is cut ends in "..."; where the
// next character is wide and does not fit, a blank stands before it.
func draw(value string, w int) string {
	if n := displayWidth(value); n <= w {
		return strings.Repeat(" ", w-n) + value
	}
	cut := ""
	for _, r := range value {
		if displayWidth(cut+string(r)) > w-3 {
			break
		}
		cut += string(r)
	}
	return strings.Repeat(" ", max(0, w-3-displayWidth(cut))) + cut + "..."
}

// displayWidth counts UTF-16 code units, and one more for each wide character.
// The values here know no character that became wide after Unicode 13.
func displayWidth(s string) int {
	n := len(utf16.Encode([]rune(s)))
	for _, r := range s {
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}
