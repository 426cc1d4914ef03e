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
	Descriptor // from 2.0 on
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
// It knows the keywords of the scalar types and of collections, TIMESTAMP as the one without a zone; Unknown for any other word.
func kindOfKeyword(keyword string) (kind Kind, length int32) {
	switch keyword {
	case "STRING":
		return Varchar, maxLength
	case "BYTES":
		return Varbinary, maxLength
	}
	return scalarKinds[keyword], notGiven
}

var scalarKinds = map[string]Kind{
	"CHAR": Char, "VARCHAR": Varchar, "BOOLEAN": Boolean, "BINARY": Binary, "VARBINARY": Varbinary, "DECIMAL": Decimal,
	"DEC": Decimal, "NUMERIC": Decimal, "TINYINT": Tinyint, "SMALLINT": Smallint, "INT": Integer, "INTEGER": Integer,
	"BIGINT": Bigint, "FLOAT": Float, "DOUBLE": Double, "DATE": Date, "TIME": Time, "TIMESTAMP": Timestamp,
	"TIMESTAMP_LTZ": TimestampWithLocalTimeZone, "ARRAY": Array, "MULTISET": Multiset, "MAP": Map, "ROW": Row, "NULL": Null, "SYMBOL": Symbol,
	"DESCRIPTOR": Descriptor, "VARIANT": Variant, "BITMAP": Bitmap,
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
