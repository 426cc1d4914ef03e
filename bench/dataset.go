package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// A dataset is a transcript of one shape: a changelog of four columns, rows of
// 119 bytes, +I, -U, +U and -D from the state of a keyed table.
type dataset struct {
	name string
	what string
	live int // keys of the table; 0: half as many as rows
	per  int // rows of a result; 0: all in one
	text func(*rand.Rand) string
	more int // times the rows that were asked for; 0: once
}

var (
	plainWords = []string{"silver", "gold", "bronze", "free user"}
	wideWords  = []string{"東京都渋谷区", "金色", "서울특별시", "テスト商品"}
	hardWords  = []string{"two\nlines", "x\n| +I | y", "ok 😀 done", "👩\u200d🔬 lab", "e\u0301tude", "tab\there", "𠮷野家", "a || b", "+----+---+"}
)

func pick(words []string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return words[r.IntN(len(words))] }
}

// mixed is one value in ten of wide characters, and one in a hundred with a bar.
func mixed(r *rand.Rand) string {
	switch n := r.IntN(100); {
	case n < 10:
		return wideWords[r.IntN(len(wideWords))]
	case n == 10:
		return "a | b"
	}
	return plainWords[r.IntN(len(plainWords))]
}

func hard(r *rand.Rand) string {
	if r.IntN(10) == 0 {
		return hardWords[r.IntN(len(hardWords))]
	}
	return mixed(r)
}

var datasets = []dataset{
	{name: "ascii", what: "ASCII only", live: 50_000, text: pick(plainWords)},
	{name: "mixed", what: "one string in ten of wide characters, one in a hundred with a bar", live: 50_000, text: mixed},
	{name: "cjk", what: "all strings of wide characters", live: 50_000, text: pick(wideWords)},
	{name: "hard", what: "one string in ten with newlines, emoji, combining marks, tabs", live: 50_000, text: hard},
	{name: "wide table", what: "as mixed, half as many keys as rows", text: mixed},
	{name: "100 rows", what: "as mixed, results of 100 rows", live: 50_000, per: 100, text: mixed},
	{name: "10 rows", what: "as mixed, results of 10 rows", live: 50_000, per: 10, text: mixed},
	{name: "mixed x10", what: "as mixed, ten times the rows", live: 50_000, text: mixed, more: 10},
	{name: "tiny", what: "one result of ten rows, for the start of the process", live: 10, text: mixed, more: -1},
}

// rows returns how many rows the data set has where so many are asked for.
func (d dataset) rows(asked int) int {
	switch {
	case d.more < 0:
		return 10
	case d.more > 0:
		return d.more * asked
	}
	return asked
}

var widths = [...]int{30, 30, 20, 20}

// write writes a transcript of so many rows to transcript, and to truth the
// lines of JSON that fmtout should make of it.
func (d dataset) write(rows int, transcript, truth io.Writer) error {
	out, want := bufio.NewWriterSize(transcript, 1<<20), bufio.NewWriterSize(truth, 1<<20)
	rng := rand.New(rand.NewPCG(1, uint64(len(d.name))))
	border := "+----+"
	head := "| op |"
	for i, name := range [...]string{"name", "note", "n", "amount"} {
		border += strings.Repeat("-", widths[i]+2) + "+"
		head += " " + pad(name, widths[i]) + " |"
	}
	io.WriteString(out, "\x1b[34;1m[INFO] Executing SQL from file.\x1b[0m\n\nCommand history file path: /home/flink/.flink-sql-history\n")
	live := d.live
	if live == 0 {
		live = max(1, rows/2)
	}
	table := make(map[int][]string)
	for n, result := 0, 1; n < rows; result++ {
		fmt.Fprintf(out, "Flink SQL> SELECT name, note, COUNT(*) AS n, SUM(amount)%s\n%s\n%s\n", border, head, border)
		first := n
		row := func(kind string, cells []string) {
			n++
			out.WriteString(drawRow(kind, cells))
			fmt.Fprintf(want, `{"statement":%d,"result":%d,"op":%q,"row":{"name":%s,"note":%s,"n":%q,"amount":%q}}`+"\n",
				result, result, kind, quote(cells[0]), quote(cells[1]), cells[2], cells[3])
		}
		for n < rows && (d.per == 0 || n-first < d.per) {
			key := rng.IntN(live)
			cells := []string{fmt.Sprintf("%s %d", d.text(rng), key), d.text(rng), fmt.Sprint(rng.IntN(100_000)), fmt.Sprintf("%d.%02d", rng.IntN(1_000_000), rng.IntN(100))}
			old, ok := table[key]
			switch {
			case d.per > 0 || !ok:
				row("+I", cells)
				table[key] = cells
			case rng.IntN(20) == 0:
				row("-D", old)
				delete(table, key)
			default:
				row("-U", old)
				row("+U", cells)
				table[key] = cells
			}
		}
		fmt.Fprintf(out, "%s\nReceived a total of %d rows (1.00 seconds)\n\n", border, n-first)
	}
	io.WriteString(out, "Flink SQL> \nShutting down the session...\ndone.\n")
	if err := out.Flush(); err != nil {
		return err
	}
	return want.Flush()
}

// drawRow draws a row as Flink does.
func drawRow(kind string, cells []string) string {
	line := "| " + kind + " |"
	for i, cell := range cells {
		line += " " + pad(cell, widths[i]) + " |"
	}
	return line + "\n"
}

func pad(s string, width int) string {
	return strings.Repeat(" ", width-tableau.Width([]byte(s))) + s
}

func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
