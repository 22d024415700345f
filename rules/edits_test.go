package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// wide is a CRD whose schema has so many properties that edits are made in excerpts of it, among them those to fix.
func wide() string {
	var b strings.Builder
	b.WriteString(`---
# an object before it, in the same file
apiVersion: v1
kind: ConfigMap
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, listKind: WidgetList, singular: widget}
  versions:
`)
	schema := func(indent string) {
		write := func(text string) {
			for line := range strings.Lines(text) {
				b.WriteString(indent + line)
			}
		}
		write("type: object\nproperties:\n  properties:\n    type: object\n    properties:\n")
		inner := func(from, to int) {
			for i := from; i < to; i++ {
				write(fmt.Sprintf("      # about p%[1]d\n      p%[1]d:\n        type: string\n        description: |+\n          It is p%[1]d.\n\n\n", i))
			}
		}
		inner(0, 6)
		write("      untyped: # no type\n        description: >\n          It is\n          folded.\n\n      # why\n")
		inner(6, 9)
		write("      not:\n        description: a property of this name\n")
		write("      flow: {description: in braces}\n")
		inner(9, 12)
		write("      list:\n      # its items\n        type: array\n        uniqueItems: true\n        items: {type: string}\n")
		inner(12, 15)
		write("      words:\n        type: String\n      last:\n        properties:\n          a:\n            type: string\n          b:\n            description: deep\n          c:\n            type: string\n          d:\n            type: string\n")
		inner(15, 18)
		write("  spec:\n    type: object\n  other:\n    description: beside it\n  status:\n    type: object\n    anyOf:\n    - properties:\n        p0: {type: string}\n        p1: {type: string}\n        p2: {minLength: 1}\n        p3: {}\n")
	}
	for i, storage := range []bool{true, false} {
		fmt.Fprintf(&b, "  - name: v%d\n    served: true\n    storage: %v\n    schema:\n      openAPIV3Schema:\n", i+1, storage)
		schema("        ")
	}
	b.WriteString("    # the end of it\n---\napiVersion: v1\nkind: ConfigMap\n")
	return b.String()
}

// TestEditsOfLargeCRDs compares the edits of each fix with what --fix makes of the whole text when it makes that fix alone.
func TestEditsOfLargeCRDs(t *testing.T) {
	t.Parallel()
	config := &lint.Config{Preset: lint.All}
	lf := wide()
	for name, text := range map[string]string{"LF": lf, "CRLF": strings.ReplaceAll(lf, "\n", "\r\n"), "no line end": strings.TrimSuffix(lf, "\n")} {
		compared := map[string]int{}
		linter := rules.Linter{Options: lint.Options{Config: config, Edits: true}}
		for _, f := range linter.File("crd.yaml", []byte(text)).Findings {
			if f.Fix == nil || len(f.Fix.Edits) == 0 {
				continue
			}
			alone := rules.Linter{Options: lint.Options{Config: config, Fixes: func(other *lint.Finding) bool {
				return other.Rule.ID == f.Rule.ID && other.Path == f.Path && other.Message == f.Message
			}}}
			fixed := alone.Fix("crd.yaml", []byte(text), true)
			if string(fixed.Output) == text { // it mends nothing alone
				continue
			}
			if diff := cmp.Diff(string(fixed.Output), edited(t, text, f.Fix.Edits)); diff != "" {
				t.Errorf("%s: %s at %s (-fixed +edited)\n%s", name, f.Rule.ID, f.Path, diff)
			}
			compared[f.Rule.ID]++
		}
		for _, rule := range []string{"schema-type-missing", "schema-type-invalid", "schema-unique-items"} {
			if compared[rule] == 0 {
				t.Errorf("%s: no fix of %s was compared, but %v", name, rule, compared)
			}
		}
	}
}

// edited is a text with edits made, whose columns count its characters: there are no others than those of ASCII.
func edited(t *testing.T, text string, edits []lint.TextEdit) string {
	t.Helper()
	begins := []int{0}
	for line := range strings.Lines(text) {
		begins = append(begins, begins[len(begins)-1]+len(line))
	}
	var out strings.Builder
	at := 0
	for _, e := range edits {
		start, end := begins[e.Line-1]+e.Column-1, begins[e.EndLine-1]+e.EndColumn-1
		if start < at || end < start {
			t.Fatalf("an edit of %d to %d behind %d", start, end, at)
		}
		out.WriteString(text[at:start] + e.Text)
		at = end
	}
	return out.String() + text[at:]
}
