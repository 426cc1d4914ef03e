package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // writing then fails with EPIPE, and the exit code stays one of ours
	os.Exit(command{os.Stdin, os.Stdout, os.Stderr}.run(os.Args[1:]))
}
