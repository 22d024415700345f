package limit

import (
	"testing"
)

func TestByteSize(t *testing.T) {
	for text, want := range map[string]Size{
		"1": 1, "1000": 1000, "12B": 12, "64MiB": 64 << 20, "64mib": 64 << 20, "64M": 64 << 20, "64Mi": 64 << 20,
		"64MB": 64 << 20, "2k": 2048, " 1G ": 1 << 30, "4611686018427387903": 1<<62 - 1,
	} {
		var got Size
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
		var again Size
		if err := again.Set(got.String()); err != nil || again != got {
			t.Errorf("%d prints as %s, which reads as %d", got, got, again)
		}
	}
	for _, text := range []string{"", "0", "-1", "x", "1T", "1KM", "MiB", "1.5M", "9223372036854775807", "99999999999G"} {
		if err := new(Size).Set(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
