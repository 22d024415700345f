package main

import (
	"slices"
	"strings"
)

// Names of ways, for what is measured in all of them.
const (
	linting    = "lint diff new-only plan back lsp fn"
	anyAge     = linting + " beta convert exact"
	comparing  = "breaking new-only plan"
	templating = "lint diff beta convert exact lsp"
	judging    = "validate stored mend against exact"
)

const (
	aliased = props + "                a: &a {type: string, description: x}\n"
	ignore  = " # crdlift:ignore schema-type-invalid -- so be it"
	release = "  labels:\n    app: {{ .Release.Name }}\n"
	// n versions beside the one that is stored
	versions = version + plain + "«" + another + plain + "»"
	ifs      = props + "                {{- if .a }}\n                p: {type: string}\n"
)

// repeateds are all that is measured.
func repeateds() []repeated {
	return slices.Concat(ofSchemas, ofCRDs, ofChanges, ofConfiguration, ofTemplates, ofFiles, ofObjects(), ofAnswers)
}

// ofSchemas are about what a schema may have.
var ofSchemas = []repeated{
	{"fields", anyAge + " validate go", 0, spec(fields("{type: string, description: a field}"))},
	{"fields on one line", anyAge, 0, spec("{type: object, properties: {«p%d: {type: string}, »}}")},
	{"fields without a type", anyAge, 0, spec(fields("{description: a field}"))},
	{"fields of a wrong type", anyAge, 0, spec(fields("{type: strin}"))},
	{"misspelt keywords", anyAge, 0, spec(fields("{type: string, maxlength: 1}"))},
	{"unknown keywords of one schema", anyAge, 0, spec("\n              type: object\n«              unknown%d: 1\n»")},
	{"duplicate keys", anyAge, 0, spec(fields("{type: string, type: string}"))},
	{"the same key", anyAge, 0, spec(props + "«                a: {type: string}\n»")},
	{"required fields", anyAge, 0, spec(beside(fields("{type: string}"), "required:\n«              - p%d\n»"))},
	{"required fields that are not declared", anyAge, 0, spec(beside(oneField("{type: string}"), "required:\n«              - q%d\n»"))},
	{"defaults", linting + " validate stored against", 0, spec(fields("{type: string, default: a}"))},
	{"defaults that do not fit", linting, 0, spec(fields("{type: string, default: 1}"))},
	{"members of a default", linting, 0, spec("{type: object, additionalProperties: {type: integer}, default: {«k%d: 1, »}}")},
	// upstream's Result.AddErrors, which a server waits for as well, compares each error with all others
	{"members of a default that do not fit", linting, 4096, spec("{type: object, additionalProperties: {type: integer}, default: {«k%d: x, »}}")},
	{"values of an enum", anyAge + " validate", 0, spec(oneField("{type: string, enum: [«v%d, »]}"))},
	{"equal values of an enum", anyAge, 0, spec(oneField("{type: string, enum: [«a, »]}"))},
	{"values of an enum that do not fit", anyAge, 0, spec(oneField("{type: string, enum: [«%d, »]}"))},
	{"CEL rules", linting + " validate", 0, spec(beside(oneField("{type: integer}"), "x-kubernetes-validations:\n«              - {rule: self.p0 > %d}\n»"))},
	{"CEL rules that end in an error", "lint lsp", 0, spec(beside(fields("{type: string, maxLength: 9}"),
		"x-kubernetes-validations:\n«              - {rule: '!has(self.p%d) || int(self.p%d) > 0'}\n»"))},
	{"CEL rules that do not compile", linting, 0, spec(beside(oneField("{type: integer}"), "x-kubernetes-validations:\n«              - {rule: self.p%d >}\n»"))},
	{"CEL rules of fields", linting, 0, spec(fields("{type: integer, x-kubernetes-validations: [{rule: self > %d}]}"))},
	// the checker of cel-go copies what it knows of types for each term, on a server as well
	{"terms of a CEL rule", linting, 512, spec(oneField("{type: integer, x-kubernetes-validations: [{rule: 'true« && self != %d»'}]}"))},
	{"branches of anyOf", anyAge + " validate", 0, spec(beside(oneField("{type: integer}"), "anyOf:\n«              - {properties: {p0: {minimum: %d}}}\n»"))},
	{"branches of oneOf that require fields", anyAge, 0, spec(beside(fields("{type: integer}"), "oneOf:\n«              - {required: [p%d]}\n»"))},
	{"branches of allOf with types", anyAge, 0, spec(beside(oneField("{type: integer}"), "allOf:\n«              - {type: object, minProperties: %d}\n»"))},
	// docs/internals/robustness.md tells of levels: paths are as long as they are deep
	{"levels of a schema", anyAge + " validate", 128, spec("«{type: object, properties: {a: »{type: string}«}}»")},
	{"levels of a schema without types", anyAge, 128, spec("«{properties: {a: »{}«}}»")},
	{"keys of a list", anyAge, 0, spec("{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [«p%d, »], items: {type: object, required: [«p%d, »], properties: {«p%d: {type: string}, »}}}")},
	{"letters of a description", anyAge, 0, spec(oneField("{type: string, description: '«" + strings.Repeat("A long text. ", 10) + "»'}"))},
	{"lines of a description", anyAge, 0, spec("\n              type: object\n              description: |\n«" + strings.Repeat("                A long text.\n", 10) + "»")},
	{"comments", anyAge, 0, spec(oneField("{type: string}") + "«              # a comment\n»")},
	{"blank lines", anyAge, 0, spec(oneField("{type: string}") + "«\n»")},
	{"aliases", anyAge, 0, spec(aliased + "«                p%d: *a\n»")},
	{"aliases of what has no type", anyAge, 0, spec(props + "                a: &a {description: x}\n«                p%d: *a\n»")},
	{"anchors", anyAge, 0, spec(fields("&p%d {type: string}"))},
	{"merge keys", anyAge, 0, spec(aliased + "«                p%d: {<<: *a}\n»")},
}

// ofCRDs are about what else a CRD may have, and a file of them.
var ofCRDs = []repeated{
	{"names of a kind", anyAge, 0, spec("").edit("singular: widget", "singular: widget, shortNames: [«s%d, »], categories: [«c%d, »]")},
	{"labels", anyAge, 0, crd(kind{meta: "  labels:\n«    l%d: a\n»"})},
	{"annotations that are not valid", anyAge, 0, crd(kind{meta: "  annotations:\n«    a b%d: a\n»"})},
	{"printer columns", anyAge, 0, crd(kind{versions: version + "    additionalPrinterColumns:\n«    - {name: C%d, type: string, jsonPath: .spec.a}\n»" + plain})},
	{"printer columns of one name", anyAge, 0, crd(kind{versions: version + "    additionalPrinterColumns:\n«    - {name: C, type: string, jsonPath: .spec.size}\n»" + plain})},
	{"selectable fields", linting, 0, crd(kind{versions: version + "    selectableFields:\n«    - {jsonPath: .spec.f%d}\n»" + plain})},
	{"versions", anyAge + " validate", 0, crd(kind{versions: versions})},
	{"versions of one name", anyAge, 0, crd(kind{versions: strings.ReplaceAll(versions, "v1%d", "v1")})},
	{"versions that are gone", "breaking plan new-only against", 0, spec("").with("old.yaml", kind{versions: versions}.String())},
	{"unknown fields of the CRD", anyAge, 0, crd(kind{more: "«  unknown%d: 1\n»"})},
	{"CRDs of a file", anyAge, 0, documents(kind{name: "w%d"})},
	{"equal CRDs of a file", anyAge, 0, documents(kind{})},
	{"wrong CRDs of a file", anyAge, 0, documents(wrong)},
	{"other documents of a file", anyAge, 0, spec("{type: objec}").edit("", "«kind: ConfigMap\napiVersion: v1\nmetadata: {name: a%d}\n---\n»")},
	{"forms of a CRD", "validate", 0, documents(kind{spec: "{type: object, maxProperties: %d}"})},
	{"CRDs of a List", anyAge, 0, listed("apiVersion: v1\nkind: List\nitems:\n", func(k kind) string { return "- " + item(k.String()) }, wrong)},
}

// wrong is a kind with a mistake.
var wrong = kind{name: "w%d", spec: "{type: objec}"}

// ofChanges are about what may become of a CRD.
var ofChanges = []repeated{
	{"fields that are gone", comparing + " against", 0, changed("{type: string}", "{type: string}\n                q%d: {type: string}")},
	{"fields of another type", comparing + " against", 0, changed("{type: string}", "{type: integer}")},
	{"fields that become required", comparing, 0, compared(fields("{type: string}"), beside(fields("{type: string}"), "required: [«p%d, »]\n"))},
	{"fields with another default", comparing + " against", 0, changed("{type: string, default: a}", "{type: string, default: b}")},
	{"fields with another description", comparing, 0, changed("{type: string, description: a}", "{type: string, description: b}")},
	{"stricter fields", comparing, 0, changed("{type: string}", "{type: string, maxLength: 5, pattern: '^a%d*$'}")},
	{"new CEL rules", comparing, 0, spec("{type: object, properties: {size: {type: integer}}, x-kubernetes-validations: [«{rule: self.size > %d}, »]}")},
	{"new branches of anyOf", comparing, 0, spec("{type: object, properties: {size: {type: integer}}, anyOf: [«{properties: {size: {minimum: %d}}}, »]}")},
	{"values of an enum that are replaced", comparing, 0, compared("{type: string, enum: [«b%d, »]}", "{type: string, enum: [«a%d, »]}")},
}

// ofConfiguration are about what may be ignored or left out.
var ofConfiguration = []repeated{
	{"ignored findings", "lint diff lsp", 0, spec(fields("{type: strin}" + ignore))},
	{"ignores of nothing", "lint diff lsp", 0, spec(fields("{type: string}" + ignore))},
	{"paths in the configuration that are ignored", "lint diff lsp", 0, spec(fields("{type: strin}")).with(".crdlift.yaml", "ignore:\n«- {rule: schema-type-invalid, crd: widgets.example.com, path: 'spec.p%d', reason: x}\n»")},
	{"globs of paths in the configuration", "lint lsp", 0, spec("").with(".crdlift.yaml", "ignore:\n«- {rule: schema-type-invalid, crd: 'w*', path: 'spec.*.p%d', reason: x}\n»")},
	{"globs of files that are excluded", "lint lsp", 0, spec("").with(".crdlift.yaml", "exclude:\n«- 'a%d/**'\n»")},
	{"overrides", "lint validate lsp", 0, spec("").with(".crdlift.yaml", "overrides:\n«- {paths: ['a%d/**'], rules: {schema-type-invalid: off}}\n»")},
	{"findings of a baseline", "baseline", 0, spec(fields("{type: strin}"))},
}

// ofTemplates are about what a Helm template may have.
var ofTemplates = []repeated{
	{"actions", templating, 0, template(props + "«                p%d: {type: string, description: '{{ .Values.v%d }}'}\n»")},
	{"actions on one line", templating, 0, template(oneField("{type: string, description: '«{{ .a }} »'}"))},
	{"conditions", templating, 0, template(props + "«                {{- if .c%d }}\n                p%d: {type: string}\n                {{- end }}\n»")},
	{"conditions around mistakes", templating, 0, template(props + "«                {{- if .c%d }}\n                p%d: {type: strin}\n                {{- end }}\n»")},
	{"branches of a condition", templating, 0, template(ifs + "«                {{- else if .c%d }}\n                p%d: {type: string}\n»                {{- end }}\n")},
	{"conditions in the branches of one", templating, 0, template(ifs +
		"«                {{- else if .c%d }}\n                {{- if .d%d }}\n                p%d: {type: string}\n                {{- end }}\n»                {{- end }}\n")},
	{"conditions in each other", templating, 0, template("{type: object, properties: {size: {type: integer}}}\n«{{- end }}\n»").edit("", "«{{- if .a }}\n»")},
}

func template(schema string) input { return crd(kind{meta: release, spec: schema}) }

// ofFiles are about Go types, and files beside each other.
var ofFiles = []repeated{
	{"fields of a Go type", "go", 0, golang(fields("{type: string}"), "type WidgetSpec struct {\n«\t// +kubebuilder:validation:MinLength=1\n\tP%d string `json:\"p%d\"`\n»}\n")},
	{"Go types", "go", 0, golang(fields("{type: object, properties: {A: {type: integer}}}"), "type WidgetSpec struct {\n«\tP%d T%d `json:\"p%d\"`\n»}\n«type T%d struct{ A string }\n»")},
	{"Go files", "go", 8192, golang(oneField("{type: strin}"), "type WidgetSpec struct { P0 string `json:\"p0\"` }\n").
		with("api/f%d.go", "package api\n\ntype T%d struct{ A string }\n")},
	{"files", "folder", 65536, input{"f%d.yaml": wrong.String()}},
	{"copies of a CRD", "folder", 65536, input{"f%d.yaml": kind{spec: "{type: objec}"}.String()}},
	{"findings of a report", "report", 0, input{"found/a.json": report("«"+finding+",»"+strings.ReplaceAll(finding, "%d", "last"), "%n")}},
	{"reports", "report", 65536, input{"found/r%d.json": report(strings.ReplaceAll(finding, "%d", ""), "1")}},
}

const finding = `{"rule": "schema-type-invalid", "severity": "error", "message": "m%d", "file": "a.yaml", "line": 1, "column": 1, "document": 0, "path": "p%d"}`

func report(findings, n string) string {
	return `{"version": 1, "findings": [` + findings + `], "summary": {"files": 1, "crds": 1, "otherDocuments": 0, "errors": ` + n + `, "warnings": 0, "infos": 0, "ignored": 0}}`
}

// ofObjects are about what a custom resource may have.
func ofObjects() (all []repeated) {
	for _, o := range []struct {
		what, spec string
		most       int
	}{
		{"values of a map", "  m:\n«    k%d: 1\n»", 0},
		{"values of a map of a wrong type", "  m:\n«    k%d: x\n»", 0},
		{"values of a list", "  n:\n«  - %d\n»", 0},
		{"values of a list of a wrong type", "  n:\n«  - x%d\n»", 0},
		{"values that an enum does not have", "  e:\n«  - x%d\n»", 0},
		{"dropped fields of items", "  l:\n«  - b: x%d\n»", 0},
		{"dropped fields and nulls of items", "  l:\n«  - b: x%d\n    c: null\n»", 0},
		{"dropped fields of one object", "  o:\n«    unknown%d: x\n»", 0},
		{"misspelt fields of items", "  q:\n«  - firs: x%d\n»", 0},
		{"nulls of a map", "  m:\n«    k%d: null\n»", 0},
		{"nulls of items", "  l:\n«  - a: null # %d\n»", 0},
		{"nulls for which a default is filled in", "  l:\n«  - d: null # %d\n»", 0},
		{"objects to which a default is added", "  l:\n«  - a: x%d\n»", 0},
		{"members of a set", "  s:\n«  - x%d\n»", 0},
		{"members of a set that are there twice", "  s: [a]\n  s:\n«  - x%d\n  - x%d\n»", 0},
		{"members of a set that are the same", "  s:\n«  - x # %d\n»", 0},
		{"items of a map that are there twice", "  k:\n«  - {name: x%d}\n  - {name: x%d}\n»", 0},
		{"items of a map that are the same", "  k:\n«  - {name: x} # %d\n»", 0},
		{"items of a map without a key", "  k:\n«  - {other: x%d}\n»", 0},
		{"items without a required field", "  q:\n«  - {} # %d\n»", 0},
		{"items that no branch of anyOf takes", "  y:\n«  - {} # %d\n»", 0},
		{"items that a CEL rule rejects", "  r:\n«  - %d1\n»", 0},
		{"keys that are there twice", "  m:\n«    k%d: 1\n    k%d: 2\n»", 0},
		{"equal keys", "  m:\n«    k: 1 # %d\n»", 0},
		{"aliases of a value of a wrong type", "  t: &t x\n  m:\n«    k%d: *t\n»", 0},
		{"merged maps", "  any:\n    b: &b {x: 1}\n«    k%d: {<<: *b}\n»", 0},
		{"placeholders", "  m:\n«    k%d: ${VALUE}\n»", 0},
		{"ignored values of a map of a wrong type", "  m:\n«    k%d: x # crdlift:ignore object-type -- so be it\n»", 0},
		{"values that YAML 1.1 reads otherwise", "  e:\n«  - yes # %d\n»", 0},
		{"values on one line", "  m: {«k%d: x, »}\n", 0},
		{"letters of a value", "  t: «a long text, »\n", 0},
		{"lines of a value of a wrong type", "  size: |\n«    a long text\n»", 0},
		{"levels of an object", "  any: «{a: »1«}»\n", 4096},
		{"dropped levels of an object", "  b: «{a: »1«}»\n", 4096},
	} {
		all = append(all, repeated{o.what, judging, o.most, spec(judged).with("object.yaml", object("\n"+o.spec))})
	}
	for _, o := range []struct{ what, meta string }{
		{"labels that are not valid", "  labels:\n«    a%d: b c\n»"},
		{"annotations of a wrong type", "  annotations:\n«    a%d: 1\n»"},
		{"finalizers without a domain", "  finalizers:\n«  - f%d\n»"},
		{"owners", "  ownerReferences:\n«  - {apiVersion: v1, kind: A, name: a%d, uid: a%d}\n»"},
	} {
		const head = "apiVersion: example.com/v1\nkind: Kwidget\nmetadata:\n  name: a\n  namespace: x\n"
		all = append(all, repeated{o.what, judging, 0, spec(judged).with("object.yaml", head+o.meta)})
	}
	refused := strings.Replace(object("{size: x, unknown: 1}"), "name: a", "name: a%d", 1)
	return append(all,
		repeated{"objects of a file", judging, 0, spec(judged).with("object.yaml", "«---\n"+refused+"»")},
		repeated{"objects of a List", judging, 0, spec(judged).with("object.yaml", "apiVersion: v1\nkind: List\nitems:\n«- "+item(refused)+"»")},
		repeated{"kinds of objects", judging, 0, documents(kind{name: "w%d"}).with("object.yaml", "«---\n"+strings.Replace(object("{size: x}"), "Kwidget", "Kw%d", 1)+"»")})
}

// ofAnswers are about what a conversion webhook may answer.
var ofAnswers = []repeated{
	{"levels of an answer", "webhook", 8192, answered(`{"any":«{"a":»1«}»}`)},
	{"levels of an answer that are dropped", "webhook", 8192, answered(`{"b":«[»1«]»}`)},
	{"values of an answer", "webhook", 0, answered(`{"any":{«"k%d":1,»"a":1}}`)},
	{"items of an answer", "webhook", 0, answered(`{"n":[«%d,»1]}`)},
	{"values of an answer of a wrong type", "webhook", 0, answered(`{"m":{«"k%d":"x",»"a":1}}`)},
	{"objects that are made", "webhook", 65536, answered("").with("args", "--count %n")},
}
