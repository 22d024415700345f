package lsp

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// cursor is a text without its ‸, and the position that this was at, as a parameter of a request.
func (c *client) cursor(name, marked string) (text, params string) {
	c.Helper()
	before, after, found := strings.Cut(marked, "‸")
	if !found {
		c.Fatalf("%q has no cursor", marked)
	}
	at := newMapper([]byte(before+after), protocol.PositionEncodingKindUTF16).offsetPosition(len(before))
	return before + after, fmt.Sprintf(`"textDocument": {"uri": %q}, "position": {"line": %d, "character": %d}`, c.uri(name), at.Line, at.Character)
}

// places opens a document and asks where something of what is at its ‸ is, as "file:line:character-line:character".
func (c *client) places(method, name, marked, more string) []string {
	c.Helper()
	text, params := c.cursor(name, marked)
	c.close(name)
	c.open(name, text)
	return c.placesAt(method, params+more)
}

func (c *client) placesAt(method, params string) (all []string) {
	c.Helper()
	answer := c.call("textDocument/"+method, "{"+params+"}")
	var found []struct {
		URI   uri.URI
		Range struct{ Start, End place }
	}
	if answer.Error != nil || json.Unmarshal(answer.Result, &found) != nil {
		c.Fatalf("%s: %+v %s", method, answer.Error, answer.Result)
	}
	for _, l := range found {
		name, _ := filepath.Rel(c.dir, l.URI.FsPath())
		r := l.Range
		all = append(all, fmt.Sprintf("%s:%d:%d-%d:%d", filepath.ToSlash(name), r.Start.Line, r.Start.Character, r.End.Line, r.End.Character))
	}
	slices.Sort(all)
	return all
}

// scanned waits until all files of the workspace are judged.
func (c *client) scanned() {
	c.Helper()
	for found := false; !found; time.Sleep(time.Millisecond) {
		c.server.workspace.mu.Lock()
		found = c.server.workspace.files != nil
		c.server.workspace.mu.Unlock()
	}
	c.server.settled(c.TB)
}

// richWidgets is a CRD whose schema has all that leads somewhere.
const richWidgets = `apiVersion: apiextensions.k8s.io/v1
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
              parts:
                type: array
                maxItems: 10
                items:
                  type: object
                  not:
                    properties:
                      weight:
                        enum: [13]
                  anyOf:
                  - properties:
                      weight:
                        minimum: 1
                  properties:
                    weight:
                      type: integer
              labels:
                type: object
                additionalProperties:
                  type: string
                  maxLength: 10
`

const widgetTypes = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Widget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec              WidgetSpec ` + "`json:\"spec\"`" + `
}

type WidgetSpec struct {
	Size   int               ` + "`json:\"size\"`" + `
	Parts  []Part            ` + "`json:\"parts\"`" + `
	Labels map[string]string ` + "`json:\"labels\"`" + `
}

type Part struct {
	Weight int ` + "`json:\"weight\"`" + `
}
`

// TestDefinition goes from custom resources to CRDs, and from both to Go.
func TestDefinition(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", "go.mod", "module example.com/widgets\n", "api/v1/types.go", widgetTypes, "crd.yaml", richWidgets)
	c.scanned()
	head := "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\n"
	for _, test := range []struct{ name, text, definition, typeDefinition string }{
		{"a key", head + "spec:\n  si‸ze: 3\n", "crd.yaml:23:14-23:18", "api/v1/types.go:12:1-12:1"},
		{"a value", head + "spec:\n  size: 3‸\n", "crd.yaml:23:14-23:18", "api/v1/types.go:12:1-12:1"},
		{"a parent", head + "sp‸ec:\n  size: 3\n", "crd.yaml:20:10-20:14", "api/v1/types.go:8:1-8:1"},
		{"an item", head + "spec:\n  parts:\n  - weight: 1\n  - weig‸ht: 1\n", "crd.yaml:40:20-40:26", "api/v1/types.go:18:1-18:1"},
		{"flow style", head + "spec: {parts: [{wei‸ght: 1}]}\n", "crd.yaml:40:20-40:26", "api/v1/types.go:18:1-18:1"},
		{"a value of a map", head + "spec:\n  labels:\n    \"a.b/c\": x‸\n", "crd.yaml:44:16-44:36", "api/v1/types.go:14:1-14:1"},
		{"an unknown key", head + "spec:\n  siz‸: 3\n", "crd.yaml:20:10-20:14", "api/v1/types.go:8:1-8:1"},
		{"the kind", "apiVersion: example.com/v1\nkind: Wid‸get\nmetadata:\n  name: one\n", "crd.yaml:7:10-7:16", "api/v1/types.go:5:5-5:5"},
		{"the version", "apiVersion: example.com‸/v1\nkind: Widget\nmetadata:\n  name: one\n", "crd.yaml:7:10-7:16", "api/v1/types.go:5:5-5:5"},
		{"an unfinished text", head + "spec:\n  size‸: 3\n  parts\n  labels: {\n", "crd.yaml:23:14-23:18", "api/v1/types.go:12:1-12:1"},
		{"a second document", "kind: Other\n---\n" + head + "spec:\n  siz‸e: 3\n", "crd.yaml:23:14-23:18", "api/v1/types.go:12:1-12:1"},
		{"an item of a list", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: Widget\n  metadata: {name: a}\n  spec:\n    siz‸e: 3\n",
			"crd.yaml:23:14-23:18", "api/v1/types.go:12:1-12:1"},
		{"in a test", "crd: crd.yaml\ncases:\n- object:\n    apiVersion: example.com/v1\n    kind: Widget\n    spec: {siz‸e: 3}\n", "crd.yaml:23:14-23:18", "api/v1/types.go:12:1-12:1"},
		{"one in one that nobody knows", head + "spec:\n  labels:\n    b:\n      apiVersion: v1\n      kind: Sec‸ret\n", "crd.yaml:44:16-44:36", "api/v1/types.go:14:1-14:1"},
		{"emoji before it", head + "spec: {labels: {a: \"😀é\"}, siz‸e: 3}\n", "crd.yaml:23:14-23:18", "api/v1/types.go:12:1-12:1"},
		{"lines as on Windows", strings.ReplaceAll(head+"spec:\n  siz‸e: 3\n", "\n", "\r\n"), "crd.yaml:23:14-23:18", "api/v1/types.go:12:1-12:1"},
		{"another kind", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: o‸ne\n", "", ""},
		{"no object", "a: ‸b\n", "", ""},
		{"nothing", "‸", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(c.places("definition", "one.yaml", test.text, ""), " "); got != test.definition {
				t.Errorf("definition: %s, want %s", got, test.definition)
			}
			if got := strings.Join(c.places("typeDefinition", "one.yaml", test.text, ""), " "); got != test.typeDefinition {
				t.Errorf("type definition: %s, want %s", got, test.typeDefinition)
			}
		})
	}
}

// TestDefinitionOfCRD goes from schemas to Go, also while the CRD does not parse.
func TestDefinitionOfCRD(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", "go.mod", "module example.com/widgets\n", "api/v1/types.go", widgetTypes, "crd.yaml", richWidgets)
	c.scanned()
	for _, test := range []struct{ name, from, to, definition, typeDefinition string }{
		{"a property", "              size:\n", "              si‸ze:\n", "api/v1/types.go:12:1-12:1", "api/v1/types.go:12:1-12:1"},
		{"a keyword", "maximum: 10", "maximum: 1‸0", "api/v1/types.go:12:1-12:1", "api/v1/types.go:12:1-12:1"},
		{"a property of items", "                    weight:\n                      type", "                    weig‸ht:\n                      type", "api/v1/types.go:18:1-18:1", "api/v1/types.go:18:1-18:1"},
		{"one in an alternative", "                        minimum", "                        mini‸mum", "api/v1/types.go:18:1-18:1", "api/v1/types.go:18:1-18:1"},
		{"one that is not to be", "enum: [13]", "en‸um: [13]", "api/v1/types.go:18:1-18:1", "api/v1/types.go:18:1-18:1"},
		{"alternatives", "anyOf", "any‸Of", "api/v1/types.go:13:1-13:1", "api/v1/types.go:17:5-17:5"},
		{"properties", "            properties:\n              size", "            pro‸perties:\n              size", "api/v1/types.go:8:1-8:1", "api/v1/types.go:11:5-11:5"},
		{"values", "maxLength", "max‸Length", "api/v1/types.go:14:1-14:1", "api/v1/types.go:14:1-14:1"},
		{"a property with a type", "          spec:\n", "          sp‸ec:\n", "api/v1/types.go:8:1-8:1", "api/v1/types.go:11:5-11:5"},
		{"the kind", "    kind: Widget\n", "    kind: ‸Widget\n", "api/v1/types.go:5:5-5:5", "api/v1/types.go:5:5-5:5"},
		{"the version", "- name: v1", "- name: v‸1", "api/v1/types.go:5:5-5:5", "api/v1/types.go:5:5-5:5"},
		{"an unfinished text", "maximum: 10\n", "maximum: 1‸0\n              other: {\n", "api/v1/types.go:12:1-12:1", "api/v1/types.go:12:1-12:1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := changed(t, richWidgets, test.from, test.to)
			if got := strings.Join(c.places("definition", "crd.yaml", text, ""), " "); got != test.definition {
				t.Errorf("definition: %s, want %s", got, test.definition)
			}
			if got := strings.Join(c.places("typeDefinition", "crd.yaml", text, ""), " "); got != test.typeDefinition {
				t.Errorf("type definition: %s, want %s", got, test.typeDefinition)
			}
		})
	}
}

// TestDefinitionElsewhere goes from a custom resource to the Go types around its CRD, wherever it is itself.
func TestDefinitionElsewhere(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", "operator/.git/HEAD", "", "operator/go.mod", "module example.com/widgets\n", "operator/api/v1/types.go", widgetTypes, "operator/crd.yaml", richWidgets, "other/.git/HEAD", "")
	c.scanned()
	got := c.places("typeDefinition", "other/one.yaml", "apiVersion: example.com/v1\nkind: Widget\nspec:\n  siz‸e: 3\n", "")
	if !slices.Equal(got, []string{"operator/api/v1/types.go:12:1-12:1"}) {
		t.Errorf("%q", got)
	}
	if got := c.places("typeDefinition", "other/a.yaml", "a: ‸b\n", ""); got != nil {
		t.Errorf("of no object: %q", got)
	}
}

// TestDefinitionOfFinding leads to the places that a finding names, each once.
func TestDefinitionOfFinding(t *testing.T) {
	t.Parallel()
	c := start(t, "{}", "crd.yaml", richWidgets)
	c.scanned()
	c.open("one.yaml", changed(t, widget, "size: 3", "size: 30"))
	c.published("one.yaml", func(p clientDiagnostics) bool { return len(p.Diagnostics) == 1 }) // it is not waited for where the CRD has a place
	got := c.placesAt("definition", fmt.Sprintf(`"textDocument": {"uri": %q}, "position": {"line": 5, "character": 9}`, c.uri("one.yaml")))
	if want := []string{"crd.yaml:23:14-23:18", "crd.yaml:25:25-25:27"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := c.placesAt("definition", fmt.Sprintf(`"textDocument": {"uri": %q}, "position": {"line": 0, "character": 0}`, c.uri("nowhere.yaml"))); got != nil {
		t.Errorf("of a file that is not open: %q", got)
	}
}

// TestReferences finds the custom resources that set a field, from the CRD and from one of them.
func TestReferences(t *testing.T) {
	t.Parallel()
	widget := func(name, spec string) string {
		return fmt.Sprintf("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: %s}\nspec: %s\n", name, spec)
	}
	c := start(t, "{}", "crd.yaml", richWidgets,
		"a.yaml", widget("a", "{size: 3}")+"---\n"+widget("b", "{parts: [{weight: 1}, {weight: 2}, {}]}"),
		"b.yaml", "apiVersion: v1\nkind: List\nitems:\n- "+strings.ReplaceAll(strings.TrimSpace(widget("c", "{labels: {x: a, y: b}, size: 1}")), "\n", "\n  ")+"\n",
		"other.yaml", strings.ReplaceAll(widget("d", "{size: 1}"), "example.com/v1", "example.com/v2"),
		"another.yaml", strings.ReplaceAll(widget("d", "{size: 1}"), "example.com/v1", "example.net/v1"))
	c.scanned()
	kinds := "a.yaml:1:0-1:4 a.yaml:6:0-6:4 b.yaml:4:2-4:6"
	for _, test := range []struct{ name, file, from, to, want string }{
		{"a property", "crd.yaml", "              size:\n", "              si‸ze:\n", "a.yaml:3:7-3:11 b.yaml:6:31-6:35"},
		{"of items", "crd.yaml", "                    weight:\n                      type", "                    weig‸ht:\n                      type", "a.yaml:8:16-8:22 a.yaml:8:29-8:35"},
		{"values", "crd.yaml", "maxLength", "max‸Length", "b.yaml:6:18-6:19 b.yaml:6:24-6:25"},
		{"the kind", "crd.yaml", "    kind: Widget\n", "    kind: Wid‸get\n", kinds + " other.yaml:1:0-1:4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.places("references", test.file, changed(t, richWidgets, test.from, test.to), `, "context": {"includeDeclaration": false}`)
			if strings.Join(got, " ") != test.want {
				t.Errorf("%q, want %s", got, test.want)
			}
		})
	}
	text, at := c.cursor("a.yaml", widget("a", "{si‸ze: 3}"))
	c.open("a.yaml", text)
	c.diagnostics("a.yaml")
	for more, want := range map[string]string{"false": "a.yaml:3:7-3:11 b.yaml:6:31-6:35", "true": "a.yaml:3:7-3:11 b.yaml:6:31-6:35 crd.yaml:23:14-23:18"} {
		got := c.placesAt("references", at+`, "context": {"includeDeclaration": `+more+`}`)
		if strings.Join(got, " ") != want {
			t.Errorf("declaration %s: %q, want %s", more, got, want)
		}
	}
	_, at = c.cursor("a.yaml", "apiVersion: example.com/v1\nkind: Wid‸get\n")
	if got := c.placesAt("references", at+`, "context": {"includeDeclaration": false}`); strings.Join(got, " ") != "a.yaml:1:0-1:4 b.yaml:4:2-4:6 other.yaml:1:0-1:4" {
		t.Errorf("the kind of an object: %q", got)
	}
	got := c.places("references", "crd.yaml", changed(t, richWidgets, "maximum: 10", "maximum: 1‸0"), `, "context": {"includeDeclaration": true}`)
	if want := []string{"a.yaml:3:7-3:11", "b.yaml:6:31-6:35", "crd.yaml:25:16-25:23"}; !slices.Equal(got, want) {
		t.Errorf("with the declaration: %q, want %q", got, want)
	}
}

// TestBrokenTexts cuts texts anywhere and puts something else in their place: every request has an answer.
func TestBrokenTexts(t *testing.T) {
	t.Parallel()
	c := start(t, outlines, "crd.yaml", richWidgets)
	c.scanned()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		whole := []string{richWidgets, old, widget + "---\n" + widget, `{"apiVersion": "example.com/v1", "kind": "Widget", "spec": {"parts": [{"weight": 1}], "labels": {"a": "b"}}}`}[i%4]
		start := random.IntN(len(whole))
		end := min(len(whole), start+random.IntN(40))
		for _, put := range []string{"", "{", "[", "\n", ": ", "- ", "\"", "'", "|\n", "\t", "💾", "*a", "&a ", "---\n"} {
			text := whole[:start] + put + whole[end:]
			c.open("one.yaml", text)
			at := newMapper([]byte(text), protocol.PositionEncodingKindUTF16).offsetPosition(random.IntN(len(text) + 1))
			for _, method := range []string{"definition", "typeDefinition", "references", "documentSymbol", "foldingRange"} {
				params := fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": {"line": %d, "character": %d}, "context": {"includeDeclaration": true}}`, c.uri("one.yaml"), at.Line, at.Character)
				if answer := c.call("textDocument/"+method, params); answer.Error != nil {
					t.Fatalf("%s at %d:%d of %q: %+v", method, at.Line, at.Character, text, answer.Error)
				}
			}
			c.close("one.yaml")
		}
	}
}
