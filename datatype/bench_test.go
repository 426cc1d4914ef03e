package datatype

import (
	"strconv"
	"strings"
	"testing"
)

// BenchmarkParse: the same row as plans spell it (read without participle), as DDL does (read by the grammar), and as an object.
func BenchmarkParse(b *testing.B) {
	const plan = "ROW<`id` VARCHAR(2147483647), `u` VARCHAR(2147483647), `c` VARCHAR(2147483647), `amt` DECIMAL(10, 2), `ts` TIMESTAMP(3)>"
	parse := func(text []byte) (Type, error) { return Parse(string(text)) }
	for _, bench := range []struct {
		name string
		text string
		read func([]byte) (Type, error)
	}{
		{"scalar", "VARCHAR(2147483647)", parse},
		{"plan", plan, parse},
		{"string", `"` + plan + `"`, FromJSON},
		{"DDL", "row<id string, u string, c string, amt decimal(10,2), ts timestamp(3)>", parse},
		{"object", `{"type":"ROW","fields":[{"name":"id","fieldType":"VARCHAR(2147483647)"},{"name":"u","fieldType":"VARCHAR(2147483647)"},{"name":"c","fieldType":"VARCHAR(2147483647)"},{"name":"amt","fieldType":"DECIMAL(10, 2)"},{"name":"ts","fieldType":{"type":"TIMESTAMP_WITHOUT_TIME_ZONE","precision":3,"kind":"ROWTIME"}}]}`, FromJSON},
	} {
		b.Run(bench.name, func(b *testing.B) {
			text := []byte(bench.text)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.read(text); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "types/s")
		})
	}
}

// BenchmarkParseValue: cells of the width that the client prints at most in streaming mode.
func BenchmarkParseValue(b *testing.B) {
	for _, bench := range []struct {
		name, typ, text string
		notation        Notation
	}{
		{"decimal", "DECIMAL(10, 2)", "1227.99", CastNotation},
		{"timestamp", "TIMESTAMP(3)", "2026-03-01 12:34:56.123", CastNotation},
		{"array", "ARRAY<INT>", "[1, 2, 3, 4, 5, 6, 7, 8, 9]", CastNotation},
		{"map", "MAP<STRING, INT>", "{reading=0}", CastNotation},
		{"row", "ROW<i INT, s STRING, d DECIMAL(10, 4)>", "(-100, xyz, -12345.6789)", CastNotation},
		{"row of any notation", "ROW<i INT, s STRING, d DECIMAL(10, 4)>", "(-100, xyz, -12345.6789)", AnyNotation},
	} {
		b.Run(bench.name, func(b *testing.B) {
			typ := mustParse(b, bench.typ)
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := typ.ParseValue(bench.text, bench.notation); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "values/s")
		})
	}
}

// BenchmarkSplitFields splits rows of which a string holds a separator: what a field costs should hardly depend on how many there are.
func BenchmarkSplitFields(b *testing.B) {
	for _, n := range []int{10, 100, 500} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			types := typesOf(b, "STRING"+strings.Repeat("; INT", n))
			text := "a, b" + strings.Repeat(", 1", n)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := SplitFields(text, types, JavaNotation); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
