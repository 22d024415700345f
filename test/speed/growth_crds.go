package main

import (
	"fmt"
	"slices"
	"strings"
)

// A kind is a CRD with a schema of spec, by what is different from the plainest.
type kind struct {
	api      string // "" for v1
	name     string // "" for widget
	spec     string // the schema of spec, in flow style or in lines that are indented by 18
	versions string // in the place of its only one
	more     string // lines of spec
	meta     string // lines of metadata
}

func (k kind) String() string {
	name := k.name
	if name == "" {
		name = "widget"
	}
	api, validation, versions := "v1", "", k.versions
	if k.spec == "" {
		k.spec = "{type: object, properties: {size: {type: integer}}}"
	}
	schema := "      openAPIV3Schema:\n        type: object\n        properties:\n          spec: " + k.spec + "\n"
	switch {
	case k.api != "":
		api, validation = k.api, "  validation:\n"+schema
		if versions == "" {
			versions = "  - {name: v1, served: true, storage: true}\n"
		}
	case versions == "":
		versions = "  - name: v1\n    served: true\n    storage: true\n    schema:\n" + schema
	}
	return fmt.Sprintf("apiVersion: apiextensions.k8s.io/%s\nkind: CustomResourceDefinition\nmetadata:\n  name: %[2]ss.example.com\n%[3]s"+
		"spec:\n  group: example.com\n  scope: Namespaced\n  names: {kind: K%[2]s, plural: %[2]ss, listKind: K%[2]sList, singular: %[2]s}\n%[4]s  versions:\n%[5]s%[6]s",
		api, name, k.meta, k.more, versions, validation)
}

// object is one of the plainest kind.
func object(spec string) string {
	return "apiVersion: example.com/v1\nkind: Kwidget\nmetadata: {name: a, namespace: x}\nspec: " + spec + "\n"
}

// each writes a text for each of n numbers.
func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// schemas have spec written by a function.
func schemas(spec func(n int) string) func(int) map[string]string {
	return func(n int) map[string]string { return crd(kind{spec: spec(n)}) }
}

// crd is a CRD, itself in v1beta1, what it was before, and an object of it.
func crd(k kind) map[string]string {
	beta := k
	beta.api = "v1beta1"
	return map[string]string{"crd.yaml": k.String(), "beta.yaml": beta.String(), "old.yaml": kind{}.String(), "object.yaml": object("{size: 1}"),
		"list.yaml": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(k.String()), "\n", "\n  ") + "\n"}
}

func fields(n int, format string) string {
	return "\n              type: object\n              properties:\n" + each(n, "                p%[1]d: "+format+"\n")
}

const (
	linting = "lint diff new-only plan back lsp fn"
	oldest  = " beta convert exact"
)

// repeateds are all that is measured.
func repeateds() []repeated {
	return slices.Concat(ofCRDs, ofChanges, ofConfiguration, ofTemplates, ofGo, ofReports, ofObjects(), ofAnswers)
}

// ofCRDs are about what a CRD may have.
var ofCRDs = []repeated{
	{what: "fields", ways: linting + oldest + " validate go", files: schemas(func(n int) string { return fields(n, "{type: string, description: a field}") })},
	{what: "fields on one line", ways: linting + oldest, files: schemas(func(n int) string { return "{type: object, properties: {" + each(n, "p%d: {type: string}, ") + "}}" })},
	{what: "fields without a type", ways: linting + oldest, files: schemas(func(n int) string { return fields(n, "{description: a field}") })},
	{what: "fields of a wrong type", ways: linting + oldest, files: schemas(func(n int) string { return fields(n, "{type: strin}") })},
	{what: "misspelt keywords", ways: linting + oldest, files: schemas(func(n int) string { return fields(n, "{type: string, maxlength: 1}") })},
	{what: "unknown keywords of one schema", ways: linting + oldest, files: schemas(func(n int) string {
		return "\n              type: object\n" + each(n, "              unknown%d: 1\n")
	})},
	{what: "duplicate keys", ways: linting + oldest, files: schemas(func(n int) string { return fields(n, "{type: string, type: string}") })},
	{what: "the same key", ways: linting + oldest, files: schemas(func(n int) string {
		return "\n              type: object\n              properties:\n" + strings.Repeat("                a: {type: string}\n", n)
	})},
	{what: "required fields", ways: linting + oldest, files: schemas(func(n int) string {
		return fields(n, "{type: string}") + "              required:\n" + each(n, "              - p%d\n")
	})},
	{what: "required fields that are not declared", ways: linting + oldest, files: schemas(func(n int) string {
		return fields(1, "{type: string}") + "              required:\n" + each(n, "              - q%d\n")
	})},
	{what: "defaults", ways: linting + " validate stored against", files: schemas(func(n int) string { return fields(n, "{type: string, default: a}") })},
	{what: "defaults that do not fit", ways: linting, files: schemas(func(n int) string { return fields(n, "{type: string, default: 1}") })},
	{what: "members of a default", ways: linting, files: schemas(func(n int) string {
		return "{type: object, additionalProperties: {type: integer}, default: {" + each(n, "k%d: 1, ") + "}}"
	})},
	// upstream's Result.AddErrors, which a server waits for as well, compares each error with all others
	{what: "members of a default that do not fit", most: 4096, ways: linting, files: schemas(func(n int) string {
		return "{type: object, additionalProperties: {type: integer}, default: {" + each(n, "k%d: x, ") + "}}"
	})},
	{what: "values of an enum", ways: linting + oldest + " validate", files: schemas(func(n int) string { return fields(1, "{type: string, enum: ["+each(n, "v%d, ")+"]}") })},
	{what: "equal values of an enum", ways: linting + oldest, files: schemas(func(n int) string {
		return fields(1, "{type: string, enum: ["+strings.Repeat("a, ", n)+"]}")
	})},
	{what: "values of an enum that do not fit", ways: linting + oldest, files: schemas(func(n int) string { return fields(1, "{type: string, enum: ["+each(n, "%d, ")+"]}") })},
	{what: "CEL rules", ways: linting + " validate", files: schemas(func(n int) string {
		return fields(1, "{type: integer}") + "              x-kubernetes-validations:\n" + each(n, "              - {rule: self.p0 > %d}\n")
	})},
	{what: "CEL rules that end in an error", ways: "lint lsp", files: schemas(func(n int) string {
		return fields(n, "{type: string, maxLength: 9}") + "              x-kubernetes-validations:\n" + each(n, "              - {rule: '!has(self.p%[1]d) || int(self.p%[1]d) > 0'}\n")
	})},
	{what: "CEL rules that do not compile", ways: linting, files: schemas(func(n int) string {
		return fields(1, "{type: integer}") + "              x-kubernetes-validations:\n" + each(n, "              - {rule: self.p%d >}\n")
	})},
	{what: "CEL rules of fields", ways: linting, files: schemas(func(n int) string {
		return fields(n, "{type: integer, x-kubernetes-validations: [{rule: self > %[1]d}]}")
	})},
	// the checker of cel-go copies what it knows of types for each term, on a server as well
	{what: "terms of a CEL rule", most: 512, ways: linting, files: schemas(func(n int) string {
		return fields(1, "{type: integer, x-kubernetes-validations: [{rule: 'true"+each(n, " && self != %d")+"'}]}")
	})},
	{what: "branches of anyOf", ways: linting + oldest + " validate", files: schemas(func(n int) string {
		return fields(1, "{type: integer}") + "              anyOf:\n" + each(n, "              - {properties: {p0: {minimum: %d}}}\n")
	})},
	{what: "branches of oneOf that require fields", ways: linting + oldest, files: schemas(func(n int) string {
		return fields(n, "{type: integer}") + "              oneOf:\n" + each(n, "              - {required: [p%d]}\n")
	})},
	{what: "branches of allOf with types", ways: linting + oldest, files: schemas(func(n int) string {
		return fields(1, "{type: integer}") + "              allOf:\n" + each(n, "              - {type: object, minProperties: %d}\n")
	})},
	// docs/robustness.md tells of levels: paths are as long as they are deep
	{what: "levels of a schema", most: 128, ways: linting + oldest + " validate", files: schemas(func(n int) string {
		return strings.Repeat("{type: object, properties: {a: ", n) + "{type: string}" + strings.Repeat("}}", n)
	})},
	{what: "levels of a schema without types", most: 128, ways: linting + oldest, files: schemas(func(n int) string {
		return strings.Repeat("{properties: {a: ", n) + "{}" + strings.Repeat("}}", n)
	})},
	{what: "keys of a list", ways: linting + oldest, files: schemas(func(n int) string {
		return "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [" + each(n, "p%d, ") + "], items: {type: object, required: [" + each(n, "p%d, ") + "], properties: {" + each(n, "p%d: {type: string}, ") + "}}}"
	})},
	{what: "letters of a description", ways: linting + oldest, files: schemas(func(n int) string {
		return fields(1, "{type: string, description: '"+strings.Repeat("A long text. ", n*10)+"'}")
	})},
	{what: "lines of a description", ways: linting + oldest, files: schemas(func(n int) string {
		return "\n              type: object\n              description: |\n" + strings.Repeat("                A long text.\n", n*10)
	})},
	{what: "comments", ways: linting + oldest, files: schemas(func(n int) string {
		return fields(1, "{type: string}") + strings.Repeat("              # a comment\n", n)
	})},
	{what: "blank lines", ways: linting + oldest, files: schemas(func(n int) string { return fields(1, "{type: string}") + strings.Repeat("\n", n) })},
	{what: "aliases", ways: linting + oldest, files: schemas(func(n int) string {
		return "\n              type: object\n              properties:\n                a: &a {type: string, description: x}\n" + each(n, "                p%d: *a\n")
	})},
	{what: "aliases of what has no type", ways: linting + oldest, files: schemas(func(n int) string {
		return "\n              type: object\n              properties:\n                a: &a {description: x}\n" + each(n, "                p%d: *a\n")
	})},
	{what: "anchors", ways: linting + oldest, files: schemas(func(n int) string { return fields(n, "&p%[1]d {type: string}") })},
	{what: "merge keys", ways: linting + oldest, files: schemas(func(n int) string {
		return "\n              type: object\n              properties:\n                a: &a {type: string, description: x}\n" + each(n, "                p%d: {<<: *a}\n")
	})},
	{what: "names of a kind", ways: linting + oldest, files: func(n int) map[string]string {
		k := crd(kind{})
		for _, name := range []string{"crd.yaml", "beta.yaml"} {
			k[name] = strings.Replace(k[name], "singular: widget", "singular: widget, shortNames: ["+each(n, "s%d, ")+"], categories: ["+each(n, "c%d, ")+"]", 1)
		}
		return k
	}},
	{what: "labels", ways: linting + oldest, files: func(n int) map[string]string { return crd(kind{meta: "  labels:\n" + each(n, "    l%d: a\n")}) }},
	{what: "annotations that are not valid", ways: linting + oldest, files: func(n int) map[string]string {
		return crd(kind{meta: "  annotations:\n" + each(n, "    a b%d: a\n")})
	}},
	{what: "printer columns", ways: linting + oldest, files: func(n int) map[string]string {
		return versioned(1, "    additionalPrinterColumns:\n"+each(n, "    - {name: C%d, type: string, jsonPath: .spec.a}\n"))
	}},
	{what: "printer columns of one name", ways: linting + oldest, files: func(n int) map[string]string {
		return versioned(1, "    additionalPrinterColumns:\n"+strings.Repeat("    - {name: C, type: string, jsonPath: .spec.size}\n", n))
	}},
	{what: "selectable fields", ways: linting, files: func(n int) map[string]string {
		return versioned(1, "    selectableFields:\n"+each(n, "    - {jsonPath: .spec.f%d}\n"))
	}},
	{what: "versions", ways: linting + oldest + " validate", files: func(n int) map[string]string { return versioned(n, "") }},
	{what: "versions of one name", ways: linting + oldest, files: func(n int) map[string]string {
		k := versioned(n, "")
		for _, name := range []string{"crd.yaml", "beta.yaml"} {
			for i := range n {
				k[name] = strings.Replace(k[name], fmt.Sprintf("name: v%d\n", i+1), "name: v1\n", 1)
			}
		}
		return k
	}},
	{what: "versions that are gone", ways: "breaking plan new-only against", files: func(n int) map[string]string {
		k := crd(kind{})
		k["old.yaml"] = versioned(n, "")["crd.yaml"]
		return k
	}},
	{what: "unknown fields of the CRD", ways: linting + oldest, files: func(n int) map[string]string { return crd(kind{more: each(n, "  unknown%d: 1\n")}) }},
	{what: "CRDs of a file", ways: linting + oldest, files: documents(func(i int) string { return kind{name: fmt.Sprint("w", i)}.String() })},
	{what: "equal CRDs of a file", ways: linting + oldest, files: documents(func(i int) string { return kind{}.String() })},
	{what: "wrong CRDs of a file", ways: linting + oldest, files: documents(func(i int) string { return kind{name: fmt.Sprint("w", i), spec: "{type: objec}"}.String() })},
	{what: "other documents of a file", ways: linting + oldest, files: func(n int) map[string]string {
		k := crd(kind{spec: "{type: objec}"})
		for _, name := range []string{"crd.yaml", "beta.yaml"} {
			k[name] += each(n, "---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: a%d}\n")
		}
		return k
	}},
	{what: "forms of a CRD", ways: "validate", files: documents(func(i int) string { return kind{spec: fmt.Sprintf("{type: object, maxProperties: %d}", i)}.String() })},
	{what: "CRDs of a List", ways: linting + oldest, files: func(n int) map[string]string {
		k := documents(func(i int) string { return kind{name: fmt.Sprint("w", i), spec: "{type: objec}"}.String() })(n)
		for _, name := range []string{"crd.yaml", "beta.yaml", "old.yaml"} {
			docs := strings.Split(strings.TrimSpace(k[name]), "\n---\n")
			k[name] = "apiVersion: v1\nkind: List\nitems:\n"
			for _, d := range docs {
				k[name] += "- " + strings.ReplaceAll(d, "\n", "\n  ") + "\n"
			}
		}
		return k
	}},
}

// versioned has n versions.
func versioned(n int, more string) map[string]string {
	var all, beta string
	for i := range n {
		version := fmt.Sprintf("  - name: v%d\n    served: true\n    storage: %v\n%s", i+1, i == 0, more)
		beta += version
		all += version + "    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}\n"
	}
	k := crd(kind{versions: all})
	k["beta.yaml"] = kind{api: "v1beta1", versions: beta}.String()
	return k
}

// documents are n CRDs of a file, and others before.
func documents(one func(i int) string) func(n int) map[string]string {
	return func(n int) map[string]string {
		k := crd(kind{})
		var all, list []string
		for i := range n {
			all = append(all, one(i))
			list = append(list, strings.ReplaceAll(strings.TrimSpace(one(i)), "\n", "\n  "))
		}
		k["crd.yaml"] = strings.Join(all, "---\n")
		k["beta.yaml"] = strings.ReplaceAll(k["crd.yaml"], "k8s.io/v1\n", "k8s.io/v1beta1\n")
		k["old.yaml"] = strings.ReplaceAll(k["crd.yaml"], "size", "weight")
		k["list.yaml"] = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- " + strings.Join(list, "\n- ") + "\n"
		return k
	}
}
