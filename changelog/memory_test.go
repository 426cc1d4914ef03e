package changelog

import (
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"
	"weak"
)

// heap returns the bytes of live heap objects.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestApplyAllocatesNothing(t *testing.T) {
	for name, key := range map[string][]int{"multiset": nil, "key": {0}} {
		t.Run(name, func(t *testing.T) {
			c := updatePairs(1000)
			table := NewTable(make([]Column, cellsPerRow), key...)
			c.apply(t, table, 0, c.len())
			cells := make([]Cell, cellsPerRow)
			i := c.live
			allocs := testing.AllocsPerRun(3000, func() {
				c.row(cells, i)
				if err := table.Apply(c.change(cells, i)); err != nil {
					t.Fatal(err)
				}
				i++
			})
			if allocs != 0 {
				t.Errorf("%v allocations per change, want 0", allocs)
			}
		})
	}
}

func TestApplyAllAllocatesNothing(t *testing.T) {
	for name, key := range map[string][]int{"multiset": nil, "key": {0}} {
		t.Run(name, func(t *testing.T) {
			c := updatePairs(1000)
			table := NewTable(make([]Column, cellsPerRow), key...)
			table.ApplyAll(c.rows(0, c.len()))
			all := func(yield func(*Row) bool) {
				var row Row
				cells := make([]Cell, cellsPerRow)
				for i := c.live; i < c.len(); i++ {
					c.row(cells, i)
					if row = c.change(cells, i); !yield(&row) {
						return
					}
				}
			}
			allocs := testing.AllocsPerRun(5, func() { table.ApplyAll(all) })
			if allocs > 4 { // the row, its cells, and the iterator
				t.Errorf("%v allocations for %d changes", allocs, c.len()-c.live)
			}
		})
	}
}

func TestMemoryFollowsLiveRowsOnly(t *testing.T) {
	for name, key := range map[string][]int{"multiset": nil, "key": {0}} {
		t.Run(name, func(t *testing.T) {
			c := updatePairs(1000)
			table := NewTable(make([]Column, cellsPerRow), key...)
			c.apply(t, table, 0, c.len())
			before := heap()
			for n := 0; n < 1_000_000; n += c.len() - c.live {
				c.apply(t, table, c.live, c.len())
			}
			grown := heap() - before
			t.Logf("%d bytes more after 1,000,000 changes to %d rows", grown, table.Len())
			if grown > 64<<10 {
				t.Errorf("the heap grew by %d bytes", grown)
			}
			runtime.KeepAlive(table)
			runtime.KeepAlive(c)
		})
	}
}

func TestMemoryPerRow(t *testing.T) {
	const limit = 300 // bytes for each row of 119 printed bytes
	for _, live := range []int{20_000, 25_000} {
		c := updatePairs(live)
		before := heap()
		table := NewTable(make([]Column, cellsPerRow))
		c.apply(t, table, 0, c.len())
		perRow := float64(heap()-before) / float64(table.Len())
		text := 0
		for r := range table.Rows() {
			for _, cell := range r.Cells {
				text += len(cell.Text)
			}
		}
		t.Logf("%d rows: %.0f bytes each, %.0f of them text", table.Len(), perRow, float64(text)/float64(table.Len()))
		if perRow > limit {
			t.Errorf("%.0f bytes for each row, limit %d", perRow, limit)
		}
		runtime.KeepAlive(c)
	}
}

// Memory stays linear in the rows that are there, whatever sizes they had before.
func TestMemoryOfGrowingRows(t *testing.T) {
	const rows, longest = 500, 4000
	table := NewTable(make([]Column, 2), 0)
	text := strings.Repeat("x", 100_000)
	before := heap()
	put := func(key, length int) {
		r := Row{Kind: UpdateAfter, Cells: []Cell{{Text: strconv.Itoa(key)}, {Text: text[:length]}}}
		if err := table.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
	for length := 1; length <= longest; length += 13 {
		for key := range rows {
			put(key, length)
		}
	}
	grown := (heap() - before) / rows
	t.Logf("%d bytes for each row of %d", grown, longest)
	if grown > 2*longest {
		t.Errorf("%d bytes for each row of %d", grown, longest)
	}

	// Big rows that wander.
	const big = 25
	for k := range 2000 {
		put(k%rows, len(text))
		put((k+rows-big)%rows, 10)
	}
	grown = heap() - before
	t.Logf("%d bytes with %d rows of %d", grown, big, len(text))
	if grown > (big+1)*2*110_000+1<<20 {
		t.Errorf("%d bytes with %d rows of %d", grown, big, len(text))
	}
	runtime.KeepAlive(table)
}

// A table gives back what it needed at its fullest.
func TestMemoryOfShrunkTable(t *testing.T) {
	for name, key := range map[string][]int{"multiset": nil, "key": {0}} {
		t.Run(name, func(t *testing.T) {
			c := updatePairs(25_000)
			table := NewTable(make([]Column, cellsPerRow), key...)
			before := heap()
			c.apply(t, table, 0, c.live)
			full := heap() - before
			cells := make([]Cell, cellsPerRow)
			for i := range c.live - 10 {
				c.row(cells, i)
				if err := table.Apply(Row{Kind: Delete, Cells: cells}); err != nil {
					t.Fatal(err)
				}
			}
			rest := heap() - before
			t.Logf("%d bytes with %d rows, %d with %d", full, c.live, rest, table.Len())
			if rest > 1<<20 {
				t.Errorf("%d bytes for %d rows", rest, table.Len())
			}
			for r := range table.Rows() {
				if len(r.Cells) != cellsPerRow || !strings.HasPrefix(r.Cells[0].Text, "customer-") {
					t.Errorf("a row is %q", r.Cells)
				}
			}
			runtime.KeepAlive(c)
		})
	}
}

// What it takes to bring rows into order follows their number, not that of the changes.
func TestMemoryOfRowsAfterManyChanges(t *testing.T) {
	table := NewTable(make([]Column, 1))
	row := Row{Kind: Insert, Cells: []Cell{{Text: "x"}}}
	for range 100_000 {
		for _, row.Kind = range []RowKind{Insert, Delete} {
			if err := table.Apply(row); err != nil {
				t.Fatal(err)
			}
		}
	}
	row.Kind = Insert
	if err := table.Apply(row); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	rows := 0
	runtime.ReadMemStats(&before)
	for range table.Rows() {
		rows++
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; rows != 1 || allocated >= 1<<10 {
		t.Errorf("%d bytes for %d rows, want less than 1 KiB for one", allocated, rows)
	}
}

// A row of unusual length leaves nothing behind once it is gone.
func TestMemoryOfALongRow(t *testing.T) {
	table := NewTable(make([]Column, 1))
	long := strings.Repeat("x", 16<<20)
	row := Row{Kind: Insert, Cells: []Cell{{Text: long}}}
	before := heap()
	for _, row.Kind = range []RowKind{Insert, Delete} {
		if err := table.Apply(row); err != nil {
			t.Fatal(err)
		}
	}
	if rest := heap() - before; rest > 1<<20 {
		t.Errorf("%d bytes for no row", rest)
	}
	runtime.KeepAlive(table)
	runtime.KeepAlive(long)
}

// What a row refers to can go when the table has taken it.
func TestTableKeepsNothingOfARow(t *testing.T) {
	for _, kind := range []RowKind{Insert, Delete, 99} { // one that is taken, and two that are reported
		table := NewTable(make([]Column, 1))
		file, text := []byte(strings.Repeat("f", 100)), []byte(strings.Repeat("t", 100))
		fileGone, textGone := weak.Make(&file[0]), weak.Make(&text[0])
		row := Row{Kind: kind, Pos: Pos{File: unsafe.String(&file[0], len(file)), Line: 1, Col: 1}, Cells: []Cell{{Text: unsafe.String(&text[0], len(text))}}}
		table.ApplyAll(func(yield func(*Row) bool) { yield(&row) })
		row, file, text = Row{}, nil, nil
		runtime.GC()
		if fileGone.Value() != nil || textGone.Value() != nil {
			t.Errorf("the table keeps what a row of the kind %d referred to", kind)
		}
		runtime.KeepAlive(table)
	}
}

func TestArenaClasses(t *testing.T) {
	last, lastSize := -1, 0
	for n := 1; n <= maxClassed; n++ {
		c := classOf(n)
		size := classSize(c)
		if size < n || size%granule != 0 || n > 64 && size*4 > n*5+4*granule/2 {
			t.Fatalf("%d bytes in a block of %d", n, size)
		}
		if int(c) != last {
			if int(c) != last+1 || n != lastSize+1 {
				t.Fatalf("class %d of size %d begins at %d, after class %d of size %d", c, size, n, last, lastSize)
			}
			last, lastSize = int(c), size
		}
		if size != lastSize {
			t.Fatalf("class %d has blocks of %d and %d bytes", c, lastSize, size)
		}
	}
	if last != classes-1 {
		t.Errorf("%d classes, want %d", last+1, classes)
	}
}

func TestArena(t *testing.T) {
	var a arena
	type held struct {
		block
		n    int
		fill byte
	}
	var all []held
	most, heldBytes, bytes := 0, 0, 0
	for i := range 5000 {
		n := recordHead + 1 + i*i%5003
		if i%3 == 2 {
			h := all[i*7%len(all)]
			a.release(h.block)
			all = slices.DeleteFunc(all, func(x held) bool { return x == h })
			heldBytes -= h.n
		}
		b, to, c := a.alloc(n)
		if b == 0 {
			t.Fatal("alloc returned the block that is none")
		}
		*to = newHead(c, 0, uint64(i+1))
		h := held{b, n, byte(i)}
		for k := recordHead; k < n; k++ {
			a.block(b)[k] = h.fill
		}
		all = append(all, h)
		heldBytes += n
		most = max(most, heldBytes)
	}
	for _, h := range all {
		for k, x := range a.block(h.block)[recordHead:h.n] {
			if x != h.fill {
				t.Fatalf("byte %d of block %v is %d, want %d", k, h.block, x, h.fill)
			}
		}
	}
	for _, p := range slices.Concat(a.pieces, a.owned) {
		bytes += len(p)
	}
	if held := a.bytes - a.freeBytes; held < heldBytes || held > heldBytes*5/4 || a.freeBytes < 0 || a.bytes > bytes {
		t.Errorf("%d bytes held and %d free, of %d; want %d held", held, a.freeBytes, bytes, heldBytes)
	}
	if bytes > 2*most {
		t.Errorf("%d bytes for at most %d", bytes, most)
	}
	for _, h := range all {
		a.release(h.block)
	}
	if a.bytes != a.freeBytes {
		t.Errorf("%d bytes held when all are released", a.bytes-a.freeBytes)
	}
	pieces := len(a.owned)
	for range 1000 {
		b, _, _ := a.alloc(maxClassed + 1)
		a.release(b)
		if a.owned[b&^own] != nil {
			t.Fatal("a piece was kept that nothing is in")
		}
	}
	if len(a.owned) > pieces {
		t.Errorf("%d pieces, before %d", len(a.owned), pieces)
	}
}

// Where no piece more can be told from others, blocks have their own.
func TestArenaWithoutPieces(t *testing.T) {
	a := arena{pieces: make([][]byte, maxPieces)}
	a.pieces[maxPieces-1] = make([]byte, fullPiece)
	seen := make(map[block]bool)
	const rows = fullPiece/64 + 100
	for k := range uint64(rows) {
		b, to, class := a.alloc(60)
		if a.head(b) != to || *to != 0 || seen[b] || b > ^block(hashMask) {
			t.Fatalf("block %d, %#x, is in use", k, b)
		}
		seen[b] = true
		*to = newHead(class, 0, k+1)
		if len(a.block(b)) != 64 {
			t.Fatalf("block %d has %d bytes", k, len(a.block(b)))
		}
	}
	if len(a.owned) != 100 || a.bytes != rows*64 {
		t.Errorf("%d blocks have their own piece, %d bytes are held", len(a.owned), a.bytes)
	}
	var to arena
	n := uint64(0)
	for b, h := range a.records() {
		if n++; !seen[b] || h.number() != n {
			t.Fatalf("record %d is %v", n, h.number())
		}
		moved := to.move(&a, b)
		if *to.head(moved) != h || len(to.block(moved)) != 64 {
			t.Fatalf("record %d was moved to %x, %d bytes", n, *to.head(moved), len(to.block(moved)))
		}
		to.release(moved)
	}
	if n != rows || to.bytes != to.freeBytes {
		t.Errorf("%d records, %d bytes held", n, to.bytes-to.freeBytes)
	}
}

// Every place comes back from a record, in the form that it takes.
func TestPutPos(t *testing.T) {
	type place struct {
		file uint32
		pos  Pos
		size int
	}
	places := []place{
		{0, Pos{}, nearPos},
		{255, Pos{Offset: 1<<40 - 1, Line: min(math.MaxInt, 1<<32-1), Col: 255}, nearPos},
		{256, Pos{Line: 1, Col: 1}, farPos},
		{0, Pos{Offset: 1 << 40, Line: 1, Col: 1}, farPos},
		{0, Pos{Line: 1, Col: 256}, farPos},
		{1<<32 - 1, Pos{Offset: -1, Line: -1, Col: -1}, farPos},
	}
	if line := uint64(1 << 32); line <= math.MaxInt { // not where an int has 32 bits
		places = append(places, place{0, Pos{Line: int(line), Col: 1}, farPos})
	}
	for _, test := range places {
		c := change{file: test.file, offset: test.pos.Offset, line: test.pos.Line, col: test.pos.Col}
		size := c.posSize()
		b := make([]byte, size)
		c.putPos(unsafe.Pointer(&b[0]))
		pos, file := getPos(b, c.flags)
		if size != test.size || pos != test.pos || file != test.file {
			t.Errorf("%+v in file %d became %+v in file %d, of %d bytes; want %d", test.pos, test.file, pos, file, size, test.size)
		}
	}
}
