package crd

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/testing/corpus"
	"github.com/crdlift/crdlift/internal/testing/outofsync"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// roomy is a v1 CRD with places for more: in its metadata, its spec, its names, its version and a property.
const roomy = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: beacons.signals.example.org%s}
spec:
  group: signals.example.org
  scope: Namespaced
  names: {plural: beacons, kind: Beacon%s}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {%s}}}}%s}
%s`

// TestDiscrepancies has every kind of difference, and what looks like one.
func TestDiscrepancies(t *testing.T) {
	const a = "spec.versions[0].schema.openAPIV3Schema.properties[a]"
	for _, tt := range []struct{ metadata, names, property, version, rest, want string }{
		{want: ""},

		{property: "nullable: false", want: a + ".nullable"},
		{property: "description: ''", want: a + ".description"},
		{property: "maxLength: 0", want: ""}, // a pointer
		{property: "required: []", want: a + ".required"},
		{property: "properties: {}", want: a + ".properties"},
		{property: "items: {}", want: ""},
		{property: "items: []", want: a + ".items"},
		{property: "items: [{type: string, nullable: no}]", want: a + ".items[0].nullable"},
		{property: "additionalProperties: false", want: ""},
		{property: "additionalProperties: {uniqueItems: false}", want: a + ".additionalProperties.uniqueItems"},
		{property: "x-kubernetes-validations: [{rule: 'true', message: ''}]", want: a + ".x-kubernetes-validations[0].message"},
		{property: "enum: [], pattern: ''", want: a + ".enum " + a + ".pattern"},
		{property: "default: {a: false, b: [], c: null, d: ''}, example: ''", want: ""}, // any JSON stays as it is
		{property: "externalDocs: {url: ''}", want: a + ".externalDocs.url"},
		{version: ", deprecated: false", want: "spec.versions[0].deprecated"},
		{version: ", subresources: {}", want: ""},
		{version: ", additionalPrinterColumns: [{name: A, type: string, jsonPath: .a, priority: 0}]", want: "spec.versions[0].additionalPrinterColumns[0].priority"},
		{names: ", categories: [], shortNames: []", want: "spec.names.categories spec.names.shortNames"},
		{rest: "  preserveUnknownFields: false", want: "spec.preserveUnknownFields"},

		// numbers are compared as numbers of JSON
		{property: "type: number, maximum: 1.0, minimum: 1e3, multipleOf: 0.50, default: 1.50", want: ""},
		{property: "maximum: 9223372036854775807, minimum: -9223372036854775808, default: 18446744073709551615", want: ""},
		{property: "maximum: 0", want: ""},

		// null is absence
		{property: "description: null", want: ""},
		{property: "enum: [null, a], default: null", want: ""},
		{names: ", categories: null", want: ""},
		{metadata: ", creationTimestamp: null, labels: {a: null}", want: ""},

		// what the server sets
		{names: ", singular: ''", want: `spec.names.singular="beacon"`},
		{names: ", singular: null", want: ""},
		{rest: "  conversion: {}", want: ""},
		{rest: "status: {conditions: [], storedVersions: []}", want: ""},
		{
			rest: "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [], clientConfig: {service: {name: a, namespace: b, path: ''}}}}", want: "",
		},
		{
			rest: "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://example.org', caBundle: \"Y2VydA\\n==\"}}}",
			want: `spec.conversion.webhook.clientConfig.caBundle="Y2VydA=="`,
		},

		// metadata
		{metadata: ", labels: {}, annotations: {}", want: "metadata.labels"},
		{metadata: ", labels: {a: ''}, annotations: {a: ''}", want: ""},
		{metadata: ", labels: {annotations: ''}, creationTimestamp: '2024-05-02T08:13:20+02:00'", want: ""},
		{metadata: ", generation: 0", want: "metadata.generation"},
		{property: "title: '', properties: {annotations: {title: ''}}", want: a + ".title " + a + ".properties[annotations].title"},

		// fields that the server does not know
		{property: "nulable: false, nullable: false", want: a + ".nullable"},
		{property: "items: {nulable: false}", want: ""},

		// aliases and merge keys
		{property: "items: &b {nullable: false}, additionalProperties: *b", want: a + ".items.nullable " + a + ".additionalProperties.nullable"},
		{property: "properties: {b: &b {nullable: false}, c: {<<: *b, title: ''}}", want: a + ".properties[b].nullable " + a + ".properties[c].nullable " + a + ".properties[c].title"},
		{property: "nullable: true, nullable: false", want: a + ".nullable"},
		{property: "nullable: false, nullable: true", want: ""},
	} {
		text := fmt.Sprintf(roomy, tt.metadata, tt.names, tt.property, tt.version, tt.rest)
		c := only(t, text)
		var got []string
		for _, d := range c.Discrepancies() {
			path := d.Key.Path
			if d.Returned != nil {
				path += fmt.Sprintf("=%q", d.Returned)
			}
			got = append(got, path)
			if at, complete := c.Resolve(Steps(d.Key.Path)); !complete || at.Node != d.Value {
				t.Errorf("%s is not where the value is", d.Key.Path)
			}
			if key := d.Key.Node; Deref(key).Value != LastField(d.Key.Path) {
				t.Errorf("%s has the key %s", d.Key.Path, key.Value)
			}
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, tt.want)
		}
		if differs, ok := shownByArgoCD(t, c); ok && differs != (tt.want != "") {
			t.Errorf("%s\nArgo CD shows a difference: %v", text, differs)
		}
	}
}

// TestDiscrepanciesOfOthers: servers return no v1beta1, and nothing for what they cannot read.
func TestDiscrepanciesOfOthers(t *testing.T) {
	text := fmt.Sprintf(roomy, "", "", "nullable: false", "", "")
	for _, other := range []string{
		strings.Replace(text, "k8s.io/v1\n", "k8s.io/v1beta1\n", 1), strings.Replace(text, "served: true", "served: 1", 1),
	} {
		if all := only(t, other).Discrepancies(); len(all) > 0 {
			t.Errorf("%s\n%v", other, all)
		}
	}
}

// TestAlike compares values of different kinds. No server is known to return another kind, or another number of items.
func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		written  string
		returned any
		want     bool
	}{
		{"[a, b]", []any{"c", "d"}, true}, {"[a]", []any{"a", "b"}, false}, {"{}", []any{}, false}, {"[]", map[string]any{}, false}, {"{a: b}", map[string]any{}, true},
		{"a", map[string]any{}, false}, {"a", []any{}, false}, {"{}", nil, false}, {"{}", "", false}, {"a", "a", true}, {"a", "b", false}, {"1", "1", false}, {"1", 1.0, true},
		{"1.0", int64(1), true}, {"on", true, true}, {"off", true, false},
	} {
		n := parseJSON([]byte(tt.written)) // which is YAML
		if got := alike(n, tt.returned); got != tt.want {
			t.Errorf("%s, returned as %#v: %v", tt.written, tt.returned, got)
		}
	}
}

// shownByArgoCD reports whether Argo CD shows a difference between a CRD and what a server returns for it; ok is false where the
// server would not have taken all of it.
func shownByArgoCD(t *testing.T, c *CRD) (differs, ok bool) {
	t.Helper()
	d, err := c.Decode()
	if err != nil || c.Version != V1 || len(c.UnknownFields()) > 0 {
		return false, false
	}
	stored, err := ToV1(d.Hub)
	if err != nil {
		t.Fatal(err)
	}
	stored.APIVersion, stored.Kind = Group+"/v1", Kind
	live, err := json.Marshal(stored)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := yaml11.ToJSON(c.Node)
	if err != nil {
		t.Fatal(err)
	}
	if differs, err = outofsync.Differs(manifest, live); err != nil {
		t.Fatal(err)
	}
	return differs, true
}

// TestDiscrepanciesAreShown compares with what Argo CD shows of real manifests: a difference where there are discrepancies, and
// only there.
func TestDiscrepanciesAreShown(t *testing.T) {
	t.Parallel()
	shown, compared := 0, 0
	for _, path := range corpus.Sample(t, corpus.Files(t, "v1"), 12) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range Parse(src) {
			differs, ok := shownByArgoCD(t, c)
			if !ok {
				continue
			}
			compared++
			if differs {
				shown++
			}
			if found := c.Discrepancies(); differs != (len(found) > 0) {
				t.Errorf("%s: Argo CD shows a difference: %v; found %v", path, differs, found)
			}
		}
	}
	t.Logf("Argo CD shows differences of %d in %d CRDs", shown, compared)
	if compared == 0 {
		t.Error("nothing was compared")
	}
}
