package tableau

import (
	"strings"
	"syscall"
	"testing"
)

// Nothing is read behind the room that the rows stand in: there, memory may end.
func TestPlainAtTheEndOfMemory(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 4*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	if err := syscall.Mprotect(memory[3*page:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	for _, widths := range plainWidths {
		for _, l := range layouts(t, widths...) {
			for _, fill := range []string{"", "\u2192"} { // three bytes a column
				row := "|"
				for _, w := range widths {
					row += " " + pad(strings.Repeat(fill, w-1)+"x", w) + " |"
				}
				for rows := 1; rows <= 3; rows++ {
					for behind := range 140 {
						at := 3*page - behind - rows*(len(row)+1)
						data := memory[at : 3*page-behind : 3*page]
						copy(data, strings.Repeat(row+"\n", rows))
						checkPlain(t, l, data)
						checkSplit(t, l, data)
					}
				}
			}
		}
	}
}
