package crd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func TestLocateSchema(t *testing.T) {
	t.Parallel()
	const shared = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        not: {}
        properties:
          spec:
            additionalItems: {}
            properties:
              a.b: {}
              ports:
                items: {anyOf: [{properties: {port: }}]}
`
	c := &CRD{Node: yaml.MustParse(shared).YNode(), Version: V1}
	for path, want := range map[string]string{
		"spec.validation.openAPIV3Schema":                                                      " ",
		"spec.validation.openAPIV3Schema.type":                                                 " type",
		"spec.versions[0].schema.openAPIV3Schema.properties[spec].required":                    "spec required",
		"spec.validation.openAPIV3Schema.properties[spec].properties[a.b].type":                "spec[a.b] type",
		"spec.validation.openAPIV3Schema.properties[spec].properties[gone]":                    "spec properties,gone",
		"spec.validation.openAPIV3Schema.properties[spec].properties[ports].items.anyOf[0]":    "spec.ports[*] ",
		"spec.validation.openAPIV3Schema.properties[spec].properties[ports].items.anyOf[3]":    "spec.ports[*] anyOf,3",
		"spec.validation.openAPIV3Schema.properties[spec].properties[ports].items.items.items": "spec.ports[*] items,items",
		"spec.validation.openAPIV3Schema.properties[spec].properties[ports].items" +
			".anyOf[0].properties[port].type": "spec.ports[*].port type",
		"spec.validation.openAPIV3Schema.properties[spec].properties[ports].items.anyOf[1]": "spec.ports[*] anyOf,1",
		"spec.validation.openAPIV3Schema.not.type":                                          " type",
		"spec.validation.openAPIV3Schema.properties[spec].additionalItems.type":             "spec type",
		"spec.names":                                     "none spec,names",
		"status.validation.openAPIV3Schema":              "none status,validation,openAPIV3Schema",
		"spec.validation.other":                          "none spec,versions,0,schema,other",
		"spec.versions[0].schema":                        "none spec,versions,0,schema",
		"spec.versions[0].other.openAPIV3Schema":         "none spec,versions,0,other,openAPIV3Schema",
		"spec.versions[1].schema.openAPIV3Schema":        "none spec,versions,1,schema,openAPIV3Schema",
		"status.versions[0].schema.openAPIV3Schema.type": "none status,versions,0,schema,openAPIV3Schema,type",
	} {
		s, rest := c.LocateSchema(path)
		got := "none"
		if s != nil {
			got = s.FieldPath()
		}
		if got += " " + strings.Join(rest, ","); got != want {
			t.Errorf("LocateSchema(%s) = %q, want %q", path, got, want)
		}
	}
}

// TestIndex asks for every key of large mappings twice: an index answers as Lookup does.
func TestIndex(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 2 * largeMapping {
		fmt.Fprintf(&many, "  k%d: %d\n", i, i)
	}
	tests := []struct{ name, first, last string }{
		{"plain", "", ""},
		{"duplicates", "  k3: first\n  x: first\n", "  k3: last\n  x: last\n"},
		{"merge key behind", "", "  <<: {k3: merged, x: merged}\n"},
		{"merge key in front", "  <<: {k3: merged, x: merged}\n", ""},
		{"several merged", "", "  <<: [{x: one}, {x: two, z: three}]\n"},
		{"keys of YAML 1.1", "  on: a\n  1: b\n", "  0x1: c\n  null: d\n"},
		{"merged into itself", "", "  <<: *m\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root, err := yaml.Parse("m: &m\n" + tt.first + many.String() + tt.last)
			if err != nil {
				t.Fatal(err)
			}
			_, m := Lookup(root.YNode(), "m")
			x := Index{}
			for range 2 {
				for _, key := range []string{"k0", "k3", "k99", "x", "z", "true", "on", "1", "null", "<<", ""} {
					wantKey, wantValue := Lookup(m, key)
					if k, v := x.lookup(m, key); k != wantKey || v != wantValue {
						t.Errorf("%q: found %v, want %v", key, v, wantValue)
					}
				}
			}
			if len(x.large) != 1 {
				t.Errorf("%d mappings are remembered, want 1", len(x.large))
			}
		})
	}
}

// TestIndexInChange: of a mapping that fixes change, what Lookup finds is found: values that are replaced, and keys that are
// removed, added and renamed.
func TestIndexInChange(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 3 * largeMapping {
		fmt.Fprintf(&text, "k%d: %d\n", i, i)
	}
	root, err := yaml.Parse("k1: first\n" + text.String() + "<<: {m: 1}\n")
	if err != nil {
		t.Fatal(err)
	}
	n := root.YNode()
	rnd := rand.New(rand.NewPCG(36, 4))
	x := &Index{changing: map[*yaml.Node]*ownKeys{}}
	for round := range 2000 {
		switch i := 2 * rnd.IntN(len(n.Content)/2-1); rnd.IntN(8) {
		case 0:
			n.Content = slices.Delete(n.Content, i, i+2)
		case 1:
			n.Content = append(n.Content, yaml.NewStringRNode(fmt.Sprint("a", round)).YNode(), yaml.NewStringRNode("x").YNode())
		case 2:
			n.Content[i].Value = fmt.Sprint("r", round)
		case 3:
			n.Content[i+1] = yaml.NewStringRNode("y").YNode()
		}
		for _, key := range []string{"k1", "m", "absent", n.Content[2*rnd.IntN(len(n.Content)/2)].Value} {
			wantKey, wantValue := Lookup(n, key)
			if k, v := x.lookup(n, key); k != wantKey || v != wantValue {
				t.Fatalf("round %d, %q: found %v, want %v", round, key, v, wantValue)
			}
		}
	}
}

// TestSchema asks a schema, and those below it, what rules ask.
func TestSchema(t *testing.T) {
	t.Parallel()
	c := only(t, header+`spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema: &s
        type: object
        required: [spec]
        description:
        properties:
          spec:
            type: object
            x-kubernetes-preserve-unknown-fields: true
            properties: {names: {type: array, items: {type: string}}, a.b: {nullable: false}}
            allOf: [{properties: {names: {minItems: 1}}}, {properties: {other: {items: {}}}}]
          status: {additionalProperties: {type: object, additionalProperties: true}, not: {items: {}}}
  - {name: v2, schema: {openAPIV3Schema: *s}}
`)
	var all []string
	for s := range c.Versions()[0].Root().All() {
		outer := "none"
		if s.Outer() != nil {
			outer = "'" + s.Outer().FieldPath() + "'"
		}
		all = append(all, fmt.Sprintf("%s %s %s %v %s", s.FieldPath(), s.Via, s.Type(), s.InJunctor(), outer))
	}
	want := []string{
		"  object false ''", "spec properties object false 'spec'", "spec.names properties array false 'spec.names'", "spec.names[*] items string false 'spec.names[*]'",
		"spec[a.b] properties  false 'spec[a.b]'", "spec allOf  true 'spec'", "spec.names properties  true 'spec.names'", "spec allOf  true 'spec'",
		"spec.other properties  true none", "spec.other[*] items  true none", "status properties  false 'status'",
		"status[*] additionalProperties object false 'status[*]'", "status not  true 'status'", "status[*] items  true none",
	}
	if !slices.Equal(all, want) {
		t.Errorf("got  %q\nwant %q", all, want)
	}
	root := c.Versions()[0].Root()
	spec, status := root.Property("spec"), root.Property("status")
	switch {
	case !root.Required("spec"), root.Required("status"), root.Get("description") != nil, root.Get("gone") != nil, root.Property("gone") != nil:
		t.Error("of the root")
	case !spec.KeepsUnknown(), root.KeepsUnknown(), spec.Items() != nil, spec.AdditionalProperties() != nil, spec.Property("a.b").Flag("nullable"):
		t.Error("of spec")
	case status.AdditionalProperties().Type() != "object", status.AdditionalProperties().AdditionalProperties() != nil, spec.Property("names").Items().Root() != root:
		t.Error("of status")
	}
	n := 0
	for range c.Schemas() {
		n++
	}
	if n != 2*len(want) { // each version has its own
		t.Errorf("%d schemas, want %d", n, 2*len(want))
	}
	for range c.Schemas() {
		break
	}
}
