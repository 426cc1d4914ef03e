package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/seed-69e58989/flinkread/internal/command"
)

// options are what the command line says.
type options struct {
	final           bool
	key             []string
	list            bool
	statement       *int // nil: all
	output          string
	null            *string // nil: the release's word
	typed           bool
	types           *typeSpec // nil: none given
	strict          bool
	allowUnfinished bool
}

// json reports whether the results are written as JSON.
func (o *options) json() bool { return !o.list && (o.output == "ndjson" || o.output == "json") }

const help = `fmtout reads what Flink's SQL client printed, and prints its results anew: as clean
tables, JSON, CSV, TSV or Markdown, as changes or as the tables that they fold into.

It reads the named files, or standard input without any; "-" is standard input, too.
Files compressed with gzip or zstd are read as they are.`

const examples = `  fmtout q.out                          every result as a table
  fmtout q.out --final                  every changelog folded into its final table
  fmtout q.out --key tier               the same, where tier is the key of the rows
  fmtout q.out --list                   one line for each statement: did it work?
  fmtout q.out --statement -1 -o csv    the last statement's result as CSV
  fmtout q.out -o json --types 'id BIGINT, tags ARRAY<STRING>'
                                        the values by their types, not as text
  fmtout -o ndjson logs/*.out.gz        every row of many files as a line of JSON
  sql-client.sh -f q.sql 2>&1 | fmtout  straight from the client`

const exitCodes = `
Exit code:
  0  all is well
  1  a statement failed, a result is unfinished or damaged, a statement has no outcome,
     or the input holds nothing that the client writes
  2  the command line is wrong, names something that the input does not have,
     or leaves a choice open
  3  something cannot be read or written
`

// run runs fmtout and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	opts := options{}
	var null, types string
	cmd := &cobra.Command{Use: "fmtout [flags] [FILE...]", Long: help, Example: examples}
	flags := cmd.Flags()
	flags.BoolVar(&opts.final, "final", false, "fold each changelog into its final table")
	flags.Var(&keyFlag{names: &opts.key}, "key", "fold by this key `column`; repeat it or separate several by\ncommas, as in CSV: --key '\"a, b\",c' are two columns")
	flags.BoolVar(&opts.list, "list", false, "print one line for each statement instead of the results")
	flags.Var(statementFlag{&opts.statement}, "statement", "take only the statement of this `number`, from 1; -1 is the last")
	flags.StringVarP(&opts.output, "output", "o", "table", "print in this `format`: table, ndjson (an object for each row), json,\ncsv, tsv or markdown")
	flags.StringVar(&null, "null", "", "the `word` that the client printed for null, if it is not\n<NULL> or (NULL)")
	flags.BoolVar(&opts.typed, "typed", false, "in JSON, write numbers, booleans, arrays and objects where the\ntype of a column is known: by --types, or by a DESCRIBE before\nthe result")
	flags.StringVar(&types, "types", "", "the `types` of the columns, as 'a INT, b ARRAY<STRING>', or the file\nof a compiled plan (with :ID for another operator than its sink);\nJSON is then typed, and the rows of print sinks are split")
	flags.BoolVar(&opts.strict, "strict", false, "recover no row that does not fit its border, and exit with 1\nfor warnings, too")
	flags.BoolVar(&opts.allowUnfinished, "allow-unfinished", false, "do not exit with 1 for results that are cut off")

	do := func(env *command.Env) error {
		if flags.Changed("null") {
			opts.null = &null
		}
		opts.final = opts.final || len(opts.key) > 0
		given := flags.Changed("types")
		opts.typed = opts.typed || given && opts.json()
		if given && opts.list {
			return fmt.Errorf("--list prints no rows that --types could split")
		}
		f, err := newFormat(&opts, env.Out, env.Terminal)
		if err != nil {
			return err
		}
		s := &session{Env: env, options: &opts, format: f}
		if given {
			if opts.types, err = readTypes(types); err != nil {
				return s.badTypes(err)
			}
		}
		s.files()
		return nil
	}
	return command.Run(cmd, exitCodes, do, args, stdin, stdout, stderr)
}
