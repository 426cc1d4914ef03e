// Package changelog holds what a Flink changelog is made of: row kinds, rows,
// cells and columns, and the folding of a changelog into the table it stands
// for.
//
// The package reads no files. Rows come from package sqlclient or from the
// caller. A Row is an ordinary value: whoever made it says whether its cells
// may be kept (see sqlclient.ReuseRows); Table copies what it needs.
package changelog
