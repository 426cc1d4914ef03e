package sqlclient

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf8"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/word"
)

// An Encoding is a record of no length. It says, once for each kind, that the
// record behind it holds the first bytes of the input that Flink most likely
// did not print. They are kept as they are, and each counts one column. Also those
// of another encoding are read by that of the beginning, so that what the client
// wrote there is most likely not found.
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
	EncodingMixed                // UTF-16 in an input that began as UTF-8, or what the client writes in UTF-8, or in UTF-16 of the other byte order or off by a byte, in one that began as UTF-16; not looked for in rows
)

var encodingKindNames = [...]string{"", "not UTF-8", "NUL", "mixed"}

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
		decoder := &utf16Decoder{src: in.src, littleEndian: littleEndian, raw: bytes.Clone(d), err: in.err}
		decoder.decode()
		in.src, in.text, in.place, in.err = decoder, true, behindUTF16, nil
		in.r, in.w = 0, 0
		for len(in.data()) < len(byteOrderMark) && in.more() {
		}
	}
	if beginsFile(in.data()) {
		r.mark()
	}
}

// beginsFile reports whether a line begins with a byte order mark: a file does, whose
// lines were put behind those of another one.
func beginsFile(line []byte) bool { return bytes.HasPrefix(line, []byte(byteOrderMark)) }

// mark hands out the byte order mark at the read position.
func (r *Reader) mark() {
	r.emit(&Text{span: r.in.consume(len(byteOrderMark)), Kind: TextMark, Text: byteOrderMark})
}

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

// ahead shows the text that is still to come.
func (u *utf16Decoder) ahead(look func(text []byte) bool) error {
	if !look(u.text) || u.err != nil {
		return nil
	}
	return seeking{u.src, func(src io.Reader) io.Reader {
		return &utf16Decoder{src: src, littleEndian: u.littleEndian, raw: bytes.Clone(u.raw)}
	}}.ahead(look)
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

// oddBytes knows which kinds of odd bytes were met in what was handed out.
type oddBytes struct {
	met, told [len(encodingKindNames)]bool
	news      bool // something was met that was not told
	split     bool // what was looked at last ends within a character, for its length
}

// look looks at what is going to be handed out next.
func (o *oddBytes) look(d []byte) {
	if holdsNothingOdd(d) { // as nearly all that is handed out
		o.split = false
		return
	}
	if o.split {
		for range utf8.UTFMax - 1 {
			if len(d) > 0 && !utf8.RuneStart(d[0]) {
				d = d[1:]
			}
		}
		o.split = false
	}
	if len(d) >= maxText {
		for i := len(d) - 1; i >= len(d)-utf8.UTFMax; i-- {
			if utf8.RuneStart(d[i]) {
				if !utf8.FullRune(d[i:]) {
					d, o.split = d[:i], true
				}
				break
			}
		}
	}
	for _, kind := range [...]EncodingKind{EncodingNotUTF8, EncodingNUL, EncodingMixed} {
		if o.isNews(kind, d) {
			o.met[kind], o.news = true, true
		}
	}
}

// holdsNothingOdd reports whether d is ASCII without NUL.
func holdsNothingOdd(d []byte) bool {
	odd := uint64(0)                                      // where a high bit is set
	look := func(x uint64) { odd |= x | (x - word.Ones) } // without a high bit in x, only a NUL borrows
	for ; len(d) >= 16; d = d[16:] {
		look(binary.LittleEndian.Uint64(d))
		look(binary.LittleEndian.Uint64(d[8:]))
	}
	if len(d) >= 8 {
		look(binary.LittleEndian.Uint64(d))
		d = d[8:]
	}
	for _, c := range d {
		odd |= uint64(c | (c - 1))
	}
	return odd&word.Highs == 0
}

// isNews reports whether d holds odd bytes of a kind that was not met.
func (o *oddBytes) isNews(kind EncodingKind, d []byte) bool {
	switch {
	case o.met[kind]:
		return false
	case kind == EncodingNUL:
		return bytes.IndexByte(d, 0) >= 0
	case kind == EncodingMixed:
		return holdsUTF16(d)
	}
	return !utf8.Valid(d)
}

// lookDecoded looks at what is going to be handed out next of an input that was
// decoded from UTF-16.
func (o *oddBytes) lookDecoded(d []byte) {
	if !o.met[EncodingMixed] && holdsUndecoded(d) {
		o.met[EncodingMixed], o.news = true, true
	}
}

// minMixed is how many code units of another encoding are looked at: fewer stand in
// a value by chance.
const minMixed = 8

// holdsUTF16 reports whether UTF-16 stands in what was read as UTF-8: text in which
// each other byte is NUL.
func holdsUTF16(d []byte) bool {
	run := 0 // of neighbours of which one is NUL and one is not
	first := bytes.IndexByte(d, 0)
	if first < 0 {
		return false
	}
	for i := max(1, first); i < len(d); i++ {
		if a, b := d[i-1], d[i]; a == 0 && isTextByte(b) || b == 0 && isTextByte(a) {
			if run++; run >= 2*minMixed-1 {
				return true
			}
		} else {
			run = 0
		}
	}
	return false
}

// holdsUndecoded reports whether what the client wrote stands in what was decoded from
// UTF-16 that it is not: UTF-8, where two bytes are taken for a character, or UTF-16 of
// the other byte order or behind half a code unit, where the byte that is not NUL is
// taken for the high one. Such characters are in texts, too, so it is told by the words
// that their bytes hold.
func holdsUndecoded(d []byte) bool {
	// The bytes of neighbours: that are two characters each, in both orders, and one.
	var little, big, swapped []byte
	for len(d) > 0 {
		r, size := utf8.DecodeRune(d)
		d = d[size:]
		low, high := byte(r), byte(r>>8)
		one := r < 0x10000 && isTextByte(high) && low == 0
		two := r < 0x10000 && isTextByte(high) && isTextByte(low)
		if one {
			swapped = append(swapped, high)
		}
		if two {
			little, big = append(little, low, high), append(big, high, low)
		}
		if !one || len(d) == 0 {
			if len(swapped) >= minMixed && holdsClientWord(swapped) {
				return true
			}
			swapped = swapped[:0]
		}
		if !two || len(d) == 0 {
			if len(little) >= 2*minMixed && (holdsClientWord(little) || holdsClientWord(big)) {
				return true
			}
			little, big = little[:0], big[:0]
		}
	}
	return false
}

// clientWords are in nearly all that the client writes.
var clientWords = [...]string{
	"Flink SQL", "+---", "[INFO]", "[ERROR]", "[WARN", " in set", "Empty set", "Received a total of ", "Job ID: ",
	"| +I |", "| -U |", "| +U |", "| -D |", "org.apache.flink.",
}

// holdsClientWord reports whether one of the client's words stands in text.
func holdsClientWord(text []byte) bool {
	for _, word := range clientWords {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// isTextByte reports whether c is an ASCII character of a text.
func isTextByte(c byte) bool {
	return c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' || c == 0x1b
}

// isNewsOfRows reports whether rows hold odd bytes of a kind that was not met.
func (o *oddBytes) isNewsOfRows(b *Rows) bool {
	return b.odd[EncodingNUL] && !o.met[EncodingNUL] || b.odd[EncodingNotUTF8] && !o.met[EncodingNotUTF8]
}

// emitOdd hands out what is to be said of the bytes of rec, before rec itself.
func (r *Reader) emitOdd(rec Record) {
	odd := r.in.odd
	odd.news = false
	start := rec.Span().Start
	for kind, met := range odd.met {
		if met && !odd.told[kind] && !r.halted {
			odd.told[kind] = true
			r.halted = !r.yield(&Encoding{span{Span{start, start}}, EncodingKind(kind)}, nil)
		}
	}
}

// emitOneByOne hands out rows as emitRows does, but each by itself.
func (r *Reader) emitOneByOne(b *Rows) bool {
	start := int32(0)
	for i, bounds := range b.rows {
		one := *b
		one.survey(b.data[start:bounds.End])
		one.odd[EncodingNotUTF8] = !utf8.Valid(one.data)
		if b.layout != nil && bounds.Cells < 0 {
			one.blanks = b.columnBlanks()[i*len(b.left):][:len(b.left)]
		}
		one.rows = []raw.Bounds{{End: bounds.End - start, Cells: bounds.Cells, Kind: bounds.Kind}}
		one.kinds = [len(one.kinds)]int64{}
		one.kinds[bounds.Kind] = 1
		start = bounds.End
		if !r.emitRows(&one) {
			return false
		}
	}
	return true
}
