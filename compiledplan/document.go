package compiledplan

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What Parse reads at most. Real plans are far below: some hundred kilobytes, twenty levels.
const (
	MaxSize  = 64 << 20 // bytes
	MaxDepth = 1000     // levels, which is also the limit of Jackson, which Flink reads plans with
	MaxNodes = 1 << 16  // nodes, and edges four times that
)

const byteOrderMark = "\ufeff"

// A document is a checked text: one JSON value of bounded depth, in UTF-8, perhaps with something of any kind behind it.
type document struct {
	text     string
	root     value
	trailing int // offset of the first byte behind root that is not blank, or -1
}

func checkDocument(text string) (document, error) {
	doc := document{text: text, trailing: -1}
	fail := func(offset int, kind error, found Format, format string, args ...any) (document, error) {
		return document{}, &ParseError{Pos: (&locator{text: text}).at(offset), Err: kind, Found: found, Msg: fmt.Sprintf(format, args...)}
	}

	if found := binaryFormat(text); found != FormatUnknown {
		return fail(0, ErrSyntax, found, "its first bytes are those of a binary format")
	}
	bad := invalidUTF8(text)
	notUTF8 := func() (document, error) { return fail(bad, ErrEncoding, FormatUnknown, "byte %#02x", text[bad]) }
	start := len(text) - len(strings.TrimLeft(strings.TrimPrefix(text, byteOrderMark), " \t\r\n"))
	switch {
	case start == len(text):
		return fail(0, ErrEmpty, FormatUnknown, "it holds no plan")
	case text[start] != '{' && text[start] != '[':
		if bad < len(text) {
			return notUTF8()
		}
		return fail(start, ErrNotPlan, textFormat(text), "it begins with %s", firstRune(text[start:]))
	}

	end, open, err := firstValue(text, start)
	switch {
	case bad < end:
		return notUTF8()
	case err != nil:
		return fail(end, ErrDepth, FormatUnknown, "more than %d levels", MaxDepth)
	case open >= 0:
		// A cut text may be broken before its end as well; then that is what to tell.
		if start+syntaxOffset(text[start:]) < len(text) {
			break
		}
		opened := (&locator{text: text}).at(open)
		return fail(len(text), ErrTruncated, FormatUnknown, "it ends within what begins at %s", opened)
	}
	if body := text[start:end]; !validJSON(body) {
		at := min(syntaxOffset(body), len(body)-1)
		return fail(start+at, ErrSyntax, textFormat(text), "unexpected %s", firstRune(body[at:]))
	}
	doc.root = value{text[start:end], start}
	if rest := strings.TrimLeft(text[end:], " \t\r\n"); rest != "" {
		doc.trailing = len(text) - len(rest)
	}
	return doc, nil
}

// firstValue finds where the object or array that begins at start ends, or the place of its innermost bracket that is
// still open at the end of the text (else -1). It looks at brackets and strings only, and needs no stack but that of the
// open brackets; gjson would take one of the machine's for each level, before it knew how many there are.
func firstValue(text string, start int) (end, open int, err error) {
	var brackets []int
	for i := start; i < len(text); i++ {
		if !structural[text[i]] {
			continue
		}
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '{', '[':
			if len(brackets) == MaxDepth {
				return i, -1, ErrDepth
			}
			brackets = append(brackets, i)
		case '}', ']':
			brackets = brackets[:len(brackets)-1]
			if len(brackets) == 0 {
				return i + 1, -1, nil
			}
		}
	}
	return len(text), brackets[len(brackets)-1], nil
}

// structural are the bytes that firstValue must look at.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// stringEnd gives the place of the quote that ends the JSON string which begins at i, or the end of the text.
func stringEnd(text string, i int) int {
	for {
		n := strings.IndexByte(text[i+1:], '"')
		if n < 0 {
			return len(text)
		}
		end := i + 1 + n
		escapes := 0
		for text[end-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return end
		}
		i = end
	}
}

// syntaxOffset gives the offset of the byte that makes a text no JSON, or the text's length if it is only cut off. gjson
// tells that something is wrong, but not where.
func syntaxOffset(text string) int {
	decoder := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	var syntax *json.SyntaxError
	if err := decoder.Decode(&raw); errors.As(err, &syntax) {
		return int(syntax.Offset) - 1
	}
	return len(text)
}

// invalidUTF8 gives the place of the first byte that makes a text no UTF-8, or the text's length. What is left of an
// overwritten plan may begin within a character; that is behind the plan, and no reason to refuse it.
func invalidUTF8(text string) int {
	if utf8.ValidString(text) {
		return len(text)
	}
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return len(text)
}

// firstRune quotes the first character of a text for a message. No more, so that no option's value ever stands in one.
func firstRune(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strconv.Quote(text[:size])
}
