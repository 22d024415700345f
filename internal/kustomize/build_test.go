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

// folder writes files and returns their folder.
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
	const jsonPatched = "resources: [crd.yaml]\npatches:\n- target: {kind: CustomResourceDefinition, name: widgets.example.com}\n  path: j.yaml\n"
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
		{"an inline patch", "resources: [crd.yaml]\npatches:\n- target: {kind: CustomResourceDefinition}\n  patch: |-\n    - {op: replace, path: /spec/scope, value: Cluster}\n", nil, 0, "spec.scope", "kustomization.yaml:5 Cluster"},
		{"an inline patch behind other letters", "# ä\nresources: [crd.yaml]\npatches:\n- target: {name: widgets.*} # ö\n  patch: |\n    - op: add\n      path: /spec/names/shortNames\n      value:\n      - wd\n", nil, 0, "spec.names.shortNames[0]", "kustomization.yaml:9 wd"},
		{"an inline patch in quotes", "resources: [crd.yaml]\npatches:\n- target: {kind: CustomResourceDefinition}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Cluster\"}]'\n", nil, 0, "spec.scope", `kustomization.yaml:4 '[{"op": "replace", "path": "/spec/scope", "value": "Cluster"}]'`},
		{"an inline part of a CRD", "resources: [crd.yaml]\npatches:\n- patch: |-\n    apiVersion: apiextensions.k8s.io/v1\n    kind: CustomResourceDefinition\n    metadata:\n      name: widgets.example.com\n    spec:\n      scope: Cluster\n", nil, 0, "spec.scope", "kustomization.yaml:9 Cluster"},
		{"an inline part of the older field", "resources: [crd.yaml]\npatchesStrategicMerge:\n- |-\n  apiVersion: apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n  metadata:\n    name: widgets.example.com\n  spec:\n    scope: Cluster\n", nil, 0, "spec.scope", "kustomization.yaml:9 Cluster"},
		{"a JSON patch", jsonPatched, map[string]string{"j.yaml": "- op: replace\n  path: /spec/scope\n  value: Cluster\n"}, 0, "spec.scope", "j.yaml:3 Cluster"},
		{"a JSON patch in JSON", strings.ReplaceAll(jsonPatched, "j.yaml", "j.json"), map[string]string{"j.json": "[\n\t{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Cluster\"}\n]\n"}, 0, "spec.scope", `j.json:2 "Cluster"`},
		{"a JSON patch of the older field", "resources: [crd.yaml]\npatchesJson6902:\n- target: {group: apiextensions.k8s.io, version: v1, kind: CustomResourceDefinition, name: widgets.example.com}\n  path: j.yaml\n", map[string]string{"j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "j.yaml:1 Cluster"},
		{"a field inside the value", jsonPatched, map[string]string{"j.yaml": "- op: replace\n  path: /spec/versions/0/schema/openAPIV3Schema\n  value:\n    type: object\n    properties:\n      a~b/c: {type: string}\n"}, 0, "spec.versions[0].schema.openAPIV3Schema.properties[a~b/c].type", "j.yaml:6 string"},
		{"a mapping that is replaced", jsonPatched, map[string]string{"j.yaml": "- op: replace\n  path: /spec/names\n  value: {kind: Widget, plural: widgets}\n"}, 0, "spec.names", "j.yaml:3 value"},
		{"what holds what a JSON patch sets", jsonPatched, map[string]string{"j.yaml": "- {op: add, path: /spec/names/singular, value: widget}\n"}, 0, "spec.names", "crd.yaml:7 names"},
		{"an item that is appended", jsonPatched, map[string]string{"j.yaml": "- {op: add, path: /spec/names/shortNames, value: [wd]}\n- {op: add, path: /spec/names/shortNames/-, value: wi}\n"}, 0, "spec.names.shortNames[1]", "j.yaml:2 wi"},
		{"escapes of a pointer", jsonPatched, map[string]string{"j.yaml": "- {op: add, path: /metadata/annotations, value: {}}\n- {op: add, path: /metadata/annotations/example.com~1a~0b, value: c}\n"}, 0, "metadata.annotations[example.com/a~b]", "j.yaml:2 c"},
		{"the last operation", jsonPatched, map[string]string{"j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n- {op: test, path: /spec/scope, value: Cluster}\n- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "j.yaml:3 Cluster"},
		{"a value that is moved", jsonPatched, map[string]string{"j.yaml": "- {op: copy, from: /spec/names/plural, path: /spec/names/singular}\n"}, 0, "spec.names.singular", "j.yaml:1 /spec/names/singular"},
		{"what is removed", jsonPatched, map[string]string{"j.yaml": "- op: remove\n  path: /spec/scope\n"}, 0, "spec.scope", "j.yaml:2 /spec/scope"},
		{"below what is removed", jsonPatched, map[string]string{"j.yaml": "- {op: remove, path: /spec/names}\n"}, 0, "spec.names.kind", "j.yaml:1 /spec/names"},
		{"names lacks plural, which is removed", jsonPatched, map[string]string{"j.yaml": "- {op: remove, path: /spec/names/kind}\n- {op: remove, path: /spec/names/plural}\n"}, 0, "spec.names", "j.yaml:2 /spec/names/plural"},
		{"names lacks something else", jsonPatched, map[string]string{"j.yaml": "- {op: remove, path: /spec/names/kind}\n"}, 0, "spec.names", "crd.yaml:7 names"},
		{"a JSON patch of another CRD", "resources: [crd.yaml, all.yaml]\npatches:\n- target: {name: gadgets.example.com}\n  path: j.yaml\n", map[string]string{"all.yaml": gadget, "j.yaml": "- {op: replace, path: /spec/scope, value: Namespaced}\n"}, 0, "spec.scope", "crd.yaml:8 Namespaced"},
		{"a JSON patch by label", "resources: [crd.yaml]\npatches:\n- target: {labelSelector: part=no}\n  path: j.yaml\n- target: {labelSelector: part=yes}\n  path: l.yaml\n", map[string]string{"crd.yaml": strings.Replace(widget, "metadata:", "metadata:\n  labels: {part: 'yes'}", 1), "j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n", "l.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "l.yaml:1 Cluster"},
		{"a JSON patch of a base in another folder", "resources: [sub]\n", map[string]string{"sub/kustomization.yaml": strings.ReplaceAll(jsonPatched, "crd.yaml", "b.yaml"), "sub/b.yaml": widget, "sub/j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "sub/j.yaml:1 Cluster"},
		{"a JSON patch behind a prefix", jsonPatched + "namePrefix: my-\n", map[string]string{"j.yaml": "- {op: replace, path: /spec/scope, value: Cluster}\n"}, 0, "spec.scope", "j.yaml:1 Cluster"},
		{"a base in another folder", "resources: [sub]\n", map[string]string{"sub/kustomization.yaml": "resources: [b.yaml]\n", "sub/b.yaml": widget}, 0, "spec.scope", "sub/b.yaml:8 Namespaced"},
		{"its own buildMetadata", "buildMetadata: [managedByLabel]\nresources: [crd.yaml]\n", nil, 0, "spec.scope", "crd.yaml:8 Namespaced"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"kustomization.yaml": test.kustomization, "crd.yaml": widget}
			for name, text := range test.files {
				files[name] = text
			}
			dir := folder(t, files)
			built, _, err := Build(dir, 1<<20)
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
			spot := built[0].Locate(test.document, test.path, line, column, test.name)
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

// TestBuildRefuses tries resources that would be fetched, generators that would be run, and missing files.
func TestBuildRefuses(t *testing.T) {
	bin := t.TempDir()
	ran := filepath.Join(bin, "ran")
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\ntouch '"+ran+"'\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, test := range []struct{ name, kustomization, want string }{
		{"a file", "resources: [https://example.com/crd.yaml]\n", "https://example.com/crd.yaml is remote"},
		{"a repository", "resources: [github.com/example/crds]\n", "github.com/example/crds is remote"},
		{"a revision", "components: ['example.com/crds?ref=v1']\n", "is remote"},
		{"by ssh", "bases: ['git@example.com:a/b.git']\n", "is remote"},
		{"a patch", "resources: [crd.yaml]\npatches: [{path: 'https://example.com/p.yaml'}]\n", "https://example.com/p.yaml is remote"},
		{"a schema", "resources: [crd.yaml]\nopenapi: {path: 'https://example.com/s.json'}\n", "is remote"},
		{"a file of a generator", "configMapGenerator: [{name: a, files: ['a=https://example.com/a']}]\n", "is remote"},
		{"a repository, in other letters", "resources: [GitHub.com/a/b]\n", "GitHub.com/a/b is remote"},
		{"a user's at a host", "resources: ['a@b:c/d']\n", "a@b:c/d is remote"},
		{"a field in other letters", "Resources: ['github.com/a/b']\n", "github.com/a/b is remote"},
		{"an alias with the name of a file", "configMapGenerator: [{name: a, literals: [&x github.com/a/b]}]\nresources: [*x]\n", "github.com/a/b is remote"},
		{"an alias for a patch", "configMapGenerator: [{name: a, literals: [&u 'https://example.com/p.yaml']}]\npatches: [{path: *u}]\n", "is remote"},
		{"a patch, in other letters", "resources: [crd.yaml]\npatches: [{path: 'HTTPS://example.com/p.yaml'}]\n", "is remote"},
		{"a plugin", "resources: [crd.yaml]\ntransformers: [plugin.yaml]\n", "plugin.yaml: https://example.com/p.yaml is remote"},
		{"a plugin, inline", "resources: [crd.yaml]\ntransformers:\n- |\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: a}\n  path: https://example.com/p.yaml\n", "is remote"},
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
				"x": "", "GitHub.com/a/b/kustomization.yaml": "", "a@b:c/d/kustomization.yaml": "", // which kustomize would not look at
				"plugin.yaml": "apiVersion: \"buil\\\n  tin\"\nkind: PatchTransformer\nmetadata: {name: a}\npath: https://example.com/p.yaml\n",
				"fn.yaml":     "apiVersion: example.com/v1\nkind: Function\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {path: ./run}\n",
			})
			if _, _, err := Build(dir, 4000); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if os.Remove(ran) == nil {
				t.Error("git was run")
			}
		})
	}
}

// Text of the author's that is not a path may be a URL.
func TestBuildTakesURLsThatAreNoPaths(t *testing.T) {
	dir := folder(t, map[string]string{"crd.yaml": widget, "kustomization.yaml": "resources: [crd.yaml]\ncommonAnnotations: {docs: 'https://example.com'}\n" +
		"configMapGenerator: [{name: a, literals: ['url=https://example.com']}]\n"})
	if built, _, err := Build(dir, 1<<20); err != nil || len(built) != 1 {
		t.Errorf("got %d files, %v", len(built), err)
	}
}
