package datatype

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrAmbiguous is wrapped by the *ValueError for a text that can be read in more than one way, such as [a, b], which is an
// array of two strings or of one string with a comma.
var ErrAmbiguous = errors.New("more than one reading")

// A ValueError says why a text is not, or not for certain, a value of a type.
type ValueError struct {
	Type   Type
	Text   string
	Offset int // up to where the text can be read, or where readings part, in bytes from 0; len(Text) for a text that ends too early
	Msg    string
	Err    error // ErrAmbiguous, ErrLength, or nil
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("value %s of type %s: offset %d: %s", quoteAround(e.Text, e.Offset), quoteAround(e.Type.String(), 0), e.Offset, e.Msg)
}

func (e *ValueError) Unwrap() error { return e.Err }

// ParseValue reads a value of this type as Flink printed it: the text of a cell that is not null, without its padding. Numbers
// are kept digit for digit; dates and times must exist.
//
// Flink escapes nothing. Inside an array, map or row a string may hold what separates it from the next one, so a text can
// have several readings. If it has, the error wraps ErrAmbiguous, and the Value is the one whose strings are
// shortest, from left to right: what was meant if no string holds a separator. A word for null is a null wherever
// one may stand, as it is for a whole cell: that a string may be spelt like it does not make a text ambiguous. Only in
// AnyNotation it does, where the Value is what CastNotation reads, if that reads the text at all.
//
// A text without any reading, such as a value that was cut, is a *ValueError with the zero Value. A structured type in
// JavaNotation is printed by its own class, so its text is taken as it is. ErrLength is for a text of a megabyte or more; how
// much more, the type decides.
func (t Type) ParseValue(text string, notation Notation) (Value, error) {
	u := t.underlying()
	switch u.kind {
	case Array, Multiset, Map, Row, Structured:
	default:
		end := len(text)
		if match := matcherOf(u.kind); match != nil {
			end = match(text, 0)
		} else if u.kind == Variant {
			if len(text)+1 > maxSize/jsonEndsSize {
				return Value{}, tooLong(t, text)
			}
			end = newJSONEnds(text).end(0)
		}
		if end != len(text) {
			return Value{}, &ValueError{Type: t, Text: text, Offset: max(end, 0), Msg: "this is no " + u.kind.String()}
		}
		return Value{typ: t, text: text, present: true}, nil
	}
	if notation != AnyNotation {
		return readParts(t, text, notation)
	}
	cast, castErr := readParts(t, text, CastNotation)
	java, javaErr := readParts(t, text, JavaNotation)
	switch {
	case errors.Is(castErr, ErrLength) || !cast.present && !java.present:
		return Value{}, castErr
	case !cast.present:
		return java, javaErr
	case !java.present || cast.same(java):
		return cast, castErr
	case castErr == nil:
		castErr = &ValueError{Type: t, Text: text, Msg: "the text differs in meaning from one notation to the other", Err: ErrAmbiguous}
	}
	return cast, castErr
}

// same says whether two readings of one text are the same.
func (v Value) same(w Value) bool {
	return v.text == w.text && v.present == w.present && slices.EqualFunc(v.values, w.values, Value.same)
}

func readParts(t Type, text string, notation Notation) (Value, error) {
	b := builder{notation: notation, nodes: make([]node, 0, 32)}
	p := program{text: text}
	p.start = b.value(t, b.add(node{op: opEnd}))
	p.nodes = b.nodes
	within(p.nodes, 0, len(text))
	return p.read(t)
}

// The readings of a text are those of a regular language: nesting is bounded by the type, and with it each bracket has its
// place in a program. So the text is read by a nondeterministic automaton, and two passes find all there is to know: a
// backward one counts (up to two) the readings of the rest of the text from each node at each place, a
// forward one follows the first. Time and memory are in proportion to the text times the size of the type.

type op uint8

const (
	opEnd     op = iota
	opLit        // the text lit
	opNull       // the text lit, which is a null of typ
	opMatch      // a scalar of typ
	opVariant    // a VARIANT
	opFree       // any text of typ at all, but not the text lit, if there is one; the shortest comes first
	opRest       // more of an opFree, which is other
	opFirst      // next, else other
	opOpen       // a value of typ begins whose parts follow
	opClose      // it ends
)

type node struct {
	op          op
	next, other int
	lit         string
	match       matcher
	typ         Type
	from, to    int // the places at which a reading of the whole text may pass it
}

// builder makes the program of a type from its end to its start: each part is given what follows it.
type builder struct {
	notation Notation
	nodes    []node
}

func (b *builder) add(n node) int {
	b.nodes = append(b.nodes, n)
	return len(b.nodes) - 1
}

func (b *builder) literal(text string, next int) int {
	return b.add(node{op: opLit, lit: text, next: next})
}

// first is the first of several ways that fits.
func (b *builder) first(ways ...int) int {
	at := ways[len(ways)-1]
	for _, way := range slices.Backward(ways[:len(ways)-1]) {
		at = b.add(node{op: opFirst, next: way, other: at})
	}
	return at
}

// inner reads a value within another one, which may be null.
func (b *builder) inner(t Type, next int) int {
	value := b.value(t, next)
	if !t.IsNullable() && t.underlying().kind != Null {
		return value
	}
	null := b.notation.nullWord()
	if b.nodes[value].op == opFree {
		b.nodes[value].lit = null
	}
	return b.first(b.add(node{op: opNull, lit: null, typ: t, next: next}), value)
}

// free reads any text.
func (b *builder) free(t Type, next int) int {
	return b.add(node{op: opFree, typ: t, next: next, other: b.add(node{op: opRest, next: next})})
}

func (b *builder) value(t Type, next int) int {
	u := t.underlying()
	end := b.add(node{op: opClose, next: next})
	var ways []int
	switch u.kind {
	case Array:
		ways = []int{b.list("[", "]", end, func(next int) int { return b.inner(u.Element(), next) })}
	case Map:
		ways = []int{b.list("{", "}", end, func(next int) int {
			return b.inner(u.Key(), b.literal("=", b.inner(u.Value(), next)))
		})}
	case Multiset:
		count := Type{raw: "INT NOT NULL", kind: Integer, notNull: true, length: notGiven, fraction: notGiven}
		ways = []int{b.list("{", "}", end, func(next int) int {
			return b.inner(u.Element(), b.literal("=", b.value(count, next)))
		})}
	case Row, Structured:
		if u.kind == Structured && (len(u.Fields()) == 0 || b.notation != CastNotation) {
			return b.free(t, next)
		}
		if b.notation == CastNotation {
			ways = []int{b.literal("(", b.fields(u, b.literal(")", end)))}
			break
		}
		if b.notation == OldJavaNotation {
			ways = []int{b.fields(u, end)}
			break
		}
		fields := b.fields(u, b.literal("]", end))
		for _, kind := range []string{"+I[", "-U[", "+U[", "-D["} {
			ways = append(ways, b.literal(kind, fields))
		}
	case Variant:
		return b.add(node{op: opVariant, typ: t, next: next})
	default:
		if match := matcherOf(u.kind); match != nil {
			return b.add(node{op: opMatch, match: match, typ: t, next: next})
		}
		return b.free(t, next)
	}
	return b.add(node{op: opOpen, typ: t, next: b.first(ways...)})
}

// list reads items between brackets.
func (b *builder) list(open, closed string, next int, item func(next int) int) int {
	more := b.add(node{op: opFirst})
	first := item(more)
	separator, end := b.literal(", ", first), b.literal(closed, next)
	b.nodes[more].next, b.nodes[more].other = separator, end
	return b.literal(open, b.first(end, first))
}

// fields reads the fields of a row or structured type, the latter with their names.
func (b *builder) fields(t Type, next int) int {
	for i, f := range slices.Backward(t.Fields()) {
		next = b.inner(f.Type, next)
		if t.kind == Structured {
			next = b.literal(f.Name+"=", next)
		}
		if i > 0 {
			next = b.literal(b.notation.separator(), next)
		}
	}
	return next
}

// program is what the builder made, with the text to be read.
type program struct {
	text  string
	start int
	nodes []node
	order []int     // such that what a node needs at the same place comes before it, and neither from nor to grows
	ways  []uint8   // readings of text[pos:] from a node on, at most 2: [pos*len(nodes)+node]
	json  *jsonEnds // if there are VARIANTs
}

// maxSize bounds the memory for ways and json, in bytes.
const maxSize = 1 << 26

func tooLong(t Type, text string) *ValueError {
	return &ValueError{Type: t, Text: text, Msg: "the text is too long to be taken apart", Err: ErrLength}
}

func (p *program) read(t Type) (Value, error) {
	if !p.fill(maxSize) {
		return Value{}, tooLong(t, p.text)
	}
	ways := p.from(p.start, 0)
	if ways == 0 {
		e := &ValueError{Type: t, Text: p.text, Offset: p.reach(), Msg: "this does not fit the type"}
		if e.Offset == len(p.text) {
			e.Msg = "the text ends too early"
		}
		return Value{}, e
	}
	v, parting := p.follow()
	if ways > 1 {
		return v, &ValueError{Type: t, Text: p.text, Offset: parting, Msg: "from here on there is more than one reading", Err: ErrAmbiguous}
	}
	return v, nil
}

// within says at which places a reading of the whole text may pass some nodes.
func within(nodes []node, from, to int) {
	for i := range nodes {
		nodes[i].from, nodes[i].to = from, to
	}
}

// fill counts the readings from each node at each place where it may be passed. It reports false if that would take more
// than size bytes.
func (p *program) fill(size int) bool {
	each := len(p.nodes) // bytes for each place
	variant := slices.ContainsFunc(p.nodes, func(n node) bool { return n.op == opVariant })
	if variant {
		each += jsonEndsSize
	}
	if len(p.text)+1 > size/each {
		return false
	}
	if variant {
		p.json = newJSONEnds(p.text)
	}
	p.sort()
	p.ways = make([]uint8, (len(p.text)+1)*len(p.nodes))
	first, last := 0, 0 // those in the order that may be passed at pos
	for pos := len(p.text); pos >= 0; pos-- {
		for last < len(p.order) && p.nodes[p.order[last]].to >= pos {
			last++
		}
		for first < last && p.nodes[p.order[first]].from > pos {
			first++
		}
		for _, at := range p.order[first:last] {
			p.ways[pos*len(p.nodes)+at] = p.count(at, pos)
		}
	}
	return true
}

// sort puts each node behind those that it goes on to at the same place. There are no cycles of such: a list goes round
// through a comma.
func (p *program) sort() {
	seen := make([]bool, len(p.nodes))
	var visit func(at int)
	visit = func(at int) {
		if seen[at] {
			return
		}
		seen[at] = true
		switch n := p.nodes[at]; n.op {
		case opFirst, opFree:
			visit(n.next)
			visit(n.other)
		case opOpen, opClose, opRest:
			visit(n.next)
		}
		p.order = append(p.order, at)
	}
	for at := range p.nodes {
		visit(at)
	}
}

// from gives the readings of text[pos:] from a node on. No text follows the end, nor a step that does not fit.
func (p *program) from(at, pos int) uint8 {
	if pos < 0 || pos > len(p.text) {
		return 0
	}
	return p.ways[pos*len(p.nodes)+at]
}

func (p *program) count(at, pos int) uint8 {
	n := &p.nodes[at]
	switch n.op {
	case opEnd:
		if pos == len(p.text) {
			return 1
		}
		return 0
	case opFirst:
		return min(2, p.from(n.next, pos)+p.from(n.other, pos))
	case opOpen, opClose:
		return p.from(n.next, pos)
	case opRest:
		return min(2, p.from(n.next, pos)+p.from(at, pos+1))
	case opFree:
		except := p.except(n, pos)
		if except < 0 {
			return p.from(n.other, pos)
		}
		ways := p.from(n.other, except+1)
		for end := pos; end < except; end++ {
			ways = min(2, ways+p.from(n.next, end))
		}
		return ways
	}
	return p.from(n.next, p.step(n, pos))
}

// except gives where a free text that starts at pos must not end; -1 if it may end anywhere.
func (p *program) except(n *node, pos int) int {
	if n.lit == "" || !strings.HasPrefix(p.text[pos:], n.lit) {
		return -1
	}
	return pos + len(n.lit)
}

// step gives where a literal, a null or a scalar ends; -1 if that is not what stands there.
func (p *program) step(n *node, pos int) int {
	switch {
	case n.op == opMatch:
		return n.match(p.text, pos)
	case n.op == opVariant:
		return p.json.end(pos)
	case strings.HasPrefix(p.text[pos:], n.lit):
		return pos + len(n.lit)
	}
	return -1
}

// follow gives the first reading, and where the readings part if there are several.
func (p *program) follow() (v Value, parting int) {
	type frame struct {
		value Value
		start int
	}
	// The frame at the bottom takes the value of the whole text.
	frames := []frame{{}}
	add := func(v Value) {
		f := &frames[len(frames)-1]
		f.value.values = append(f.value.values, v)
	}
	parting = -1
	part := func(pos int, both bool) {
		if both && parting < 0 {
			parting = pos
		}
	}
	for at, pos := p.start, 0; ; {
		n := &p.nodes[at]
		next, end := n.next, pos
		switch n.op {
		case opEnd:
			return frames[0].value.values[0], parting
		case opFirst:
			if p.from(n.next, pos) == 0 {
				next = n.other
			} else {
				part(pos, p.from(n.other, pos) > 0)
			}
		case opOpen:
			frames = append(frames, frame{value: Value{typ: n.typ, present: true}, start: pos})
		case opClose:
			f := frames[len(frames)-1]
			frames = frames[:len(frames)-1]
			f.value.text = p.text[f.start:pos]
			add(f.value)
		case opFree:
			except, rest := p.except(n, pos), p.nodes[n.other]
			for end == except || p.from(rest.next, end) == 0 {
				end++
			}
			part(end, p.from(n.other, end+1) > 0)
			add(Value{typ: n.typ, text: p.text[pos:end], present: true})
		case opLit:
			end = p.step(n, pos)
		case opNull:
			end = p.step(n, pos)
			add(Value{typ: n.typ, text: n.lit})
		case opMatch, opVariant:
			end = p.step(n, pos)
			add(Value{typ: n.typ, text: p.text[pos:end], present: true})
		}
		at, pos = next, end
	}
}

// reach gives the place up to which a text without a reading can be read.
func (p *program) reach() int {
	seen := p.ways // all that it held is known to be of no use
	clear(seen)
	furthest := 0
	p.walk(func(at, pos int) bool {
		i := pos*len(p.nodes) + at
		if seen[i] > 0 {
			return false
		}
		seen[i] = 1
		furthest = max(furthest, pos)
		return true
	})
	return furthest
}

// walk goes from the start to whatever nodes and places follow, as far as enter says so of each.
func (p *program) walk(enter func(at, pos int) bool) {
	type state struct{ at, pos int }
	var todo []state
	visit := func(at, pos int) {
		if n := &p.nodes[at]; pos >= n.from && pos <= n.to && enter(at, pos) {
			todo = append(todo, state{at, pos})
		}
	}
	for visit(p.start, 0); len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := &p.nodes[s.at]
		switch n.op {
		case opEnd:
		case opFirst, opFree:
			visit(n.next, s.pos)
			visit(n.other, s.pos)
		case opOpen, opClose:
			visit(n.next, s.pos)
		case opRest:
			visit(n.next, s.pos)
			visit(s.at, s.pos+1)
		default:
			visit(n.next, p.step(n, s.pos))
		}
	}
}
