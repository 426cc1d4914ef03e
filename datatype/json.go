package datatype

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// FromJSON reads a type as a compiled plan holds it (Flink's LogicalTypeJsonSerializer): a JSON string with the text of a
// type, or an object for what that text cannot say:
//
//	"ROW<`a` INT NOT NULL>"
//	{"type":"TIMESTAMP_WITHOUT_TIME_ZONE","precision":3,"kind":"ROWTIME"}
//	{"type":"ROW","nullable":false,"fields":[{"name":"ts","fieldType":{"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE", ...}}]}
//
// It also reads the object of a data type (DataTypeJsonSerializer), {"logicalType":...,"conversionClass":"..."}, and
// gives its logical type. An object whose type root no known release has becomes a Type of kind Unknown, with the object in Raw.
//
// An error is a *SyntaxError, whose Text is the JSON value, or the text of the type within it that could not be read. raw
// is not retained.
func FromJSON(raw []byte) (Type, error) {
	text, ok := plainString(raw)
	if ok {
		return Parse(text)
	}
	text = strings.TrimFunc(string(raw), isSpace)
	if err := checkJSON(text); err != nil {
		return Type{}, err
	}
	return jsonReader{text}.typ(gjson.Parse(text))
}

// plainString gives the text of a JSON string without escapes, which nearly all types in a plan are.
func plainString(raw []byte) (text string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", false
	}
	inner := raw[1 : len(raw)-1]
	for _, c := range inner {
		if c == '"' || c == '\\' || c < ' ' {
			return "", false
		}
	}
	return string(inner), utf8.Valid(inner)
}

// checkJSON makes sure of what gjson takes for granted: well-formed text that does not nest deeper than a stack can bear.
func checkJSON(text string) error {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{', c == '[':
			// A level of a type is up to three levels of JSON: the type, its fields, the field.
			if depth++; depth > 3*maxDepth {
				return &SyntaxError{Text: text, Offset: i, Msg: depthMessage, Err: ErrDepth}
			}
		case c == '}', c == ']':
			depth--
		}
	}
	if utf8.ValidString(text) && gjson.Valid(text) {
		return nil
	}
	e := &SyntaxError{Text: text, Msg: "this is not JSON"}
	var syntax *json.SyntaxError
	if err := json.Unmarshal([]byte(text), new(json.RawMessage)); errors.As(err, &syntax) {
		e.Offset = min(max(int(syntax.Offset)-1, 0), len(text))
	}
	return e
}

// jsonReader reads the types of one valid JSON text.
type jsonReader struct{ text string }

func (r jsonReader) fail(at gjson.Result, msg string) (Type, error) {
	return Type{}, &SyntaxError{Text: r.text, Offset: at.Index, Msg: msg}
}

// jsonType holds the members of a type's object. As in Flink's reader the last one of a name counts.
type jsonType struct {
	logicalType, typ, nullable, description gjson.Result
	length, precision, kind                 gjson.Result
	element, key, value, source, external   gjson.Result
	fields, attributes                      gjson.Result
	identifier, implementationClass, class  gjson.Result
}

func (r jsonReader) typ(v gjson.Result) (Type, error) {
	switch {
	case v.Type == gjson.String:
		return Parse(v.Str)
	case !v.IsObject():
		return r.fail(v, "a type is a string or an object")
	}
	var o jsonType
	v.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "logicalType":
			o.logicalType = value
		case "type":
			o.typ = value
		case "nullable":
			o.nullable = value
		case "description":
			o.description = value
		case "length":
			o.length = value
		case "precision":
			o.precision = value
		case "kind":
			o.kind = value
		case "elementType":
			o.element = value
		case "keyType":
			o.key = value
		case "valueType":
			o.value = value
		case "sourceType":
			o.source = value
		case "externalDataType":
			o.external = value
		case "fields":
			o.fields = value
		case "attributes":
			o.attributes = value
		case "objectIdentifier":
			o.identifier = value
		case "implementationClass":
			o.implementationClass = value
		case "class":
			o.class = value
		}
		return true
	})
	if o.logicalType.Exists() && !o.typ.Exists() {
		return r.typ(o.logicalType)
	}
	if o.typ.Type != gjson.String {
		return r.fail(v, "the object has no type")
	}
	t, err := r.object(v, o)
	if err != nil {
		return Type{}, err
	}
	if o.nullable.Exists() {
		if !o.nullable.IsBool() {
			return r.fail(o.nullable, "nullable is no boolean")
		}
		t.notNull = !o.nullable.Bool()
	}
	t.object, t.raw = true, v.Raw
	return t, nil
}

func (r jsonReader) object(v gjson.Result, o jsonType) (t Type, err error) {
	kind := kindOfRoot(o.typ.Str)
	p := parts{description: o.description.Str, class: o.class.Str}
	switch kind {
	case Timestamp, TimestampWithTimeZone, TimestampWithLocalTimeZone:
		t = scalar(kind, notGiven, notGiven)
		if t.length, err = r.number(o.precision); err != nil {
			return t, err
		}
		switch o.kind.Str {
		case "", "REGULAR":
		case "ROWTIME":
			t.attr = Rowtime
		case "PROCTIME":
			t.attr = Proctime
		default:
			return r.fail(o.kind, "the kind of a timestamp is REGULAR, ROWTIME or PROCTIME")
		}
		return t, nil
	case Char, Varchar, Binary, Varbinary:
		t = scalar(kind, notGiven, notGiven)
		t.length, err = r.number(o.length)
		return t, err
	case Array, Multiset:
		p.types, err = r.types(v, o.element)
	case Map:
		p.types, err = r.types(v, o.key, o.value)
	case Row:
		p.fields, err = r.fields(v, o.fields, "fieldType")
	case Distinct:
		p.path, err = r.path(o.identifier)
		if err == nil && o.source.Exists() {
			p.types, err = r.types(v, o.source)
		}
	case Structured:
		p.class = o.implementationClass.Str
		if o.identifier.Exists() {
			p.path, err = r.path(o.identifier)
		}
		if err == nil && o.attributes.Exists() {
			p.fields, err = r.fields(v, o.attributes, "attributeType")
		}
	case Raw:
		if o.external.Exists() {
			p.types, err = r.types(v, o.external)
		}
	case Decimal, Time, IntervalYearMonth, IntervalDayTime, Unresolved:
		return r.fail(o.typ, "a type of root "+o.typ.Str+" is written as text")
	default:
		return scalar(kind, notGiven, notGiven), nil
	}
	if err != nil {
		return t, err
	}
	t, ok := composite(kind, p)
	if !ok {
		return t, &SyntaxError{Text: r.text, Offset: v.Index, Msg: depthMessage, Err: ErrDepth}
	}
	return t, nil
}

// types reads the types inside another one, all of which must be there.
func (r jsonReader) types(parent gjson.Result, values ...gjson.Result) ([]Type, error) {
	types := make([]Type, len(values))
	for i, v := range values {
		if !v.Exists() {
			_, err := r.fail(parent, "the object lacks a type that it is made of")
			return nil, err
		}
		t, err := r.typ(v)
		if err != nil {
			return nil, err
		}
		types[i] = t
	}
	return types, nil
}

func (r jsonReader) fields(parent, list gjson.Result, typeKey string) (fields []Field, err error) {
	if !list.IsArray() {
		_, err := r.fail(parent, "the object has no list of fields")
		return nil, err
	}
	fields = make([]Field, 0, min(strings.Count(list.Raw, typeKey), 64)) // counted in nested types and strings, too
	list.ForEach(func(_, v gjson.Result) bool {
		var name, typ, description gjson.Result
		v.ForEach(func(key, value gjson.Result) bool {
			switch key.Str {
			case "name":
				name = value
			case typeKey:
				typ = value
			case "description":
				description = value
			}
			return true
		})
		if name.Type != gjson.String || !typ.Exists() {
			_, err = r.fail(v, "a field has a name and a type")
			return false
		}
		f := Field{Name: name.Str, Description: description.Str}
		if f.Type, err = r.typ(typ); err != nil {
			return false
		}
		fields = append(fields, f)
		return true
	})
	return fields, err
}

// path reads an object identifier: `catalog`.`database`.`name`.
func (r jsonReader) path(v gjson.Result) ([]string, error) {
	t, err := Parse(v.Str)
	if err != nil || t.kind != Unresolved || t.notNull {
		_, err = r.fail(v, "an object identifier is `catalog`.`database`.`name`")
	}
	return t.Path(), err
}

// number reads a length or a precision, if it is there.
func (r jsonReader) number(v gjson.Result) (int32, error) {
	if !v.Exists() {
		return notGiven, nil
	}
	n := v.Int()
	if v.Type != gjson.Number || n < 0 || n > maxLength || v.Num != float64(n) {
		_, err := r.fail(v, "a length or precision is a whole number")
		return notGiven, err
	}
	return int32(n), nil
}
