// Bench times fmtout as a whole process against what people use today, and
// writes what it measured as Markdown.
//
//	go run ./bench                       all data sets and peers, less than eight minutes
//	go run ./bench -rows 100000          a quick look, in which goals are not judged
//	go run ./bench -only 'final table'   the comparisons whose task or data set holds this
//	go run ./bench -runs 9               more runs of each command; where they take long, three do
//	go run ./bench -report docs/benchmarks.md
//
// It makes its data sets (see dataset), checks that fmtout's answer to each is
// the one that the data set was made from, and then runs fmtout and a peer in
// turn, A B A B, so that a machine whose speed drifts does not favour either.
// The ratio of the medians is the figure to trust. A peer that is not installed
// is left out and named.
package main
