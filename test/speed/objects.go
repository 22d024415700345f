package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

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
	contestants := append(b.parse(objects), contestant{name: "`crdlift validate`",
		does: "prunes, defaults, validates and runs rules with the API server's own code; finds the lines in object and CRD",
		args: []string{b.crdlift, "validate", "--no-config", "--crds", crds, objects}, done: []int{1}})
	peers, err := b.judges(crds, objects)
	if err != nil {
		return "", err
	}
	results, err := b.race(b.rounds, append(contestants, peers...)...)
	if err != nil {
		return "", err
	}
	validate := results[2]
	for _, r := range results {
		switch r.peer {
		case "kubeconform":
			b.atMost("CPU of `crdlift validate` to that of kubeconform", validate.cpu().median, r.cpu().median, 1.5)
		case "kubectl-validate":
			b.atLeast("CPU of kubectl-validate to that of `crdlift validate`", r.cpu().median, validate.cpu().median, 3)
		}
	}
	below(b, "peak memory of `crdlift validate` on 10,000 objects", validate.memory().most, 150*megabyte, megabytes)
	return fmt.Sprintf("%d CRDs; ", many.kinds) + f.caption(b.rounds) + plain(results), nil
}

// judges are the programs on PATH that look at objects by their CRDs.
func (b *bench) judges(crds, objects string) ([]contestant, error) {
	var all []contestant
	if c, found := b.find("kubeconform"); found {
		schemas, err := b.schemasOf(crds)
		if err != nil {
			return nil, err
		}
		c.does = "checks each object against a JSON schema, made of its CRD before; does not prune, default, run rules or look at list types"
		c.args = append(c.args, "-strict", "-summary", "-schema-location", schemas, objects)
		c.done = []int{1}
		all = append(all, c)
	}
	if c, found := b.find("kubectl-validate"); found {
		c.does = "prunes, defaults, validates and runs rules with the API server's own code, of Kubernetes 1.30; no lines"
		c.args = append(c.args, "--local-crds", crds, objects)
		c.done = []int{1}
		all = append(all, c)
	}
	return all, nil
}

// schemasOf writes the JSON schemas of CRDs, and gives kubeconform's template for their names.
func (b *bench) schemasOf(crds string) (string, error) {
	files, err := filepath.Glob(filepath.Join(crds, "*.yaml"))
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.dir, "schemas-of-objects")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(b.ctx, b.reference, slices.Concat([]string{"schemas", dir}, files)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("reference schemas: %w\n%s", err, out)
	}
	return filepath.Join(dir, "{{ .Group }}-{{ .ResourceKind }}-{{ .ResourceAPIVersion }}.json"), nil
}
