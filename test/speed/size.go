package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// sizes are those of the files in the contest "size", in megabytes.
var sizes = []int64{1, 2, 4, 8}

// heavy is the size, in megabytes, up to which files have to fit into the memory that the rule allows: no cluster has
// larger ones.
const heavy = 4

// A task is a command on one large file.
type task struct {
	command string // as Markdown
	on      string
	// write writes what the command needs into a new folder, for a file of that many bytes, and returns its arguments.
	write func(dir string, size int) ([]string, error)
}

var tasks = []task{
	{"`crdlift lint`", "one CRD", func(dir string, size int) ([]string, error) {
		crd, err := put(dir, "crd.yaml", specimen.Sized("v1", 0, size).YAML())
		return []string{"lint", "--no-config", crd}, err
	}},
	{"`crdlift convert --check`", "one CRD of v1beta1", func(dir string, size int) ([]string, error) {
		crd, err := put(dir, "crd.yaml", specimen.Sized("v1beta1", 0, size).YAML())
		return []string{"convert", "--check", crd}, err
	}},
	{"`crdlift validate`", "a small object of a large CRD", func(dir string, size int) ([]string, error) {
		c := specimen.Sized("v1", 0, size)
		crd, err := put(dir, "crd.yaml", c.YAML())
		if err != nil {
			return nil, err
		}
		c.Parts = 4
		object, err := put(dir, "object.yaml", c.Resource(0))
		return []string{"validate", "--no-config", "--crds", crd, object}, err
	}},
	{"`crdlift validate`", "a large object", func(dir string, size int) ([]string, error) {
		c := specimen.CRD{Version: "v1", Parts: 10}
		crd, err := put(dir, "crd.yaml", c.YAML())
		if err != nil {
			return nil, err
		}
		object, err := put(dir, "object.yaml", c.Resource(size))
		return []string{"validate", "--no-config", "--crds", crd, object}, err
	}},
}

func put(dir, name, text string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(dir, name)
	return path, os.WriteFile(path, []byte(text), 0o644)
}

// size measures how the cost grows with the size of a single file.
func (b *bench) size() (string, error) {
	t := table{{"command", "on", "size", "wall time", "CPU time", "peak memory", "the rule allows"}}
	for i, l := range tasks {
		var contestants []contestant
		for _, mb := range sizes {
			args, err := l.write(filepath.Join(b.dir, fmt.Sprintf("size-%d-%d", i, mb)), int(mb*megabyte))
			if err != nil {
				return "", err
			}
			contestants = append(contestants, contestant{name: l.command, args: append([]string{b.crdlift}, args...), done: []int{1}})
		}
		results, err := b.race(b.rounds, contestants...)
		if err != nil {
			return "", err
		}
		growth := series{name: l.command}
		for n, r := range results {
			size := sizes[n] * megabyte
			memory, allowed := r.memory().most, 60*megabyte+12*size
			growth.points = append(growth.points, point{float64(size), r.cpu().median.Seconds()})
			t = append(t, []string{l.command, l.on, megabytes(size), r.wall().show(short), r.cpu().show(short), megabytes(memory), megabytes(allowed)})
			if sizes[n] == sizes[0] || sizes[n] == heavy {
				b.targets = append(b.targets, below(fmt.Sprintf("peak memory of %s, %s, %s", l.command, l.on, megabytes(size)), memory, allowed, megabytes))
			}
		}
		exponent := growth.between(0, len(sizes)-1)
		b.linear(fmt.Sprintf("%s, %s, from %s to %s, as a power of its size", l.command, l.on, megabytes(sizes[0]*megabyte), megabytes(sizes[len(sizes)-1]*megabyte)), exponent)
	}
	return fmt.Sprintf("One file at a time; medians of %s (least – most), and the most for memory.\n\n", times(b.rounds)) + t.String(), nil
}

// linear promises that CPU time grows as what it depends on does, by the exponent of their relation: 1 is linear, 2 is
// quadratic.
func (b *bench) linear(what string, exponent float64) {
	b.promise("growth of the CPU time of "+what, "at most 1.05", fmt.Sprintf("%.2f", exponent), exponent <= 1.05)
}

// between is the exponent between two points.
func (s series) between(i, j int) float64 {
	if i < 0 || j <= i || j >= len(s.points) {
		return math.NaN()
	}
	a, b := s.points[i], s.points[j]
	return math.Log(b.y/a.y) / math.Log(b.x/a.x)
}
