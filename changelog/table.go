package changelog

import (
	"iter"
	"math/bits"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/seed-69e58989/flinkread/internal/word"
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
	seed   seed   // set with the first row
	number uint64 // of the newest record
	batch  batch  // the changes that come next

	n              int // rows
	files          []string
	fileIndex      map[string]uint32
	lastFile       uint32
	kinds          uint8 // those of the changes, a bit for each
	cuts           int
	firstCut       Pos
	anomalies      int
	firstAnomalies []*Anomaly
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
		t.reserve(1)
		t.hash()
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
	t.reserve(len(t.batch.changes))
	t.hash()
	if t.n >= largeTable {
		t.touch()
	}
	for i := range t.batch.changes {
		t.apply(&t.batch.changes[i])
	}
	t.endBatch()
}

// reserve makes sure that the index has room for n more keys.
func (t *Table) reserve(n int) {
	if t.index.full(n) {
		t.arena.give(t.index.resize(n))
	}
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
	t.batch.add(r, t.order, t.key, t.file(r.Pos.File))
	return nil
}

// see takes note of the kind of a change, and reports whether there is one.
func (t *Table) see(kind RowKind) bool {
	bit := uint8(1) << kind
	t.kinds |= bit
	return bit&(1<<None|1<<Insert|1<<UpdateBefore|1<<UpdateAfter|1<<Delete|1<<Add|1<<Retract) != 0
}

// hash sets the hashes of the changes of the batch. To read a key right after it was
// written would be to wait for it.
func (t *Table) hash() {
	if t.seed == (seed{}) {
		t.seed = newSeed()
	}
	t.seed.hash(t.batch.changes, t.batch.text)
}

// refuse reports a change that is none for this table.
func (t *Table) refuse(r *Row, a *Anomaly) *Anomaly {
	t.flush()
	return t.report(a, &change{kind: r.Kind, file: t.file(r.Pos.File), offset: r.Pos.Offset, line: r.Pos.Line, col: r.Pos.Col})
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
	return Pos{File: t.files[c.file], Offset: c.offset, Line: c.line, Col: c.col}
}

// apply applies a change of the batch. What it returns was reported.
func (t *Table) apply(c *change) *Anomaly {
	i, old := t.find(c)
	var a *Anomaly
	if c.kind.Adds() {
		a = t.add(c, i, old)
	} else {
		a = t.remove(c, i, old)
	}
	if a != nil {
		t.report(a, c)
	}
	return a
}

// find returns the slot of a change's key and its record, or the empty slot where it
// belongs.
func (t *Table) find(c *change) (i int, old *head) {
	slots, hash := t.index.slots, c.hash
	mask := len(slots) - 1
	key := unsafe.Pointer(&t.batch.text[c.start+recordHead-1])
	key = unsafe.Add(key, 1) // there may be no cells
	n := c.key - c.start - recordHead
	for i = t.index.home(hash); ; i = (i + 1) & mask {
		s := slots[i]
		if s == 0 {
			return i, nil
		}
		if s&hashMask == hash {
			if old = t.arena.head(s.record()); old.before(key, n) {
				return i, old
			}
		}
	}
}

func (t *Table) add(c *change, i int, old *head) *Anomaly {
	s := &t.index.slots[i]
	switch {
	case old == nil:
		t.n++
		t.number++
		t.index.used++
		*s = c.hash | slot(t.store(c, t.number, 0))
	case !t.keyed:
		t.n++
		t.number++
		*s = c.hash | slot(t.store(c, t.number, s.record()))
	default:
		number := old.number()
		t.met(c, cutInKey&(old.flags()|c.flags))
		t.arena.release(s.record())
		*s = c.hash | slot(t.store(c, number, 0))
		if c.kind == Insert || c.kind == None {
			return &Anomaly{Kind: ExistingKey, Msg: named(c.kind) + " for a key that has a row, which it replaces"}
		}
	}
	return nil
}

// store puts the row of a change into a new record. If there is an older record of
// the same key, it is followed by where that is.
func (t *Table) store(c *change, number uint64, older block) block {
	n := c.cells - c.start
	if c.flags&marked != 0 {
		n += len(t.order)
	}
	room := n + c.posSize()
	if older != 0 {
		room += olderSize
		c.flags |= repeated
	}
	at, to, class := t.arena.alloc(room)
	// Blocks are multiples of a step, and as much is behind the batch's text.
	from := unsafe.Pointer(&t.batch.text[c.start])
	for i := 0; i < n; i += step {
		word.Copy16(unsafe.Add(unsafe.Pointer(to), i), unsafe.Add(from, i))
	}
	c.putPos(unsafe.Add(unsafe.Pointer(to), n))
	*to = newHead(class, c.flags, number)
	if older != 0 {
		putOlder(t.arena.block(at), older)
	}
	return at
}

// older returns where the next older record of a record's key is, 0 if there is none.
func (a *arena) older(at block) block {
	if a.head(at).flags()&repeated == 0 {
		return 0
	}
	return getOlder(a.block(at))
}

func (t *Table) remove(c *change, i int, old *head) *Anomaly {
	if old == nil {
		msg := " of a row that is not in the table"
		if t.keyed {
			msg = " for a key that has no row"
		}
		return &Anomaly{Kind: AbsentRow, Msg: named(c.kind) + msg}
	}
	s := &t.index.slots[i]
	at := s.record()
	equal := !t.keyed || old.before(unsafe.Pointer(&t.batch.text[c.start+recordHead]), c.cells-c.start-recordHead)
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
	if older := t.arena.older(at); older != 0 {
		*s = c.hash | slot(older)
	} else {
		t.index.remove(i)
	}
	t.arena.release(at)
	t.n--
	return a
}

// compact moves the records to a new arena and fits the index to them.
func (t *Table) compact() {
	from := t.arena
	t.arena = arena{}
	t.index.resize(1) // what it had may be much more than will be needed
	for i, s := range t.index.slots {
		var newer []byte
		for at := s.record(); at != 0; {
			older := from.older(at)
			to := t.arena.move(&from, at)
			if newer == nil {
				t.index.slots[i] = s&hashMask | slot(to)
			} else {
				putOlder(newer, to)
			}
			newer = t.arena.block(to)
			at = older
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
// begins with sorting and takes up to 32 bytes a row for it.
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
			if !yield(record(t.arena.block(b))) {
				break
			}
		}
		runtime.KeepAlive(touched)
	}
}

// ordered returns where the records are, in the order of their rows.
func (t *Table) ordered() []block {
	if t.number >= 32*uint64(t.n) {
		return t.sorted()
	}
	// A bit for each number, and before each 64 of them how many rows there are, tell
	// the place of each record. It takes less memory than sorting.
	type stretch struct{ bits, before uint64 }
	stretches := make([]stretch, t.number/64+1)
	for _, h := range t.arena.records() {
		n := h.number()
		stretches[n/64].bits |= 1 << (n % 64)
	}
	before := uint64(0)
	for i := range stretches {
		stretches[i].before = before
		before += uint64(bits.OnesCount64(stretches[i].bits))
	}
	blocks := make([]block, t.n)
	for b, h := range t.arena.records() {
		n := h.number()
		s := &stretches[n/64]
		blocks[s.before+uint64(bits.OnesCount64(s.bits&(1<<(n%64)-1)))] = b
	}
	return blocks
}

// sorted is ordered for any numbers. It sorts by one byte of the numbers after the
// other, from the lowest on, which for many rows costs less than comparing them.
func (t *Table) sorted() []block {
	numbers, blocks := make([]uint64, 0, t.n), make([]block, 0, t.n)
	for b, h := range t.arena.records() {
		numbers, blocks = append(numbers, h.number()), append(blocks, b)
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
func (t *Table) MaybeUpsert() bool { return t.kinds&(1<<UpdateAfter|1<<UpdateBefore) == 1<<UpdateAfter }

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
