package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/lint"
)

// TestOneMistakeOneFinding makes one mistake at a time and wants one finding, of the rule that tells the cause; some need
// two, or hide another.
func TestOneMistakeOneFinding(t *testing.T) {
	t.Parallel()
	const v1 = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  conversion: {strategy: None}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: A, type: string, jsonPath: .spec.a}
    subresources: {status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              a: {type: string}
              count: {type: integer}
              list: {type: array, items: {type: string}}
              level: {type: string, enum: ["off", "on"]}
          status:
            type: object
            properties:
              count: {type: integer}
`
	for _, tt := range []struct{ old, new, rule string }{
		{"served: true", "servd: true", "unknown-field"},
		{"storage: true", "strage: true", "unknown-field"},
		{"  - name: v1", "  - nmae: v1", "unknown-field"},
		{"name: foos", "nmae: foos", "unknown-field"},
		{"group: ", "grop: ", "unknown-field"},
		{"scope: ", "scop: ", "unknown-field"},
		{"plural: ", "plurl: ", "unknown-field"},
		{"kind: Foo}", "kindd: Foo}", "unknown-field"},
		{"names: ", "nmaes: ", "unknown-field"},
		{"versions:", "verions:", "unknown-field"},
		{"schema:", "shcema:", "unknown-field"},
		{"openAPIV3Schema:", "openAPIV3Shcema:", "unknown-field"},
		{"jsonPath: .spec.a", "jsonPaht: .spec.a", "unknown-field"},
		{"type: string, jsonPath", "tpye: string, jsonPath", "unknown-field"},
		{"specReplicasPath", "specReplicaPath", "unknown-field"},
		{"properties:\n          spec", "propertes:\n          spec", "unknown-field"},
		{"items: {type: string}", "itmes: {type: string}", "unknown-field"},
		{"a: {type: string}", "a: {tpye: string}", "unknown-field"},
		{"served: true", "served: true\n    servd: true", "unknown-field"},
		{"a: {type: string}", "a: {type: string, patern: '['}", "schema-pattern-invalid+unknown-field"},
		{"storage: true\n", "storage: true\n    deprecated: [x]\n", "wrong-type"},
		{"served: true", "servd: {}", "no-served-version+unknown-field+version-flag-missing"}, // nothing that served can be
		{"served: true", `served: "true"`, "wrong-type"},
		{"served: true", "served: [true]", "wrong-type"},
		{"storage: true", "storage: {}", "wrong-type"},
		{"plural: foos", "plural: {}", "wrong-type"},
		{"group: example.com", "group: [example.com]", "wrong-type"},
		{"strategy: None", "strategy: {}", "wrong-type"},
		{"a: {type: string}", "a: {type: [string, 'null']}", "wrong-type"},
		{"a: {type: string}", "a: {type: [string, integer]}", "wrong-type"},
		{"a: {type: string}", "a: {type: strng, default: x}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: interger, default: 1, minimum: 1, enum: [1, 2]}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: interger, format: int32, default: 1}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: date, format: date, default: '2020-01-01'}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: arry, default: [x], items: {type: string}}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: array, default: [1], items: {type: interger}}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: object, default: {x: 1}, additionalProperties: {type: interger}}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: arry, items: {type: string}, x-kubernetes-list-type: set}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: arry, items: {type: object, required: [k], properties: {k: {type: string}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k]}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: array, items: {type: object, required: [k], properties: {k: {type: strng}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k]}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: objct, properties: {k: {type: string}}, x-kubernetes-map-type: atomic}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: objct, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}", "schema-type-invalid"},
		{"a: {type: string}", "a: {x-kubernetes-int-or-string: true, anyOf: [{type: interger}, {type: string}]}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: interger, x-kubernetes-validations: [{rule: self > 1, message: m}]}", "schema-type-invalid"},
		{"a: {type: string}", "a: {type: strng, maxLength: 1, default: xy}", "default-invalid+schema-type-invalid"}, // too long for any string
		{"kind: Foo}", "kind: Foo_Bar}", "names-kind-invalid"},
		{", kind: Foo}", "}", "names-kind-invalid"},
		{"scope: Namespaced", "scope: namespaced", "scope-invalid"},
		{"jsonPath: .spec.a", "JSONPath: .spec.a", "v1beta1-field-in-v1"},
		{"statusReplicasPath: .status.count", "statusReplicasPath: .spec.m", "scale-path-invalid"},
		{"        type: object\n", "        type: string\n", "schema-root-type"},
		{"      openAPIV3Schema:\n        type: object\n", "      type: object\n      xx:\n", "schema-wrapper-missing+unknown-field"},
		{`["off", "on"]`, `["off", on]`, "yaml-ambiguous-scalar"},
		{"items: {type: string}", "items: {type: string}, enum: [a, b, c]", "schema-contradictory"},
		{"items: {type: string}", "items: {type: string}, x-kubernetes-list-type: maps, x-kubernetes-list-map-keys: [a]", "schema-list-type-invalid"},
		{"count: {type: integer}\n              list", "count: {anyOf: [{type: integer}, {type: string}]}\n              list", "schema-int-or-string-missing"},
		{"    storage: true\n", "", "storage-version-count"},
		{"a: {type: string}", "a: {type: string, default: x, x-kubernetes-validations: [{rule: self.y, message: m}]}", "cel-compile-error"},
		{"a: {type: string}", "a: {type: string, anyOf: [{x-kubernetes-list-type: map, minLength: 1}]}", "schema-junctor-forbidden-field"},
		{"  versions:\n  - name: v1\n    served: true\n    storage: true\n", "  version: v1\n  versions: []\n  x:\n  - name: v1\n", "unknown-field+v1beta1-field-in-v1"},
		{"versions:\n", "version:\n", "unknown-field"},
		{"versions:\n", "versions: v1\n  x:\n", "unknown-field+wrong-type"},
		{"versions:\n", "versions: [v1]\n  x:\n", "unknown-field+wrong-type"},
		{"versions:\n", "version: [v1]\n  x:\n", "unknown-field+wrong-type"},
		{"a: {type: string}", "a: {type: string, required: true}", "wrong-type"},
		{"a: {type: string}", "a: {type: object, required: false}", "wrong-type"},
		{"properties:\n              a:", "properties:\n              required: [a]\n              a:", "wrong-type"},
		{"properties:\n              a:", "properties:\n              required: [b]\n              a:", "schema-required-undeclared+wrong-type"},
		{"properties:\n              a:", "properties:\n              x-kubernetes-validations: [{rule: self.a != '', message: m}]\n              a:", "wrong-type"},
		{"properties:\n              a:", "properties:\n              description: text\n              minProperties: 1\n              a:", "wrong-type"},
		{"a: {type: string}", "a: {description: text, properties: {type: string}}", "wrong-type"},
		{"type: object\n            properties:\n              a:", "properties:\n              type: object\n              a:", "wrong-type"},
		{"  - name: v1\n    served: true\n    storage", "   v1:\n    served: true\n    storage", "wrong-type"},
		{"metadata: {name: foos.example.com}\nspec:\n  group: example.com\n", "metadata: {name: foos.example.com, group: example.com}\nspec:\n", "unknown-field"},
		{"  scope: Namespaced\n  names: {", "  names: {scope: Namespaced, ", "unknown-field"},
		{"spec:\n  group: example.com\n", "group: example.com\nspec:\n", "unknown-field"},
		{"metadata: {name: foos.example.com}", "metadata: {}\nname: foos.example.com", "unknown-field"},
		{"  names: {plural: foos, kind: Foo}", "  plural: foos\n  kind: Foo", "unknown-field"},
		{"  names: {plural: foos, kind: Foo}", "  plural: foos\n  names: {kind: Foo}", "unknown-field"},
		{"  names: {plural: foos, kind: Foo}\n  conversion: {strategy: None}\n", "  conversion: {strategy: None, names: {plural: foos, kind: Foo}}\n", "unknown-field"},
		{"  conversion: {strategy: None}\n", "  strategy: None\n", "unknown-field"},
		{"  conversion: {strategy: None}\n  versions:\n  - name: v1\n", "  versions:\n  - name: v1\n    conversion: {strategy: None}\n", "unknown-field"},
		{"  versions:\n  - name: v1\n    served: true\n    storage: true\n", "  served: true\n  storage: true\n  versions:\n  - name: v1\n", "unknown-field"},
		{"    schema:\n      openAPIV3Schema:", "    openAPIV3Schema:", "unknown-field"},
		{"    schema:\n", "  schema:\n", "unknown-field"},
		{"    subresources: {status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count}}\n    schema:\n", "    schema:\n      subresources: {status: {}}\n", "unknown-field"},
		{"        type: object\n        properties:\n          spec:\n", "        type: object\n        selectableFields: [{jsonPath: .spec.a}]\n        properties:\n          spec:\n", "unknown-field"},
		{"    subresources: {status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count}}\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n", "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          subresources: {status: {}}\n", "unknown-field"},
		{"    additionalPrinterColumns:\n    - {name: A, type: string, jsonPath: .spec.a}\n    subresources: {status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count}}\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n", "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          additionalPrinterColumns: [{name: A, type: string, jsonPath: .spec.a}]\n", "wrong-type"},
		{"            type: object\n            properties:\n              a:", "            type: object\n            other: {type: string}\n            properties:\n              a:", "unknown-field"},
		{"            type: object\n            properties:\n              a:", "            type: object\n            other: {type: strng}\n            properties:\n              a:", "schema-type-invalid+unknown-field"},
		{"status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count}}", "specReplicasPath: .spec.count, statusReplicasPath: .status.count}", "unknown-field"},
		{"  versions:\n  - name: v1\n    served: true\n", "  version:\n    name: v1\n    served: true\n", "unknown-field"},
		{"  - name: v1\n    served: true\n", "  - v2\n  - name: v1\n    served: false\n", "wrong-type"},
		{"versions:\n", "version: [v1]\n  versions:\n", "v1beta1-field-in-v1"},
	} {
		if !strings.Contains(v1, tt.old) {
			t.Fatalf("there is no %q", tt.old)
		}
		var told []string
		for _, f := range everyRule().File("crd.yaml", []byte(strings.Replace(v1, tt.old, tt.new, 1))).Findings {
			if f.Severity > lint.Info {
				told = append(told, f.Rule.ID)
			}
		}
		if strings.Join(slices.Compact(slices.Sorted(slices.Values(told))), "+") != tt.rule {
			t.Errorf("%s instead of %s: %v, want %s", tt.new, tt.old, told, tt.rule)
		}
	}
}
