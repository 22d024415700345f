package lsp

import (
	"strings"
	"testing"
	"time"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/rules"
)

// widgets is a CRD with nothing to say about it.
const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names:
    kind: Widget
    listKind: WidgetList
    plural: widgets
    singular: widget
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size:
                type: integer
                maximum: 10
`

// widget is a custom resource of it.
const widget = `apiVersion: example.com/v1
kind: Widget
metadata:
  name: one
spec:
  size: 3
`

// rich are the capabilities of a client that can show everything.
const rich = `{
	"general": {"positionEncodings": ["utf-16"]},
	"window": {"workDoneProgress": true},
	"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}},
	"textDocument": {"publishDiagnostics": {"relatedInformation": true, "codeDescriptionSupport": true, "versionSupport": true, "tagSupport": {"valueSet": [1, 2]}}}
}`

// TestTyping is about a CRD that is broken and mended while it is typed.
func TestTyping(t *testing.T) {
	t.Parallel()
	c := start(t, rich, "crd.yaml", widgets)
	c.open("crd.yaml", widgets)
	c.diagnostics("crd.yaml")
	c.edit("crd.yaml", 2, "11:9-11:19 namespaced")
	got := c.diagnostics("crd.yaml", "11:9-11:19 error scope-invalid")
	if got.Version == nil || *got.Version != 2 {
		t.Errorf("the diagnostics are of version %v", got.Version)
	}
	d := got.Diagnostics[0]
	if d.Source != "crdlift" || d.CodeDescription.Href != "https://crdlift.github.io/crdlift/rules/scope-invalid" || !strings.Contains(d.Message, `"namespaced"`) {
		t.Errorf("%+v", d)
	}
	c.edit("crd.yaml", 3, "11:9-11:10 N")
	c.diagnostics("crd.yaml")
	c.edit("crd.yaml", 4, "4:0-4:4 sp: [c")
	c.diagnostics("crd.yaml", "4:0-4:0 error yaml-syntax")
	c.edit("crd.yaml", 5, "all "+widgets)
	c.diagnostics("crd.yaml")
}

// TestCustomResources is about an object whose CRD is in another file, and is edited as well.
func TestCustomResources(t *testing.T) {
	t.Parallel()
	c := start(t, rich, "crds/widgets.yaml", widgets, "samples/one.yaml", strings.Replace(widget, "3", "30", 1))
	c.diagnostics("samples/one.yaml", "5:8-5:10 error object-constraint")
	c.open("samples/one.yaml", widget)
	c.diagnostics("samples/one.yaml")
	c.open("crds/widgets.yaml", strings.Replace(widgets, "maximum: 10", "maximum: 2", 1))
	got := c.diagnostics("samples/one.yaml", "5:8-5:9 error object-constraint")
	if related := got.Diagnostics[0].RelatedInformation; len(related) != 1 || related[0].Location.URI != c.uri("crds/widgets.yaml") || related[0].Location.Range.Start.Line != 25 {
		t.Errorf("related: %+v", related)
	}
	c.close("crds/widgets.yaml") // the file counts again
	c.diagnostics("samples/one.yaml")
}

// TestMemory: CRDs of files that are not open are not kept whole, and read again when they judge a custom resource.
func TestMemory(t *testing.T) {
	t.Parallel()
	c := start(t, rich, "widgets.yaml", widgets, "one.yaml", strings.Replace(widget, "3", "30", 1))
	whole := func() (is bool) {
		c.server.catalogue.use(func(o *rules.Objects) {
			is = objects.Held(o.Definitions()).Catalogue().Kinds()[0].Hub.Spec.Validation != nil
		})
		return is
	}
	for _, name := range []string{"# first\n", "# second\n"} {
		typed := widgets + name
		c.diagnostics("one.yaml", "5:8-5:10 error object-constraint")
		if whole() {
			t.Error("a CRD that is not open is kept whole")
		}
		c.server.rest()
		c.open("one.yaml", widget)
		c.diagnostics("one.yaml")
		c.server.rest()
		c.close("one.yaml")
		c.diagnostics("one.yaml", "5:8-5:10 error object-constraint")
		c.open("widgets.yaml", typed)
		c.diagnostics("widgets.yaml")
		c.server.rest()
		if !whole() {
			t.Error("a CRD that is open is read again and again")
		}
		c.write("widgets.yaml", typed)
		c.close("widgets.yaml")
		for end := time.Now().Add(patience); whole() && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		c.open("one.yaml", widget)
		c.diagnostics("one.yaml")
		c.close("one.yaml")
	}
}

// TestMemoryOfRefused: what is said of a CRD that a server rejects and serves stays when the CRD is let go of.
func TestMemoryOfRefused(t *testing.T) {
	t.Parallel()
	rule := strings.Replace(widgets, "maximum: 10\n", "maximum: 10\n              hosts:\n                type: array\n                items: {type: string}\n"+
		"                x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a == b || !a.endsWith(b)))'}]\n", 1)
	c := start(t, rich, "crd.yaml", rule, "one.yaml", strings.Replace(widget, "3", "30", 1))
	said := func() {
		c.published("crd.yaml", func(p clientDiagnostics) bool {
			return strings.Contains(strings.Join(p.lines(), "\n"), "info object-crd-refused")
		})
	}
	said()
	c.server.rest()
	c.open("crd.yaml", rule)
	said()
}

// TestPublishedStays: an edit of a CRD has a custom resource judged again, of which what was said holds meanwhile, and after an edit that
// changes nothing for it.
func TestPublishedStays(t *testing.T) {
	t.Parallel()
	c := start(t, rich, "crd.yaml", widgets)
	c.open("one.yaml", strings.Replace(widget, "3", "30", 1))
	c.diagnostics("one.yaml", "5:8-5:10 error object-constraint")
	c.open("crd.yaml", widgets+"# one\n")
	for version := range 20 {
		c.edit("crd.yaml", version+2, "0:0-0:0 # more\n")
		if all := c.actions("one.yaml", "5:8-5:10", ""); len(all) == 0 {
			t.Fatalf("nothing is offered after edit %d", version)
		}
	}
	c.edit("crd.yaml", 100, "all "+strings.Replace(widgets, "maximum: 10", "maximum: 100", 1))
	c.diagnostics("one.yaml")
}
