package sqlclient

import "strings"

// A request is what the beginning of a statement tells of its answer. It is read
// once, since comments may make the beginning long.
type request struct {
	text      bool     // plain lines may answer it
	described []string // the name of the table that it describes; nil for none
	selected  []string // the name of the table of which it takes all columns as they are; nil for none
}

// readRequest reads the beginning of a statement, which may be all of it.
func readRequest(sql string, complete bool) (q request) {
	s := sqlScanner{rest: sql}
	switch first, _ := s.identifier(); strings.ToUpper(first) {
	case "DESCRIBE", "DESC":
		q.text, q.described = complete, s.described()
	case "EXPLAIN", "HELP", "SET", "SHOW":
		q.text = complete
	case "SELECT":
		q.selected = s.selected(complete)
	}
	return q
}

// selected reads what stands behind SELECT.
func (s *sqlScanner) selected(complete bool) []string {
	if !s.sign("*") || !s.word("FROM") {
		return nil
	}
	name, ok := s.name()
	switch {
	case !ok:
		return nil
	case s.end():
		if complete {
			return name
		}
		return nil
	}
	for _, word := range []string{"WHERE", "ORDER", "LIMIT", "OFFSET", "FETCH"} {
		if s.word(word) {
			return name
		}
	}
	return nil
}

// described reads what stands behind DESCRIBE.
func (s *sqlScanner) described() []string {
	name, ok := s.name()
	if ok && !s.end() && len(name) == 1 && strings.EqualFold(name[0], "EXTENDED") {
		name, ok = s.name()
	}
	if !ok || !s.end() {
		return nil
	}
	return name
}

// A sqlScanner reads the beginning of a statement. What it asks for is taken only
// if it is there.
type sqlScanner struct{ rest string }

// blanks skips white space and comments, hints included.
func (s *sqlScanner) blanks() {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\r\n")
		var ok bool
		switch {
		case strings.HasPrefix(s.rest, "--"):
			_, s.rest, _ = strings.Cut(s.rest, "\n")
		case strings.HasPrefix(s.rest, "/*"):
			if _, s.rest, ok = strings.Cut(s.rest[2:], "*/"); !ok {
				return
			}
		default:
			return
		}
	}
}

func (s *sqlScanner) end() bool {
	s.blanks()
	return s.rest == "" || s.rest == ";"
}

func (s *sqlScanner) sign(sign string) (ok bool) {
	s.blanks()
	s.rest, ok = strings.CutPrefix(s.rest, sign)
	return ok
}

func (s *sqlScanner) word(word string) bool {
	before := s.rest
	if got, ok := s.identifier(); ok && strings.EqualFold(got, word) {
		return true
	}
	s.rest = before
	return false
}

// name reads a.b.c, of which each part may stand in back quotes. A name has up to
// three parts (org.apache.flink.table.catalog.UnresolvedIdentifier).
func (s *sqlScanner) name() (parts []string, ok bool) {
	for {
		part, ok := s.identifier()
		if !ok && s.sign("`") {
			part, ok = s.quoted()
		}
		if !ok {
			return nil, false
		}
		parts = append(parts, part)
		if !s.sign(".") {
			return parts, true
		}
		if len(parts) == 3 {
			return nil, false
		}
	}
}

func (s *sqlScanner) identifier() (string, bool) {
	s.blanks()
	n := 0
	for n < len(s.rest) {
		c := s.rest[n]
		if c != '_' && c != '$' && c < 0x80 && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			break
		}
		n++
	}
	word := s.rest[:n]
	s.rest = s.rest[n:]
	return word, n > 0
}

// quoted reads up to the closing back quote; two of them are one that stands in
// the name.
func (s *sqlScanner) quoted() (string, bool) {
	var name strings.Builder
	for {
		part, rest, ok := strings.Cut(s.rest, "`")
		if !ok {
			return "", false
		}
		name.WriteString(part)
		if s.rest, ok = strings.CutPrefix(rest, "`"); !ok {
			return name.String(), true
		}
		name.WriteByte('`')
	}
}
