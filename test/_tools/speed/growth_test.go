package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestClimb has work that grows with its input in several ways, on a machine that disturbs it.
func TestClimb(t *testing.T) {
	t.Parallel()
	const start = 30 // milliseconds
	for _, test := range []struct {
		how   string
		cost  func(n float64) float64 // in milliseconds
		steep bool
		small bool // too little to say
	}{
		{how: "in proportion", cost: func(n float64) float64 { return n / 50 }},
		{how: "as sorting does", cost: func(n float64) float64 { return n * math.Log2(n) / 1000 }},
		{how: "with a step", cost: func(n float64) float64 {
			if n > 5000 {
				return n / 20
			}
			return n / 200
		}},
		{how: "not at all", cost: func(float64) float64 { return 3 }, small: true},
		{how: "with the square", cost: func(n float64) float64 { return n * n / 100_000 }, steep: true},
		{how: "with the square of much", cost: func(n float64) float64 { return n/100 + n*n/5_000_000 }, steep: true},
		{how: "with a power of 1.5", cost: func(n float64) float64 { return math.Pow(n, 1.5) / 1000 }, steep: true},
	} {
		for seed := range uint64(20) {
			random := rand.New(rand.NewPCG(seed, 0))
			measure := func(_ context.Context, _ contestant, folder string) (sample, error) {
				text, err := os.ReadFile(filepath.Join(folder, "crd.yaml"))
				cost := start + test.cost(float64(strings.Count(string(text), "\n")))*(1+random.ExpFloat64()*0.02)
				return sample{cpu: time.Duration(cost * float64(time.Millisecond))}, err
			}
			c := &climb{bench: &bench{ctx: t.Context(), dir: t.TempDir(), measure: measure}, way: way{args: "lint"}, took: map[int]time.Duration{},
				of: repeated{what: "lines", most: 1 << 17, input: input{"crd.yaml": "«\n»"}}}
			g, err := c.growth()
			if err != nil {
				t.Fatal(err)
			}
			if steep, small := g.factor > steepest, g.factor == 0; steep != test.steep || small != test.small {
				t.Errorf("%s, seed %d: %s at %d", test.how, seed, g, g.n)
			}
		}
	}
}

// TestGrowths measures a stand-in for a program that is quadratic in one thing, and says which.
func TestGrowths(t *testing.T) {
	t.Parallel()
	measure := func(_ context.Context, c contestant, folder string) (sample, error) {
		text, _ := os.ReadFile(filepath.Join(folder, "crd.yaml"))
		cost := float64(len(text)) / 1000
		if n := float64(strings.Count(string(text), "rule:")); c.args[1] == "plan" {
			cost += n * n / 1000
		}
		return sample{cpu: time.Duration(cost * float64(time.Millisecond))}, nil
	}
	b := &bench{ctx: t.Context(), dir: t.TempDir(), measure: measure, rounds: 1, grow: regexp.MustCompile("^(lint|plan), (fields|CEL rules)$")}
	var out strings.Builder
	err := b.linearly(1, &out)
	if err == nil || !strings.Contains(err.Error(), "CEL rules take") || strings.Contains(err.Error(), "fields take") || strings.Contains(err.Error(), "lint: ") {
		t.Errorf("got %v", err)
	}
	if table := out.String(); !strings.Contains(table, "| fields | ") || !strings.Contains(table, "| plan: `crdlift plan old.yaml crd.yaml` |") {
		t.Errorf("got %s", table)
	}
	calls := 0
	b.measure = func(context.Context, contestant, string) (sample, error) {
		calls++ // so that more takes longer than one does
		return sample{cpu: time.Duration(calls) * time.Second}, nil
	}
	out.Reset()
	b.grow = nil
	err = b.linearly(1, &out) // the sessions of editors fail, which start a program themselves
	if n := strings.Count(out.String(), ": `crdlift "); n == 0 || n+strings.Count(fmt.Sprint(err), "lsp") != drawn {
		t.Errorf("%v: a sample of\n%s", err, out.String())
	}
}

// TestGrow repeats what is marked.
func TestGrow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"a: 1", "a: 1"},
		{"«a%d: %d, »", "a0: 0, a1: 1, a2: 2, "},
		{"«{a: »1«}»%d", "{a: {a: {a: 1}}}%d"},
	} {
		if got := grow(test.text, 3); got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
	}
}

// TestWays has every thing measured in ways that there are, and with files that these read.
func TestWays(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range repeateds() {
		if seen[r.what] {
			t.Errorf("%s is there twice", r.what)
		}
		seen[r.what] = true
		one, many := r.grown(2), r.grown(16)
		size := func(files map[string]string) (sum int) {
			for name, text := range files {
				sum += len(name) + len(text)
			}
			return sum
		}
		if size(many) <= size(one) && r.what != "objects that are made" {
			t.Errorf("%s: the input does not grow", r.what)
		}
		for name := range strings.FieldsSeq(r.ways) {
			found := false
			for _, w := range ways {
				found = found || w.name == name
			}
			if !found {
				t.Errorf("%s: there is no way %q", r.what, name)
			}
			seen["way "+name] = true
		}
	}
	for _, w := range ways {
		if !seen["way "+w.name] {
			t.Errorf("nothing is measured with %s", w.name)
		}
	}
}
