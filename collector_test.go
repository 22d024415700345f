package main

import (
	"runtime"
	"testing"
)

func TestLimitFor(t *testing.T) {
	t.Parallel()
	for live, want := range map[int64]int64{0: comfortable, 60 << 20: comfortable, 100 << 20: 150 << 20, 2 << 30: 3 << 30} {
		if got := limitFor(live); got != want {
			t.Errorf("%d bytes in use: %d, want %d", live, got, want)
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
