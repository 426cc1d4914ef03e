package changelog

// A RowKind says what a changelog row does to the table. The zero value is
// None: a row of a batch result, which has no kind.
//
// The four kinds of org.apache.flink.types.RowKind are Insert, UpdateBefore,
// UpdateAfter and Delete. Releases up to 1.12 printed only "+" and "-"; these
// stay the separate kinds Add and Retract, because a "-" does not tell whether
// an update or a delete caused it.
type RowKind uint8

const (
	None         RowKind = iota
	Insert               // +I
	UpdateBefore         // -U
	UpdateAfter          // +U
	Delete               // -D
	Add                  // + (Flink 1.11, 1.12)
	Retract              // - (Flink 1.11, 1.12)
)

var kindNames = [...]string{None: "", Insert: "+I", UpdateBefore: "-U", UpdateAfter: "+U", Delete: "-D", Add: "+", Retract: "-"}

// String returns the kind as Flink prints it, such as "+I"; "" for None.
func (k RowKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// Adds reports whether a row of this kind adds a row to the table. Rows
// without a kind do.
func (k RowKind) Adds() bool {
	return k == Insert || k == UpdateAfter || k == Add || k == None
}

// Removes reports whether a row of this kind takes a row out of the table.
func (k RowKind) Removes() bool {
	return k == UpdateBefore || k == Delete || k == Retract
}

// ParseRowKind returns the kind that Flink prints as s, and false if s is no
// row kind.
func ParseRowKind(s string) (RowKind, bool) {
	for k := Insert; int(k) < len(kindNames); k++ {
		if kindNames[k] == s {
			return k, true
		}
	}
	return None, false
}
