package ordered

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestInOrder(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i
	}
	const workers = 4
	var waiting, most atomic.Int64
	var got []int
	done := Each(context.Background(), workers, items, func(i int) int {
		if n := waiting.Add(1); n > most.Load() {
			most.Store(n)
		}
		if i%100 == 0 {
			time.Sleep(5 * time.Millisecond)
		}
		return i
	}, func(i int) {
		waiting.Add(-1)
		got = append(got, i)
	})
	if done != len(items) || !slices.Equal(got, items) {
		t.Errorf("%d results, %v", done, got)
	}
	// So many results may wait, as many be worked on as there are workers, and one be handed on.
	if most.Load() > (ahead+1)*workers+1 {
		t.Errorf("%d results waited at once", most.Load())
	}
}

func TestInOrderStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	begun, handedOn := atomic.Int64{}, 0
	done := Each(ctx, 2, make([]int, 1000), func(int) int {
		if begun.Add(1) == 10 {
			cancel()
		}
		return 0
	}, func(int) { handedOn++ })
	if done != handedOn || int64(done) != begun.Load() {
		t.Errorf("%d begun, %d handed on, %d counted", begun.Load(), handedOn, done)
	}
	if done == 1000 {
		t.Error("nothing was left out")
	}
	if n := Each(ctx, 2, []int{1}, func(i int) int { return i }, func(int) {}); n != 0 {
		t.Errorf("%d done after the end", n)
	}
}

func TestInOtherOrder(t *testing.T) {
	var worked, got []int
	steps := 0
	work := func(i int) int {
		worked = append(worked, i)
		return 10 * i
	}
	if done := EachIn(context.Background(), 1, []int{3, 0, 2, 1}, work, func() { steps++ }, func(v int) { got = append(got, v) }); done != 4 || steps != 4 || !slices.Equal(got, []int{0, 10, 20, 30}) {
		t.Errorf("%d results, %v", done, got)
	}
	if !slices.Equal(worked, []int{3, 0, 2, 1}) {
		t.Errorf("worked on %v", worked)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if done := EachIn(ctx, 1, []int{1, 0}, work, func() {}, func(int) { t.Error("a result was handed on") }); done != 0 {
		t.Errorf("%d done after the end", done)
	}
}
