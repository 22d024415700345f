package main

import (
	"fmt"
	"strings"
)

// with is files with one more.
func with(k map[string]string, name, text string) map[string]string {
	k[name] = text
	return k
}

// wrong has n fields that are refused.
func wrong(n int) map[string]string { return crd(kind{spec: fields(n, "{type: strin}")}) }

// changed has fields, and what they were before.
func changed(was, is string) func(int) map[string]string {
	return func(n int) map[string]string {
		return with(crd(kind{spec: fields(n, is)}), "old.yaml", kind{spec: fields(n, was)}.String())
	}
}

// template is a Helm template with a schema.
func template(meta string, format string) func(int) map[string]string {
	return func(n int) map[string]string {
		return crd(kind{meta: meta, spec: "\n              type: object\n              properties:\n" + each(n, format)})
	}
}

const (
	comparing  = "breaking new-only plan"
	templating = "lint diff beta convert exact lsp"
	release    = "  labels:\n    app: {{ .Release.Name }}\n"
)

// ofChanges are about what may become of a CRD.
var ofChanges = []repeated{
	{what: "fields that are gone", ways: comparing + " against", files: changed("{type: string}", "{type: string}\n                q%[1]d: {type: string}")},
	{what: "fields of another type", ways: comparing + " against", files: changed("{type: string}", "{type: integer}")},
	{what: "fields that become required", ways: comparing, files: func(n int) map[string]string {
		return with(crd(kind{spec: fields(n, "{type: string}") + "              required: [" + each(n, "p%d, ") + "]\n"}), "old.yaml", kind{spec: fields(n, "{type: string}")}.String())
	}},
	{what: "fields with another default", ways: comparing + " against", files: changed("{type: string, default: a}", "{type: string, default: b}")},
	{what: "fields with another description", ways: comparing, files: changed("{type: string, description: a}", "{type: string, description: b}")},
	{what: "stricter fields", ways: comparing, files: changed("{type: string}", "{type: string, maxLength: 5, pattern: '^a%[1]d*$'}")},
	{what: "new CEL rules", ways: comparing, files: func(n int) map[string]string {
		return crd(kind{spec: "{type: object, properties: {size: {type: integer}}, x-kubernetes-validations: [" + each(n, "{rule: self.size > %d}, ") + "]}"})
	}},
	{what: "new branches of anyOf", ways: comparing, files: func(n int) map[string]string {
		return crd(kind{spec: "{type: object, properties: {size: {type: integer}}, anyOf: [" + each(n, "{properties: {size: {minimum: %d}}}, ") + "]}"})
	}},
	{what: "values of an enum that are replaced", ways: comparing, files: func(n int) map[string]string {
		return with(crd(kind{spec: "{type: string, enum: [" + each(n, "a%d, ") + "]}"}), "old.yaml", kind{spec: "{type: string, enum: [" + each(n, "b%d, ") + "]}"}.String())
	}},
}

// ofConfiguration are about what may be ignored or left out.
var ofConfiguration = []repeated{
	{what: "ignored findings", ways: "lint diff lsp", files: schemas(func(n int) string {
		return fields(n, "{type: strin} # crdlift:ignore schema-type-invalid -- so be it")
	})},
	{what: "ignores of nothing", ways: "lint diff lsp", files: schemas(func(n int) string {
		return fields(n, "{type: string} # crdlift:ignore schema-type-invalid -- so be it")
	})},
	{what: "paths in the configuration that are ignored", ways: "lint diff lsp", files: func(n int) map[string]string {
		return with(wrong(n), ".crdlift.yaml", "ignore:\n"+each(n, "- {rule: schema-type-invalid, crd: widgets.example.com, path: 'spec.p%d', reason: x}\n"))
	}},
	{what: "globs of paths in the configuration", ways: "lint lsp", files: func(n int) map[string]string {
		return with(crd(kind{}), ".crdlift.yaml", "ignore:\n"+each(n, "- {rule: schema-type-invalid, crd: 'w*', path: 'spec.*.p%d', reason: x}\n"))
	}},
	{what: "globs of files that are excluded", ways: "lint lsp", files: func(n int) map[string]string {
		return with(crd(kind{}), ".crdlift.yaml", "exclude:\n"+each(n, "- 'a%d/**'\n"))
	}},
	{what: "overrides", ways: "lint validate lsp", files: func(n int) map[string]string {
		return with(crd(kind{}), ".crdlift.yaml", "overrides:\n"+each(n, "- {paths: ['a%d/**'], rules: {schema-type-invalid: off}}\n"))
	}},
	{what: "findings of a baseline", ways: "baseline", files: wrong},
}

// ofTemplates are about what a Helm template may have.
var ofTemplates = []repeated{
	{what: "actions", ways: templating, files: template(release, "                p%[1]d: {type: string, description: '{{ .Values.v%[1]d }}'}\n")},
	{what: "actions on one line", ways: templating, files: func(n int) map[string]string {
		return crd(kind{meta: release, spec: fields(1, "{type: string, description: '"+strings.Repeat("{{ .a }} ", n)+"'}")})
	}},
	{what: "conditions", ways: templating, files: template(release, "                {{- if .c%[1]d }}\n                p%[1]d: {type: string}\n                {{- end }}\n")},
	{what: "conditions around mistakes", ways: templating, files: template(release, "                {{- if .c%[1]d }}\n                p%[1]d: {type: strin}\n                {{- end }}\n")},
	{what: "branches of a condition", ways: templating, files: func(n int) map[string]string {
		return crd(kind{meta: release, spec: "\n              type: object\n              properties:\n                {{- if .a }}\n                p: {type: string}\n" +
			each(n, "                {{- else if .c%[1]d }}\n                p%[1]d: {type: string}\n") + "                {{- end }}\n"})
	}},
	{what: "conditions in the branches of one", ways: templating, files: func(n int) map[string]string {
		return crd(kind{meta: release, spec: "\n              type: object\n              properties:\n                {{- if .a }}\n                p: {type: string}\n" +
			each(n, "                {{- else if .c%[1]d }}\n                {{- if .d%[1]d }}\n                p%[1]d: {type: string}\n                {{- end }}\n") + "                {{- end }}\n"})
	}},
	{what: "conditions in each other", ways: templating, files: func(n int) map[string]string {
		k := crd(kind{meta: release})
		for _, name := range []string{"crd.yaml", "beta.yaml"} {
			k[name] = strings.Repeat("{{- if .a }}\n", n) + k[name] + strings.Repeat("{{- end }}\n", n)
		}
		return k
	}},
}

// ofGo are about Go types, and files beside each other.
var ofGo = []repeated{
	{what: "fields of a Go type", ways: "go", files: func(n int) map[string]string {
		return golang(n, "type WidgetSpec struct {\n"+each(n, "\t// +kubebuilder:validation:MinLength=1\n\tP%[1]d string `json:\"p%[1]d\"`\n")+"}\n", "{type: string}")
	}},
	{what: "Go types", ways: "go", files: func(n int) map[string]string {
		return golang(n, "type WidgetSpec struct {\n"+each(n, "\tP%[1]d T%[1]d `json:\"p%[1]d\"`\n")+"}\n"+each(n, "type T%d struct{ A string }\n"), "{type: object, properties: {A: {type: integer}}}")
	}},
	{what: "Go files", ways: "go", most: 8192, files: func(n int) map[string]string {
		k := golang(1, "type WidgetSpec struct { P0 string `json:\"p0\"` }\n", "{type: strin}")
		for i := range n {
			k[fmt.Sprintf("api/f%d.go", i)] = fmt.Sprintf("package api\n\ntype T%d struct{ A string }\n", i)
		}
		return k
	}},
	{what: "files", ways: "folder", most: 65536, files: func(n int) map[string]string {
		k := map[string]string{}
		for i := range n {
			k[fmt.Sprintf("f%d.yaml", i)] = kind{name: fmt.Sprint("w", i), spec: "{type: objec}"}.String()
		}
		return k
	}},
	{what: "copies of a CRD", ways: "folder", most: 65536, files: func(n int) map[string]string {
		k := map[string]string{}
		for i := range n {
			k[fmt.Sprintf("f%d.yaml", i)] = kind{spec: "{type: objec}"}.String()
		}
		return k
	}},
}

// ofReports are about what reports may have.
var ofReports = []repeated{
	{what: "findings of a report", ways: "report", files: func(n int) map[string]string {
		return map[string]string{"found/a.json": `{"version": 1, "findings": [` + strings.TrimSuffix(each(n, `{"rule": "schema-type-invalid", "severity": "error", "message": "m%[1]d", "file": "a.yaml", "line": 1, "column": 1, "document": 0, "path": "p%[1]d"},`), ",") +
			fmt.Sprintf(`], "summary": {"files": 1, "crds": 1, "otherDocuments": 0, "errors": %d, "warnings": 0, "infos": 0, "ignored": 0}}`, n)}
	}},
	{what: "reports", ways: "report", most: 65536, files: func(n int) map[string]string {
		k := map[string]string{}
		for i := range n {
			k[fmt.Sprintf("found/r%d.json", i)] = `{"version": 1, "findings": [{"rule": "schema-type-invalid", "severity": "error", "message": "m", "file": "a.yaml", "line": 1, "column": 1, "document": 0, "path": "p"}], "summary": {"files": 1, "crds": 1, "otherDocuments": 0, "errors": 1, "warnings": 0, "infos": 0, "ignored": 0}}`
		}
		return k
	}},
}

// golang has Go types beside a CRD with n fields.
func golang(n int, types, field string) map[string]string {
	k := crd(kind{spec: fields(n, field)})
	k["go.mod"] = "module example.com/api\n"
	k["api/types.go"] = "// +groupName=example.com\npackage api\n\n// +kubebuilder:object:root=true\ntype Kwidget struct {\n\tSpec WidgetSpec `json:\"spec,omitempty\"`\n}\n\n" + types
	return k
}
