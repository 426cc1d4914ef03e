package datatype

import "strconv"

// A Kind is the root of a type: which sort of type it is, without length, fields, nullability. Its members are those of
// Flink's LogicalTypeRoot (2.3). The zero Kind is an unknown one.
type Kind uint8

const (
	Unknown Kind = iota
	Char
	Varchar
	Boolean
	Binary
	Varbinary
	Decimal
	Tinyint
	Smallint
	Integer
	Bigint
	Float
	Double
	Date
	Time                       // TIME, which never has a zone
	Timestamp                  // TIMESTAMP, without a zone
	TimestampWithTimeZone      // a zone in each value
	TimestampWithLocalTimeZone // TIMESTAMP_LTZ
	IntervalYearMonth
	IntervalDayTime
	Array
	Multiset
	Map
	Row
	Distinct
	Structured
	Null
	Raw
	Symbol
	Unresolved // a user-defined type, of which only the name is known
	Descriptor // from 2.1 on
	Variant    // from 2.1 on
	Bitmap     // from 2.3 on
)

var kindNames = [...]string{
	Char:                       "CHAR",
	Varchar:                    "VARCHAR",
	Boolean:                    "BOOLEAN",
	Binary:                     "BINARY",
	Varbinary:                  "VARBINARY",
	Decimal:                    "DECIMAL",
	Tinyint:                    "TINYINT",
	Smallint:                   "SMALLINT",
	Integer:                    "INTEGER",
	Bigint:                     "BIGINT",
	Float:                      "FLOAT",
	Double:                     "DOUBLE",
	Date:                       "DATE",
	Time:                       "TIME_WITHOUT_TIME_ZONE",
	Timestamp:                  "TIMESTAMP_WITHOUT_TIME_ZONE",
	TimestampWithTimeZone:      "TIMESTAMP_WITH_TIME_ZONE",
	TimestampWithLocalTimeZone: "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
	IntervalYearMonth:          "INTERVAL_YEAR_MONTH",
	IntervalDayTime:            "INTERVAL_DAY_TIME",
	Array:                      "ARRAY",
	Multiset:                   "MULTISET",
	Map:                        "MAP",
	Row:                        "ROW",
	Distinct:                   "DISTINCT_TYPE",
	Structured:                 "STRUCTURED_TYPE",
	Null:                       "NULL",
	Raw:                        "RAW",
	Symbol:                     "SYMBOL",
	Unresolved:                 "UNRESOLVED",
	Descriptor:                 "DESCRIPTOR",
	Variant:                    "VARIANT",
	Bitmap:                     "BITMAP",
}

// String gives the kind's name in Flink's LogicalTypeRoot, such as TIMESTAMP_WITHOUT_TIME_ZONE; "unknown" for Unknown.
func (k Kind) String() string {
	switch {
	case k == Unknown:
		return "unknown"
	case int(k) < len(kindNames):
		return kindNames[k]
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// kindOfRoot finds the kind of a name of LogicalTypeRoot; Unknown if there is none.
func kindOfRoot(root string) Kind {
	for k, name := range kindNames {
		if name == root && name != "" {
			return Kind(k)
		}
	}
	return Unknown
}

// kindOfKeyword gives the kind of a type's first keyword, and the length that lies in the word itself (STRING, BYTES).
// TIMESTAMP is the one without a zone. It gives Unknown for a word that does not make a type together with at most
// numbers and inner types.
func kindOfKeyword(keyword string) (kind Kind, length int32) {
	switch keyword {
	case "STRING":
		return Varchar, maxLength
	case "BYTES":
		return Varbinary, maxLength
	case "CHAR":
		kind = Char
	case "VARCHAR":
		kind = Varchar
	case "BOOLEAN":
		kind = Boolean
	case "BINARY":
		kind = Binary
	case "VARBINARY":
		kind = Varbinary
	case "DECIMAL", "DEC", "NUMERIC":
		kind = Decimal
	case "TINYINT":
		kind = Tinyint
	case "SMALLINT":
		kind = Smallint
	case "INT", "INTEGER":
		kind = Integer
	case "BIGINT":
		kind = Bigint
	case "FLOAT":
		kind = Float
	case "DOUBLE":
		kind = Double
	case "DATE":
		kind = Date
	case "TIME":
		kind = Time
	case "TIMESTAMP":
		kind = Timestamp
	case "TIMESTAMP_LTZ":
		kind = TimestampWithLocalTimeZone
	case "ARRAY":
		kind = Array
	case "MULTISET":
		kind = Multiset
	case "MAP":
		kind = Map
	case "NULL":
		kind = Null
	case "SYMBOL":
		kind = Symbol
	case "DESCRIPTOR":
		kind = Descriptor
	case "VARIANT":
		kind = Variant
	case "BITMAP":
		kind = Bitmap
	}
	return kind, notGiven
}

// hasNumber says whether a scalar type of this kind carries one number, its length or precision.
func (k Kind) hasNumber() bool {
	switch k {
	case Char, Varchar, Binary, Varbinary, Time, Timestamp, TimestampWithTimeZone, TimestampWithLocalTimeZone:
		return true
	}
	return false
}

// A TimeAttribute says whether a timestamp is also the stream's time (Flink's TimestampKind). Flink prints it behind the
// type in DESCRIBE and EXPLAIN (TIMESTAMP(3) *ROWTIME*) and as kind in a plan's type objects.
type TimeAttribute uint8

const (
	NoTimeAttribute TimeAttribute = iota
	Rowtime                       // event time: a watermark belongs to it
	Proctime                      // the machine's clock when the row is processed
)

// String gives ROWTIME, PROCTIME or, for none, the empty string.
func (a TimeAttribute) String() string {
	switch a {
	case NoTimeAttribute:
		return ""
	case Rowtime:
		return "ROWTIME"
	case Proctime:
		return "PROCTIME"
	}
	return "TimeAttribute(" + strconv.Itoa(int(a)) + ")"
}

// A Resolution says which fields an interval has (Flink's YearMonthResolution and DayTimeResolution).
type Resolution uint8

const (
	NoResolution Resolution = iota
	Year
	YearToMonth
	Month
	Day
	DayToHour
	DayToMinute
	DayToSecond
	Hour
	HourToMinute
	HourToSecond
	Minute
	MinuteToSecond
	Second
)

var resolutionNames = [...]string{
	NoResolution:   "",
	Year:           "YEAR",
	YearToMonth:    "YEAR TO MONTH",
	Month:          "MONTH",
	Day:            "DAY",
	DayToHour:      "DAY TO HOUR",
	DayToMinute:    "DAY TO MINUTE",
	DayToSecond:    "DAY TO SECOND",
	Hour:           "HOUR",
	HourToMinute:   "HOUR TO MINUTE",
	HourToSecond:   "HOUR TO SECOND",
	Minute:         "MINUTE",
	MinuteToSecond: "MINUTE TO SECOND",
	Second:         "SECOND",
}

// String gives the fields as a type names them, such as DAY TO SECOND; the empty string for none.
func (r Resolution) String() string {
	if int(r) < len(resolutionNames) {
		return resolutionNames[r]
	}
	return "Resolution(" + strconv.Itoa(int(r)) + ")"
}

// leading and fractional say whether an interval names a precision of its years or days, and of its seconds.
func (r Resolution) leading() bool {
	return r == Year || r == YearToMonth || r >= Day && r <= DayToSecond
}
func (r Resolution) fractional() bool {
	return r == DayToSecond || r == HourToSecond || r == MinuteToSecond || r == Second
}
