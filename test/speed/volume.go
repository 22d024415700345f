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

// twoCores has programs use as many cores as the smallest runners have.
var twoCores = []string{"GOMAXPROCS=2"}

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
			contestant{name: lines[0].name, args: []string{b.crdlift, "lint", "--no-config", v1}, env: twoCores},
			contestant{name: lines[1].name, args: []string{b.crdlift, "convert", "--check", v1beta1}, env: twoCores, done: []int{1}})
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
		if count == 10_000 {
			b.targets = append(b.targets, below("wall time of `crdlift lint` on 10,000 files, two cores", results[0].wall().median, 3500*time.Millisecond, short))
		}
	}
	if err := b.unchanged(filepath.Join(b.dir, "v1-"+strconv.Itoa(counts[len(counts)-1]))); err != nil {
		return "", err
	}
	for _, s := range lines {
		// The first points say nothing of it: there, the start of the process is what costs.
		last := len(counts) - 1
		b.linear(fmt.Sprintf("`%s` from %s to %s files, as a power of their number", s.name, thousands(counts[last-1]), thousands(counts[last])), s.between(last-1, last))
	}
	b.plot = plot("CPU time by number of files", "files of one CRD each", "seconds of CPU", lines)
	return fmt.Sprintf("Medians of %s.\n\n", times(b.rounds)) + t.String(), nil
}

// unchanged measures another run over the files of a folder, with the results of the run before.
func (b *bench) unchanged(path string) error {
	c := b.recalling(path)
	if _, err := b.race(1, c); err != nil { // which fills it
		return err
	}
	results, err := b.race(b.rounds, c)
	if err != nil {
		return err
	}
	b.targets = append(b.targets, below(fmt.Sprintf("wall time of a second `crdlift lint`, with `--cache`, on %s files", thousands(counts[len(counts)-1])),
		results[0].wall().median, 500*time.Millisecond, short))
	return nil
}

// recalling lints with a cache, which the first run fills.
func (b *bench) recalling(path string) contestant {
	return contestant{name: "`crdlift lint --cache cache`", args: []string{b.crdlift, "lint", "--no-config", "--cache", filepath.Join(b.dir, "cache"), path}}
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
