package changelog

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parseRow reads a row such as "+U a b", or "a b" for one without a kind. A
// cell "null" is null, "”" empty, one that ends in "..." may be cut.
func parseRow(s string) Row {
	words := strings.Fields(s)
	var r Row
	if k, ok := ParseRowKind(words[0]); ok {
		r.Kind, words = k, words[1:]
	}
	for _, w := range words {
		c := Cell{Text: w}
		switch {
		case w == "null":
			c = Cell{Text: "<NULL>", Marks: Null}
		case w == "''":
			c.Text = ""
		case strings.HasSuffix(w, "..."):
			c.Marks = MaybeCut
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

// parseChangelog reads one row a line; a row's place is its line.
func parseChangelog(s string) (rows []Row) {
	for i, line := range strings.Split(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			r := parseRow(line)
			r.Pos = Pos{File: "q.out", Line: i + 1, Col: 1}
			rows = append(rows, r)
		}
	}
	return rows
}

func formatRow(r Row) string {
	words := []string{}
	for _, c := range r.Cells {
		switch {
		case c.IsNull():
			words = append(words, "null")
		case c.Text == "":
			words = append(words, "''")
		default:
			words = append(words, c.Text)
		}
	}
	return fmt.Sprintf("%s @%d", strings.Join(words, " "), r.Pos.Line)
}

func TestTable(t *testing.T) {
	for _, tt := range []struct {
		name      string
		key       []int
		changes   string
		rows      []string // in order, with the line that put them there
		anomalies []string
	}{
		{
			name:    "updated rows move to the end",
			changes: "+I a 1\n+I b 1\n-U a 1\n+U a 2",
			rows:    []string{"b 1 @2", "a 2 @4"},
		},
		{
			name:    "the newest equal row goes",
			changes: "+I a 1\n+I b 1\n+I a 1\n+I c 1\n-D a 1",
			rows:    []string{"a 1 @1", "b 1 @2", "c 1 @4"},
		},
		{
			name:    "a bare -U removes",
			changes: "+I a 1\n+I b 1\n-U a 1",
			rows:    []string{"b 1 @2"},
		},
		{
			name:    "identical rows come and go",
			changes: "+I a 1\n+I a 1\n-D a 1\n+I a 1\n-D a 1\n-D a 1\n+I a 1",
			rows:    []string{"a 1 @7"},
		},
		{
			name:      "nothing is owed",
			changes:   "-D a 1\n-U a 1\n+I a 1\n- a 2",
			rows:      []string{"a 1 @3"},
			anomalies: []string{"absent row: q.out:1:1: -D of a row that is not in the table", "absent row: q.out:2:1: -U of a row that is not in the table", "absent row: q.out:4:1: - of a row that is not in the table"},
		},
		{
			name:    "kinds of old releases",
			changes: "+ a 1\n+ b 1\n- a 1\n+ a 2",
			rows:    []string{"b 1 @2", "a 2 @4"},
		},
		{
			name:    "no kinds",
			changes: "a 1\na 1",
			rows:    []string{"a 1 @1", "a 1 @2"},
		},
		{
			name:      "null, empty and the word",
			changes:   "+I null 1\n+I '' 1\n+I <NULL> 1\n-D '' 1\n-D '' 1\n-D null 1",
			rows:      []string{"<NULL> 1 @3"},
			anomalies: []string{"absent row: q.out:5:1: -D of a row that is not in the table"},
		},
		{
			name:      "cells are not run together",
			changes:   "+I ab c\n-D a bc\n-D abc ''",
			rows:      []string{"ab c @1"},
			anomalies: []string{"absent row: q.out:2:1: -D of a row that is not in the table", "absent row: q.out:3:1: -D of a row that is not in the table"},
		},
		{
			name:      "rows of other numbers of cells",
			changes:   "+I a 1\n+I a\n-D a 1 2\n+I a 1 2\n-D a",
			rows:      []string{"a 1 @1"},
			anomalies: []string{"cell count: q.out:2:1: row of 1 cells in a table of 2 columns", "cell count: q.out:3:1: row of 3 cells in a table of 2 columns", "cell count: q.out:4:1: row of 3 cells in a table of 2 columns", "cell count: q.out:5:1: row of 1 cells in a table of 2 columns"},
		},
		{
			name:    "key: upsert in place",
			key:     []int{0},
			changes: "+I a 1\n+I b 1\n+U a 2\n+U c 1\n+ b 2",
			rows:    []string{"a 2 @3", "b 2 @5", "c 1 @4"},
		},
		{
			name:    "key: a changelog with update-befores",
			key:     []int{0},
			changes: "+I a 1\n+I b 1\n-U a 1\n+U a 2\n-U b 1",
			rows:    []string{"a 2 @4"},
		},
		{
			name:      "key: update-befores that differ",
			key:       []int{0},
			changes:   "+I a 1\n-U a 2\n- a 2\n-U b 1",
			rows:      []string{"a 1 @1"},
			anomalies: []string{"other row: q.out:2:1: -U of other values than the row of its key has", "other row: q.out:3:1: - of other values than the row of its key has", "absent row: q.out:4:1: -U for a key that has no row"},
		},
		{
			name:      "key: deletes",
			key:       []int{0},
			changes:   "+I a 1\n+I b 1\n+I c 1\n-D a 1\n-D b null\n-D c 2\n-D d 1",
			anomalies: []string{"other row: q.out:6:1: -D of other values than the row of its key had", "absent row: q.out:7:1: -D for a key that has no row"},
		},
		{
			name:      "key: inserts for a key that exists",
			key:       []int{0},
			changes:   "+I a 1\n+I a 2\na 3",
			rows:      []string{"a 3 @3"},
			anomalies: []string{"existing key: q.out:2:1: +I for a key that has a row, which it replaces", "existing key: q.out:3:1: row for a key that has a row, which it replaces"},
		},
		{
			name:    "key: the second column",
			key:     []int{1},
			changes: "+I a 1\n+I a 2\n+U b 1",
			rows:    []string{"b 1 @3", "a 2 @2"},
		},
		{
			name:      "key: all columns, one twice",
			key:       []int{1, 0, 1},
			changes:   "+I a 1\n+U b 1\n+U a 1\n-D a 1\n-D a 1",
			rows:      []string{"b 1 @2"},
			anomalies: []string{"absent row: q.out:5:1: -D for a key that has no row"},
		},
		{
			name:    "key: null is a key",
			key:     []int{0},
			changes: "+I null 1\n+I '' 1\n+U null 2",
			rows:    []string{"null 2 @3", "'' 1 @2"},
		},
		{
			// Two names change places: each is there twice, or not at all,
			// between the halves of the updates.
			name:      "key: ranks by name",
			key:       []int{1},
			changes:   "+I 1 a\n+I 2 b\n-U 1 a\n+U 1 b\n-U 2 b\n+U 2 a",
			rows:      []string{"1 b @4", "2 a @6"},
			anomalies: []string{"other row: q.out:5:1: -U of other values than the row of its key has"},
		},
		{
			name:      "key: a delete that comes too late",
			key:       []int{1},
			changes:   "+I 1 a\n+I 2 b\n-U 1 a\n+U 1 b\n-D 2 b",
			anomalies: []string{"other row: q.out:5:1: -D of other values than the row of its key had"},
		},
		{
			name:      "key: no such column",
			key:       []int{0, 2},
			changes:   "+I a 1",
			anomalies: []string{"no key column: q.out:1:1: no column with the index 2 to be the key"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := NewTable(make([]Column, 2), tt.key...)
			var anomalies []string
			for _, r := range parseChangelog(tt.changes) {
				if err := table.Apply(r); err != nil {
					var a *Anomaly
					if !errors.As(err, &a) {
						t.Fatalf("error of type %T", err)
					}
					if a.RowKind != r.Kind || a.Pos != r.Pos {
						t.Errorf("anomaly of %v at %v, want %v at %v", a.RowKind, a.Pos, r.Kind, r.Pos)
					}
					anomalies = append(anomalies, a.Kind.String()+": "+a.Error())
				}
			}
			var rows []string
			for r := range table.Rows() {
				rows = append(rows, formatRow(r))
			}
			if diff := cmp.Diff(tt.rows, rows); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.anomalies, anomalies); diff != "" {
				t.Errorf("anomalies (-want +got):\n%s", diff)
			}
			if table.Len() != len(tt.rows) {
				t.Errorf("Len is %d, want %d", table.Len(), len(tt.rows))
			}
			if n, first := table.Anomalies(); n != len(anomalies) || len(first) != n {
				t.Errorf("%d anomalies, %d of them kept, want %d", n, len(first), len(anomalies))
			}
		})
	}
}

func TestZeroTable(t *testing.T) {
	var table Table
	if got := slices.Collect(table.Rows()); got != nil {
		t.Errorf("rows %v", got)
	}
	for range 2 {
		if err := table.Apply(Row{Kind: Insert}); err != nil {
			t.Error(err)
		}
	}
	if err := table.Apply(Row{Kind: Delete}); err != nil {
		t.Error(err)
	}
	if table.Len() != 1 {
		t.Errorf("%d rows, want 1", table.Len())
	}
	var a *Anomaly
	if err := table.Apply(parseRow("+I a")); !errors.As(err, &a) || a.Kind != CellCount {
		t.Errorf("error %v, want %v", err, CellCount)
	}
}

func TestUnknownKinds(t *testing.T) {
	table := NewTable(make([]Column, 1))
	err := table.Apply(Row{Kind: Retract + 1, Cells: make([]Cell, 1)})
	var a *Anomaly
	if !errors.As(err, &a) || a.Kind != UnknownKind || table.Len() != 0 {
		t.Errorf("error %v, want %v", err, UnknownKind)
	}
	if got := a.Error(); got != a.Msg {
		t.Errorf("without a place the error is %q, want %q", got, a.Msg)
	}
	if AnomalyKind(0).String() != "" || AnomalyKind(200).String() != "" {
		t.Error("unknown kinds of anomalies have names")
	}
}

func TestFirstAnomaliesAreKept(t *testing.T) {
	table := NewTable(make([]Column, 1))
	for line := 1; line <= 1000; line++ {
		_ = table.Apply(Row{Kind: Delete, Cells: make([]Cell, 1), Pos: Pos{Line: line}})
	}
	n, first := table.Anomalies()
	if n != 1000 || len(first) != 10 {
		t.Fatalf("%d anomalies, %d of them kept, want 1000 and 10", n, len(first))
	}
	for i, a := range first {
		if a.Pos.Line != i+1 {
			t.Errorf("anomaly %d is of line %d", i, a.Pos.Line)
		}
	}
}

func TestMaybeCut(t *testing.T) {
	for _, tt := range []struct {
		name    string
		key     []int
		changes string
		n, line int
	}{
		{"nothing is cut", nil, "+I a b\n-D a b", 0, 0},
		{"inserts meet nothing", nil, "+I a... 1\n+I a... 1", 0, 0},
		{"retractions", nil, "+I a... 1\n+I a... 1\n-D a... 1\n-U a... 1", 2, 3},
		{"absent", nil, "-D a... 1", 0, 0},
		{"key", []int{0}, "+I a... 1\n+U a... 2\n-D a... 2\n-D a... 2", 2, 2},
		{"outside the key", []int{0}, "+I a 1...\n+U a 2...\n-D a 2...", 0, 0},
		{"compared outside the key", []int{0}, "+I a 1...\n-U a 1...", 1, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := NewTable(make([]Column, 2), tt.key...)
			for _, r := range parseChangelog(tt.changes) {
				_ = table.Apply(r)
			}
			if n, first := table.MaybeCut(); n != tt.n || first.Line != tt.line {
				t.Errorf("%d, first at %v, want %d at line %d", n, first, tt.n, tt.line)
			}
		})
	}
}

// What Flink 1.20.5 printed for a group of three rows and one of two, with
// HAVING COUNT(*) > 1: the first +U of a group has no -U before it.
func TestFilteredUpdateBefore(t *testing.T) {
	table := NewTable(make([]Column, 2))
	for _, r := range parseChangelog("+U a 2\n-U a 2\n+U a 3\n+U b 2") {
		if err := table.Apply(r); err != nil {
			t.Error(err)
		}
	}
	missing, extra := Diff(table.Rows(), slices.Values(parseChangelog("a 3\nb 2")))
	if missing != nil || extra != nil {
		t.Errorf("missing %v, extra %v", missing, extra)
	}
}

func TestMaybeUpsert(t *testing.T) {
	for changes, want := range map[string]bool{
		"":                       false,
		"+I a":                   false,
		"+I a\n+U a":             true,
		"+U a":                   true,
		"+U a\n-D a":             true,
		"+I a\n-U a\n+U b":       false,
		"+U a\n-U a":             false,
		"-U a":                   false,
		"+ a\n- a":               false,
		"a":                      false,
		"+U a\n+I a too many\na": true,
	} {
		table := NewTable(make([]Column, 1))
		for _, r := range parseChangelog(changes) {
			_ = table.Apply(r)
		}
		if got := table.MaybeUpsert(); got != want {
			t.Errorf("%q: %v, want %v", changes, got, want)
		}
	}
}

// Rows are of the caller: neither changing them nor the table harms the other.
func TestRowsAreOwned(t *testing.T) {
	table := NewTable(make([]Column, 2), 0)
	for _, r := range parseChangelog("+I a 1\n+I b 1") {
		if err := table.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
	rows := slices.Collect(table.Rows())
	for _, r := range parseChangelog("+U a 2\n-D b 1\n+I c 1") {
		if err := table.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
	if got := formatRow(rows[0]) + ", " + formatRow(rows[1]); got != "a 1 @1, b 1 @2" {
		t.Errorf("rows taken before are now %s", got)
	}
	rows[0].Cells[0].Text = "z"
	for r := range table.Rows() {
		if got := formatRow(r); got != "a 2 @1" {
			t.Errorf("the first row is %s", got)
		}
		break
	}
}

func TestDiff(t *testing.T) {
	for _, tt := range []struct {
		name, got, want string
		missing, extra  []string
	}{
		{"empty", "", "", nil, nil},
		{"another order", "a 1\nb 2", "b 2\na 1", nil, nil},
		{"how often", "a\na\nb", "b\na\nb\nb", []string{"b @1", "b @3"}, []string{"a @2"}},
		{"null", "null\n''", "''\n<NULL>", []string{"<NULL> @2"}, []string{"null @1"}},
		{"number of cells", "a ''", "a", []string{"a @1"}, []string{"a '' @1"}},
		{"cut", "abc...", "abcdef", []string{"abcdef @1"}, []string{"abc... @1"}},
		{"kinds do not count", "+I a", "a", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			missing, extra := Diff(slices.Values(parseChangelog(tt.got)), slices.Values(parseChangelog(tt.want)))
			format := func(rows []Row) (s []string) {
				for _, r := range rows {
					s = append(s, formatRow(r))
				}
				return s
			}
			if diff := cmp.Diff(tt.missing, format(missing)); diff != "" {
				t.Errorf("missing (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.extra, format(extra)); diff != "" {
				t.Errorf("extra (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("null words", func(t *testing.T) {
		rows := func(text string) []Row { return []Row{{Cells: []Cell{{Text: text, Marks: Null}}}} }
		if missing, extra := Diff(slices.Values(rows("(NULL)")), slices.Values(rows(""))); missing != nil || extra != nil {
			t.Errorf("missing %v, extra %v", missing, extra)
		}
	})
}

// What ApplyAll took before a panic is applied, and nothing of it is left to the
// next change.
func TestApplyAllPanics(t *testing.T) {
	table := NewTable([]Column{{Name: "a"}})
	row := func(text string) *Row { return &Row{Cells: []Cell{{Text: text}}} }
	func() {
		defer func() { recover() }()
		table.ApplyAll(func(yield func(*Row) bool) {
			yield(row("1"))
			yield(row("2"))
			panic("enough")
		})
	}()
	table.Apply(*row("3"))
	var got []string
	for r := range table.Rows() {
		got = append(got, r.Cells[0].Text)
	}
	if !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("the table holds %q", got)
	}
}

// A batch whose changes free much memory, and then need many slots.
func TestCompactingBehindABatch(t *testing.T) {
	table := NewTable([]Column{{Name: "k"}, {Name: "v"}}, 0)
	row := func(kind RowKind, key int, value string) *Row {
		return &Row{Kind: kind, Cells: []Cell{{Text: strconv.Itoa(key)}, {Text: value}}}
	}
	long := strings.Repeat("x", 4050)
	table.ApplyAll(func(yield func(*Row) bool) {
		for k := range 66 {
			yield(row(Insert, k, long))
		}
		for k := range 66 {
			yield(row(Delete, k, ""))
		}
		for k := range 200 {
			yield(row(Insert, 1000+k, ""))
		}
	})
	if table.Len() != 200 {
		t.Errorf("%d rows, want 200", table.Len())
	}
	if used := 2 * table.index.used; used > len(table.index.slots) {
		t.Errorf("%d of %d slots are used", table.index.used, len(table.index.slots))
	}
}

// A key's hash may be 0, as empty slots are. Then nothing is at the block of number 0 where
// each row has a piece of its own.
func TestHashOfNothing(t *testing.T) {
	long := strings.Repeat("x", maxClassed)
	table := NewTable(make([]Column, 1))
	for i := range largeTable {
		table.Apply(Row{Kind: Insert, Cells: []Cell{{Text: strconv.Itoa(i) + long}}})
	}
	table.seed = seed{0, 1}
	table.ApplyAll(slices.Values([]*Row{{Kind: Insert, Cells: []Cell{{Text: "new" + long}}}}))
	if h := table.batch.changes[:1][0].hash; table.Len() != largeTable+1 || h != 0 {
		t.Errorf("%d rows, want %d; the hash is %d, want 0", table.Len(), largeTable+1, h)
	}
}
