package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

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
