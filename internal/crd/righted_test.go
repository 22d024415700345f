package crd

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestRighted(t *testing.T) {
	t.Parallel()
	const spec = "{group: example.com, names: {plural: jobs}}"
	for _, test := range []struct {
		name, text, want string // want is "" where the intention is not clear
		path, written    string // of the copy, and of the object
	}{
		{"values", "{apiVersion: apiextensions/v1, kind: customresourcedefinition, spec: " + spec + "}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.group", "spec.group"},
		{"a key and its value", "{apiversion: apiextensions/v1beta1, kind: CustomResourceDefinition}",
			"{apiVersion: apiextensions.k8s.io/v1beta1, kind: CustomResourceDefinition}", "apiVersion", "apiversion"},
		{"a missing kind", "{apiVersion: apiextensions.k8s.io/v1}", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}", "kind", "kind"},
		{"the key of spec", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: , Spec: " + spec + "}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.names.plural", "Spec.names.plural"},
		{"a key of spec with a dot", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec.: " + spec + "}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.names.plural", "[spec.].names.plural"},
		{"a key of spec with a bracket", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, 'spec[': " + spec + "}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: " + spec + "}", "spec.names.plural", "[spec[].names.plural"},
		{"beside spec", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, group: example.com, names: {plural: jobs}, metadata: {}}",
			"{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {}, spec: " + spec + "}", "spec.names.plural", "names.plural"},
		{"a text", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: text}", "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := &CRD{Node: yaml.MustParse(test.text).YNode()}
			before := shown(t, c.Node)
			r := c.Righted()
			if after := shown(t, c.Node); after != before {
				t.Fatalf("the object itself is now %s", after)
			}
			if r == nil || test.want == "" {
				if r != nil || test.want != "" {
					t.Fatalf("got %v, want %q", r, test.want)
				}
				return
			}
			if got, want := shown(t, r.Node), shown(t, yaml.MustParse(test.want).YNode()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if got := r.AsWritten(test.path); got != test.written {
				t.Errorf("%s is written %s, want %s", test.path, got, test.written)
			}
		})
	}
}

func TestApart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: CustomResourceDefinition\nspec: {}\napiVersion: v1\nkind: Service\n": "kind: CustomResourceDefinition, kind: Service",
		"kind: Service\napiVersion: v1\nkind: CustomResourceDefinition\napiVersion: v1\n":           "kind: Service, kind: CustomResourceDefinition",
		"apiVersion: v1\nkind: CustomResourceDefinition\nspec: {}\n":                                "",
	} {
		var kinds []string
		for _, part := range Apart(yaml.MustParse(text).YNode()) {
			kinds = append(kinds, "kind: "+StringAt(part, "kind"))
		}
		if got := strings.Join(kinds, ", "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func shown(t *testing.T, n *yaml.Node) string {
	t.Helper()
	text, err := yaml.NewRNode(n).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
