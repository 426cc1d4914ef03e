// Package changelog holds what a Flink changelog is made of: row kinds, rows,
// cells and columns; Table, which folds a changelog into the table that it
// stands for; and Diff, which compares such tables.
//
// The package reads no files. Rows come from package sqlclient or from the
// caller. A Row is an ordinary value: whoever made it says whether its cells
// may be kept (see sqlclient.Rows); Table copies what it needs.
//
// No rows make this package panic or take more than linear time and memory. A
// change that does not fit its table is an *Anomaly, and the folding goes on.
package changelog
