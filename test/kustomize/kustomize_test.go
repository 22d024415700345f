// Package kustomize has the real kustomize call crdlift as a function: as a transformer that converts, and as a
// validator that lints.
package kustomize

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// programs builds kustomize and crdlift into a folder.
func programs(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, build := range [][]string{
		{"build", "-o", filepath.Join(dir, "kustomize"), "sigs.k8s.io/kustomize/kustomize/v5"},
		{"build", "-C", filepath.Join("..", ".."), "-o", filepath.Join(dir, "crdlift"), "."},
	} {
		if out, err := exec.Command("go", build...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", build, err, out)
		}
	}
	return dir
}

const (
	old = `# Backups of a database.
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  names: {kind: Backup, plural: backups}
  scope: Namespaced
  preserveUnknownFields: false
  versions:
  - {name: v1, served: true, storage: true}
  validation:
    openAPIV3Schema:
      type: object # nothing else is known
`
	wrong = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  names: {kind: Backup, plural: backups}
  scope: namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object}
`
	namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: backups # stays\n"
)

// config is a functionConfig that calls a program.
func config(program, spec string) string {
	return "apiVersion: crdlift.github.io/v1\nkind: CRDLift\nmetadata:\n  name: crds\n  annotations:\n    config.kubernetes.io/function: |\n      exec:\n        path: " +
		program + "\nspec: " + spec + "\n"
}

func TestKustomize(t *testing.T) {
	bin := programs(t)
	crdlift := filepath.Join(bin, "crdlift")
	printed, err := exec.Command(crdlift, "fn", "--print-config").Output()
	if err != nil {
		t.Fatal(err)
	}
	documented, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", "kustomize.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(documented), "\n## Function\n")
	block := func(n int) string { return strings.TrimPrefix(strings.Split(section, "```")[2*n-1], "yaml\n") } // from 1
	transformer, kustomization, validator := strings.Replace(block(2), "path: crdlift", "path: "+crdlift, 1), block(3), block(5)
	head, _, _ := strings.Cut(transformer, "spec:\n")
	for name, tt := range map[string]struct {
		kustomization, crd, config string
		fails                      bool
		stdout, not, stderr        []string // texts that are, or are not, printed
	}{
		"a transformer converts": {
			kustomization: "resources: [crd.yaml, namespace.yaml]\ntransformers: [fn.yaml]\n", crd: old, config: config(crdlift, "{convert: {to: v1}}"),
			stdout: []string{"apiVersion: apiextensions.k8s.io/v1\n", "type: object", "kind: Namespace"}, not: []string{"v1beta1", "validation:"},
		},
		"the declaration that is printed": {
			kustomization: "resources: [crd.yaml, namespace.yaml]\ntransformers: [fn.yaml]\n", crd: old,
			config: strings.Replace(string(printed), "path: crdlift", "path: "+crdlift, 1),
			stdout: []string{"apiVersion: apiextensions.k8s.io/v1\n"}, not: []string{"v1beta1"},
		},
		"the documented transformer": {
			kustomization: strings.Replace(kustomization, "crdlift.yaml", "fn.yaml", 1), crd: old, config: transformer,
			stdout: []string{"apiVersion: apiextensions.k8s.io/v1\n"}, not: []string{"v1beta1"},
		},
		"the documented validator": {
			kustomization: "resources: [crd.yaml]\nvalidators: [fn.yaml]\n", crd: wrong, config: head + validator, fails: true,
			stderr: []string{"[scope-invalid]"},
		},
		"a validator is silent": {
			kustomization: "resources: [crd.yaml, namespace.yaml]\nvalidators: [fn.yaml]\n", crd: strings.Replace(wrong, "namespaced", "Namespaced", 1),
			config: config(crdlift, "{output: none}"), stdout: []string{"scope: Namespaced", "kind: Namespace"},
		},
		"a validator fails the build": {
			kustomization: "resources: [crd.yaml, namespace.yaml]\nvalidators: [fn.yaml]\n", crd: wrong, config: config(crdlift, "{output: none}"), fails: true,
			stderr: []string{`backups.example.com: spec.scope: error: scope "namespaced" is unknown`, "[scope-invalid]"},
		},
		"a transformer fails the build": {
			kustomization: "resources: [crd.yaml]\ntransformers: [fn.yaml]\n", crd: wrong, config: config(crdlift, "{}"), fails: true,
			stderr: []string{"[scope-invalid]"},
		},
		"a wrong functionConfig": {
			kustomization: "resources: [crd.yaml]\ntransformers: [fn.yaml]\n", crd: wrong, config: config(crdlift, "{convrt: {}}"), fails: true,
			stderr: []string{`unknown key "convrt" (did you mean "convert"?)`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{
				"kustomization.yaml": tt.kustomization, "crd.yaml": tt.crd, "namespace.yaml": namespace, "fn.yaml": tt.config,
			} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(filepath.Join(bin, "kustomize"), "build", "--enable-alpha-plugins", "--enable-exec", dir)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); (err != nil) != tt.fails {
				t.Errorf("kustomize: %v, want a failure: %v\n%s", err, tt.fails, stderr.String())
			}
			for _, want := range tt.stdout {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("the output lacks %q:\n%s", want, stdout.String())
				}
			}
			for _, not := range tt.not {
				if strings.Contains(stdout.String(), not) {
					t.Errorf("the output has %q:\n%s", not, stdout.String())
				}
			}
			for _, want := range tt.stderr {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("standard error lacks %q:\n%s", want, stderr.String())
				}
			}
		})
	}
}
