package main

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/seed-69e58989/flinkread/changelog"
	"github.com/seed-69e58989/flinkread/datatype"
	"github.com/seed-69e58989/flinkread/sqlclient"
)

// A question is one of the lab's queries, and what it prints if it is right.
type question struct {
	name     string
	mode     sqlclient.Mode
	rowType  string
	columns  []datatype.Field // of rowType
	rows     []changelog.Row  // with cells as canonical gives them
	mistakes []mistake
}

// A shipment counts if it left up to this long after its order.
const window = 2 * time.Hour

// questions asks and answers the questions of the lab.
func (l *lab) questions() ([]*question, error) {
	qs := []*question{{
		name: "count", mode: sqlclient.ModeBatch,
		rowType: "ROW<tbl STRING, n BIGINT>",
		rows:    l.counts(),
	}, {
		name: "regular", mode: sqlclient.ModeStreaming,
		rowType:  "ROW<tier STRING, orders BIGINT, amount DECIMAL(38, 2)>",
		rows:     l.tiers().rows(),
		mistakes: l.regularMistakes(),
	}, {
		name: "interval", mode: sqlclient.ModeStreaming,
		rowType:  "ROW<order_id STRING, ship_id STRING, delay_s INT>",
		rows:     delays(l.deliveries(0, window), time.Second),
		mistakes: l.intervalMistakes(),
	}, {
		name: "unshipped", mode: sqlclient.ModeStreaming,
		rowType:  "ROW<order_id STRING, order_time TIMESTAMP(3)>",
		rows:     l.ordersWithout(l.deliveries(0, window)),
		mistakes: l.unshippedMistakes(),
	}, {
		name: "temporal", mode: sqlclient.ModeStreaming,
		rowType:  "ROW<order_id STRING, currency STRING, rate DECIMAL(10, 4), amount_krw DECIMAL(20, 6)>",
		rows:     amounts(l.valued(rateAtOrder)),
		mistakes: l.temporalMistakes(),
	}, {
		name: "latest", mode: sqlclient.ModeStreaming,
		rowType:  "ROW<currency STRING, orders BIGINT, total_krw DECIMAL(38, 6)>",
		rows:     currencies(l.valued(lastRate)),
		mistakes: l.latestMistakes(),
	}}
	for _, q := range qs {
		typ, err := datatype.Parse(q.rowType)
		if err != nil {
			return nil, err
		}
		q.columns = typ.Fields()
		for i, m := range q.mistakes {
			q.mistakes[i].rows = sync.OnceValue(m.rows) // many learners make the same mistakes
		}
	}
	return qs, nil
}

func (l *lab) counts() []changelog.Row {
	return []changelog.Row{
		row("users", len(l.users)),
		row("orders", len(l.orders)),
		row("shipments", len(l.shipments)),
		row("rates", len(l.rates)),
	}
}

// tiers sums up the orders of known users by tier.
func (l *lab) tiers() totals {
	tiers := make(map[string][]string)
	for _, u := range l.users {
		tiers[u.id] = append(tiers[u.id], u.tier)
	}
	ts := make(totals)
	for _, o := range l.orders {
		for _, tier := range tiers[o.user] {
			ts.add(tier, o.amount)
		}
	}
	return ts
}

// delays gives the rows of the interval question, with delays in a unit.
func delays(ds []delivery, unit time.Duration) []changelog.Row {
	var rows []changelog.Row
	for _, d := range ds {
		rows = append(rows, row(d.order.id, d.shipment.id, int(d.delay/unit)))
	}
	return rows
}

// ordersWithout gives the orders that have none of the deliveries.
func (l *lab) ordersWithout(ds []delivery) []changelog.Row {
	delivered := make(map[string]bool)
	for _, d := range ds {
		delivered[d.order.id] = true
	}
	var rows []changelog.Row
	for _, o := range l.orders {
		if !delivered[o.id] {
			rows = append(rows, row(o.id, o.time))
		}
	}
	return rows
}

// A valued order is one with a rate.
type valued struct {
	order order
	rate  *apd.Decimal
	krw   *apd.Decimal
}

// valued gives each order with each of the rates that choose picks from the
// versions of its currency.
func (l *lab) valued(choose func(order, []rate) []rate) []valued {
	versions := l.versions()
	var vs []valued
	for _, o := range l.orders {
		for _, r := range choose(o, versions[o.currency]) {
			vs = append(vs, valued{o, r.rate, product(o.amount, r.rate)})
		}
	}
	return vs
}

// rateAtOrder picks the rate at the time of the order, if there was one.
func rateAtOrder(o order, versions []rate) []rate {
	if r, ok := at(versions, o.time); ok {
		return []rate{r}
	}
	return nil
}

// lastRate picks the rate at the end.
func lastRate(_ order, versions []rate) []rate {
	return versions[max(0, len(versions)-1):]
}

// amounts gives the rows of the temporal question.
func amounts(vs []valued) []changelog.Row {
	var rows []changelog.Row
	for _, v := range vs {
		rows = append(rows, row(v.order.id, v.order.currency, v.rate, v.krw))
	}
	return rows
}

// currencies gives the rows of the latest question.
func currencies(vs []valued) []changelog.Row {
	ts := make(totals)
	for _, v := range vs {
		ts.add(v.order.currency, v.krw)
	}
	return ts.rows()
}

// totals count and sum by a key.
type totals map[string]*total

type total struct {
	orders int
	amount *apd.Decimal
}

func (ts totals) add(key string, amount *apd.Decimal) {
	t := ts[key]
	if t == nil {
		t = &total{amount: new(apd.Decimal)}
		ts[key] = t
	}
	t.orders++
	t.amount = sum(t.amount, amount)
}

func (ts totals) rows() []changelog.Row {
	var rows []changelog.Row
	for key, t := range ts {
		rows = append(rows, row(key, t.orders, t.amount))
	}
	slices.SortFunc(rows, func(a, b changelog.Row) int { return cmp.Compare(a.Cells[0].Text, b.Cells[0].Text) })
	return rows
}

// row makes a row of strings, whole numbers, decimals, times and nils, with
// cells as canonical gives them.
func row(values ...any) changelog.Row {
	var r changelog.Row
	for _, v := range values {
		var c changelog.Cell
		switch v := v.(type) {
		case nil:
			c.Marks = changelog.Null
		case string:
			c.Text = v
		case int:
			c.Text = strconv.Itoa(v)
		case *apd.Decimal:
			c.Text = decimalText(v)
		case time.Time:
			c.Text = timeText(v)
		}
		r.Cells = append(r.Cells, c)
	}
	return r
}

func decimalText(d *apd.Decimal) string {
	var reduced apd.Decimal
	reduced.Reduce(d)
	return reduced.Text('f')
}

func timeText(t time.Time) string { return t.Format("2006-01-02 15:04:05.999999999") }

// canonical spells equal values in the same way: 12.50 as 12.5, and a time
// without a fraction of zeros. How many places Flink prints depends on types
// that a learner may choose, and they are no part of the answer.
func (q *question) canonical(rows iter.Seq[changelog.Row]) []changelog.Row {
	var result []changelog.Row
	for r := range rows {
		for i := range r.Cells {
			c := &r.Cells[i]
			if i >= len(q.columns) || c.IsNull() || len(c.Text) > maxNumber {
				continue
			}
			v, err := q.columns[i].Type.ParseValue(c.Text, datatype.AnyNotation)
			if err != nil {
				continue // what is no such value stays as it is printed, and equals none
			}
			if t, ok := v.Time(); ok {
				c.Text = timeText(t)
			}
			if d, ok := v.Decimal(); ok && isSensible(d) {
				c.Text = decimalText(d)
			}
		}
		result = append(result, r)
	}
	return result
}

func (q *question) columnNames() []string {
	var names []string
	for _, c := range q.columns {
		names = append(names, c.Name)
	}
	return names
}

// aligned reports whether a result's columns can be taken for those of the
// question, whatever they are called: as many, and none in the place of another.
func (q *question) aligned(names []string) bool {
	want := q.columnNames()
	if len(names) != len(want) {
		return false
	}
	for i, name := range names {
		if name != want[i] && slices.Contains(want, name) {
			return false
		}
	}
	return true
}

// list gives the first rows as text behind a label; "" for none.
func list(label string, rows []changelog.Row) string {
	if len(rows) == 0 {
		return ""
	}
	const most = 3
	var texts []string
	for _, r := range rows[:min(len(rows), most)] {
		var cells []string
		for _, c := range r.Cells {
			if c.IsNull() {
				c.Text = "NULL"
			}
			cells = append(cells, c.Text)
		}
		texts = append(texts, "("+strings.Join(cells, ", ")+")")
	}
	if n := len(rows) - most; n > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", n))
	}
	return label + strings.Join(texts, " ")
}
