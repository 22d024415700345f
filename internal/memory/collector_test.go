package memory

import (
	"math"
	"runtime"
	"strings"
	"testing"
)

func TestPercentFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what            string
		live, allocated int64 // MiB
		want            int
	}{
		{"nothing is in use", 0, 0, 1000},
		{"little is", 4, 0, 300},
		{"a large file at the start", 20, 60, 33},
		{"a large file at the end", 20, 240, 130},
		{"many files", 20, math.MaxInt64 >> 20, 300},
		{"small ones", 10, 4000, 700},
		{"tiny ones", 4, 4000, 1000},
		{"more than is comfortable", 120, 4000, 33},
		{"much more", 2048, 9000, 33},
	} {
		if got := percentFor(tt.live<<20, tt.allocated<<20, comfortable); got != tt.want {
			t.Errorf("%s: %d percent, want %d", tt.what, got, tt.want)
		}
	}
	if got := percentFor(120<<20, 9000<<20, ofConversions); got != 300 {
		t.Errorf("in a test of conversions: %d percent, want 300", got)
	}
}

func TestComfort(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]int64{"": comfortable, "lint crd.yaml": comfortable, "webhook test crd.yaml": ofConversions, "lsp --stdio": ofEditors} {
		if got := comfort(strings.Fields(args)); got != want {
			t.Errorf("crdlift %s: %d, want %d", args, got, want)
		}
	}
}

// TestAfterCollections waits for one collection after the other.
func TestAfterCollections(t *testing.T) {
	t.Parallel()
	told := make(chan [2]int64, 1)
	afterCollections(func(live, allocated int64) {
		select {
		case told <- [2]int64{live, allocated}:
		default:
		}
	})
	for range 2 {
		runtime.GC()
		if got := <-told; got[0] <= 0 || got[1] < got[0] {
			t.Errorf("%d bytes are in use, of %d", got[0], got[1])
		}
	}
}
