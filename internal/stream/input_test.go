package stream

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

func gz(t *testing.T, data string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, data)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zst(t *testing.T, data string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll([]byte(data), nil)
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func long() string {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestOpen(t *testing.T) {
	text := long()
	skippable := append([]byte{0x51, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 'h', 'i'}, zst(t, text)...)
	for _, test := range []struct {
		name, file string
		data       []byte
	}{
		{"plain", "q.out", []byte(text)},
		{"gzip", "q.out.gz", gz(t, text)},
		{"two gzip members", "q.out.gz", append(gz(t, text[:1000]), gz(t, text[1000:])...)},
		{"zstd", "q.out.zst", zst(t, text)},
		{"gzip by its content", "q.out", gz(t, text)},
		{"zstd by its content", "q.out", zst(t, text)},
		{"zstd behind a frame to skip", "q.out", skippable},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, test.file, test.data)
			fromFile, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer fromFile.Close()
			for _, source := range []struct {
				name  string
				stdin io.Reader
			}{
				{path, nil},
				{"-", iotest.HalfReader(bytes.NewReader(test.data))},
				{"-", iotest.OneByteReader(bytes.NewReader(test.data))},
				{"-", fromFile},
			} {
				in, err := Open(source.name, source.stdin)
				if err != nil {
					t.Fatal(err)
				}
				checkLookAhead(t, in, text)
				if err := in.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// checkLookAhead reads in as a reader with questions does.
func checkLookAhead(t *testing.T, in *Input, want string) {
	t.Helper()
	read := func(n int) string {
		t.Helper()
		b := make([]byte, n)
		n, err := io.ReadFull(in, b)
		if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
			t.Fatal(err)
		}
		return string(b[:n])
	}
	seek := func(offset int64, whence int) int64 {
		t.Helper()
		at, err := in.Seek(offset, whence)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if got := read(1000); got != want[:1000] {
		t.Fatalf("read %q", got)
	}
	at := seek(0, io.SeekCurrent)
	if at != 1000 {
		t.Fatalf("after 1000 bytes, Seek(0, io.SeekCurrent) = %d", at)
	}
	if got := read(5000); got != want[1000:6000] {
		t.Fatal("read other bytes when looking ahead")
	}
	seek(at, io.SeekStart)
	if got := read(100); got != want[1000:1100] {
		t.Fatal("read other bytes after seeking back")
	}
	again := seek(0, io.SeekCurrent)
	if got := read(len(want)); got != want[1100:] {
		t.Fatal("read other bytes to the end")
	}
	seek(again, io.SeekStart)
	if got := read(len(want)); got != want[1100:] {
		t.Fatal("read other bytes the second time")
	}
	seek(at, io.SeekStart)
	if got := read(len(want)); got != want[1000:] {
		t.Fatal("read other bytes from the first place")
	}
}

// Stat tells a file, compressed or not, from what may be slow.
func TestStat(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{"plain": []byte("text"), "packed.gz": gz(t, "text")} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := in.Stat(); err != nil || info.Size() != int64(len(data)) {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		if n, want := in.Len(), map[string]int64{"plain": 4, "packed.gz": -1}[name]; n != want {
			t.Errorf("%s has a length of %d, want %d", name, n, want)
		}
		in.Close()
		in, err = Open("-", bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Stat(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s from memory: %v", name, err)
		}
		if n := in.Len(); n != -1 {
			t.Errorf("%s from memory has a length of %d", name, n)
		}
		in.Close()
	}
}

func TestInputCannotSeekBeforeItsFirstSeek(t *testing.T) {
	in, err := Open("-", strings.NewReader("0123456789"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	io.CopyN(io.Discard, in, 4)
	if at, err := in.Seek(0, io.SeekCurrent); at != 4 || err != nil {
		t.Fatalf("Seek = %d, %v, want 4", at, err)
	}
	for _, offset := range []int64{-1, 3, 5} {
		if _, err := in.Seek(offset, io.SeekStart); !errors.Is(err, errSeek) {
			t.Errorf("Seek(%d) = %v, want %v", offset, err, errSeek)
		}
	}
	if rest, err := io.ReadAll(in); string(rest) != "456789" || err != nil {
		t.Errorf("read %q, %v after seeks that failed", rest, err)
	}
}

// Standard input may stand in the middle of a file, as behind `head -1`.
func TestStdinInTheMiddleOfAFile(t *testing.T) {
	f, err := os.Open(write(t, "q.out", []byte("0123456789")))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Seek(4, io.SeekStart)
	in, err := Open("-", f)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := in.Seek(0, io.SeekCurrent)
	first, _ := io.ReadAll(in)
	in.Seek(at, io.SeekStart)
	second, _ := io.ReadAll(in)
	if string(first) != "456789" || string(second) != "456789" {
		t.Errorf("read %q, then %q", first, second)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Errorf("Close closed standard input: %v", err)
	}
}

// Errors name their input once: those of Open do, to those of Read the reader
// adds its place.
func TestErrorsNameTheirInputOnce(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.out")
	if _, err := Open(missing, nil); !errors.Is(err, fs.ErrNotExist) || err.Error() != missing+": no such file or directory" {
		t.Errorf("Open of a missing file: %v", err)
	}
	plain := write(t, "plain.gz", []byte("no gzip at all"))
	if _, err := Open(plain, nil); err == nil || err.Error() != plain+": gzip: invalid header" {
		t.Errorf("Open of a .gz without gzip: %v", err)
	}

	text := long()
	for name, data := range map[string][]byte{"cut.gz": gz(t, text), "cut.zst": zst(t, text)} {
		name = write(t, name, data[:len(data)/2])
		in, err := Open(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(in)
		if !errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), name) {
			t.Errorf("reading %s: %v", name, err)
		}
		if !strings.HasPrefix(text, string(got)) {
			t.Errorf("reading %s gave other bytes before its error", name)
		}
		in.Close()
	}

	dir := t.TempDir()
	if _, err := Open(dir, nil); !errors.Is(err, syscall.EISDIR) || err.Error() != dir+": is a directory" {
		t.Errorf("Open of a directory: %v", err)
	}
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := Open("-", f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = in.Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("reading a directory: %v", err)
	}
	in.Close()

	in, err = Open("-", iotest.ErrReader(errors.New("broken")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(in); err == nil || err.Error() != "broken" {
		t.Errorf("reading a broken standard input: %v", err)
	}
}

func TestSpoolLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	in, err := Open("-", strings.NewReader(long()))
	if err != nil {
		t.Fatal(err)
	}
	in.Seek(0, io.SeekCurrent)
	io.Copy(io.Discard, in)
	in.Close()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
