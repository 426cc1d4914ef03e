package changelog

// An AnomalyKind says how a change did not fit the table that it was applied
// to. The zero value is none.
type AnomalyKind uint8

const (
	_ AnomalyKind = iota
	// AbsentRow: a retraction found no row to remove: without a key no row
	// equal to it, with a key no row of its key. The change was ignored.
	// Transcripts that start late have them.
	AbsentRow
	// OtherRow, with a key: the row of the key is not equal to the retraction.
	// An update-before ("-U", or the "-" of old releases) was ignored. A
	// delete removed the row all the same; a delete whose cells outside the
	// key are all null carries no more than its key (Flink 2.1 and later may
	// send such, FLIP-510) and is no anomaly.
	OtherRow
	// ExistingKey, with a key: an insert, or a row without a kind, met a row of
	// its key and replaced it. Many of them say that the key is not unique.
	ExistingKey
	// CellCount: the row has more or fewer cells than the table has columns.
	// The change was ignored.
	CellCount
	// NoKeyColumn: a key column is not among the table's columns, so no row
	// has a key. The change was ignored.
	NoKeyColumn
	// UnknownKind: the row's kind is none of the constants of RowKind. The
	// change was ignored.
	UnknownKind
)

var anomalyNames = [...]string{
	AbsentRow:   "absent row",
	OtherRow:    "other row",
	ExistingKey: "existing key",
	CellCount:   "cell count",
	NoKeyColumn: "no key column",
	UnknownKind: "unknown kind",
}

// String returns the kind in words, such as "absent row"; "" for none.
func (k AnomalyKind) String() string {
	if int(k) < len(anomalyNames) {
		return anomalyNames[k]
	}
	return ""
}

// An Anomaly is a change that did not fit the table. It never stops the
// folding.
type Anomaly struct {
	Kind    AnomalyKind
	RowKind RowKind // of the change
	Pos     Pos     // of the change
	Msg     string  // without the place; holds no text of the file
}

// Error returns the place, where there is one, and the message.
func (a *Anomaly) Error() string {
	if !a.Pos.IsValid() {
		return a.Msg
	}
	return a.Pos.String() + ": " + a.Msg
}
