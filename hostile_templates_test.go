package main

import "strings"

const (
	templateHead = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  labels:
    app: {{ .Release.Name }}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, listKind: WidgetList, singular: widget}
  version: v1
`
	templateSchema = `  validation:
    openAPIV3Schema:
      type: object
      properties:
`
)

// hostileTemplates are Helm templates of which masking, rewriting or its proof could take for ever.
var hostileTemplates = []hostileCase{
	{what: "50,000 actions on a line of a template", args: []string{"convert", "--check"}, file: "line.yaml", heavy: true, text: func() string {
		return templateHead + templateSchema + "        a: {type: string, description: '" + strings.Repeat("{{ .a }} ", 50_000) + "'}\n"
	}},
	{what: "10,000 different actions in a template", args: []string{"convert", "--check"}, file: "values.yaml", heavy: true, text: func() string {
		return templateHead + templateSchema + many(10_000, "        p%[1]d: {type: string, description: '{{ .v%[1]d }}'}\n")
	}},
	{what: "9,000 conditions in each other", args: []string{"convert", "--check"}, file: "nested.yaml", heavy: true, text: func() string {
		return strings.Repeat("{{ if .a }}\n", 9000) + templateHead + strings.Repeat("{{ end }}\n", 9000)
	}},
	{what: "2,000 conditions in a schema", args: []string{"convert", "--check"}, file: "conditions.yaml", heavy: true, text: func() string {
		return templateHead + templateSchema + many(2000, "        {{- if .c%[1]d }}\n        p%[1]d: {type: string}\n        {{- end }}\n")
	}},
	{what: "a chain of 2,000 branches", args: []string{"lint", "--fix", "--unsafe-fixes", "--diff"}, file: "chain.yaml", heavy: true, text: func() string {
		return templateHead + templateSchema + "        {{- if .a }}\n        p: {type: strin}\n" +
			many(2000, "        {{- else if .c%[1]d }}\n        p%[1]d: {type: strin}\n") + "        {{- end }}\n"
	}},
	{what: "1,000 CRDs of a template, each behind a condition", args: []string{"convert", "--check"}, file: "documents.yaml", heavy: true, text: func() string {
		return many(1000, "---\n{{ if .d%d }}\n"+templateHead+"{{ end }}\n")
	}},
	{what: "an action that is never closed", file: "open.yaml", text: content(templateHead + "  x: {{ .a\n")},
	{what: "an action in 100,000 parentheses", file: "parentheses.yaml", text: func() string {
		return templateHead + "  x: {{ " + strings.Repeat("(", 100_000) + ".a" + strings.Repeat(")", 100_000) + " }}\n"
	}},
	{what: "a million braces", file: "braces.yaml", text: func() string { return templateHead + "  x: " + strings.Repeat("{", 1_000_000) + "\n" }},
}
