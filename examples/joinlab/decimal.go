package main

import (
	"github.com/cockroachdb/apd/v3"
)

// maxNumber is how many digits a number of the lab has at most, with plenty to
// spare: Flink's widest decimal has 38.
const maxNumber = 100

// exact has digits enough for all sums and products of such numbers.
var exact = apd.BaseContext.WithPrecision(10 * maxNumber)

func sum(x, y *apd.Decimal) *apd.Decimal {
	d := new(apd.Decimal)
	exact.Add(d, x, y) // finite numbers, and digits enough: no error can be
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

// number reads a finite number of a sensible size: to read one of a million
// digits, or to write 1E100000 without an exponent, would take long.
func number(text string) (*apd.Decimal, bool) {
	if len(text) > maxNumber {
		return nil, false
	}
	d, _, err := apd.NewFromString(text)
	return d, err == nil && isSensible(d)
}

func isSensible(d *apd.Decimal) bool {
	return d.Form == apd.Finite && -maxNumber <= d.Exponent && d.Exponent <= maxNumber
}
