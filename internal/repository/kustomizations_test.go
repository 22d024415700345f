package repository

import (
	"maps"
	"strings"
	"testing"
)

// TestBuilds has several kustomizations build on sources, and says which of them is built: "folder: the CRDs", with "as they are" where
// that changes nothing.
func TestBuilds(t *testing.T) {
	t.Parallel()
	const patch = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.org}\nspec: {scope: Cluster}\n"
	sources := files{
		"config/crd/bases/widgets.yaml": whole("Widget.example.org", true),
		"config/crd/bases/gadgets.yaml": whole("Gadget.example.org", true),
	}
	const both = "resources: [bases/widgets.yaml, bases/gadgets.yaml]\n"
	for _, test := range []struct {
		name  string
		files files
		want  string
	}{
		{"no kustomization", files{}, ""},
		{"one that lists them all", files{"config/crd/kustomization.yaml": both}, "config/crd: gadgets widgets as they are"},
		{"one that lacks one", files{"config/crd/kustomization.yaml": "resources: [bases/widgets.yaml]\n"}, "config/crd: widgets as they are"},
		{"that with the most of them", files{
			"config/a/kustomization.yaml":   "resources: [../crd/bases/widgets.yaml]\npatches: [{path: patch.yaml}]\n",
			"config/a/patch.yaml":           patch,
			"config/crd/kustomization.yaml": both,
		}, "config/crd: gadgets widgets as they are"},
		{"patches of what is listed alone", files{
			"config/a/kustomization.yaml": "resources: [../crd/bases/gadgets.yaml]\n",
			"config/b/kustomization.yaml": "resources: [../crd/bases/gadgets.yaml]\npatches: [{target: {name: widgets.*}, path: p.yaml}]\n",
			"config/b/p.yaml":             "[]\n",
		}, "config/a: gadgets as they are"},
		{"one that names what is not there", files{"config/crd/kustomization.yaml": "resources: [bases/widgets.yaml, bases/gadgets.yaml, gone.yaml]\n"}, "config/crd: gadgets widgets"},
		{"one that fetches", files{"config/crd/kustomization.yaml": both + "bases: [https://example.com/crds]\n"}, "config/crd: gadgets widgets"},
		{"transformers", files{"config/crd/kustomization.yaml": both + "configurations: [c.yaml]\n"}, "config/crd: gadgets widgets as they are"},
		{"labels", files{"config/crd/kustomization.yaml": both + "commonLabels: {a: b}\n"}, "config/crd: gadgets widgets"},
		{"options of generators", files{"config/crd/kustomization.yaml": both + "generatorOptions: {disableNameSuffixHash: true}\n"}, "config/crd: gadgets widgets"},
		{"the nearest of nested ones", files{
			"config/crd/kustomization.yaml":     both,
			"config/default/kustomization.yaml": "resources: [../crd]\nnamespace: system\n",
		}, "config/crd: gadgets widgets as they are"},
		{"that with patches", files{
			"config/crd/kustomization.yaml":     both,
			"config/default/kustomization.yaml": "resources: [../crd]\npatches: [{path: patch.yaml}]\n",
			"config/default/patch.yaml":         patch,
			"config/more/kustomization.yaml":    "resources: [../default]\npatches: [{path: patch.yaml}]\n",
			"config/more/patch.yaml":            patch,
		}, "config/default: gadgets widgets"},
		{"not that with patches of something else", files{
			"config/crd/kustomization.yaml":     both,
			"config/default/kustomization.yaml": "resources: [../crd, d.yaml]\npatches: [{path: patch.yaml}, {target: {kind: Deployment, name: other}, patch: '[]'}]\n",
			"config/default/patch.yaml":         "kind: Deployment\n",
			"config/default/d.yaml":             "kind: Deployment\n",
		}, "config/crd: gadgets widgets as they are"},
		{"a patch of a CRD by name", files{
			"config/crd/kustomization.yaml":     both,
			"config/default/kustomization.yaml": "resources: [../crd]\npatchesJson6902: [{path: patch.yaml, target: {name: widgets.*}}]\n",
			"config/default/patch.yaml":         "[]\n",
		}, "config/default: gadgets widgets"},
		{"a patch of CRDs by kind", files{
			"config/crd/kustomization.yaml":     both,
			"config/default/kustomization.yaml": "resources: [../crd]\npatches: [{patch: '[]', target: {kind: CustomResourceDefinition}}]\n",
		}, "config/default: gadgets widgets"},
		{"an inline patch", files{
			"config/crd/kustomization.yaml":    both,
			"config/default/kustomization.yml": "resources: [../crd]\npatchesStrategicMerge:\n- |-\n  " + strings.ReplaceAll(patch, "\n", "\n  ") + "\n",
		}, "config/default: gadgets widgets"},
		{"a component with patches", files{
			"config/crd/kustomization.yaml":                both,
			"config/default/kustomization.yaml":            "resources: [../crd]\ncomponents: [../components/webhook]\n",
			"config/components/webhook/kustomization.yaml": "kind: Component\npatches: [{path: patch.yaml}]\n",
			"config/components/webhook/patch.yaml":         patch,
		}, "config/default: gadgets widgets"},
		{"none of a test", files{"test/e2e/kustomization.yaml": "resources: [../../config/crd/bases/widgets.yaml, ../../config/crd/bases/gadgets.yaml]\n"}, ""},
		{"none that is not asked for", files{"other/kustomization.yaml": "resources: [../config/crd/bases/widgets.yaml, ../config/crd/bases/gadgets.yaml]\n"}, ""},
		{"of two alike, by name", files{
			"b/kustomization.yaml":                "resources: [../config/crd/bases]\n",
			"a/kustomization.yaml":                "resources: [../config/crd/bases]\n",
			"config/crd/bases/kustomization.yaml": "resources: [widgets.yaml, gadgets.yaml, ../../../a]\n",
		}, "a: gadgets widgets as they are"},
		{"two groups", files{
			"config/crd/kustomization.yaml":  both + "patches: [{path: patch.yaml}]\n",
			"config/crd/patch.yaml":          patch,
			"config/rest/cogs.yaml":          whole("Cog.example.net", true),
			"config/rest/kustomization.yaml": "resources: [cogs.yaml]\n",
			"config/mine/axles.yaml":         whole("Axle.example.net", true),
		}, "config/crd: gadgets widgets\nconfig/rest: cogs as they are"},
		{"two groups in one build", files{
			"config/crd/kustomization.yaml": "resources: [bases/widgets.yaml, bases/gadgets.yaml, bases/cogs.yaml]\n",
			"config/crd/bases/cogs.yaml":    whole("Cog.example.net", true),
		}, "config/crd: cogs gadgets widgets as they are"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tree := maps.Clone(sources)
			maps.Copy(tree, test.files)
			asked := func(file string) bool { return !strings.HasPrefix(file, "other/") }
			var told []string
			for _, b := range Look(tree).Builds(asked) {
				line := b.Folder + ":"
				for _, d := range b.Sources {
					line += " " + strings.TrimSuffix(strings.TrimSuffix(d.Name, ".example.org"), ".example.net")
				}
				if b.Plain {
					line += " as they are"
				}
				told = append(told, line)
			}
			if got := strings.Join(told, "\n"); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestPatches gives their role to the files that patch CRDs, and not to those that patch something else, or in tests.
func TestPatches(t *testing.T) {
	t.Parallel()
	const patches = "# no patch of a line\npatches:\n- path: part.yaml\n- path: deployment.yaml\n- path: ops.json\n  target: {kind: CustomResourceDefinition}\n"
	tree := files{
		"config/widgets.yaml":       whole("Widget.example.org", true),
		"config/kustomization.yaml": patches + "patchesStrategicMerge: [other.yaml, gone.yaml]\n",
		"config/part.yaml":          "kind: CustomResourceDefinition\n",
		"config/other.yaml":         "kind: CustomResourceDefinition\n",
		"config/deployment.yaml":    "kind: Deployment\n",
		"config/ops.json":           "[]\n",
		"test/kustomization.yaml":   patches,
		"test/part.yaml":            "kind: CustomResourceDefinition\n",
	}
	r := Look(tree)
	for file, want := range map[string]string{
		"config/part.yaml":       "patch, config/kustomization.yaml:3 patches CRDs with it",
		"config/other.yaml":      "patch, config/kustomization.yaml:7 patches CRDs with it",
		"config/ops.json":        "patch, config/kustomization.yaml:5 patches CRDs with it",
		"config/deployment.yaml": "product, nothing here says otherwise",
		"test/part.yaml":         "test, the folder is called test",
	} {
		d := r.File(file)
		if got := string(d.Role) + ", " + d.Because.String(); got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}
