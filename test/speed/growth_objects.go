package main

import (
	"fmt"
	"strconv"
	"strings"
)

// spec is the schema of the objects below.
const spec = `{type: object, properties: {size: {type: integer}, m: {type: object, additionalProperties: {type: integer}}, n: {type: array, items: {type: integer}},
              l: {type: array, items: {type: object, properties: {a: {type: string}, d: {type: string, default: x}}}}, e: {type: array, items: {type: string, enum: [a, b]}},
              s: {type: array, x-kubernetes-list-type: set, items: {type: string}}, o: {type: object, properties: {first: {type: string}}},
              k: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}}}},
              r: {type: array, maxItems: 2000000, items: {type: integer, x-kubernetes-validations: [{rule: self < 10}]}},
              q: {type: array, items: {type: object, required: [first], properties: {first: {type: string}}}},
              y: {type: array, items: {anyOf: [{required: [a]}, {required: [b]}], type: object, properties: {a: {type: string}, b: {type: string}}}},
              t: {type: string}, any: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`

// judged has an object with a spec; the older CRD knows no field of it.
func judged(text func(n int) string) func(int) map[string]string {
	return func(n int) map[string]string {
		k := crd(kind{spec: spec})
		k["object.yaml"] = object("\n" + text(n))
		return k
	}
}

const judging = "validate stored mend against exact"

// ofObjects are about what a custom resource may have.
func ofObjects() (all []repeated) {
	for _, o := range []struct {
		what, head, format string
	}{
		{"values of a map", "  m:\n", "    k%d: 1\n"},
		{"values of a map of a wrong type", "  m:\n", "    k%d: x\n"},
		{"values of a list", "  n:\n", "  - %d\n"},
		{"values of a list of a wrong type", "  n:\n", "  - x%d\n"},
		{"values that an enum does not have", "  e:\n", "  - x%d\n"},
		{"dropped fields of items", "  l:\n", "  - b: x%d\n"},
		{"dropped fields and nulls of items", "  l:\n", "  - b: x%d\n    c: null\n"},
		{"dropped fields of one object", "  o:\n", "    unknown%d: x\n"},
		{"misspelt fields of items", "  q:\n", "  - firs: x%d\n"},
		{"nulls of a map", "  m:\n", "    k%d: null\n"},
		{"nulls of items", "  l:\n", "  - a: null # %d\n"},
		{"nulls for which a default is filled in", "  l:\n", "  - d: null # %d\n"},
		{"objects to which a default is added", "  l:\n", "  - a: x%d\n"},
		{"members of a set", "  s:\n", "  - x%d\n"},
		{"members of a set that are there twice", "  s: [a]\n  s:\n", "  - x%[1]d\n  - x%[1]d\n"},
		{"members of a set that are the same", "  s:\n", "  - x # %d\n"},
		{"items of a map that are there twice", "  k:\n", "  - {name: x%[1]d}\n  - {name: x%[1]d}\n"},
		{"items of a map that are the same", "  k:\n", "  - {name: x} # %d\n"},
		{"items of a map without a key", "  k:\n", "  - {other: x%d}\n"},
		{"items without a required field", "  q:\n", "  - {} # %d\n"},
		{"items that no branch of anyOf takes", "  y:\n", "  - {} # %d\n"},
		{"items that a CEL rule refuses", "  r:\n", "  - %d1\n"},
		{"keys that are there twice", "  m:\n", "    k%[1]d: 1\n    k%[1]d: 2\n"},
		{"equal keys", "  m:\n", "    k: 1 # %d\n"},
		{"aliases of a value of a wrong type", "  t: &t x\n  m:\n", "    k%d: *t\n"},
		{"merged maps", "  any:\n    b: &b {x: 1}\n", "    k%d: {<<: *b}\n"},
		{"placeholders", "  m:\n", "    k%d: ${VALUE}\n"},
		{"ignored values of a map of a wrong type", "  m:\n", "    k%d: x # crdlift:ignore object-type -- so be it\n"},
		{"values that YAML 1.1 reads otherwise", "  e:\n", "  - yes # %d\n"},
	} {
		all = append(all, repeated{what: o.what, ways: judging, files: judged(func(n int) string { return o.head + each(n, o.format) })})
	}
	return append(all,
		repeated{what: "values on one line", ways: judging, files: judged(func(n int) string { return "  m: {" + each(n, "k%d: x, ") + "}\n" })},
		repeated{what: "letters of a value", ways: judging, files: judged(func(n int) string { return "  t: " + strings.Repeat("a long text, ", n) + "\n" })},
		repeated{what: "lines of a value of a wrong type", ways: judging, files: judged(func(n int) string {
			return "  size: |\n" + strings.Repeat("    a long text\n", n)
		})},
		repeated{what: "levels of an object", most: 4096, ways: judging, files: judged(func(n int) string { return "  any: " + strings.Repeat("{a: ", n) + "1" + strings.Repeat("}", n) + "\n" })},
		repeated{what: "dropped levels of an object", most: 4096, ways: judging, files: judged(func(n int) string { return "  b: " + strings.Repeat("{a: ", n) + "1" + strings.Repeat("}", n) + "\n" })},
		repeated{what: "labels that are not valid", ways: judging, files: headed("  labels:\n", "    a%d: b c\n")},
		repeated{what: "annotations of a wrong type", ways: judging, files: headed("  annotations:\n", "    a%d: 1\n")},
		repeated{what: "finalizers without a domain", ways: judging, files: headed("  finalizers:\n", "  - f%d\n")},
		repeated{what: "owners", ways: judging, files: headed("  ownerReferences:\n", "  - {apiVersion: v1, kind: A, name: a%[1]d, uid: a%[1]d}\n")},
		repeated{what: "objects of a file", ways: judging, files: items("", "---\n")},
		repeated{what: "objects of a List", ways: judging, files: items("apiVersion: v1\nkind: List\nitems:\n", "- ")},
		repeated{what: "kinds of objects", ways: judging, files: func(n int) map[string]string {
			k := crd(kind{})
			for _, name := range []string{"crd.yaml", "old.yaml", "object.yaml", "beta.yaml"} {
				k[name] = ""
			}
			for i := range n {
				name := fmt.Sprint("w", i)
				k["crd.yaml"] += kind{name: name}.String() + "---\n"
				k["beta.yaml"] += kind{name: name, api: "v1beta1"}.String() + "---\n"
				k["old.yaml"] += kind{name: name, spec: "{type: object, properties: {weight: {type: integer}}}"}.String() + "---\n"
				k["object.yaml"] += strings.Replace(object("{size: x}"), "Kwidget", "K"+name, 1) + "---\n"
			}
			return k
		}})
}

func headed(head, format string) func(int) map[string]string {
	return func(n int) map[string]string {
		k := crd(kind{spec: spec})
		k["object.yaml"] = "apiVersion: example.com/v1\nkind: Kwidget\nmetadata:\n  name: a\n  namespace: x\n" + head + each(n, format)
		return k
	}
}

func items(head, dash string) func(int) map[string]string {
	return func(n int) map[string]string {
		k := crd(kind{spec: spec})
		one := object("{size: x, unknown: 1}")
		if dash == "- " {
			one = strings.ReplaceAll(strings.TrimSpace(one), "\n", "\n  ") + "\n"
		}
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			b.WriteString(dash + strings.Replace(one, "name: a", fmt.Sprint("name: a", i), 1))
		}
		k["object.yaml"] = b.String()
		return k
	}
}

// ofAnswers are about what a conversion webhook may answer.
var ofAnswers = []repeated{
	{what: "levels of an answer", ways: "webhook", most: 8192, files: answer(func(n int) string { return `{"any":` + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + "}" })},
	{what: "levels of an answer that are dropped", ways: "webhook", most: 8192, files: answer(func(n int) string { return `{"b":` + strings.Repeat(`[`, n) + "1" + strings.Repeat("]", n) + "}" })},
	{what: "values of an answer", ways: "webhook", files: answer(func(n int) string { return `{"any":{` + each(n, `"k%d":1,`) + `"a":1}}` })},
	{what: "items of an answer", ways: "webhook", files: answer(func(n int) string { return `{"n":[` + each(n, `%d,`) + `1]}` })},
	{what: "values of an answer of a wrong type", ways: "webhook", files: answer(func(n int) string { return `{"m":{` + each(n, `"k%d":"x",`) + `"a":1}}` })},
	{what: "objects that are made", ways: "webhook", most: 65536, files: func(n int) map[string]string {
		return map[string]string{"crd.yaml": converted(), "args": "--count " + strconv.Itoa(n)}
	}},
}

// converted is a CRD of two versions with a webhook.
func converted() string {
	k := kind{spec: spec, more: "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://127.0.0.1/'}}}\n"}
	return strings.Replace(k.String(), "  versions:\n", "  versions:\n  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}\n", 1)
}

func answer(spec func(n int) string) func(int) map[string]string {
	return func(n int) map[string]string {
		return map[string]string{"crd.yaml": converted(), "spec.json": spec(n), "args": "--count 10"}
	}
}
