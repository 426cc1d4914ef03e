package sqlclient

import (
	"strings"
	"testing"
)

func TestRequest(t *testing.T) {
	for _, test := range []struct {
		sql       string
		open      bool // the statement is not all there
		text      bool
		described string
		selected  string
	}{
		{sql: ""},
		{sql: "SHOW TABLES;", text: true},
		{sql: "show\ntables", text: true},
		{sql: "-- all of them\n  SHOW TABLES", text: true},
		{sql: "/* why */EXPLAIN SELECT 1", text: true},
		{sql: "HELP;", text: true},
		{sql: "SET 'a' = 'b';", text: true},
		{sql: "SHOW TABLES", open: true},
		{sql: "SHOWS"},
		{sql: "INSERT INTO t SELECT * FROM u"},
		{sql: "-- SHOW"},
		{sql: "/* SHOW"},
		{sql: "DESCRIBE t", text: true, described: "t"},
		{sql: "DESC EXTENDED a.`b c`.`d``e`;", text: true, described: "a/b c/d`e"},
		{sql: "DESCRIBE EXTENDED", text: true, described: "EXTENDED"},
		{sql: "DESCRIBE a.b.c.d", text: true},
		{sql: "DESCRIBE JOB 'x'", text: true},
		{sql: "DESCRIBE `t", text: true},
		{sql: "SELECT * FROM a.b", selected: "a/b"},
		{sql: "SELECT * FROM a", open: true},
		{sql: "SELECT * FROM a WHERE f(x", open: true, selected: "a"},
		{sql: "SELECT * FROM a AS b"},
		{sql: "SELECT a FROM a"},
	} {
		q := readRequest(test.sql, !test.open)
		if q.text != test.text || strings.Join(q.described, "/") != test.described || strings.Join(q.selected, "/") != test.selected {
			t.Errorf("%q: %+v", test.sql, q)
		}
	}
}
