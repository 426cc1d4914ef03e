package main

import (
	"slices"
	"strconv"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/internal/jsontext"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/internal/tableau"
	"github.com/seed-69e58989/flinkread/internal/word"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A rowText holds what is the same in the objects of all rows of a result, so
// that writing a row is appending. Of results one behind the other, most have the
// same columns, and nothing is allocated for the next.
type rowText struct {
	place   []byte                        // `"statement":4,"result":1,` or nothing
	ops     bool                          // rows have an op
	heads   [changelog.Retract + 1][]byte // of the kinds that came: up to the quote of the first value
	keys    []string                      // of the columns, each with the quote before and behind: `","orders":"`
	between []between                     // the same, as it is written
	names   []string
	partial string
	typed   *typedCells // nil: cells are text
}

// A between stands between two values, of which the second is quoted: the end of the
// first one, if that is quoted or not, and the key of the second.
type between struct{ quoted, bare word.Fixed }

// begin makes t that of the rows of s. It reports whether the columns have other names
// than those before.
func (t *rowText) begin(s *section, place []byte) (others bool) {
	t.place, t.ops, t.partial, t.typed = place, s.ops(), s.partial(), s.typed
	for kind := range t.heads {
		t.heads[kind] = t.heads[kind][:0]
	}
	if t.keys != nil && slices.Equal(t.names, s.names) {
		return false
	}
	t.names = s.names
	t.keys, t.between = make([]string, len(s.names)), make([]between, len(s.names))
	for i, name := range s.names {
		key := string(append(jsontext.AppendString([]byte(`",`), name), `:"`...))
		t.keys[i], t.between[i] = key, between{word.NewFixed(key), word.NewFixed(key[1:])}
	}
	return true
}

// head returns what the objects of rows of a kind begin with.
func (t *rowText) head(kind changelog.RowKind) []byte {
	kind = min(kind, changelog.RowKind(len(t.heads)-1))
	head := t.heads[kind]
	if len(head) > 0 {
		return head
	}
	head = append(append(head, '{'), t.place...)
	if t.ops {
		head = append(append(append(head, `"op":"`...), kind.String()...), `",`...)
	}
	head = append(head, `"row":{`...)
	if len(t.keys) > 0 {
		head = append(head, t.keys[0][len(`",`):]...)
	}
	t.heads[kind] = head
	return head
}

// append appends the object of a row.
func (t *rowText) append(dst []byte, row *changelog.Row) []byte {
	if t.typed != nil {
		return t.appendTyped(dst, row)
	}
	var marks changelog.Marks
	cells := row.Cells[:min(len(row.Cells), len(t.keys))]
	dst = append(dst, t.head(row.Kind)...)
	before := &nothing // what comes before the next value
	quoted := false    // the last one is
	for i := range cells {
		c := &cells[i]
		if i > 0 {
			if before = &t.between[i].quoted; !quoted {
				before = &t.between[i].bare
			}
		}
		marks |= c.Marks
		if quoted = !c.IsNull(); quoted {
			dst = jsontext.Text.Append(dst, before, c.Text)
		} else {
			dst = jsontext.Text.Append(dst, before, "")
			dst = append(dst[:len(dst)-1], "null"...)
		}
	}
	if quoted {
		dst = append(dst, '"')
	}
	dst = append(dst, '}')
	return t.appendEnd(dst, row, cells, marks)
}

// appendTyped appends the object of a row with its values by their types.
func (t *rowText) appendTyped(dst []byte, row *changelog.Row) []byte {
	var marks changelog.Marks
	cells := row.Cells[:min(len(row.Cells), len(t.keys))]
	dst = append(dst, t.head(row.Kind)...)
	for i := range cells {
		if i > 0 {
			dst = append(dst, t.keys[i][1:]...)
		}
		dst = t.typed.append(dst[:len(dst)-1], row, i)
		marks |= cells[i].Marks
	}
	return t.appendEnd(append(dst, '}'), row, cells, marks)
}

// appendEnd appends what stands behind the values of a row.
func (t *rowText) appendEnd(dst []byte, row *changelog.Row, cells []changelog.Cell, marks changelog.Marks) []byte {
	if marks&changelog.MaybeCut != 0 {
		dst = append(dst, `,"maybe_cut":`...)
		sep := byte('[')
		for i := range cells {
			if cells[i].MaybeCut() {
				dst = append(dst, sep)
				dst = jsontext.AppendString(dst, t.names[i])
				sep = ','
			}
		}
		dst = append(dst, ']')
	}
	if how := row.Recovered(); how != 0 {
		dst = append(dst, `,"recovered":`...)
		dst = jsontext.AppendString(dst, sqlclient.Recovery(how))
	}
	if t.partial != "" {
		dst = append(dst, `,"partial":`...)
		dst = jsontext.AppendString(dst, t.partial)
	}
	return append(dst, '}')
}

// appendPlace appends the members that say where a result stands.
func appendPlace(dst []byte, file string, statement, result int) []byte {
	if file != "" {
		dst = append(dst, `"file":`...)
		dst = jsontext.AppendString(dst, file)
		dst = append(dst, ',')
	}
	dst = append(dst, `"statement":`...)
	dst = strconv.AppendInt(dst, int64(statement), 10)
	dst = append(dst, `,"result":`...)
	if result == 0 {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, int64(result), 10)
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, s)
	}
	return append(dst, ']')
}

// An ndjson writes one object a line for each row.
type ndjson struct {
	out     *stream.Output
	text    rowText
	place   []byte
	framing framing
}

func (f *ndjson) early() bool       { return false }
func (f *ndjson) interleaves() bool { return true }

func (f *ndjson) another(out *stream.Output) format { return &ndjson{out: out} }

func (f *ndjson) begin(s *section) error {
	f.place = append(appendPlace(f.place[:0], s.file, s.Statement.Number, s.Number), ',')
	if f.text.begin(s, f.place) {
		f.framing.frame = nil
	}
	return nil
}

func (f *ndjson) row(row *changelog.Row) error {
	f.out.Buf = append(f.text.append(f.out.Buf, row), '\n')
	return f.out.Spill()
}

func (f *ndjson) rows(rows *sqlclient.Rows) error {
	if f.text.typed != nil {
		return writeEach(f, rows)
	}
	return f.framing.write(f, f.out, rows)
}

// newFrame returns the frame of objects of rows without marks.
func (f *ndjson) newFrame(places []tableau.Place) *raw.Frame {
	frame := raw.NewFrame(raw.Quoting{Special: "\"\\\x7f", Beyond: jsontext.Escapes})
	for i, place := range places {
		behind := "\"}}\n"
		if i+1 < len(f.text.keys) {
			behind = f.text.keys[i+1]
		}
		frame.Add(place, behind)
	}
	return frame
}

func (f *ndjson) head(kind changelog.RowKind) []byte { return f.text.head(kind) }
func (f *ndjson) spill() error                       { return f.out.Spill() }

func (f *ndjson) end() error                 { return nil }
func (f *ndjson) refuse(*section) error      { return nil }
func (f *ndjson) statement(*statement) error { return nil }
func (f *ndjson) close() error               { return nil }

// A jsonArray writes one array of results, each with its rows. Whatever
// happens, what was written is closed, so that it is JSON.
type jsonArray struct {
	out     *stream.Output
	text    rowText
	results jsontext.Array
	array   jsontext.Array // the rows of the result
}

func (f *jsonArray) early() bool       { return true }
func (f *jsonArray) interleaves() bool { return false }

func (f *jsonArray) begin(s *section) error {
	f.head(s)
	f.text.begin(s, nil)
	f.array = jsontext.Array{}
	return f.out.Spill()
}

// refuse writes a result without its rows: null, since they are not known.
func (f *jsonArray) refuse(s *section) error {
	f.head(s)
	f.out.Buf = append(f.out.Buf, "null}"...)
	return f.out.Spill()
}

// head appends the object of a result up to its rows.
func (f *jsonArray) head(s *section) {
	b := append(f.results.AppendNext(f.out.Buf), '{')
	b = appendPlace(b, s.file, s.Statement.Number, s.Number)
	b = append(b, `,"mode":`...)
	b = jsontext.AppendString(b, s.Mode.String())
	b = append(b, `,"columns":`...)
	if s.Columns == nil { // an empty set, whose columns nothing tells
		b = append(b, "null"...)
	} else {
		b = appendStrings(b, s.names)
	}
	b = append(b, `,"end":`...)
	b = jsontext.AppendString(b, s.end.String())
	f.out.Buf = append(b, `,"rows":`...)
}

func (f *jsonArray) row(row *changelog.Row) error {
	f.out.Buf = f.text.append(f.array.AppendNext(f.out.Buf), row)
	return f.out.Spill()
}

func (f *jsonArray) rows(rows *sqlclient.Rows) error { return writeEach(f, rows) }

func (f *jsonArray) end() error {
	f.out.Buf = append(f.array.AppendEnd(f.out.Buf), '}')
	return f.out.Spill()
}

func (f *jsonArray) statement(*statement) error { return nil }

func (f *jsonArray) close() error {
	f.out.Buf = append(f.results.AppendEnd(f.out.Buf), '\n')
	return f.out.Spill()
}
