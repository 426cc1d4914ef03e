package main

import (
	"github.com/cockroachdb/apd/v3"
)

// exact has more digits than Flink's widest decimal, so no sum or product of
// the lab is ever rounded.
var exact = apd.BaseContext.WithPrecision(200)

func sum(x, y *apd.Decimal) *apd.Decimal {
	d := new(apd.Decimal)
	exact.Add(d, x, y) // finite operands and digits enough: no error can be
	return d
}

func difference(x, y *apd.Decimal) *apd.Decimal {
	d := new(apd.Decimal)
	exact.Sub(d, x, y)
	return d
}

func product(x, y *apd.Decimal) *apd.Decimal {
	d := new(apd.Decimal)
	exact.Mul(d, x, y)
	return d
}

// rounded rounds to two places, as ROUND(x, 2) does.
func rounded(x *apd.Decimal) *apd.Decimal {
	d := new(apd.Decimal)
	exact.Quantize(d, x, -2)
	return d
}
