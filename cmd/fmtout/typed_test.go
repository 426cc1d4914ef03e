package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/internal/stream"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// The columns of types.sql.
const everyType = `f_boolean BOOLEAN, f_tinyint TINYINT, f_smallint SMALLINT, f_int INT, f_bigint BIGINT, f_float FLOAT, f_double DOUBLE,
	f_decimal DECIMAL(10, 4), f_decimal38 DECIMAL(38, 18), f_char CHAR(5), f_varchar VARCHAR(8), f_string STRING, f_bytes BYTES, f_binary BINARY(4),
	f_date DATE, f_time TIME(0), f_ts0 TIMESTAMP(0), f_ts3 TIMESTAMP(3), f_ts6 TIMESTAMP(6), f_ts9 TIMESTAMP(9), f_ltz3 TIMESTAMP_LTZ(3),
	f_array ARRAY<INT>, f_map MAP<CHAR(1) NOT NULL, STRING>, f_row ROW<i INT, s STRING, d DECIMAL(10, 4)>, f_rows ARRAY<ROW<i INT, s STRING>>`

var everyValue = []string{
	`{"f_boolean":false,"f_tinyint":-100,"f_smallint":-100,"f_int":-100,"f_bigint":-100,"f_float":-12345.679,"f_double":-12345.6789,"f_decimal":-12345.6789,"f_decimal38":-12345.678900000000000000,"f_char":"xyz  ","f_varchar":"xyz","f_string":"xyz","f_bytes":"x'78797a'","f_binary":"x'78797a00'","f_date":"1970-01-01","f_time":"00:00:00","f_ts0":"1970-01-01 00:00:00","f_ts3":"1970-01-01 00:00:00.000","f_ts6":"1970-01-01 00:00:00.000000","f_ts9":"1970-01-01 00:00:00.000000000","f_ltz3":"1970-01-01 00:00:00.000","f_array":[-100,-99],"f_map":{"k":"xyz"},"f_row":{"i":-100,"s":"xyz","d":-12345.6789},"f_rows":[{"i":-100,"s":"xyz"}]}`,
	`{"f_boolean":null,"f_tinyint":null,"f_smallint":null,"f_int":null,"f_bigint":null,"f_float":null,"f_double":null,"f_decimal":null,"f_decimal38":null,"f_char":null,"f_varchar":null,"f_string":null,"f_bytes":null,"f_binary":null,"f_date":null,"f_time":null,"f_ts0":null,"f_ts3":null,"f_ts6":null,"f_ts9":null,"f_ltz3":null,"f_array":[null,null],"f_map":{"k":null},"f_row":{"i":null,"s":null,"d":null},"f_rows":[{"i":null,"s":null}]}`,
	`{"f_boolean":true,"f_tinyint":1,"f_smallint":1,"f_int":1,"f_bigint":1,"f_float":1.5,"f_double":1.5,"f_decimal":1.5000,"f_decimal38":1.500000000000000000,"f_char":"ab   ","f_varchar":"ab","f_string":"ab","f_bytes":"x'6162'","f_binary":"x'61620000'","f_date":"2026-03-01","f_time":"12:34:56","f_ts0":"2026-03-01 12:34:56","f_ts3":"2026-03-01 12:34:56.123","f_ts6":"2026-03-01 12:34:56.123456","f_ts9":"2026-03-01 12:34:56.123456789","f_ltz3":"2026-03-01 12:34:56.123","f_array":[1,2],"f_map":{"k":"ab"},"f_row":{"i":1,"s":"ab","d":1.5000},"f_rows":[{"i":1,"s":"ab"}]}`,
}

// Every release prints the same values of every type, whatever their text is.
func TestTypedReleases(t *testing.T) {
	files, err := filepath.Glob("../../testdata/transcripts/*/shapes/types*.out")
	if err != nil || len(files) < 24 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	// Up to 1.14 bytes are printed as Java does.
	old := strings.NewReplacer("[97, 98]", "x'6162'", "[97, 98, 0, 0]", "x'61620000'", "[120, 121, 122]", "x'78797a'", "[120, 121, 122, 0]", "x'78797a00'")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := runOn(string(data), "-o", "ndjson", "--types", everyType)
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
		var rows []string
		for line := range strings.Lines(stdout) {
			var object struct{ Row json.RawMessage }
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatalf("%s: %v in %s", name, err, line)
			}
			rows = append(rows, old.Replace(string(object.Row)))
		}
		slices.Sort(rows)
		if diff := cmp.Diff(everyValue, rows); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// typed gives the rows of a test types: strings and numbers.
func typed(t testing.TB, s *section) *section {
	t.Helper()
	spec, err := writtenTypes("tier STRING, item STRING, orders BIGINT, amount DECIMAL(10, 2)")
	if err != nil {
		t.Fatal(err)
	}
	ty := &typing{spec: spec}
	columns, err := ty.columns(s.Result)
	if err != nil || columns == nil {
		t.Fatalf("%v, %v", columns, err)
	}
	notation := datatype.CastNotation
	s.typed = &typedCells{columns: columns, notation: &notation, report: func(err error) { t.Error(err) }, texts: make([]int, len(columns))}
	return s
}

// Rows of a result of any size go through here.
func TestTypedRowsAllocateNothing(t *testing.T) {
	s, rows := orders()
	f := &ndjson{out: stream.NewOutput(io.Discard, "nothing")}
	f.begin(typed(t, s))
	write := func() {
		for i := range rows {
			if err := f.row(&rows[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	write()
	if n := testing.AllocsPerRun(100, write); n > 0 {
		t.Errorf("%v allocations for %d rows", n, len(rows))
	}
}

func BenchmarkTyped(b *testing.B) {
	s, rows := orders()
	f := &ndjson{out: stream.NewOutput(io.Discard, "nothing")}
	f.begin(typed(b, s))
	b.ReportAllocs()
	for b.Loop() {
		for i := range rows {
			f.row(&rows[i])
		}
	}
	b.ReportMetric(float64(b.N*len(rows))/b.Elapsed().Seconds(), "rows/s")
}

// A cell is never lost: what is not read by its type stands there as it would
// without types.
func TestTypedKeepsText(t *testing.T) {
	typ, err := datatype.Parse("ROW<a ARRAY<STRING>, b INT, c BOOLEAN, d DOUBLE, e MAP<STRING, STRING>, f VARIANT>")
	if err != nil {
		t.Fatal(err)
	}
	var columns []changelog.Column
	for _, f := range typ.Fields() {
		columns = append(columns, changelog.Column{Name: f.Name, Type: f.Type})
	}
	notation := datatype.AnyNotation
	cells := &typedCells{columns: columns, notation: &notation, report: func(error) {}, texts: make([]int, len(columns))}
	for _, test := range []struct{ text, want string }{
		{"[a, b]", `["[a, b]","[a, b]","[a, b]","[a, b]","[a, b]","[a, b]"]`},
		{"TRUE", `["TRUE","TRUE",true,"TRUE","TRUE","TRUE"]`},
		{"12", `["12",12,"12",12,"12",12]`},
		{"-Infinity", `["-Infinity","-Infinity","-Infinity","-Infinity","-Infinity","-Infinity"]`},
		{"12 ", `["12 ","12 ","12 ","12 ","12 ","12 "]`},
		{"{k=v}", `["{k=v}","{k=v}","{k=v}","{k=v}",{"k":"v"},"{k=v}"]`},
		{`{"k":[1.50]}`, `["{\"k\":[1.50]}","{\"k\":[1.50]}","{\"k\":[1.50]}","{\"k\":[1.50]}","{\"k\":[1.50]}",{"k":[1.50]}]`},
		{"\x1b\xff", `["\u001b` + "\uFFFD" + `","\u001b` + "\uFFFD" + `","\u001b` + "\uFFFD" + `","\u001b` + "\uFFFD" + `","\u001b` + "\uFFFD" + `","\u001b` + "\uFFFD" + `"]`},
	} {
		row := rowOf(slices.Repeat([]string{test.text}, len(columns)))
		got := []byte{'['}
		for i := range columns {
			if i > 0 {
				got = append(got, ',')
			}
			got = cells.append(got, row, i)
		}
		if got = append(got, ']'); string(got) != test.want || !json.Valid(got) {
			t.Errorf("%q: %s\nwant %s", test.text, got, test.want)
		}
		for i := range row.Cells {
			row.Cells[i].Marks = changelog.MaybeCut
			text := cells.append(nil, row, i)
			if c := text[0]; c != '"' {
				t.Errorf("%q that may be cut became %s", test.text, text)
			}
		}
	}
}

// FuzzTypes: whatever --types says, it is an error, or columns of types that
// Flink has.
func FuzzTypes(f *testing.F) {
	f.Add("a INT, b STRING")
	f.Add(everyType)
	f.Add("ROW<`a b` ARRAY<STRING NOT NULL>> NOT NULL")
	f.Add("`k``` MAP<INT, ROW<x DECIMAL(5, 2)>>, EXPR$0 BIGINT")
	f.Add("x>, y ROW<z INT")
	f.Add("plan.json")
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := writtenTypes(text)
		if err != nil {
			return
		}
		if len(spec.rows) != 1 || len(spec.rows[0].row.Fields()) == 0 {
			t.Fatalf("%q: %+v", text, spec)
		}
		for _, field := range spec.rows[0].row.Fields() {
			if k := field.Type.Kind(); k == datatype.Unknown || k == datatype.Unresolved {
				t.Errorf("%q: %q is of kind %v", text, field.Name, k)
			}
		}
	})
}

// The rows of a print sink have no names, so types go to them by their count; a
// row that is not split has no columns.
func TestTypesOfPrintSinks(t *testing.T) {
	spec, err := writtenTypes("a INT, b STRING")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		names string
		want  bool
	}{{"f0 f1", true}, {"f0", false}, {"f0 f1 f2", false}, {sqlclient.LineColumn, false}} {
		res := &sqlclient.Result{Statement: &sqlclient.Statement{}, Mode: sqlclient.ModeStreaming, Sink: &sqlclient.PrintSink{}}
		for name := range strings.FieldsSeq(test.names) {
			res.Columns = append(res.Columns, changelog.Column{Name: name})
		}
		columns, err := (&typing{spec: spec}).columns(res)
		if err != nil || (columns != nil) != test.want {
			t.Errorf("%s: %v, %v", test.names, columns, err)
		}
		if columns != nil && (columns[0].Name != "f0" || columns[0].Type.Kind() != datatype.Integer) {
			t.Errorf("%s: %v", test.names, columns)
		}
	}
}

// The values that imitate rows, borders, numbers and nulls are strings by their
// type, and the numbers beside them numbers.
func TestTypedCells(t *testing.T) {
	data, err := os.ReadFile("../../testdata/transcripts/sql/cells.truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var truth [][3]any // kind, note, n
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	for name, null := range map[string]string{
		"1.13.6/shapes/cellsf.out":       "(NULL)", // which is text where a value is spelt <NULL>, as one here
		"1.20.5/shapes/cellsf_batch.out": "<NULL>", "2.3.0/shapes/cells.out": "<NULL>",
	} {
		input, err := os.ReadFile("../../testdata/transcripts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := runOn(string(input), "-o", "ndjson", "--null", null, "--types", "kind STRING, note STRING, n INT")
		if code != 0 || stderr != "" {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
		rows := 0
		for line := range strings.Lines(stdout) {
			var object struct {
				Row struct {
					Kind string
					Note *string
					N    *int
				}
				Cut []string `json:"maybe_cut"`
			}
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatalf("%s: %v in %s", name, err, line)
			}
			row := object.Row
			if row.N == nil || *row.N >= len(truth) || row.Kind != truth[*row.N][0] {
				t.Fatalf("%s: %s", name, line)
			}
			rows++
			note, isText := truth[*row.N][1].(string)
			switch {
			case len(object.Cut) > 0, row.Note == nil: // cut, or spelt like a null
			case !isText, strings.TrimLeft(note, " ") != *row.Note:
				t.Errorf("%s: %q for %q", name, *row.Note, note)
			}
		}
		if rows != len(truth) {
			t.Errorf("%s: %d rows, want %d", name, rows, len(truth))
		}
	}
}
