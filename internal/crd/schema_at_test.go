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
        properties:
          spec:
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
		"spec.names": "none spec,names",
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
