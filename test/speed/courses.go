package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// A course is work whose cost is measured beside that of simpler work on the same files.
type course struct {
	on          string // what the programs look at
	ours, bases []contestant
}

// A goal is what a command may take; 0 where nothing is promised.
type goal struct {
	wall        time.Duration
	memory      int64
	kubeconform float64 // how many times the CPU time of kubeconform
}

// megabyte is the decimal one, in which the goals are given.
const megabyte = 1_000_000

// twoCores has programs use as many cores as the smallest runners have.
var twoCores = []string{"GOMAXPROCS=2"}

// courses writes the files of those whose ratios have to stay. All are generated, so that a fresh clone has them.
func (b *bench) courses() ([]course, error) {
	at := func(name string) string { return filepath.Join(b.dir, "courses", name) }
	small := at("small/crd.yaml")
	err := errors.Join(
		writeMixed(at("v1")),
		writeCRDs(at("v1beta1"), 100, specimen.CRD{Version: "v1beta1", Parts: 16}),
		// So many that it counts little (a tenth) if a program of changed files has to be read for the key of its cache.
		writeCRDs(at("many"), 10_000, specimen.CRD{Version: "v1", Parts: 1}),
		writeObjects(20, 2000, 101, at("crds"), at("objects")),
		writeAges(at("older"), at("newer")),
		put(at("large/crd.yaml"), specimen.Sized("v1", 0, 2*megabyte).YAML()),
		put(small, specimen.Sized("v1", 0, 20_000).YAML()))
	if err != nil {
		return nil, err
	}
	oneByOne := func(c contestant) contestant { // a single process is too short
		c.args, c.each = c.args[:len(c.args)-1], slices.Repeat([][]string{{small}}, 20)
		return c
	}
	newer := []string{at("older"), at("newer")}
	return []course{
		{"CRDs", []contestant{b.lint(at("v1"), goal{})}, slices.Concat(b.bases("parse judge", at("v1")), b.definition(at("v1")))},
		{"CRDs of v1beta1", []contestant{b.convert("--check", at("v1beta1")), b.convert("--output-dir", filepath.Join(b.dir, "out"), at("v1beta1"))},
			b.bases("parse judge", at("v1beta1"))},
		{"custom resources", []contestant{b.validate(at("crds"), at("objects"), goal{})},
			slices.Concat(b.bases("parse", at("objects")), b.schemas(at("crds"), at("objects")))},
		{"CRDs and older ones", []contestant{b.ours("breaking", goal{}, "breaking", "--config", "off", "--against", at("older"), at("newer")),
			b.ours("plan", goal{}, "plan", at("older"), at("newer"))}, b.bases("parse judge", newer...)},
		{"CRDs seen before", []contestant{b.recall(at("many"), goal{})}, b.bases("parse", at("many"))},
		{"one large CRD", []contestant{b.lint(at("large"), goal{})}, b.bases("parse judge", at("large"))},
		{"one small CRD", []contestant{oneByOne(b.lint(small, goal{}))}, []contestant{oneByOne(b.bases("judge", small)[0])}},
	}, nil
}

// promises writes the files of courses that the page has targets for, which take too long for every change.
func (b *bench) promises() ([]course, error) {
	at := func(name string) string { return filepath.Join(b.dir, "promises", name) }
	err := errors.Join(
		put(at("one.yaml"), specimen.Sized("v1", 0, 20_000).YAML()),
		writeCRDs(at("many"), 10_000, specimen.CRD{Version: "v1", Parts: 4}),
		// Were the number of kinds a divisor of wrong, all mistakes would be in objects of one kind.
		writeObjects(50, 10_000, 503, at("crds"), at("objects")),
		writeDump(at("dump.yaml"), 1000*megabyte))
	if err != nil {
		return nil, err
	}
	const little = 150 * megabyte
	all := []course{
		{"nothing", []contestant{b.ours("--version", goal{wall: 30 * time.Millisecond}, "--version")}, nil},
		{"a CRD of 20 KB", []contestant{b.lint(at("one.yaml"), goal{wall: 60 * time.Millisecond})}, nil},
		{"10,000 CRDs", []contestant{b.lint(at("many"), goal{wall: 3500 * time.Millisecond})}, b.bases("parse", at("many"))},
		{"10,000 CRDs seen before", []contestant{b.recall(at("many"), goal{wall: 500 * time.Millisecond})}, b.bases("parse", at("many"))},
		{"10,000 custom resources", []contestant{b.validate(at("crds"), at("objects"), goal{memory: little, kubeconform: 1.5})},
			slices.Concat(b.bases("parse", at("objects")), b.schemas(at("crds"), at("objects")))},
		{"a dump of 1 GB", []contestant{b.validate(at("crds"), at("dump.yaml"), goal{memory: 300 * megabyte})}, nil},
	}
	real := corpus.Dir()
	if _, err := os.Stat(real); err == nil {
		v1, v1beta1 := filepath.Join(real, "v1"), filepath.Join(real, "v1beta1")
		diff := b.convert("--diff", v1beta1)
		diff.goal.memory = little
		all = append(all,
			course{"real CRDs", []contestant{b.lint(v1, goal{memory: little, kubeconform: 0.9})}, slices.Concat(b.bases("parse judge", v1), b.definition(v1))},
			course{"real CRDs of v1beta1", []contestant{b.lint(v1beta1, goal{kubeconform: 0.9}), diff}, slices.Concat(b.bases("parse judge", v1beta1), b.definition(v1beta1))})
	}
	return all, nil
}

func (b *bench) ours(name string, g goal, args ...string) contestant {
	return contestant{name: "`crdlift " + name + "`", args: append([]string{b.crdlift}, args...), env: twoCores, done: []int{1}, goal: g}
}

func (b *bench) lint(path string, g goal) contestant {
	return b.ours("lint", g, "lint", "--config", "off", path)
}

// recall lints with a cache, which the first run fills.
func (b *bench) recall(path string, g goal) contestant {
	return b.ours("lint --cache cache", g, "lint", "--config", "off", "--cache", path+"-cache", path)
}

func (b *bench) convert(args ...string) contestant {
	name := "convert " + args[0]
	if len(args) > 2 {
		name += " out"
	}
	return b.ours(name, goal{}, append([]string{"convert"}, args...)...)
}

func (b *bench) validate(crds, objects string, g goal) contestant {
	return b.ours("validate", g, "validate", "--config", "off", "--crds", crds, objects)
}

// bases are the programs of this repository that do simpler work, by their commands.
func (b *bench) bases(commands string, paths ...string) (all []contestant) {
	names := map[string]string{"parse": "the bare parse", "judge": "the reference"}
	for command := range strings.FieldsSeq(commands) {
		all = append(all, contestant{name: names[command], env: twoCores, args: slices.Concat([]string{b.reference, command}, paths)})
	}
	return all
}

// definition has kubeconform judge CRDs by the schema of CustomResourceDefinition, made of upstream's OpenAPI: those that it
// would download lack it, for it refers to itself.
func (b *bench) definition(path string) []contestant {
	return b.kubeconform(path, "customresourcedefinition-{{ .ResourceAPIVersion }}.json", func(dir string) error {
		for _, version := range []string{"v1", "v1beta1"} {
			out, err := exec.CommandContext(b.ctx, b.reference, "schema", version).Output()
			if err := errors.Join(err, put(filepath.Join(dir, "customresourcedefinition-"+version+".json"), string(out))); err != nil {
				return err
			}
		}
		return nil
	}, "-ignore-missing-schemas")
}

// schemas has kubeconform judge objects by the schemas in CRDs.
func (b *bench) schemas(crds, objects string) []contestant {
	return b.kubeconform(objects, "{{ .Group }}-{{ .ResourceKind }}-{{ .ResourceAPIVersion }}.json", func(dir string) error {
		files, err := filepath.Glob(filepath.Join(crds, "*.yaml"))
		if err != nil {
			return err
		}
		out, err := exec.CommandContext(b.ctx, b.reference, slices.Concat([]string{"schemas", dir}, files)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("reference schemas: %w\n%s", err, out)
		}
		return nil
	}, "-strict")
}

// kubeconform is the program if it is on PATH, with schemas that are written for it.
func (b *bench) kubeconform(path, template string, write func(dir string) error, flag string) []contestant {
	program, err := b.lookPath("kubeconform")
	if err != nil {
		return nil
	}
	dir, err := os.MkdirTemp(b.dir, "schemas")
	if err == nil {
		err = write(dir)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "left out: kubeconform: %v\n", err)
		return nil
	}
	return []contestant{{name: kubeconform, peer: true, env: twoCores, done: []int{1},
		args: []string{program, "-summary", flag, "-schema-location", filepath.Join(dir, template), path}}}
}

const kubeconform = "kubeconform"

// put writes a file, and the folder for it.
func put(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// writeMixed writes CRDs whose parsing, judging and linting cost about as much beside each other as those of real ones do:
// some of kinds that have many rules, and more with large schemas and few rules.
func writeMixed(dir string) error {
	err := writeObjects(30, 0, 1, dir, filepath.Join(dir, "none"))
	for i := range 60 {
		c := specimen.Sized("v1", i, 60_000)
		c.Rules = max(0, i%4-1)
		err = errors.Join(err, put(filepath.Join(dir, fmt.Sprintf("large-%d.yaml", i)), c.YAML()))
	}
	return err
}

// writeCRDs writes as many files of one CRD each.
func writeCRDs(dir string, count int, c specimen.CRD) (err error) {
	for c.Number = range count {
		err = errors.Join(err, put(filepath.Join(dir, fmt.Sprintf("%05d.yaml", c.Number)), c.YAML()))
	}
	return err
}

// writeObjects writes as many kinds, and objects of them by turns, in files of one each. One in so many is wrong.
func writeObjects(kinds, count, wrong int, crds, objects string) (err error) {
	all := specimen.Kinds(kinds)
	for _, k := range all {
		err = errors.Join(err, put(filepath.Join(crds, k.Name()+".yaml"), k.CRD()))
	}
	for i := range count {
		err = errors.Join(err, put(filepath.Join(objects, fmt.Sprintf("%05d.yaml", i)), objectOf(all, i, wrong)))
	}
	return err
}

func objectOf(kinds []specimen.Kind, i, wrong int) string {
	o := specimen.Object{Kind: kinds[i%len(kinds)], Number: i}
	if i%wrong == wrong-1 {
		o.Mistake = specimen.Mistakes[i/wrong%len(specimen.Mistakes)]
	}
	return o.YAML()
}

// writeAges writes CRDs of different sizes. The newer ones have another part, and a rule where the older ones had none.
func writeAges(older, newer string) (err error) {
	for i := range 100 {
		name, c := fmt.Sprintf("%03d.yaml", i), specimen.CRD{Version: "v1", Number: i, Parts: 3 + i%16, Rules: 1}
		err = errors.Join(err, put(filepath.Join(older, name), c.YAML()))
		c.Parts, c.Rules = c.Parts+1, 2
		err = errors.Join(err, put(filepath.Join(newer, name), c.YAML()))
	}
	return err
}

// writeDump writes a list of objects as kubectl prints it, of about that many bytes, those of a kind together.
func writeDump(path string, size int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	kinds, out, written := specimen.Kinds(50), bufio.NewWriter(f), 0
	fmt.Fprint(out, "apiVersion: v1\nitems:\n")
	for i := 0; written < size; i++ {
		kind := min(len(kinds)-1, written*len(kinds)/size)
		n, _ := fmt.Fprint(out, "- ", item(objectOf(kinds[kind:kind+1], i, 503)))
		written += n
	}
	fmt.Fprint(out, "kind: List\n")
	return errors.Join(out.Flush(), f.Close()) // Flush has the first error
}
