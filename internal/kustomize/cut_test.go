package kustomize

import (
	"strings"
	"testing"
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
			for i, f := range with {
				other := without[i]
				if len(f.built.Documents) != len(other.built.Documents) {
					t.Fatalf("got %s, want %s", other.Text, f.Text)
				}
				for d := range f.built.Documents {
					if !equal(f.crd(d).Node, other.crd(d).Node) {
						t.Errorf("got %s, want %s", other.Text, f.Text)
					}
				}
				if f.IsChanged() != other.IsChanged() || strings.Contains(string(other.Text), "crdlift-schema") {
					t.Errorf("got %s", other.Text)
				}
			}
		})
	}
	if c := (&cutter{}); string(c.cut([]byte(block))) == block || len(c.schemas) != 2 {
		t.Errorf("%d schemas are cut", len(c.schemas))
	}
}
