package fare

import "testing"

func TestPrice(t *testing.T) {
	for _, test := range []struct {
		age     int
		name    string
		free    []string
		holiday bool
		want    int
	}{
		{5, "Ann Lee", nil, false, 0},
		{6, "Ann Lee", nil, false, 7},
		{65, "Ann Lee", nil, false, 7},
		{65, "Ann Lee", nil, true, 0},
		{64, "Ann Lee", nil, true, 7},
		{30, "Ann Lee", []string{"Ann Lee"}, false, 1},
		{30, "Ann Lee", []string{"Bob Ray"}, false, 7},
		{30, "***", nil, false, 14},
	} {
		if got := Price(test.age, test.name, test.free, test.holiday); got != test.want {
			t.Errorf("%+v: got %d", test, got)
		}
	}
}
