package datatype

import "testing"

func BenchmarkX(b *testing.B) {
	s := "ROW<`id` VARCHAR(2147483647), `u` VARCHAR(2147483647), `c` VARCHAR(2147483647), `amt` DECIMAL(10, 2), `ts` TIMESTAMP(3)>"
	b.Run("c", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			parseCanonical(s)
		}
	})
	b.Run("g", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			parseGrammar(s)
		}
	})
}
