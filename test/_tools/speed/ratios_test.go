package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A laboratory measures stand-ins for programs by the work that they say they do, in milliseconds, disturbed as a busy machine
// disturbs. It counts the runs of each.
type laboratory struct {
	work   map[string]float64 // by the name of the contestant
	random *rand.Rand         // nil for a machine that does nothing else
	broken map[string]bool
	runs   map[string]int
}

func (l *laboratory) measure(_ context.Context, c contestant, _ string) (sample, error) {
	if l.runs == nil {
		l.runs = map[string]int{}
	}
	l.runs[c.name]++
	if l.broken[c.name] {
		return sample{}, errors.New("it crashes")
	}
	cost := l.work[c.name]
	if l.random != nil { // some runs are hardly disturbed, others take twice the time
		cost *= 1 + l.random.ExpFloat64()*0.3
	}
	return sample{cpu: time.Duration(cost * float64(time.Millisecond))}, nil
}

// standIn is a course of a command and two other programs, and ofPage are the page's ratios of it.
var (
	standIn = course{command: "ours", on: "CRDs", bases: "parse -strict"}
	ofPage  = map[ratioOf]float64{{"`crdlift ours`", "CRDs", "the bare parse"}: 3, {"`crdlift ours`", "CRDs", kubeconform}: 0.75}
)

// standing is a bench of a laboratory.
func standing(t *testing.T, lab *laboratory, rounds int, peer error) *bench {
	return &bench{ctx: t.Context(), measure: lab.measure, rounds: rounds, lookPath: func(string) (string, error) { return kubeconform, peer }}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		work  float64 // of ours: 300 is that of the page
		noise bool
		lab   laboratory
		page  map[ratioOf]float64 // nil for ofPage
		runs  int                 // of ours; 0 for any number
		want  string              // of the error; "" for none
	}{
		{name: "the same", work: 300, runs: 5},
		{name: "faster", work: 100, runs: 5},
		{name: "slower, but within the limit", work: 340, runs: 5},
		{name: "slower", work: 351, runs: 5 + 10 + 20,
			want: "worse\n  `crdlift ours`, on CRDs, to kubeconform: worse\nIf that is how it has to be, `make speed`"},
		{name: "the same on a busy machine", work: 300, noise: true},
		{name: "slower, but within the limit, on a busy machine", work: 324, noise: true},
		{name: "slower on a busy machine", work: 390, noise: true, want: "`crdlift ours`, on CRDs, to the bare parse: worse"},
		{name: "without a ratio in the page", work: 300, page: map[ratioOf]float64{{"`crdlift ours`", "CRDs", kubeconform}: 0.75},
			want: "`crdlift ours`, on CRDs, to the bare parse: not in the page"},
		{name: "slower than one program only", work: 300, page: map[ratioOf]float64{{"`crdlift ours`", "CRDs", "the bare parse"}: 2, {"`crdlift ours`", "CRDs", kubeconform}: 0.75},
			runs: 5 + 10 + 20, want: "`crdlift ours`, on CRDs, to the bare parse: worse\nIf"},
		{name: "with a peer that fails", work: 300, lab: laboratory{broken: map[string]bool{kubeconform: true}}, runs: 5},
		{name: "with a command that fails", work: 300, lab: laboratory{broken: map[string]bool{"`crdlift ours`": true}}, want: "it crashes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			seeds := 1
			if tt.noise {
				seeds = 50
			}
			for seed := range uint64(seeds) {
				lab := &laboratory{work: map[string]float64{"`crdlift ours`": tt.work, "the bare parse": 100, kubeconform: 400}, broken: tt.lab.broken}
				if tt.noise {
					lab.random = rand.New(rand.NewPCG(seed, 0))
				}
				page := ofPage
				if tt.page != nil {
					page = tt.page
				}
				err := standing(t, lab, 5, nil).keep([]course{standIn}, page, io.Discard)
				if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
					t.Errorf("seed %d: got error %v, want %q", seed, err, tt.want)
				}
				if got := lab.runs["`crdlift ours`"]; tt.runs > 0 && got != tt.runs {
					t.Errorf("measured %d times, want %d", got, tt.runs)
				}
			}
		})
	}
}

// TestKeepSays looks at what people read when a ratio is worse, and when a program is missing.
func TestKeepSays(t *testing.T) {
	t.Parallel()
	lab := &laboratory{work: map[string]float64{"`crdlift ours`": 360, "the bare parse": 100}}
	var out strings.Builder
	if err := standing(t, lab, 1, exec.ErrNotFound).keep([]course{standIn}, ofPage, &out); err == nil {
		t.Error("no error")
	}
	const want = "| CPU time of | on | to that of | page | now |  |\n|---|---|---|---:|---:|---|\n" +
		"| `crdlift ours` | CRDs | the bare parse | 3.000× | 3.600× | worse |\n" +
		"| `crdlift ours` | CRDs | kubeconform | 0.750× | – | not measured: kubeconform is not on PATH, or failed |\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// TestTable reads the ratios of rows that it writes.
func TestTable(t *testing.T) {
	t.Parallel()
	c := standIn
	c.goal = goal{wall: time.Second, memory: 100, kubeconform: 0.7}
	text := "| " + strings.Join(c.row(sample{wall: 800 * time.Millisecond, cpu: 1500 * time.Millisecond, memory: 120 * megabyte}, ofPage), " | ") + " |\n"
	const want = "| `crdlift ours` | CRDs | 0.8 s | 1.5 s | 120 MB | 3.000× | – | 0.750× | below 1 s; **below 100 MB**; **under 0.7× kubeconform** |\n"
	if text != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if got, err := readRatios("The least.\n\n" + head + text + "\n"); err != nil || !maps.Equal(got, ofPage) {
		t.Errorf("read %v, %v", got, err)
	}
	for _, tt := range []struct{ row, want string }{
		{"| `crdlift ours` | CRDs | 1× |", "3 columns in"},
		{"| `crdlift ours` | CRDs | – | – | – | much | – | – |  |", `"much" in`},
		{"| `crdlift ours` | CRDs | – | – | – | 0× | – | – |  |", `"0×" in`},
	} {
		if _, err := readRatios(tt.row + "\n"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got error %v, want %q", tt.row, err, tt.want)
		}
	}
}

func TestResult(t *testing.T) {
	t.Parallel()
	got := result([]sample{{5, 9, 1}, {3, 7, 4}, {4, 8, 2}, {9, 9, 3}})
	if want := (sample{4, 7, 4}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestPageRatios looks whether the page has a ratio for each that is measured, and no others.
func TestPageRatios(t *testing.T) {
	t.Parallel()
	lab := &laboratory{work: map[string]float64{}}
	b := &bench{ctx: t.Context(), dir: t.TempDir(), lookPath: exec.LookPath, measure: func(ctx context.Context, c contestant, home string) (sample, error) {
		lab.work[c.name] = 1e-3 // nothing is worse
		if !strings.Contains(c.name, "crdlift") {
			lab.work[c.name] = 1e6
		}
		return lab.measure(ctx, c, home)
	}, rounds: 1, crdlift: "crdlift", reference: "/no/reference"}
	var out strings.Builder
	if err := b.check(filepath.Join("..", "..", "..", "docs", "internals", "performance.md"), &out); err != nil {
		t.Error(err)
	}
	for line := range strings.SplitSeq(out.String(), "\n") {
		if strings.Contains(line, "not measured") && !strings.Contains(line, "kubeconform") {
			t.Errorf("the page has a ratio that is not measured: %s", line)
		}
	}
	for name, runs := range lab.runs {
		if runs == 0 {
			t.Errorf("%s ran %d times", name, runs)
		}
	}
	if !slices.Contains(slices.Collect(maps.Keys(lab.runs)), "`crdlift breaking`") {
		t.Error(fmt.Sprint("measured only ", lab.runs))
	}
}
