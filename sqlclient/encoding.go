package sqlclient

import (
	"bytes"
	"io"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/changelog"
)

// An Encoding is a record of no length. It says, once for each kind, that the
// record behind it holds the first bytes of the input that Flink most likely
// did not print. They are kept as they are, and each counts one column.
type Encoding struct {
	span
	Kind EncodingKind
}

// An EncodingKind says what is odd about bytes.
type EncodingKind uint8

const (
	EncodingNone    EncodingKind = iota
	EncodingNotUTF8              // bytes that are not UTF-8: Latin-1 perhaps, or a character that was cut
	EncodingNUL                  // NUL bytes
)

var encodingKindNames = [...]string{"", "not UTF-8", "NUL"}

// String returns the kind, such as "not UTF-8".
func (k EncodingKind) String() string { return name(encodingKindNames[:], int(k)) }

const byteOrderMark = "\ufeff"

// begin takes the byte order mark that the input begins with, if it has one,
// and decodes an input that says so of being UTF-16.
func (r *Reader) begin() {
	in := r.in
	for len(in.data()) < len(byteOrderMark) && in.more() {
	}
	d := in.data()
	littleEndian := bytes.HasPrefix(d, []byte{0xff, 0xfe})
	if littleEndian || bytes.HasPrefix(d, []byte{0xfe, 0xff}) {
		read := io.Reader(strings.NewReader(string(d)))
		if in.err != nil {
			read = io.MultiReader(read, failing{in.err})
		} else {
			read = io.MultiReader(read, in.src)
		}
		in.src, in.text, in.place, in.err = &utf16Decoder{src: read, littleEndian: littleEndian}, true, behindUTF16, nil
		in.r, in.w = 0, 0
		in.odd.notUTF8.Store(0) // of the bytes that were no text yet
		in.odd.nul.Store(0)
		for len(in.data()) < len(byteOrderMark) && in.more() {
		}
	}
	if bytes.HasPrefix(in.data(), []byte(byteOrderMark)) {
		r.emit(&Text{span: in.consume(len(byteOrderMark)), Kind: TextMark, Text: byteOrderMark})
	}
}

// failing is the end of a source that failed.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// A utf16Decoder reads UTF-16 as UTF-8. Half a surrogate pair becomes U+FFFD,
// and half a code unit at the end the byte 0xFF, so the length of the source is
// known by what comes out, see utf16Len.
type utf16Decoder struct {
	src          io.Reader
	littleEndian bool
	raw          []byte // read, but not decoded
	text         []byte // decoded, but not handed out
	err          error
}

// Read returns decoded text.
func (u *utf16Decoder) Read(p []byte) (int, error) {
	for len(u.text) == 0 && u.err == nil {
		kept := len(u.raw)
		u.raw = append(u.raw, make([]byte, max(512, len(p)/2))...)
		n, err := u.src.Read(u.raw[kept:])
		u.raw = u.raw[:kept+n]
		u.err = err
		u.decode()
		if n == 0 && err == nil {
			return 0, nil
		}
	}
	n := copy(p, u.text)
	u.text = u.text[n:]
	if n == 0 {
		return 0, u.err
	}
	return n, nil
}

// decode decodes the code units that are whole, all of them at the end.
func (u *utf16Decoder) decode() {
	u.text = u.text[:0]
	d := u.raw
	for len(d) >= 2 {
		c := u.unit(d)
		if c >= 0xd800 && c < 0xdc00 {
			if len(d) < 4 && u.err == nil {
				break
			}
			if len(d) >= 4 {
				if low := u.unit(d[2:]); low >= 0xdc00 && low < 0xe000 {
					u.text = utf8.AppendRune(u.text, (c-0xd800)<<10|(low-0xdc00)+0x10000)
					d = d[4:]
					continue
				}
			}
		}
		u.text = utf8.AppendRune(u.text, c) // U+FFFD for half a pair
		d = d[2:]
	}
	if u.err != nil && len(d) == 1 {
		u.text = append(u.text, 0xff)
		d = nil
	}
	u.raw = u.raw[:copy(u.raw, d)]
}

func (u *utf16Decoder) unit(d []byte) rune {
	if u.littleEndian {
		return rune(d[0]) | rune(d[1])<<8
	}
	return rune(d[1]) | rune(d[0])<<8
}

// utf16Len returns the length of the UTF-16 that text was decoded from.
func utf16Len(text []byte) int {
	n := 0
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			n++
		case r >= 0x10000:
			n += 4
		default:
			n += 2
		}
		text = text[size:]
	}
	return n
}

// behindUTF16 is behind for text that was decoded from UTF-16: the place is that
// in the file.
func behindUTF16(pos changelog.Pos, d []byte) changelog.Pos {
	n := utf16Len(d)
	pos.Offset += int64(n)
	if i := bytes.LastIndexByte(d, '\n'); i >= 0 {
		pos.Line += bytes.Count(d, []byte{'\n'})
		pos.Col, n = 1, utf16Len(d[i+1:])
	}
	pos.Col += n
	return pos
}

// oddBytes looks through the input as it is read, for the first byte of each
// kind. It may do so on another goroutine than who asks for what it found.
type oddBytes struct {
	offset  int64        // of what is looked at next
	partial []byte       // the start of a character that the part before ended in
	notUTF8 atomic.Int64 // the offset behind the first such byte; 0: none was read yet
	nul     atomic.Int64
	none    atomic.Int64
	told    [len(encodingKindNames)]bool // what was said already
}

// look takes the next part of the input.
func (o *oddBytes) look(d []byte) {
	if o.nul.Load() == 0 {
		if i := bytes.IndexByte(d, 0); i >= 0 {
			o.nul.Store(o.offset + int64(i) + 1)
		}
	}
	if o.notUTF8.Load() == 0 {
		if at := o.broken(d); at >= 0 {
			o.notUTF8.Store(at + 1)
		}
	}
	o.offset += int64(len(d))
}

// broken returns the offset of the first byte that is not UTF-8, or -1.
func (o *oddBytes) broken(d []byte) int64 {
	start := o.offset
	for len(o.partial) > 0 && len(d) > 0 {
		o.partial = append(o.partial, d[0])
		d = d[1:]
		start++
		if utf8.FullRune(o.partial) {
			if !utf8.Valid(o.partial) {
				return start - int64(len(o.partial))
			}
			o.partial = o.partial[:0]
		}
	}
	if len(o.partial) > 0 {
		return -1
	}
	whole := len(d)
	for i := len(d) - 1; i >= 0 && i >= len(d)-utf8.UTFMax; i-- {
		if utf8.RuneStart(d[i]) {
			if !utf8.FullRune(d[i:]) {
				whole = i
			}
			break
		}
	}
	if !utf8.Valid(d[:whole]) {
		for i := 0; ; {
			r, size := utf8.DecodeRune(d[i:])
			if r == utf8.RuneError && size == 1 {
				return start + int64(i)
			}
			i += size
		}
	}
	o.partial = append(o.partial[:0], d[whole:]...)
	return -1
}

// finish takes the end of the input.
func (o *oddBytes) finish() {
	if len(o.partial) > 0 && o.notUTF8.Load() == 0 {
		o.notUTF8.Store(o.offset - int64(len(o.partial)) + 1)
	}
}

// oddAhead reports whether there is something to say of the bytes up to offset.
func (r *Reader) oddAhead(offset int64) bool {
	for kind, found := range r.in.odd.found() {
		if at := found.Load(); at != 0 && at <= offset && !r.in.odd.told[kind] {
			return true
		}
	}
	return false
}

func (o *oddBytes) found() [len(encodingKindNames)]*atomic.Int64 {
	return [...]*atomic.Int64{&o.none, EncodingNotUTF8: &o.notUTF8, EncodingNUL: &o.nul}
}

// emitOdd hands out what is to be said of the bytes up to the read position,
// before the record that holds them.
func (r *Reader) emitOdd(rec Record) {
	start := rec.Span().Start
	for kind, found := range r.in.odd.found() {
		if at := found.Load(); at != 0 && at <= r.in.pos.Offset && !r.in.odd.told[kind] && !r.halted {
			r.in.odd.told[kind] = true
			r.halted = !r.yield(&Encoding{span{Span{start, start}}, EncodingKind(kind)}, nil)
		}
	}
}

// emitOneByOne hands out rows as emitRows does, but each by itself.
func (r *Reader) emitOneByOne(b *Rows) bool {
	start, pos := int32(0), b.where.Start
	for _, bounds := range b.rows {
		one := *b
		one.data = b.data[start:bounds.end]
		one.where = Span{pos, b.place.behind(pos, one.data)}
		one.rows = []rowBounds{{bounds.end - start, bounds.cells, bounds.kind}}
		one.kinds = [len(one.kinds)]int64{}
		one.kinds[bounds.kind] = 1
		start, pos = bounds.end, one.where.End
		r.in.pos = pos
		if !r.emit(&one) {
			return false
		}
	}
	return true
}
