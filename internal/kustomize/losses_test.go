package kustomize

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// part is a strategic merge patch of the widget's spec.
func part(spec string) string {
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec:\n" + spec
}

// TestLocateWhatIsLost looks for what a build lacks and its base has: "file:line text", then what is lost, which file has it, what
// the patch replaces, and the operation instead.
func TestLocateWhatIsLost(t *testing.T) {
	const (
		patched = "resources: [crd.yaml]\npatches: [{path: p.yaml}]\n"
		json    = "resources: [crd.yaml]\npatches:\n- target: {kind: CustomResourceDefinition}\n  path: p.yaml\n"
		below   = "resources: [sub]\npatches: [{path: p.yaml}]\n"
		status  = "  versions:\n  - name: v1\n    subresources: {status: {}}\n"
		two     = "  - name: v2\n    served: true\n    storage: false\n    schema: {openAPIV3Schema: {type: object}}\n"
		instead = "{crd.yaml spec.versions[0].storage: replaces all of spec.versions; op: add, path: /spec/versions/0/subresources}"
	)
	for _, test := range []struct {
		name, kustomization string
		files               map[string]string
		path, message, want string
	}{
		{"a list that is replaced", patched, map[string]string{"p.yaml": part(status)}, "spec.versions", "no version has storage: true", "p.yaml:5 versions " + instead},
		{"an item of it", patched, map[string]string{"p.yaml": part(status)}, "spec.versions[0]", "v1 has no schema.openAPIV3Schema", "p.yaml:6 name {crd.yaml spec.versions[0].schema: replaces all of spec.versions; op: add, path: /spec/versions/0/subresources}"},
		{"beside a field of an item", patched, map[string]string{"p.yaml": part(status)}, "spec.versions[0].name", "v1 does not set served", "p.yaml:6 name {crd.yaml spec.versions[0].served: replaces all of spec.versions; op: add, path: /spec/versions/0/subresources}"},
		{"what is below it", patched, map[string]string{"p.yaml": part(status)}, "spec.versions[0].schema.openAPIV3Schema", "", "p.yaml:6 name {crd.yaml spec.versions[0].schema: replaces all of spec.versions; op: add, path: /spec/versions/0/subresources}"},
		{"what the patch has", patched, map[string]string{"p.yaml": part(status)}, "spec.versions[0]", "v1 is odd", "p.yaml:6 name"},
		{"a word that is longer", patched, map[string]string{"p.yaml": part(status)}, "spec.versions[0]", "v1 has no storages", "p.yaml:6 name"},
		{"what is elsewhere", patched, map[string]string{"p.yaml": part(status)}, "spec.names", "names have no storage", "crd.yaml:7 names"},
		{"what is further up", patched, map[string]string{"p.yaml": part(status)}, "spec", "no version has storage: true", "crd.yaml:5 spec"},
		{"what a later patch adds to it", patched + "patchesJson6902:\n- target: {version: v1, group: apiextensions.k8s.io, kind: CustomResourceDefinition, name: widgets.example.com}\n  path: j.yaml\n", map[string]string{"p.yaml": part(status), "j.yaml": "- {op: add, path: /spec/versions/-, value: {name: v2}}\n- {op: add, path: /spec/versions/1, value: {name: v3}}\n"}, "spec.versions", "no version has storage: true", "p.yaml:5 versions " + instead},
		{"an item of a list that is merged", patched + "openapi: {path: schema.json}\n", map[string]string{"crd.yaml": widget + two, "schema.json": merging, "p.yaml": part("  versions:\n  - name: v1\n    deprecated: true\n")}, "spec.versions[0]", "v1 is odd", "crd.yaml:10 name"},
		{"what a later patch puts before it", patched + "patchesJson6902:\n- target: {version: v1, group: apiextensions.k8s.io, kind: CustomResourceDefinition, name: widgets.example.com}\n  path: j.yaml\n", map[string]string{"p.yaml": part(status), "j.yaml": "- {op: add, path: /spec/versions/0, value: {name: v0}}\n"}, "spec.versions", "no version has storage: true", "p.yaml:5 versions " + instead},
		{"what holds the holder", patched, map[string]string{"p.yaml": part("  names: {plural: null}\n")}, "spec", "the plural is odd", "crd.yaml:5 spec"},
		{"a patch of a transformer", "resources: [crd.yaml]\ntransformers: [t.yaml]\n", map[string]string{"t.yaml": "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: t}\npath: p.yaml\n", "p.yaml": part(status)}, "spec.versions", "no storage", "p.yaml:5 versions " + instead},
		{"a value that differs", patched, map[string]string{"p.yaml": part("  versions:\n  - name: v1\n    served: false\n")}, "spec.versions", "no storage", "p.yaml:5 versions {crd.yaml spec.versions[0].storage: replaces all of spec.versions; op: replace, path: /spec/versions/0/served}"},
		{"an item that is new", patched, map[string]string{"p.yaml": part("  versions:\n  - {name: v2, served: true}\n")}, "spec.versions", "no storage", "p.yaml:5 versions {crd.yaml spec.versions[0]: replaces all of spec.versions; op: add, path: /spec/versions/-}"},
		{"nothing new", patched, map[string]string{"p.yaml": part("  versions:\n  - {name: v1}\n")}, "spec.versions", "no storage", "p.yaml:5 versions {crd.yaml spec.versions[0].storage: replaces all of spec.versions; }"},
		{"the second item", patched, map[string]string{"crd.yaml": widget + two, "p.yaml": part("  versions:\n  - name: v2\n    schema: {openAPIV3Schema: {x-kubernetes-preserve-unknown-fields: true}}\n")}, "spec.versions[0]", "no storage", "p.yaml:6 name {crd.yaml spec.versions[1].storage: replaces all of spec.versions; op: add, path: /spec/versions/1/schema/openAPIV3Schema/x-kubernetes-preserve-unknown-fields}"},
		{"an inline patch", "resources: [crd.yaml]\npatches:\n- patch: |-\n    " + strings.ReplaceAll(strings.TrimSpace(part(status)), "\n", "\n    ") + "\n", nil, "spec.versions", "no storage", "kustomization.yaml:8 versions " + instead},
		{"the older field", "resources: [crd.yaml]\npatchesStrategicMerge: [p.yaml]\n", map[string]string{"p.yaml": part(status)}, "spec.versions", "no storage", "p.yaml:5 versions " + instead},
		{"a target with another name", "resources: [crd.yaml]\npatches: [{path: p.yaml, target: {kind: CustomResourceDefinition}}]\n", map[string]string{"p.yaml": strings.Replace(part(status), "widgets.example.com", "any", 1)}, "spec.versions", "no storage", "p.yaml:5 versions " + instead},
		{"a part with names", patched, map[string]string{"p.yaml": part("  names: {shortNames: [w]}\n" + status)}, "spec.versions", "no storage", "p.yaml:6 versions " + instead},
		{"a component", "resources: [crd.yaml]\ncomponents: [c]\n", map[string]string{"c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: p.yaml}]\n", "c/p.yaml": part(status)}, "spec.versions", "no storage", "c/p.yaml:5 versions " + instead},
		{"the base's own patch", "resources: [sub]\n", map[string]string{"sub/kustomization.yaml": patched, "sub/crd.yaml": widget, "sub/p.yaml": part(status)}, "spec.versions", "no storage", "sub/p.yaml:5 versions {sub/crd.yaml spec.versions[0].storage: replaces all of spec.versions; op: add, path: /spec/versions/0/subresources}"},
		{"the last patch has the last word", below, map[string]string{"sub/kustomization.yaml": patched, "sub/crd.yaml": widget, "sub/p.yaml": part("  scope: Cluster\n"), "p.yaml": part("  scope: Cluster\n")}, "spec.scope", "", "p.yaml:5 Cluster"},
		{"components come before patches", "resources: [crd.yaml]\ncomponents: [c]\npatches: [{path: p.yaml}]\n", map[string]string{"c/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{path: p.yaml}]\n", "c/p.yaml": part("  scope: Cluster\n"), "p.yaml": part("  scope: Cluster\n")}, "spec.scope", "", "p.yaml:5 Cluster"},
		{"what a later patch writes again", below, map[string]string{"sub/kustomization.yaml": patched, "sub/crd.yaml": widget, "sub/p.yaml": part("  scope: null\n"), "p.yaml": part("  scope: Cluster\n")}, "spec.scope", "scope is odd", "p.yaml:5 Cluster"},
		{"what an earlier patch wrote", below, map[string]string{"sub/kustomization.yaml": patched, "sub/crd.yaml": widget, "sub/p.yaml": part("  conversion: {strategy: None}\n"), "p.yaml": part("  conversion: null\n")}, "spec.conversion", "conversion is missing", "p.yaml:5 conversion"},
		{"null", patched, map[string]string{"p.yaml": part("  scope: null\n")}, "spec.scope", "", "p.yaml:5 scope {crd.yaml spec.scope: removes it; }"},
		{"null below what is asked for", patched, map[string]string{"p.yaml": part("  names: {plural: null}\n")}, "spec.names", "names lack plural", "p.yaml:5 plural {crd.yaml spec.names.plural: removes it; }"},
		{"a mapping that deletes", patched, map[string]string{"p.yaml": part("  names: {$patch: delete}\n")}, "spec.names.kind", "", "p.yaml:5 names {crd.yaml spec.names: removes it; }"},
		{"a mapping that replaces", patched, map[string]string{"p.yaml": part("  names:\n    $patch: replace\n    kind: Widget\n")}, "spec.names.plural", "", "p.yaml:5 names {crd.yaml spec.names.plural: replaces all of spec.names; }"},
		{"an item that is deleted of a list whose items merge", patched + "openapi: {path: schema.json}\n", map[string]string{"crd.yaml": widget + two, "schema.json": merging, "p.yaml": part("  versions:\n  - name: v1\n    $patch: delete\n")}, "spec.versions", "no version has storage: true", "p.yaml:5 versions {crd.yaml spec.versions[0]: removes it; }"},
		{"JSON: what is removed", json, map[string]string{"p.yaml": "- {op: test, path: /spec/scope, value: Namespaced}\n- op: remove\n  path: /spec/scope\n"}, "spec.scope", "", "p.yaml:3 /spec/scope {crd.yaml spec.scope: removes it; }"},
		{"JSON: an item that is removed", json, map[string]string{"p.yaml": "- {op: remove, path: /spec/versions/0}\n- {op: remove, path: /spec/scope}\n"}, "spec.versions", "no version has storage: true", "p.yaml:1 /spec/versions/0 {crd.yaml spec.versions[0]: removes it; }"},
		{"JSON: an item like the others that is removed", json, map[string]string{"crd.yaml": widget + two + strings.ReplaceAll(two, "v2", "v3"), "p.yaml": "- {op: remove, path: /spec/versions/1}\n"}, "spec.versions", "no version is served", "crd.yaml:9 versions"},
		{"JSON: its name", json, map[string]string{"crd.yaml": widget + two + strings.ReplaceAll(two, "v2", "v3"), "p.yaml": "- {op: remove, path: /spec/versions/1}\n"}, "spec.versions", "no version has the name v2", "p.yaml:1 /spec/versions/1 {crd.yaml spec.versions[1]: removes it; }"},
		{"JSON: an item that is replaced", json, map[string]string{"p.yaml": "- op: replace\n  path: /spec/versions/0\n  value:\n    name: v1\n    served: true\n"}, "spec.versions", "no version has storage: true", "p.yaml:3 value {crd.yaml spec.versions[0].storage: replaces all of spec.versions[0]; }"},
		{"JSON: a list that is replaced", json, map[string]string{"p.yaml": "- op: add\n  path: /spec/versions\n  value:\n  - name: v1\n"}, "spec.versions[0]", "v1 has no schema", "p.yaml:4 name {crd.yaml spec.versions[0].schema: replaces all of spec.versions; }"},
		{"JSON: what is moved", json, map[string]string{"p.yaml": "- {op: move, from: /spec/scope, path: /spec/scopes}\n"}, "spec.scope", "", "p.yaml:1 /spec/scope {crd.yaml spec.scope: removes it; }"},
		{"JSON: an item before the others", json, map[string]string{"p.yaml": "- {op: add, path: /spec/versions/0, value: {name: v0}}\n"}, "spec.versions", "no storage", "crd.yaml:9 versions"},
		{"JSON: a flag that is changed", json, map[string]string{"p.yaml": "- op: replace\n  path: /spec/versions/0/storage\n  value: false\n"}, "spec.versions", "no version has storage: true", "p.yaml:3 value {crd.yaml spec.versions[0].storage: changes it; }"},
		{"JSON: the flag itself", json, map[string]string{"p.yaml": "- op: replace\n  path: /spec/versions/0/storage\n  value: false\n"}, "spec.versions[0].storage", "storage is odd", "p.yaml:3 false"},
		{"a name that is changed", patched, map[string]string{"p.yaml": part("  names: {kind: Widgets}\n")}, "spec.names", "the kind is odd", "p.yaml:5 kind {crd.yaml spec.names.kind: changes it; }"},
		{"what another patch has added", patched, map[string]string{"p.yaml": part("  conversion: {strategy: None}\n---\n" + part("  conversion: {$patch: delete}\n"))}, "spec.conversion.strategy", "", "p.yaml:11 conversion"},
		{"JSON: inline, in the older field", "resources: [crd.yaml]\npatchesJson6902:\n- target: {version: v1, group: apiextensions.k8s.io, kind: CustomResourceDefinition, name: widgets.example.com}\n  patch: |-\n    - op: remove\n      path: /spec/scope\n", nil, "spec.scope", "", "kustomization.yaml:6 /spec/scope {crd.yaml spec.scope: removes it; }"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"kustomization.yaml": test.kustomization, "crd.yaml": widget}
			maps.Copy(files, test.files)
			dir := folder(t, files)
			t.Cleanup(openapi.ResetOpenAPI) // kustomize keeps the schemas of a build
			built, _, err := Build(dir, 1<<20, true)
			if err != nil {
				t.Fatal(err)
			}
			spot := built[0].Locate(0, test.path, 0, 0, test.message)
			shown := func(path string) string {
				return filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(path, dir), string(filepath.Separator)))
			}
			line, _ := spot.File.Position(spot.Start)
			got := fmt.Sprintf("%s:%d %s", shown(spot.File.Path), line, spot.File.Source[spot.Start:spot.End])
			if l := spot.Loss; l != nil {
				got += fmt.Sprintf(" {%s %s: %s; %s}", shown(l.File), l.Path, l.Does, l.Instead)
			}
			if got != test.want {
				t.Errorf("got %q, want %q\n%s", got, test.want, built[0].Text)
			}
		})
	}
}

// merging is a schema by which kustomize merges versions by their names.
const merging = `{"definitions": {"crd": {
  "x-kubernetes-group-version-kind": [{"group": "apiextensions.k8s.io", "version": "v1", "kind": "CustomResourceDefinition"}],
  "properties": {"spec": {"properties": {"versions": {"type": "array", "items": {"type": "object"},
    "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}}}}}`
