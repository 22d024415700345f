package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"
)

const (
	goMod  = "module example.com/gadgets\n"
	gadget = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Gadget is a thing.
// +kubebuilder:subresource:status
type Gadget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `

	Status GadgetStatus ` + "`json:\"status,omitempty\"`" + `
}

// GadgetStatus is what was observed.
type GadgetStatus struct {
	Conditions []metav1.Condition ` + "`json:\"conditions,omitempty\"`" + `
}
`
	gadgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.14.0
  name: gadgets.example.com
spec:
  group: example.com
  names:
    kind: Gadget
    listKind: GadgetList
    plural: gadgets
    singular: gadget
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: Gadget is a thing.
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
          status:
            description: GadgetStatus is what was observed.
            properties:
              conditions:
                items:
                  properties:
                    lastTransitionTime:
                      format: date-time
                      type: string
                    message:
                      maxLength: 32768
                      type: string
                    reason:
                      maxLength: 1024
                      type: string
                    status:
                      type: string
                    type:
                      maxLength: 316
                      type: string
                  required:
                  - lastTransitionTime
                  - message
                  - reason
                  - status
                  - type
                  type: object
                type: array
            type: object
        type: object
    served: true
    storage: true
    subresources:
      status: {}
`
	// only has findings about conditions and markers.
	only = "rules:\n  printer-column-age-missing: off\n  schema-conditions-list-map: warning\n"

	types      = "api/v1/types.go"
	bases      = "config/crd/bases/example.com_gadgets.yaml"
	conditions = "16:1-16:11 warning schema-conditions-list-map"
)

// gadgetsWith is a client of a repository with a CRD that is generated from Go types.
func gadgetsWith(t *testing.T, capabilities string, files ...string) *client {
	t.Helper()
	return start(t, capabilities, append([]string{"go.mod", goMod, ".crdlift.yaml", only, bases, gadgets, types, gadget}, files...)...)
}

func (c *client) save(name, text string) {
	c.write(name, text)
	c.notify("textDocument/didSave", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri(name)))
}

func (c *client) configure(text string) {
	c.write(".crdlift.yaml", text)
	c.watched(".crdlift.yaml")
}

// TestGoFile has the findings of the manifests that are generated from it, where they have to be fixed, as it is typed.
func TestGoFile(t *testing.T) {
	t.Parallel()
	c := gadgetsWith(t, rich)
	c.open(types, gadget)
	got := c.diagnostics(types, conditions).Diagnostics[0]
	if !strings.HasSuffix(got.Message, "; Go: +listType=map +listMapKey=type") || got.Source != "crdlift" {
		t.Errorf("%+v", got)
	}
	if len(got.RelatedInformation) != 1 || got.RelatedInformation[0].Location.URI != c.uri(bases) || got.RelatedInformation[0].Location.Range.Start.Line != 29 {
		t.Errorf("it belongs to %+v", got.RelatedInformation)
	}
	c.edit(types, 2, "0:0-0:0 // A comment.\n\n") // above it
	c.diagnostics(types, "18:1-18:11 warning schema-conditions-list-map")
	c.edit(types, 3, "18:1-18:11 Another") // field, of which nothing is known
	c.diagnostics(types)
	c.edit(types, 4, "18:1-18:8 Conditions")
	c.diagnostics(types, "18:1-18:11 warning schema-conditions-list-map")
	c.edit(types, 5, "18:0-18:0 \t// +listType=map\n\t// +listMapKey=type\n") // what it asks for
	c.diagnostics(types)
	c.edit(types, 6, "all "+gadget)
	c.diagnostics(types, conditions)
	c.close(types)
	c.diagnostics(types)
	c.open(types, gadget)
	c.diagnostics(types, conditions)
	c.configure(only + "ignore:\n- {rule: schema-conditions-list-map, reason: it is so}\n")
	c.diagnostics(types)
	c.configure(only)
	c.diagnostics(types, conditions)
	mended := changed(t, gadgets, "                type: array\n", "                type: array\n                x-kubernetes-list-map-keys:\n                - type\n                x-kubernetes-list-type: map\n")
	text := changed(t, gadget, "\tConditions", "\t// +listType=map\n\t// +listMapKey=type\n\tConditions")
	c.edit(types, 2, "all "+text)
	c.diagnostics(types)
	c.save(types, text)
	c.write(bases, mended)
	c.watched(bases)
	c.diagnostics(bases)
}

// says waits until the manifest is judged with its role, and returns the last diagnostics of a document that were published.
func (c *client) says(name string) (last string) {
	c.Helper()
	for known := false; !known; time.Sleep(time.Millisecond) {
		_, known = c.server.rolesOf(c.server.project(uri.URI(c.uri(bases))))
	}
	c.edit(bases, 2, "0:0-0:0 # It has this role.\n")
	c.hover(bases, 0, 0)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.all {
		var p clientDiagnostics
		if m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && p.URI == c.uri(name) {
			last = ""
			for _, d := range p.Diagnostics {
				last += fmt.Sprintf("%s: %s\n", d, d.Message)
			}
		}
	}
	return last
}

// TestNotInGo are findings that are not to be fixed in an open Go file: in others, ignored ones, and those of manifests that are stale.
func TestNotInGo(t *testing.T) {
	t.Parallel()
	written := changed(t, gadget, "\tConditions", "\t// +listType=map\n\t// +listMapKey=type\n\tConditions")
	for name, files := range map[string][]string{
		"of another file":            {types, gadget},
		"ignored":                    {types, gadget, ".crdlift.yaml", only + "ignore:\n- {rule: schema-conditions-list-map, reason: it is so}\n"},
		"of a manifest that differs": {types, written},
		"of a file of a program":     {types, "// Code generated by gadgetgen. DO NOT EDIT.\n\n" + gadget},
	} {
		c := gadgetsWith(t, rich, files...)
		c.open(bases, gadgets)
		doc := types
		if name == "of another file" {
			doc = "api/v1/other.go"
		}
		c.open(doc, files[1])
		if got := c.says(doc); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestWithoutMarkers are findings that no marker fixes, which stay in the Go file, and markers of other declarations.
func TestWithoutMarkers(t *testing.T) {
	t.Parallel()
	text := gadget + "\ntype Other struct {\n\t// +listType=map\n\t// +listMapKey=type\n\tParts []Other\n}\n"
	c := gadgetsWith(t, rich, types, text, ".crdlift.yaml", only+"  schema-description-missing: warning\n")
	c.open(types, text)
	c.published(types, func(p clientDiagnostics) bool {
		var messages []string
		for _, d := range p.Diagnostics {
			messages = append(messages, d.Message)
		}
		all := strings.Join(messages, "\n")
		return len(messages) == 2 && strings.Contains(all, "list-map-keys: [type]; Go: +listType=map +listMapKey=type") &&
			strings.Contains(all, "has no description") && strings.Count(all, "; Go:") == 1
	})
}

// TestPlacesOfGoFile are one where one change of markers fixes all of them.
func TestPlacesOfGoFile(t *testing.T) {
	t.Parallel()
	spec := "            properties:\n              size:\n                default: 1\n                type: integer\n            required:\n            - size\n            type: object\n"
	manifest := changed(t, gadgets, "          status:\n            desc", "          left:\n"+spec+"          right:\n"+spec+"          status:\n            desc")
	text := changed(t, gadget, "\tStatus", "\tLeft  Part `json:\"left,omitempty\"`\n\tRight Part `json:\"right,omitempty\"`\n\n\tStatus") +
		"\ntype Part struct {\n\t// +kubebuilder:default=1\n\tSize int `json:\"size\"`\n}\n"
	c := gadgetsWith(t, rich, ".crdlift.yaml", only+"  default-and-required: warning\n", bases, manifest, types, text)
	c.open(types, text)
	c.published(types, func(p clientDiagnostics) bool {
		return slices.ContainsFunc(p.Diagnostics, func(d clientDiagnostic) bool {
			return d.Code == "default-and-required" && d.Range.Start == (place{24, 1}) && len(d.RelatedInformation) == 2
		})
	})
	c.open(bases, manifest)
	c.published(bases, func(p clientDiagnostics) bool { return len(p.Diagnostics) == 3 })
	for _, name := range []string{types, bases} {
		if all := titles(c.actions(name, "0:0-99:0", "")); strings.Count(strings.Join(all, "\n"), "above Part.Size") != 1 {
			t.Errorf("%s: %q", name, all)
		}
	}
}

// TestMarkersIgnored are told of while they are typed, by the controller-gen that writes the manifests and as the configuration has it.
func TestMarkersIgnored(t *testing.T) {
	t.Parallel()
	wrong := changed(t, gadget, "\tConditions", "\t// +kubebuilder:validation:MaxItem=3\n\tConditions")
	c := gadgetsWith(t, rich, types, wrong)
	c.open(types, wrong)
	c.diagnostics(types, "17:1-17:11 warning schema-conditions-list-map", "16:4-16:37 warning marker-ignored")
	c.edit(types, 2, "16:4-16:37 +kubebuilder:validation:items:MinProperties=1")
	got := c.diagnostics(types, "17:1-17:11 warning schema-conditions-list-map", "16:4-16:49 warning marker-ignored").Diagnostics[1]
	if want := "controller-gen ignores +kubebuilder:validation:items:MinProperties=1 above GadgetStatus.Conditions before v0.15.0; upgrade controller-gen, or remove the marker"; got.Message != want {
		t.Errorf("it says %q", got.Message)
	}
	c.edit(types, 3, "16:4-16:49 +kubebuilder:validation:MaxItem=3")
	c.diagnostics(types, "17:1-17:11 warning schema-conditions-list-map", "16:4-16:37 warning marker-ignored")
	c.configure(only + "ignore:\n- {rule: marker-ignored, crd: gadgets.example.com, reason: it is read by another program}\n")
	c.diagnostics(types, "17:1-17:11 warning schema-conditions-list-map")
	c.configure(only + "  marker-ignored: error\n")
	c.diagnostics(types, "17:1-17:11 warning schema-conditions-list-map", "16:4-16:37 error marker-ignored")
	c.configure(strings.Replace(only, "list-map: warning", "list-map: off", 1) + "minSeverity: warning\n")
	c.diagnostics(types, "16:4-16:37 warning marker-ignored")
	c.configure(only)
	c.diagnostics(types, "17:1-17:11 warning schema-conditions-list-map", "16:4-16:37 warning marker-ignored")
	for _, config := range []string{only + "  marker-ignored: off\n", only + "minSeverity: error\n", only + "go: \"off\"\n"} {
		c.configure(config)
		c.published(types, func(p clientDiagnostics) bool {
			return !slices.ContainsFunc(p.Diagnostics, func(d clientDiagnostic) bool { return d.Code == "marker-ignored" })
		})
		c.configure(only)
		c.diagnostics(types, "17:1-17:11 warning schema-conditions-list-map", "16:4-16:37 warning marker-ignored")
	}
}

// TestBesideGopls says nothing of Go but what concerns CRDs, saved or not: no errors, and no answers that gopls gives.
func TestBesideGopls(t *testing.T) {
	t.Parallel()
	c := gadgetsWith(t, rich)
	const other = "package main\n\n// +build ignore\n\nfunc main( {\n\tx := 1\n\t// +optional\n}\n"
	c.write("main.go", other)
	c.open("main.go", other)
	untitled := `{"textDocument": {"uri": "untitled:Untitled-1", "languageId": "go", "version": 1, "text": "package a: {"}}`
	c.notify("textDocument/didOpen", untitled)
	for _, name := range []string{"main.go", "untitled:Untitled-1"} {
		at := fmt.Sprintf(`"textDocument": {"uri": %q}, "position": {"line": 0, "character": 9}`, c.uri(name))
		for _, method := range []string{"hover", "definition", "typeDefinition", "references", "documentSymbol", "foldingRange", "formatting", "completion", "codeAction"} {
			answer := c.call("textDocument/"+method, fmt.Sprintf(`{%s, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 7, "character": 0}}, "context": {"diagnostics": []}, "options": {"tabSize": 4, "insertSpaces": true}}`, at))
			if got := string(answer.Result); answer.Error != nil || got != "null" && got != "[]" {
				t.Errorf("%s of %s: %s %+v", method, name, got, answer.Error)
			}
		}
	}
	c.open(types, gadget)
	c.diagnostics(types, conditions)
	c.server.settled(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.all {
		if m.Method == "textDocument/publishDiagnostics" && (strings.Contains(string(m.Params), "main.go") || strings.Contains(string(m.Params), "untitled")) {
			t.Errorf("it published %s", m.Params)
		}
	}
}
