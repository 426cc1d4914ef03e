package main

import (
	"io"
	"runtime"
	"sync/atomic"

	"github.com/seed-69e58989/flinkread/internal/command"
	"github.com/seed-69e58989/flinkread/internal/diag"
	"github.com/seed-69e58989/flinkread/internal/stream"
)

// maxSideBySide is how many files are read at a time at the most.
const maxSideBySide = 4

// A divisible format writes a file in the same way whatever the files before it.
type divisible interface {
	format
	// another returns such a format, which writes to out.
	another(out *stream.Output) format
}

// sideBySide reads the files at the same time, as many as there are cores. What each
// writes, and what goes wrong with it, comes behind that of the files before: who has
// something to write waits for its turn.
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
			out := stream.NewOutput(inTurn{s.Out, mine}, "standard output")
			log := diag.NewLog(inTurn{s.Log, mine})
			one := &session{
				Env:     &command.Env{Files: s.Files, Stdin: s.Stdin, Out: out, Log: log},
				options: s.options, format: f.another(out),
			}
			err := one.open(name)
			if err == nil {
				err = out.Flush()
			}
			<-mine
			s.Log.Raise(log.Code())
			if err != nil {
				failed.Store(true)
			}
		}()
	}
	<-turn
}

// inTurn writes when it is its turn.
type inTurn struct {
	w    io.Writer
	turn <-chan struct{}
}

func (w inTurn) Write(p []byte) (int, error) {
	<-w.turn
	return w.w.Write(p)
}
