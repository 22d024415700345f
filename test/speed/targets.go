package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A target is a promise about speed, and whether it is kept.
type target struct {
	what, want, got string
	met             bool
}

func (b *bench) promise(what, want, got string, met bool) {
	b.targets = append(b.targets, target{what, want, got, met})
}

// A figure is a time that targets are about.
type figure struct {
	name string
	of   func(result) spread[time.Duration]
}

var (
	cpuTime  = figure{"CPU", result.cpu}
	wallTime = figure{"wall time", result.wall}
)

// A goal finds in the results of a contest whether a target is met; ok is false when a peer that it is about has none.
type goal func(results []result) (t target, ok bool)

// atMost is the goal that a time of one program is below a number of times that of another one.
func atMost(f figure, of, to string, times float64) goal {
	return between(f, of, to, fmt.Sprintf("under %g×", times), func(a, b float64) bool { return a < times*b })
}

// atLeast is the goal that a time of one program is at least a number of times that of another one.
func atLeast(f figure, of, to string, times float64) goal {
	return between(f, of, to, fmt.Sprintf("at least %g×", times), func(a, b float64) bool { return a >= times*b })
}

func between(f figure, of, to, want string, met func(a, b float64) bool) goal {
	return func(results []result) (target, bool) {
		a, foundA := named(results, of)
		b, foundB := named(results, to)
		if !foundA || !foundB {
			return target{}, false
		}
		one, other := f.of(a).median, f.of(b).median
		return target{fmt.Sprintf("%s of %s to that of %s", f.name, a.noun(), b.noun()), want, ratio(one, other), met(float64(one), float64(other))}, true
	}
}

// within is the goal that a time of a program is below a limit.
func within(f figure, of string, limit time.Duration) goal {
	return func(results []result) (target, bool) {
		r, found := named(results, of)
		return below(f.name+" of "+r.noun(), f.of(r).median, limit, short), found
	}
}

// light is the goal that the peak memory of a program is below a limit.
func light(of string, limit int64) goal {
	return func(results []result) (target, bool) {
		r, found := named(results, of)
		return below("peak memory of "+r.noun(), r.memory().most, limit, megabytes), found
	}
}

// below is a target for a value; what was not measured breaks no promise and keeps none.
func below[T ~int64](what string, value, limit T, show func(T) string) target {
	return target{what, "below " + show(limit), show(value), value > 0 && value < limit}
}

// named finds the result of a row, or of a peer by its program.
func named(results []result, name string) (result, bool) {
	i := slices.IndexFunc(results, func(r result) bool { return r.name == name || r.peer == name })
	if i < 0 {
		return result{}, false
	}
	return results[i], true
}

// noun is a contestant in a sentence.
func (c contestant) noun() string {
	switch {
	case c.peer != "":
		return c.peer
	case strings.HasPrefix(c.name, "`"):
		return c.name
	}
	return "the " + c.name
}

func targetTable(targets []target) string {
	t := table{{"target", "wanted", "measured", "met"}}
	for _, target := range targets {
		met := "**no**"
		if target.met {
			met = "yes"
		}
		t = append(t, []string{target.what, target.want, target.got, met})
	}
	return t.String()
}

// A table is rows of cells, the first of which are the headings.
type table [][]string

// String writes the table in Markdown. Columns of numbers are aligned to the right.
func (t table) String() string {
	var b strings.Builder
	for i, row := range t {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i > 0 {
			continue
		}
		for column := range row {
			b.WriteString("|---")
			if t.numbers(column) {
				b.WriteString(":")
			}
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// numbers reports whether all cells of a column begin with a digit, or say that nothing was measured.
func (t table) numbers(column int) bool {
	for _, row := range t[1:] {
		if cell := row[column]; cell != "–" && (cell == "" || cell[0] < '0' || cell[0] > '9') {
			return false
		}
	}
	return len(t) > 1
}

// comparison shows results beside the floor and the reference, which are among them.
func comparison(results []result) string {
	floor, _ := named(results, "bare parse")
	judge, _ := named(results, "reference")
	t := table{{"program", "wall time", "CPU time", "peak memory", "CPU to the parse", "CPU to the reference", "what it does"}}
	for _, r := range results {
		cpu := r.cpu()
		t = append(t, []string{r.name, r.wall().show(short), cpu.show(short), megabytes(r.memory().most),
			ratio(cpu.median, floor.cpu().median), ratio(cpu.median, judge.cpu().median), r.does})
	}
	return t.String()
}

// plain shows results alone.
func plain(results []result) string {
	t := table{{"program", "wall time", "CPU time", "peak memory", "what it does"}}
	for _, r := range results {
		t = append(t, []string{r.name, r.wall().show(short), r.cpu().show(short), megabytes(r.memory().most), r.does})
	}
	return t.String()
}

// thousands writes a number with commas.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

// times returns how many rounds there were.
func times(rounds int) string {
	if rounds == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", rounds)
}
