package changelog

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// A Table is what a changelog stands for: the rows that are there after all
// changes applied so far. The zero Table is one without columns.
//
// # Without a key
//
// The table is a multiset of rows, in the order in which Flink's SQL client
// shows them in its table mode (MaterializedCollectStreamResult): +I, +U, the + of
// old releases and rows without a kind append a row; -U, -D and - remove the
// newest row equal to theirs. What a changelog calls an update has no place of
// its own, so an updated row moves to the end.
//
// Two rows are equal if their cells are: the same text, and both marked Null
// or neither. (A null is not the empty string.) Other marks do not take part.
//
// A retraction of a row that is not there is reported and then forgotten: it
// takes nothing from a row that comes later.
//
// # With a key
//
// The table holds one row for each key, as upsert changelogs need it: +I, +U,
// + and rows without a kind put a row in the place of the row of their key, or
// append it where the key has none; -D removes the row of its key; -U and -
// remove it only if it is equal to theirs.
//
// Reported is what a changelog with that unique key does not do: a retraction
// for a key without a row, an update-before or a delete of other values than
// the row has, an insert for a key that has a row. Not reported are +U for a
// new key, since upsert streams name every row +U and a filter may let a +U
// pass whose -U it took; +U without a -U before it; a + in the place of a row,
// since it may be either; and deletes of nothing but a key. By a key that is
// not the changelog's own, two rows may change places in several updates (the
// ranks of a TOP-N, seen by name): a -U then comes too late, is reported, and
// takes nothing; a -D that comes too late is reported and takes the new row.
//
// # Memory and time
//
// A Table takes memory for the rows that it holds, not for the changes: beside
// the text of a row some 60 to 100 bytes, and while rows go up to three times
// that. Apply takes constant time, apart from growing and shrinking, and no
// memory while the number of rows stays as it is and no row has more than
// some 4 KiB.
//
// A Table may be read by several goroutines at once, but not while Apply runs.
type Table struct {
	cols  []Column
	order []int // the columns in the order in which rows are encoded: the key first
	key   int   // number of key columns; without a key all columns are the key
	keyed bool
	// noKeyColumn says which key column there is not; "" if there are all.
	noKeyColumn string

	arena  arena
	index  index
	seed   maphash.Seed // set with the first row
	number uint64       // of the newest record
	buf    []byte       // the row being applied, as a record

	n                         int // rows
	files                     []string
	fileIndex                 map[string]uint32
	lastFile                  uint32
	updateBefore, updateAfter bool
	cuts                      int
	firstCut                  Pos
	anomalies                 int
	firstAnomalies            []*Anomaly
}

// NewTable returns an empty table. The key is given as indexes of columns;
// none means no key. The table keeps cols, which must not be changed.
//
// An index that is no column's does not panic, since columns are what a file
// says: Apply then refuses every row with NoKeyColumn. An index that is given
// twice counts once.
func NewTable(cols []Column, key ...int) *Table {
	t := &Table{cols: cols, order: make([]int, 0, len(cols)), keyed: len(key) > 0}
	for _, k := range key {
		if k < 0 || k >= len(cols) {
			t.noKeyColumn = "no column with the index " + strconv.Itoa(k) + " to be the key"
		} else if !slices.Contains(t.order, k) {
			t.order = append(t.order, k)
		}
	}
	t.key = len(t.order)
	for c := range cols {
		if !slices.Contains(t.order[:t.key], c) {
			t.order = append(t.order, c)
		}
	}
	if !t.keyed {
		t.key = len(cols)
	}
	return t
}

// Columns returns the columns given to NewTable.
func (t *Table) Columns() []Column { return t.cols }

// Len returns the number of rows.
func (t *Table) Len() int { return t.n }

// Apply applies one change. It keeps nothing of r, whose strings may be reused
// afterwards. The error is nil or an *Anomaly; the table is good either way,
// and the next change can be applied.
func (t *Table) Apply(r Row) error {
	if a := t.apply(&r); a != nil {
		a.RowKind, a.Pos = r.Kind, r.Pos
		a.Pos.File = t.files[t.file(r.Pos.File)]
		t.anomalies++
		if len(t.firstAnomalies) < maxAnomalies {
			t.firstAnomalies = append(t.firstAnomalies, a)
		}
		return a
	}
	return nil
}

func (t *Table) apply(r *Row) *Anomaly {
	switch {
	case r.Kind == UpdateAfter:
		t.updateAfter = true
	case r.Kind == UpdateBefore:
		t.updateBefore = true
	case !r.Kind.Adds() && !r.Kind.Removes():
		return &Anomaly{Kind: UnknownKind, Msg: "unknown row kind " + strconv.Itoa(int(r.Kind))}
	}
	if t.noKeyColumn != "" {
		return &Anomaly{Kind: NoKeyColumn, Msg: t.noKeyColumn}
	}
	if len(r.Cells) != len(t.cols) {
		return &Anomaly{Kind: CellCount, Msg: "row of " + strconv.Itoa(len(r.Cells)) + " cells in a table of " + strconv.Itoa(len(t.cols)) + " columns"}
	}
	if t.seed == (maphash.Seed{}) {
		t.seed = maphash.MakeSeed()
	}
	t.index.reserve()
	key, flags := t.encode(r.Cells)
	hash := uint32(maphash.Bytes(t.seed, key))
	i, found := t.find(hash, key)
	if r.Kind.Adds() {
		return t.add(r, flags, hash, i, found)
	}
	return t.remove(r, flags, i, found)
}

// encode writes the cells to t.buf as those of a record, and returns those of
// the key and the flags of the record.
func (t *Table) encode(cells []Cell) (key []byte, flags uint8) {
	b := append(t.buf[:0], make([]byte, recordHead)...)
	var marks Marks
	for _, c := range t.order[:t.key] {
		marks |= cells[c].Marks
		b = appendCell(b, &cells[c])
	}
	n := len(b)
	if marks&MaybeCut != 0 {
		flags |= cutInKey
	}
	for _, c := range t.order[t.key:] {
		marks |= cells[c].Marks
		b = appendCell(b, &cells[c])
	}
	if marks&MaybeCut != 0 {
		flags |= cut
	}
	if marks&^Null != 0 {
		flags |= marked
	}
	t.buf = b
	return b[recordHead:n], flags
}

// find returns the slot of the key, or the empty slot where it belongs.
func (t *Table) find(hash uint32, key []byte) (i int, found bool) {
	mask := len(t.index.slots) - 1
	for i = int(hash) & mask; ; i = (i + 1) & mask {
		s := &t.index.slots[i]
		if s.empty() {
			return i, false
		}
		if s.hash == hash && record(t.arena.at(s.record)).beginsWith(key) {
			return i, true
		}
	}
}

func (t *Table) add(r *Row, flags uint8, hash uint32, i int, found bool) *Anomaly {
	s := &t.index.slots[i]
	if found && t.keyed {
		old := record(t.arena.at(s.record))
		t.met(r, cutInKey&(old.flags()|flags))
		number := old.number()
		t.arena.release(s.record, old.class())
		s.record = t.store(r, flags, number, block{})
		if t.arena.wasteful() {
			t.compact()
		}
		if r.Kind == Insert || r.Kind == None {
			return &Anomaly{Kind: ExistingKey, Msg: named(r.Kind) + " for a key that has a row"}
		}
		return nil
	}
	t.n++
	t.number++
	*s = slot{hash, t.store(r, flags, t.number, s.record)}
	if !found {
		t.index.used++
	}
	return nil
}

// store puts the row in t.buf into a new record.
func (t *Table) store(r *Row, flags uint8, number uint64, older block) block {
	if flags&marked != 0 {
		for _, c := range t.order {
			t.buf = append(t.buf, byte(r.Cells[c].Marks))
		}
	}
	t.buf = appendPos(t.buf, t.file(r.Pos.File), r.Pos)
	at, class := t.arena.alloc(len(t.buf))
	putHead(t.buf, older, number, class, flags)
	copy(t.arena.at(at), t.buf)
	return at
}

func (t *Table) remove(r *Row, flags uint8, i int, found bool) *Anomaly {
	if !found {
		msg := " of a row that is not in the table"
		if t.keyed {
			msg = " for a key that has no row"
		}
		return &Anomaly{Kind: AbsentRow, Msg: named(r.Kind) + msg}
	}
	s := &t.index.slots[i]
	old := record(t.arena.at(s.record))
	equal := !t.keyed || old.beginsWith(t.buf[recordHead:])
	var a *Anomaly
	if t.keyed && r.Kind == Delete {
		t.met(r, cutInKey&(old.flags()|flags))
		if !equal && !t.onlyKey(r.Cells) {
			a = &Anomaly{Kind: OtherRow, Msg: named(r.Kind) + " of other values than the row of its key had"}
		}
	} else {
		t.met(r, cut&(old.flags()|flags))
		if !equal {
			return &Anomaly{Kind: OtherRow, Msg: named(r.Kind) + " of other values than the row of its key has"}
		}
	}
	at, older := s.record, old.older()
	if older != (block{}) {
		s.record = older
	} else {
		t.index.remove(i)
	}
	t.arena.release(at, old.class())
	t.n--
	if t.arena.wasteful() {
		t.compact()
	}
	return a
}

// compact moves the records to a new arena and fits the index to them.
func (t *Table) compact() {
	t.index.resize()
	old := t.arena
	t.arena = arena{}
	for i := range t.index.slots {
		place := &t.index.slots[i].record
		var newer record
		for at := *place; at != (block{}); {
			to := t.arena.move(&old, at, record(old.at(at)).class())
			if newer == nil {
				*place = to
			} else {
				putBlock(newer, to)
			}
			newer = t.arena.at(to)
			at = newer.older()
		}
	}
}

// onlyKey says whether all cells outside the key are null.
func (t *Table) onlyKey(cells []Cell) bool {
	for _, c := range t.order[t.key:] {
		if !cells[c].IsNull() {
			return false
		}
	}
	return true
}

// met counts a change that met a row by cells that may be cut.
func (t *Table) met(r *Row, cut uint8) {
	if cut == 0 {
		return
	}
	if t.cuts == 0 {
		t.firstCut = r.Pos
		t.firstCut.File = t.files[t.file(r.Pos.File)]
	}
	t.cuts++
}

// file returns the index of a file's name in t.files.
func (t *Table) file(name string) uint32 {
	if int(t.lastFile) < len(t.files) && t.files[t.lastFile] == name {
		return t.lastFile
	}
	i, ok := t.fileIndex[name]
	if !ok {
		if t.fileIndex == nil {
			t.fileIndex = make(map[string]uint32)
		}
		name = strings.Clone(name)
		i = uint32(len(t.files))
		t.files = append(t.files, name)
		t.fileIndex[name] = i
	}
	t.lastFile = i
	return i
}

func named(k RowKind) string {
	if k == None {
		return "row"
	}
	return k.String()
}

// Rows iterates over the rows in their order. Each has the kind None, the
// place of the change that put it there, and its cells with their marks; it
// belongs to the caller. Apply must not be called in between. Each iteration
// begins with sorting and takes 16 bytes a row for it.
func (t *Table) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		type place struct {
			number uint64
			record block
		}
		places := make([]place, 0, t.n)
		for _, s := range t.index.slots {
			for at := s.record; at != (block{}); {
				r := record(t.arena.at(at))
				places = append(places, place{r.number(), at})
				at = r.older()
			}
		}
		slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.number, b.number) })
		for _, p := range places {
			cells, pos, file := record(t.arena.at(p.record)).row(t.order)
			pos.File = t.files[file]
			if !yield(Row{Cells: cells, Pos: pos}) {
				return
			}
		}
	}
}

// MaybeUpsert reports whether the changes hold a +U but no -U, as an upsert
// changelog does. Without a key such a changelog cannot be folded: nothing says
// which row a +U replaces, and the table then holds old rows beside new ones.
//
// It is no proof. A filter passes a +U whose -U it took: of two rows of a group
// HAVING COUNT(*) > 1 prints nothing but +U (Flink 1.20), and that changelog is
// folded well without a key. Nothing printed tells the two apart.
func (t *Table) MaybeUpsert() bool { return t.updateAfter && !t.updateBefore }

// MaybeCut returns how many changes met a row by cells that may be cut, and
// the place of the first. What Flink cut to the same text may have been
// different values. With a key, rows of several keys may then have been taken
// for one, and rows be missing. Without a key the rows as printed are the
// right ones, for whatever was removed had the same text; only their order and
// places may be those of another row.
func (t *Table) MaybeCut() (n int, first Pos) { return t.cuts, t.firstCut }

const maxAnomalies = 10

// Anomalies returns how many anomalies Apply has returned, and the first ten.
func (t *Table) Anomalies() (n int, first []*Anomaly) {
	return t.anomalies, slices.Clone(t.firstAnomalies)
}
