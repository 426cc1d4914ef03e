package sqlclient_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

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
		b.Run(kind+"/batched", func(b *testing.B) { benchmarkRecords(b, data, sqlclient.BatchRows()) })
	}
}

// BenchmarkResults reads many small results: what a statement costs.
func BenchmarkResults(b *testing.B) {
	for _, size := range []int{10, 100} {
		data := transcriptOf(b, tableValues["mixed"], size, 20_000)
		b.Run(fmt.Sprintf("rows=%d", size), func(b *testing.B) { benchmarkRecords(b, data, sqlclient.BatchRows()) })
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
