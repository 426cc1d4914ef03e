package datatype

import (
	"errors"
	"fmt"
)

// ErrDepth is wrapped by the *SyntaxError for a type that nests deeper than 100 levels. No real one comes near.
var ErrDepth = errors.New("nested too deeply")

// ErrLength is wrapped by the *SyntaxError for the text of a type that is longer than 64 KiB and not spelt as Flink's
// plans spell it, and by the *ValueError for the text of a value that would take too much memory to be taken apart, see
// [Type.ParseValue] and [SplitFields].
var ErrLength = errors.New("text too long")

const (
	maxDepth = 100
	maxText  = 1 << 16

	depthMessage = "more than 100 levels"
)

// A SyntaxError says where the text of a type, or a plan's type value, could not be read.
type SyntaxError struct {
	Text   string // what was being read: the text of a type, or the JSON value
	Offset int    // where the trouble is or, if it lies in what was read last, began: in bytes from 0, at most len(Text)
	Msg    string
	Err    error // ErrDepth, ErrLength, or nil
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("data type %s: offset %d: %s", quoteAround(e.Text, e.Offset), e.Offset, e.Msg)
}

func (e *SyntaxError) Unwrap() error { return e.Err }

// quoteAround quotes a text, or what stands around an offset of a long one: the input may be hostile, so neither its
// length nor its control characters reach a message.
func quoteAround(text string, offset int) string {
	const before, after = 40, 40
	start, end := 0, len(text)
	if end > before+after {
		start = max(0, min(offset, end)-before)
		end = min(end, start+before+after)
	}
	s := fmt.Sprintf("%q", text[start:end])
	if start > 0 {
		s = "..." + s
	}
	if end < len(text) {
		s += "..."
	}
	return s
}
