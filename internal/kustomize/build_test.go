package kustomize

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

const widget = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
`

var gadget = strings.NewReplacer("widget", "gadget", "Widget", "Gadget").Replace(widget)

// folder writes files and gives the folder they are in.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The tests of this package do not run at once: kustomize keeps the schemas of a build for the whole process.

// TestLocate builds a kustomization and looks for a path of its CRDs: "file:line text".
func TestLocate(t *testing.T) {
	const scopePatch = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\nspec:\n  scope: Cluster\n"
	for _, test := range []struct {
		name, kustomization string
		files               map[string]string
		document            int // of the first file
		path, want          string
	}{
		{"the base", "resources: [crd.yaml]\n", nil, 0, "spec.scope", "crd.yaml:8 Namespaced"},
		{"a mapping, by its key", "resources: [crd.yaml]\n", nil, 0, "spec.names", "crd.yaml:7 names"},
		{"an item, by its first key", "resources: [crd.yaml]\n", nil, 0, "spec.versions[0]", "crd.yaml:10 name"},
		{"the CRD", "resources: [crd.yaml]\n", nil, 0, "", "crd.yaml:1 apiVersion"},
		{"what is not there", "resources: [crd.yaml]\n", nil, 0, "spec.conversion.strategy", "crd.yaml:5 spec"},
		{"the second of a file", "resources: [all.yaml]\n", map[string]string{"all.yaml": widget + "---\n" + gadget}, 1, "metadata.name", "all.yaml:18 gadgets.example.com"},
		{"a patch", "resources: [crd.yaml]\npatches: [{path: patch.yaml}]\n", map[string]string{"patch.yaml": scopePatch}, 0, "spec.scope", "patch.yaml:6 Cluster"},
		{"what the patch does not touch", "resources: [crd.yaml]\npatches: [{path: patch.yaml}]\n", map[string]string{"patch.yaml": scopePatch}, 0, "spec.names.kind", "crd.yaml:7 Widget"},
		{"a mapping that both have", "resources: [crd.yaml]\npatches: [{path: patch.yaml}]\n", map[string]string{"patch.yaml": scopePatch}, 0, "spec", "crd.yaml:5 spec"},
		{"a transformer", "resources: [crd.yaml]\ncommonAnnotations: {a: b}\n", nil, 0, "metadata.annotations[a]", "kustomization.yaml:1 "},
		{"an inline patch", "resources: [crd.yaml]\npatches:\n- target: {kind: CustomResourceDefinition}\n  patch: |-\n    - {op: replace, path: /spec/scope, value: Cluster}\n", nil, 0, "spec.scope", "kustomization.yaml:1 "},
		{"a base in another folder", "resources: [sub]\n", map[string]string{"sub/kustomization.yaml": "resources: [b.yaml]\n", "sub/b.yaml": widget}, 0, "spec.scope", "sub/b.yaml:8 Namespaced"},
		{"its own buildMetadata", "buildMetadata: [managedByLabel]\nresources: [crd.yaml]\n", nil, 0, "spec.scope", "crd.yaml:8 Namespaced"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"kustomization.yaml": test.kustomization, "crd.yaml": widget}
			for name, text := range test.files {
				files[name] = text
			}
			dir := folder(t, files)
			built, err := Build(dir, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(built[0].Text), origin) {
				t.Error("the annotation that was asked for is left")
			}
			d := manifest.Parse("", built[0].Text).Documents[test.document]
			found, _ := crd.Find(d.Root.YNode())
			at, _ := found[0].Resolve(crd.Steps(test.path))
			line, column := d.Begin(at.Node)
			spot := built[0].Locate(test.document, test.path, line, column)
			name, err := filepath.Rel(dir, spot.File.Path)
			if err != nil {
				t.Fatal(err)
			}
			l, _ := spot.File.Position(spot.Start)
			if got := fmt.Sprintf("%s:%d %s", filepath.ToSlash(name), l, spot.File.Source[spot.Start:spot.End]); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestBuildRefuses tries what would be fetched or run, and what is not there.
func TestBuildRefuses(t *testing.T) {
	for _, test := range []struct{ name, kustomization, want string }{
		{"a file", "resources: [https://example.com/crd.yaml]\n", "https://example.com/crd.yaml is remote"},
		{"a repository", "resources: [github.com/example/crds]\n", "github.com/example/crds is remote"},
		{"a revision", "components: ['example.com/crds?ref=v1']\n", "is remote"},
		{"by ssh", "bases: ['git@example.com:a/b.git']\n", "is remote"},
		{"a patch", "resources: [crd.yaml]\npatches: [{path: 'https://example.com/p.yaml'}]\n", "https://example.com/p.yaml is remote"},
		{"a schema", "resources: [crd.yaml]\nopenapi: {path: 'https://example.com/s.json'}\n", "is remote"},
		{"a file of a generator", "configMapGenerator: [{name: a, files: ['a=https://example.com/a']}]\n", "is remote"},
		{"a missing file", "resources: [nowhere.yaml]\n", "there is no nowhere.yaml"},
		{"above the root", "resources: [../crd.yaml]\n", "there is no ../crd.yaml"},
		{"a chart", "helmCharts: [{name: a, repo: 'https://example.com'}]\n", "enable-helm"},
		{"a function", "resources: [crd.yaml]\ntransformers: [fn.yaml]\n", "external plugins"},
		{"no kustomization", "- a\n", "cannot build"},
		{"a large file", "resources: [large.yaml]\n", "larger than"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := folder(t, map[string]string{
				"kustomization.yaml": test.kustomization, "crd.yaml": widget, "large.yaml": strings.Repeat("# large\n", 1000),
				"fn.yaml": "apiVersion: example.com/v1\nkind: Function\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./run}\n",
			})
			if _, err := Build(dir, 4000); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// What is the author's own text, and no path, may be a URL.
func TestBuildTakesURLsThatAreNoPaths(t *testing.T) {
	dir := folder(t, map[string]string{"crd.yaml": widget, "kustomization.yaml": "resources: [crd.yaml]\ncommonAnnotations: {docs: 'https://example.com'}\n" +
		"configMapGenerator: [{name: a, literals: ['url=https://example.com']}]\n"})
	if built, err := Build(dir, 1<<20); err != nil || len(built) != 1 {
		t.Errorf("got %d files, %v", len(built), err)
	}
}
