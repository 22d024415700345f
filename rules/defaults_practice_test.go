package rules_test

import (
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules"
)

// An empty object as the default of another one is the remedy only where no object is refused for it.
func TestEmptyDefaultAsRemedy(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spec, oil string // more keywords of these schemas
		changes   int
	}{
		"plain":              {"", "", 1},
		"required":           {"", "required: [grade]", 0},
		"required, defaults": {"", "required: [litres]", 1},
		"one of a union":     {"maxProperties: 1", "", 0},
		"oneOf":              {"oneOf: [{required: [oil]}, {required: [fat]}]", "", 0},
		"CEL around":         {"x-kubernetes-validations: [{rule: has(self.oil) != has(self.fat)}]", "", 0},
		"CEL inside":         {"", "x-kubernetes-validations: [{rule: has(self.grade)}]", 0},
		"not empty":          {"", "minProperties: 2", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			manifest := strings.NewReplacer("SPEC", test.spec, "OIL", test.oil).Replace(unreachable)
			linter := rules.Linter{Config: &lint.Config{Preset: lint.Strict}}
			for _, f := range linter.File("gears.yaml", []byte(manifest)).Findings {
				if f.Rule.ID != "default-unreachable" {
					continue
				}
				if len(f.Remedy) != test.changes {
					t.Errorf("the remedy is %+v, want %d changes", f.Remedy, test.changes)
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
