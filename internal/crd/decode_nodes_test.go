package crd

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// byUpstream reads a CRD as its server does, by way of JSON.
func byUpstream(t *testing.T, c *CRD) (*Object, error) {
	t.Helper()
	raw, err := yaml11.ToJSON(c.Node)
	if err != nil {
		return nil, err
	}
	return DecodeJSON(raw, c.Version)
}

// TestPlainKeys wants a CRD to have plain keys only where each is there once, and is what it seems to be.
func TestPlainKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, schema string
		want         bool
	}{
		{"plain", "{type: object, properties: {a: {type: string, default: x, enum: [x, y]}, name: {type: string}}}", true},
		{"quoted", `{type: object, properties: {"on": {type: string}, '010': {type: string}}}`, true},
		{"a boolean", "{type: object, properties: {on: {type: string}}}", false},
		{"a boolean before another", "{type: object, properties: {on: {type: string}, a: {type: string}}}", false},
		{"an octal number", "{type: object, properties: {010: {type: string}}}", false},
		{"a keyword twice", "{type: object, type: object}", false},
		{"a property twice", "{type: object, properties: {a: {type: string}, a: {type: string}}}", false},
		{"in a default", "{type: object, default: {a: 1, a: 2}}", false},
		{"in a default's list", "{type: array, default: [{on: 1}]}", false},
		{"in an enum", "{enum: [{on: 1}]}", false},
		{"an alias", "{type: object, properties: {a: &x {on: {}}, b: *x}}", false},
	} {
		c := Parse([]byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {versions: [{name: v1, schema: {openAPIV3Schema: " + tt.schema + "}}]}\n"))
		d, err := c[0].Decode()
		if got := err == nil && d.PlainKeys; got != tt.want {
			t.Errorf("%s: got %v (%v)", tt.name, got, err)
		}
	}
}

// asUpstream reports whether decodeNodes read a CRD, and fails when it read something else than upstream.
func asUpstream(t *testing.T, name string, c *CRD) bool {
	t.Helper()
	obj, in := newObject(c.Version), &decoder{toHub: true}
	if obj == nil || !in.into(c.Node, obj) {
		return false
	}
	want, err := byUpstream(t, c)
	if unknown := c.UnknownFields(); err != nil || len(want.Strict) > 0 || len(unknown) > 0 {
		t.Errorf("%s: is read, but upstream says %v, strictly %v, and does not know %v", name, err, want, unknown)
		return true
	}
	got, err := toHub(obj, nil)
	if err == nil {
		in.restore(got.Hub)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: is read as\n%+v, %v\nbut by upstream as\n%+v", name, got, err, want)
	}
	return true
}

func TestDecodeNodes(t *testing.T) {
	t.Parallel()
	const schema = "spec: {versions: [{name: v1, schema: {openAPIV3Schema: %}}]}\n"
	for _, text := range []string{
		"metadata: {name: a, creationTimestamp: null, labels: {a: b, on: c}, annotations: {}, generation: 5}\nstatus: null\n",
		"metadata: {creationTimestamp: 2020-01-31T08:00:00Z, managedFields: [{fieldsV1: {a: {}}}], ownerReferences: [{controller: yes}]}\n",
		"spec: {names: {shortNames: [], categories: [~, a]}, preserveUnknownFields: off, versions: []}\n",
		strings.Replace(schema, "%", "{type: object, required: [], properties: {}, additionalProperties: false, items: [], enum: [~, 1, 1.0, x, {b: 1, a: 010}]}", 1),
		strings.Replace(schema, "%", "{items: {}, not: {}, additionalProperties: {}, allOf: [~, {}], nullable: y, default: null, example: !!str 5}", 1),
		strings.Replace(schema, "%", "{minimum: 9007199254740993, maximum: -0.0, multipleOf: 1e-7, maxLength: 0x10, pattern: \"\\u2028\\t<&\"}", 1),
		strings.Replace(schema, "%", "{properties: {1: {}, ~x: {default: {b: [1.0, 1e21, .5], a: on}}}, dependencies: {d: ~}, additionalItems: true}", 1),
		strings.Replace(schema, "%", "{x-kubernetes-validations: [{rule: a, optionalOldSelf: false}], x-kubernetes-list-map-keys: [a], externalDocs: {url: x}, $ref: a, definitions: {}}", 1),
	} {
		for _, version := range []string{"v1", "v1beta1"} {
			text := strings.Replace(header, "v1", version, 1) + text
			if !asUpstream(t, text, only(t, text)) {
				t.Errorf("is left to upstream:\n%s", text)
			}
		}
	}
	webhook := header + "spec: {conversion: {webhook: {clientConfig: {caBundle: YWJj, service: {port: 443, path: null}}, conversionReviewVersions: [v1]}}}\n"
	if !asUpstream(t, webhook, only(t, webhook)) {
		t.Errorf("is left to upstream:\n%s", webhook)
	}
	for _, rest := range []string{
		"metadata: {name: 5}", "metadata: {x: 1}", "metadata: {name: a, name: b}", "metadata: {labels: {1: a, \"1\": b}}", "metadata: {clusterName: a}",
		"metadata: &a {}\nspec: *a", "metadata: {<<: {name: a}}", "metadata: {labels: {<<: {a: b}}}", "metadata: {labels: {~: a}}", "metadata: {labels: {[a]: b}}",
		"metadata: {generation: 1.0}", "metadata: {generation: 18446744073709551615}", "metadata: {name: !!int x}", "metadata: {name: !!binary /w==}",
		"spec: {versions: {}}", "spec: {versions: [5]}", "spec: {scope: []}", "spec: {Group: x}", "metadata: {creationTimestamp: x}",
		"spec: {conversion: {webhook: {clientConfig: {service: {port: 4294967296}}}}}", "spec: {conversion: {webhook: {clientConfig: {caBundle: [.inf]}}}}",
		strings.Replace(schema, "%", "{minimum: .inf}", 1), strings.Replace(schema, "%", "{default: .nan}", 1), strings.Replace(schema, "%", "{default: [&a x, *a]}", 1),
		strings.Replace(schema, "%", "{dependencies: {c: {TYPE: x}}}", 1),
		"spec: {versions: [{schema: {openAPIV3Schema: {type: object, properties: {}}}}, {schema: {openAPIV3Schema: {type: object}}}]}",
		strings.Replace(schema, "%", "{items: 5}", 1), strings.Replace(schema, "%", "{additionalProperties: x}", 1), strings.Replace(schema, "%", "{additionalProperties: []}", 1),
		strings.Replace(schema, "%", strings.Repeat("{not: ", deepest)+"{}"+strings.Repeat("}", deepest), 1),
	} {
		if text := header + rest + "\n"; asUpstream(t, text, only(t, text)) {
			t.Errorf("is not left to upstream:\n%s", text)
		}
	}
}

// TestDecodeNodesCorpus reads real manifests both ways.
func TestDecodeNodesCorpus(t *testing.T) {
	t.Parallel()
	read, left := 0, 0
	for _, path := range corpus.Sample(t, corpus.Files(t), 12) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range Parse(src) {
			if asUpstream(t, path, c) {
				read++
			} else {
				left++
			}
		}
	}
	t.Logf("%d CRDs were read, %d left to upstream", read, left)
	if read < 9*left {
		t.Errorf("only %d CRDs were read, %d left to upstream", read, left)
	}
}
