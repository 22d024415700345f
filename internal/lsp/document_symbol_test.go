package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// outlines are the capabilities of a client that shows outlines as trees.
const outlines = `{"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}`

// A clientSymbol is a symbol as a client reads it.
type clientSymbol struct {
	Name, Detail, ContainerName string
	Kind                        int
	Range, SelectionRange       struct{ Start, End place }
	Location                    struct {
		URI   string
		Range struct{ Start, End place }
	}
	Children []clientSymbol
}

func (c *client) symbols(method, params string) (all []clientSymbol) {
	c.Helper()
	answer := c.call(method, params)
	if answer.Error != nil || json.Unmarshal(answer.Result, &all) != nil {
		c.Fatalf("%s: %+v %s", method, answer.Error, answer.Result)
	}
	return all
}

// shown are symbols with the texts that they are of, by indentation.
func shown(t *testing.T, text string, all []clientSymbol, indent string) (lines string) {
	m := newMapper([]byte(text), protocol.PositionEncodingKindUTF16)
	offset := func(p place) int {
		at, _ := m.positionOffset(protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)})
		return at
	}
	for i, one := range all {
		start, end := offset(one.SelectionRange.Start), offset(one.SelectionRange.End)
		if start < offset(one.Range.Start) || end > offset(one.Range.End) {
			t.Errorf("%s is selected outside of its range", one.Name)
		}
		if i > 0 && start < offset(all[i-1].Range.End) {
			t.Errorf("%s begins in what is before it", one.Name)
		}
		lines += strings.TrimRight(fmt.Sprintf("%s%s %q %d %s", indent, one.Name, text[start:end], one.Kind, one.Detail), " ") + "\n"
		lines += shown(t, text, one.Children, indent+"  ")
	}
	return lines
}

// TestOutline is of all objects in a document, by versions and properties in CRDs, whether or not it parses.
func TestOutline(t *testing.T) {
	t.Parallel()
	const crdOutline = `Widget "" 5 example.com
  v1 "-" 3 served, storage
    spec "spec" 19 object
      size "size" 16 integer
      parts "parts" 18 array
        weight "weight" 16 integer
      labels "labels" 19 object
`
	for _, test := range []struct{ name, text, want string }{
		{"a CRD", richWidgets, crdOutline},
		{"a CRD that does not parse", richWidgets + "              more: {\n", crdOutline + "      more \"more\" 8\n"},
		{"lines as on Windows", strings.ReplaceAll(richWidgets, "\n", "\r\n"), crdOutline},
		{"required fields", changed(t, richWidgets, "          spec:\n            type: object\n", "          spec:\n            required: [size]\n"),
			strings.NewReplacer("integer\n      parts", "integer, required\n      parts", "spec\" 19 object", "spec\" 8").Replace(crdOutline)},
		{"an old CRD", old + "  validation:\n    openAPIV3Schema:\n      properties:\n        a: {x-kubernetes-int-or-string: true}\n",
			"Widget \"\" 5 example.com\n  validation \"validation\" 3\n    a \"a\" 8\n"},
		{"two versions", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  names: {kind: A}\n  versions:\n  - name: v1\n    deprecated: true\n  - name: v2\n",
			"A \"\" 5\n  v1 \"-\" 3 deprecated\n  v2 \"-\" 3\n"},
		{"custom resources", widget + "---\napiVersion: example.com/v1\nkind: Widget\nspec:\n- name: a\n  key: b\n- x\n- key: c\n- type: d\n- {}\n", `Widget/one "" 19 example.com/v1
  apiVersion "apiVersion" 15 example.com/v1
  kind "kind" 15 Widget
  metadata "metadata" 19
    name "name" 15 one
  spec "spec" 19
    size "size" 15 3
Widget "" 19 example.com/v1
  apiVersion "apiVersion" 15 example.com/v1
  kind "kind" 15 Widget
  spec "spec" 18
    a "-" 19
      name "name" 15 a
      key "key" 15 b
    x "-" 15
    c "-" 19
      key "key" 15 c
    d "-" 19
      type "type" 15 d
    - "-" 19
`},
		{"a list", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: a/v1, kind: A}\n- {apiVersion: a/v1, kind: B}\n", `A "-" 19 a/v1
  apiVersion "apiVersion" 15 a/v1
  kind "kind" 15 A
B "-" 19 a/v1
  apiVersion "apiVersion" 15 a/v1
  kind "kind" 15 B
`},
		{"levels", "apiVersion: a/v1\nkind: A\na: {b: {c: {d: {e: {f: {g: 1}}}}}}\n", `A "" 19 a/v1
  apiVersion "apiVersion" 15 a/v1
  kind "kind" 15 A
  a "a" 19
    b "b" 19
      c "c" 19
        d "d" 19
          e "e" 19
            f "f" 19
`},
		{"a list of its own", "apiVersion: a/v1\nkind: AllowList\nspec: 1\nitems:\n- {apiVersion: a/v1, kind: B}\n", `AllowList "" 19 a/v1
  apiVersion "apiVersion" 15 a/v1
  kind "kind" 15 AllowList
  spec "spec" 15 1
  items "items" 18
    - "-" 19
      apiVersion "apiVersion" 15 a/v1
      kind "kind" 15 B
`},
		{"no object", "kind: A\n---\napiVersion: v1\n", ""},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := start(t, outlines)
			c.open("a.yaml", test.text)
			all := c.symbols("textDocument/documentSymbol", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri("a.yaml")))
			if got := shown(t, test.text, all, ""); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

// TestFlatOutline is for clients that take no tree.
func TestFlatOutline(t *testing.T) {
	t.Parallel()
	c := start(t, "{}")
	c.open("a.yaml", richWidgets)
	var got []string
	for _, one := range c.symbols("textDocument/documentSymbol", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri("a.yaml"))) {
		got = append(got, fmt.Sprintf("%s/%s:%d-%d", one.ContainerName, one.Name, one.Location.Range.Start.Line, one.Location.Range.End.Line))
	}
	if want := []string{"/Widget:0-46", "Widget/v1:13-46", "v1/spec:20-46", "spec/size:23-25", "spec/parts:26-41", "parts/weight:40-41", "spec/labels:42-46"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, method := range []string{"documentSymbol", "foldingRange"} {
		if all := c.symbols("textDocument/"+method, fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri("closed.yaml"))); len(all) > 0 {
			t.Errorf("%s of what is not open: %+v", method, all)
		}
	}
}

// TestWorkspaceSymbols are the kinds of the workspace, of which a query has some letters.
func TestWorkspaceSymbols(t *testing.T) {
	t.Parallel()
	gadgets := strings.ReplaceAll(widgets, "idget", "adget")
	c := start(t, "{}", "crd.yaml", widgets, "b/copy.yaml", widgets, "a.yaml", "# two\n---\n"+gadgets)
	c.scanned()
	for query, want := range map[string]string{
		"": "Wadget Widget", "w": "Wadget Widget", "WID": "Widget", "wid": "Widget", "widgets.example": "Widget", "widgetz": "",
	} {
		var got []string
		for _, one := range c.symbols("workspace/symbol", fmt.Sprintf(`{"query": %q}`, query)) {
			got = append(got, one.Name)
			if one.Name == "Wadget" && (one.Location.URI != c.uri("a.yaml") || one.Location.Range.Start.Line != 2 || one.ContainerName != "example.com") {
				t.Errorf("%+v", one)
			}
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %s", query, got, want)
		}
	}
}

// TestFolding folds values of several lines.
func TestFolding(t *testing.T) {
	t.Parallel()
	text := "0:\n  1: 2\na:\n  b: 1\n  # alone\n  c:\n  - d: |\n      x\n      y\n    e: 2\n  - f\ng: {\n  h: 1\n}\ni: 1\n---\n# one\n\n# two\n  # three\nj:\n  - k: 1\n    l: [1,\n      2]\n...\n"
	want := "0-1,2-10,5-10,6-9,11-13,20-23,21-23,22-23"
	c := start(t, "{}")
	c.open("a.yaml", text)
	answer := c.call("textDocument/foldingRange", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri("a.yaml")))
	var all []struct{ StartLine, EndLine int }
	if err := json.Unmarshal(answer.Result, &all); err != nil {
		t.Fatalf("%+v", answer)
	}
	var got []string
	for _, one := range all {
		got = append(got, fmt.Sprintf("%d-%d", one.StartLine, one.EndLine))
	}
	if strings.Join(got, ",") != want {
		t.Errorf("%s, want %s", strings.Join(got, ","), want)
	}
}

// BenchmarkOutline is of a CRD of 1 MiB.
func BenchmarkOutline(b *testing.B) {
	c := start(b, outlines)
	c.open("a.yaml", long(1<<20/78))
	c.placesAt("definition", fmt.Sprintf(`"textDocument": {"uri": %q}, "position": {"line": 0, "character": 0}`, c.uri("a.yaml"))) // it is judged
	for b.Loop() {
		c.call("textDocument/documentSymbol", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri("a.yaml")))
	}
}
