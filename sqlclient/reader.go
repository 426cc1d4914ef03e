package sqlclient

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

const (
	// maxText is the longest record of text, and the longest line that is
	// looked at as one: SHOW CREATE and EXPLAIN draw a border as long as their
	// whole text. What is longer comes in pieces of it.
	maxText = 1 << 20
	// maxColumns is the most columns a table is taken to have.
	maxColumns = 1 << 16
	// textBatch is how much text is parsed at a time.
	textBatch = 256 << 10
	// maxRaw is how much of what cannot be read a SyntaxError keeps.
	maxRaw = 1 << 10
)

// A Reader cuts a transcript into records. It is made by NewReader.
type Reader struct {
	*settings
	in       *buffer
	yield    func(Record, error) bool
	ranged   bool // Records was ranged over
	halted   bool
	quoted   *quotation // what a reader of quoted lines reads
	prefix   string     // of the last block that a prompt or a level of the client began
	quoteBuf []byte     // the buffer of such readers, one after the other

	lex        textLexer
	pieces     []string // of the text that is handed out
	handed     handed
	sql        []byte // of the echo in it
	table      table
	batch      Rows
	texts      []byte // of one row's cells
	again      []byte // see head
	tight      []bool // see tableMode
	words      []bool // see tableMode
	aheadAfter int    // aheadAfter, but for tests
	// echoEnds is the offset of the line that ends the statement in the last
	// echo that held what looks like a table, see realHead.
	echoEnds int64
	// borders is what looking for a head in pieces of borders showed.
	borders borderPieces
	// unclosed holds, for each way in which a print sink's row ends, what looking
	// for the end showed.
	unclosed [4]unclosed
}

// settings are the options of a Reader, and what it knows of the input as a whole. A Reader
// of quoted lines has the same ones.
type settings struct {
	reuse  bool
	strict bool
	nullWords
	types     func(sink string) []datatype.Type // see SplitPrinted
	splitters map[string]splitter               // of print sinks
}

// handed are the records that are handed out again and again with ReuseRows.
type handed struct {
	echo    Echo
	head    Head
	printed PrintLine
	border  Border
	footer  Footer
	text    Text
}

// handOut returns the record to hand out as rec: with ReuseRows the one that was
// handed out before.
func handOut[T any](r *Reader, again *T, rec T) *T {
	if !r.reuse {
		again = new(T)
	}
	*again = rec
	return again
}

// An Option changes what a Reader does.
type Option func(*Reader)

// ReuseRows makes the Reader hand out rows as records of the type *Rows, many
// at a time and valid only until the next record, in place of a *Row each. An Echo, a
// Head, a PrintLine, a Border, a Footer and a Text are valid only until the next record,
// too, with their strings; but the Columns of a Head stay valid. Equal heads share them,
// so clone them to give them types. All other records are the caller's. Reading rows allocates nothing, and nor does what
// stands between two results if the client has nothing to say there.
func ReuseRows() Option { return func(r *Reader) { r.reuse = true } }

// Strict refuses to recover rows: those that do not fit their border become
// SyntaxErrors. So do those of a file whose lines end in CR LF that fit it with the
// carriage returns within them as columns, whether they fit without them, too, or not
// (see changelog.RecoveredReturns and RecoveredNewlines); those that fit only without
// are read. Names
// of columns are not recovered either, see Head.Unnamed.
func Strict() Option { return func(r *Reader) { r.strict = true } }

// NewReader returns a Reader of the transcript src. Name is the file in the
// positions of records; it may be empty.
func NewReader(src io.Reader, name string, opts ...Option) *Reader {
	r := &Reader{settings: &settings{nullWords: nullWords{null: nullWord}}, in: newBuffer(src, name), aheadAfter: aheadAfter}
	for _, opt := range opts {
		opt(r)
	}
	return r
}

// A ReadError says where in the transcript the source failed.
type ReadError struct {
	Pos changelog.Pos
	Err error // of the source
}

// Error returns "file:line:col: " and the error of the source.
func (e *ReadError) Error() string { return e.Pos.String() + ": " + e.Err.Error() }

// Unwrap returns the error of the source.
func (e *ReadError) Unwrap() error { return e.Err }

// Records returns the records of the input, in order. The error is a
// *ReadError; it comes once, last, with a nil Record, after everything that was
// read before it. A Reader can be ranged over once; what comes after is empty.
// Other goroutines may read the source, one at a time, as long as the range lasts: to
// leave it while a source is silent, close that.
// (To read a few records now and others later, use iter.Pull2.)
func (r *Reader) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if r.ranged {
			return
		}
		r.ranged, r.yield = true, yield
		r.begin()
		if r.halted || !r.note() {
			for !r.halted && r.text() && r.rows() {
			}
		}
		if err := r.in.err; !r.halted && err != nil && err != io.EOF {
			yield(nil, &ReadError{r.in.pos, err})
		}
	}
}

// emit hands out a record. It reports false when the caller has enough.
func (r *Reader) emit(rec Record) bool {
	if r.in.odd.news {
		r.emitOdd(rec)
	}
	if !r.halted && !r.yield(rec, nil) {
		r.halted = true
	}
	return !r.halted
}

// text reads up to the next table and its head. It reports false at the end
// of the input.
func (r *Reader) text() bool {
	r.lex.restart()
	known := 0 // see nextLine
	for i := 0; ; {
		if bytes.IndexByte(r.in.data()[i:], '\n') < 0 { // a live source may take its time
			k := r.flush(r.lex.settled())
			i, known = i-k, known-k
		}
		n, whole := r.in.line(i, maxText)
		if n == 0 {
			r.lex.finish(r.in.data())
			r.flush(len(r.lex.tokens))
			return false
		}
		kind := classify(r.in.data()[i : i+n])
		if mayOpen := kind != blankToken && kind != footerToken || r.prefix != "" || !whole; mayOpen {
			switch r.open(i, n, whole, kind) {
			case opensTable:
				return !r.halted
			case opensEnd:
				return false
			case opensAnew:
				if r.halted {
					return false
				}
				r.lex.restart()
				i, known = 0, 0
				continue
			}
		}
		// What may be of an echo depends on the line behind it: an echo may go on
		// behind what looks like a message.
		if (r.lex.mode == inEcho || kind == echoToken) && i+n > known {
			known = r.nextLine(i + n)
		}
		r.lex.line(r.in.data(), i, i+n, whole, kind)
		i += n
		if i >= textBatch {
			if k := r.lex.settled(); k > 0 || i >= maxText {
				if k == 0 {
					k = len(r.lex.tokens)
					if r.lex.mode != inScreen {
						r.lex.mode = plainText
					}
				}
				k = r.flush(k)
				i, known = i-k, known-k
			}
		}
		if r.halted {
			return false
		}
	}
}

// An opening says what a line opens that is no text.
type opening uint8

const (
	opensNothing opening = iota
	opensTable           // its head was handed out
	opensAnew            // that was handed out, too, and text comes behind it
	opensEnd             // what the input ends in
)

// open reads what the line of n bytes at i of the data, which is of the kind,
// opens that is no text, and the text before it. A whole blank line and a whole
// footer open nothing, unless lines are quoted.
func (r *Reader) open(i, n int, whole bool, kind tokenType) opening {
	line := r.in.data()[i : i+n]
	if beginsFile(line) {
		r.textBefore(i, i)
		if r.halted {
			return opensEnd
		}
		r.mark()
		r.lex.session = clientSession{}
		return opensAnew
	}
	if kind == otherToken && r.lex.mayPrint() {
		if h, ok := printHeadOf(line); ok && !r.quotesRow(h, i, n) {
			r.textBefore(i, i)
			if !r.printLines(h) {
				return opensEnd
			}
			return opensAnew
		}
		line = r.in.data()[i : i+n] // what was looked at may have moved
	}
	if at := tableMarkIn(line); at >= 0 && whole && r.lex.mode == plainText {
		r.textBefore(i, i+at)
		if r.halted || !r.snapshot() {
			return opensEnd
		}
		return opensAnew
	}
	if at := r.borderTail(line); at >= 0 && whole && r.lex.mayHead(line, at) {
		if n, _ := promptLen(line[:at]); n > 0 {
			r.lex.session.prompted = true
		}
		switch head, n := r.head(i + at); {
		case n == 0 || head == nil && r.goesOn() || !r.realHead(i+at+n):
		case head != nil:
			r.textBefore(i, i+at)
			head.span = r.in.consume(n)
			r.emit(head)
			return opensTable
		default:
			r.textBefore(i, i+at)
			r.cutOff("the head of a table is cut off by the end of the input")
			return opensEnd
		}
		line = r.in.data()[i : i+n]
	}
	if at := borderPiece(trimEOL(line)); at >= 0 && whole && !r.strict && r.lex.mayHead(line, at) {
		if head, n := r.headInPieces(i + at); head != nil && r.realHead(i+at+n) {
			r.textBefore(i, i+at)
			head.span = r.in.consume(n)
			r.emit(head)
			return opensTable
		}
		line = r.in.data()[i : i+n]
	}
	if first, prefix, ok := r.quotes(i, line, kind); ok && whole {
		r.textBefore(i, i)
		if r.halted {
			return opensEnd
		}
		r.quote(first, prefix)
		return opensAnew
	}
	if n == maxText && !whole { // a line without end: no statement, and nothing of the client
		r.lex.finish(r.in.data())
		r.flush(len(r.lex.tokens))
		piece := &Text{Kind: TextOther, Text: string(r.in.data()[:n])}
		piece.span = r.in.consume(n)
		r.emit(piece)
		return opensAnew
	}
	return opensNothing
}

// nextLine reads on until the input holds the beginning of the next line behind
// i that is not empty, as long as a decision needs it. It returns up to where the
// same is to be read: no line before that needs to ask.
func (r *Reader) nextLine(i int) int {
	const enough = len("1000> (false,+I[")
	for {
		d := r.in.data()[i:]
		next := bytes.TrimLeft(d, "\r\n ")
		switch {
		case len(next) >= enough || bytes.IndexByte(next, '\n') >= 0:
			return i + len(d) - len(next)
		case len(d) > textBatch:
			return i + len(d) - textBatch
		case !r.in.more():
			return i + len(d)
		}
	}
}

// textBefore ends the text before a head at end, in the line that begins at
// start.
func (r *Reader) textBefore(start, end int) {
	if start < end {
		r.lex.headed = true // so nothing else is glued to the echo in this line
		r.lex.line(r.in.data(), start, end, true, classify(r.in.data()[start:end]))
	}
	r.lex.finish(r.in.data()[:end])
	r.flush(len(r.lex.tokens))
}

// realHead tells a table from one in the string of a statement that 1.13 and
// 1.14 echo: there the echo goes on up to a line that ends in ";", before
// anything that the client says. A statement without ";" may end a script.
// What is behind the head begins at i.
func (r *Reader) realHead(i int) bool {
	x := &r.lex
	if x.mode != inEcho || !x.coloured || x.complete || x.pasted {
		return true
	}
	if r.in.pos.Offset+int64(i) <= r.echoEnds {
		return false
	}
	known := 0 // see nextLine
	for n, whole := r.in.line(i, maxText); whole && i < textBatch; n, whole = r.in.line(i, maxText) {
		if i+n > known {
			known = r.nextLine(i + n)
		}
		line := trimEOL(r.in.data()[i : i+n])
		if endsWholeEcho(line, r.in.data()[i+n:]) {
			return true
		}
		if endsInSemicolon(line) {
			r.echoEnds = r.in.pos.Offset + int64(i)
			return false
		}
		i += n
	}
	return true
}

// flush parses the first k tokens and hands out their records. It returns how
// many bytes these cover, and takes the tokens out of the lexer.
func (r *Reader) flush(k int) int {
	if k == 0 {
		return 0
	}
	tokens := r.lex.tokens[:k]
	size := tokens[k-1].end
	var err error
	text := textOf(r.in.data()[:size])
	if !r.reuse || slices.ContainsFunc(tokens, token.isSaid) { // a Message is always the caller's
		text = strings.Clone(text)
	}
	if r.pieces, err = appendPieces(r.pieces[:0], text, tokens); err != nil {
		// The grammar takes any sequence of tokens, so this is a defect here;
		// the text is still handed out whole.
		r.unread(size, "text not understood: "+err.Error())
	}
	for i, piece := range r.pieces {
		if !r.emit(r.textRecord(tokens[i].kind, piece)) {
			break
		}
	}
	rest := r.lex.tokens[k:]
	for i := range rest {
		rest[i].start -= size
		rest[i].end -= size
	}
	r.lex.behind -= size
	r.lex.tokens = r.lex.tokens[:copy(r.lex.tokens, rest)]
	return size
}

// textRecord makes the record of a piece, which begins at the read position.
func (r *Reader) textRecord(kind tokenType, raw string) Record {
	where := r.in.consume(len(raw))
	switch kind {
	case echoToken:
		n, coloured := promptLen(bytesOf(raw))
		var sql []byte // of its own, or that of the echo before
		if r.reuse {
			sql = r.sql[:0]
		}
		sql, complete := statementText(sql, raw[n:], coloured, strings.Contains(raw[:n], pasteOn))
		r.sql = sql
		return handOut(r, &r.handed.echo, Echo{span: where, SQL: textOf(sql), Complete: complete, Raw: raw})
	case messageToken:
		m := messageParts(raw)
		m.span = where
		return &m
	case jobToken:
		id, _ := parseJob(bytesOf(plain(raw)))
		return &Job{span: where, ID: id, Raw: raw}
	case footerToken:
		f, _ := parseFooter(raw)
		f.span = where
		return handOut(r, &r.handed.footer, f)
	case strayToken:
		return &SyntaxError{span: where, Msg: "rows without the head of their table", Raw: raw[:min(len(raw), maxRaw)]}
	}
	return handOut(r, &r.handed.text, Text{span: where, Kind: textKinds[kind], Text: raw})
}

// border hands out the next n bytes as the border that closes a table.
func (r *Reader) border(n int) bool {
	return r.emit(handOut(r, &r.handed.border, Border{r.in.consume(n)}))
}

// cutOff hands out all that is left as what the input ends in.
func (r *Reader) cutOff(msg string) {
	e := &SyntaxError{Msg: msg, Cut: true, Raw: string(r.in.data()[:min(len(r.in.data()), maxRaw)])}
	e.span = r.in.consume(len(r.in.data()))
	r.emit(e)
}

// unread hands out the next n bytes as what cannot be read.
func (r *Reader) unread(n int, msg string) bool {
	e := &SyntaxError{Msg: msg, Raw: string(r.in.data()[:min(n, maxRaw)])}
	e.span = r.in.consume(n)
	return r.emit(e)
}

// table is the table that is being read.
type table struct {
	*title
	columns  []changelog.Column // without the row kind
	mode     Mode
	cells    []tableau.Cell
	crlfFrom int64 // the offset from which rows are looked for in lines that end in CR LF
	wrapped  bool  // the lines of its head are broken into several
	loose    bool  // of a changelog whose names do not fit their border: someone took its blanks away
	damaged  bool  // the last row could not be read
	// searched is how much was looked through for rows that do not fit.
	searched int
}
