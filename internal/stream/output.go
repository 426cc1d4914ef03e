package stream

import (
	"errors"
	"io"
	"syscall"
)

// outputSize is how much an Output collects before it writes.
const outputSize = 64 << 10

// An Output collects bytes and writes them in large pieces. The first error
// stays: what comes after it is dropped.
type Output struct {
	// Buf is what was not written yet. The caller appends to it and then calls
	// Spill, so that a row is written without a copy of its own.
	Buf []byte

	name string
	w    io.Writer
	err  error
}

// NewOutput returns an Output that writes to w; name stands in its errors.
func NewOutput(w io.Writer, name string) *Output {
	return &Output{name: name, w: w}
}

// Spill writes Buf if enough has been collected.
func (o *Output) Spill() error {
	if len(o.Buf) < outputSize {
		return o.err
	}
	return o.Flush()
}

// Flush writes Buf. Its error is of type *Error.
func (o *Output) Flush() error {
	if o.err == nil && len(o.Buf) > 0 {
		if n, err := o.w.Write(o.Buf); err != nil {
			o.err = newError(o.name, err)
		} else if n < len(o.Buf) {
			o.err = newError(o.name, io.ErrShortWrite)
		}
	}
	o.Buf = o.Buf[:0]
	return o.err
}

// Write appends p to Buf, and writes Buf if enough has been collected.
func (o *Output) Write(p []byte) (int, error) {
	o.Buf = append(o.Buf, p...)
	if err := o.Spill(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// ReaderGone reports whether err says that nobody reads the output any more,
// which is no fault: `| head` does it.
func ReaderGone(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
