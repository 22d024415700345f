package main

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// An input is the files of a folder, by their names. What stands between « and » in a text is there any number of times, each
// with its number for %d, and so is a file with %d in its name. %n is how many there are.
type input map[string]string

// grown are the files with n of whatever there may be any number of.
func (in input) grown(n int) map[string]string {
	files := map[string]string{}
	for name, text := range in {
		if !strings.Contains(name, "%d") {
			files[name] = grow(text, n)
			continue
		}
		for i := range n {
			files[numbered(name, i)] = numbered(text, i)
		}
	}
	return files
}

func numbered(text string, i int) string { return strings.ReplaceAll(text, "%d", strconv.Itoa(i)) }

func grow(text string, n int) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "«")
		b.WriteString(strings.ReplaceAll(before, "%n", strconv.Itoa(n)))
		if !found {
			return b.String()
		}
		one, after, _ := strings.Cut(rest, "»")
		for i := range n {
			b.WriteString(numbered(one, i))
		}
		text = after
	}
}

// with has another file.
func (in input) with(name, text string) input {
	in = maps.Clone(in)
	in[name] = text
	return in
}

// edit replaces a text in the CRD.
func (in input) edit(old, new string) input {
	for _, name := range []string{"crd.yaml", "beta.yaml"} {
		in = in.with(name, strings.Replace(in[name], old, new, 1))
	}
	return in
}

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
		versions = strings.ReplaceAll(versions, plain, "")
		if versions == "" {
			versions = version
		}
	case versions == "":
		versions = version + "    schema:\n" + schema
	}
	return fmt.Sprintf("apiVersion: apiextensions.k8s.io/%s\nkind: CustomResourceDefinition\nmetadata:\n  name: %[2]ss.example.com\n%[3]s"+
		"spec:\n  group: example.com\n  scope: Namespaced\n  names: {kind: K%[2]s, plural: %[2]ss, listKind: K%[2]sList, singular: %[2]s}\n%[4]s  versions:\n%[5]s%[6]s",
		api, name, k.meta, k.more, versions, validation)
}

// beta is the kind in v1beta1.
func (k kind) beta() kind {
	k.api = "v1beta1"
	return k
}

// The lines of versions: the stored one, others, and a schema, which v1 alone has.
const (
	version = "  - name: v1\n    served: true\n    storage: true\n"
	another = "  - name: v1%d\n    served: true\n    storage: false\n"
	plain   = "    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}\n"
)

// crd is a CRD, itself in v1beta1, what it was before, and an object of it.
func crd(k kind) input {
	return input{"crd.yaml": k.String(), "beta.yaml": k.beta().String(), "old.yaml": kind{}.String(),
		"object.yaml": object("{size: 1}"), "drop.conf": "convert: {onLoss: drop}\n", "list.yaml": resources + "- " + item(k.String())}
}

const resources = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"

// object is one of the plainest kind.
func object(spec string) string {
	return "apiVersion: example.com/v1\nkind: Kwidget\nmetadata: {name: a, namespace: x}\nspec: " + spec + "\n"
}

// item is a document as an item of a list.
func item(document string) string {
	return strings.ReplaceAll(strings.TrimSpace(document), "\n", "\n  ") + "\n"
}

// documents has n CRDs in a file, and others before; they stand between two texts.
func documents(k kind) input {
	return listed("", func(k kind) string { return "---\n" + k.String() }, k)
}

// listed has the items of a list, or documents.
func listed(head string, text func(kind) string, k kind) input {
	in := crd(kind{}).with("list.yaml", resources+"«- "+item(k.String())+"»").
		with("crd.yaml", head+"«"+text(k)+"»").with("beta.yaml", head+"«"+text(k.beta())+"»")
	return in.with("old.yaml", strings.ReplaceAll(in["crd.yaml"], "size", "weight"))
}

// spec has a CRD with a schema.
func spec(text string) input { return crd(kind{spec: text}) }

const props = "\n              type: object\n              properties:\n"

// oneField is a schema with a field, fields one with n of them, and beside has another keyword in lines after one.
func oneField(schema string) string { return props + "                p0: " + schema + "\n" }

func fields(schema string) string { return props + "«                p%d: " + schema + "\n»" }

func beside(schema, line string) string { return schema + "              " + line }

// changed has fields that were others.
func changed(was, is string) input { return compared(fields(was), fields(is)) }

func compared(was, is string) input { return spec(is).with("old.yaml", kind{spec: was}.String()) }

// golang has Go types beside a CRD with n fields.
func golang(schema, types string) input {
	return spec(schema).with("go.mod", "module example.com/api\n").with("api/types.go", "// +groupName=example.com\npackage api\n\n"+
		"// +kubebuilder:object:root=true\ntype Kwidget struct {\n\tSpec WidgetSpec `json:\"spec,omitempty\"`\n}\n\n"+types)
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

// answered has a webhook of a CRD with two versions answer with a spec.
func answered(spec string) input {
	k := kind{spec: judged, more: "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://127.0.0.1/'}}}\n"}
	const second = "  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}\n"
	return input{"crd.yaml": strings.Replace(k.String(), "  versions:\n", "  versions:\n"+second, 1), "spec.json": spec, "args": "--count 10"}
}
