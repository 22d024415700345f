package repair

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// TestSingle makes one repair of one schema, of a CRD whose version has the others as well.
func TestSingle(t *testing.T) {
	t.Parallel()
	const schema = `type: object
properties:
  metadata: {type: object, description: of the object, properties: {labels: {type: object, maxProperties: 1}}}
  kind: {type: integer}
  spec:
    type: object
    properties:
      metadata: {description: of mine}
      kind: {}
      port: {anyOf: [{type: integer}, {type: string}]}
      text: {minLength: 1}
      list: {type: array}
      tuple: {type: array, items: {type: object}}
      map: {type: object, additionalProperties: {minLength: 1}}
      several: {minLength: 1, anyOf: [{type: integer}, {pattern: ^a}]}
      typed: {type: string, anyOf: [{type: string, minLength: 1}, {type: string}]}
      shared: {oneOf: [{type: string, enum: [a]}, {type: string, enum: [b]}]}
      option: {nullable: true, anyOf: [{type: string, enum: [a]}, {enum: [null], nullable: true}]}
      loose: {type: string, anyOf: [{type: integer, minimum: 1}, {type: boolean, enum: [true]}]}
`
	at := map[string]func(*Single) policy.Class{
		"IntOrString": (*Single).IntOrString, "MissingType": (*Single).MissingType, "TypeMeta": (*Single).TypeMeta,
		"MissingItems": (*Single).MissingItems, "Metadata": (*Single).Metadata, "Junctors": (*Single).Junctors,
		"Declare new": func(s *Single) policy.Class { return s.Declare("new") }, "Declare text": func(s *Single) policy.Class { return s.Declare("text") },
		"Declare items": func(s *Single) policy.Class { return s.Declare("") },
	}
	tests := []struct {
		path, repair string
		policy       Policy
		class        policy.Class
		want         string // the schema in flow style; "" when it stays
	}{
		{"properties[spec].properties[port]", "IntOrString", Policy{}, policy.Safe, "{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true, nullable: true}"},
		{"properties[spec].properties[text]", "IntOrString", Policy{}, "", ""},
		{"properties[spec].properties[text]", "MissingType", Policy{Pruned: true}, policy.Safe, "{minLength: 1, x-kubernetes-preserve-unknown-fields: true}"},
		{"properties[spec].properties[text]", "MissingType", Policy{InferTypes: true}, policy.Changes, "{minLength: 1, type: string}"},
		{"properties[spec].properties[several]", "MissingType", Policy{InferTypes: true, Pruned: true}, policy.Safe, "{minLength: 1, anyOf: [{type: integer}, {pattern: ^a}], x-kubernetes-preserve-unknown-fields: true}"},
		{"properties[spec].properties[typed]", "MissingType", Policy{}, "", ""},
		{"properties[spec].properties[map].additionalProperties", "MissingType", Policy{InferTypes: true}, policy.Changes, "{minLength: 1, type: string}"},
		{"properties[kind]", "TypeMeta", Policy{}, policy.Safe, "{type: string}"},
		{"properties[metadata]", "TypeMeta", Policy{}, "", ""},
		{"properties[spec].properties[kind]", "TypeMeta", Policy{}, "", ""},
		{"properties[spec].properties[list]", "MissingItems", Policy{}, policy.Safe, "{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}"},
		{"properties[spec].properties[tuple]", "MissingItems", Policy{}, "", ""},
		{"properties[metadata]", "Metadata", Policy{}, policy.Safe, "{type: object, properties: {labels: {type: object, maxProperties: 1}}}"},
		{"properties[metadata]", "Metadata", Policy{Loosen: true}, policy.Changes, "{type: object}"},
		{"properties[spec].properties[metadata]", "Metadata", Policy{Loosen: true}, "", ""},
		{"properties[spec].properties[typed]", "Junctors", Policy{}, policy.Safe, "{type: string}"},
		{"properties[spec].properties[shared]", "MissingType", Policy{InferTypes: true, Pruned: true}, policy.Safe, "{oneOf: [{type: string, enum: [a]}, {type: string, enum: [b]}], type: string}"},
		{"properties[spec].properties[shared]", "Junctors", Policy{Pruned: true}, policy.Safe, "{oneOf: [{enum: [a]}, {enum: [b]}], type: string}"},
		{"properties[spec].properties[option]", "Junctors", Policy{Pruned: true}, policy.Safe, "{nullable: true, anyOf: [{enum: [a]}, {enum: [null]}], type: string}"},
		{"properties[spec].properties[loose]", "Junctors", Policy{}, "", ""},
		{"properties[spec].properties[loose]", "Junctors", Policy{Loosen: true}, policy.Changes, "{type: string, anyOf: [{minimum: 1}, {enum: [true]}]}"},
		{"properties[spec].properties[tuple].items", "Declare new", Policy{}, policy.Safe, "{type: object, properties: {new: {x-kubernetes-preserve-unknown-fields: true}}}"},
		{"properties[spec].properties[map]", "Declare new", Policy{}, "", ""},
		{"properties[spec]", "Declare text", Policy{}, "", ""},
		{"properties[spec].properties[list]", "Declare items", Policy{}, policy.Safe, "{type: array, items: {x-kubernetes-preserve-unknown-fields: true}}"},
		{"properties[spec].properties[tuple]", "Declare items", Policy{}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.repair+" "+tt.path, func(t *testing.T) {
			t.Parallel()
			c := inputs.CRD(t, crdOf(schema))
			path := "spec.versions[0].schema.openAPIV3Schema." + tt.path
			s := At(c, path, tt.policy)
			if s == nil {
				t.Fatal("not found")
			}
			before := flow(s.Node())
			trial := s.Copy()
			if got := at[tt.repair](trial); got != tt.class {
				t.Errorf("tried: %q, want %q", got, tt.class)
			}
			if got := flow(s.Node()); got != before {
				t.Errorf("trying it made %s of %s", got, before)
			}
			want := tt.want
			if want == "" {
				want = before
			}
			if got := at[tt.repair](s); got != tt.class || flow(s.Node()) != want {
				t.Errorf("%q, %s, want %q, %s", got, flow(s.Node()), tt.class, want)
			}
			for _, r := range s.made {
				if !strings.HasPrefix(r.At.Path, path) {
					t.Errorf("is told at %s", r.At.Path)
				}
			}
			if again := at[tt.repair](At(c, path, tt.policy)); again != "" {
				t.Errorf("once more: %q", again)
			}
		})
	}
	for path, want := range map[string]string{
		"properties[spec].properties[text]": "string", "properties[spec].properties[several]": "", "properties[spec].properties[port]": "",
	} {
		if got := At(inputs.CRD(t, crdOf(schema)), "spec.versions[0].schema.openAPIV3Schema."+path, Policy{}).Implied(); got != want {
			t.Errorf("%s implies %q, want %q", path, got, want)
		}
	}
	for _, path := range []string{
		"spec.versions[0].schema", "spec.versions[1].schema.openAPIV3Schema", "spec.versions[0].schema.openAPIV3Schema.properties[none]",
		"spec.versions[0].schema.openAPIV3Schema.properties[spec].items", "spec.versions[0].schema.openAPIV3Schema.properties[spec].type",
		"spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[port].anyOf[0]", "spec.versions[0].schema.openAPIV3Schema.properties",
	} {
		if At(inputs.CRD(t, crdOf(schema)), path, Policy{}) != nil {
			t.Errorf("%s is the schema of a value", path)
		}
	}
}

func TestIsIntOrString(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]bool{
		"{anyOf: [{type: integer}, {type: string}]}":                                   true,
		"{oneOf: [{type: string}, {type: integer}], minimum: 1}":                       true,
		"{allOf: [{anyOf: [{type: integer}, {type: string}]}]}":                        true,
		"{allOf: [{oneOf: [{type: integer}, {type: string}]}]}":                        false,
		"{type: string, anyOf: [{type: integer}, {type: string}]}":                     false,
		"{type: null, anyOf: [{type: integer}, {type: string}]}":                       true,
		"{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}": false,
		"{anyOf: [{type: integer}]}":                                                   false,
		"{anyOf: [integer, string]}":                                                   false,
		"{anyOf: {type: integer}}":                                                     false,
		"text":                                                                         false,
	} {
		if got := IsIntOrString(yaml.MustParse(schema).YNode()); got != want {
			t.Errorf("%s: %v", schema, got)
		}
	}
	if IsIntOrString(nil) {
		t.Error("nothing is an integer or a string")
	}
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]string{
		"int": "integer", "Long": "integer", "float": "number", "bool": "boolean", "Str": "string", "duration": "string", "map": "object", "list": "array",
		"String": "string", "OBJECT": "object", "[]string": "array", "string[]": "array", "array<string>": "array", "list(int)": "array", "array<>": "",
		"map[string]int": "object", "map<a,b>": "object", "mapping": "", "": "", "null": "", "arrays": "",
	} {
		if got := SuggestType(typ); got != want {
			t.Errorf("type %q: %q, want %q", typ, got, want)
		}
	}
	for strategy, want := range map[string]string{"external": "Webhook", "webhook": "Webhook", "nop": "None", "NOOP": "None", "": "", "other": ""} {
		if got := SuggestStrategy(strategy); got != want {
			t.Errorf("strategy %q: %q, want %q", strategy, got, want)
		}
	}
	for value, want := range map[string]string{
		"{}": "object", "[]": "array", "yes": "boolean", "1": "integer", "0x1f": "integer", "1.5": "number", "1e3": "number", "a": "string", `"1"`: "string", "~": "null",
	} {
		if got := TypeOfValue(yaml.MustParse(value).YNode()); got != want {
			t.Errorf("%s is of type %q, want %q", value, got, want)
		}
	}
}

func crdOf(schema string) string {
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n" +
		indented(schema, 8)
}

// flow is a tree on one line.
func flow(n *yaml.Node) string {
	n = crd.Clone(n)
	n.Style = yaml.FlowStyle
	return strings.TrimSpace(yaml.NewRNode(n).MustString())
}
