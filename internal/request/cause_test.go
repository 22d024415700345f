package request_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
)

// told is a cause in one line: path, keyword, and where the schema says so.
func told(c request.Cause) string {
	text := c.Path.String()
	if c.Missing {
		text += " missing"
	}
	text += ": " + c.Keyword
	if c.SchemaPath != nil {
		text += " at " + strings.Join(c.SchemaPath, "/")
	}
	if c.Rule >= 0 {
		text += fmt.Sprint(" ", c.Rule)
	}
	if c.Detail != "" {
		text += " (" + c.Detail + ")"
	}
	return text
}

func toldAll(o *request.Outcome) []string {
	var all []string
	for _, c := range o.Causes {
		all = append(all, told(c))
	}
	return all
}

// Each cause leads to the value that is wrong, and to the part of the schema that says so.
func TestCauses(t *testing.T) {
	t.Parallel()
	spec := func(schema string) string { return "{type: object, properties: {spec: " + schema + "}}" }
	for _, test := range []struct {
		about, schema, members string
		want                   []string
	}{
		{"a key with dots and a slash", spec("{type: object, additionalProperties: {type: object, properties: {r: {type: integer}}}}"),
			"spec: {a.b/c: {r: x}, a: {r: 1}}", []string{"spec[a.b/c].r: type at properties/spec/additionalProperties/properties/r"}},
		{"a key with brackets", spec("{type: object, additionalProperties: {type: string, maxLength: 1}}"),
			"spec: {'x[0]': ab}", []string{"spec[x[0]]: maxLength at properties/spec/additionalProperties"}},
		{"a property with a dot", spec("{type: object, properties: {a.b: {type: object, required: [c.d], properties: {c.d: {type: string}}}}}"),
			"spec: {a.b: {}}", []string{"spec[a.b][c.d] missing: required at properties/spec/properties/a.b"}},
		{"an item of an item", spec("{type: array, items: {type: array, items: {type: string, enum: [a]}}}"),
			"spec: [[a], [a, b]]", []string{"spec[1][1]: enum at properties/spec/items/items"}},
		{"a number out of the range of int32", spec("{type: object, properties: {i: {type: integer, format: int32}}}"),
			"spec: {i: 4294967296}", []string{"spec.i: format at properties/spec/properties/i"}},
		{"a text that is not of its format", spec("{type: object, properties: {t: {type: string, format: date-time}}}"),
			"spec: {t: today}", []string{"spec.t: format at properties/spec/properties/t"}},
		{"the root", "{type: object, required: [spec]}", "a: 1", []string{"spec missing: required at "}},
		{"no branch of anyOf", spec("{type: object, anyOf: [{required: [a]}, {properties: {b: {minimum: 3}}}], properties: {a: {type: string}, b: {type: integer}}}"),
			"spec: {b: 1}", []string{"spec: anyOf at properties/spec", "spec.b: minimum at properties/spec/anyOf/1/properties/b"}},
		{"anyOf in anyOf", spec("{type: object, anyOf: [{anyOf: [{required: [a]}]}], properties: {a: {type: string}}}"), "spec: {}",
			[]string{"spec: anyOf at properties/spec", "spec.a missing: required at properties/spec/anyOf/0/anyOf/0"}},
		{"anyOf in an item of a map", spec("{type: object, additionalProperties: {type: array, items: {type: integer, anyOf: [{maximum: 1}, {minimum: 9}]}}}"),
			"spec: {x.y: [1, 5]}", []string{"spec[x.y][1]: anyOf at properties/spec/additionalProperties/items", "spec[x.y][1]: maximum at properties/spec/additionalProperties/items/anyOf/0"}},
		{"two branches of oneOf", spec("{type: string, oneOf: [{minLength: 1}, {maxLength: 3}]}"), "spec: ab", []string{"spec: oneOf at properties/spec"}},
		{"not", spec("{type: string, not: {enum: [a]}}"), "spec: a", []string{"spec: not at properties/spec"}},
		{"allOf", spec("{type: integer, allOf: [{minimum: 1}, {not: {enum: [0]}}]}"), "spec: 0",
			[]string{"spec: allOf at properties/spec", "spec: minimum at properties/spec/allOf/0", "spec: not at properties/spec/allOf/1"}},
		{"too many", spec("{type: array, maxItems: 1, items: {type: string}}"), "spec: [a, b]", []string{"spec: maxItems at properties/spec"}},
		{"a set", spec("{type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: string}}}"), "spec: {a.b: [x, z, x]}",
			[]string{"spec[a.b][2]: x-kubernetes-list-type at properties/spec/additionalProperties"}},
		{"a map list", spec("{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}}}}"),
			"spec: [{k: a}, {k: a}]", []string{"spec[1]: x-kubernetes-list-type at properties/spec"}},
		{"an embedded resource", spec("{type: object, additionalProperties: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}"),
			"spec: {a.b: {kind: Pod, metadata: {labels: {-x: z}}}}", []string{
				"spec[a.b].apiVersion missing: x-kubernetes-embedded-resource at properties/spec/additionalProperties",
				"spec[a.b].metadata.labels[-x]: x-kubernetes-embedded-resource at properties/spec/additionalProperties (" + qualified + ")"}},
		{"a mistyped embedded resource", spec("{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}"),
			"spec: {kind: 1, apiVersion: v1, metadata: {labels: {a: {}, b: c}}}", []string{
				"spec.kind: x-kubernetes-embedded-resource at properties/spec", "spec.metadata.labels[a]: x-kubernetes-embedded-resource at properties/spec"}},
		{"rules of one node with one message", spec("{type: object, x-kubernetes-validations: [{rule: 'self.a > 0', message: m}, {rule: 'self.a > 1', message: m}], properties: {a: {type: integer}}}"),
			"spec: {a: 1}", []string{"spec: x-kubernetes-validations at properties/spec 1 (m)"}},
		{"a rule in a map", spec("{type: object, maxProperties: 3, additionalProperties: {type: object, x-kubernetes-validations: [{rule: 'self.r > 1', fieldPath: .r}], properties: {r: {type: integer}}}}"),
			"spec: {'k.1[x]': {r: 1}, k: {r: 2}}", []string{"spec[k.1[x]].r: x-kubernetes-validations at properties/spec/additionalProperties 0 (failed rule: self.r > 1)"}},
		{"the fieldPath of a rule", spec(`{type: object, x-kubernetes-validations: [{rule: 'false', message: m, fieldPath: ".a['b.c'].d"}], properties: {a: {type: object, properties: {b.c: {type: object, properties: {d: {type: string}}}}}}}`),
			"spec: {a: {b.c: {}}}", []string{"spec.a[b.c].d missing: x-kubernetes-validations at properties/spec 0 (m)"}},
		{"a rule that fails at run time", spec("{type: object, x-kubernetes-validations: [{rule: 'self.a > 0'}], properties: {a: {type: integer}}}"),
			"spec: {}", []string{"spec: x-kubernetes-validations at properties/spec 0 (no such key)"}},
		{"a rule of the root", "{type: object, x-kubernetes-validations: [{rule: 'self.metadata.name != \"test\"', message: m}]}", "a: 1", []string{": x-kubernetes-validations at  0 (m)"}},
		{"rules do not run", spec("{type: object, x-kubernetes-validations: [{rule: 'false'}], properties: {a: {type: integer}}}"), "spec: {a: x}",
			[]string{": ", "spec.a: type at properties/spec/properties/a"}},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			o := serve(t, test.schema).Version("v1").Create(object(t, test.members))
			got := toldAll(o)
			if !slices.Equal(got, test.want) || o.Err != nil {
				t.Errorf("causes are\n%s\nwant\n%s (%v)", strings.Join(got, "\n"), strings.Join(test.want, "\n"), o.Err)
			}
		})
	}
}

const qualified = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
	"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

// A field is the path of all its items.
func TestField(t *testing.T) {
	t.Parallel()
	at := request.Keys("spec", "a.b").To(request.Index(3), request.Key("c").Hide(), request.Index(0), request.Key("d"))
	if got, want := at.Field(), "spec[a.b][*].***[*].d"; got != want {
		t.Errorf("the field of %s is %s, want %s", at, got, want)
	}
}
