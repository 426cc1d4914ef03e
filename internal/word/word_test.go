package word

import (
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// Every byte at every place of texts of every length is found, and nothing else.
func TestAppend(t *testing.T) {
	before := strings.Repeat("0123456789", 10)
	for _, two := range []string{"\"\\", "\",", "\"\t"} {
		got := -1
		w := NewWriter(two[1], func(dst []byte, text string, done int) []byte {
			got = done
			return append(dst, "other"...)
		})
		for n := range 26 {
			fixed := NewFixed(before[:4*n])
			for at := range n {
				for c := range 256 {
					b := byte(c)
					text := strings.Repeat("x", at) + string([]byte{b}) + strings.Repeat("~", n-at-1)
					got = -1
					dst := w.Append([]byte("dst"), &fixed, text)
					want := "dst" + before[:4*n] + text
					if plain := b >= ' ' && b < 0x7f && b != two[0] && b != two[1]; plain != (got < 0) || !plain && (got > at || at-got >= 8) {
						t.Fatalf("of %q, but for %q, appended %d bytes", text, two, got)
					}
					if got >= 0 {
						want = "dst" + before[:4*n] + text[:got] + "other"
					}
					if string(dst) != want {
						t.Fatalf("appending %q gives %q, want %q", text, dst, want)
					}
				}
			}
		}
	}
}

// Every byte at every place of texts of every length is found, whatever is behind
// it, and what prints is copied and nothing beside it.
func TestPrinting(t *testing.T) {
	for n := range 26 {
		for at := range n {
			for c := range 256 {
				for _, behind := range []string{"~", " ", "\x00", "\x7f", "\xff"} {
					text := strings.Repeat(" ", at) + string([]byte{byte(c)}) + strings.Repeat(behind, n-at-1)
					want := strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f })
					if want < 0 {
						want = n
					}
					if got := Printing(text); got != want {
						t.Fatalf("Printing(%q) = %d, want %d", text, got, want)
					}
					room := []byte(strings.Repeat("#", n+16))
					if got := CopyPrinting(unsafe.Pointer(&room[8]), text); got != (want == n) {
						t.Fatalf("CopyPrinting(%q): %v", text, got)
					}
					if want == n && string(room) != "########"+text+"########" {
						t.Fatalf("CopyPrinting(%q) made %q", text, room)
					}
				}
			}
		}
	}
	if room := [1]byte{'#'}; Printing("") != 0 || !CopyPrinting(unsafe.Pointer(&room), "") || room[0] != '#' {
		t.Errorf("of no text: %q", room)
	}
}

func TestAppendKeepsRoom(t *testing.T) {
	w := NewWriter(',', nil)
	for k := range 100 {
		before := strings.Repeat("b", k)
		fixed := NewFixed(before)
		for n := range 20 {
			text := strings.Repeat("t", n)
			for room := range 160 {
				buf := slices.Repeat([]byte("#"), 3+room+64) // behind the room, too: nothing may be written there
				dst := w.Append(buf[:3:3+room], &fixed, text)
				if want := "###" + before + text; string(dst) != want {
					t.Fatalf("appended %q to %d of room: %q", before+text, room, dst)
				}
				if end := len(dst) + Slack; &dst[0] == &buf[0] && strings.Trim(string(buf[min(end, len(buf)):]), "#") != "" {
					t.Fatalf("appending %q wrote more than %d bytes behind its end: %q", before+text, Slack, buf)
				}
				if strings.Trim(string(buf[3+room:]), "#") != "" {
					t.Fatalf("appending %q to %d of room wrote behind it: %q", before+text, room, buf)
				}
				if cap(dst) == len(dst) {
					t.Fatalf("no room is left behind %q", dst)
				}
			}
		}
	}
}
