package sqlclient

import (
	"bytes"
	"io"
	"io/fs"

	"github.com/seed-69e58989/flinkread/changelog"
)

// initialBuffer is the size of the read buffer: so small that what was read is still
// in a cache when it is looked at again. A longer border, a longer row below it, or one
// text that is longer, lets it grow, as far as maxText lets borders and texts be.
const initialBuffer = 128 << 10

// A buffer is the part of the input that is being looked at. What is before
// the read position is gone; the place of the read position is always known.
type buffer struct {
	src   io.Reader
	back  [][]byte // what was read of src, and is to be read again
	buf   []byte
	r, w  int // the data are buf[r:w]
	pos   changelog.Pos
	err   error // what ended the input: io.EOF or an error of src
	odd   *oddBytes
	place placing
	text  bool // src gives decoded text
}

func newBuffer(src io.Reader, name string) *buffer {
	return &buffer{src: src, buf: make([]byte, initialBuffer), pos: changelog.Pos{File: name, Line: 1, Col: 1}, odd: &oddBytes{}}
}

// data returns what is buffered; it is valid until the next call of more.
func (b *buffer) data() []byte { return b.buf[b.r:b.w] }

// more reads on, and reports false at the end of the input. It never reads
// more than once, so a slow source delays nothing that is already there.
func (b *buffer) more() bool {
	if b.err != nil && len(b.back) == 0 {
		return false
	}
	if b.w == len(b.buf) {
		if b.r > len(b.buf)/2 || b.r > 0 && b.w-b.r < len(b.buf)/2 {
			b.w = copy(b.buf, b.buf[b.r:b.w])
			b.r = 0
		} else {
			grown := make([]byte, 2*len(b.buf))
			b.w = copy(grown, b.buf[b.r:b.w])
			b.buf, b.r = grown, 0
		}
	}
	if len(b.back) > 0 {
		n := copy(b.buf[b.w:], b.back[0])
		if b.w += n; n < len(b.back[0]) {
			b.back[0] = b.back[0][n:]
		} else {
			b.back = b.back[1:]
		}
		return true
	}
	n, err := readSome(b.src, b.buf[b.w:])
	b.w += n
	if err != nil {
		b.err = err
	}
	return n > 0
}

// whole reports whether all of the source is there, in memory or in a regular file, so
// that no reading waits for a writer.
func (b *buffer) whole() bool {
	switch src := b.src.(type) {
	case interface{ Size() int64 }:
		return true
	case interface{ Stat() (fs.FileInfo, error) }:
		info, err := src.Stat()
		return err == nil && info.Mode().IsRegular()
	}
	return false
}

// putBack makes the pieces, and the data behind them, what is read next, into buf.
func (b *buffer) putBack(buf []byte, pieces [][]byte) {
	for _, piece := range append(pieces, b.data()) {
		if len(piece) > 0 {
			b.back = append(b.back, piece)
		}
	}
	b.buf, b.r, b.w = buf, 0, 0
}

// readSome reads once, unless the source gives nothing and says nothing. One
// that goes on like that is an error, as it is to bufio.
func readSome(src io.Reader, buf []byte) (int, error) {
	for range 100 {
		n, err := src.Read(buf)
		if n < 0 || n > len(buf) {
			break
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// A placing knows the place behind d, which stands at pos, where d is not what
// the file holds. It is nil for an input that is read as it is.
type placing func(pos changelog.Pos, d []byte) changelog.Pos

func (p placing) behind(pos changelog.Pos, d []byte) changelog.Pos {
	if p != nil {
		return p(pos, d)
	}
	return behind(pos, d)
}

// behind returns the place behind d, which stands at pos.
func behind(pos changelog.Pos, d []byte) changelog.Pos {
	switch i := bytes.IndexByte(d, '\n'); {
	case i < 0:
		pos.Col += len(d)
	case i == len(d)-1:
		pos.Line++
		pos.Col = 1
	default:
		pos.Line += bytes.Count(d, []byte{'\n'})
		pos.Col = len(d) - bytes.LastIndexByte(d, '\n')
	}
	pos.Offset += int64(len(d))
	return pos
}

// consume moves the read position over n bytes and returns their span.
func (b *buffer) consume(n int) span {
	start := b.pos
	if b.text {
		b.odd.lookDecoded(b.buf[b.r : b.r+n])
	} else {
		b.odd.look(b.buf[b.r : b.r+n])
	}
	b.pos = b.place.behind(start, b.buf[b.r:b.r+n])
	b.r += n
	return span{Span{Start: start, End: b.pos}}
}

// line returns the length of the line at i, newline included, reading on as
// needed. Whole is false for a last line without its newline, and for a line
// that reaches limit, of which it returns the first limit bytes.
func (b *buffer) line(i, limit int) (n int, whole bool) {
	from := 0
	for {
		d := b.data()[i:]
		if j := bytes.IndexByte(d[from:], '\n'); j >= 0 && from+j < limit {
			return from + j + 1, true
		}
		if len(d) >= limit {
			return limit, false
		}
		from = len(d)
		if !b.more() {
			return len(b.data()) - i, false
		}
	}
}

// A lookahead is a source that shows what is still to come of it, as far as it can, and
// gives it afterwards all the same. What it shows need not be what it gives: a prefix may
// stand before each line. It stops when look returns false; an error is that of going back.
type lookahead interface {
	ahead(look func(text []byte) bool) error
}

// ahead shows what the source is still to give, if that can go back to where it is.
func (b *buffer) ahead(look func(text []byte) bool) {
	for _, piece := range b.back {
		if !look(piece) {
			return
		}
	}
	if b.err != nil {
		return
	}
	source, ok := b.src.(lookahead)
	if !ok {
		source = seeking{b.src, nil}
	}
	if err := source.ahead(look); err != nil {
		b.err = err
	}
}

// A seeking source shows what is still to come if it is an io.Seeker, decoded where
// there is a decoder.
type seeking struct {
	src    io.Reader
	decode func(src io.Reader) io.Reader
}

func (s seeking) ahead(look func(text []byte) bool) error {
	src, ok := s.src.(io.ReadSeeker)
	if !ok {
		return nil
	}
	back, err := src.Seek(0, io.SeekCurrent)
	if err != nil { // a pipe
		return nil
	}
	var text io.Reader = src
	if s.decode != nil {
		text = s.decode(src)
	}
	window := make([]byte, 64<<10)
	for more := true; more && err == nil; {
		var n int
		n, err = readSome(text, window)
		more = look(window[:n])
	}
	_, err = src.Seek(back, io.SeekStart)
	return err
}
