package main

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-69e58989/flinkread/changelog"
)

// A mistake is a usual way to get a query wrong. It is told by its rows: the
// data say what the query prints then, however it is written. Where two
// mistakes print the same, a word of the statement tells them apart.
type mistake struct {
	rows    func() []changelog.Row
	with    string // a word that the statement has; "" for any
	without string // a word that it has not
	hint    string
}

// windows are the usual mistakes about the time between order and shipment,
// likelier ones first: the data of a lab need not tell all of them apart.
var windows = []struct {
	lo, hi time.Duration
	hint   string
}{
	{math.MinInt64, math.MaxInt64, "the time condition is missing: ON needs ship_time BETWEEN order_time AND order_time + INTERVAL '2' HOUR"},
	{time.Second, window, "a shipment at the very time of its order counts: both boundaries belong to the window, as with BETWEEN"},
	{0, window - time.Second, "a shipment just 2 hours after its order counts: both boundaries belong to the window, as with BETWEEN"},
	{time.Second, window - time.Second, "both boundaries belong to the window, as with BETWEEN: >= and <=, not > and <"},
	{math.MinInt64, window, "a shipment before its order does not count: the time condition lacks its lower boundary"},
	{0, math.MaxInt64, "the time condition lacks its upper boundary, 2 hours after the order"},
	{0, 2 * time.Minute, "the window is 2 hours, 7200 seconds; here it is 2 minutes"},
	{0, 7200 * time.Minute, "the window is 7200 seconds; here it is 7200 minutes"},
	{0, 2 * time.Second, "the window is 2 hours, 7200 seconds; here it is 2 seconds"},
	{0, time.Hour, "the window is 2 hours; here it is 1 hour"},
}

func (l *lab) intervalMistakes() []mistake {
	right := func() []delivery { return l.deliveries(0, window) }
	ms := []mistake{{
		rows: func() []changelog.Row { return delays(right(), time.Minute) },
		hint: "delay_s is in minutes; wanted are seconds: TIMESTAMPDIFF(SECOND, order_time, ship_time)",
	}, {
		rows: func() []changelog.Row { return delays(right(), time.Millisecond) },
		hint: "delay_s is in milliseconds; wanted are seconds: TIMESTAMPDIFF(SECOND, order_time, ship_time)",
	}, {
		rows: func() []changelog.Row { return delays(right(), -time.Second) },
		hint: "delay_s counts from the shipment to the order: TIMESTAMPDIFF(SECOND, order_time, ship_time)",
	}, {
		rows: func() []changelog.Row {
			rows := delays(right(), time.Second)
			for _, r := range l.ordersWithout(right()) {
				rows = append(rows, row(r.Cells[0].Text, nil, nil))
			}
			return rows
		},
		hint: "orders without a shipment do not belong here: JOIN, not LEFT JOIN",
	}}
	for _, w := range windows {
		ms = append(ms, mistake{
			rows: func() []changelog.Row { return delays(l.deliveries(w.lo, w.hi), time.Second) },
			hint: w.hint,
		})
	}
	return ms
}

func (l *lab) unshippedMistakes() []mistake {
	const inWhere = "the time condition stands in WHERE, where it drops what LEFT JOIN keeps: put it into ON, and only s.ship_id IS NULL into WHERE"
	right := func() []delivery { return l.deliveries(0, window) }
	all := func() []delivery { return l.deliveries(math.MinInt64, math.MaxInt64) }
	ordersOf := func(ds []delivery, keep func(time.Duration) bool) []changelog.Row {
		var rows []changelog.Row
		for _, d := range ds {
			if keep(d.delay) {
				rows = append(rows, row(d.order.id, d.order.time))
			}
		}
		return rows
	}
	inWindow := func(delay time.Duration) bool { return 0 <= delay && delay <= window }
	ms := []mistake{{
		rows:    func() []changelog.Row { return nil },
		without: "LEFT",
		hint:    "LEFT is missing: only a LEFT JOIN keeps the orders that have no shipment",
	}, {
		rows: func() []changelog.Row { return nil },
		with: "LEFT",
		hint: inWhere,
	}, {
		rows: func() []changelog.Row { return ordersOf(all(), inWindow) },
		hint: "these are the orders with a shipment: WHERE s.ship_id IS NULL is missing, or says the opposite, or the time condition stands in WHERE in its place",
	}, {
		rows: func() []changelog.Row {
			outside := ordersOf(all(), func(delay time.Duration) bool { return !inWindow(delay) })
			return append(l.ordersWithout(all()), outside...)
		},
		hint: inWhere,
	}, {
		rows: func() []changelog.Row { return append(ordersOf(all(), inWindow), l.ordersWithout(right())...) },
		hint: "all orders are here: WHERE s.ship_id IS NULL is missing",
	}}
	for _, w := range windows {
		ms = append(ms, mistake{
			rows: func() []changelog.Row { return l.ordersWithout(l.deliveries(w.lo, w.hi)) },
			hint: w.hint,
		})
	}
	return ms
}

func (l *lab) regularMistakes() []mistake {
	return []mistake{{
		rows: func() []changelog.Row {
			known, all := l.tiers(), make(totals)
			for _, o := range l.orders {
				all.add("", o.amount)
			}
			for _, t := range known {
				all[""].orders -= t.orders
				all[""].amount = difference(all[""].amount, t.amount)
			}
			return append(known.rows(), row(nil, all[""].orders, all[""].amount))
		},
		hint: "orders of unknown users do not count: JOIN, not LEFT JOIN",
	}}
}

// allRates picks every version.
func allRates(_ order, versions []rate) []rate { return versions }

func (l *lab) temporalMistakes() []mistake {
	return []mistake{{
		rows: func() []changelog.Row { return amounts(l.valued(lastRate)) },
		hint: "every order has the last rate: FOR SYSTEM_TIME AS OF o.order_time is missing, so this is a regular join",
	}, {
		rows: func() []changelog.Row { return amounts(l.valued(allRates)) },
		hint: "every order has every rate of its currency: join rates_v FOR SYSTEM_TIME AS OF o.order_time, not rates",
	}, {
		rows: func() []changelog.Row {
			rows := amounts(l.valued(rateAtOrder))
			versions := l.versions()
			for _, o := range l.orders {
				if len(rateAtOrder(o, versions[o.currency])) == 0 {
					rows = append(rows, row(o.id, o.currency, nil, nil))
				}
			}
			return rows
		},
		hint: "orders before the first rate of their currency drop out: JOIN, not LEFT JOIN",
	}, {
		rows: func() []changelog.Row {
			vs := l.valued(rateAtOrder)
			for i := range vs {
				vs[i].krw = rounded(vs[i].krw)
			}
			return amounts(vs)
		},
		hint: "amount_krw is rounded: o.amount * r.rate is exact as it is",
	}}
}

func (l *lab) latestMistakes() []mistake {
	return []mistake{{
		rows: func() []changelog.Row { return currencies(l.valued(rateAtOrder)) },
		hint: "these are the rates at the time of each order: for the last rate join rates_v without FOR SYSTEM_TIME AS OF",
	}, {
		rows: func() []changelog.Row { return currencies(l.valued(allRates)) },
		hint: "every order is summed up once for each rate of its currency: join rates_v, not rates",
	}, {
		rows: func() []changelog.Row {
			vs := l.valued(lastRate)
			for i := range vs {
				vs[i].krw = rounded(vs[i].krw)
			}
			return currencies(vs)
		},
		hint: "rounded twice: the amounts are rounded before they are summed up; SUM(o.amount * r.rate) is exact",
	}}
}

// explain gives the hint for the rows of a question that are not the wanted
// ones. sql is the learner's statement, or empty.
func (q *question) explain(got, missing, extra []changelog.Row, sql string) string {
	var hints []string
	for _, m := range q.mistakes {
		if sql != "" && (m.with != "" && !hasWord(sql, m.with) || m.without != "" && hasWord(sql, m.without)) {
			continue
		}
		if missing, extra := changelog.Diff(slices.Values(got), slices.Values(m.rows())); missing == nil && extra == nil {
			hints = append(hints, m.hint)
			if m.with == "" && m.without == "" {
				break // the first is the likeliest
			}
		}
	}
	switch {
	case len(hints) > 0:
		return strings.Join(hints, "; or ")
	case anyCell(extra, changelog.Cell.MaybeCut):
		return "values are cut: SET 'table.display.max-column-width' (up to 1.17 'sql-client.display.max-column-width') before the query"
	case near(missing, extra):
		return "nearly right: nothing is to be rounded, and DECIMAL is exact where DOUBLE and FLOAT are not"
	case anyCell(extra, changelog.Cell.IsNull):
		return "rows with null: an inner JOIN has none"
	}
	return ""
}

func hasWord(sql, word string) bool {
	return regexp.MustCompile(`(?i)\b` + word + `\b`).MatchString(sql)
}

func anyCell(rows []changelog.Row, is func(changelog.Cell) bool) bool {
	return slices.ContainsFunc(rows, func(r changelog.Row) bool { return slices.ContainsFunc(r.Cells, is) })
}

// near reports whether the rows differ by no more than rounding. It takes them
// in pairs, of those that agree in all other cells.
func near(missing, extra []changelog.Row) bool {
	if len(missing) != len(extra) || len(missing) > 1000 {
		return false
	}
	for _, m := range missing {
		if !slices.ContainsFunc(extra, func(e changelog.Row) bool { return nearRow(m, e) }) {
			return false
		}
	}
	return true
}

func nearRow(a, b changelog.Row) bool {
	for i := range a.Cells {
		x, y := a.Cells[i].Text, b.Cells[i].Text
		if x == y {
			continue
		}
		if len(x)+len(y) > maxNumber || !strings.ContainsAny(x+y, ".E") {
			return false
		}
		f, err1 := strconv.ParseFloat(x, 64)
		g, err2 := strconv.ParseFloat(y, 64)
		if err1 != nil || err2 != nil || !(math.Abs(f-g) <= 0.5+1e-6*math.Abs(f)) {
			return false
		}
	}
	return true
}
