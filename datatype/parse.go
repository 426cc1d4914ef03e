package datatype

import "strings"

// Parse reads the text of a type in any spelling: that of compiled plans (TIMESTAMP(3) WITH LOCAL TIME ZONE NOT NULL), of
// DESCRIBE (TIMESTAMP_LTZ(3) *PROCTIME*), or of DDL (array<row<id bigint, `my name` string>>). Blanks around it do not count.
// An error is a *SyntaxError; the Type is then the zero Type. A column costs a fraction of a microsecond in the spelling of
// plans, and some fifty times that in any other one.
func Parse(text string) (Type, error) {
	text = strings.TrimFunc(text, isSpace)
	if t, ok := parseCanonical(text); ok {
		return t, nil
	}
	return parseGrammar(text)
}
