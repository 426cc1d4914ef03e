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
// # Bad input
//
// No input makes this package panic, recurse without bound or take more than linear time. What cannot be read is a
// *SyntaxError with the offset of the trouble. Ranges are not checked: Flink itself prints CHAR(0), which its own parser
// refuses.
package datatype
