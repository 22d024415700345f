package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/inputs"
)

// withSpec is a CRD whose spec has the given schema, in flow style.
func withSpec(schema string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: ` + schema + "\n"
}

func describe(c *compare.Change) string {
	path := ""
	if c.Node != nil {
		path = c.Node.Path
	}
	text := fmt.Sprintf("%s %s %s %s", path, c.Field, c.Kind, c.Effect)
	if c.Item != "" {
		text += " " + c.Item
	}
	if c.Loses {
		text += " loses"
	}
	return strings.TrimSpace(text)
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ about, old, new, want string }{
		{"nothing", "{type: string}", "{type: string}", ""},
		{"a property", "{type: object, properties: {a: {type: string}}}", "{type: object, properties: {b: {type: string}}}",
			"spec properties removed loosens a loses; spec properties added loosens b"},
		{"a property that is kept", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}",
			"{type: object, x-kubernetes-preserve-unknown-fields: true}", "spec properties removed loosens a"},
		{"a property becomes one of many", "{type: object, properties: {a: {type: string}}}", "{type: object, additionalProperties: {type: string, maxLength: 3}}",
			"spec additionalProperties added loosens; spec.a maxLength added tightens"},
		{"many become one", "{type: object, additionalProperties: {type: string}}", "{type: object, properties: {a: {type: integer}}}",
			"spec additionalProperties removed loosens loses; spec.a type changed either"},
		{"values that read alike", `{enum: ["1", 1, "", '""', "null", null, a]}`, "{enum: [b]}",
			`spec enum removed tightens "1"; spec enum removed tightens 1; spec enum removed tightens ""; spec enum removed tightens "\"\""; ` +
				`spec enum removed tightens "null"; spec enum removed neutral null; spec enum removed tightens a; spec enum added loosens b`},
		{"types", "{type: integer}", "{type: number}", "spec type changed loosens"},
		{"types back", "{type: number}", "{type: integer}", "spec type changed tightens"},
		{"int or string", "{type: string}", "{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}",
			"spec type changed loosens; spec anyOf added neutral"},
		{"below not", "{type: integer, not: {minimum: 3}}", "{type: integer, not: {minimum: 2}}", "spec minimum changed tightens"},
		{"below oneOf", "{type: integer, oneOf: [{minimum: 3}]}", "{type: integer, oneOf: [{minimum: 2}]}", "spec minimum changed either"},
		{"order of branches", "{type: string, anyOf: [{minLength: 1}, {maxLength: 9}]}", "{type: string, anyOf: [{maxLength: 9}, {minLength: 1}]}", ""},
		{"another branch", "{type: string, anyOf: [{minLength: 1}]}", "{type: string, anyOf: [{maxLength: 9}, {minLength: 1}]}", "spec anyOf added loosens 0"},
		{"another branch of allOf", "{type: string, allOf: [{minLength: 1}]}", "{type: string, allOf: [{minLength: 1}, {maxLength: 9}]}", "spec allOf added tightens 1"},
		{"patterns", "{type: string, pattern: ^(a|b)$}", "{type: string, pattern: ^(a|b|c)$}", "spec pattern changed loosens"},
		{"patterns that mean the same", "{type: string, pattern: ^a+$}", "{type: string, pattern: ^aa*$}", "spec pattern changed neutral"},
		{"patterns apart", "{type: string, pattern: ^a}", "{type: string, pattern: ^b}", "spec pattern changed either"},
		{"an anchor", "{type: string, pattern: a}", "{type: string, pattern: ^a}", "spec pattern changed tightens"},
		{"exclusive", "{type: integer, maximum: 3}", "{type: integer, maximum: 3, exclusiveMaximum: true}", "spec exclusiveMaximum changed tightens"},
		{"the limit of int64", "{type: integer, format: int64}", "{type: integer, format: int64, maximum: 9223372036854775000}", "spec maximum added neutral"},
		{"the limit of int64, unnamed", "{type: integer}", "{type: integer, maximum: 9223372036854775807}", "spec maximum added neutral"},
		{"the limit of int64, rounded", "{type: integer}", "{type: integer, maximum: 9223372036854775000}", "spec maximum added neutral"},
		{"the lowest integer", "{type: integer, minimum: -9223372036854775808}", "{type: integer}", "spec minimum removed neutral"},
		{"beyond the limit of int64", "{type: integer, maximum: 9223372036854775807}", "{type: integer, maximum: 18446744073709551615}", "spec maximum changed neutral"},
		{"the limit of int64 of a number", "{type: number}", "{type: number, maximum: 9223372036854775807}", "spec maximum added tightens"},
		{"the limit of int64 of an int or string", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-int-or-string: true, maximum: 9223372036854775807}",
			"spec maximum added neutral"},
		{"the lowest int or string", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-int-or-string: true, minimum: -9223372036854775808}",
			"spec minimum added neutral"},
		{"null in an enum", "{type: string, nullable: true, enum: [a]}", "{type: string, nullable: true, enum: [a, null]}", "spec enum added neutral null"},
		{"null that an enum rejected", "{type: string, nullable: true, enum: [a]}", "{type: string, enum: [a]}", "spec nullable removed loosens"},
		{"null", "{type: string}", "{type: string, nullable: true}", "spec nullable added loosens"},
		{"no null", "{type: string, nullable: true}", "{type: string}", "spec nullable removed tightens"},
		{"null beside an enum", "{type: string, enum: [a]}", "{type: string, nullable: true, enum: [a]}", "spec nullable added either"},
		{"a set", "{type: array, items: {type: string}}", "{type: array, items: {type: string}, x-kubernetes-list-type: set}", "spec x-kubernetes-list-type added tightens"},
		{"an atomic list", "{type: array, items: {type: string}}", "{type: array, items: {type: string}, x-kubernetes-list-type: atomic}", "spec x-kubernetes-list-type added neutral"},
		{"a set no more", "{type: array, items: {type: string}, x-kubernetes-list-type: set}", "{type: array, items: {type: string}, x-kubernetes-list-type: atomic}",
			"spec x-kubernetes-list-type changed loosens"},
		{"int or string said twice", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}]}", "spec allOf added neutral"},
		{"int or string, and more", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: string}]}, {minimum: 3}]}",
			"spec allOf added tightens"},
		{"a member of what is kept", "{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}",
			"spec properties added tightens a"},
		{"a member that may be anything", "{type: object, x-kubernetes-preserve-unknown-fields: true}",
			"{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {x-kubernetes-preserve-unknown-fields: true}}}", "spec properties added neutral a"},
		{"int64", "{type: integer}", "{type: integer, format: int64}", "spec format added neutral"},
		{"int32", "{type: integer, format: int64}", "{type: integer, format: int32}", "spec format changed tightens"},
		{"int32 to int64", "{type: integer, format: int32}", "{type: integer, format: int64}", "spec format changed loosens"},
		{"the limit of int32", "{type: integer, format: int32}", "{type: integer, format: int32, minimum: -2147483648}", "spec minimum added neutral"},
		{"below the limit of int32", "{type: integer, format: int32}", "{type: integer, format: int32, maximum: 2147483646}", "spec maximum added tightens"},
		{"a limit that no format has", "{type: integer}", "{type: integer, maximum: 2147483647}", "spec maximum added tightens"},
		{"longer than any request", "{type: string}", "{type: string, maxLength: 3145728}", "spec maxLength added neutral"},
		{"minLength: 0", "{type: string}", "{type: string, minLength: 0}", "spec minLength added neutral"},
		{"required with a default", "{type: object, properties: {a: {type: string, default: x}}}",
			"{type: object, required: [a], properties: {a: {type: string, default: x}}}", "spec required added neutral a"},
		{"a default that made up for it", "{type: object, required: [a], properties: {a: {type: string, default: x}}}",
			"{type: object, required: [a], properties: {a: {type: string}}}", "spec.a default removed tightens"},
		{"what is kept gets a schema", "{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object, additionalProperties: {type: string}}",
			"spec x-kubernetes-preserve-unknown-fields removed neutral; spec additionalProperties added tightens"},
		{"what is kept gets an empty schema", "{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object, additionalProperties: {}}",
			"spec x-kubernetes-preserve-unknown-fields removed neutral loses; spec additionalProperties added neutral"},
		{"what is pruned gets an empty schema", "{type: object}", "{type: object, additionalProperties: {}}", "spec additionalProperties added loosens"},
		{"an empty schema goes", "{type: object, additionalProperties: {}}", "{type: object}", "spec additionalProperties removed loosens loses"},
		{"room for all that is declared", "{type: object, properties: {a: {type: string}}}", "{type: object, properties: {a: {type: string}}, maxProperties: 1}", "spec maxProperties added loosens"},
		{"no room for it", "{type: object, properties: {a: {type: string}}}", "{type: object, properties: {a: {type: string}}, maxProperties: 0}", "spec maxProperties added tightens"},
		{"no more members of a map", "{type: object, additionalProperties: {type: string}}", "{type: object, additionalProperties: {type: string}, maxProperties: 9}", "spec maxProperties added tightens"},
		{"members that are there in any case", "{type: object, required: [a], properties: {a: {type: string}, b: {type: string, default: x}}}",
			"{type: object, required: [a], properties: {a: {type: string}, b: {type: string, default: x}}, minProperties: 2}", "spec minProperties added neutral"},
		{"one more of them", "{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}",
			"{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}, minProperties: 2}", "spec minProperties added tightens"},
		{"a type that a junctor repeats", "{type: string, allOf: [{minLength: 1}]}", "{type: string, allOf: [{type: string, minLength: 1}]}", ""},
		{"one in a junctor of a junctor", "{type: string, allOf: [{anyOf: [{minLength: 1}]}]}", "{type: string, allOf: [{anyOf: [{type: string, minLength: 1}]}]}", ""},
		{"one that is repeated by a field", "{type: object, properties: {a: {type: string}}, allOf: [{anyOf: [{properties: {a: {minLength: 1}}}]}]}",
			"{type: object, properties: {a: {type: string}}, allOf: [{anyOf: [{properties: {a: {type: string, minLength: 1}}}]}]}", ""},
		{"formats that nobody knows", "{type: string, format: a}", "{type: string, format: b}", "spec format changed neutral"},
		{"rules", `{type: integer, x-kubernetes-validations: [{rule: "self  > 1"}]}`, `{type: integer, x-kubernetes-validations: [{rule: self > 1, message: small}, {rule: self < 9}]}`,
			"spec x-kubernetes-validations changed neutral self > 1; spec x-kubernetes-validations added tightens self < 9"},
		{"descriptions", "{type: string, description: a}", "{type: string, description: b}", "spec description changed neutral"},
	} {
		t.Run(test.about, func(t *testing.T) {
			t.Parallel()
			all, err := compare.CRDs(inputs.CRD(t, withSpec(test.old)), inputs.CRD(t, withSpec(test.new)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range all.Changes {
				got = append(got, describe(c))
			}
			if text := strings.Join(got, "; "); text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
		})
	}
}

// TestTypes names types as users know them, and has a change of them at the keyword that says them.
func TestTypes(t *testing.T) {
	t.Parallel()
	const text, choice, none = "{type: string}", "{x-kubernetes-int-or-string: true}", "{x-kubernetes-preserve-unknown-fields: true}"
	for _, test := range []struct{ old, new, words, was, is string }{
		{text, "{type: integer}", "string, integer", "type", "type"},
		{text, choice, "string, int-or-string", "type", "x-kubernetes-int-or-string"},
		{choice, text, "int-or-string, string", "", "type"},
		{choice, none, "int-or-string, any type", "x-kubernetes-int-or-string", ""},
		{none, text, "any type, string", "", "type"},
	} {
		all, err := compare.CRDs(inputs.CRD(t, withSpec(test.old)), inputs.CRD(t, withSpec(test.new)))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(all.Changes, func(c *compare.Change) bool { return c.Field == "type" })
		if i < 0 {
			t.Fatalf("%s to %s: no type changes", test.old, test.new)
		}
		c := all.Changes[i]
		_, was, _ := strings.Cut(c.Was().Path, "properties[spec]")
		_, is, _ := strings.Cut(c.Is().Path, "properties[spec]")
		if probes := c.Node.Probes(); (len(probes) > 0) != (test.old != none && test.new != none) {
			t.Errorf("%s to %s: the values near the bounds are %v", test.old, test.new, probes)
		}
		if words := fmt.Sprint(c.Old, ", ", c.New); words != test.words || strings.TrimPrefix(was, ".") != test.was || strings.TrimPrefix(is, ".") != test.is {
			t.Errorf("%s to %s: %s, at %q and %q", test.old, test.new, words, was, is)
		}
	}
}

// TestDefinitions compares what is outside of schemas: lists item by item, each once.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ about, from, to, want string }{
		{"a short name more", "plural: tests", "plural: tests, shortNames: [a]", "spec.names.shortNames added neutral a"},
		{"short names, one of them twice", "plural: tests", "plural: tests, shortNames: [a, b, a]",
			"spec.names.shortNames added neutral a; spec.names.shortNames added neutral b"},
		{"served", "served: true", "served: false", "served changed neutral"},
		{"deprecated", "served: true", "served: true\n    deprecated: true", "deprecated changed neutral"},
		{"a warning", "served: true", "served: true\n    deprecationWarning: x", "deprecationWarning added neutral"},
	} {
		src := withSpec("{type: string}")
		with := strings.Replace(src, test.from, test.to, 1)
		for _, side := range []struct{ old, new, want string }{{src, with, test.want}, {with, src, strings.ReplaceAll(test.want, " added ", " removed ")}} {
			all, err := compare.CRDs(inputs.CRD(t, side.old), inputs.CRD(t, side.new))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range all.Changes {
				got = append(got, describe(c))
			}
			if text := strings.Join(got, "; "); text != side.want {
				t.Errorf("%s: got %s, want %s", test.about, text, side.want)
			}
		}
	}
}

// A CRD that no longer keeps all unknown fields still says of those of a map that they may be anything.
func TestEmptySchemaConstrainsNothing(t *testing.T) {
	t.Parallel()
	const schema = "{type: object, additionalProperties: {}}"
	old := inputs.CRD(t, strings.NewReplacer("k8s.io/v1\n", "k8s.io/v1beta1\n", "    schema:\n      openAPIV3Schema:", "  validation:\n    openAPIV3Schema:").Replace(withSpec(schema)))
	all, err := compare.CRDs(old, inputs.CRD(t, withSpec(schema)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Changes {
		if c.Effect != compare.Neutral {
			t.Errorf("%s: %v became %v", describe(c), c.Old, c.New)
		}
	}
}

// A CRD is the same in v1beta1 and in v1, wherever it has its schema.
func TestConversionIsNoChange(t *testing.T) {
	t.Parallel()
	old := inputs.CRD(t, `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  preserveUnknownFields: false
  version: v1
  validation: {openAPIV3Schema: {type: object, properties: {spec: {type: string}}}}
  subresources: {status: {}}
  additionalPrinterColumns: [{name: A, type: string, JSONPath: .spec}]
  conversion: {strategy: Webhook, conversionReviewVersions: [v1], webhookClientConfig: {url: "https://example.com"}}
`)
	new := inputs.CRD(t, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: string}}}}
    subresources: {status: {}}
    additionalPrinterColumns: [{name: A, type: string, jsonPath: .spec}]
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://example.com"}}}
`)
	for _, pair := range [][2]*crd.CRD{{old, new}, {new, old}} {
		all, err := compare.CRDs(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all.Changes {
			t.Errorf("%s: %v became %v", describe(c), c.Old, c.New)
		}
	}
	changed := inputs.CRD(t, strings.NewReplacer("jsonPath: .spec", "jsonPath: .status", "example.com\"", "example.org\"").Replace(manifestOf(t, new)))
	all, err := compare.CRDs(old, changed)
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, c := range all.Changes {
		places = append(places, c.Was().Path+" -> "+c.Is().Path)
	}
	const want = "spec.conversion.webhookClientConfig.url -> spec.conversion.webhook.clientConfig.url, " +
		"spec.additionalPrinterColumns[0].JSONPath -> spec.versions[0].additionalPrinterColumns[0].jsonPath"
	if got := strings.Join(places, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func manifestOf(t testing.TB, c *crd.CRD) string {
	t.Helper()
	text, err := manifestText(c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestLimits wants limits that exclude themselves as the keywords have them, and in words.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ old, new, values, words string }{
		{"{type: integer, minimum: 0}", "{type: integer, minimum: 1}", "0 1", ""},
		{"{type: integer, minimum: 0}", "{type: integer, minimum: 0, exclusiveMinimum: true}",
			"map[minimum:0] map[exclusiveMinimum:true minimum:0]", "at least 0, greater than 0"},
		{"{type: integer, maximum: 9, exclusiveMaximum: true}", "{type: integer, maximum: 7}",
			"map[exclusiveMaximum:true maximum:9] map[maximum:7]", "less than 9, at most 7"},
		{"{type: integer}", "{type: integer, maximum: 0.5, exclusiveMaximum: true}", "<nil> map[exclusiveMaximum:true maximum:0.5]", ", less than 0.5"},
		{"{type: integer}", "{type: integer, exclusiveMaximum: true}", "<nil> map[exclusiveMaximum:true]", ", "},
	} {
		all, err := compare.CRDs(inputs.CRD(t, withSpec(test.old)), inputs.CRD(t, withSpec(test.new)))
		if err != nil || len(all.Changes) != 1 {
			t.Fatalf("%s to %s: %d changes, %v", test.old, test.new, len(all.Changes), err)
		}
		change := all.Changes[0]
		if got := fmt.Sprint(change.Old, " ", change.New); got != test.values {
			t.Errorf("%s to %s: got %s, want %s", test.old, test.new, got, test.values)
		}
		words := ""
		if old, new, ok := change.Limits(); ok {
			words = old + ", " + new
		}
		if words != test.words {
			t.Errorf("%s to %s: got %q, want %q", test.old, test.new, words, test.words)
		}
	}
}
