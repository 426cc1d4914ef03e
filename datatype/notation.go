package datatype

// A Notation is one of the ways in which Flink prints values. They differ in what stands for null, in booleans, bytes,
// intervals and rows (FLINK-24685, release 1.15):
//
//	             CastNotation     JavaNotation
//	null inside  NULL             null
//	booleans     TRUE             true
//	bytes        x'6162'          [97, 98]
//	intervals    +1 02:03:04.005  PT26H3M4.005S
//	rows         (1, a)           +I[1, a]
//
// No value of any release tells by itself which one it is, but a file does: the client's null word is <NULL> in the first
// and (NULL) in the second.
type Notation uint8

const (
	// AnyNotation takes both CastNotation and JavaNotation. What the two read differently is then ambiguous: a string inside
	// that is a word for null, a structured type.
	AnyNotation Notation = iota
	// CastNotation is that of CAST(... AS STRING), which the client and TableResult.print use from 1.15 on.
	CastNotation
	// JavaNotation is that of Java's toString, which the client used up to 1.14 and the print connector uses from 1.13 on.
	JavaNotation
	// OldJavaNotation is that of the print connector up to 1.12: a comma alone separates the fields of a row, and a row
	// inside another value has no brackets.
	OldJavaNotation
)

// String gives any, cast, Java or old Java.
func (n Notation) String() string {
	switch n {
	case CastNotation:
		return "cast"
	case JavaNotation:
		return "Java"
	case OldJavaNotation:
		return "old Java"
	}
	return "any"
}

// nullWord is what stands for a null inside an array, map or row.
func (n Notation) nullWord() string {
	if n == JavaNotation || n == OldJavaNotation {
		return "null"
	}
	return "NULL"
}

// separator is what stands between two fields of a row.
func (n Notation) separator() string {
	if n == OldJavaNotation {
		return ","
	}
	return ", "
}
