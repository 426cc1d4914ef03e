package changelog_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-69e58989/flinkread/changelog"
)

func row(kind changelog.RowKind, texts ...string) changelog.Row {
	r := changelog.Row{Kind: kind}
	for _, text := range texts {
		c := changelog.Cell{Text: text}
		if text == "<NULL>" {
			c.Marks = changelog.Null
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

func print(t *changelog.Table) {
	for r := range t.Rows() {
		for i, c := range r.Cells {
			if i > 0 {
				fmt.Print(" | ")
			}
			fmt.Print(c.Text)
		}
		fmt.Println()
	}
}

// SELECT name, COUNT(*) AS cnt ... GROUP BY name HAVING COUNT(*) < 2: the
// second row of a takes its group out of the result by a -U that no +U follows.
// The last +U or +I of each name would still show it.
func ExampleTable_having() {
	t := changelog.NewTable([]changelog.Column{{Name: "name"}, {Name: "cnt"}})
	for _, r := range []changelog.Row{
		row(changelog.Insert, "a", "1"),
		row(changelog.Insert, "b", "1"),
		row(changelog.UpdateBefore, "a", "1"),
	} {
		if err := t.Apply(r); err != nil {
			fmt.Println(err)
		}
	}
	print(t)
	// Output:
	// b | 1
}

// A regular LEFT JOIN first emits a row without a match, and deletes it when
// the match comes: -D and +I, no update.
func ExampleTable_leftJoin() {
	t := changelog.NewTable([]changelog.Column{{Name: "order_id"}, {Name: "ship_id"}})
	for _, r := range []changelog.Row{
		row(changelog.Insert, "o1", "<NULL>"),
		row(changelog.Insert, "o2", "<NULL>"),
		row(changelog.Delete, "o1", "<NULL>"),
		row(changelog.Insert, "o1", "s7"),
	} {
		if err := t.Apply(r); err != nil {
			fmt.Println(err)
		}
	}
	print(t)
	// Output:
	// o2 | <NULL>
	// o1 | s7
}

// Without a key rows may repeat, and a retraction takes one of them.
func ExampleTable_duplicates() {
	t := changelog.NewTable([]changelog.Column{{Name: "x"}})
	for _, r := range []changelog.Row{
		row(changelog.Insert, "1"),
		row(changelog.Insert, "1"),
		row(changelog.Insert, "1"),
		row(changelog.Delete, "1"),
	} {
		if err := t.Apply(r); err != nil {
			fmt.Println(err)
		}
	}
	print(t)
	// Output:
	// 1
	// 1
}

// An upsert changelog has no -U and needs its key.
func ExampleNewTable_key() {
	cols := []changelog.Column{{Name: "name"}, {Name: "cnt"}}
	t := changelog.NewTable(cols, 0)
	for _, r := range []changelog.Row{
		row(changelog.Insert, "a", "1"),
		row(changelog.Insert, "b", "1"),
		row(changelog.UpdateAfter, "a", "2"),
		row(changelog.Delete, "b", "<NULL>"),
	} {
		if err := t.Apply(r); err != nil {
			fmt.Println(err)
		}
	}
	print(t)
	// Output:
	// a | 2
}

// A changelog whose beginning is missing retracts rows that the table has never
// seen.
func ExampleAnomaly() {
	t := changelog.NewTable([]changelog.Column{{Name: "name"}, {Name: "cnt"}})
	r := row(changelog.UpdateBefore, "a", "1")
	r.Pos = changelog.Pos{File: "q.out", Offset: 412, Line: 9, Col: 1}
	err := t.Apply(r)
	var a *changelog.Anomaly
	if errors.As(err, &a) {
		fmt.Println(a.Kind)
		fmt.Println(a)
	}
	// Output:
	// absent row
	// q.out:9:1: -U of a row that is not in the table
}

func ExampleDiff() {
	got := []changelog.Row{row(changelog.None, "a", "1"), row(changelog.None, "b", "<NULL>"), row(changelog.None, "b", "<NULL>")}
	want := []changelog.Row{row(changelog.None, "b", "<NULL>"), row(changelog.None, "a", "2")}
	missing, extra := changelog.Diff(slices.Values(got), slices.Values(want))
	for _, r := range missing {
		fmt.Println("missing:", r.Cells[0].Text, r.Cells[1].Text)
	}
	for _, r := range extra {
		fmt.Println("extra:", r.Cells[0].Text, r.Cells[1].Text)
	}
	// Output:
	// missing: a 2
	// extra: a 1
	// extra: b <NULL>
}
