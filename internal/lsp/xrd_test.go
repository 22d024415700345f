package lsp

import (
	"slices"
	"strings"
	"testing"
)

// lamps is an object that Crossplane makes two CRDs of.
const lamps = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xlamps.example.com
spec:
  group: example.com
  names: {kind: XLamp, plural: xlamps}
  claimNames: {kind: Lamp, plural: lamps}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              watts:
                type: integer
                maximum: 60
`

// TestXRD works on an object that Crossplane makes CRDs of as on a CRD: from claims and back, and with what is wrong in both.
func TestXRD(t *testing.T) {
	t.Parallel()
	lamp := "apiVersion: example.com/v1\nkind: Lamp\nmetadata:\n  name: desk\nspec:\n  watts: 9\n  compositionRef: {name: leds}\n"
	xlamp := strings.Replace(lamp, "Lamp", "XLamp", 1)
	c := start(t, markdown, "xrd.yaml", lamps, "lamp.yaml", lamp, "xlamp.yaml", xlamp)
	c.scanned()
	for name, test := range map[string]struct{ text, want string }{
		"a field":                          {changed(t, lamp, "watts", "wat‸ts"), "xrd.yaml:19:14-19:19"},
		"a field that Crossplane adds":     {changed(t, lamp, "compositionRef", "compo‸sitionRef"), "xrd.yaml:7:21-7:25"},
		"the kind of claims":               {changed(t, lamp, "Lamp", "La‸mp"), "xrd.yaml:7:21-7:25"},
		"the kind of composite resources":  {changed(t, xlamp, "XLamp", "XLa‸mp"), "xrd.yaml:6:16-6:21"},
		"the same field of one of the two": {changed(t, xlamp, "watts", "wat‸ts"), "xrd.yaml:19:14-19:19"},
	} {
		if got := strings.Join(c.places("definition", "one.yaml", test.text, ""), " "); got != test.want {
			t.Errorf("definition of %s: %q, want %s", name, got, test.want)
		}
	}
	c.open("one.yaml", "")
	c.diagnostics("one.yaml")
	for from, want := range map[string][]string{
		"              watts:": {"lamp.yaml:5:2-5:7", "xlamp.yaml:5:2-5:7"},
		"names: {kind: XLamp":  {"lamp.yaml:1:0-1:4", "xlamp.yaml:1:0-1:4"},
	} {
		got := c.places("references", "xrd.yaml", changed(t, lamps, from, from[:len(from)-2]+"‸"+from[len(from)-2:]), `, "context": {"includeDeclaration": false}`)
		if !slices.Equal(got, want) {
			t.Errorf("references of %q: %q, want %q", from, got, want)
		}
	}
	var kinds []string
	for _, one := range c.symbols("workspace/symbol", `{"query": "lamp"}`) {
		kinds = append(kinds, one.Name)
	}
	if slices.Sort(kinds); strings.Join(kinds, " ") != "Lamp XLamp" {
		t.Errorf("symbols: %q", kinds)
	}
	c.close("xrd.yaml")
	c.open("xrd.yaml", changed(t, lamps, "maximum: 60", "minItems: 1"))
	c.diagnostics("xrd.yaml", "21:16-21:24 warning schema-contradictory")
	c.open("lamp.yaml", changed(t, lamp, "watts: 9", "watts: nine"))
	c.diagnostics("lamp.yaml", "5:9-5:13 error object-type")
	if got := c.hover("lamp.yaml", 6, 5); got == nil || !strings.Contains(got.Contents.Value, "**spec.compositionRef** object") {
		t.Errorf("hover of a field that Crossplane adds: %+v", got)
	}
}
