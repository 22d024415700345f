package crd

import (
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
