package xrd_test

import (
	"encoding/json"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/xrd"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// find are the CRDs that are made of a text.
func find(t *testing.T, text string) []*crd.CRD {
	t.Helper()
	found, _ := xrd.Find(manifest.Parse("", []byte(text)).Documents[0].Root.YNode())
	return found
}

func at(t *testing.T, c *crd.CRD, path string) string {
	t.Helper()
	in, complete := c.Resolve(crd.Steps(path))
	if !complete {
		return ""
	}
	raw, err := yaml11.ToJSON(in.Node)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	sorted, _ := json.Marshal(v)
	return string(sorted)
}

const claimed = `
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xsqls.example.org, labels: {x: b, b: one}, annotations: {not: taken}}
spec:
  group: example.org
  names: {kind: XSQL, plural: xsqls, categories: [all]}
  claimNames: {kind: SQL, plural: sqls}
  metadata: {labels: {b: two}, annotations: {taken: "yes"}}
  defaultCompositeDeletePolicy: Foreground
  versions:
  - name: v1
    served: true
    referenceable: true
    additionalPrinterColumns: [{name: SIZE, type: string, jsonPath: .spec.size}]
    subresources: {scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}
    schema:
      openAPIV3Schema:
        type: object
        description: databases
        required: [status]
        properties:
          metadata: {properties: {name: {maxLength: 20, pattern: a}}}
          spec:
            type: object
            required: [size]
            minProperties: 1
            properties:
              size: {type: string}
              resourceRef: {type: integer}
          status: {properties: {count: {type: integer}}}
`

func TestMade(t *testing.T) {
	t.Parallel()
	all := find(t, claimed)
	if len(all) != 2 || all[0].Name() != "xsqls.example.org" || all[1].Name() != "sqls.example.org" {
		t.Fatalf("got %d CRDs", len(all))
	}
	const schema = "spec.versions[0].schema.openAPIV3Schema"
	const spec = schema + ".properties[spec]"
	for _, story := range []struct{ name, path, composite, claim string }{
		{"labels are those of both metadata", "metadata.labels", `{"b":"two","x":"b"}`, `{"b":"two","x":"b"}`},
		{"annotations are those for CRDs", "metadata.annotations", `{"taken":"yes"}`, `{"taken":"yes"}`},
		{"a category is added", "spec.names.categories", `["all","composite"]`, `["claim"]`},
		{"scope", "spec.scope", `"Cluster"`, `"Namespaced"`},
		{"storage", "spec.versions[0].storage", `true`, `true`},
		{"columns are added", "spec.versions[0].additionalPrinterColumns[3].name", `"COMPOSITION"`, `"CONNECTION-SECRET"`},
		{"scale is kept", "spec.versions[0].subresources.scale.specReplicasPath", `".spec.n"`, `".spec.n"`},
		{"status is added", "spec.versions[0].subresources.status", `{}`, `{}`},
		{"a description stays", schema + ".description", `"databases"`, `"databases"`},
		{"required of the root is Crossplane's", schema + ".required", `["spec"]`, `["spec"]`},
		{"of metadata, the length of a name stays", schema + ".properties[metadata]",
			`{"properties":{"name":{"maxLength":20,"type":"string"}},"type":"object"}`, `{"properties":{"name":{"maxLength":20,"type":"string"}},"type":"object"}`},
		{"required of spec stays", spec + ".required", `["size"]`, `["size"]`},
		{"other keywords of spec do not", spec + ".minProperties", "", ""},
		{"properties stay", spec + ".properties[size]", `{"type":"string"}`, `{"type":"string"}`},
		{"claims have a field of their own", spec + ".properties[resourceRef].type", `"integer"`, `"object"`},
		{"update policy", spec + ".properties[compositionUpdatePolicy].default", `"Automatic"`, ""},
		{"delete policy", spec + ".properties[compositeDeletePolicy].default", "", `"Foreground"`},
		{"secrets", spec + ".properties[writeConnectionSecretToRef].required", `["name","namespace"]`, `["name"]`},
		{"properties of status stay", schema + ".properties[status].properties[count]", `{"type":"integer"}`, `{"type":"integer"}`},
		{"status has conditions", schema + ".properties[status].properties[conditions].x-kubernetes-list-type", `"map"`, `"map"`},
	} {
		if got := at(t, all[0], story.path); got != story.composite {
			t.Errorf("%s: composite has %s, want %s", story.name, got, story.composite)
		}
		if got := at(t, all[1], story.path); got != story.claim {
			t.Errorf("%s: claim has %s, want %s", story.name, got, story.claim)
		}
	}
	for _, c := range all {
		if d, err := c.Decode(); err != nil || !d.Known {
			t.Errorf("%s: %v", c.Name(), err)
		}
	}
}

// TestOdd makes CRDs of objects that have anything in the place of what is expected.
func TestOdd(t *testing.T) {
	t.Parallel()
	const head = "{apiVersion: apiextensions.crossplane.io/v1, kind: CompositeResourceDefinition, "
	for text, want := range map[string]int{
		head + "metadata: {labels: [a, b]}}": 1, head + "spec: null}": 1, head + "spec: [x]}": 1, head + "metadata: 5}": 1,
		head + "spec: {group: a, names: x, claimNames: y, versions: {v1: z}}}":                                                                   1,
		head + "spec: {group: a, claimNames: {}, versions: [x, null, {schema: []}]}}":                                                            1,
		head + "spec: {group: a, versions: [{schema: {openAPIV3Schema: {properties: [x]}}}]}}":                                                   1,
		head + "spec: {group: a, versions: [{schema: {openAPIV3Schema: {properties: {spec: &s {properties: *s}, metadata: 5, status: [x]}}}}]}}": 1,
		"{apiVersion: apiextensions.crossplane.io/v3, kind: CompositeResourceDefinition, spec: {group: a}}":                                      0,
	} {
		if got := find(t, text); len(got) != want {
			t.Errorf("%d CRDs, want %d, of %s", len(got), want, text)
		}
	}
}
