// Package command is what the command lines of the binaries share: which files
// to read, help and version, and how all that goes wrong becomes a diagnostic
// and an exit code.
package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/seed-69e58989/flinkread/internal/diag"
	"github.com/seed-69e58989/flinkread/internal/stream"
)

// A Func is a binary: its command line and streams, and its exit code.
type Func func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Main runs a binary with the streams of the process, and exits.
func Main(run Func) {
	signal.Ignore(syscall.SIGPIPE) // writing then fails with EPIPE, and the exit code stays one of ours
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// An Env is what a command reads and writes.
type Env struct {
	Files    []string // one at least; "-" is Stdin
	Stdin    io.Reader
	Out      *stream.Output
	Terminal bool // Out goes to a terminal
	Log      *diag.Log
}

// Run reads the command line and calls do. Of cmd it needs the text and the
// flags. ExitCodes stands below the help. An error of do is one of usage:
// everything else is reported to the Log, or stays in Out.
func Run(cmd *cobra.Command, exitCodes string, do func(*Env) error, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	env := &Env{
		Stdin:    stdin,
		Out:      stream.NewOutput(stdout, "standard output"),
		Terminal: stream.IsTerminal(stdout),
		Log:      diag.NewLog(stderr),
	}
	cmd.Version = version()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.Args = cobra.ArbitraryArgs
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.RunE = func(_ *cobra.Command, files []string) error {
		if len(files) == 0 {
			files = []string{"-"}
		}
		for _, name := range files {
			if name == "-" && stream.IsTerminal(stdin) {
				return errors.New("standard input is a terminal; name a file to read")
			}
		}
		env.Files = files
		return do(env)
	}
	cmd.SetArgs(append([]string{}, args...)) // never nil, which would mean os.Args
	cmd.SetIn(stdin)
	cmd.SetOut(env.Out)
	cmd.SetErr(stderr)
	cmd.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	cmd.SetUsageTemplate(cmd.UsageTemplate() + exitCodes)
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolP("help", "h", false, "print this help")
	cmd.Flags().BoolP("version", "v", false, "print the version")

	if err := cmd.Execute(); err != nil {
		env.Log.Report(diag.Usage, fmt.Errorf("%s: %w", cmd.Name(), err))
		fmt.Fprintf(stderr, "Run '%s --help' for usage.\n", cmd.Name())
	}
	if err := env.Out.Flush(); err != nil && !stream.ReaderGone(err) {
		env.Log.Report(diag.Failure, err)
	}
	return int(env.Log.Code())
}
