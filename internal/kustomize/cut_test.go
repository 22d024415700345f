package kustomize

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestBuildWithoutSchemas builds the same with and without schemas, where nothing changes these, whatever they are written like, and where
// a patch does, against what was said.
func TestBuildWithoutSchemas(t *testing.T) {
	block := strings.Replace(widget, "    schema: {openAPIV3Schema: {type: object}}\n", `    schema:
      openAPIV3Schema:
        description: |
          Some lines,

            and more.
# a comment that stands further out
        properties:
          spec:
            # one that does not
            properties:
            - a
            type: object
        type: object
  - name: v2
    served: true
    storage: false
    schema:
        openAPIV3Schema:
            type: object`, 1)
	scope := "resources: [crd.yaml]\npatches:\n- target: {name: widgets.example.com}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/scope\", \"value\": \"Cluster\"}]'\n"
	for name, files := range map[string]map[string]string{
		"a block":        {"kustomization.yaml": "resources: [crd.yaml]\n", "crd.yaml": block},
		"in one line":    {"kustomization.yaml": "resources: [crd.yaml]\n", "crd.yaml": widget},
		"CRLF":           {"kustomization.yaml": "resources: [crd.yaml]\n", "crd.yaml": strings.ReplaceAll(block, "\n", "\r\n")},
		"several":        {"kustomization.yaml": "resources: [crd.yaml]\n", "crd.yaml": block + "\n---\n" + gadget},
		"indented lists": {"kustomization.yaml": "resources: [crd.yaml]\n", "crd.yaml": strings.ReplaceAll(strings.ReplaceAll(block, "\n    ", "\n      "), "\n  -", "\n    -")},
		"an anchor":      {"kustomization.yaml": "resources: [crd.yaml]\n", "crd.yaml": strings.Replace(strings.Replace(block, "spec:\n            #", "spec: &a\n            #", 1), "            type: object\n  ", "            type: object\n  ", 1)},
		"another patch":  {"kustomization.yaml": scope, "crd.yaml": block},
		"a patch of it":  {"kustomization.yaml": strings.Replace(scope, `"/spec/scope", "value": "Cluster"`, `"/spec/versions/0/schema/openAPIV3Schema/type", "value": "string"`, 1), "crd.yaml": block},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, files)
			with, _, err := Build(dir, 1<<20, true)
			if err != nil {
				t.Fatal(err)
			}
			without, _, err := Build(dir, 1<<20, false)
			if err != nil {
				t.Fatal(err)
			}
			sameBuild(t, with, without)
		})
	}
	if c := (&cutter{}); string(c.cut([]byte(block))) == block || len(c.cuts) != 2 {
		t.Errorf("%d schemas are cut", len(c.cuts))
	}
}

// sameBuild compares what is built whole with what is built with placeholders.
func sameBuild(t *testing.T, with, without []*File) {
	t.Helper()
	if len(with) != len(without) {
		t.Fatalf("got %d files, want %d", len(without), len(with))
	}
	for i, f := range with {
		other := without[i]
		if len(f.built().Documents) != len(other.built().Documents) {
			t.Fatalf("got %s, want %s", other.Text, f.Text)
		}
		for d := range f.built().Documents {
			if !equal(f.crd(d).Node, other.crd(d).Node) {
				t.Errorf("got %s, want %s", other.Text, f.Text)
			}
			base, _ := f.sources.of(f.crds[d], f.Path)
			for _, path := range slices.Concat(pathsOf("", f.crd(d).Node), pathsOf("", base.crd.Node)) {
				if name := base.crd.Name(); f.Changes(name, path) != other.Changes(name, path) {
					t.Errorf("%s is changed: %t", path, other.Changes(name, path))
				}
			}
		}
		if f.IsChanged() != other.IsChanged() || strings.Contains(string(other.Text), placeholder) {
			t.Errorf("got %s", other.Text)
		}
	}
}

// pathsOf are the paths of all that is below a node.
func pathsOf(at string, n *yaml.Node) (all []string) {
	for i, below := range n.Content {
		path := fmt.Sprintf("%s[%d]", at, i)
		if n.Kind == yaml.MappingNode {
			path = at + "[" + n.Content[i/2*2].Value + "]"
		}
		all = append(append(all, path), pathsOf(path, below)...)
	}
	return all
}

// TestBuildAlongPatches builds what patches change inside schemas with these and with placeholders beside the patches' ways, and
// says for which patches placeholders do.
func TestBuildAlongPatches(t *testing.T) {
	const schema = `openAPIV3Schema:
        type: object
        description: >-
          Folded
          text.
        properties:
          spec:
            description: What is wanted.
            type: object
            required:
            - size
            properties:
              # how many
              size:
                type: integer
                enum: [1, 2, 3]
                default: 1
              nothing:
                description: Has empty values.
                nullable: true
                default: null
                properties: {}
              a/b:
                type: object
                properties:
                  "c~d":
                    type: string
                    description: 'Two
                      lines.'
                  e:
                    type: array
                    items:
                      type: object
                      properties:
                        f:
                          type: string
          status:
            type: object
            x-kubernetes-validations:
            - rule: self == self
              message: |
                Always.

                  Indented.
            properties:
              state:
                type: string
`
	spaced := strings.Replace(widget, "schema: {openAPIV3Schema: {type: object}}\n", "schema:\n      "+schema, 1)
	spaced += strings.Replace(spaced[strings.Index(spaced, "  - name: v1"):], "v1\n    served: true\n    storage: true", "v2\n    served: true\n    storage: false", 1)
	crds := map[string]string{"base/crd.yaml": spaced, "base/gadget.yaml": strings.NewReplacer("widget", "gadget", "Widget", "Gadget").Replace(spaced)}
	crds["base/older.yaml"] = strings.Replace(widget[:strings.Index(widget, "  versions:")], "/v1", "/v1beta1", 1) + "  version: v1\n  validation:\n      " + schema
	crds["base/older.yaml"] = strings.ReplaceAll(crds["base/older.yaml"], "idget", "hing")
	const older = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata:\n  name: whings.example.com\nspec:\n  validation:\n      openAPIV3Schema:\n"
	const root = "/spec/versions/0/schema/openAPIV3Schema"
	const named, all = "{name: widgets.example.com}", "{kind: CustomResourceDefinition, name: .*dgets.example.com}"
	remove := func(path string) string { return "- {op: remove, path: " + path + "}\n" }
	for _, test := range []struct {
		name, target, patch string
		whole               bool // it needs the schemas
	}{
		{"remove", named, remove(root + "/properties/spec/properties/size"), false},
		{"remove a mapping", named, remove(root + "/properties/status/properties"), false},
		{"remove by escapes", named, remove(root + "/properties/spec/properties/a~1b/properties/c~0d"), false},
		{"remove from several", all, remove(root + "/properties/spec/properties/a~1b/properties/e/items/properties"), false},
		{"remove from both versions", named, remove(root+"/properties/spec/properties/size") + remove("/spec/versions/1/schema/openAPIV3Schema/properties/status"), false},
		{"remove all of a schema", named, remove("/spec/versions/1/schema/openAPIV3Schema"), false},
		{"remove a version", named, remove("/spec/versions/1"), false},
		{"remove the version before one with the same schema", named, remove("/spec/versions/0"), false},
		{"add", named, "- {op: add, path: " + root + "/properties/more, value: {type: object}}\n", false},
		{"add over", named, "- {op: add, path: " + root + "/properties/spec, value: {type: string}}\n", false},
		{"add to a list", named, "- {op: add, path: " + root + "/properties/spec/required/-, value: a/b}\n", false},
		{"add to a list in one line", named, "- {op: add, path: " + root + "/properties/spec/properties/size/enum/0, value: 0}\n", false},
		{"add inside a value in one line", named, "- {op: add, path: " + root + "/properties/spec/properties/nothing/properties/n, value: {type: string}}\n", false},
		{"replace", named, "- {op: replace, path: " + root + "/properties/spec/properties/size/default, value: 2}\n", false},
		{"replace lines", named, "- {op: replace, path: " + root + "/properties/spec/properties/a~1b/properties/c~0d/description, value: One.}\n", false},
		{"replace an item of a list", named, "- {op: replace, path: " + root + "/properties/status/x-kubernetes-validations/0/message, value: Never.}\n", false},
		{"test and replace", named, "- {op: test, path: " + root + "/properties/status/properties, value: {state: {type: string}}}\n- {op: replace, path: " + root + "/properties/status/properties/state/type, value: integer}\n", false},
		{"test what is around", named, "- op: test\n  path: /spec/versions/0/schema\n  value:\n      " + schema + remove(root+"/properties/spec"), true},
		{"move", named, "- {op: move, from: " + root + "/properties/spec/properties/a~1b, path: " + root + "/properties/moved}\n", false},
		{"copy", named, "- {op: copy, from: " + root + "/properties/status, path: " + root + "/properties/spec/properties/again}\n", false},
		{"copy into a list", named, "- {op: add, path: " + root + "/properties/spec/anyOf, value: []}\n- {op: copy, from: " + root + "/properties/status, path: " + root + "/properties/spec/anyOf/-}\n", false},
		{"copy and change", named, "- {op: copy, from: " + root + "/properties/status, path: " + root + "/properties/again}\n" + remove(root+"/properties/again/properties/state"), false},
		{"copy a version", named, "- {op: copy, from: /spec/versions/0, path: /spec/versions/-}\n" + remove("/spec/versions/2/schema/openAPIV3Schema/properties/status"), false},
		{"merge labels", "", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\n  labels: {a: b}\n", false},
		{"merge versions", "", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgets.example.com\nspec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n", false},
		{"merge into a schema", "", older + "        properties:\n          spec:\n            description: Else.\n            properties:\n              size: {minimum: 0}\n              nothing: null\n", false},
		{"merge lists", "", older + "        properties:\n          spec:\n            required: [a/b]\n            properties:\n              size: {enum: [4]}\n", false},
		{"merge by directives", "", older + "        properties:\n          spec:\n            properties:\n              a/b: {$patch: delete}\n          status:\n            $patch: replace\n            type: string\n", false},
		{"merge a scalar into a mapping", "", older + "        properties:\n          status: null\n          more: {type: object}\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			entry := "- path: patch.yaml\n"
			if test.target != "" {
				entry += "  target: " + test.target + "\n"
			}
			inline := strings.Replace(entry, "path: patch.yaml", "patch: |-\n    "+strings.ReplaceAll(strings.TrimSpace(test.patch), "\n", "\n    "), 1)
			variants := map[string]string{"file": "patches:\n" + entry, "inline": "patches:\n" + inline}
			if test.target == "" {
				variants["older"] = "patchesStrategicMerge: [patch.yaml]\n"
			} else if test.target == named {
				variants["older"] = "patchesJson6902:\n" + strings.ReplaceAll(entry, named, "{group: apiextensions.k8s.io, version: v1, kind: CustomResourceDefinition, name: widgets.example.com}")
			}
			for how, patches := range variants {
				files := maps.Clone(crds)
				files["over/kustomization.yaml"], files["over/patch.yaml"] = "resources: [../base]\n"+patches, test.patch
				files["base/kustomization.yaml"] = "resources: [crd.yaml, gadget.yaml, older.yaml]\n"
				dir := folder(t, files)
				with, _, err := Build(filepath.Join(dir, "over"), 1<<20, true)
				if err != nil {
					t.Fatal(how, err)
				}
				without, read, err := Build(filepath.Join(dir, "over"), 1<<20, false)
				if err != nil {
					t.Fatal(how, err)
				}
				sameBuild(t, with, without)
				if c := with[0].sources.cutter; c != nil {
					t.Errorf("%s: built whole with placeholders", how)
				}
				if whole := without[0].sources.cutter == nil; whole != test.whole {
					t.Errorf("%s: built whole: %t of %s", how, whole, read)
				}
			}
		})
	}
}

// TestFollowNoDevice: a patch that kustomize rejects is not read before it does, nor are the aliases of one counted out.
func TestFollowNoDevice(t *testing.T) {
	bomb := "a: &a {x: 1, y: 2}\n"
	for c := 'b'; c < 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c {x: *%c, y: *%c}\n", c, c, c-1, c-1)
	}
	c := &cutter{}
	c.follow(t.TempDir(), &types.Kustomization{Patches: []types.Patch{{Path: "../../../../../../../../dev/zero"}, {Patch: bomb}}}, 1<<20)
	if c.kept != nil {
		t.Errorf("it follows %v", c.kept)
	}
}
