package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSpread(t *testing.T) {
	t.Parallel()
	seconds := func(values ...int) (samples []sample) {
		for _, v := range values {
			samples = append(samples, sample{wall: time.Duration(v) * time.Second, cpu: time.Duration(2*v) * time.Second, memory: int64(-v)})
		}
		return samples
	}
	for _, tt := range []struct {
		samples []sample
		want    spread[time.Duration]
	}{
		{nil, spread[time.Duration]{}},
		{seconds(7), spread[time.Duration]{7e9, 7e9, 7e9}},
		{seconds(9, 1, 4), spread[time.Duration]{4e9, 1e9, 9e9}},
		{seconds(4, 3, 2, 1), spread[time.Duration]{2e9, 1e9, 4e9}},
	} {
		if got := (result{samples: tt.samples}).wall(); got != tt.want {
			t.Errorf("%v: got %v, want %v", tt.samples, got, tt.want)
		}
	}
	r := result{samples: seconds(9, 1, 4)}
	if got := r.cpu().median; got != 8e9 {
		t.Errorf("the median of the CPU times is %v", got)
	}
	if got := r.memory(); got != (spread[int64]{-4, -9, -1}) {
		t.Errorf("the spread of the memory is %v", got)
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		short(15_049_000):      "15.0 ms",
		short(99_600_000):      "100 ms",
		short(999_400_000):     "999 ms",
		short(1_234_000_000):   "1.23 s",
		short(9_999_000_000):   "10.0 s",
		megabytes(0):           "–",
		megabytes(7_049):       "7 KB",
		megabytes(1_250_000):   "1.2 MB",
		megabytes(149_600_000): "150 MB",
		ratio(3, 2):            "1.50×",
		ratio(3, 0):            "–",
		thousands(999):         "999",
		thousands(1_000):       "1,000",
		thousands(12_345_678):  "12,345,678",
		spread[int64]{2e6, 1e6, 3e6}.show(megabytes): "2.0 MB (1.0 MB – 3.0 MB)",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTargets(t *testing.T) {
	t.Parallel()
	b := &bench{}
	b.atMost("a", 119, 100, 1.2)
	b.atMost("b", 120, 100, 1.2)
	b.atLeast("c", 400, 100, 4)
	below(b, "d", 30*time.Millisecond, 30*time.Millisecond, short)
	below(b, "e", int64(0), 150*megabyte, megabytes)
	const want = `| target | wanted | measured | met |
|---|---|---:|---|
| a | under 1.2× | 1.19× | yes |
| b | under 1.2× | 1.20× | **no** |
| c | at least 4× | 4.00× | yes |
| d | below 30.0 ms | 30.0 ms | **no** |
| e | below 150 MB | – | **no** |
`
	if got := targetTable(b.targets); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestComparison(t *testing.T) {
	t.Parallel()
	one := func(name string, seconds time.Duration) result {
		return result{contestant{name: name, does: "runs"}, []sample{{seconds * time.Second, 2 * seconds * time.Second, 5 * megabyte}}}
	}
	floor, judge := one("floor", 1), one("judge", 2)
	const want = `| program | wall time | CPU time | peak memory | CPU to the parse | CPU to the reference | what it does |
|---|---:|---:|---:|---:|---:|---|
| floor | 1.00 s (1.00 s – 1.00 s) | 2.00 s (2.00 s – 2.00 s) | 5.0 MB | 1.00× | 0.50× | runs |
| judge | 2.00 s (2.00 s – 2.00 s) | 4.00 s (4.00 s – 4.00 s) | 5.0 MB | 2.00× | 1.00× | runs |
`
	if got := comparison([]result{floor, judge}, floor, judge); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		counts []int
		costs  []time.Duration
		want   float64
	}{
		{[]int{1, 10, 100}, []time.Duration{5, 2, 20}, 1},
		{[]int{10, 100}, []time.Duration{2, 200}, 2},
	} {
		if got := growth(tt.counts, tt.costs); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%v: got %v, want %v", tt.costs, got, tt.want)
		}
	}
}

func TestWritePage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "performance.md")
	const page = "# Speed\n\n<!-- measured: make speed, start -->\nold\n<!-- end -->\n\nWhy.\n\n<!-- measured: make speed, lint -->\n<!-- end -->\n"
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{"start": "new\n", "lint": "fast\n"}
	for range 2 { // the second time changes nothing
		if err := writePage(sections, path); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		const want = "# Speed\n\n<!-- measured: make speed, start -->\n\nnew\n\n<!-- end -->\n\nWhy.\n\n<!-- measured: make speed, lint -->\n\nfast\n\n<!-- end -->\n"
		if string(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	if err := writePage(map[string]string{"memory": "much"}, path); err == nil || !strings.Contains(err.Error(), "make speed, memory") {
		t.Errorf("a section without a place: %v", err)
	}
}
