package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/seed-69e58989/flinkread/changelog"
)

// A statementFlag takes the number of the statement that is chosen; nil without one.
type statementFlag struct{ number **int }

func (f statementFlag) String() string { return "" }
func (f statementFlag) Type() string   { return "number" }

func (f statementFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return errors.New("a whole number is expected, -1 for the last statement")
	}
	*f.number = &n
	return nil
}

// A choice is a statement that could be chosen, by its file and --statement.
type choice struct {
	pos       changelog.Pos // of its first result
	statement int
	result    int // the number of its last result
	results   int // how many it has; a choice only if it is one
	sql       string
}

// choices are the statements that have results, in the order of the input.
type choices struct {
	first []choice // of them
	last  choice
	more  int // beyond first
}

const maxChoices = 20

// add takes a result.
func (c *choices) add(s *section) {
	if last := &c.last; last.results > 0 && last.pos.File == s.Pos.File && last.statement == s.Statement.Number && last.result < s.Number {
		last.result = s.Number
		last.results++
		if c.more == 0 {
			c.first[len(c.first)-1] = *last
		}
		return
	}
	c.last = choice{s.Pos, s.Statement.Number, s.Number, 1, oneLine(s.Statement.SQL)}
	if len(c.first) == maxChoices {
		c.more++
		return
	}
	c.first = append(c.first, c.last)
}

// A choiceError says that one result is wanted and there are others.
type choiceError struct {
	results int
	choices
}

func (e *choiceError) Error() string {
	if e.results == 0 {
		return "there is no result to write"
	}
	text := fmt.Sprintf("there are %d results, and only one can be written in this format; ", e.results)
	for _, c := range e.first {
		switch {
		case c.results > 1:
		case c.pos.File == e.first[0].pos.File && c.pos.File == e.last.pos.File:
			return text + "choose it by --statement"
		default:
			return text + "choose it by its file and --statement"
		}
	}
	if e.more > 0 {
		return text + "choose it by its file and --statement"
	}
	return text + "table, ndjson, json and markdown take all of them"
}

// lines returns one error for each statement that is known.
func (e *choiceError) lines() []error {
	var errs []error
	for _, c := range e.first {
		if c.results > 1 {
			errs = append(errs, fmt.Errorf("%v: statement %d has %d results, and none of them can be chosen", c.pos, c.statement, c.results))
			continue
		}
		sql := c.sql
		if sql == "" {
			sql = "(not printed)"
		}
		errs = append(errs, fmt.Errorf("%v: statement %d, result %d: %s", c.pos, c.statement, c.result, sql))
	}
	if e.more > 0 {
		errs = append(errs, fmt.Errorf("and %d more", e.more))
	}
	return errs
}
