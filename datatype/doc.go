// Package datatype reads Flink's data types: the text in which compiled plans, DESCRIBE and DDL write them
// (ROW<`a` INT NOT NULL, `b` ARRAY<STRING>>), and the JSON objects that plans use for types without such a text.
//
// It covers Flink 1.13 to 2.3. Facts about the language come from Flink's LogicalTypeParser, the asSerializableString
// and asSummaryString methods of its LogicalType classes, and LogicalTypeJsonSerializer.
//
// # What is read, what is kept
//
// A Type keeps the text that it was read from beside what that text means; [Type.Raw] gives it back byte for byte. A
// Type is a value: copy it freely. It is safe for concurrent use, and the slices it hands out must not be changed. The
// zero Type is the unknown type. A Type that Parse returned shares the memory of its text; one from FromJSON shares none.
//
// # Values
//
// [Type.ParseValue] reads the text that Flink prints for a value of a type: 12.50, x'6162', [1, 2], {k=v}, (1, a). Flink
// escapes nothing, so the type decides where a string ends; where that leaves more than one reading, the
// error says so ([ErrAmbiguous]). The two notations that releases print in are told apart by [Notation].
//
// [SplitFields] splits a row that the print connector wrote into the texts of its fields.
//
// # Bad input
//
// No input makes this package panic, recurse without bound or take more than linear time. What cannot be read is a
// *SyntaxError or a *ValueError with the offset of the trouble. The numbers of a type are not checked against Flink's
// ranges: Flink itself prints CHAR(0), which its own parser refuses.
package datatype
