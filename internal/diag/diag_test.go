package diag

import (
	"errors"
	"strings"
	"testing"
)

func TestLog(t *testing.T) {
	var b strings.Builder
	l := NewLog(&b)
	if l.Code() != OK {
		t.Errorf("a new log has code %d", l.Code())
	}
	l.Report(OK, errors.New("q.out:3:1: row recovered"))
	l.Report(Usage, errors.New("unknown column"))
	l.Report(Problem, errors.New("q\x1b[31m.out:1:1: two\nlines"))
	if want := "q.out:3:1: row recovered\nunknown column\nq␛[31m.out:1:1: two␊lines\n"; b.String() != want {
		t.Errorf("wrote %q, want %q", b.String(), want)
	}
	if l.Code() != Usage {
		t.Errorf("code = %d, want the worst, %d", l.Code(), Usage)
	}
	l.Raise(Failure)
	if l.Code() != Failure {
		t.Errorf("code = %d after a failure", l.Code())
	}
}
