package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// contest runs one of the contests and keeps its table and its targets.
func (b *bench) contest(name string) error {
	run := map[string]func() (string, error){
		"lint": b.lint, "convert": b.convert, "objects": b.objects, "start": b.start, "files": b.files, "memory": b.memory, "dump": b.dump,
	}[name]
	text, err := run()
	b.measured[name] = text
	return err
}

const noCorpus = "Not measured: there is no corpus of manifests.\n"

// beside has crdlift's commands take turns with the bare parse, the reference and the peers, all on one folder. The results
// are in this order: the two parses, the two references, the commands, the peers.
func (b *bench) beside(path string, commands ...contestant) ([]result, error) {
	peers, err := b.peers(path)
	if err != nil {
		return nil, err
	}
	return b.race(b.rounds, slices.Concat(b.parse(path), b.judge(path), commands, peers)...)
}

// lint has linters look at a folder of v1 manifests.
func (b *bench) lint() (string, error) {
	if b.v1 == "" {
		return noCorpus, nil
	}
	f, err := survey(b.v1)
	if err != nil {
		return "", err
	}
	results, err := b.beside(f.path,
		contestant{name: "`crdlift lint`", does: "judges as the API server does, and runs the recommended rules",
			args: []string{b.crdlift, "lint", "--no-config", f.path}, done: []int{1}},
		contestant{name: "`crdlift convert --to v1beta1 --on-loss drop --check`", does: "converts, and proves each conversion",
			args: []string{b.crdlift, "convert", "--to", "v1beta1", "--on-loss", "drop", "--check", f.path}, done: []int{1}})
	if err != nil {
		return "", err
	}
	floor, tuned, judge, lint := results[0], results[1], results[2], results[4]
	b.atMost("CPU of `crdlift lint` to that of the reference", lint.cpu().median, judge.cpu().median, 1.2)
	b.atMost("CPU of `crdlift lint` to that of the bare parse", lint.cpu().median, floor.cpu().median, 3)
	b.atMost("the same, when the bare parse has the collector tuned, too", lint.cpu().median, tuned.cpu().median, 3)
	for _, r := range results {
		if r.peer == "kubectl-validate" {
			b.atLeast("wall time of kubectl-validate to that of `crdlift lint`", r.wall().median, lint.wall().median, 4)
		}
	}
	below(b, "peak memory of `crdlift lint` on the corpus", lint.memory().most, 150*megabyte, megabytes)
	return f.caption(b.rounds) + comparison(results, floor, judge), nil
}

// convert has converters, and those who look, work on a folder of v1beta1 manifests.
func (b *bench) convert() (string, error) {
	if b.v1beta1 == "" {
		return noCorpus, nil
	}
	f, err := survey(b.v1beta1)
	if err != nil {
		return "", err
	}
	results, err := b.beside(f.path,
		contestant{name: "`crdlift convert --check`", does: "converts, proves each conversion, and names the files",
			args: []string{b.crdlift, "convert", "--check", f.path}, done: []int{1}},
		contestant{name: "`crdlift convert --diff`", does: "the same, and prints the differences",
			args: []string{b.crdlift, "convert", "--diff", f.path}, done: []int{1}},
		contestant{name: "`crdlift convert --output-dir out`", does: "the same, and writes every file, with fsync",
			args: []string{b.crdlift, "convert", "--output-dir", filepath.Join(b.dir, "converted"), f.path}, done: []int{1}},
		contestant{name: "`crdlift lint`", does: "judges as Kubernetes 1.21 did, and runs the recommended rules",
			args: []string{b.crdlift, "lint", "--no-config", f.path}, done: []int{1}})
	if err != nil {
		return "", err
	}
	floor, judge := results[0], results[2]
	for _, r := range results[4:7] {
		b.atMost("CPU of "+r.name+" to that of the reference", r.cpu().median, judge.cpu().median, 2)
	}
	below(b, "peak memory of "+results[5].name+" on the corpus", results[5].memory().most, 150*megabyte, megabytes)
	return f.caption(b.rounds) + comparison(results, floor, judge), nil
}

// tuned is how collector.go tunes the garbage collector of crdlift, as long as the heap is small.
var tuned = []string{"GOGC=400", "GOMEMLIMIT=100MiB"}

// parse is the floor: with Go's own settings of the garbage collector, and with crdlift's.
func (b *bench) parse(path string) []contestant {
	args := []string{b.reference, "parse", path}
	return []contestant{
		{name: "bare parse", does: "kyaml's parse of every file, and nothing else", args: args},
		{name: "bare parse, tuned", does: "the same with the garbage collector of crdlift", args: args, env: tuned},
	}
}

// judge is the reference, with both settings, too.
func (b *bench) judge(path string) []contestant {
	args := []string{b.reference, "judge", path}
	return []contestant{
		{name: "reference", does: "the bare parse, and upstream's own decoding, defaulting, conversion and validation", args: args},
		{name: "reference, tuned", does: "the same with the garbage collector of crdlift", args: args, env: tuned},
	}
}

// start measures what a pre-commit hook feels: a process that has little to do.
func (b *bench) start() (string, error) {
	dir := filepath.Join(b.dir, "one")
	one := specimen.Sized("v1", 0, 20_000)
	size, err := writeFiles(dir, 1, one)
	if err != nil {
		return "", err
	}
	old, err := writeOlder(dir, one)
	if err != nil {
		return "", err
	}
	crd := filepath.Join(dir, "00000.yaml")
	contestants := []contestant{
		{name: "`crdlift version`", does: "starts", args: []string{b.crdlift, "version"}},
		{name: "`crdlift lint`", does: "judges the CRD and runs the recommended rules", args: []string{b.crdlift, "lint", "--no-config", crd}},
		{name: "`crdlift lint --against older.yaml`", does: "the same, and compares it with an older one", args: []string{b.crdlift, "lint", "--no-config", "--against", old, crd}, done: []int{1}},
		{name: "reference", does: "upstream's own decoding, defaulting, conversion and validation", args: []string{b.reference, "judge", crd}},
	}
	peers, err := b.peers(crd)
	if err != nil {
		return "", err
	}
	contestants = append(contestants, peers...)
	if c, found := b.find("crdify"); found {
		c.does = "compares the CRD with an older one"
		c.args, c.done = append(c.args, "file://"+old, "file://"+crd), []int{1}
		contestants = append(contestants, c)
	}
	results, err := b.race(4*b.rounds, contestants...)
	if err != nil {
		return "", err
	}
	below(b, "wall time of `crdlift version`", results[0].wall().median, 30e6, short)
	below(b, "wall time of `crdlift lint` on one CRD of 20 KB", results[1].wall().median, 60e6, short)
	caption := fmt.Sprintf("One CRD of %s bytes; medians of %d runs (least – most).\n\n", thousands(int(size)), 4*b.rounds)
	return caption + plain(results), nil
}

func (f folder) caption(rounds int) string {
	return fmt.Sprintf("%s files, %s; medians of %s (least – most).\n\n", thousands(f.files), megabytes(f.size), times(rounds))
}
