// Package ordered keeps the order of items: of those that several workers work on, and of those that are put into groups.
package ordered

import "context"

// ahead is how many results of each worker may wait for a slow item before them. A large file takes as long as dozens of
// small ones, and its neighbours must not wait for it.
const ahead = 16

// Each does the work on all items with that many workers and hands on the results in the order of the items, one at
// a time. Workers run ahead of a slow item by so many results only, so that memory does not grow with the number of
// items. When the context ends, work in progress is finished and the rest is not started; it returns the number of
// results handed on.
func Each[T, R any](ctx context.Context, workers int, items []T, work func(T) R, handOn func(R)) int {
	type job struct {
		item   T
		result chan R
	}
	jobs := make(chan job)
	pending := make(chan chan R, ahead*workers)
	go func() {
		defer close(jobs)
		defer close(pending)
		for _, item := range items {
			if ctx.Err() != nil {
				return
			}
			j := job{item, make(chan R, 1)}
			pending <- j.result
			jobs <- j
		}
	}()
	for range workers {
		go func() {
			for j := range jobs {
				j.result <- work(j.item)
			}
		}()
	}
	done := 0
	for result := range pending {
		handOn(<-result)
		done++
	}
	return done
}

// EachIn does the work on items with that many workers, in an order of their indexes and with a step after each, and
// hands on the results in the order of the items when all is done. It returns the number of results.
func EachIn[R any](ctx context.Context, workers int, order []int, work func(i int) R, step func(), handOn func(R)) int {
	results := make([]*R, len(order))
	done := 0
	Each(ctx, workers, order, work, func(out R) {
		results[order[done]] = &out
		done++
		step()
	})
	for _, out := range results {
		if out != nil {
			handOn(*out)
		}
	}
	return done
}
