package sqlclient_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// transcriptOf returns a transcript of results of so many rows each, of at
// least so many rows together.
func transcriptOf(b *testing.B, values []string, size, rows int) []byte {
	table := tableOf(values, true)
	one, err := io.ReadAll(table.times(int64(size / 10)))
	if err != nil {
		b.Fatal(err)
	}
	return slices.Concat(bytes.Repeat(one, (rows+size-1)/size), []byte("Flink SQL> \n"))
}

func benchmarkRecords(b *testing.B, data []byte, opts ...sqlclient.Option) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	rows := int64(0)
	for b.Loop() {
		rows, _ = drain(b, bytes.NewReader(data), opts...)
	}
	b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkRows reads one large result: what a row costs.
func BenchmarkRows(b *testing.B) {
	for _, kind := range []string{"ascii", "mixed", "CJK"} {
		data := transcriptOf(b, tableValues[kind], 100_000, 100_000)
		b.Run(kind+"/owned", func(b *testing.B) { benchmarkRecords(b, data) })
		b.Run(kind+"/batched", func(b *testing.B) { benchmarkRecords(b, data, sqlclient.ReuseRows()) })
	}
}

// BenchmarkResults reads many small results: what a statement costs.
func BenchmarkResults(b *testing.B) {
	for _, size := range []int{10, 100} {
		data := transcriptOf(b, tableValues["mixed"], size, 20_000)
		b.Run(fmt.Sprintf("rows=%d", size), func(b *testing.B) { benchmarkRecords(b, data, sqlclient.ReuseRows()) })
	}
}

// BenchmarkRead keeps all rows of a large result, and folds them.
func BenchmarkRead(b *testing.B) {
	data := transcriptOf(b, tableValues["mixed"], 20_000, 20_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		tr, err := sqlclient.Read(bytes.NewReader(data), "")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := tr.Results()[0].Final(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPrintLines reads the rows of print sinks: whole, and split by types.
func BenchmarkPrintLines(b *testing.B) {
	types := []datatype.Type{parse(b, "INT"), parse(b, "STRING"), parse(b, "DECIMAL(10, 2)")}
	nested := []datatype.Type{parse(b, "INT"), parse(b, "STRING"), parse(b, "ARRAY<INT>")}
	split := func(types []datatype.Type) sqlclient.Option {
		return sqlclient.SplitPrinted(func(string) []datatype.Type { return types })
	}
	for _, bench := range []struct {
		name, row string
		opts      []sqlclient.Option
	}{
		{"owned", "out:1> +I[1, a name, 12.50]\n", nil},
		{"batched", "out:1> +I[1, a name, 12.50]\n", []sqlclient.Option{sqlclient.ReuseRows()}},
		{"task", "1> +I[1, a name, 12.50]\n", []sqlclient.Option{sqlclient.ReuseRows()}},
		{"split", "out:1> +I[1, a name, 12.50]\n", []sqlclient.Option{sqlclient.ReuseRows(), split(types)}},
		{"split/nested", "out:1> +I[1, a name, [1, 2]]\n", []sqlclient.Option{sqlclient.ReuseRows(), split(nested)}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			benchmarkRecords(b, bytes.Repeat([]byte(bench.row), 20_000), bench.opts...)
		})
	}
}

func parse(t testing.TB, text string) datatype.Type {
	t.Helper()
	typ, err := datatype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}
