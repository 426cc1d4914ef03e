// Package diag holds what the binaries share in telling their user how things
// went: exit codes, and diagnostics on standard error.
package diag

import (
	"io"

	"github.com/seed-69e58989/flinkread/internal/visible"
)

// A Code is the exit code of a binary. Of two codes the larger one is the worse.
type Code int

const (
	OK      Code = 0 // all well; there may be warnings
	Problem Code = 1 // the input is not what it should be, or a check failed
	Usage   Code = 2 // the command line, or a choice that must be made
	Failure Code = 3 // something cannot be read or written
)

// A Log writes diagnostics, one a line, and remembers the worst code.
type Log struct {
	w    io.Writer
	code Code
}

// NewLog returns a Log that writes to w.
func NewLog(w io.Writer) *Log { return &Log{w: w} }

// Report writes err as one line, with control characters made visible. An err
// with a place prints as "file:line:col: message".
func (l *Log) Report(code Code, err error) {
	l.Raise(code)
	// Where diagnostics cannot be written there is nobody to be told.
	l.w.Write(append(visible.Append(nil, err.Error()), '\n'))
}

// Write writes the diagnostics of another Log as they are.
func (l *Log) Write(p []byte) (int, error) { return l.w.Write(p) }

// Raise makes the code of the run at least code, without a word.
func (l *Log) Raise(code Code) { l.code = max(l.code, code) }

// Code returns the worst code so far.
func (l *Log) Code() Code { return l.code }
