package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A result is what the runs of a contestant cost.
type result struct {
	contestant
	samples []sample
}

// A spread is the median of some values, and how far they lie apart.
type spread[T cmp.Ordered] struct{ median, least, most T }

// over returns the spread of one figure of all samples. Of an even number, the lower middle is the median: it was measured.
func over[T cmp.Ordered](samples []sample, figure func(sample) T) spread[T] {
	if len(samples) == 0 {
		return spread[T]{}
	}
	var values []T
	for _, s := range samples {
		values = append(values, figure(s))
	}
	slices.Sort(values)
	return spread[T]{values[(len(values)-1)/2], values[0], values[len(values)-1]}
}

func (r result) wall() spread[time.Duration] {
	return over(r.samples, func(s sample) time.Duration { return s.wall })
}

func (r result) cpu() spread[time.Duration] {
	return over(r.samples, func(s sample) time.Duration { return s.cpu })
}

func (r result) memory() spread[int64] {
	return over(r.samples, func(s sample) int64 { return s.memory })
}

// megabyte is the decimal one, in which the targets are given.
const megabyte = 1_000_000

// megabytes shows a size. What is 0 was not measured.
func megabytes(n int64) string {
	switch {
	case n == 0:
		return "–"
	case n < megabyte/10:
		return fmt.Sprintf("%.0f KB", float64(n)/1000)
	case n < 10*megabyte:
		return fmt.Sprintf("%.1f MB", float64(n)/megabyte)
	}
	return fmt.Sprintf("%.0f MB", float64(n)/megabyte)
}

// short shows a duration in three digits.
func short(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 0.0995:
		return fmt.Sprintf("%.1f ms", s*1000)
	case s < 0.9995:
		return fmt.Sprintf("%.0f ms", s*1000)
	case s < 9.995:
		return fmt.Sprintf("%.2f s", s)
	default:
		return fmt.Sprintf("%.1f s", s)
	}
}

// show leaves out the least and the most of one run.
func (s spread[T]) show(one func(T) string) string {
	if s.least == s.most {
		return one(s.median)
	}
	return fmt.Sprintf("%s (%s – %s)", one(s.median), one(s.least), one(s.most))
}

// ratio shows how often the second goes into the first.
func ratio(a, b time.Duration) string {
	if b <= 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f×", float64(a)/float64(b))
}
