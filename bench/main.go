package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/cpu"
)

// goalRows is how many rows the goals are for.
const goalRows = 1_000_000

func main() {
	rows := flag.Int("rows", goalRows, "rows of each data set")
	runs := flag.Int("runs", 5, "runs of each command that count")
	report := flag.String("report", "", "write the report to this file")
	only := flag.String("only", "", "only the comparisons whose task or data set holds this text")
	make := flag.String("make", "", "only make this data set: write it to FILE, and what it was made from to FILE.ndjson")
	flag.Parse()
	if *rows < 1 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "bench: -rows and -runs are 1 at least")
		os.Exit(2)
	}
	if *make != "" {
		if err := makeDataset(*make, *rows, flag.Arg(0)); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	out := io.Writer(os.Stdout)
	var doc bytes.Buffer
	if *report != "" {
		out = io.MultiWriter(os.Stdout, &doc)
	}
	if err := bench(out, *rows, *runs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if *report != "" {
		if err := os.WriteFile(*report, doc.Bytes(), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
	}
}

// A comparison is one line of the report.
type comparison struct {
	task    string
	dataset string
	ours    string // the arguments of fmtout
	cores   int
	peer    string // a program that must be there
	theirs  string // its command
	goal    goal
}

// A goal is what is to be reached.
type goal struct {
	rate  float64 // megabytes a second
	ratio float64
	peak  float64       // MiB at most
	after time.Duration // the peer, at most
}

// String returns the goal.
func (g goal) String() string {
	var text []string
	if g.rate > 0 {
		text = append(text, fmt.Sprintf("%.0f MB/s", g.rate))
	}
	if g.ratio > 0 {
		text = append(text, "ratio "+formatRatio(g.ratio, true))
	}
	if g.peak > 0 {
		text = append(text, fmt.Sprintf("%.0f MiB", g.peak))
	}
	if g.after > 0 {
		text = append(text, fmt.Sprintf("%v after it", g.after))
	}
	return strings.Join(text, ", ")
}

// met reports whether all that the goal asks for was reached.
func (g goal) met(rate, ratio, peak float64, after time.Duration) bool {
	return rate >= g.rate && ratio >= g.ratio && (g.peak == 0 || peak <= g.peak) && (g.after == 0 || after <= g.after)
}

// formatRatio returns a ratio with two digits behind the point, or with three where that
// decides whether a goal is reached.
func formatRatio(ratio float64, goal bool) string {
	if goal && ratio < 1 {
		return fmt.Sprintf("%.3f", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}

// The peers split at bars, as people do today. None takes a bar within a value
// for what it is, so on data with bars they are wrong as well as slow; they get
// the same files nevertheless.
const (
	awkCSV  = ` -F' *\\| *' '/^\| [+-]/ {print $2 "," $3 "," $4 "," $5 "," $6}' "$FILE"`
	awkJSON = ` -F' *\\| *' '/^\| [+-]/ {printf "{\"op\":\"%s\",\"row\":{\"name\":\"%s\",\"note\":\"%s\",\"n\":\"%s\",\"amount\":\"%s\"}}\n", $2, $3, $4, $5, $6}' "$FILE"`
	awkFold = ` -F' *\\| *' '/^\| [+-]/ {k=$3 "," $4 "," $5 "," $6; if ($2 ~ /^\+/) c[k]++; else if (--c[k] == 0) delete c[k]} END {for (k in c) for (i = 0; i < c[k]; i++) print k}' "$FILE"`
	pySplit = `python3 -c 'import sys,json
for l in open(sys.argv[1], encoding="utf-8"):
    if l.startswith("| +") or l.startswith("| -"):
        p=[c.strip() for c in l.split("|")[1:-1]]
        print(json.dumps({"op":p[0],"row":dict(zip(("name","note","n","amount"),p[1:]))},ensure_ascii=False))' "$FILE"`
)

const (
	lines = `wc -l "$FILE"`
	bars  = `grep -c '^| ' "$FILE"`
	jc    = `jc --asciitable < "$FILE"`
	mlr   = `mlr --infer-none --ipprint --barred-input --ojsonl cat "$FILE"`
	whole = `cat "$FILE"`
	pipe  = `cat "$FILE" | cat`
)

var comparisons = []comparison{
	{"decode and count", "ascii", "--list", 1, "wc", lines, goal{rate: 1000, ratio: 1.0 / 5, peak: 12}},
	{"decode and count", "mixed", "--list", 1, "wc", lines, goal{rate: 1000, ratio: 1.0 / 5, peak: 12}},
	{"decode and count", "mixed", "--list", 2, "wc", lines, goal{rate: 1600, ratio: 1 / 3.2, peak: 16}},
	{"decode and count", "cjk", "--list", 1, "wc", lines, goal{peak: 12}},
	{"decode and count", "hard", "--list", 1, "wc", lines, goal{peak: 12}},
	{"decode and count", "mixed", "--list", 1, "grep", bars, goal{ratio: 1 / 1.6}},
	{"decode and count", "mixed x10", "--list", 1, "wc", lines, goal{rate: 1000, ratio: 1.0 / 5, peak: 12}},
	{"decode and count", "mixed x10", "--list", 2, "wc", lines, goal{rate: 1600, ratio: 1 / 3.2, peak: 16}},
	{"decode and count", "mixed x10", "--list", 1, "grep", bars, goal{ratio: 1 / 1.6}},
	{"ndjson", "mixed", "-o ndjson", 1, "mawk", `mawk` + awkJSON, goal{rate: 700, ratio: 20, peak: 12}},
	{"ndjson", "mixed", "-o ndjson", 2, "mawk", `mawk` + awkJSON, goal{rate: 1000, peak: 16}},
	{"ndjson", "mixed", "-o ndjson", 1, "gawk", `gawk` + awkJSON, goal{ratio: 20}},
	{"ndjson", "mixed", "-o ndjson", 1, "python3", pySplit, goal{}},
	{"ndjson", "mixed", "-o ndjson", 1, "jc", jc, goal{}},
	{"ndjson", "mixed", "-o ndjson", 1, "mlr", mlr, goal{ratio: 13}},
	{"ndjson", "mixed", "-o ndjson", 2, "mlr", mlr, goal{ratio: 20}},
	{"ndjson", "ascii", "-o ndjson", 1, "mawk", `mawk` + awkJSON, goal{peak: 12}},
	{"ndjson", "cjk", "-o ndjson", 1, "mawk", `mawk` + awkJSON, goal{peak: 12}},
	{"ndjson", "hard", "-o ndjson", 1, "mawk", `mawk` + awkJSON, goal{peak: 12}},
	{"ndjson", "mixed x10", "-o ndjson", 1, "cat", whole, goal{rate: 700, peak: 12}},
	{"ndjson", "mixed x10", "-o ndjson", 2, "cat", whole, goal{rate: 1000, peak: 16}},
	{"ndjson", "100 rows", "-o ndjson", 1, "mawk", `mawk` + awkJSON, goal{rate: 400}},
	{"ndjson", "10 rows", "-o ndjson", 1, "mawk", `mawk` + awkJSON, goal{rate: 120}},
	{"csv", "mixed", "-o csv", 1, "mawk", `mawk` + awkCSV, goal{rate: 750, ratio: 20}},
	{"csv", "mixed", "-o csv", 1, "gawk", `gawk` + awkCSV, goal{ratio: 20}},
	{"final table", "mixed", "--final -o ndjson", 1, "mawk", `mawk` + awkFold, goal{rate: 400, ratio: 4}},
	{"final table", "wide table", "--final -o ndjson", 1, "mawk", `mawk` + awkFold, goal{rate: 300, ratio: 4}},
	{"final table", "wide table", "--final -o ndjson", 2, "mawk", `mawk` + awkFold, goal{rate: 600}},
	{"ndjson from a pipe", "mixed", "| -o ndjson", 2, "cat", pipe, goal{}},
	{"start", "tiny", "", 2, "hello", `"$HELLO"`, goal{after: 10 * time.Millisecond}},
}

// choose returns the comparisons whose task or data set holds a text.
func choose(only string) ([]comparison, error) {
	var chosen []comparison
	var have []string
	for _, c := range comparisons {
		if strings.Contains(c.task, only) || strings.Contains(c.dataset, only) {
			chosen = append(chosen, c)
		}
		if what := fmt.Sprintf("%s of %s", c.task, c.dataset); !slices.Contains(have, what) {
			have = append(have, what)
		}
	}
	if chosen == nil {
		return nil, fmt.Errorf("no task or data set holds %q; there are %s", only, strings.Join(have, ", "))
	}
	return chosen, nil
}

// bench makes the data sets, checks fmtout on each, and compares.
func bench(out io.Writer, rows, runs int, only string) error {
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "flinkread-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmtout := filepath.Join(dir, "fmtout")
	if msg, err := exec.Command("go", "build", "-o", fmtout, "./cmd/fmtout").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, msg)
	}
	hello := filepath.Join(dir, "hello")
	if err := buildHello(hello); err != nil {
		return err
	}
	fmt.Fprintf(out, "# Benchmarks\n\nMade by `go run ./bench -rows %d -runs %d` on %s: %s, %d cores, %s, %s.\n\n", rows, runs, time.Now().Format("2006-01-02"), processor(), runtime.NumCPU(), system(), runtime.Version())
	io.WriteString(out, `Whole processes, fmtout and the peer in turn; medians. The ratio is the peer's wall time divided by fmtout's: how
many times faster fmtout is (below 1: slower). Megabytes are 10^6 bytes of input, the peak is that of the memory that
is resident. Before it is timed, fmtout's output for each data set is compared, byte by byte, with the rows that the
data set was made from. The peers split at bars, so they are wrong where a value holds one.

Without -rows and -runs it takes less than eight minutes. -rows and -runs say how many rows a data set has and how
many runs of a command count (where they take long, three do); -only 'final table' takes only the comparisons whose
task or data set holds these words.

`)
	if rows != goalRows {
		fmt.Fprintf(out, "The goals are for data sets of %d rows, so whether they are met is not said here.\n\n", goalRows)
	}
	io.WriteString(out, `| task | data | cores | fmtout | MB/s | peak | peer | its time | ratio | goal |
|---|---|---:|---:|---:|---:|---|---:|---:|---|
`)
	files := make(map[string]string)
	missing := make(map[string]bool)
	for _, c := range chosen {
		if c.peer != "hello" && !installed(c.peer) {
			missing[c.peer] = true
			continue
		}
		file := files[c.dataset]
		if file == "" {
			if file, err = prepare(dir, fmtout, c.dataset, rows); err != nil {
				return err
			}
			files[c.dataset] = file
		}
		stat, err := os.Stat(file)
		if err != nil {
			return err
		}
		ours := measured{"fmtout", fmt.Sprintf(`"%s" "$FILE" %s`, fmtout, c.ours), []string{fmt.Sprintf("GOMAXPROCS=%d", c.cores)}}
		if args, ok := strings.CutPrefix(c.ours, "| "); ok {
			ours.shell = fmt.Sprintf(`cat "$FILE" | "%s" %s`, fmtout, args)
		}
		us, them, err := pair(ours, measured{c.peer, c.theirs, []string{"HELLO=" + hello}}, file, runs)
		if err != nil {
			return err
		}
		a, b := median(us), median(them)
		rate, ratio, peak := float64(stat.Size())/a.wall.Seconds()/1e6, b.wall.Seconds()/a.wall.Seconds(), float64(a.peak)/1024
		goal := c.goal.String()
		if goal != "" && rows == goalRows {
			if c.goal.met(rate, ratio, peak, a.wall-b.wall) {
				goal += ": met"
			} else {
				goal += ": missed"
			}
		}
		fmt.Fprintf(out, "| %s | %s | %d | %.3f s | %.0f | %.1f MiB | %s | %.3f s | %s | %s |\n", c.task, c.dataset, c.cores, a.wall.Seconds(),
			rate, peak, c.peer, b.wall.Seconds(), formatRatio(ratio, c.goal.ratio > 0), goal)
	}
	versions(out)
	fmt.Fprintf(out, "\n| data | what it is |\n|---|---|\n")
	for _, d := range datasets {
		fmt.Fprintf(out, "| %s | %s |\n", d.name, d.what)
	}
	if len(missing) > 0 {
		fmt.Fprintf(out, "\nNot installed, so not compared: %s.\n", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return nil
}

// prepare makes a data set, and checks what fmtout reads of it. A process of
// its own makes it: the system counts the memory of the process that starts a
// command as the command's, so this one must stay small.
func prepare(dir, fmtout, name string, rows int) (file string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".out")
	if msg, err := exec.Command(self, "-rows", fmt.Sprint(rows), "-make", name, file).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, msg)
	}
	check := exec.Command("sh", "-c", fmt.Sprintf(`"%s" "%s" -o ndjson | cmp - "%s.ndjson"`, fmtout, file, file))
	if msg, err := check.CombinedOutput(); err != nil {
		return "", fmt.Errorf("fmtout reads the data set %s otherwise than it was made: %w: %s", name, err, msg)
	}
	return file, os.Remove(file + ".ndjson")
}

func makeDataset(name string, rows int, file string) error {
	for _, d := range datasets {
		if d.name != name {
			continue
		}
		transcript, err := os.Create(file)
		if err != nil {
			return err
		}
		truth, err := os.Create(file + ".ndjson")
		if err != nil {
			return err
		}
		return errors.Join(d.write(d.rows(rows), transcript, truth), transcript.Close(), truth.Close())
	}
	return fmt.Errorf("no data set %s", name)
}

// buildHello builds the smallest program that prints something.
func buildHello(name string) error {
	source := name + ".go"
	if err := os.WriteFile(source, []byte("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello, world\") }\n"), 0o666); err != nil {
		return err
	}
	if msg, err := exec.Command("go", "build", "-o", name, source).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, msg)
	}
	return nil
}

// versions writes which peers there are.
func versions(out io.Writer) {
	fmt.Fprintf(out, "\n| peer | version |\n|---|---|\n")
	for _, peer := range [...][]string{
		{"wc", "--version"}, {"grep", "--version"}, {"cat", "--version"}, {"mawk", "-W", "version"}, {"gawk", "--version"},
		{"python3", "--version"}, {"jc", "--version"}, {"mlr", "--version"},
	} {
		if installed(peer[0]) {
			text, _ := exec.Command(peer[0], peer[1:]...).CombinedOutput() // some of them fail when asked
			line, _, _ := strings.Cut(string(text), "\n")
			fmt.Fprintf(out, "| %s | %s |\n", peer[0], strings.ReplaceAll(line, "|", ""))
		}
	}
}

// system returns the name and release of the operating system.
func system() string {
	name, err := exec.Command("uname", "-sr").Output()
	if err != nil {
		return runtime.GOOS
	}
	return strings.TrimSpace(string(name))
}

// processor returns the name of the processor where the system tells it, and
// whether it has the instructions by which rows are found.
func processor() string {
	if cpu.X86.HasAVX2 {
		return model() + " with AVX2"
	}
	return model() + " without AVX2"
}

// model returns the name of the processor where the system tells it.
func model() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimLeft(strings.TrimSpace(name), ": \t")
		}
	}
	return runtime.GOARCH
}
