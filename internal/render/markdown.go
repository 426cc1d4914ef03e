package render

import (
	"io"
	"strings"

	"github.com/seed-69e58989/flinkread/internal/visible"
)

// Markdown writes the table as a table of GitHub's Markdown. Columns are never
// cut. The error is that of w.
func (t *Table) Markdown(w io.Writer) error {
	out := AppendMarkdownHead(nil, t.Columns)
	for _, row := range t.Rows {
		out = AppendMarkdownRow(out, row)
	}
	_, err := w.Write(out)
	return err
}

// AppendMarkdownHead appends the names and the line below them.
func AppendMarkdownHead(dst []byte, columns []Column) []byte {
	if len(columns) == 0 {
		return dst
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	dst = AppendMarkdownRow(dst, names)
	for _, c := range columns {
		dst = append(dst, "| ---"...)
		if c.Right {
			dst = append(dst, ':')
		}
		dst = append(dst, ' ')
	}
	return append(dst, "|\n"...)
}

// AppendMarkdownRow appends a row.
func AppendMarkdownRow(dst []byte, cells []string) []byte {
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
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			dst = append(dst, "<br>"...)
		}
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
