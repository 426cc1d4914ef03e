package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/changelog"
)

// uniqueNames returns the names of the columns, in which those that repeat an
// earlier one have the smallest suffix _2, _3, ... that makes a name nobody
// has. The names in taken count as earlier ones. Names that JSON prints alike,
// because they differ in bytes that are not UTF-8, are the same name.
func uniqueNames(columns []changelog.Column, taken ...string) []string {
	printed := make(map[string]bool, len(columns))
	for _, c := range columns {
		printed[inJSON(c.Name)] = true
	}
	given := make(map[string]bool, len(columns))
	for _, name := range taken {
		given[inJSON(name)] = true
	}
	next := make(map[string]int) // the suffix to try, so that many equal names take no square of time
	names := make([]string, len(columns))
	for i, c := range columns {
		name, key := c.Name, inJSON(c.Name)
		if given[key] {
			n := max(next[key], 2)
			for ; printed[key+"_"+strconv.Itoa(n)] || given[key+"_"+strconv.Itoa(n)]; n++ {
			}
			next[key] = n + 1
			suffix := "_" + strconv.Itoa(n)
			name, key = name+suffix, key+suffix
		}
		given[key] = true
		names[i] = name
	}
	return names
}

// inJSON returns a name as it reads in JSON, where each byte that is not UTF-8
// is U+FFFD.
func inJSON(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return string([]rune(name))
}

// A keyFlag takes names of key columns, as a line of CSV. (That of pflag takes
// an empty line for no name, so that a script's empty variable would change what
// is asked for.)
type keyFlag struct{ names *[]string }

func (f *keyFlag) String() string { return "" }
func (f *keyFlag) Type() string   { return "column" }

func (f *keyFlag) Set(line string) error {
	records, err := csv.NewReader(strings.NewReader(line)).ReadAll()
	switch {
	case err != nil:
		return err
	case len(records) == 0:
		return errors.New("it names no column")
	case len(records) > 1:
		return errors.New("it has several lines")
	}
	*f.names = append(*f.names, records[0]...)
	return nil
}

func namesOf(columns []changelog.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// quoteNames lists names for a diagnostic.
func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return strings.Join(quoted, ", ")
}

// keyColumns returns the places of the key columns among names.
func keyColumns(key, names []string) ([]int, error) {
	var places []int
	for _, k := range key {
		i := slices.Index(names, k)
		if i < 0 {
			have := quoteNames(names)
			if have == "" {
				have = "none that were printed"
			}
			return nil, fmt.Errorf("no column %q to be the key; the result's columns are %s", k, have)
		}
		places = append(places, i)
	}
	return places, nil
}
