// Package stream opens what the binaries read and collects what they write.
package stream

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/term"
)

// An Error is a failure to read or write a stream.
type Error struct {
	Name string // of the stream, as the caller gave it
	Err  error
}

// Error returns "name: what went wrong".
func (e *Error) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns the error below.
func (e *Error) Unwrap() error { return e.Err }

func newError(name string, err error) *Error {
	return &Error{Name: name, Err: unnamed(err)}
}

// unnamed returns err without the name that os puts in it.
func unnamed(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// StdinName is the name of standard input in diagnostics and in output.
const StdinName = "<stdin>"

// An Input is a file or standard input, decompressed. It can always seek back,
// which is how a reader looks ahead: Seek(0, io.SeekCurrent), read on, and then
// Seek to the offset that the first call returned. A regular file does so by
// itself. Anything else (a pipe, compressed data) copies what it reads from the
// first Seek on into a temporary file; before that it copies nothing, and what
// was read before it is gone. Memory is constant either way.
//
// The errors of Open and Close are of type *Error. Those of Read and Seek do not
// name the input: who reads it knows which it is, and the place in it.
type Input struct {
	// Name is the name that Open was called with, StdinName for "-".
	Name string

	file    *os.File // that the data are in, compressed or not; nil if it is not regular
	data    io.ReadSeeker
	closers []io.Closer // in the order in which they are to be closed
}

// Open opens the named file; "-" stands for stdin. Data that is compressed with
// gzip or zstd comes out decompressed: files named .gz or .zst, and whatever
// begins like one.
func Open(name string, stdin io.Reader) (*Input, error) {
	in := &Input{Name: name}
	src := stdin
	if name == "-" {
		in.Name = StdinName
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, newError(name, err)
		}
		in.closers = append(in.closers, f)
		if info, err := f.Stat(); err == nil && info.IsDir() {
			in.Close()
			return nil, newError(name, syscall.EISDIR)
		}
		src = f
	}
	if err := in.decompress(src); err != nil {
		in.Close()
		return nil, newError(in.Name, err)
	}
	return in, nil
}

type compression uint8

const (
	uncompressed compression = iota
	gzipped
	zstandard
)

// maxWindow is the largest zstd window that is accepted, which is also the
// memory that a hostile file can make the decoder take. The zstd tool has the
// same limit.
const maxWindow = 128 << 20

// decompress sets in.data to what src holds.
func (in *Input) decompress(src io.Reader) error {
	kind := uncompressed
	switch {
	case strings.HasSuffix(in.Name, ".gz"):
		kind = gzipped
	case strings.HasSuffix(in.Name, ".zst"):
		kind = zstandard
	}
	file := regular(src)
	in.file = file
	if kind == uncompressed {
		var head [4]byte
		n := 0
		if file != nil {
			at, err := file.Seek(0, io.SeekCurrent)
			if err != nil {
				return err
			}
			n, _ = file.ReadAt(head[:], at) // what cannot be read here cannot be read later
		} else {
			buffered := bufio.NewReader(src)
			peeked, _ := buffered.Peek(len(head))
			n = copy(head[:], peeked)
			src = buffered
		}
		kind = compressionOf(head[:n])
	}
	switch kind {
	case gzipped:
		z, err := gzip.NewReader(bufio.NewReaderSize(src, 64<<10))
		if err != nil {
			return err
		}
		in.closers = append([]io.Closer{z}, in.closers...)
		src = z
	case zstandard:
		z, err := zstd.NewReader(src, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return err
		}
		c := z.IOReadCloser()
		in.closers = append([]io.Closer{c}, in.closers...)
		src = c
	default:
		if file != nil {
			in.data = file
			return nil
		}
	}
	s := &spool{src: src}
	in.closers = append([]io.Closer{s}, in.closers...)
	in.data = s
	return nil
}

// regular returns r as a file if it is one that can seek.
func regular(r io.Reader) *os.File {
	f, ok := r.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return f
}

// compressionOf tells the compression from the first bytes of a stream.
func compressionOf(head []byte) compression {
	if len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b {
		return gzipped
	}
	if len(head) < 4 {
		return uncompressed
	}
	magic := uint32(head[0]) | uint32(head[1])<<8 | uint32(head[2])<<16 | uint32(head[3])<<24
	if magic == 0xfd2fb528 || magic&^0xf == 0x184d2a50 { // a frame, or one that is to be skipped
		return zstandard
	}
	return uncompressed
}

// Read reads decompressed bytes.
func (in *Input) Read(p []byte) (int, error) {
	n, err := in.data.Read(p)
	return n, unnamed(err)
}

// Seek moves to an offset of the decompressed data. What is no regular file
// can only seek to where it was at its first Seek, or to what it has read since.
func (in *Input) Seek(offset int64, whence int) (int64, error) {
	n, err := in.data.Seek(offset, whence)
	return n, unnamed(err)
}

// Stat describes the regular file that holds the data, compressed or not. For anything
// else, which may be slow, it returns fs.ErrInvalid.
func (in *Input) Stat() (fs.FileInfo, error) {
	if in.file == nil {
		return nil, fs.ErrInvalid
	}
	return in.file.Stat()
}

// Len returns the length of the data, -1 if only reading them tells.
func (in *Input) Len() int64 {
	if info, err := in.Stat(); err == nil && in.data == io.ReadSeeker(in.file) {
		return info.Size()
	}
	return -1
}

// Close closes the file, but never stdin.
func (in *Input) Close() error {
	var first error
	for _, c := range in.closers {
		if err := c.Close(); err != nil && first == nil {
			first = newError(in.Name, err)
		}
	}
	in.closers = nil
	return first
}

// IsTerminal reports whether v, a reader or writer, is a terminal.
func IsTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
