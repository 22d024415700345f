package fast_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/testing/inputs"
)

// fieldOf is a CRD with a schema for spec, and what else is in its only version and its spec.
func fieldOf(spec, version, more string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced` + more + `
  versions:
  - name: v1
    served: true
    storage: true` + version + `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: ` + spec + "\n"
}

// object is a schema that is worth a proof.
const provenObject = `{type: object, required: [a], properties: {a: {type: string}, b: {type: integer}, c: {type: object, properties: {d: {type: string}}}}}`

const badDefault = `{type: object, properties: {a: {type: string}, b: {type: object, properties: {c: {type: integer, minimum: 5, default: 1}}}}}`

// TestProvenPlaces has CRDs accepted that prove fields, and then puts the same fields where upstream has something against
// them.
func TestProvenPlaces(t *testing.T) {
	t.Parallel()
	good := []string{
		provenObject,
		`{type: array, items: ` + provenObject + `}`,
		`{type: object, properties: {list: {type: array, items: {type: object, properties: {a: {type: string}, b: ` + provenObject + `}}}}}`,
		`{type: object, properties: {any: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {metadata: ` + provenObject + `}}}}`,
		`{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b"}]}}}`,
		`{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != oldSelf.a"}]}}}`,
		`{type: object, properties: {ruled: {type: array, maxItems: 10, items: {type: string, maxLength: 9}, x-kubernetes-validations: [{rule: "self.all(a, self.all(b, a <= b))"}]}}, maxProperties: 5}`,
		`{type: object, properties: {listed: {type: array, maxItems: 10, items: {type: array, maxItems: 10, items: {type: string, maxLength: 10}, x-kubernetes-validations: [{rule: "self.all(a, self.all(b, a <= b))"}]}}}}`,
		`{type: object, properties: {defaulted: {type: object, default: {a: x}, properties: {a: {type: string}, b: {type: object, properties: {c: {type: string}}}}}}}`,
		`{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a !=\nself.b\n", message: "they differ"}]}}}`,
		`{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b", reason: FieldValueForbidden, fieldPath: .a}]}}}`,
		`{type: object, properties: {port: {type: object, properties: {number: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}, name: {type: string}}}}}`,
		`{type: object, additionalProperties: {type: object, properties: {defaulted: ` + badDefault + `}}}`, // where defaults are not looked at
	}
	for _, spec := range good {
		text := fieldOf(spec, "", "")
		for range 2 {
			if c := inputs.CRD(t, text); !new(whole).compare(t, spec, c) {
				t.Errorf("is not accepted: %s", spec)
			}
		}
	}
	for _, tt := range []struct{ name, spec, version, more, root, wrong string }{
		{name: "keys of a list", spec: `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [c], items: ` + provenObject + `}`, wrong: "scalar type"},
		{name: "key that is optional", spec: `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: ` + provenObject + `}`, wrong: "must have a default or be a required property"},
		{name: "key that there is not", spec: `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [x], items: ` + provenObject + `}`, wrong: "names of item properties"},
		{name: "items of a set", spec: `{type: array, x-kubernetes-list-type: set, items: ` + provenObject + `}`, wrong: "must be atomic"},
		{name: "a default around it", spec: `{type: object, default: {inner: {a: 5}}, properties: {inner: ` + provenObject + `}}`, wrong: "default"},
		{name: "a default around it, with unknown fields", spec: `{type: object, default: {inner: {a: x, z: 1}}, properties: {inner: ` + provenObject + `}}`, wrong: "unknown fields"},
		{name: "a junctor around it", root: "anyOf: [{properties: {spec: {properties: {z: {minLength: 1}}}}}]", spec: provenObject, wrong: "because it is defined in"},
		{name: "both kinds of properties", spec: `{type: object, additionalProperties: {type: string}, properties: {inner: ` + provenObject + `}}`, wrong: "mutual exclusive"},
		{name: "an embedded resource's metadata", spec: `{type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: ` + provenObject + `}}`, wrong: "must be string"},
		{name: "a default that was not looked at", spec: `{type: object, properties: {defaulted: ` + badDefault + `}}`, wrong: "default"},
		{name: "a default that is changed while it is judged", spec: `{type: object, properties: {known: ` + provenObject + `, e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {apiVersion: v1, kind: A, metadata: {name: 5}}}}}`, wrong: "metadata"},
		{name: "a rule around it", spec: `{type: object, properties: {inner: ` + provenObject + `}, x-kubernetes-validations: [{rule: "self.inner.z == 1"}]}`, wrong: "undefined field"},
		{name: "a rule about the older value, in a list", spec: `{type: array, items: {type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != oldSelf.a"}]}}}}`, wrong: "oldSelf cannot be used"},
		{name: "a rule in a list without end", spec: `{type: array, items: {type: object, properties: {listed: {type: array, maxItems: 10, items: {type: array, maxItems: 10, items: {type: string, maxLength: 10}, x-kubernetes-validations: [{rule: "self.all(a, self.all(b, a <= b))"}]}}}}}`, wrong: "exceeds budget"},
		{name: "many rules that cost too much together", spec: manyRules(), wrong: "total"},
		{name: "dependencies, of which there are none", spec: `{type: object, properties: {inner: {type: object, required: [a], dependencies: {}, properties: {a: {type: string}, b: {type: integer}, c: {type: object, properties: {d: {type: string}}}}}}}`, wrong: "dependencies"},
		{name: "properties in a junctor, of which there are none", spec: `{type: object, properties: {port: {type: object, properties: {number: {x-kubernetes-int-or-string: true, anyOf: [{type: integer, properties: {}}, {type: string}]}, name: {type: string}}}}}`, wrong: "must be empty to be structural"},
		{name: "a rule of two lines without a message", spec: `{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a !=\nself.b"}]}}}`, wrong: "message must be specified"},
		{name: "a message of two lines", spec: `{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b", message: "a\nb"}]}}}`, wrong: "must not contain line breaks"},
		{name: "a message of spaces", spec: `{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b", message: "  "}]}}}`, wrong: "must be non-empty"},
		{name: "an expression of spaces for the message", spec: `{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b", messageExpression: "  "}]}}}`, wrong: "must be non-empty"},
		{name: "a reason that there is not", spec: `{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b", reason: Because, fieldPath: .a}]}}}`, wrong: "Unsupported value"},
		{name: "a path to a field that there is not", spec: `{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b", reason: FieldValueForbidden, fieldPath: .z}]}}}`, wrong: "must be a valid path"},
		{name: "a path of spaces", spec: `{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b", fieldPath: "  "}]}}}`, wrong: "must be non-empty"},
		{name: "a path of two lines", spec: `{type: object, properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b", fieldPath: ".a\n"}]}}}`, wrong: "must not contain line breaks"},
		{name: "a rule in a junctor", spec: `{type: object, properties: {x: {type: object, allOf: [{x-kubernetes-validations: [{rule: "has(self.a)"}]}], properties: {ruled: {type: object, properties: {a: {type: string}, b: {type: string}}}}}}}`, wrong: "must be empty to be structural"},
		{name: "a rule that a default breaks", spec: `{type: object, properties: {ruled: {type: object, default: {a: x, b: x}, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: "self.a != self.b"}]}}}`, wrong: "failed rule"},
		{name: "unknown fields that are kept", spec: good[8], more: "\n  preserveUnknownFields: true", wrong: "must be false"},
		{name: "a selectable field that is an object", spec: `{type: object, properties: {inner: ` + provenObject + `}}`, version: "\n    selectableFields: [{jsonPath: .spec.inner}]", wrong: "must point to a field"},
	} {
		c := inputs.CRD(t, strings.Replace(fieldOf(tt.spec, tt.version, tt.more), "        properties:", "        "+tt.root+"\n        properties:", 1))
		if new(whole).compare(t, tt.name, c) {
			t.Errorf("%s: is accepted", tt.name)
		}
		d, err := c.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if all := fmt.Sprint(fast.OnCreate(d.Hub, c.Version).Errors); !strings.Contains(all, tt.wrong) {
			t.Errorf("%s: says %q, nothing of %q", tt.name, all, tt.wrong)
		}
	}
}

// manyRules is a schema of fields whose rules are within their budget, and beyond it together.
func manyRules() string {
	var b strings.Builder
	b.WriteString("{type: object, properties: {")
	for i := range 40 {
		fmt.Fprintf(&b, "f%d: {type: array, maxItems: %d, items: {type: string, maxLength: 20}, x-kubernetes-validations: [{rule: \"self.all(a, self.all(b, a <= b))\"}]}, ", i, 800+5*i) // which differ, as upstream names the most expensive
	}
	b.WriteString("z: {type: string}}}")
	return b.String()
}

// TestProvenDocumented has a CRD of v1beta1 that documents metadata, which is hidden from upstream, and has an embedded
// resource, so that it is copied for upstream.
func TestProvenDocumented(t *testing.T) {
	t.Parallel()
	text := `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  version: v1
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  preserveUnknownFields: false
  validation:
    openAPIV3Schema:
      type: object
      properties:
        metadata: {type: object, example: {a: 1}, externalDocs: {url: https://example.com}}
        embedded: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
        spec: ` + provenObject + "\n"
	for range 2 {
		if !new(whole).compare(t, "documented", inputs.CRD(t, text)) {
			t.Error("is not accepted")
		}
	}
}

// TestProvenSame wants versions that are the same to be rejected as such, which v1beta1 does, though each is proven.
func TestProvenSame(t *testing.T) {
	t.Parallel()
	schema := "{openAPIV3Schema: {type: object, properties: {spec: " + provenObject + "}}}"
	text := strings.NewReplacer("apiextensions.k8s.io/v1\n", "apiextensions.k8s.io/v1beta1\n").Replace(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  preserveUnknownFields: false
  versions:
  - {name: v1, served: true, storage: true, schema: ` + schema + `}
  - {name: v2, served: true, storage: false, schema: ` + schema + `}
`)
	for range 2 {
		if new(whole).compare(t, "the same", inputs.CRD(t, text)) {
			t.Error("versions that are the same are accepted")
		}
		other := strings.Replace(text, "name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object", "name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, maxProperties: 9", 1)
		if !new(whole).compare(t, "not the same", inputs.CRD(t, other)) {
			t.Error("versions that differ are rejected")
		}
	}
}

// TestProvenLeavesOut wants most of a CRD to be left out once it was accepted, and what is left to be accepted, too.
func TestProvenLeavesOut(t *testing.T) {
	t.Parallel()
	spec := func(more string) string {
		return `{type: object, properties: {` + more + `unlike: ` + provenObject + `, others: {type: array, items: {type: object, properties: {x: ` + provenObject + `}}}, rather: {type: string}}}`
	}
	for name, text := range map[string]string{
		"plain": fieldOf(spec(""), "", ""),
		"with an embedded resource that has a default": fieldOf(spec(`e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, default: {apiVersion: v1, kind: A, metadata: {name: a}}}, `), "", ""),
		"of versions that differ in what is proven": strings.Replace(fieldOf(spec(""), "", ""), "  versions:\n", `  versions:
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema: {type: object, properties: {spec: `+spec("")+`, status: `+provenObject+`}}
`, 1),
	} {
		d, err := inputs.CRD(t, text).Decode()
		if err != nil {
			t.Fatal(err)
		}
		if !fast.OnCreate(d.Hub, crd.V1).Accepted() {
			t.Fatalf("%s: is rejected", name)
		}
		if left, all, accepted := fast.LeftOut(d.Hub); left < all*3/4 || !accepted {
			t.Errorf("%s: %d of %d schemas are left out; that the rest is accepted is %t", name, left, all, accepted)
		}
	}
}

// TestLeftOutPlaces has a field accepted, and counts the schemas that are then left out of CRDs that have it elsewhere: all of
// the field, or none where something around it says more about its values.
func TestLeftOutPlaces(t *testing.T) {
	t.Parallel()
	const (
		plain     = `{type: object, required: [a], properties: {a: {type: string, pattern: ^places}, b: {type: integer}}}`
		small     = `{type: object, properties: {a: {type: string, pattern: ^small-places}}}`
		defaulted = `{type: object, properties: {a: {type: string, pattern: ^places, default: places}, b: {type: integer}}}`
		ruled     = `{type: object, properties: {a: {type: string, pattern: ^places, maxLength: 9}, b: {type: integer}}, x-kubernetes-validations: [{rule: "self.a != 'places'"}]}`
		aged      = `{type: object, properties: {a: {type: string, pattern: ^places, maxLength: 9}, b: {type: integer}}, x-kubernetes-validations: [{rule: "self.a != oldSelf.a"}]}`
	)
	in := func(around, field string) string { return fieldOf(strings.Replace(around, "FIELD", field, 1), "", "") }
	const outer = `{type: object, properties: {new: {type: string}, x: FIELD}}`
	for _, field := range []string{plain, small, defaulted, ruled, aged} {
		d, err := inputs.CRD(t, in(outer, field)).Decode()
		if err != nil {
			t.Fatal(err)
		}
		if v := fast.OnCreate(d.Hub, crd.V1); !v.Accepted() {
			t.Fatalf("%s: %v", field, v.Errors)
		}
	}
	for name, test := range map[string]struct {
		around, field string
		want          int
	}{
		"a field":                                {`{type: object, properties: {w: {type: string}, x: FIELD}}`, plain, 3},
		"a field of a few schemas":               {`{type: object, properties: {w: {type: string}, x: FIELD}}`, small, 0},
		"a field with a default":                 {`{type: object, properties: {w: {type: string}, x: FIELD}}`, defaulted, 3},
		"a field with a rule":                    {`{type: object, properties: {w: {type: string}, x: FIELD}}`, ruled, 3},
		"a field of items":                       {`{type: array, items: {type: object, properties: {w: {type: string}, x: FIELD}}}`, plain, 3},
		"items themselves":                       {`{type: array, minItems: 1, items: FIELD}`, plain, 0},
		"a field of items of a kind of list":     {`{type: array, x-kubernetes-list-type: atomic, items: {type: object, properties: {w: {type: string}, x: FIELD}}}`, plain, 0},
		"below a field of such items":            {`{type: array, x-kubernetes-list-type: atomic, items: {type: object, properties: {z: {type: object, minProperties: 1, properties: {x: FIELD, w: {type: string}}}}}}`, plain, 3},
		"a field of values":                      {`{type: object, additionalProperties: {type: object, properties: {w: {type: string}, x: FIELD}}}`, plain, 3},
		"a default of values":                    {`{type: object, additionalProperties: {type: object, properties: {w: {type: string}, x: FIELD}}}`, defaulted, 0},
		"below a default":                        {`{type: object, default: {}, properties: {w: {type: string}, x: FIELD}}`, plain, 0},
		"deep below a default":                   {`{type: object, default: {}, properties: {w: {type: object, properties: {x: FIELD}}}}`, plain, 0},
		"beside a default":                       {`{type: object, properties: {w: {type: string, default: y}, x: FIELD}}`, plain, 3},
		"below all of":                           {`{type: object, allOf: [{required: [w]}], properties: {w: {type: string}, x: FIELD}}`, plain, 0},
		"below any of":                           {`{type: object, anyOf: [{required: [w]}], properties: {w: {type: string}, x: FIELD}}`, plain, 0},
		"below one of":                           {`{type: object, oneOf: [{required: [w]}], properties: {w: {type: string}, x: FIELD}}`, plain, 0},
		"below not":                              {`{type: object, not: {required: [w]}, properties: {w: {type: string}, x: FIELD}}`, plain, 0},
		"in an embedded resource":                {`{type: object, x-kubernetes-embedded-resource: true, properties: {w: {type: string}, x: FIELD}}`, plain, 0},
		"a field with an older value":            {`{type: object, properties: {w: {type: string}, x: FIELD}}`, aged, 3},
		"an older value in items":                {`{type: array, items: {type: object, properties: {w: {type: string}, x: FIELD}}}`, aged, 0},
		"an older value in items that have keys": {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, z: {type: object, properties: {w: {type: string}, x: FIELD}}}}}`, aged, 3},
		"an older value in an atomic object":     {`{type: object, x-kubernetes-map-type: atomic, properties: {w: {type: string}, x: FIELD}}`, aged, 3},
		"too many values for the rule":           {`{type: object, properties: {w: {type: string}, x: FIELD}, x-kubernetes-validations: [{rule: "self.w.matches(self.w)"}]}`, plain, 0},
	} {
		d, err := inputs.CRD(t, in(test.around, test.field)).Decode()
		if err != nil {
			t.Fatal(err)
		}
		if got, all, _ := fast.LeftOut(d.Hub); got != test.want {
			t.Errorf("%s: %d of %d schemas are left out, not %d", name, got, all, test.want)
		}
	}
}
