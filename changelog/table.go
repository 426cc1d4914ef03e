package changelog

import (
	"hash/maphash"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"
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
// the text of a row some 50 to 90 bytes, and while rows go up to three times
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
	batch  batch        // the changes that come next

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
	a := t.put(&r)
	if a == nil {
		t.index.reserve(1)
		a = t.apply(&t.batch.changes[0])
		t.endBatch()
	}
	if a != nil {
		return a
	}
	return nil
}

// ApplyAll applies changes, one behind the other, as Apply does; those that do
// not fit are in Anomalies. It takes many at a time, which is faster the larger
// the table is. What yields the changes must not use the table.
func (t *Table) ApplyAll(changes iter.Seq[*Row]) {
	defer t.flush() // also where what yields the changes panics
	for r := range changes {
		t.makeRoom()
		t.put(r)
	}
}

// makeRoom makes sure that the batch has room for one more change.
func (t *Table) makeRoom() {
	if b := &t.batch; len(b.changes) == maxBatch || len(b.text) >= maxBatchText {
		t.flush()
	}
}

// flush applies the changes of the batch.
func (t *Table) flush() {
	t.index.reserve(len(t.batch.changes))
	if t.n >= largeTable {
		t.touch()
	}
	for i := range t.batch.changes {
		t.apply(&t.batch.changes[i])
	}
	t.endBatch()
}

// endBatch empties the batch. Only now may the index shrink: it had room for all
// of the batch.
func (t *Table) endBatch() {
	t.batch.empty()
	if t.arena.wasteful() {
		t.compact()
	}
}

// put adds a change to the batch. If it is none for this table, the changes
// before it are applied, and it is reported.
func (t *Table) put(r *Row) *Anomaly {
	if !t.see(r.Kind) {
		return t.refuse(r, &Anomaly{Kind: UnknownKind, Msg: "unknown row kind " + strconv.Itoa(int(r.Kind))})
	}
	if t.noKeyColumn != "" {
		return t.refuse(r, &Anomaly{Kind: NoKeyColumn, Msg: t.noKeyColumn})
	}
	if len(r.Cells) != len(t.cols) {
		return t.refuse(r, &Anomaly{Kind: CellCount, Msg: "row of " + strconv.Itoa(len(r.Cells)) + " cells in a table of " + strconv.Itoa(len(t.cols)) + " columns"})
	}
	t.hash(t.batch.add(r, t.order, t.key, t.file(r.Pos.File)))
	return nil
}

// see takes note of the kind of a change, and reports whether there is one.
func (t *Table) see(kind RowKind) bool {
	switch kind {
	case UpdateAfter:
		t.updateAfter = true
	case UpdateBefore:
		t.updateBefore = true
	}
	return kind.Adds() || kind.Removes()
}

// hash sets the hash of a change of the batch.
func (t *Table) hash(c *change) {
	if t.seed == (maphash.Seed{}) {
		t.seed = maphash.MakeSeed()
	}
	c.hash = uint32(maphash.Bytes(t.seed, t.batch.text[c.start+recordHead:c.key]))
}

// refuse reports a change that is none for this table.
func (t *Table) refuse(r *Row, a *Anomaly) *Anomaly {
	t.flush()
	return t.report(a, &change{kind: r.Kind, pos: r.Pos, file: t.file(r.Pos.File)})
}

func (t *Table) report(a *Anomaly, c *change) *Anomaly {
	a.RowKind, a.Pos = c.kind, t.pos(c)
	t.anomalies++
	if len(t.firstAnomalies) < maxAnomalies {
		t.firstAnomalies = append(t.firstAnomalies, a)
	}
	return a
}

// pos returns the place of a change, with a file's name that is the table's own.
func (t *Table) pos(c *change) Pos {
	p := c.pos
	p.File = t.files[c.file]
	return p
}

// apply applies a change of the batch. What it returns was reported.
func (t *Table) apply(c *change) *Anomaly {
	i, found := t.find(c.hash, t.batch.text[c.start+recordHead:c.key])
	var a *Anomaly
	if c.kind.Adds() {
		a = t.add(c, i, found)
	} else {
		a = t.remove(c, i, found)
	}
	if a != nil {
		t.report(a, c)
	}
	return a
}

// find returns the slot of the key, or the empty slot where it belongs.
func (t *Table) find(hash uint32, key []byte) (i int, found bool) {
	mask := len(t.index.slots) - 1
	for i = int(hash) & mask; ; i = (i + 1) & mask {
		s := &t.index.slots[i]
		if s.empty() {
			return i, false
		}
		if s.hash == hash && record(t.arena.at(s.record())).beginsWith(key) {
			return i, true
		}
	}
}

func (t *Table) add(c *change, i int, found bool) *Anomaly {
	s := &t.index.slots[i]
	switch {
	case !found:
		t.n++
		t.number++
		t.index.used++
		*s = newSlot(c.hash, t.store(c), t.number)
	case !t.keyed:
		t.n++
		t.number++
		*s = t.storeAgain(c, *s)
	default:
		at := s.record()
		old := record(t.arena.at(at))
		t.met(c, cutInKey&(old.flags()|c.flags))
		t.arena.release(at, old.class())
		*s = newSlot(c.hash, t.store(c), s.number())
		if c.kind == Insert || c.kind == None {
			return &Anomaly{Kind: ExistingKey, Msg: named(c.kind) + " for a key that has a row, which it replaces"}
		}
	}
	return nil
}

// store puts the row of a change into a new record.
func (t *Table) store(c *change) block {
	text := t.batch.text[c.start:c.end]
	at, class := t.arena.alloc(len(text))
	text[0], text[1] = class, c.flags
	copy(t.arena.at(at), text)
	return at
}

// storeAgain puts the row of a change into a new record, which is followed by
// where the record of an equal row is, and returns its slot.
func (t *Table) storeAgain(c *change, older slot) slot {
	text := t.batch.text[c.start:c.end]
	at, class := t.arena.alloc(len(text) + olderSize)
	text[0], text[1] = class, c.flags
	b := t.arena.block(at, class)
	copy(b, text)
	putOlder(b, older)
	s := newSlot(c.hash, at, t.number)
	s.place |= repeated
	return s
}

// older returns the slot that the next older record of the key would have, an
// empty one if there is none.
func (a *arena) older(s slot) slot {
	if s.place&repeated == 0 {
		return slot{}
	}
	at := s.record()
	older := getOlder(a.block(at, record(a.at(at)).class()))
	older.hash = s.hash
	return older
}

func (t *Table) remove(c *change, i int, found bool) *Anomaly {
	if !found {
		msg := " of a row that is not in the table"
		if t.keyed {
			msg = " for a key that has no row"
		}
		return &Anomaly{Kind: AbsentRow, Msg: named(c.kind) + msg}
	}
	s := &t.index.slots[i]
	at := s.record()
	old := record(t.arena.at(at))
	cells := t.batch.text[c.start+recordHead : c.cells]
	equal := !t.keyed || old.beginsWith(cells)
	var a *Anomaly
	if t.keyed && c.kind == Delete {
		t.met(c, cutInKey&(old.flags()|c.flags))
		if !equal && !allNull(t.batch.text[c.key:c.cells]) {
			a = &Anomaly{Kind: OtherRow, Msg: named(c.kind) + " of other values than the row of its key had"}
		}
	} else {
		t.met(c, cut&(old.flags()|c.flags))
		if !equal {
			return &Anomaly{Kind: OtherRow, Msg: named(c.kind) + " of other values than the row of its key has"}
		}
	}
	if older := t.arena.older(*s); !older.empty() {
		*s = older
	} else {
		t.index.remove(i)
	}
	t.arena.release(at, old.class())
	t.n--
	return a
}

// compact moves the records to a new arena and fits the index to them.
func (t *Table) compact() {
	t.index.resize(1)
	from := t.arena
	t.arena = arena{}
	for i := range t.index.slots {
		place := &t.index.slots[i]
		var newer []byte
		for s := *place; !s.empty(); {
			older := from.older(s)
			class := record(from.at(s.record())).class()
			to := t.arena.move(&from, s.record(), class)
			moved := newSlot(s.hash, to, s.number())
			moved.place |= s.place & repeated
			if newer == nil {
				*place = moved
			} else {
				putOlder(newer, moved)
			}
			newer = t.arena.block(to, class)
			s = older
		}
	}
}

// met counts a change that met a row by cells that may be cut.
func (t *Table) met(c *change, cut uint8) {
	if cut == 0 {
		return
	}
	if t.cuts == 0 {
		t.firstCut = t.pos(c)
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
// begins with sorting and takes 32 bytes a row for it.
func (t *Table) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for r := range t.records() {
			// One string for all cells, lengths included, costs less than one for each.
			row := Row{Cells: make([]Cell, len(t.order))}
			if t.read(r, &row, string(r.text(len(t.order)))); !yield(row) {
				return
			}
		}
	}
}

// All iterates over the rows as Rows does, but a row and its strings are valid
// only until the next one.
func (t *Table) All() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		row := Row{Cells: make([]Cell, len(t.order))}
		for r := range t.records() {
			text := r[recordHead:] // and what stands behind it, which spares finding the end
			if t.read(r, &row, unsafe.String(unsafe.SliceData(text), len(text))); !yield(&row) {
				return
			}
		}
	}
}

// read reads the row of a record, whose cells text begins with.
func (t *Table) read(r record, row *Row, text string) {
	var file uint32
	row.Pos, file = r.row(text, t.order, row.Cells)
	row.Pos.File = t.files[file]
}

// records iterates over the records in the order of their rows.
func (t *Table) records() iter.Seq[record] {
	return func(yield func(record) bool) {
		touched := uint64(0)
		blocks := t.ordered()
		for i, b := range blocks {
			if i%lookAhead == 0 {
				touched += t.arena.touch(blocks[i:min(i+lookAhead, len(blocks))])
			}
			if !yield(record(t.arena.at(b))) {
				break
			}
		}
		runtime.KeepAlive(touched)
	}
}

// rows iterates over the slots of all rows, in no order: those that older records
// would have, too.
func (t *Table) rows() iter.Seq[slot] {
	return func(yield func(slot) bool) {
		for _, s := range t.index.slots {
			for ; !s.empty(); s = t.arena.older(s) {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// ordered returns where the records are, in the order of their rows.
func (t *Table) ordered() []block {
	if t.number >= 4*uint64(t.n) {
		return t.sorted()
	}
	// Most numbers are those of rows: each record goes to its number's place, and
	// what is left between them is taken out. It takes no more memory than sorting.
	blocks := make([]block, t.number+1)
	for s := range t.rows() {
		blocks[s.number()] = s.record()
	}
	n := 0
	for _, b := range blocks {
		blocks[n] = b
		one := 0
		if b.piece|b.offset != 0 { // by no branch, which would often be mispredicted
			one = 1
		}
		n += one
	}
	return blocks[:n]
}

// sorted is ordered for any numbers. It sorts by one byte of the numbers after the
// other, from the lowest on, which for many rows costs less than comparing them.
func (t *Table) sorted() []block {
	numbers, blocks := make([]uint64, 0, t.n), make([]block, 0, t.n)
	for s := range t.rows() {
		numbers, blocks = append(numbers, s.number()), append(blocks, s.record())
	}
	toNumbers, toBlocks := make([]uint64, t.n), make([]block, t.n)
	for shift := 0; t.number>>shift > 0; shift += 8 {
		var next [256]int // for each byte, where the next record goes
		for _, n := range numbers {
			next[byte(n>>shift)]++
		}
		sum := 0
		for b, n := range next {
			next[b] = sum
			sum += n
		}
		for i, number := range numbers {
			n := &next[byte(number>>shift)]
			toNumbers[*n], toBlocks[*n] = number, blocks[i]
			*n++
		}
		numbers, toNumbers, blocks, toBlocks = toNumbers, numbers, toBlocks, blocks
	}
	return blocks
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
