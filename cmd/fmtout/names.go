package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
)

// uniqueNames returns the names of the columns, in which those that repeat an
// earlier one have the smallest suffix _2, _3, ... that makes a name nobody
// has. The names in taken count as earlier ones.
func uniqueNames(columns []changelog.Column, taken ...string) []string {
	printed := make(map[string]bool, len(columns))
	for _, c := range columns {
		printed[c.Name] = true
	}
	given := make(map[string]bool, len(columns))
	for _, name := range taken {
		given[name] = true
	}
	next := make(map[string]int) // the suffix to try, so that many equal names take no square of time
	names := make([]string, len(columns))
	for i, c := range columns {
		name := c.Name
		if given[name] {
			n := max(next[name], 2)
			for ; printed[name+"_"+strconv.Itoa(n)] || given[name+"_"+strconv.Itoa(n)]; n++ {
			}
			next[name] = n + 1
			name += "_" + strconv.Itoa(n)
		}
		given[name] = true
		names[i] = name
	}
	return names
}

// keyColumns returns the places of the key columns among names.
func keyColumns(key, names []string) ([]int, error) {
	var places []int
	for _, k := range key {
		i := slices.Index(names, k)
		if i < 0 {
			quoted := make([]string, len(names))
			for i, name := range names {
				quoted[i] = strconv.Quote(name)
			}
			have := strings.Join(quoted, ", ")
			if have == "" {
				have = "none that were printed"
			}
			return nil, fmt.Errorf("no column %q to be the key; the result's columns are %s", k, have)
		}
		places = append(places, i)
	}
	return places, nil
}
