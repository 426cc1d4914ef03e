package stream

import (
	"errors"
	"io"
	"os"
)

// A spool makes a stream seekable. From its first Seek on it copies all that it
// reads into a temporary file, and reads from there what it has read before.
type spool struct {
	src  io.Reader
	off  int64 // of the next byte to hand out
	end  int64 // of the next byte of src
	base int64 // of the file's first byte
	file *os.File
	kept bool // the file could not be removed while it is open
}

func (s *spool) Read(p []byte) (int, error) {
	if s.off < s.end {
		n, err := s.file.ReadAt(p[:min(int64(len(p)), s.end-s.off)], s.off-s.base)
		s.off += int64(n)
		if n > 0 {
			err = nil
		}
		return n, err
	}
	n, err := s.src.Read(p)
	if s.file != nil && n > 0 {
		if _, err := s.file.WriteAt(p[:n], s.end-s.base); err != nil {
			return 0, err
		}
	}
	s.off += int64(n)
	s.end += int64(n)
	return n, err
}

var errSeek = errors.New("cannot seek there in a stream that is read once")

func (s *spool) Seek(offset int64, whence int) (int64, error) {
	if s.file == nil {
		f, err := os.CreateTemp("", "flinkread-*")
		if err != nil {
			return s.off, err
		}
		// Without its name the file goes away with the process, however that
		// ends. Where that is not possible, Close removes it.
		s.kept = os.Remove(f.Name()) != nil
		s.file, s.base = f, s.off
	}
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += s.off
	default:
		return s.off, errSeek
	}
	if offset < s.base || offset > s.end {
		return s.off, errSeek
	}
	s.off = offset
	return offset, nil
}

func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.kept {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
