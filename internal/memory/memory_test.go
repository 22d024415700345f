package memory

import (
	"sync"
	"testing"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	m := Memory[string, int]{Limit: 2}
	asked := 0
	length := func(s string) int { return m.Of(s, func() int { asked++; return len(s) }) }
	for _, s := range []string{"a", "bb", "a", "bb"} {
		if got := length(s); got != len(s) {
			t.Errorf("%q has the value %d", s, got)
		}
	}
	if asked != 2 {
		t.Errorf("found out %d times, want 2", asked)
	}
	if m.Has("ccc") {
		t.Error("knows what nobody asked for")
	}
	length("ccc")
	if len(m.known) > 2 || !m.Has("ccc") {
		t.Errorf("keeps %v with a limit of 2", m.known)
	}
}

func TestMemoryTogether(t *testing.T) {
	t.Parallel()
	m := Memory[int, int]{Limit: 8}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 1000 {
				if got := m.Of(i%20, func() int { return i % 20 }); got != i%20 {
					t.Errorf("%d has the value %d", i%20, got)
				}
			}
		})
	}
	all.Wait()
}
