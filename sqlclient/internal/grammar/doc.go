// Package grammar defines what Flink's SQL client prints, as a grammar: whole
// transcripts, tables and rows included. It is the definition to read, and a
// second reader to test the fast one of package sqlclient against; it shares
// no code with that one. It is slow, holds every token in memory, and is for
// inputs of some kilobytes.
//
// Three rules make the format readable by machine. They live in the lexer, since
// no context-free grammar can state them:
//
//   - A cell is as wide as its column, which the border tells (tableau.go).
//     What the cell holds does not matter: Flink escapes nothing.
//   - A statement is echoed behind a prompt, and what the client says next may
//     stand on the same line, without a blank (echo.go).
//   - A row of a print sink ends with the bracket at the end of a line, if no
//     line behind it may be its last one as well (print.go).
//
// The tokens, in the order in which the lexer tries them at the start of a line:
//
//	Bar Cell            a row of the open table: "|", then for each column a cell and "|"
//	Bottom              the border that closes the open table, and its newline
//	Top Rule            the borders above and below the names of the columns
//	Prompt              "Flink SQL> "
//	SQL Break           a line of a statement's echo; the newline, and perhaps "> ", between two of them
//	Level Fatal         "[ERROR] "; what an exception that ends the client begins with
//	Reason              "Could not execute SQL statement. Reason:", and its newline
//	Class Words Newline the class of an exception, and the text of a message, line by line
//	Cause               "Caused by: " at the start of a line of a message
//	End                 the end of a message: the colour's reset, and the newline
//	Received Terminated "Received a total of "; "Query terminated, received a total of "
//	InSet Empty         " in set"; "Empty set"
//	Number Unit         "42"; " rows"
//	Open Seconds        " (" before the seconds that a query took, and " seconds)" behind
//	Prefix Flag Change  what stands before a row of a print sink: "out:1> ", "(true,", "+I["
//	Fields Closing      what stands between its brackets, which may be lines; "]"
//	Job Hex             "Job ID: " and the id
//	EOL                 the newline behind a row, a footer, an echo or an id
//	Stop                "Shutting down the session..."
//	Line                any other line
//
// The lexer is total: whatever it does not know is a Line.
package grammar
