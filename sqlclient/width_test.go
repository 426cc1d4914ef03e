package sqlclient

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-69e58989/flinkread/datatype"
)

// TestCheckWidth: whatever a release prints in streaming mode is as wide as the
// type of its column asks for, and not as wide as a type that asks for more.
func TestCheckWidth(t *testing.T) {
	types := map[string]string{
		"f_boolean": "BOOLEAN", "f_tinyint": "TINYINT", "f_smallint": "SMALLINT", "f_int": "INT", "f_bigint": "BIGINT",
		"f_float": "FLOAT", "f_decimal": "DECIMAL(10, 4)", "f_decimal38": "DECIMAL(38, 18)", "f_string": "STRING",
		"f_date": "DATE", "f_time": "TIME(0)", "f_ts0": "TIMESTAMP(0)", "f_ts3": "TIMESTAMP(3)", "f_ts6": "TIMESTAMP(6)", "f_ts9": "TIMESTAMP(9)",
		"f_ltz3": "TIMESTAMP_LTZ(3)", "f_array": "ARRAY<INT>",
	}
	parse := func(text string) datatype.Type {
		typ, err := datatype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return typ
	}
	files, err := filepath.Glob("../testdata/transcripts/*/shapes/types.out")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		transcript, err := Read(strings.NewReader(string(data)), name)
		if err != nil {
			t.Fatal(err)
		}
		r := transcript.Results()[0]
		seen := 0
		for i, c := range r.Columns {
			text, ok := types[c.Name]
			if !ok {
				continue
			}
			seen++
			if err := r.CheckWidth(i, parse(text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			var e *WidthError
			if err := r.CheckWidth(i, parse("DECIMAL(37, 2)")); !errors.As(err, &e) || e.Want != 39 {
				t.Errorf("%s: %s may be a DECIMAL(37, 2): %v", name, c.Name, err)
			}
		}
		if seen != len(types) {
			t.Errorf("%s: %d of the columns", name, seen)
		}
		if r.CheckWidth(-1, parse("INT")) != nil || r.CheckWidth(len(r.Columns), parse("INT")) != nil {
			t.Error("a column that is not there is refused")
		}
	}
}
