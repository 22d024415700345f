package jsonschema

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/objects"
)

// define reads the CRD of a kind whose objects have the given schema, each line of which is further in.
func define(t *testing.T, schema string) *objects.Definition {
	t.Helper()
	crd := `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shelves.shop.example.com}
spec:
  group: Shop.example.com
  names: {kind: Shelf, plural: shelves}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        ` + strings.ReplaceAll(strings.TrimSpace(schema), "\n", "\n        ") + "\n"
	return definition(t, crd)
}

func definition(t *testing.T, crd string) *objects.Definition {
	t.Helper()
	found := objects.Definitions("crd.yaml", "crd.yaml", []byte(crd), true)
	if len(found) != 1 || found[0].Unread() != "" {
		t.Fatalf("%d CRDs in\n%s", len(found), crd)
	}
	return found[0]
}

// made is the schema of a version, and a part of it on one line.
func made(t *testing.T, d *objects.Definition, strict bool, path ...string) string {
	t.Helper()
	text, err := Of(d, "v1", strict)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range path {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		text = members[key]
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		t.Fatal(err)
	}
	return line.String()
}

// TestSchemas has what becomes of the schema of a field: where nulls and unknown fields are dropped, and where they are not. An empty
// strict one is the same.
func TestSchemas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ schema, want, strict string }{
		{"{type: string, minLength: 1, description: a & b}", `{"type":["string","null"],"minLength":1,"description":"a & b"}`, `{"type":"string","minLength":1,"description":"a & b"}`},
		{"{type: string, nullable: true, enum: [a]}", `{"type":["string","null"],"enum":["a",null]}`, `{"type":["string","null"],"enum":["a",null]}`},
		{"{type: string, nullable: true, enum: [a, null]}", `{"type":["string","null"],"enum":["a",null]}`, `{"type":["string","null"],"enum":["a",null]}`},
		{"{type: string, format: ipv4}", `{"type":["string","null"],"format":"ipv4"}`, `{"type":"string","format":"ipv4"}`},
		{"{type: string, format: uuid}", `{"type":["string","null"]}`, `{"type":"string"}`},
		{"{type: integer, minimum: 1, exclusiveMinimum: true, maximum: 9, example: 3}", `{"type":["integer","null"],"minimum":1,"maximum":9,"examples":[3],"exclusiveMinimum":1}`,
			`{"type":"integer","minimum":1,"maximum":9,"examples":[3],"exclusiveMinimum":1}`},
		{"{type: integer, maximum: 9, exclusiveMaximum: true, exclusiveMinimum: true}", `{"type":["integer","null"],"maximum":9,"exclusiveMaximum":9}`,
			`{"type":"integer","maximum":9,"exclusiveMaximum":9}`},
		{"{x-kubernetes-int-or-string: true, pattern: a}", `{"pattern":"a","type":["integer","string","null"]}`, `{"pattern":"a","type":["integer","string"]}`},
		{"{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", `{"anyOf":[{"anyOf":[{"type":"integer"},{"type":"string"}],"type":["integer","string"]},{"type":"null"}]}`,
			`{"anyOf":[{"type":"integer"},{"type":"string"}],"type":["integer","string"]}`},
		{"{type: array, x-kubernetes-list-type: set, items: {type: string}}", `{"type":["array","null"],"items":{"type":"string"},"uniqueItems":true}`,
			`{"type":"array","items":{"type":"string"},"uniqueItems":true}`},
		{"{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], items: {type: object, required: [a], properties: {a: {type: string}}}}",
			`{"type":["array","null"],"items":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}`,
			`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}`},
		{"{type: object, additionalProperties: {type: integer}}", `{"type":["object","null"],"additionalProperties":{"type":["integer","null"]}}`,
			`{"type":"object","additionalProperties":{"type":"integer"}}`},
		{"{type: object, additionalProperties: true}", `{"type":["object","null"],"additionalProperties":true}`, `{"type":"object","additionalProperties":true}`},
		{"{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}}",
			`{"type":["object","null"],"properties":{"a":{"type":["object","null"]}}}`, `{"type":"object","properties":{"a":{"type":"object","additionalProperties":false}}}`},
		{"{type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object}}", `{"type":["array","null"],"items":{"type":"object"}}`, `{"type":"array","items":{"type":"object"}}`},
		{"{x-kubernetes-preserve-unknown-fields: true}", `{}`, `{}`},
		{"{type: object, required: [a, b, b], properties: {a: {type: string, default: x}, b: {type: string}}}",
			`{"type":["object","null"],"properties":{"a":{"type":["string","null"],"default":"x"},"b":{"type":"string"}},"required":["b"]}`,
			`{"type":"object","properties":{"a":{"type":"string","default":"x"},"b":{"type":"string"}},"required":["b"],"additionalProperties":false}`},
		{"{type: object, nullable: true, description: d, default: {}, not: {required: [a]}, properties: {a: {type: boolean}}}",
			`{"anyOf":[{"type":"object","description":"d","default":{},"properties":{"a":{"type":["boolean","null"]}},"not":{"required":["a"]}},{"type":"null"}],"description":"d","default":{}}`,
			`{"anyOf":[{"type":"object","description":"d","default":{},"properties":{"a":{"type":"boolean"}},"not":{"required":["a"]},"additionalProperties":false},{"type":"null"}],"description":"d","default":{}}`},
		{"{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-embedded-resource: true, properties: {kind: {type: string, enum: [A]}}}",
			`{"type":["object","null"],"properties":{"kind":{"type":["string","null"],"enum":["A",null]},"apiVersion":{"minLength":1,"type":"string"},"metadata":{"type":"object"}},"required":["apiVersion","kind"]}`,
			`{"type":"object","properties":{"kind":{"type":"string","enum":["A"]},"apiVersion":{"minLength":1,"type":"string"},"metadata":{"type":"object"}},"required":["apiVersion","kind"]}`},
		{"{type: object, properties: {mode: {type: string, default: auto}}, allOf: [{anyOf: [{required: [mode], properties: {mode: {enum: [auto]}}}, {properties: {mode: {not: {enum: [auto]}}}}]}]}",
			`{"anyOf":[{"type":"object","properties":{"mode":{"type":["string","null"],"default":"auto"}},` +
				`"allOf":[{"anyOf":[{"properties":{"mode":{"enum":["auto"]}}},{"properties":{"mode":{"not":{"enum":["auto"]}}},"required":["mode"]}]}]},{"type":"null"}]}`,
			`{"type":"object","properties":{"mode":{"type":"string","default":"auto"}},` +
				`"allOf":[{"anyOf":[{"properties":{"mode":{"enum":["auto"]}}},{"properties":{"mode":{"not":{"enum":["auto"]}}},"required":["mode"]}]}],"additionalProperties":false}`},
		{"{type: object, properties: {all: {type: array, items: {type: object, properties: {a: {type: integer, default: 1}}}}, any: {type: object, additionalProperties: {type: object, properties: {a: {type: integer, default: 1}}}}}, " +
			"oneOf: [{properties: {all: {items: {properties: {a: {minimum: 2}}}}}}, {properties: {any: {additionalProperties: {properties: {a: {minimum: 1}}}}, none: {properties: {a: {minimum: 2}}}}}]}",
			"", `{"type":"object","properties":{"all":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer","default":1}},"additionalProperties":false}},` +
				`"any":{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"integer","default":1}},"additionalProperties":false}}},` +
				`"oneOf":[{"properties":{"all":{"items":{"properties":{"a":{"minimum":2}},"required":["a"]}}}},` +
				`{"properties":{"any":{"additionalProperties":{"properties":{"a":{"minimum":1}}}},"none":{"properties":{"a":{"minimum":2}}}}}],"additionalProperties":false}`},
	} {
		d := define(t, "type: object\nproperties:\n  x: "+test.schema)
		if got := made(t, d, false, "properties", "x"); test.want != "" && got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.schema, got, test.want)
		}
		if got := made(t, d, true, "properties", "x"); got != test.strict {
			t.Errorf("%s, strict:\ngot  %s\nwant %s", test.schema, got, test.strict)
		}
	}
}

// TestRoot has what is said about any object of the kind, whether its CRD says it or not.
func TestRoot(t *testing.T) {
	t.Parallel()
	const named = `"anyOf":[{"required":["name"]},{"required":["generateName"]}]`
	d := define(t, "type: object\nnullable: true\nrequired: [spec]\nproperties:\n  kind: {type: string, description: k}\n"+
		"  metadata: {type: object, properties: {name: {type: string, maxLength: 5}}}\n  spec: {type: object}")
	text := made(t, d, true)
	for _, want := range []string{
		`{"$schema":"http://json-schema.org/draft-07/schema#","x-kubernetes-group-version-kind":[{"group":"Shop.example.com","kind":"Shelf","version":"v1"}],"type":"object"`,
		`"kind":{"type":"string","description":"k","const":"Shelf"}`, `"apiVersion":{"type":"string","const":"Shop.example.com/v1"}`,
		`"required":["spec","apiVersion","kind","metadata"]`, `"additionalProperties":false}`,
		`"name":{"type":"string","maxLength":5},"annotations":{"additionalProperties":{"type":"string"},"type":"object"},"generateName":{"type":"string"}`, `"labels":{"additionalProperties":{"type":"string"},"type":"object"}`, named,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	if got := made(t, d, true, "properties", "metadata", "additionalProperties"); got != "true" {
		t.Errorf("other metadata: %s", got)
	}
	if got := made(t, define(t, "type: object"), true, "properties", "metadata"); !strings.Contains(got, `"name":{"maxLength":253,"pattern":"^[a-z0-9]`) || !strings.Contains(got, named) {
		t.Errorf("metadata of no schema: %s", got)
	}
	if got, want := File(d, "v1"), "shop.example.com/shelf_v1.json"; got != want {
		t.Errorf("the file is %s, want %s", got, want)
	}
}

// TestOlder has the schema of all versions of a v1beta1 CRD, by which nothing is dropped.
func TestOlder(t *testing.T) {
	t.Parallel()
	const older = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: shelves.shop.example.com}
spec:
  group: shop.example.com
  version: v1
  names: {kind: Shelf, plural: shelves}
  scope: Namespaced
  preserveUnknownFields: true
  validation: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`
	if got, want := made(t, definition(t, older), true, "properties", "spec"), `{"type":"object","properties":{"size":{"type":"integer"}}}`; got != want {
		t.Errorf("got %s", got)
	}
	if got, want := made(t, definition(t, strings.Replace(older, "preserveUnknownFields: true", "preserveUnknownFields: false", 1)), true, "properties", "spec"),
		`{"type":"object","properties":{"size":{"type":"integer"}},"additionalProperties":false}`; got != want {
		t.Errorf("got %s", got)
	}
	bare, _, _ := strings.Cut(older, "  validation:")
	if got := made(t, definition(t, bare), true); !strings.Contains(got, `"type":"object","properties":{"apiVersion":`) || strings.HasSuffix(got, `"additionalProperties":false}`) {
		t.Errorf("without a schema: %s", got)
	}
}
