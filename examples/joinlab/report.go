package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/seed-69e58989/flinkread/changelog"
)

// A figure is a number that the report must give.
type figure struct {
	key  string
	from []string // the questions whose rows it is made of
	of   func(tables) *apd.Decimal
	hint string
}

// tables are the rows that outputs end in, by question.
type tables map[string][]changelog.Row

var reportFigures = []figure{{
	key: "matched_orders", from: []string{"regular"},
	of:   func(t tables) *apd.Decimal { return sumOf(t["regular"], 1) },
	hint: "the orders of all tiers in regular.out, summed up over its final rows",
}, {
	key: "interval_rows", from: []string{"interval"},
	of:   func(t tables) *apd.Decimal { return apd.New(int64(len(t["interval"])), 0) },
	hint: "the number of final rows in interval.out",
}, {
	key: "unshipped_orders", from: []string{"unshipped"},
	of:   func(t tables) *apd.Decimal { return apd.New(int64(len(t["unshipped"])), 0) },
	hint: "the number of final rows in unshipped.out",
}, {
	key: "temporal_rows", from: []string{"temporal"},
	of:   func(t tables) *apd.Decimal { return apd.New(int64(len(t["temporal"])), 0) },
	hint: "the number of final rows in temporal.out",
}, {
	key: "orders_without_rate", from: []string{"count", "temporal"},
	of: func(t tables) *apd.Decimal {
		return difference(sumOf(only(t["count"], 0, "orders"), 1), apd.New(int64(len(t["temporal"])), 0))
	},
	hint: "the number of orders in count.out less the final rows in temporal.out",
}, {
	key: "usd_gap_krw", from: []string{"temporal", "latest"},
	of: func(t tables) *apd.Decimal {
		return difference(sumOf(only(t["latest"], 0, "USD"), 2), sumOf(only(t["temporal"], 1, "USD"), 3))
	},
	hint: "total_krw of USD in latest.out less the sum of amount_krw of all USD rows in temporal.out",
}}

// only gives the rows with a text in a column.
func only(rows []changelog.Row, column int, text string) []changelog.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r changelog.Row) bool { return r.Cells[column].Text != text })
}

// sumOf sums up a column. What is no number counts as none: the rows are then
// wrong, as another check says.
func sumOf(rows []changelog.Row, column int) *apd.Decimal {
	total := new(apd.Decimal)
	for _, r := range rows {
		if d, ok := number(r.Cells[column].Text); ok {
			total = sum(total, d)
		}
	}
	return total
}

// figures gives the figures that can be made of the tables at hand.
func (t tables) figures() map[string]*apd.Decimal {
	values := make(map[string]*apd.Decimal)
	for _, f := range reportFigures {
		if !slices.ContainsFunc(f.from, func(question string) bool { return !t.has(question) }) {
			values[f.key] = f.of(t)
		}
	}
	return values
}

func (t tables) has(question string) bool {
	_, ok := t[question]
	return ok
}

// reportAspects are what is checked of the report.
func reportAspects() []string {
	aspects := []string{"file"}
	for _, f := range reportFigures {
		aspects = append(aspects, f.key)
	}
	return append(aspects, "outputs")
}

// report checks report.json against the data and, in report.outputs, against
// the learner's own outputs.
func (s *submission) report(want map[string]*apd.Decimal) {
	const file = "report.json"
	isReport := check{Name: "report.file", Want: "a JSON object", Hint: "{\"matched_orders\": 1, ...}: one object with the six figures"}
	data, ok := s.read(file, isReport)
	if !ok {
		return
	}
	entries, err := readReport(data)
	isReport.Place, isReport.Got = file+":1:1", isReport.Want
	if err != nil {
		isReport.Got = err.Error()
	}
	if !s.equal(isReport) {
		return
	}
	outputs := s.tables.figures()
	var said, printed, unknown []string
	for _, f := range reportFigures {
		e, ok := entries[f.key]
		if !ok {
			s.judge(false, check{Name: "report." + f.key, Place: file + ":1:1", Got: "no " + f.key, Want: decimalText(want[f.key]), Hint: f.hint})
			continue
		}
		out, known := outputs[f.key]
		hint := f.explain(e, want[f.key])
		if known && e.is(out) {
			hint = "your outputs say this too: see to " + strings.Join(f.from, " and ") + " first"
		}
		s.judge(e.is(want[f.key]), check{Name: "report." + f.key, Place: placeIn(file, data, e.offset), Got: e.text, Want: decimalText(want[f.key]), Hint: hint})
		switch {
		case !known:
			unknown = append(unknown, f.key)
		case !e.is(out):
			said = append(said, f.key+" "+e.text)
			printed = append(printed, f.key+" "+decimalText(out))
		}
	}
	c := check{Name: "report.outputs", Place: file + ":1:1", Got: strings.Join(said, ", "), Want: strings.Join(printed, ", "),
		Hint: "the report does not say what your outputs say"}
	switch {
	case said != nil:
		s.judge(false, c)
	case unknown != nil:
		c.Status, c.Hint = notCheckable, "your outputs do not tell "+strings.Join(unknown, ", ")
		s.Checks = append(s.Checks, c)
	default:
		c.Got, c.Want = "what the outputs say", "what the outputs say"
		s.judge(true, c)
	}
}

// An entry is a value of the report.
type entry struct {
	text   string // as written
	offset int    // of its first byte
}

// placeIn gives the place of a byte.
func placeIn(file string, data []byte, offset int) string {
	before := data[:offset]
	return fmt.Sprintf("%s:%d:%d", file, 1+bytes.Count(before, []byte("\n")), offset-bytes.LastIndexByte(before, '\n'))
}

// readReport reads a JSON object and the places of its values.
func readReport(data []byte) (map[string]entry, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil {
		return nil, err
	} else if t != json.Delim('{') {
		return nil, errors.New("no JSON object")
	}
	entries := make(map[string]entry)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		entries[key.(string)] = entry{string(value), int(d.InputOffset()) - len(value)}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return entries, nil
}

func (e entry) is(want *apd.Decimal) bool {
	d, ok := number(e.text)
	return ok && d.Cmp(want) == 0
}

// explain says how a wrong figure may have come about.
func (f figure) explain(e entry, want *apd.Decimal) string {
	d, ok := number(e.text)
	if !ok {
		return "a number, without quotes: " + f.hint
	}
	apart := difference(d, want)
	switch {
	case sum(d, want).IsZero():
		return "the other way round: " + f.hint
	case apart.Abs(apart).Cmp(apd.New(1, 0)) < 0:
		return "nearly right: sum up decimals, which are exact, not floating point numbers, and round nothing"
	}
	return f.hint
}
