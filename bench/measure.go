package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// A usage is what one run of a command took.
type usage struct {
	wall, cpu time.Duration
	peak      int64 // KiB
}

// A measured command is one that reads a file and writes to standard output.
type measured struct {
	name  string
	shell string // the command, with $FILE for the file
	env   []string
}

// run runs the command once and throws its output away: into the null device, so
// that nobody's reading is measured. Grep stops at the first match where it sees
// that nobody reads, so its output, which is short, goes through a pipe.
func (m measured) run(file string) (usage, error) {
	cmd := exec.Command("sh", "-c", "exec "+m.shell)
	cmd.Env = append(append(os.Environ(), "FILE="+file, "LC_ALL=C.UTF-8"), m.env...)
	if m.name == "grep" {
		cmd.Stdout = io.Discard
	}
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s: %w", m.name, err)
	}
	u := usage{wall: time.Since(start), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.peak = int64(r.Maxrss) // which has 32 bits on some processors
	}
	return u, nil
}

// patience is how long two commands are run in turn, if they have run three
// times each.
const patience = 12 * time.Second

// pair runs two commands in turn, and returns the usage of each run but the
// first of each, which warms up.
func pair(a, b measured, file string, runs int) (as, bs []usage, err error) {
	start := time.Now()
	for i := range runs + 1 {
		if i > 3 && time.Since(start) > patience {
			break
		}
		ua, err := a.run(file)
		if err != nil {
			return nil, nil, err
		}
		ub, err := b.run(file)
		if err != nil {
			return nil, nil, err
		}
		if i > 0 {
			as, bs = append(as, ua), append(bs, ub)
		}
	}
	return as, bs, nil
}

// median returns the usage whose wall time is the median; its other figures
// are the medians of their own.
func median(us []usage) usage {
	pick := func(f func(usage) int64) int64 {
		vs := make([]int64, len(us))
		for i, u := range us {
			vs[i] = f(u)
		}
		slices.Sort(vs)
		return vs[len(vs)/2]
	}
	return usage{
		wall: time.Duration(pick(func(u usage) int64 { return int64(u.wall) })),
		cpu:  time.Duration(pick(func(u usage) int64 { return int64(u.cpu) })),
		peak: pick(func(u usage) int64 { return u.peak }),
	}
}

// installed reports whether a program can be run.
func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}
