package compiledplan

import (
	"errors"
	"fmt"
)

// What is wrong with an input that [Parse] refuses; a [ParseError] wraps exactly one of them.
var (
	ErrEmpty     = errors.New("the file is empty")
	ErrEncoding  = errors.New("not UTF-8")
	ErrSize      = errors.New("too large")
	ErrDepth     = errors.New("nested too deeply")
	ErrTruncated = errors.New("the JSON is cut off")
	ErrSyntax    = errors.New("not JSON")
	ErrNotPlan   = errors.New("not a compiled plan")
	ErrStructure = errors.New("not the structure of a compiled plan")
)

// A ParseError says why [Parse] refused an input, where, and what the input is instead of a plan, as far as that is known.
type ParseError struct {
	Pos   Pos
	Err   error  // ErrEmpty, ErrEncoding, ErrSize, ErrDepth, ErrTruncated, ErrSyntax, ErrNotPlan or ErrStructure
	Found Format // what the input seems to be; FormatUnknown if nothing speaks for anything
	Msg   string // what was met; never a value of the input's options
}

// Error gives line:column: message.
func (e *ParseError) Error() string {
	msg := e.Msg
	if e.Found != FormatUnknown {
		msg += "; it seems to be " + e.Found.String()
	}
	return fmt.Sprintf("%s: %v: %s", e.Pos, e.Err, msg)
}

func (e *ParseError) Unwrap() error { return e.Err }
