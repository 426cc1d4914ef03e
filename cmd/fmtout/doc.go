// Fmtout reads what Flink's SQL client printed, and prints its results anew: as
// clean tables, as JSON, CSV, TSV or Markdown, as changes or as the tables that
// they fold into.
//
// Usage:
//
//	fmtout [flags] [FILE...]
//
// It reads the named files, or standard input without any; "-" is standard
// input, too. Files compressed with gzip or zstd are read as they are. Flags
// may stand before or behind the files. The files of the examples are in
// testdata/transcripts/2.3.0, in its joins, shapes and print, as Flink 2.3.0 printed
// them; the plan is in testdata/plans/2.3.0.
//
// Of several files each result says which it is of: in a line above its table, and
// in JSON as the member "file". --statement then counts in each of them.
//
// # Results
//
// Without flags every result is drawn as a table, below the number of its
// statement, how it ended, and the statement as far as the client printed it.
// Here --statement takes one of several:
//
//	$ fmtout changelog.out --statement 8
//	Statement 8, result 6: streaming, finished, 10 rows
//	SELECT cnt, COUNT(*) AS names FROM (SELECT name, COUNT(*) AS cnt FROM (VALUES ('a'), ('b'), ('a'), …
//
//	 op | cnt | names
//	----+-----+-------
//	 +I |   1 |     1
//	 -U |   1 |     1
//	 +U |   1 |     2
//	 -U |   1 |     2
//	 +U |   1 |     1
//	 +I |   2 |     1
//	 -D |   2 |     1
//	 +I |   3 |     1
//	 -D |   1 |     1
//	 +I |   2 |     1
//
// A streaming result is a list of changes. With --final it is folded into the
// table that is left in the end:
//
//	$ fmtout changelog.out --statement 8 --final
//	Statement 8, result 6: streaming, finished, 10 changes folded into 2 rows
//	SELECT cnt, COUNT(*) AS names FROM (SELECT name, COUNT(*) AS cnt FROM (VALUES ('a'), ('b'), ('a'), …
//
//	 cnt | names
//	-----+-------
//	   3 |     1
//	   2 |     1
//
// Changes are folded as Flink's own table mode does it: each retraction takes
// the newest row that is equal to it. A changelog that replaces rows without
// retracting them (it has +U, but no -U) needs to be told its key, by --key.
//
// Tables are drawn in the same way to a terminal and to a file. One that is wider
// than 200 columns of text is drawn with a line for each cell, unless it has thousands
// of rows; of one that breaks in a terminal, fmtout FILE | less -S shows the lines
// whole. A statement without a result is in none of them: --list has it.
//
// # JSON and CSV
//
// -o ndjson writes an object a line for each row. Cells are text as printed, or
// null. Cells that the client may have cut are named in "maybe_cut":
//
//	$ fmtout changelog.out --statement 5 -o ndjson
//	{"statement":5,"result":3,"op":"+I","row":{"id":"1","w":null}}
//	{"statement":5,"result":3,"op":"+I","row":{"id":null,"w":"x"}}
//	{"statement":5,"result":3,"op":"-D","row":{"id":null,"w":"x"}}
//	{"statement":5,"result":3,"op":"+I","row":{"id":"2","w":"x"}}
//	{"statement":5,"result":3,"op":"+I","row":{"id":null,"w":"z"}}
//
// -o json writes one array of all results, with their ends. The rows of a
// result that --final cannot fold without its key are null there.
//
// -o csv and -o tsv write one result, with the names first; where there are
// several, the choice has to be made by --statement. Null is an empty field, the
// empty string is "":
//
//	$ fmtout regular.out --final -o csv
//	tier,orders,amount
//	silver,55,26973.19
//	gold,74,33832.11
//	bronze,32,15014.23
//	free,53,29315.16
//
// So in a result of one column null is an empty line, which many readers of CSV
// skip.
//
// # Types
//
// With --typed, JSON holds numbers, booleans, arrays and objects where the type
// of a column is known:
//
//	$ fmtout regular.out --final -o ndjson --types lab-regular.json
//	{"statement":3,"result":1,"row":{"tier":"silver","orders":55,"amount":26973.19}}
//	{"statement":3,"result":1,"row":{"tier":"gold","orders":74,"amount":33832.11}}
//	{"statement":3,"result":1,"row":{"tier":"bronze","orders":32,"amount":15014.23}}
//	{"statement":3,"result":1,"row":{"tier":"free","orders":53,"amount":29315.16}}
//
// Types are given by --types, which implies --typed: written out, 'tier STRING,
// orders BIGINT, amount DECIMAL(38, 2)', or as the file of a compiled plan, whose
// sink has them. Of several sinks that fit, or for another operator, FILE:ID names
// the one that is meant, by its id in the plan. They go to each result whose
// columns have just these names, in this order.
//
// Without them a DESCRIBE tells the types, if it stands before the result in the
// same file, has just its columns, and the statement of the result is SELECT *
// FROM the table, or was not printed and so has no bracket, no call and no cast.
// Where several such tables differ, no types are known.
//
// Numbers stand digit for digit as the client printed them. NaN, Infinity, dates,
// times, intervals and bytes are strings, as printed. A ROW is an object, a MAP or
// a MULTISET is an object with its keys as printed, a VARIANT is the JSON that it
// is. (Where keys repeat, a map is an array of pairs.)
//
// A cell stays text, and a warning tells the first of its column, if it is no
// value of the type, or if it can be read in more than one way: Flink escapes
// nothing, so [a, b] is an array of two strings or of one. The word for null
// inside a value is a null. Cells that may be cut stay text and are in
// "maybe_cut". A type that the width of a streaming column contradicts is not
// taken, and a warning tells so.
//
// # Print sinks
//
// What the print connector, or print() of a program, wrote is a result for each
// identifier, of one column: what stands between the brackets.
//
//	$ fmtout sinks.out --final
//	Statement 0, result 1 of the print sink orders: streaming, unknown, 6 changes folded into 6 rows
//
//	 line
//	------
//	 1, a
//	 2, b
//	 3, a
//	 4, c
//	 5, a
//	 6, b
//
//	Statement 0, result 2 of the print sink totals: streaming, unknown, 9 changes folded into 3 rows
//
//	 line
//	------
//	 c, 1
//	 a, 3
//	 b, 2
//
// Types split it into f0, f1, ..., in any format, if there is one way to do so:
// fmtout sinks.out --types 's STRING, n BIGINT'. They apply to each sink whose first
// row they fit.
//
// A row that cannot be split stays whole, in a result of its own, and exit code 1
// tells so. A row of which nothing tells where it ends, since its values hold
// newlines and brackets, is damage. A print sink never says that it is done, so
// the end is unknown; and nothing tells the order between its parallel tasks, so
// that what their changes fold into may be wrong.
//
// # Statements
//
// --list tells what became of each statement:
//
//	$ fmtout err_validate.out --list
//	 statement | result | line | mode      | rows | end      | sql, error
//	-----------+--------+------+-----------+------+----------+------------------------------------------
//	         1 |        |    6 |           |      | ok       |
//	         2 |        |    8 |           |      | ok       |
//	         3 |      1 |   10 | streaming |    1 | finished |
//	         4 |        |   17 |           |      | failed   | SqlValidatorException: Object 'missing_…
//	err_validate.out:17:12: statement failed: org.apache.calcite.sql.validate.SqlValidatorException: Object 'missing_table' not found
//	[exit code 1]
//
// With -o ndjson a statement is an object. Its "end" is "finished", "closed" (the
// table is whole, but no footer tells so), "cancelled", "failed", "cut off" or
// "unknown", and "none" for one that went well and has no result, which the table
// calls ok; its "mode" is then "none", too. What else does not apply is null:
//
//	$ fmtout err_validate.out --list -o ndjson --statement 3
//	{"statement":3,"result":1,"line":10,"sql":null,"mode":"streaming","columns":["ok"],"rows":1,"ops":{"+I":1,"-U":0,"+U":0,"-D":0},"end":"finished","footer_rows":1,"seconds":2.08,"job_id":null,"warnings":[],"error":null,"error_class":null,"caused_by":[]}
//
// "ops" are the changes by their kinds, "footer_rows" and "seconds" what the client
// counted and measured. Of a failure "error" is what the client gave as its reason,
// without the class, and with the stack if it printed that, as sql-client.verbose has
// it; "caused_by" are the causes in that stack, the outermost first.
//
// # Members of JSON
//
// They stand in this order; null is what does not apply or was not printed. Of a row
// -o ndjson writes an object with
//
//	file       the name of its file; only if there are several
//	statement  the number of its statement in the file, from 1; 0 before the first
//	           prompt and behind the client's last words
//	result     the number of its result in the file, from 1
//	op         "+I", "-U", "+U", "-D", or as old releases print it; not of a batch
//	           result, nor with --final
//	row        an object of its cells; of columns with one name the later ones are
//	           name_2, name_3, ..., the first that is free
//	maybe_cut  the columns of cells that the client may have cut; only if there are any
//	recovered  how the row was recovered, in words; only if it was
//	partial    "failed", "cut off" or "cancelled": how the result ended too early of
//	           which --final makes a table; only then
//
// and -o json of a result one with
//
//	file       as above
//	statement  as above
//	result     as above
//	mode       "streaming" or "batch"
//	columns    the names as its rows have them
//	end        as --list has it
//	rows       objects as above, from op on
//
// With --list both write of a statement, and of each of its results if it has several,
//
//	file               as above
//	statement          as above
//	result             the number of its result
//	line               of the prompt, from 1; of the result, for all but the first
//	sql                the statement as far as the client printed it
//	mode               "streaming", "batch" or "none"
//	sink               the identifier of a print sink; only of one
//	columns            the names as printed
//	maybe_cut_columns  those that the client may have cut; only if there are any
//	rows               how many were read
//	ops                how many of each kind, of a streaming result
//	end                see above
//	footer_rows        how many the client counted
//	seconds            what the client measured
//	job_id             of the first job that it submitted
//	warnings           the client's own, and what else is doubtful or wrong, behind its
//	                   line:column
//	error              what the client gave as its reason
//	error_class        the class of the exception
//	caused_by          the causes
//
// # Exit codes
//
// Diagnostics go to standard error, as file:line:column: message.
//
//	0  all is well; there may be warnings (rows that were recovered, changes
//	   that do not fit the table)
//	1  a statement failed, a result is unfinished, damaged or misread, a statement
//	   has no outcome, or the input holds nothing that the client writes
//	2  the command line is wrong, names something that the input does not
//	   have, or leaves a choice open
//	3  something cannot be read or written
//
// A worse code wins. A cancelled query is no failure. With --statement only the
// chosen statement counts. With --strict warnings count, and no row is recovered:
// one that does not fit its border is damage.
package main
