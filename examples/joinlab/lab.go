package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/seed-69e58989/flinkread/datatype"
)

// A lab is the data that the learners' queries read.
type lab struct {
	users     []user
	orders    []order
	shipments []shipment
	rates     []rate
}

type user struct{ id, tier string }

type order struct {
	id, user, currency string
	amount             *apd.Decimal
	time               time.Time
}

type shipment struct {
	id, order string
	time      time.Time
}

type rate struct {
	currency string
	rate     *apd.Decimal
	time     time.Time
}

// readLab reads the four files of a lab. They have no headers, and their last
// column is the time that they are ordered by: event time would drop what comes
// late, so a file in another order would have other answers.
func readLab(dir fs.FS) (*lab, error) {
	l := &lab{}
	err := errors.Join(
		readTable(dir, "joins_users.csv", "ROW<user_id STRING, tier STRING, signup_time TIMESTAMP(3)>", func(v []datatype.Value) {
			l.users = append(l.users, user{v[0].Text(), v[1].Text()})
		}),
		readTable(dir, "joins_orders.csv", "ROW<order_id STRING, user_id STRING, currency STRING, amount DECIMAL(10, 2), order_time TIMESTAMP(3)>", func(v []datatype.Value) {
			amount, _ := v[3].Decimal()
			t, _ := v[4].Time()
			l.orders = append(l.orders, order{v[0].Text(), v[1].Text(), v[2].Text(), amount, t})
		}),
		readTable(dir, "joins_shipments.csv", "ROW<ship_id STRING, order_id STRING, ship_time TIMESTAMP(3)>", func(v []datatype.Value) {
			t, _ := v[2].Time()
			l.shipments = append(l.shipments, shipment{v[0].Text(), v[1].Text(), t})
		}),
		readTable(dir, "joins_rates.csv", "ROW<currency STRING, rate DECIMAL(10, 4), update_time TIMESTAMP(3)>", func(v []datatype.Value) {
			d, _ := v[1].Decimal()
			t, _ := v[2].Time()
			l.rates = append(l.rates, rate{v[0].Text(), d, t})
		}),
	)
	return l, err
}

// readTable reads a CSV file by the type of its rows.
func readTable(dir fs.FS, name, rowType string, add func([]datatype.Value)) error {
	typ, err := datatype.Parse(rowType)
	if err != nil {
		return err
	}
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()

	fields := typ.Fields()
	r := csv.NewReader(f)
	r.FieldsPerRecord = len(fields)
	var last time.Time
	for {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		var malformed *csv.ParseError
		if errors.As(err, &malformed) {
			return fmt.Errorf("%s:%d:%d: %w", name, malformed.Line, malformed.Column, malformed.Err)
		}
		if err != nil {
			return err
		}
		values := make([]datatype.Value, len(fields))
		for i, text := range record {
			v, err := fields[i].Type.ParseValue(text, datatype.AnyNotation)
			if err == nil {
				err = fits(v, fields[i])
			}
			if err != nil {
				line, col := r.FieldPos(i)
				return fmt.Errorf("%s:%d:%d: %w", name, line, col, err)
			}
			values[i] = v
		}
		t, _ := values[len(values)-1].Time()
		if t.Before(last) {
			line, col := r.FieldPos(len(values) - 1)
			return fmt.Errorf("%s:%d:%d: not in the order of time", name, line, col)
		}
		last = t
		add(values)
	}
}

// fits reports what Flink would read otherwise than it stands in the file: an
// empty value is a null, and a decimal with more places is rounded.
func fits(v datatype.Value, f datatype.Field) error {
	if v.Text() == "" || v.IsNull() {
		return fmt.Errorf("%s has no value", f.Name)
	}
	scale, _ := f.Type.Scale()
	if d, ok := v.Decimal(); ok && -int(d.Exponent) > scale {
		return fmt.Errorf("%s has more than %d places", f.Name, scale)
	}
	return nil
}

// A delivery is an order and a shipment of it.
type delivery struct {
	order    order
	shipment shipment
	delay    time.Duration
}

// deliveries pairs each order with its shipments from lo to hi after it, both
// included.
func (l *lab) deliveries(lo, hi time.Duration) []delivery {
	shipments := make(map[string][]shipment)
	for _, s := range l.shipments {
		shipments[s.order] = append(shipments[s.order], s)
	}
	var ds []delivery
	for _, o := range l.orders {
		for _, s := range shipments[o.id] {
			if delay := s.time.Sub(o.time); lo <= delay && delay <= hi {
				ds = append(ds, delivery{o, s, delay})
			}
		}
	}
	return ds
}

// versions gives the rates of each currency, in the order of time.
func (l *lab) versions() map[string][]rate {
	vs := make(map[string][]rate)
	for _, r := range l.rates {
		vs[r.currency] = append(vs[r.currency], r)
	}
	return vs
}

// at gives the last of the versions that is not after t, and false if there is
// none yet.
func at(versions []rate, t time.Time) (rate, bool) {
	n := sort.Search(len(versions), func(i int) bool { return versions[i].time.After(t) })
	if n == 0 {
		return rate{}, false
	}
	return versions[n-1], true
}
