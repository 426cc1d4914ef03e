package sqlclient

import (
	"github.com/seed-69e58989/flinkread/internal/placed"
	"github.com/seed-69e58989/flinkread/internal/raw"
	"github.com/seed-69e58989/flinkread/internal/tableau"
)

// rawRows are placed.Rows, too.

func (b *rawRows) Places() []tableau.Place {
	if b.ready != nil {
		return nil
	}
	return (*Rows)(b).places()
}

func (b *rawRows) File() string { return b.where.Start.File }

func (b *rawRows) Len() int { return len(b.rows) }

func (b *rawRows) Plain(i int, row *placed.Row) bool {
	bounds := &b.rows[i]
	if bounds.Cells != raw.Plain || b.special {
		return false
	}
	row.Kind, row.Text = uint8(bounds.Kind), b.data[b.start(i):bounds.End]
	pos := b.pos(i)
	row.Offset, row.Line, row.Col = pos.Offset, pos.Line, pos.Col
	return true
}
