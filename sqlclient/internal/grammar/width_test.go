package grammar

import "testing"

func TestUnits(t *testing.T) {
	for _, test := range []struct {
		s    string
		want int
	}{
		{"", 0}, {"abc", 3}, {"\t\n\x00", 3}, {"é", 1}, {"e\u0301", 2}, {"①", 1}, {"ｱ", 1},
		{"金", 2}, {"한", 2}, {"ａ", 2}, {"　", 2}, {"〈", 2},
		{"𝔸", 2}, {"😀", 3}, {"𠮷", 3}, {"👩‍🔬", 7},
		{"䷀", 1},          // wide from Unicode 16 on
		{"\U0001FAE0", 2}, // wide from Unicode 14 on
		{"\xff", 1},       // no character
	} {
		got := 0
		for _, r := range test.s {
			got += units(r)
		}
		if got != test.want {
			t.Errorf("%q has %d units, want %d", test.s, got, test.want)
		}
	}
}
