package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// A course is a row of the page: a command of crdlift whose cost is measured beside that of simpler work on the same files.
type course struct {
	on            string // what the programs look at
	command, args string // as the page has it, and what follows
	paths         string // what all programs read, in the folder of this run
	bases         string // commands of the reference, and a flag of kubeconform for its turn
	times         int    // how many processes are measured together, where one is too short
	goal
}

// A goal is what a command may take; 0 where nothing is promised.
type goal struct {
	wall        time.Duration
	memory      int64   // in megabytes
	kubeconform float64 // how many times the CPU time of kubeconform
}

// megabyte is the decimal one, in which the goals are given.
const megabyte = 1_000_000

// The bases that the rows of custom resources, of CRDs, and of CRDs that kubeconform does not know all of have.
const (
	ofResources = "parse -strict"
	ofCRDFiles  = "parse judge -ignore-missing-schemas"
)

// kept are the courses whose ratios have to stay. All of their files are generated, so that a fresh clone has them.
var kept = []course{
	{on: "CRDs", command: "lint", args: "--config off", paths: "v1", bases: ofCRDFiles},
	{on: "CRDs of v1beta1", command: "convert --check", paths: "v1beta1", bases: "parse judge"},
	{on: "CRDs of v1beta1", command: "convert --output-dir out", paths: "v1beta1", bases: "parse judge"},
	{on: "custom resources", command: "validate", args: "--config off --crds crds", paths: "objects", bases: ofResources},
	{on: "CRDs and older ones", command: "breaking", args: "--config off --against", paths: "older newer", bases: "parse judge"},
	{on: "CRDs and older ones", command: "plan", paths: "older newer", bases: "parse judge"},
	// So many that it counts little (a tenth) if a program of changed files has to be read for the key of its cache.
	{on: "CRDs seen before", command: "lint --cache cache", args: "--config off", paths: "seen", bases: "parse"},
	{on: "one large CRD", command: "lint", args: "--config off", paths: "large", bases: "parse judge"},
	{on: "one small CRD", command: "lint", args: "--config off", paths: "small", bases: "judge", times: 20},
}

// promised are courses that the page has targets for, which take too long for every change.
var promised = []course{
	{on: "nothing", command: "--version", goal: goal{wall: 30 * time.Millisecond}},
	{on: "a CRD of 20 KB", command: "lint", args: "--config off", paths: "small", goal: goal{wall: 60 * time.Millisecond}},
	{on: "10,000 CRDs", command: "lint", args: "--config off", paths: "many", bases: "parse", goal: goal{wall: 3500 * time.Millisecond}},
	{on: "10,000 CRDs seen before", command: "lint --cache cache", args: "--config off", paths: "many", bases: "parse", goal: goal{wall: 500 * time.Millisecond}},
	{on: "10,000 custom resources", command: "validate", args: "--config off --crds kinds", paths: "resources", bases: ofResources,
		goal: goal{memory: 150, kubeconform: 1.5}},
	{on: "a dump of 1 GB", command: "validate", args: "--config off --crds kinds", paths: "dump.yaml", goal: goal{memory: 300}},
	{on: "a dump of 1 GB", command: "audit", args: "--config off", paths: "dump.yaml", goal: goal{memory: 300}},
}

// ofCorpus are those of real manifests, where there are some.
var ofCorpus = []course{
	{on: "real CRDs", command: "lint", args: "--config off", paths: "real/v1", bases: ofCRDFiles, goal: goal{memory: 150, kubeconform: 0.9}},
	{on: "real CRDs of v1beta1", command: "lint", args: "--config off", paths: "real/v1beta1", bases: ofCRDFiles, goal: goal{kubeconform: 0.9}},
	{on: "real CRDs of v1beta1", command: "convert --diff", paths: "real/v1beta1", bases: ofCRDFiles, goal: goal{memory: 150}},
}

// name is the command as the page has it.
func (c course) name() string { return "`crdlift " + c.command + "`" }

// contestants are the command of a course, and then its bases. All use as many cores as the smallest runners have.
func (b *bench) contestants(c course) (all []contestant) {
	add := func(name, program string, args ...string) {
		args = strings.Fields(strings.Join(append(args, c.paths), " "))
		all = append(all, contestant{name: name, args: append([]string{program}, args...), times: c.times, env: []string{"GOMAXPROCS=2"}})
	}
	add(c.name(), b.crdlift, c.command, c.args)
	for base := range strings.FieldsSeq(c.bases) {
		if name := ratioBases[base]; name != "" {
			add(name, b.reference, base)
		} else if program, err := b.lookPath(kubeconform); err == nil {
			add(kubeconform, program, "-summary", base, "-schema-location", "schemas/{{.Group}}-{{.ResourceKind}}-{{.ResourceAPIVersion}}.json")
		}
	}
	return all
}

// A batch is files that are made, with %d for their numbers in their name.
type batch struct {
	name  string
	count int
	text  func(i int) string
}

// batches are the files of the courses that have to stay. Parsing, judging and linting those in v1 cost about as much beside
// each other as those of real ones do: some are of kinds that have many rules, and more have large schemas and few rules.
var batches = []batch{
	{"v1/%d.yaml", 30, definition},
	{"v1/large-%d.yaml", 60, func(i int) string {
		c := specimen.Sized("v1", i, 60_000)
		c.Rules = max(0, i%4-1)
		return c.YAML()
	}},
	{"v1beta1/%d.yaml", 100, func(i int) string { return specimen.CRD{Version: "v1beta1", Number: i, Parts: 16}.YAML() }},
	{"seen/%d.yaml", 10_000, func(i int) string { return specimen.CRD{Version: "v1", Number: i, Parts: 1}.YAML() }},
	{"crds/%d.yaml", 20, definition},
	{"objects/%d.yaml", 2000, func(i int) string { return objectOf(i%20, i, 101) }},
	// The newer ones have another part, and a rule where the older ones had none.
	{"older/%d.yaml", 100, func(i int) string { return specimen.CRD{Version: "v1", Number: i, Parts: 3 + i%16, Rules: 1}.YAML() }},
	{"newer/%d.yaml", 100, func(i int) string { return specimen.CRD{Version: "v1", Number: i, Parts: 4 + i%16, Rules: 2}.YAML() }},
	{"large/%d.yaml", 1, func(int) string { return specimen.Sized("v1", 0, 2*megabyte).YAML() }},
	{"small/%d.yaml", 1, func(int) string { return specimen.Sized("v1", 0, 20_000).YAML() }},
}

// more are the files of the other courses, but for the dump. Were the number of kinds a divisor of wrong, all mistakes would
// be in objects of one kind.
var more = []batch{
	{"many/%d.yaml", 10_000, func(i int) string { return specimen.CRD{Version: "v1", Number: i, Parts: 4}.YAML() }},
	{"kinds/%d.yaml", 50, definition},
	{"resources/%d.yaml", 10_000, func(i int) string { return objectOf(i%50, i, 503) }},
}

func definition(kind int) string { return specimen.Kind{Number: kind}.CRD() }

// objectOf is an object of a kind. One in so many is wrong.
func objectOf(kind, i, wrong int) string {
	o := specimen.Object{Kind: specimen.Kind{Number: kind}, Number: i}
	if i%wrong == wrong-1 {
		o.Mistake = specimen.Mistakes[i/wrong%len(specimen.Mistakes)]
	}
	return o.YAML()
}

// write writes files, and what kubeconform goes by: the schemas in CRDs, and that of CustomResourceDefinition, made of
// upstream's OpenAPI; what kubeconform would download lacks it, for it refers to itself.
func (b *bench) write(batches []batch, crds string) (err error) {
	for _, files := range batches {
		for i := range files.count {
			err = errors.Join(err, put(filepath.Join(b.dir, numbered(files.name, i)), files.text(i)))
		}
	}
	if _, missing := b.lookPath(kubeconform); err != nil || missing != nil {
		return err
	}
	out, err := exec.CommandContext(b.ctx, b.reference, "schemas", filepath.Join(b.dir, "schemas"), filepath.Join(b.dir, crds)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("reference schemas: %w\n%s", err, out)
	}
	return nil
}

// writeDump writes a list as kubectl prints it, of about that many bytes: CRDs, and objects, those of a kind together.
func writeDump(path string, size int) error {
	const kinds = 50
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out, written := bufio.NewWriter(f), 0
	fmt.Fprint(out, "apiVersion: v1\nitems:\n")
	for kind := range kinds {
		n, _ := fmt.Fprint(out, "- ", item(definition(kind)))
		written += n
	}
	for i := 0; written < size; i++ {
		n, _ := fmt.Fprint(out, "- ", item(objectOf(min(kinds-1, written*kinds/size), i, 503)))
		written += n
	}
	fmt.Fprint(out, "kind: List\n")
	return errors.Join(out.Flush(), f.Close()) // Flush has the first error
}

// put writes a file, and the folder for it.
func put(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
