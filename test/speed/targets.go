package main

import (
	"fmt"
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

// atMost promises that one time is at most a number of times another.
func (b *bench) atMost(what string, a, of time.Duration, times float64) {
	b.promise(what, fmt.Sprintf("under %g×", times), ratio(a, of), a < time.Duration(times*float64(of)))
}

// atLeast promises that one time is at least a number of times another.
func (b *bench) atLeast(what string, a, of time.Duration, times float64) {
	b.promise(what, fmt.Sprintf("at least %g×", times), ratio(a, of), a >= time.Duration(times*float64(of)))
}

// below promises that a value is below a limit; what was not measured breaks no promise and keeps none.
func below[T ~int64](b *bench, what string, value, limit T, show func(T) string) {
	b.promise(what, "below "+show(limit), show(value), value > 0 && value < limit)
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

// comparison shows results beside the floor and the reference.
func comparison(results []result, floor, judge result) string {
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
