package stream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
)

func TestOutput(t *testing.T) {
	var got bytes.Buffer
	var want strings.Builder
	o := NewOutput(&got, "standard output")
	for i := range 20_000 {
		line := fmt.Sprintf("line %d\n", i)
		want.WriteString(line)
		if i%2 == 0 {
			o.Buf = append(o.Buf, line...)
			if err := o.Spill(); err != nil {
				t.Fatal(err)
			}
		} else if _, err := io.WriteString(o, line); err != nil {
			t.Fatal(err)
		}
		if len(o.Buf) >= outputSize {
			t.Fatalf("%d bytes wait", len(o.Buf))
		}
	}
	if err := o.Flush(); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() {
		t.Error("wrote other bytes")
	}
}

type failing struct {
	err    error
	writes int
}

func (f *failing) Write(p []byte) (int, error) {
	f.writes++
	return len(p) / 2, f.err
}

func TestOutputErrors(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
		gone bool
	}{
		{syscall.ENOSPC, "standard output: no space left on device", false},
		{syscall.EPIPE, "standard output: broken pipe", true},
		{io.ErrClosedPipe, "standard output: io: read/write on closed pipe", true},
		{nil, "standard output: short write", false},
	} {
		w := &failing{err: test.err}
		o := NewOutput(w, "standard output")
		o.Buf = append(o.Buf, "data"...)
		err := o.Flush()
		if named := (*Error)(nil); !errors.As(err, &named) || err.Error() != test.want {
			t.Errorf("Flush = %v, want %s", err, test.want)
		}
		if got := ReaderGone(err); got != test.gone {
			t.Errorf("ReaderGone(%v) = %v", err, got)
		}
		o.Buf = append(o.Buf, "more"...)
		if again := o.Flush(); again != err || w.writes != 1 {
			t.Errorf("after an error, Flush = %v and %d writes", again, w.writes)
		}
	}
}
