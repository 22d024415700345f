package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// counts are the numbers of files in the contest "files".
var counts = []int{1, 10, 100, 1_000, 10_000}

// files measures how the cost grows with the number of files.
func (b *bench) files() (string, error) {
	const parts = 4
	lines := []series{{name: "crdlift lint"}, {name: "crdlift convert --check"}}
	t := table{{"files", "size", "lint: wall time", "CPU time", "CPU per file", "peak memory",
		"convert: wall time", "CPU time", "CPU per file", "peak memory"}}
	for _, count := range counts {
		v1, v1beta1 := filepath.Join(b.dir, "v1-"+strconv.Itoa(count)), filepath.Join(b.dir, "v1beta1-"+strconv.Itoa(count))
		size, err := writeFiles(v1, count, specimen.CRD{Version: "v1", Parts: parts})
		if err != nil {
			return "", err
		}
		if _, err := writeFiles(v1beta1, count, specimen.CRD{Version: "v1beta1", Parts: parts}); err != nil {
			return "", err
		}
		results, err := b.race(b.rounds,
			contestant{name: lines[0].name, args: []string{b.crdlift, "lint", "--no-config", v1}},
			contestant{name: lines[1].name, args: []string{b.crdlift, "convert", "--check", v1beta1}, done: []int{1}})
		if err != nil {
			return "", err
		}
		row := []string{thousands(count), megabytes(size)}
		for i, r := range results {
			cpu := r.cpu().median
			lines[i].points = append(lines[i].points, point{float64(count), cpu.Seconds()})
			row = append(row, short(r.wall().median), short(cpu), short(cpu/time.Duration(count)), megabytes(r.memory().most))
		}
		t = append(t, row)
	}
	for _, s := range lines {
		exponent := s.growth()
		b.promise(fmt.Sprintf("growth of the CPU time of `%s` from %s to %s files, as a power of their number",
			s.name, thousands(counts[len(counts)-2]), thousands(counts[len(counts)-1])),
			"at most 1.05", fmt.Sprintf("%.2f", exponent), exponent <= 1.05)
	}
	b.plot = plot("CPU time by number of files", "files of one CRD each", "seconds of CPU", lines)
	return fmt.Sprintf("Medians of %s.\n\n", times(b.rounds)) + t.String(), nil
}

// growth is the exponent between the last two points: 1 is linear, 2 is quadratic. The first points say nothing of it:
// there, the start of the process is what costs.
func (s series) growth() float64 {
	n := len(s.points)
	if n < 2 {
		return math.NaN()
	}
	a, b := s.points[n-2], s.points[n-1]
	return math.Log(b.y/a.y) / math.Log(b.x/a.x)
}

// A shape is what large files are made of.
type shape struct {
	what string
	size int64 // of each file, about
	one  bool  // one CRD, not many of 20 KB
}

var shapes = []shape{
	{"one CRD", megabyte, true},
	{"one CRD", 4 * megabyte, true},
	{"CRDs of 20 KB", megabyte, false},
	{"CRDs of 20 KB", 4 * megabyte, false},
	{"CRDs of 20 KB", 8 * megabyte, false},
}

// memory measures how much memory large files take: as many at a time as there are workers. It differs little from run to
// run, so that two rounds do.
func (b *bench) memory() (string, error) {
	rounds := min(2, b.rounds)
	t := table{{"files", "each", "`crdlift lint`", "`crdlift convert --check`", "the rule allows"}}
	worst := int64(math.MinInt64) // bytes above what the rule allows
	for i, s := range shapes {
		dirs := map[string]string{}
		for _, version := range []string{"v1", "v1beta1"} {
			dirs[version] = filepath.Join(b.dir, fmt.Sprintf("large-%s-%d", version, i))
			if err := s.write(dirs[version], version); err != nil {
				return "", err
			}
		}
		results, err := b.race(rounds,
			contestant{name: "crdlift lint", args: []string{b.crdlift, "lint", "--no-config", dirs["v1"]}, done: []int{1}},
			contestant{name: "crdlift convert --check", args: []string{b.crdlift, "convert", "--check", dirs["v1beta1"]}, done: []int{1}})
		if err != nil {
			return "", err
		}
		allowed := 60*megabyte + 12*s.size*int64(workers)
		lint, convert := results[0].memory().most, results[1].memory().most
		worst = max(worst, lint-allowed, convert-allowed)
		t = append(t, []string{fmt.Sprintf("%d, of %s", workers, s.what), megabytes(s.size), megabytes(lint), megabytes(convert), megabytes(allowed)})
	}
	got := fmt.Sprintf("%s below", megabytes(-worst))
	if worst > 0 {
		got = fmt.Sprintf("%s above", megabytes(worst))
	}
	b.promise("peak memory with large files", "60 MB, and 12 times the largest file for each worker", got+" at worst", worst <= 0)
	return fmt.Sprintf("The most of %s.\n\n", times(rounds)) + t.String(), nil
}

// write fills a folder with a file for each worker.
func (s shape) write(dir, version string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i := range workers {
		path := filepath.Join(dir, fmt.Sprintf("%d.yaml", i))
		var err error
		if s.one {
			err = os.WriteFile(path, []byte(specimen.Sized(version, i, int(s.size)).YAML()), 0o644)
		} else {
			err = writeDocuments(path, version, s.size)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
