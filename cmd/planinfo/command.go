package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/seed-69e58989/flinkread/compiledplan"
	"github.com/seed-69e58989/flinkread/internal/command"
	"github.com/seed-69e58989/flinkread/internal/diag"
	"github.com/seed-69e58989/flinkread/internal/stream"
)

// options are what the command line says.
type options struct {
	output      string
	showOptions bool
	strict      bool
}

const help = `planinfo reads compiled plans of Flink SQL, which COMPILE PLAN writes, of Flink 1.15 to 2.3.
It tells of each operator that remembers something what it holds, which time-to-live
governs that and until when it stays, and whether the operator amends what it put out.
Joins that hold nothing are listed as well. What is worth knowing before such a job runs
comes behind.

It reads the named files, or standard input without any; "-" is standard input, too.
Files compressed with gzip or zstd are read as they are.`

const examples = `  planinfo plan.json                    what the job remembers, as a table
  planinfo plan.json -o ndjson          every operator as a line of JSON
  planinfo old.json new.json            several plans
  planinfo plan.json --show-options     the tables' options as well, secrets masked
  zstd -dc plan.json.zst | planinfo     from standard input`

const exitCodes = `
Exit code:
  0  all is well; findings do not change it, nor what Flink takes in its own way
  1  a file is no compiled plan, or Flink would refuse the plan; with --strict also
     what Flink takes in its own way
  2  the command line is wrong
  3  something cannot be read or written
`

// run runs planinfo and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var opts options
	cmd := &cobra.Command{Use: "planinfo [flags] [FILE...]", Long: help, Example: examples}
	flags := cmd.Flags()
	flags.StringVarP(&opts.output, "output", "o", "table", "print in this `format`: table, ndjson (a JSON object a line), json (these\nobjects in one array) or markdown")
	flags.BoolVar(&opts.showOptions, "show-options", false, "print the options of tables as well, with *** for what looks secret")
	flags.BoolVar(&opts.strict, "strict", false, "exit with 1 also for what Flink takes in its own way, which is\nreported but leaves 0 (findings never change the exit code)")

	do := func(env *command.Env) error {
		printer, err := newPrinter(opts, env.Out, len(env.Files) > 1)
		if err != nil {
			return err
		}
		for _, name := range env.Files {
			if plan, name := read(name, env.Stdin, env.Log, opts.strict); plan != nil {
				printer.print(name, plan)
			}
		}
		printer.end()
		return nil
	}
	return command.Run(cmd, exitCodes, do, args, stdin, stdout, stderr)
}

// read reads a plan and reports what Flink would object to. It returns the plan, nil if there is none to be told of, and
// the file's name.
func read(file string, stdin io.Reader, log *diag.Log, strict bool) (plan *compiledplan.Plan, name string) {
	in, err := stream.Open(file, stdin)
	if err != nil {
		log.Report(diag.Failure, err)
		return nil, file
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, compiledplan.MaxSize+1))
	if err != nil {
		log.Report(diag.Failure, fmt.Errorf("%s: %w", in.Name, err))
		return nil, in.Name
	}
	plan, err = compiledplan.Parse(data)
	if refused := (*compiledplan.ParseError)(nil); errors.As(err, &refused) && refused.Found == compiledplan.FormatTranscript {
		err = fmt.Errorf("%w, which fmtout reads", err)
	}
	if err != nil {
		log.Report(diag.Problem, fmt.Errorf("%s:%w", in.Name, err))
		return nil, in.Name
	}
	for _, problem := range plan.Validate() {
		code := diag.Problem
		if problem.Severity < compiledplan.SeverityError && !strict {
			code = diag.OK
		}
		log.Report(code, fmt.Errorf("%s:%s", in.Name, problem))
	}
	return plan, in.Name
}
