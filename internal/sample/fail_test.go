package sample

import (
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// TestMayFail: nothing is tried of a rule that has nothing to end in an error.
func TestMayFail(t *testing.T) {
	t.Parallel()
	for rule, may := range map[string]bool{
		"self.split('/')[0] == 'a'":        false,
		"self.split('/')[1] == 'a'":        true,
		"self.split('/', 0)[0] == 'a'":     true,
		"self.list[0] == 'a'":              true,
		"self.size() > 2":                  false,
		"quantity('1') == quantity('2')":   false,
		"quantity(self) == quantity('2')":  true,
		"self.a.b.startsWith('quantity(')": false,
	} {
		if MayFail(rule) != may {
			t.Errorf("%s may fail: %v", rule, !may)
		}
	}
}

// TestPartOf: a rule is tried with the fields that it speaks about and what leads to it, and nothing else is asked of them.
func TestPartOf(t *testing.T) {
	t.Parallel()
	texts := apiextensions.JSONSchemaProps{Type: "string"}
	whole := apiextensions.JSONSchemaProps{
		Type: "object", Required: []string{"name"}, XValidations: apiextensions.ValidationRules{{Rule: "has(self.name)"}},
		Properties: map[string]apiextensions.JSONSchemaProps{"name": texts, "spec": {
			Type: "object", Required: []string{"a", "b"},
			XValidations: apiextensions.ValidationRules{{Rule: "self.b != ''"}, {Rule: "int(self.a) > 0"}},
			Properties:   map[string]apiextensions.JSONSchemaProps{"a": texts, "b": texts},
		}},
	}
	hub := &apiextensions.CustomResourceDefinition{Spec: apiextensions.CustomResourceDefinitionSpec{
		Group: "example.com", Names: apiextensions.CustomResourceDefinitionNames{Kind: "Widget"}, Scope: apiextensions.ClusterScoped,
		Versions: []apiextensions.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true, Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &whole},
		}},
	}}
	spec := Path(nil).To(Property, "spec")
	part, err := partOf(hub, "v1", spec, 1, []Path{spec.To(Property, "a")})
	if err != nil {
		t.Fatal(err)
	}
	root := part.Spec.Versions[0].Schema.OpenAPIV3Schema
	if len(root.Properties) != 1 || len(root.Required) != 0 || len(root.XValidations) != 0 {
		t.Errorf("the root is %v", root)
	}
	s := root.Properties["spec"]
	if len(s.Properties) != 1 || len(s.Required) != 1 || s.Required[0] != "a" || len(s.XValidations) != 1 || s.XValidations[0].Rule != "int(self.a) > 0" {
		t.Errorf("the spec is %v", s)
	}
	tried := Trials{}
	for rule, holds := range []bool{true, false} {
		if tried.Hold(hub, "v1", spec, rule, whole.Properties["spec"].XValidations[rule].Rule) != holds {
			t.Errorf("rule %d holds: %v", rule, !holds)
		}
	}
	tried.Hold(hub, "v1", spec, 1, "int(self.a) > 0")
	if len(tried) != 2 {
		t.Errorf("%d rules were tried, want 2", len(tried))
	}
}
