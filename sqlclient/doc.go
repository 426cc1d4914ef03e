// Package sqlclient reads what Flink's SQL client prints: saved output of
// sql-client.sh in tableau mode, of releases 1.13 to 2.3.
//
// A transcript is a stream of bytes in which results are islands. A Reader
// cuts it into positioned records: banner and other text, echoed statements,
// messages and errors, heads, rows, borders and footers. Every byte of the
// input belongs to exactly one record. An Outline puts records together into
// statements and results; Read does both and keeps the rows.
//
// Rows are exact. Flink escapes nothing: a value may hold "|", newlines,
// borders, footers and prompts. But Flink pads by a measure of its own (UTF-16
// code units, and one more for each code point of East Asian Width W or F in
// Unicode 13; org.apache.flink.table.utils.print.TableauStyle), and a row has
// just its border's width in that measure, so the width of each column finds
// the end of each cell whatever the cell holds.
//
// Rows of the print connector, of a TaskManager's standard output or between
// those of a client, are PrintLines; an Outline makes a result of each sink. A
// note of Zeppelin, and the tables that Zeppelin draws, are read as well: each
// paragraph is a statement.
//
// Cells are text, for nothing in a result tells the types of its columns. A
// DESCRIBE before it may: Schemas finds the one that has its columns. A type from
// elsewhere can be checked, if not proved, by the width of its column
// (Result.CheckWidth).
//
// Nothing is guessed and nothing is dropped. A piece of a table that cannot be
// read becomes a *SyntaxError record with its place, and reading goes on. A
// last line without its newline is never a row or a footer.
//
// Copies of what the client printed are read, too: behind a prefix in each line
// (a comment, a quote, an indented block), with CR LF, and in UTF-16 with a byte
// order mark. Places are those of the file; what records hold is the text without
// the prefix, and as UTF-8. Rows that a terminal broke, or into which another
// program wrote, are put together, and marked as recovered.
//
// A Reader takes constant memory (a note of Zeppelin, of up to 32 MiB, is held as a
// whole): a border is at most 1 MiB long and has at most
// 65,536 columns, and a run of text may come in several records, of at most
// 1 MiB each. Read takes memory for all rows. Records and their strings are the
// caller's to keep; most of a Reader made with ReuseRows are not. An Outline keeps
// what it needs of them, and takes statements back, see Outline.Release: then many
// small results leave no garbage.
package sqlclient
