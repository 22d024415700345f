package main

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
		power(-2):              "0.01",
		power(0):               "1",
		power(4):               "10,000",
		spread[int64]{2e6, 1e6, 3e6}.show(megabytes): "2.0 MB (1.0 MB – 3.0 MB)",
		spread[int64]{2e6, 2e6, 2e6}.show(megabytes): "2.0 MB",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// one is a result whose CPU time is twice its wall time.
func one(name, peer string, wall time.Duration, memory int64) result {
	return result{contestant{name: name, peer: peer, does: "runs"}, []sample{{wall, 2 * wall, memory}}}
}

func TestTargets(t *testing.T) {
	t.Parallel()
	results := []result{one("`ours`", "", 119*time.Millisecond, 149*megabyte), one("floor", "", 100*time.Millisecond, 150*megabyte), one("theirs v1.2", "theirs", 476*time.Millisecond, 0)}
	b := &bench{}
	for _, goal := range []goal{
		atMost(cpuTime, "`ours`", "floor", 1.2), atMost(wallTime, "`ours`", "floor", 1.19), atMost(cpuTime, "`ours`", "missing", 9),
		atLeast(wallTime, "theirs", "`ours`", 4), atLeast(wallTime, "theirs", "floor", 5),
		within(wallTime, "`ours`", 120*time.Millisecond), within(wallTime, "`ours`", 119*time.Millisecond), within(wallTime, "missing", 9),
		light("`ours`", 150*megabyte), light("floor", 150*megabyte), light("theirs", 150*megabyte),
	} {
		if target, ok := goal(results); ok {
			b.targets = append(b.targets, target)
		}
	}
	const want = `| target | wanted | measured | met |
|---|---|---:|---|
| CPU of ` + "`ours`" + ` to that of the floor | under 1.2× | 1.19× | yes |
| wall time of ` + "`ours`" + ` to that of the floor | under 1.19× | 1.19× | **no** |
| wall time of theirs to that of ` + "`ours`" + ` | at least 4× | 4.00× | yes |
| wall time of theirs to that of the floor | at least 5× | 4.76× | **no** |
| wall time of ` + "`ours`" + ` | below 120 ms | 119 ms | yes |
| wall time of ` + "`ours`" + ` | below 119 ms | 119 ms | **no** |
| peak memory of ` + "`ours`" + ` | below 150 MB | 149 MB | yes |
| peak memory of the floor | below 150 MB | 150 MB | **no** |
| peak memory of theirs | below 150 MB | – | **no** |
`
	if got := targetTable(b.targets); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestComparison(t *testing.T) {
	t.Parallel()
	const want = `| program | wall time | CPU time | peak memory | CPU to the parse | CPU to the reference | what it does |
|---|---:|---:|---:|---:|---:|---|
| bare parse | 1.00 s | 2.00 s | 5.0 MB | 1.00× | 0.50× | runs |
| reference | 2.00 s | 4.00 s | 5.0 MB | 2.00× | 1.00× | runs |
`
	if got := comparison([]result{one("bare parse", "", time.Second, 5*megabyte), one("reference", "", 2*time.Second, 5*megabyte)}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestGrowth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		points []point
		want   float64
	}{
		{[]point{{1, 5}, {10, 2}, {100, 20}}, 1},
		{[]point{{10, 2}, {100, 200}}, 2},
		{[]point{{10, 2}}, math.NaN()},
	} {
		got := series{points: tt.points}.between(len(tt.points)-2, len(tt.points)-1)
		if math.Abs(got-tt.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(tt.want) {
			t.Errorf("%v: got %v, want %v", tt.points, got, tt.want)
		}
	}
}

func TestPlot(t *testing.T) {
	t.Parallel()
	for _, all := range [][]series{
		{{name: "one", points: []point{{1, 1}}}},
		{{name: "a <b> & c", points: []point{{1, 0.02}, {10, 0.03}, {10_000, 30}}}, {name: "d", points: []point{{1, 0.03}, {10_000, 99}}}},
	} {
		svg := plot("a title", "files", "seconds", all)
		for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v\n%s", err, svg)
			}
		}
		if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
			t.Errorf("not a number in\n%s", svg)
		}
		for _, m := range regexp.MustCompile(`[ML]([0-9.-]+) ([0-9.-]+)`).FindAllSubmatch(svg, -1) {
			x, _ := strconv.ParseFloat(string(m[1]), 64)
			y, _ := strconv.ParseFloat(string(m[2]), 64)
			if x < left || x > plotWidth-right || y < top || y > plotHeight-bottom {
				t.Errorf("%s is outside of the axes", m[0])
			}
		}
	}
}

// A pageOf has a place for each name.
func pageOf(text func(name string) string, names ...string) string {
	page := "# Speed\n"
	for _, name := range names {
		page += "\n<!-- measured: make speed, " + name + " -->\n" + text(name) + "<!-- end -->\n\nWhy.\n"
	}
	return page
}

func TestWritePage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "performance.md")
	places := slices.Concat([]string{"machine", "targets"}, names())
	write := func(b bench) string {
		if err := b.write(dir); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	if err := os.WriteFile(path, []byte(pageOf(func(string) string { return "old\n" }, places...)), 0o644); err != nil {
		t.Fatal(err)
	}

	all := bench{machine: "an abacus", plot: []byte("<svg/>"), measured: map[string]string{},
		targets: []target{{"a", "1", "1", true}, {"ab", "2", "9", false}, {"b", "3", "3", true}}}
	for _, name := range names() {
		all.measured[name] = "new " + name + "\n"
	}
	const head = "| target | wanted | measured | met |\n|---|---:|---:|---|\n| a | 1 | 1 | yes |\n"
	sections := map[string]string{"machine": "an abacus.\n", "targets": head + "| ab | 2 | 9 | **no** |\n| b | 3 | 3 | yes |\n"}
	section := func(name string) string { return "\n" + cmp.Or(sections[name], all.measured[name]) + "\n" }
	for range 2 { // the second time changes nothing
		if got, want := write(all), pageOf(section, places...); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}

	all.began = time.Now().Add(-83 * time.Minute)
	sections["machine"] = "an abacus. The run took 83 minutes.\n"
	if got, want := write(all), pageOf(section, places...); got != want {
		t.Errorf("with its time, got\n%s\nwant\n%s", got, want)
	}

	one := bench{machine: "a slide rule", measured: map[string]string{"start": "fast\n"}, targets: []target{{"ab", "2", "2", true}, {"c", "4", "4", true}}}
	sections["targets"] = head + "| ab | 2 | 2 | yes |\n| b | 3 | 3 | yes |\n| c | 4 | 4 | yes |\n"
	sections["start"] = "Measured by itself, on a slide rule.\n\nfast\n"
	for range 2 {
		if got, want := write(one), pageOf(section, places...); got != want {
			t.Errorf("of one contest, got\n%s\nwant\n%s", got, want)
		}
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "files.svg")); err != nil || string(svg) != "<svg/>" {
		t.Errorf("the plot is %q, %v", svg, err)
	}

	if err := os.WriteFile(path, []byte(pageOf(section, "targets", "lint")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := one.write(dir); err == nil || !strings.Contains(err.Error(), "make speed, start") {
		t.Errorf("a section without a place: %v", err)
	}
}
