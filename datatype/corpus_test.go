package datatype

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// corpusRoots are the repository's own real outputs, and a larger collection that lies beside a checkout or does not.
var corpusRoots = []string{"../testdata", "../../shared/corpus", "../../shared/plans"}

// corpusFiles calls f for each file with this extension under a root; false if the root is missing.
func corpusFiles(t testing.TB, root, ext string, f func(path string, data []byte)) bool {
	t.Helper()
	if _, err := os.Stat(root); err != nil {
		return false
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ext {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			f(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// planTypes calls f for each type value in a plan: under the keys that hold nothing else, and the type of each expression.
func planTypes(v any, f func(any)) {
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			planTypes(inner, f)
		}
	case map[string]any:
		_, isNode := v["inputProperties"]
		_, isExpression := v["kind"]
		for key, inner := range v {
			if inner == nil { // rowTypeAfterCalc of a delta join without a calc
				continue
			}
			switch key {
			case "outputType", "dataType", "logicalType", "producedType", "consumedType", "rowType", "localAggInputRowType",
				"partialLocalAggInputRowType", "aggInputRowType", "timeAttributeType", "rowTypeAfterCalc", "externalDataType":
				f(inner)
				continue
			case "type":
				if isExpression && !isNode {
					f(inner)
					continue
				}
			}
			planTypes(inner, f)
		}
	}
}

func TestPlanCorpus(t *testing.T) {
	for _, root := range corpusRoots {
		t.Run(root, func(t *testing.T) {
			plans, types, canonical := 0, 0, 0
			if !corpusFiles(t, root, ".json", func(path string, data []byte) {
				var plan any
				if json.Unmarshal(data, &plan) != nil {
					return
				}
				if m, ok := plan.(map[string]any); !ok || m["nodes"] == nil {
					return
				}
				plans++
				planTypes(plan, func(v any) {
					types++
					raw, err := json.Marshal(v)
					if err != nil {
						t.Fatal(err)
					}
					typ, err := FromJSON(raw)
					if err != nil {
						t.Errorf("%s: %v", path, err)
						return
					}
					if typ.Kind() == Unknown {
						t.Errorf("%s: unknown type %s", path, raw)
					}
					if text, ok := v.(string); ok {
						if typ.String() != text || typ.Raw() != text {
							t.Errorf("%s: %s came back as %s", path, text, typ)
						}
						fast, ok := parseCanonical(text)
						if ok {
							canonical++
						}
						if slow, err := parseGrammar(text); err != nil || ok && !reflect.DeepEqual(fast, slow) {
							t.Errorf("%s: the grammar reads %s as %v, %v", path, text, slow, err)
						}
						return
					}
					if typ.Raw() != string(raw) && !strings.Contains(string(raw), "logicalType") {
						t.Errorf("%s: %s came back as %s", path, raw, typ.Raw())
					}
					if again, err := Parse(typ.String()); err != nil || again.String() != typ.String() {
						t.Errorf("%s: %s cannot be read back: %v", path, typ, err)
					}
				})
			}) || plans == 0 {
				t.Skip("no plans there")
			}
			t.Logf("%d plans, %d types, %d of them canonical", plans, types, canonical)
			if types < 10*plans || canonical < types/2 {
				t.Errorf("%d types, %d canonical in %d plans: the test does not see them", types, canonical, plans)
			}
		})
	}
}

// TestDescribeCorpus reads the type column of every DESCRIBE in the transcripts.
func TestDescribeCorpus(t *testing.T) {
	for _, root := range corpusRoots {
		t.Run(root, func(t *testing.T) {
			seen := map[Kind]int{}
			corpusFiles(t, root, ".out", func(path string, data []byte) {
				inDescribe := false
				for line := range strings.Lines(string(data)) {
					cells := strings.Split(line, " | ")
					switch {
					case len(cells) < 6:
						inDescribe = inDescribe && strings.HasPrefix(line, "+-")
					case strings.TrimSpace(cells[1]) == "type" && strings.TrimSpace(cells[2]) == "null":
						inDescribe = true
					case inDescribe:
						typ, err := Parse(cells[1])
						if err != nil {
							t.Errorf("%s: %v", path, err)
							continue
						}
						seen[typ.Kind()]++
						if name := strings.TrimSpace(strings.TrimPrefix(cells[0], "|")); (name == "ts" || name == "pt") && path[len(path)-8:] == "show.out" && typ.TimeAttribute() == NoTimeAttribute {
							t.Errorf("%s: %s is no time attribute in %s", path, name, typ)
						}
					}
				}
			})
			if len(seen) == 0 {
				t.Skip("no DESCRIBE there")
			}
			if seen[Bigint] == 0 || seen[Map] == 0 || seen[TimestampWithLocalTimeZone] == 0 {
				t.Errorf("the test does not see them: %v", seen)
			}
		})
	}
}

// cellTypes are the types of the columns of types.sql and types_batch.sql.
var cellTypes = map[string]string{
	"f_boolean": "BOOLEAN", "f_tinyint": "TINYINT", "f_smallint": "SMALLINT", "f_int": "INT", "f_bigint": "BIGINT",
	"f_float": "FLOAT", "f_double": "DOUBLE", "f_decimal": "DECIMAL(10, 4)", "f_decimal38": "DECIMAL(38, 18)",
	"f_char": "CHAR(5)", "f_varchar": "VARCHAR(8)", "f_string": "STRING", "f_bytes": "BYTES", "f_binary": "BINARY(4)",
	"f_date": "DATE", "f_time": "TIME(0)", "f_ts0": "TIMESTAMP(0)", "f_ts3": "TIMESTAMP(3)", "f_ts6": "TIMESTAMP(6)", "f_ts9": "TIMESTAMP(9)",
	"f_ltz3": "TIMESTAMP_LTZ(3)", "f_array": "ARRAY<INT>", "f_map": "MAP<CHAR(1) NOT NULL, STRING>",
	"f_row": "ROW<i INT, s STRING, d DECIMAL(10, 4)>", "f_rows": "ARRAY<ROW<i INT, s STRING>>",
}

// The rows of types.sql, which every release must give, whatever it prints.
var cellRows = []string{
	`f_boolean:true f_tinyint:1 f_smallint:1 f_int:1 f_bigint:1 f_float:1.5 f_double:1.5 f_decimal:1.5000 f_decimal38:1.500000000000000000 f_char:"ab   " f_varchar:"ab" f_string:"ab" f_bytes:"x'6162'" f_binary:"x'61620000'" f_date:"2026-03-01" f_time:"12:34:56" f_ts0:"2026-03-01 12:34:56" f_ts3:"2026-03-01 12:34:56.123" f_ts6:"2026-03-01 12:34:56.123456" f_ts9:"2026-03-01 12:34:56.123456789" f_ltz3:"2026-03-01 12:34:56.123" f_array:[1,2] f_map:{"k":"ab"} f_row:{"i":1,"s":"ab","d":1.5000} f_rows:[{"i":1,"s":"ab"}]`,
	`f_boolean:false f_tinyint:-100 f_smallint:-100 f_int:-100 f_bigint:-100 f_float:-12345.679 f_double:-12345.6789 f_decimal:-12345.6789 f_decimal38:-12345.678900000000000000 f_char:"xyz  " f_varchar:"xyz" f_string:"xyz" f_bytes:"x'78797a'" f_binary:"x'78797a00'" f_date:"1970-01-01" f_time:"00:00:00" f_ts0:"1970-01-01 00:00:00" f_ts3:"1970-01-01 00:00:00.000" f_ts6:"1970-01-01 00:00:00.000000" f_ts9:"1970-01-01 00:00:00.000000000" f_ltz3:"1970-01-01 00:00:00.000" f_array:[-100,-99] f_map:{"k":"xyz"} f_row:{"i":-100,"s":"xyz","d":-12345.6789} f_rows:[{"i":-100,"s":"xyz"}]`,
	`f_array:[null,null] f_map:{"k":null} f_row:{"i":null,"s":null,"d":null} f_rows:[{"i":null,"s":null}]`,
}

// TestValueCorpus reads each type as each release prints it, in streaming and in batch mode.
func TestValueCorpus(t *testing.T) {
	files := 0
	corpusFiles(t, "../testdata/transcripts", ".out", func(path string, data []byte) {
		if name := filepath.Base(path); name != "types.out" && name != "types_batch.out" {
			return
		}
		files++
		notation := CastNotation
		if strings.Contains(string(data), "(NULL)") {
			notation = JavaNotation
		}
		var columns, rows []string
		for line := range strings.Lines(string(data)) {
			cells := strings.Split(strings.TrimSpace(line), "|")
			if len(cells) < len(cellTypes)+2 {
				continue
			}
			if columns == nil {
				for _, cell := range cells {
					columns = append(columns, strings.TrimSpace(cell))
				}
				continue
			}
			var row []string
			for i, cell := range cells {
				typ, ok := cellTypes[columns[i]]
				text := strings.TrimLeft(strings.TrimSuffix(cell, " "), " ")
				if !ok || text == "<NULL>" || text == "(NULL)" {
					continue
				}
				for _, n := range []Notation{notation, AnyNotation} {
					v, err := mustParse(t, typ).ParseValue(text, n)
					// Without the notation a null inside could be a string.
					if err != nil && (n == notation || !errors.Is(err, ErrAmbiguous) || !strings.Contains(strings.ToLower(text), "null")) {
						t.Errorf("%s: %s: %v", path, columns[i], err)
					}
					if n == notation {
						js := string(v.AppendJSON(nil))
						if b, ok := v.Bytes(); ok { // printed in two ways
							js = fmt.Sprintf(`"x'%x'"`, b)
						}
						row = append(row, columns[i]+":"+js)
					}
				}
			}
			rows = append(rows, strings.Join(row, " "))
		}
		slices.Sort(rows)
		if diff := cmp.Diff(slices.Sorted(slices.Values(cellRows)), rows); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	})
	if files == 0 {
		t.Skip("no transcripts there")
	}
}

// TestPrintConnectorCorpus reads whole rows of the print connector, which separate nothing that the types do not tell apart.
func TestPrintConnectorCorpus(t *testing.T) {
	two := mustParse(t, "ROW<x INT, y STRING>")
	five := mustParse(t, "ROW<y STRING, c BIGINT, a ARRAY<INT>, m MAP<STRING, INT>, r ROW<p INT, q STRING>>")
	want := []string{
		`{"x":1,"y":"a"}`, `{"x":2,"y":"b, c"}`, `{"x":3,"y":null}`, `{"x":4,"y":null}`, `{"x":5,"y":"x]"}`, `{"x":6,"y":"金"}`, `{"x":7,"y":"s"}`,
		`{"y":"a","c":1,"a":[1,2],"m":{"k":1},"r":{"p":1,"q":"q, w"}}`,
		`{"y":"a","c":1,"a":[1,2],"m":{"k":1},"r":{"p":1,"q":"q, w"}}`,
		`{"y":"a","c":2,"a":[1,2],"m":{"k":1},"r":{"p":1,"q":"q, w"}}`,
		`{"y":"b","c":1,"a":[1,2],"m":{"k":1},"r":{"p":1,"q":"q, w"}}`,
	}
	files := 0
	corpusFiles(t, "../testdata/transcripts", ".out", func(path string, data []byte) {
		if filepath.Base(path) != "taskmanager.out" {
			return
		}
		files++
		var got []string
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			text, ok := strings.CutPrefix(line, "out> ")
			typ := five
			if ok {
				typ = two
			}
			v, err := typ.ParseValue(text, JavaNotation)
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			got = append(got, string(v.AppendJSON(nil)))
		}
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	})
	if files == 0 {
		t.Skip("no transcripts there")
	}
}
