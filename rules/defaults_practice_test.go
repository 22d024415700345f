package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// An empty object as the default of another one is the remedy only where no object is rejected for it.
func TestEmptyDefaultAsRemedy(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spec, oil string // more keywords of these schemas
		remedy    bool
	}{
		"plain":              {"", "", true},
		"required":           {"", "required: [grade]", false},
		"required, defaults": {"", "required: [litres]", true},
		"one of a union":     {"maxProperties: 1", "", false},
		"oneOf":              {"oneOf: [{required: [oil]}, {required: [fat]}]", "", false},
		"CEL around":         {"x-kubernetes-validations: [{rule: has(self.oil) != has(self.fat)}]", "", false},
		"CEL inside":         {"", "x-kubernetes-validations: [{rule: has(self.grade)}]", false},
		"not empty":          {"", "minProperties: 2", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			manifest := strings.NewReplacer("SPEC", test.spec, "OIL", test.oil).Replace(unreachable)
			linter := rules.Linter{Options: lint.Options{Config: &lint.Config{Preset: lint.All}}}
			for _, f := range linter.File("gears.yaml", []byte(manifest)).Findings {
				if f.Rule.ID != "default-unreachable" {
					continue
				}
				want := []lint.Change{}
				if test.remedy {
					want = []lint.Change{{Path: "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[oil]", Keyword: "default", Value: map[string]any{}}}
				}
				if diff := cmp.Diff(want, f.Remedy); diff != "" {
					t.Error(diff)
				}
				return
			}
			t.Error("there is no finding")
		})
	}
}

const unreachable = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gears.example.com
spec:
  group: example.com
  names: {kind: Gear, plural: gears, singular: gear, listKind: GearList}
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
            SPEC
            properties:
              fat: {type: object}
              oil:
                type: object
                OIL
                properties:
                  grade: {type: string}
                  litres: {type: integer, default: 3}
`
