package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// A contest is a section of the page. Its function measures, adds targets, and returns what the section says.
type contest struct {
	name string
	run  func(*bench) (string, error)
}

// contests are all there are, in the order in which they run. Those that write large files come last: run says why.
var contests = []contest{
	{"lint", (*bench).lint},
	{"convert", (*bench).convert},
	{"large", (*bench).large},
	{"objects", (*bench).objects},
	{"breaking", (*bench).breaking},
	{"webhook", (*bench).webhook},
	{"start", (*bench).start},
	{"files", (*bench).files},
	{"lsp", (*bench).lsp},
	{"size", (*bench).size},
	{"memory", (*bench).memory},
	{"ratios", (*bench).ratios},
	{"growth", (*bench).growth},
	{"dump", (*bench).dump},
}

// names are those of all contests.
func names() (all []string) {
	for _, c := range contests {
		all = append(all, c.name)
	}
	return all
}

// A heat is programs that take turns at one subject.
type heat struct {
	on      string // ends the names of its targets, after a space
	caption string
	subject subject
	rows    []contestant // ours
	peers   []peer
	rounds  int // 0 for those of the bench
	show    func([]result) string
	goals   []goal
}

// hold runs a heat, adds its targets, and returns its table.
func (b *bench) hold(h heat) (string, error) {
	peers, missing, err := b.find(h.peers, h.subject)
	if err != nil {
		return "", err
	}
	if h.rounds == 0 {
		h.rounds = b.rounds
	}
	results, err := b.race(h.rounds, slices.Concat(h.rows, peers)...)
	if err != nil {
		return "", err
	}
	for _, goal := range h.goals {
		if t, ok := goal(results); ok {
			t.what += h.on
			b.targets = append(b.targets, t)
		}
	}
	return fmt.Sprintf("%s; medians of %s (least – most).\n\n", h.caption, times(h.rounds)) + h.show(results) + absent(missing, peers, results), nil
}

const noCorpus = "Not measured: there is no corpus of manifests.\n"

// lint has linters look at a folder of v1 manifests.
func (b *bench) lint() (string, error) {
	if b.v1 == "" {
		return noCorpus, nil
	}
	f, err := survey(b.v1)
	if err != nil {
		return "", err
	}
	return b.hold(heat{
		on: ", v1 manifests", caption: f.caption(), subject: subject{path: f.path}, peers: linters, show: comparison,
		rows: slices.Concat(b.parse(f.path), b.judge(f.path), []contestant{
			b.linting("judges as the API server does, and runs the recommended rules", f.path),
			{name: "`crdlift convert --to v1beta1 --on-loss drop --check`", does: "converts, and proves each conversion",
				args: []string{b.crdlift, "convert", "--to", "v1beta1", "--on-loss", "drop", "--check", f.path}, done: []int{1}}}),
		goals: slices.Concat(belowKubeconform, []goal{
			atMost(cpuTime, "`crdlift lint`", "reference", 1.2),
			atMost(cpuTime, "`crdlift lint`", "bare parse", 3),
			atMost(cpuTime, "`crdlift lint`", "bare parse, tuned", 3),
			atLeast(wallTime, "kubectl-validate", "`crdlift lint`", 4),
			light("`crdlift lint`", 150*megabyte)}),
	})
}

// belowKubeconform are the goals that whoever takes crdlift for kubeconform does not wait longer.
var belowKubeconform = []goal{
	atMost(cpuTime, "`crdlift lint`", "kubeconform", 0.9),
	atMost(wallTime, "`crdlift lint`", "kubeconform", 0.9),
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
	return b.hold(heat{
		on: ", v1beta1 manifests", caption: f.caption(), subject: subject{path: f.path}, peers: linters, show: comparison,
		rows: slices.Concat(b.parse(f.path), b.judge(f.path), b.converting(f.path), []contestant{
			b.linting("judges as Kubernetes 1.21 did, and runs the recommended rules", f.path)}),
		goals: slices.Concat([]goal{
			atMost(cpuTime, "`crdlift convert --check`", "reference", 1.3),
			atMost(cpuTime, "`crdlift convert --diff`", "reference", 2),
			atMost(cpuTime, "`crdlift convert --output-dir out`", "reference", 1.6),
			light("`crdlift convert --diff`", 150*megabyte)}, belowKubeconform),
	})
}

func (b *bench) linting(does, path string) contestant {
	return contestant{name: "`crdlift lint`", does: does, args: []string{b.crdlift, "lint", "--no-config", path}, done: []int{1}}
}

// converting is the three ways to convert a folder that say what changes, from the cheapest.
func (b *bench) converting(path string) []contestant {
	return []contestant{
		{name: "`crdlift convert --check`", does: "converts, proves each conversion, and names the files",
			args: []string{b.crdlift, "convert", "--check", path}, done: []int{1}},
		{name: "`crdlift convert --diff`", does: "the same, and prints the differences",
			args: []string{b.crdlift, "convert", "--diff", path}, done: []int{1}},
		{name: "`crdlift convert --output-dir out`", does: "the same, and writes every file, with fsync",
			args: []string{b.crdlift, "convert", "--output-dir", filepath.Join(b.dir, "converted"), path}, done: []int{1}},
	}
}

// tuned is how internal/collector tunes the garbage collector of crdlift, as long as the heap is small.
var tuned = []string{"GOGC=400", "GOMEMLIMIT=100MiB"}

// parse is the floor: with Go's own settings of the garbage collector, and with crdlift's.
func (b *bench) parse(paths ...string) []contestant {
	args := slices.Concat([]string{b.reference, "parse"}, paths)
	return []contestant{
		{name: "bare parse", does: "kyaml's parse of every file, and nothing else", args: args},
		{name: "bare parse, tuned", does: "the same with the garbage collector of crdlift", args: args, env: tuned},
	}
}

// judge is the reference, with both settings, too.
func (b *bench) judge(paths ...string) []contestant {
	args := slices.Concat([]string{b.reference, "judge"}, paths)
	return []contestant{
		{name: "reference", does: "the bare parse, and upstream's own decoding, defaulting, conversion and validation", args: args},
		{name: "reference, tuned", does: "the same with the garbage collector of crdlift", args: args, env: tuned},
	}
}

// start measures what a pre-commit hook feels: a process that has little to do.
func (b *bench) start() (string, error) {
	one := specimen.Sized("v1", 0, 20_000)
	crd, older := filepath.Join(b.dir, "one.yaml"), filepath.Join(b.dir, "older.yaml")
	if err := os.WriteFile(crd, []byte(one.YAML()), 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(older, []byte(before(one).YAML()), 0o644); err != nil {
		return "", err
	}
	return b.hold(heat{
		caption: fmt.Sprintf("One CRD of %s bytes", thousands(len(one.YAML()))), rounds: 4 * b.rounds, show: plain,
		subject: subject{path: crd, ages: [][]string{{older, crd}}}, peers: append(slices.Clip(linters), crdify),
		rows: []contestant{
			{name: "`crdlift --version`", does: "starts", args: []string{b.crdlift, "--version"}},
			{name: "`crdlift lint` on one CRD of 20 KB", does: "judges the CRD and runs the recommended rules", args: []string{b.crdlift, "lint", "--no-config", crd}},
			{name: "`crdlift lint --against older.yaml`", does: "the same, and compares it with an older one", args: []string{b.crdlift, "lint", "--no-config", "--against", older, crd}, done: []int{1}},
			b.judge(crd)[0],
		},
		goals: []goal{
			within(wallTime, "`crdlift --version`", 30*time.Millisecond),
			within(wallTime, "`crdlift lint` on one CRD of 20 KB", 60*time.Millisecond),
		},
	})
}

func (f folder) caption() string {
	return fmt.Sprintf("%s files, %s", thousands(f.files), megabytes(f.size))
}
