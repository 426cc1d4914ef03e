package changelog

import (
	"iter"
	"slices"
	"strings"
)

// A naiveTable folds as the documentation of Table says, by looking at every
// row. It is what Table is compared with.
type naiveTable struct {
	columns int
	key     []int
	rows    []Row

	kinds     [8]int // of changes
	anomalies []Anomaly
	cuts      []Pos
}

func (t *naiveTable) apply(r Row) {
	if r.Kind > Retract {
		t.report(r, UnknownKind)
		return
	}
	t.kinds[r.Kind]++
	for _, k := range t.key {
		if k < 0 || k >= t.columns {
			t.report(r, NoKeyColumn)
			return
		}
	}
	if len(r.Cells) != t.columns {
		t.report(r, CellCount)
		return
	}
	at := -1
	for i := len(t.rows) - 1; i >= 0 && at < 0; i-- {
		if t.same(t.rows[i].Cells, r.Cells) {
			at = i
		}
	}
	kept := Row{Cells: slices.Clone(r.Cells), Pos: r.Pos}
	for i := range kept.Cells {
		kept.Cells[i].Text = strings.Clone(kept.Cells[i].Text)
	}
	switch r.Kind {
	case None, Insert, UpdateAfter, Add:
		if at < 0 || t.key == nil {
			t.rows = append(t.rows, kept)
			return
		}
		if t.mayBeCut(t.rows[at], false) || t.mayBeCut(r, false) {
			t.cuts = append(t.cuts, r.Pos)
		}
		t.rows[at] = kept
		if r.Kind == None || r.Kind == Insert {
			t.report(r, ExistingKey)
		}
	case UpdateBefore, Delete, Retract:
		if at < 0 {
			t.report(r, AbsentRow)
			return
		}
		byAll := t.key == nil || r.Kind != Delete
		if t.mayBeCut(t.rows[at], byAll) || t.mayBeCut(r, byAll) {
			t.cuts = append(t.cuts, r.Pos)
		}
		equal := slices.EqualFunc(t.rows[at].Cells, r.Cells, sameCell)
		if !equal && byAll {
			t.report(r, OtherRow)
			return
		}
		if !equal {
			others, nulls := 0, 0
			for c, cell := range r.Cells {
				if slices.Contains(t.key, c) {
					continue
				}
				others++
				if cell.IsNull() {
					nulls++
				}
			}
			if nulls < others {
				t.report(r, OtherRow)
			}
		}
		t.rows = slices.Delete(t.rows, at, at+1)
	}
}

func (t *naiveTable) report(r Row, k AnomalyKind) {
	t.anomalies = append(t.anomalies, Anomaly{Kind: k, RowKind: r.Kind, Pos: r.Pos})
}

func (t *naiveTable) same(a, b []Cell) bool {
	for c := range a {
		if (t.key == nil || slices.Contains(t.key, c)) && !sameCell(a[c], b[c]) {
			return false
		}
	}
	return true
}

func sameCell(a, b Cell) bool { return a.Text == b.Text && a.IsNull() == b.IsNull() }

func (t *naiveTable) mayBeCut(r Row, all bool) bool {
	for c, cell := range r.Cells {
		if cell.MaybeCut() && (all || slices.Contains(t.key, c)) {
			return true
		}
	}
	return false
}

// naiveDiff compares by crossing out.
func naiveDiff(got, want iter.Seq[Row]) (missing, extra []Row) {
	missing = slices.Collect(want)
	for r := range got {
		// From the end, so that of equal rows the earlier ones stay.
		at := -1
		for i, w := range missing {
			if slices.EqualFunc(w.Cells, r.Cells, func(a, b Cell) bool {
				return a.IsNull() && b.IsNull() || a.IsNull() == b.IsNull() && a.Text == b.Text
			}) {
				at = i
			}
		}
		if at < 0 {
			extra = append(extra, r)
		} else {
			missing = slices.Delete(missing, at, at+1)
		}
	}
	return missing, extra
}
