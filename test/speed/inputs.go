package main

import (
	"fmt"
	"strconv"
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

// crd is a CRD, itself in v1beta1, what it was before, and an object of it.
func crd(k kind) map[string]string {
	beta := k
	beta.api = "v1beta1"
	return map[string]string{"crd.yaml": k.String(), "beta.yaml": beta.String(), "old.yaml": kind{}.String(),
		"object.yaml": object("{size: 1}"), "drop.conf": "convert: {onLoss: drop}\n", "list.yaml": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- " + item(k.String())}
}

// object is one of the plainest kind.
func object(spec string) string {
	return "apiVersion: example.com/v1\nkind: Kwidget\nmetadata: {name: a, namespace: x}\nspec: " + spec + "\n"
}

// item is a document as an item of a list.
func item(document string) string {
	return strings.ReplaceAll(strings.TrimSpace(document), "\n", "\n  ") + "\n"
}

// grow repeats what stands between « and » n times, each with its number for %d.
func grow(text string, n int) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "«")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		one, after, _ := strings.Cut(rest, "»")
		for i := range n {
			b.WriteString(strings.ReplaceAll(one, "%d", strconv.Itoa(i)))
		}
		text = after
	}
}

// A source writes the files of an input with n of something.
type source = func(n int) map[string]string

// spec has a CRD with a schema that grows, and of one with anything that does.
func spec(text string) source { return of(kind{spec: text}) }

func of(k kind) source {
	return func(n int) map[string]string {
		return crd(kind{spec: grow(k.spec, n), more: grow(k.more, n), meta: grow(k.meta, n)})
	}
}

const props = "\n              type: object\n              properties:\n"

// oneField is a schema with a field, fields one with n of them, and beside has another keyword in lines after one.
func oneField(schema string) string { return props + "                p0: " + schema + "\n" }

func fields(schema string) string { return props + "«                p%d: " + schema + "\n»" }

func beside(schema, line string) string { return schema + "              " + line }

// file has a file with a text that grows beside those of another source.
func file(name, text string, s source) source {
	return func(n int) map[string]string {
		files := s(n)
		files[name] = grow(text, n)
		return files
	}
}

// changed has fields that were others.
func changed(was, is string) source {
	return compared(fields(was), fields(is))
}

func compared(was, is string) source { return file("old.yaml", kind{spec: was}.String(), spec(is)) }

// rewritten has CRDs of another source edited.
func rewritten(s source, edit func(text string, n int) string) source {
	return func(n int) map[string]string {
		files := s(n)
		for _, name := range []string{"crd.yaml", "beta.yaml"} {
			files[name] = edit(files[name], n)
		}
		return files
	}
}

const version = "  - name: v%d\n    served: true\n    storage: %v\n%s"

// versioned has a version with something, and versions has n of them.
func versioned(more string) source {
	return func(n int) map[string]string { return withVersions(1, grow(more, n)) }
}

func versions(n int) map[string]string { return withVersions(n, "") }

func withVersions(n int, more string) map[string]string {
	var all, beta strings.Builder
	for i := range n {
		fmt.Fprintf(&beta, version, i+1, i == 0, more)
		fmt.Fprintf(&all, version, i+1, i == 0, more)
		all.WriteString("    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}\n")
	}
	files := crd(kind{versions: all.String()})
	files["beta.yaml"] = kind{api: "v1beta1", versions: beta.String()}.String()
	return files
}

// documents has n CRDs in a file, and others before.
func documents(one func(i int) kind) source {
	return func(n int) map[string]string {
		files := crd(kind{})
		var all, list []string
		for i := range n {
			all = append(all, one(i).String())
			list = append(list, "- "+item(one(i).String()))
		}
		files["crd.yaml"] = strings.Join(all, "---\n")
		files["beta.yaml"] = strings.ReplaceAll(files["crd.yaml"], "k8s.io/v1\n", "k8s.io/v1beta1\n")
		files["old.yaml"] = strings.ReplaceAll(files["crd.yaml"], "size", "weight")
		files["list.yaml"] = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" + strings.Join(list, "")
		return files
	}
}

// apart adds n files.
func apart(n int, name string, files map[string]string, text func(i int) string) map[string]string {
	for i := range n {
		files[fmt.Sprintf(name, i)] = text(i)
	}
	return files
}

// golang has Go types beside a CRD with n fields.
func golang(schema, types string) source {
	return file("go.mod", "module example.com/api\n", file("api/types.go", "// +groupName=example.com\npackage api\n\n"+
		"// +kubebuilder:object:root=true\ntype Kwidget struct {\n\tSpec WidgetSpec `json:\"spec,omitempty\"`\n}\n\n"+types, spec(fields(schema))))
}

// judged is the schema of objects; the older CRD knows no field of it.
const judged = `{type: object, properties: {size: {type: integer}, m: {type: object, additionalProperties: {type: integer}}, n: {type: array, items: {type: integer}},
              l: {type: array, items: {type: object, properties: {a: {type: string}, d: {type: string, default: x}}}}, e: {type: array, items: {type: string, enum: [a, b]}},
              s: {type: array, x-kubernetes-list-type: set, items: {type: string}}, o: {type: object, properties: {first: {type: string}}},
              k: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}}}},
              r: {type: array, maxItems: 2000000, items: {type: integer, x-kubernetes-validations: [{rule: self < 10}]}},
              q: {type: array, items: {type: object, required: [first], properties: {first: {type: string}}}},
              y: {type: array, items: {anyOf: [{required: [a]}, {required: [b]}], type: object, properties: {a: {type: string}, b: {type: string}}}},
              t: {type: string}, any: {type: object, x-kubernetes-preserve-unknown-fields: true}}}`

// converted is a CRD of two versions with a webhook, and answered has it answer with a spec.
func converted() string {
	k := kind{spec: judged, more: "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://127.0.0.1/'}}}\n"}
	return strings.Replace(k.String(), "  versions:\n", "  versions:\n  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}\n", 1)
}

func answered(spec string) source {
	return func(n int) map[string]string {
		return map[string]string{"crd.yaml": converted(), "spec.json": grow(spec, n), "args": "--count 10"}
	}
}
