package sqlclient

// BufferSize makes a Reader begin with a read buffer of that size, so that what
// was handed out from it is overwritten soon.
func BufferSize(n int) Option { return func(r *Reader) { r.in.buf = make([]byte, n) } }

// Plain is what text prints.
func Plain(text string) string { return plain(text) }
