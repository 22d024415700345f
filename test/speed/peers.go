package main

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
)

// find looks for a peer on PATH. Its name in the table has the version of its module.
func (b *bench) find(program string) (contestant, bool) {
	if !b.withPeers {
		return contestant{}, false
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return contestant{}, false
	}
	c := contestant{peer: program, name: program, args: []string{path}}
	if info, err := buildinfo.ReadFile(path); err == nil && info.Main.Version != "" {
		c.name += " " + info.Main.Version
	}
	return c, true
}

// peers are the programs on PATH that look at a file or folder of CRDs, each with the arguments that have it do so
// without a network.
func (b *bench) peers(path string) ([]contestant, error) {
	var all []contestant
	if c, found := b.find("kubeconform"); found {
		schemas, err := b.schemas()
		if err != nil {
			return nil, err
		}
		c.does = "checks each manifest against a JSON schema, here that of CustomResourceDefinition, made of upstream's OpenAPI"
		c.args = append(c.args, "-summary", "-ignore-missing-schemas", "-schema-location", schemas, path)
		c.done = []int{1}
		all = append(all, c)
	}
	if c, found := b.find("kubectl-validate"); found {
		c.does = "decodes by OpenAPI, then decodes and validates with the API server's own code; no rules of its own"
		c.args, c.done = append(c.args, path), []int{1}
		all = append(all, c)
	}
	if c, found := b.find("kube-linter"); found {
		c.does = "looks for workloads; has no check for CRDs"
		c.args, c.done = append(c.args, "lint", path), []int{1}
		all = append(all, c)
	}
	if c, found := b.find("pluto"); found {
		c.does = "looks for API versions that are deprecated or gone"
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			c.args = append(c.args, "detect-files", "-d", path)
		} else {
			c.args = append(c.args, "detect", path)
		}
		c.done = []int{2, 3}
		all = append(all, c)
	}
	return all, nil
}

// schemas writes the schemas that kubeconform needs, and gives its template for their names. Those that it would download
// lack CustomResourceDefinition: its schema refers to itself, and they have no references.
func (b *bench) schemas() (string, error) {
	dir := filepath.Join(b.dir, "schemas")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, version := range []string{"v1", "v1beta1"} {
		out, err := exec.CommandContext(b.ctx, b.reference, "schema", version).Output()
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, "customresourcedefinition-"+version+".json"), out, 0o644); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "{{ .ResourceKind }}-{{ .ResourceAPIVersion }}.json"), nil
}
