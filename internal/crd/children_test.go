package crd

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestChildren finds the schemas below one where its keywords are written in uncommon ways.
func TestChildren(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, schema, want string }{
		{"plain", "{type: object, properties: {a: {}, b: {}}, items: {}, allOf: [{}, {}], additionalProperties: {}}",
			"properties[a] properties[b] items allOf[0] allOf[1] additionalProperties"},
		{"none", "{type: object, properties: {}, additionalProperties: true}", ""},
		{"quoted", `{"properties": {"a": {}}}`, "properties[a]"},
		{"twice", "{properties: {a: {}}, items: {}, properties: {b: {}}}", "properties[b] items"},
		{"a property twice", "{properties: {a: {type: string}, b: {}, a: {type: integer}}}", "properties[a] properties[b]"},
		{"merged", "{properties: {a: {}}, <<: {properties: {b: {}}, items: {}}}", "properties[b] items"},
		{"merged before", "{<<: {properties: {b: {}}, items: {}}, properties: {a: {}}}", "properties[a] items"},
		{"a tag", "{!!str properties: {a: {}}}", "properties[a]"},
		{"a binary key", "{!!binary cHJvcGVydGllcw==: {a: {}}}", "properties[a]"},
		{"a merge key that is none", "{\"<<\": {properties: {b: {}}}, properties: {a: {}}}", "properties[a]"},
	} {
		c := Parse([]byte("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {versions: [{name: v1, schema: {openAPIV3Schema: " + tt.schema + "}}]}\n"))
		root := c[0].Versions()[0].Root()
		var got []string
		for _, s := range root.children() {
			got = append(got, strings.TrimPrefix(s.Path, root.Path+"."))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestKeywords asks schemas that a walk came past for their keywords. Those of a CRD that fixes change are read anew.
func TestKeywords(t *testing.T) {
	t.Parallel()
	const text = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {versions: [{name: v1, schema: {openAPIV3Schema: {properties: {" +
		"a: {<<: {format: byte, default: ~}, type: integer, type: &t string, nullable: yes, description: *t}}}}}]}\n"
	for _, index := range []*Index{nil, {}, {changing: map[*yaml.Node]*ownKeys{}}} {
		frozen := index != nil && index.changing == nil
		root := *Parse([]byte(text))[0].Versions()[0].Root()
		root.index = index
		s := root.children()[0]
		if nullable, ok := s.Bool("nullable"); s.Type() != "string" || s.Text("format") != "byte" || s.Text("description") != "string" || !nullable || !ok {
			t.Errorf("frozen %v: got %s, %s, %s, nullable %v", frozen, s.Type(), s.Text("format"), s.Text("description"), nullable)
		}
		if s.Get("default") != nil || s.Value("default") == nil || s.Value("items") != nil || s.Text("pattern") != "" {
			t.Errorf("frozen %v: null is a value, or what is not there is", frozen)
		}
		_, v := Lookup(s.Node, "type")
		*v = *node(t, "integer")
		s.Node.Content = append(s.Node.Content, node(t, "pattern"), node(t, "a"))
		if !frozen && (s.Type() != "integer" || s.Text("pattern") != "a") {
			t.Errorf("after a change: got %s with pattern %q", s.Type(), s.Text("pattern"))
		}
	}
}
