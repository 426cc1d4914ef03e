package render

import (
	"io"
	"strings"

	"github.com/seed-69e58989/flinkread/internal/visible"
)

// Markdown writes the table as a table of GitHub's Markdown. Columns are never
// cut. The error is that of w.
func (t *Table) Markdown(w io.Writer) error {
	_, err := w.Write(t.appendMarkdown(nil))
	return err
}

func (t *Table) appendMarkdown(dst []byte) []byte {
	dst = appendMarkdownHead(dst, t.Columns)
	for _, row := range t.Rows {
		dst = appendMarkdownRow(dst, row)
	}
	return dst
}

// appendMarkdownHead appends the names and the line below them.
func appendMarkdownHead(dst []byte, columns []Column) []byte {
	if len(columns) == 0 {
		return dst
	}
	dst = appendMarkdownRow(dst, names(columns))
	for _, c := range columns {
		dst = append(dst, "| ---"...)
		if c.Right {
			dst = append(dst, ':')
		}
		dst = append(dst, ' ')
	}
	return append(dst, "|\n"...)
}

func appendMarkdownRow(dst []byte, cells []string) []byte {
	for _, cell := range cells {
		dst = append(dst, "| "...)
		dst = AppendMarkdown(dst, cell)
		dst = append(dst, ' ')
	}
	return append(dst, "|\n"...)
}

// AppendMarkdown appends s so that Markdown shows it as it is, in a table too:
// what would be markup gets a backslash, newlines become <br>, and other
// control characters are made visible.
func AppendMarkdown(dst []byte, s string) []byte {
	first := true
	for line := range strings.SplitSeq(s, "\n") {
		if !first {
			dst = append(dst, "<br>"...)
		}
		first = false
		line = visible.String(line)
		for j := range len(line) {
			c := line[j]
			switch c {
			case '\\', '`', '*', '[', ']', '<', '>', '|', '~', '&', '$':
				dst = append(dst, '\\')
			case '_': // within a word it is no markup
				if j == 0 || j == len(line)-1 || !wordByte(line[j-1]) || !wordByte(line[j+1]) {
					dst = append(dst, '\\')
				}
			}
			dst = append(dst, c)
		}
	}
	return dst
}

func wordByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
