package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/crdlift/crdlift/internal/testing/specimen"
)

// A population is as many kinds, and objects of them by turns, in files of one each.
type population struct {
	kinds, objects int
	wrong          int // one of so many objects has a mistake
}

// Were the number of kinds a divisor of wrong, all mistakes would be in objects of one kind.
var many = population{kinds: 50, objects: 10_000, wrong: 503}

// write fills new folders with CRDs and objects.
func (p population) write(crds, objects string) error {
	for _, dir := range []string{crds, objects} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	kinds := specimen.Kinds(p.kinds)
	for _, k := range kinds {
		if err := os.WriteFile(filepath.Join(crds, k.Name()+".yaml"), []byte(k.CRD()), 0o644); err != nil {
			return err
		}
	}
	for i := range p.objects {
		o := specimen.Object{Kind: kinds[i%len(kinds)], Number: i}
		if i%p.wrong == p.wrong-1 {
			o.Mistake = specimen.Mistakes[i/p.wrong%len(specimen.Mistakes)]
		}
		if err := os.WriteFile(filepath.Join(objects, fmt.Sprintf("%05d.yaml", i)), []byte(o.YAML()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// objects has programs judge custom resources by their CRDs.
func (b *bench) objects() (string, error) {
	crds, objects := filepath.Join(b.dir, "crds"), filepath.Join(b.dir, "objects")
	if err := many.write(crds, objects); err != nil {
		return "", err
	}
	f, err := survey(objects)
	if err != nil {
		return "", err
	}
	return b.hold(heat{
		on: ", 10,000 objects", caption: fmt.Sprintf("%d CRDs; %s", many.kinds, f.caption()),
		subject: subject{path: objects, crds: crds}, peers: judges, show: plain,
		rows: append(b.parse(objects), b.validating(crds, objects)),
		goals: []goal{
			atMost(cpuTime, "`crdlift validate`", "kubeconform", 1.5),
			atLeast(cpuTime, "kubectl-validate", "`crdlift validate`", 3),
			light("`crdlift validate`", 150*megabyte),
		},
	})
}

func (b *bench) validating(crds, objects string) contestant {
	return contestant{name: "`crdlift validate`",
		does: "prunes, defaults, validates and runs rules with the API server's own code; finds the lines in object and CRD",
		args: []string{b.crdlift, "validate", "--no-config", "--crds", crds, objects}, done: []int{1}}
}
