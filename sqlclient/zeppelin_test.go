package sqlclient

import (
	"strings"
	"testing"
)

var zeppelinTests = []struct {
	name, input, want string
}{
	{"a table that is updated", "%table\nstatus\tpv\nbar\t48\nfoo bar\tnull\n\n%text\n", `
1:1 head batch snapshot "status" "pv"
3:1 row "bar" "48"
4:1 row "foo bar" "null"
5:1 border`},
	{"a table that is appended to, and text behind it", "%table\na\tb\n1\t\n\n%text hello\nworld\n", `
1:1 head batch snapshot "a" "b"
3:1 row "1" ""
4:1 border
5:7 text other "hello\nworld\n"`},
	{"rows that look like other things", "%table\nts\tn\n2020-04-29 07:46:20.0\t13\nEmpty set\t[ERROR]\nINFO: \t\n\n%text\n%table\nts\n2020-04-29 07:46:20.0\n1 row in set\n", `
1:1 head batch snapshot "ts" "n"
3:1 row "2020-04-29 07:46:20.0" "13"
4:1 row "Empty set" "[ERROR]"
5:1 row "INFO: " ""
6:1 border
8:1 head batch snapshot "ts"
10:1 row "2020-04-29 07:46:20.0"
11:1 row "1 row in set"`},
	{"names behind the mark, and no end", "%table a\tb\n1\t2\n", `
1:1 head batch snapshot "a" "b"
2:1 row "1" "2"`},
	{"the log of a table that is drawn again", "DEBUG Refresh with data: %table\na\n1\n\n\n%text\nDEBUG Refresh with data: %table\na\n2\n\n%text\n", `
1:1 text other "DEBUG Refresh with data: "
1:26 head batch snapshot "a"
3:1 row "1"
4:1 row ""
5:1 border
7:1 text other "DEBUG Refresh with data: "
7:26 head batch snapshot "a"
9:1 row "2"
10:1 border`},
	{"rows that do not fit", "%table\na\tb\n1\t2\t3\n1\t2\nhello\n1\t2\n", `
1:1 head batch snapshot "a" "b"
3:1 unread: a row of 3 cells below 2 names
4:1 row "1" "2"
5:1 text other "hello\n1\t2\n"`},
	{"other things end it", "%table\na\nFlink SQL> f(x)Empty set\n%table\na\tb\n\n1\t2\n%table\na\tb\n%table\na\tb\n%text\n", `
1:1 head batch snapshot "a"
3:1 echo "f(x)"
3:16 footer empty set 0
4:1 head batch snapshot "a" "b"
6:1 text blank "\n"
7:1 text other "1\t2\n"
8:1 head batch snapshot "a" "b"
10:1 head batch snapshot "a" "b"
12:1 border`},
	{"the input ends in it", "%table\na\tb\n1\t2\n3\t", `
1:1 head batch snapshot "a" "b"
3:1 row "1" "2"
4:1 unread: a row is cut off by the end of the input`},
	{"the input ends in its head", "%table\na\tb", `
1:1 unread: the head of a table is cut off by the end of the input`},
	{"no mark", "%tables\n%table of contents\nx %table\n%text\n", `
1:1 text other "%tables\n%table of contents\nx %table\n%text\n"`},

	{"a note", `{"paragraphs":[{"text":"%flink.ssql(type\u003dupdate)\n\nselect 1\n","results":{"code":"SUCCESS","msg":[{"type":"TABLE","data":"a\tb\n\u003d\"\\n\t2\n"}]}}]}` + "\n", `
1:1 text markup "{\"paragraphs\":["
1:16 echo "select 1" complete
1:128 text markup "\""
1:129 head batch snapshot "a" "b"
1:135 row "=\"\\n" "2"
1:151 border
1:152 text markup "}]}}"
1:156 text markup "]}\n"`},
	{"a note of a statement that failed, with its table", `{"paragraphs":[{"text":"%ssql q","results":{"code":"ERROR","msg":[{"type":"TABLE","data":"a\n1"},{"type":"TEXT","data":"Fail to run sql command: q\na.B: no\n\tat x\nCaused by: c.D: why\n"}]}}]}`, `
1:1 text markup "{\"paragraphs\":["
1:16 echo "q" complete
1:90 text markup "\""
1:91 head batch snapshot "a"
1:94 row "1"
1:95 border
1:96 text markup "},{\"type\":\"TEXT\",\"data\":"
1:120 message ERROR "no\n\tat x\nCaused by: c.D: why" class a.B caused by ["c.D: why"]
1:188 text markup "}]}}"
1:192 text markup "]}"`},
	{"paragraphs without a table", `{"paragraphs":[{"text":"%ssql(type=single) q","results":{"code":"SUCCESS","msg":[{"type":"ANGULAR","data":"{{value_1}}"}]}},` +
		`{"text":"%bsql i","results":{"code":"SUCCESS","msg":[]}},{"text":"%bsql c","results":{"code":"SUCCESS","msg":[{"type":"TEXT","data":"done\n"}]}},{"text":"%bsql e","results":{"code":"ERROR"}},` +
		`{"text":"%md x","results":{"code":"SUCCESS","msg":[{"type":"HTML","data":"x"}]}},{"text":"%bsql n"},{"text":"x","results":{"code":"ERROR","msg":[{"type":"TEXT","data":"x"}]}}]}`, `
1:1 text markup "{\"paragraphs\":["
1:16 echo "q" complete
1:107 unread: a result of type=single: Zeppelin keeps its template, but not its values
1:120 text markup "}]}"
1:123 message INFO "SUCCESS"
1:124 text markup ","
1:125 echo "i" complete
1:180 message INFO "SUCCESS"
1:181 text markup ","
1:182 echo "c" complete
1:257 message INFO "done"
1:265 text markup "}]}}"
1:269 text markup ","
1:270 echo "e" complete
1:314 message ERROR "ERROR"
1:315 text markup ",{\"text\":\"%md x\",\"results\":{\"code\":\"SUCCESS\",\"msg\":[{\"type\":\"HTML\",\"data\":\"x\"}]}},{\"text\":\"%bsql n\"},{\"text\":\"x\",\"results\":{\"code\":\"ERROR\",\"msg\":[{\"type\":\"TEXT\",\"data\":\"x\"}]}}]}"`},
	{"a note whose members are in another order", "{\n \"name\": \"x\",\n \"paragraphs\": [\n  {\"results\": {\"msg\": [{\"data\": \"a\\n1\\n\", \"type\": \"TABLE\"}], \"code\": \"SUCCESS\"}, \"text\": \"%ssql q\"}\n ]\n}\n", `
1:1 text markup "{\n \"name\": \"x\",\n \"paragraphs\": [\n  "
4:3 echo "q" complete
4:33 text markup "\""
4:34 head batch snapshot "a"
4:37 row "1"
4:40 border
4:41 text markup ", \"type\": \"TABLE\"}], \"code\": \"SUCCESS\"}, \"text\": \"%ssql q\"}"
4:100 text markup "\n ]\n}\n"`},
	{"a note that is cut off", `{"paragraphs":[{"text":"%ssql q","results":{"code"`, `
1:1 unread: a Zeppelin note that is no valid JSON; is it cut off?`},
	{"JSON that is no note", "{\"level\":\"INFO\"}\n{\"paragraphs\":[]}\n", `
1:1 text other "{\"level\":\"INFO\"}\n{\"paragraphs\":[]}\n"`},
	{"a note without paragraphs", `{"paragraphs":[]}`, `
1:1 text markup "{\"paragraphs\":[]}"`},
	{"paragraphs of other kinds", `{"paragraphs":[1,null,"x",{"results":{"msg":[1,{"data":2,"type":"TABLE"}],"code":"SUCCESS"}},{"text":"%ssql","results":{"code":"SUCCESS","msg":[{"type":"TABLE","data":""}]}}]}`, `
1:1 text markup "{\"paragraphs\":[1,null,\"x\",{\"results\":{\"msg\":[1,{\"data\":2,\"type\":\"TABLE\"}],\"code\":\"SUCCESS\"}},"
1:94 echo "" complete
1:168 text markup "\"\"}]}}"
1:174 text markup "]}"`},
}

func TestZeppelin(t *testing.T) {
	for _, test := range zeppelinTests {
		t.Run(test.name, func(t *testing.T) {
			checkRecords(t, test.input, test.want)
		})
	}
}

// TestRefusedNotes reads notes that take too much.
func TestRefusedNotes(t *testing.T) {
	const head = `{"paragraphs":[{"text":"`
	for want, input := range map[string]string{
		"1:1 unread: a Zeppelin note of more than 32 MiB":                head + strings.Repeat("x", maxNote) + `"}]}`,
		"1:1 unread: a Zeppelin note that nests deeper than 1000 levels": `{"paragraphs":` + strings.Repeat("[", 1<<20),
	} {
		got, err := records(t, strings.NewReader(input))
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%.100q, %v, want %s", got, err, want)
		}
	}
}
