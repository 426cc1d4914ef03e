package main

import (
	"io"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/seed-69e58989/flinkread/internal/command"
	"github.com/seed-69e58989/flinkread/internal/diag"
	"github.com/seed-69e58989/flinkread/internal/stream"
)

const (
	// maxSideBySide is how many files are read at a time at the most.
	maxSideBySide = 4
	// maxAside is how long a file may be that is read before its turn. A longer one
	// keeps all cores busy, and may need as much memory as one should.
	maxAside = 1 << 20
)

// A divisible format writes a file in the same way whatever the files before it.
type divisible interface {
	format
	// another returns such a format, which writes to out.
	another(out *stream.Output) format
}

// sideBySide reads short files at the same time, as many as there are cores. What each
// writes, and what goes wrong with it, comes behind that of the files before: who has
// something to write waits for its turn. When the output has failed, nothing comes.
func (s *session) sideBySide(f divisible) {
	cores := make(chan struct{}, min(runtime.GOMAXPROCS(0), maxSideBySide))
	turn := make(chan struct{})
	close(turn) // the first one's
	var failed atomic.Bool
	for _, name := range s.Files {
		cores <- struct{}{}
		if failed.Load() {
			<-cores
			break
		}
		mine, next := turn, make(chan struct{})
		turn = next
		go func() {
			defer func() { <-cores }()
			defer close(next)
			out := stream.NewOutput(inTurn{s.Out, mine, &failed}, "standard output")
			log := diag.NewLog(inTurn{s.Log, mine, &failed})
			one := &session{
				Env:     &command.Env{Files: s.Files, Stdin: s.Stdin, Out: out, Log: log},
				options: s.options, format: f.another(out), turn: mine,
			}
			err := one.open(name)
			if err == nil {
				err = out.Flush()
			}
			if <-mine; !failed.Load() {
				s.Log.Raise(log.Code())
			}
			if err != nil {
				failed.Store(true)
			}
		}()
	}
	<-turn
}

// isStream reports whether the named file can be read once only, so that it is not to
// be looked at before its turn.
func isStream(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.Mode().IsRegular()
}

// inTurn writes when it is its turn, unless the output has failed by then.
type inTurn struct {
	w      io.Writer
	turn   <-chan struct{}
	failed *atomic.Bool
}

func (w inTurn) Write(p []byte) (int, error) {
	if <-w.turn; w.failed.Load() {
		return len(p), nil
	}
	return w.w.Write(p)
}
