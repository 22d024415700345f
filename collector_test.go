package main

import (
	"runtime"
	"strings"
	"testing"
)

func TestLimitFor(t *testing.T) {
	t.Parallel()
	for live, want := range map[int64]int64{0: comfortable, 60 << 20: comfortable, 100 << 20: 150 << 20, 2 << 30: 3 << 30} {
		if got := limitFor(live, comfortable); got != want {
			t.Errorf("%d bytes in use: %d, want %d", live, got, want)
		}
	}
}

func TestComfort(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]int64{"": comfortable, "lint crd.yaml": comfortable, "webhook test crd.yaml": ofConversions} {
		if got := comfort(strings.Fields(args)); got != want {
			t.Errorf("crdlift %s: %d, want %d", args, got, want)
		}
	}
}

// TestAfterCollections waits for one collection after the other.
func TestAfterCollections(t *testing.T) {
	t.Parallel()
	told := make(chan int64, 1)
	afterCollections(func(live int64) {
		select {
		case told <- live:
		default:
		}
	})
	for range 2 {
		runtime.GC()
		if live := <-told; live <= 0 {
			t.Errorf("%d bytes are in use", live)
		}
	}
}
