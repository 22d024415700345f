package limit

import "testing"

// TestShown has bytes in Mi where they are whole ones, and counts as they are, however large.
func TestShown(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value int
		unit  string
		want  string
	}{
		{64 << 20, "bytes", "64 Mi"},
		{3 << 20, "bytes of the copies", "3 Mi"},
		{64<<20 + 1, "bytes", "67108865"},
		{1000, "bytes of a line", "1000"},
		{1 << 28, "pairs", "268435456"},
		{16, "lists in each other", "16"},
	} {
		if got := (Limit{Value: tt.value, Unit: tt.unit}).Shown(); got != tt.want {
			t.Errorf("%d %s are shown as %s, not %s", tt.value, tt.unit, got, tt.want)
		}
	}
}

// TestOf finds every limit by its name, which no other has.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, l := range All {
		if got := Of(l.Name); got != l {
			t.Errorf("%s is %+v, not %+v", l.Name, got, l)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("there is a limit that nobody has listed")
		}
	}()
	Of("no-such-limit")
}
