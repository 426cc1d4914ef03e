// Command joinlab grades the lab of three joins: a learner's saved output of
// Flink's SQL client, three compiled plans and a report, against answers that
// it computes from the lab's data.
//
//	joinlab [-o text|json|junit] DATA_DIR WORK_DIR...
//
// DATA_DIR holds the lab's four CSV files. Each WORK_DIR holds one submission:
// count, regular, interval, unshipped, temporal and latest, each as .sql and
// .out; regular-plan.json, interval-plan.json and temporal-plan.json; ddl.sql;
// and report.json. Graded is what Flink printed and compiled, and the report.
// The statements themselves are not graded, since there are many right ways to
// write them; they only help to choose a hint.
//
// Every submission gets the same checks, in the same order. A check passes,
// fails, or is not checkable, which is said of one that depends on something
// that failed before it. A submission passes if all its checks pass.
//
// The exit code is 0 if all submissions pass, 1 if one does not, 2 for a wrong
// command line, and 3 if something cannot be read or written.
//
// The program is also an example, explained in docs/graders.md: it stands on
// the exported packages of flinkread alone.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// The exit codes; of several the largest counts.
const (
	exitPassed     = 0
	exitFailed     = 1
	exitUsage      = 2
	exitUnreadable = 3
)

func main() {
	// What a submission takes is soon gone: a few megabytes, whose collection
	// would take a third of the time. Of a large one it is collected.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(1 << 30)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("joinlab", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: joinlab [-o text|json|junit] DATA_DIR WORK_DIR...")
	}
	format := flags.String("o", "text", "")
	switch err := flags.Parse(args); {
	case err == flag.ErrHelp:
		return exitPassed
	case err != nil:
		return exitUsage
	}
	newPrinter := printers[*format]
	if newPrinter == nil || flags.NArg() < 2 {
		flags.Usage()
		return exitUsage
	}

	g, err := newGrader(os.DirFS(flags.Arg(0)))
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", flags.Arg(0), err)
		return exitUnreadable
	}
	code := exitPassed
	out := newPrinter(bufio.NewWriter(stdout))
	for s := range gradeAll(g, flags.Args()[1:]) {
		for _, err := range s.unreadable {
			fmt.Fprintf(stderr, "%s: %v\n", s.Work, err)
			code = max(code, exitUnreadable)
		}
		if !s.Passed {
			code = max(code, exitFailed)
		}
		out.add(s)
	}
	if err := out.end(); err != nil {
		fmt.Fprintln(stderr, err)
		return exitUnreadable
	}
	return code
}

// gradeAll grades submissions side by side and gives them in their order.
func gradeAll(g *grader, works []string) iter.Seq[*submission] {
	return func(yield func(*submission) bool) {
		next := make(chan int)
		graded := make([]chan *submission, len(works))
		for i := range graded {
			graded[i] = make(chan *submission, 1)
		}
		var workers sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			workers.Go(func() {
				for i := range next {
					graded[i] <- g.gradeDir(works[i])
				}
			})
		}
		go func() {
			for i := range works {
				next <- i
			}
			close(next)
		}()
		for _, c := range graded {
			if !yield(<-c) {
				break
			}
		}
		workers.Wait()
	}
}
