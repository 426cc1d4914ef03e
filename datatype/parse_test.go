package datatype

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]Kind{
		"INT":          Integer,
		"ROW<`a` INT>": Row,
		"row(date date, b string 'it''s') not null": Row,
		"TIMESTAMP_LTZ(3) *PROCTIME*":               TimestampWithLocalTimeZone,
		"INT NOT NULL ARRAY":                        Array,
	} {
		got, err := Parse(text)
		if err != nil || got.Kind() != want || got.String() != text {
			t.Errorf("Parse(%q) = %v (%v), %v", text, got, got.Kind(), err)
		}
	}
}
