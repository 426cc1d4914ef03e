package changelog

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A fold is a table of few columns, a key and changes to it, made from bytes.
type fold struct {
	columns int
	key     []int
	changes []Row
}

// fuzzCells are few, so that changes meet each other's rows. They hold what
// makes rows look like other rows: nulls and what is printed for them, empty
// and cut texts, texts that are the beginning of others or look like encoded
// cells, and sizes of all classes.
var fuzzCells = []Cell{
	{Text: "a"}, {Text: "b"}, {Text: ""}, {Text: "<NULL>", Marks: Null}, {Text: "<NULL>"}, {Marks: Null},
	{Text: "a...", Marks: MaybeCut}, {Text: "a..."}, {Text: "b", Marks: Recovered}, {Text: "ab"}, {Text: "\x02b"},
	{Text: "金"}, {Text: strings.Repeat("x", 63)}, {Text: strings.Repeat("x", 64)}, {Text: strings.Repeat("y", 700)},
	{Text: strings.Repeat("z", 5000), Marks: MaybeCut | Recovered},
}

func newFold(data []byte) fold {
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	setup := next()
	f := fold{columns: setup % 4}
	switch setup / 4 % 4 {
	case 1:
		f.key = []int{0}
	case 2:
		f.key = []int{2, 0, 2}
	case 3:
		f.key = []int{1, 0}
	}
	if setup/16 == 15 {
		f.key = []int{-1}
	}
	for len(data) > 0 {
		b := next()
		r := Row{Kind: RowKind(b % 8), Cells: make([]Cell, f.columns)}
		if b >= 250 {
			r.Cells = make([]Cell, b%4)
		}
		for i := range r.Cells {
			b := next()
			r.Cells[i] = fuzzCells[b%len(fuzzCells)]
			if b%16 > 5 && b < 128 {
				r.Cells[i] = fuzzCells[b%2]
			}
		}
		n := len(f.changes)
		r.Pos = Pos{File: []string{"", "q.out", "r.out"}[b/8%3], Offset: int64(n) << (b % 50), Line: n, Col: b}
		f.changes = append(f.changes, r)
	}
	return f
}

func (f fold) table() *Table { return NewTable(make([]Column, f.columns), f.key...) }

// check folds with Table and with naiveTable and compares all they say.
func (f fold) check(t testing.TB) {
	fast, slow := f.table(), &naiveTable{columns: f.columns, key: f.key}
	var texts []byte
	for i, r := range f.changes {
		before := len(slow.anomalies)
		slow.apply(r)

		// Texts of one buffer, which is overwritten afterwards.
		size := 0
		for _, c := range r.Cells {
			size += len(c.Text)
		}
		size += len(r.Pos.File)
		texts = slices.Grow(texts[:0], size)
		reused := r
		reused.Cells = slices.Clone(r.Cells)
		alias := func(s *string) {
			n := len(texts)
			texts = append(texts, *s...)
			*s = unsafe.String(unsafe.SliceData(texts[n:]), len(*s))
		}
		for c := range reused.Cells {
			alias(&reused.Cells[c].Text)
		}
		alias(&reused.Pos.File)
		err := fast.Apply(reused)
		for k := range texts {
			texts[k] = '!'
		}

		var a *Anomaly
		switch {
		case err == nil && len(slow.anomalies) != before:
			t.Fatalf("change %d: no error, want %v", i, slow.anomalies[before].Kind)
		case err != nil && len(slow.anomalies) == before:
			t.Fatalf("change %d: %v, want none", i, err)
		case err != nil && !errors.As(err, &a):
			t.Fatalf("change %d: error of type %T", i, err)
		case err != nil:
			if diff := cmp.Diff(&slow.anomalies[before], a, cmpopts.IgnoreFields(Anomaly{}, "Msg")); diff != "" {
				t.Fatalf("change %d: anomaly (-want +got):\n%s", i, diff)
			}
			if a.Msg == "" || !strings.HasSuffix(a.Error(), a.Msg) {
				t.Fatalf("change %d: message %q, error %q", i, a.Msg, a.Error())
			}
		}
		if i%23 == 22 {
			fast.compact() // which it does by itself only in large tables
		}
		if fast.Len() != len(slow.rows) {
			t.Fatalf("change %d: %d rows, want %d", i, fast.Len(), len(slow.rows))
		}
		if i%16 == 0 || i == len(f.changes)-1 {
			f.compare(t, fast, slow)
		}
	}
	all := f.table()
	all.ApplyAll(f.reused())
	f.compare(t, all, slow)
	f.checkPlaced(t, slow)
}

// reused yields the changes in one row, whose texts are overwritten by the next.
func (f fold) reused() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		var row Row
		var text []byte
		for _, r := range f.changes {
			for i := range text {
				text[i] = '!'
			}
			text = text[:0]
			for _, c := range r.Cells {
				text = append(text, c.Text...)
			}
			row.Kind, row.Pos, row.Cells = r.Kind, r.Pos, append(row.Cells[:0], r.Cells...)
			at := 0
			for i := range row.Cells {
				n := len(row.Cells[i].Text)
				row.Cells[i].Text = unsafe.String(unsafe.SliceData(text[at:]), n)
				at += n
			}
			if !yield(&row) {
				return
			}
		}
	}
}

// A table that is too large for the processor's caches looks ahead.
func TestFoldOfALargeTable(t *testing.T) {
	for _, key := range [][]int{nil, {0}} {
		c := updatePairs(2 * largeTable)
		columns := make([]Column, cellsPerRow)
		one, all := NewTable(columns, key...), NewTable(columns, key...)
		c.apply(t, one, 0, c.len())
		all.ApplyAll(c.rows(0, c.len()))
		if all.batch.touched == 0 {
			t.Error("looked at nothing ahead")
		}
		if all.Len() != 2*largeTable {
			t.Errorf("%d rows, want %d", all.Len(), 2*largeTable)
		}
		if diff := cmp.Diff(slices.Collect(one.Rows()), slices.Collect(all.Rows())); diff != "" {
			t.Errorf("with the key %v: %s", key, diff)
		}
	}
}

func (f fold) compare(t testing.TB, fast *Table, slow *naiveTable) {
	t.Helper()
	rows := slices.Collect(fast.Rows())
	n := 0
	for row := range fast.All() {
		if n < len(rows) && (row.Pos != rows[n].Pos || !slices.Equal(row.Cells, rows[n].Cells)) {
			t.Fatalf("All yields %v, Rows %v", *row, rows[n])
		}
		n++
	}
	if n != len(rows) {
		t.Fatalf("All yields %d rows, Rows %d", n, len(rows))
	}
	same := func(a, b Row) bool { return a.Kind == b.Kind && a.Pos == b.Pos && slices.Equal(a.Cells, b.Cells) }
	if !slices.EqualFunc(slow.rows, rows, same) {
		t.Fatalf("rows (-want +got):\n%s", cmp.Diff(slow.rows, rows))
	}
	n, first := fast.Anomalies()
	var places, wantPlaces []Pos
	for _, a := range first {
		places = append(places, a.Pos)
	}
	for _, a := range slow.anomalies[:min(len(slow.anomalies), 10)] {
		wantPlaces = append(wantPlaces, a.Pos)
	}
	if n != len(slow.anomalies) || !slices.Equal(places, wantPlaces) {
		t.Fatalf("%d anomalies, first at %v, want %d, first at %v", n, places, len(slow.anomalies), wantPlaces)
	}
	n, firstCut := fast.MaybeCut()
	if n != len(slow.cuts) || n > 0 && firstCut != slow.cuts[0] {
		t.Fatalf("%d may be cut, first at %v, want %v", n, firstCut, slow.cuts)
	}
	if got, want := fast.MaybeUpsert(), slow.kinds[UpdateAfter] > 0 && slow.kinds[UpdateBefore] == 0; got != want {
		t.Fatalf("MaybeUpsert is %v, want %v", got, want)
	}
}

func FuzzFold(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x01\x01\x00\x01\x00\x02\x00\x04\x00"))
	f.Add([]byte("\x06\x01\x00\x00\x03\x00\x01\x04\x00\x03\x02\x00\x01"))
	f.Add([]byte("\x0b\x01\x06\x06\x03\x06\x06\x02\x0f\x0f\x05\x0f\x0f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1024 {
			t.Skip("the naive table takes quadratic time")
		}
		newFold(data).check(t)
	})
}

// Long random changelogs reach what short ones do not: growing and shrinking
// indexes, chains of equal rows, reuse of memory.
func TestFoldLikeNaiveTable(t *testing.T) {
	for setup := range 16 {
		t.Run(fmt.Sprint(setup), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(7, uint64(setup)))
			data := make([]byte, 6000)
			for i := range data {
				data[i] = byte(rnd.Uint32())
			}
			data[0] = byte(setup)
			newFold(data).check(t)
		})
	}
}

// Many distinct keys, with the index at all fillings.
func TestFoldManyKeys(t *testing.T) {
	for _, key := range [][]int{nil, {0}, {1}} {
		rnd := rand.New(rand.NewPCG(8, uint64(len(key))))
		f := fold{columns: 2, key: key}
		for phase, kinds := range []string{"IIIID", "IU", "IDDD", "DDDDDI", "III"} {
			for range 600 {
				text := fmt.Sprint(rnd.IntN(400))
				r := Row{Cells: []Cell{{Text: text}, {Text: strings.Repeat(text, rnd.IntN(2)*(phase+1))}}, Pos: Pos{Line: len(f.changes) + 1}}
				switch kinds[rnd.IntN(len(kinds))] {
				case 'I':
					r.Kind = Insert
				case 'U':
					r.Kind = UpdateAfter
				case 'D':
					r.Kind = Delete
				}
				f.changes = append(f.changes, r)
			}
		}
		f.check(t)
	}
}

func FuzzDiff(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x02\x00\x01\x00\x01\x10\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1024 {
			t.Skip("the naive comparison takes quadratic time")
		}
		changes := newFold(data).changes
		for cut := range min(len(changes)+1, 20) {
			got, want := slices.Values(changes[:cut]), slices.Values(changes[cut:])
			missing, extra := Diff(got, want)
			wantMissing, wantExtra := naiveDiff(got, want)
			if diff := cmp.Diff(wantMissing, missing, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("missing (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(wantExtra, extra); diff != "" {
				t.Fatalf("extra (-want +got):\n%s", diff)
			}
		}
	})
}
