package apiserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/testing/inputs"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// TestForeseeBehind has mistakes in one field, and two in others that a server only looks for where schemas have none: a default
// that is not valid and, once that is corrected, a rule that does not compile. Both are foreseen. The field is left as it was but for
// the mistake, where that says what else to do.
func TestForeseeBehind(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ field, left string }{
		"a type in capitals":                 {`{type: STRING, minLength: 1}`, `{type: string, minLength: 1}`},
		"an unknown type":                    {`{type: sting, minLength: 1}`, `{minLength: 1, x-kubernetes-int-or-string: true}`},
		"an unknown type with fields":        {`{type: objekt, properties: {b: {type: string}}}`, `{type: object, properties: {b: {type: string}}}`},
		"an unknown type with values":        {`{type: objekt, additionalProperties: {type: string}}`, `{type: object, additionalProperties: {type: string}}`},
		"an unknown type with items":         {`{type: liste, items: {type: string}}`, `{type: array, items: {type: string}}`},
		"an unknown type, and a default":     {`{type: sting, default: b}`, `{x-kubernetes-int-or-string: true}`},
		"no type":                            {`{minLength: 1}`, `{minLength: 1, x-kubernetes-int-or-string: true}`},
		"no type, of a list":                 {`{x-kubernetes-list-type: atomic}`, `{type: array, x-kubernetes-list-type: atomic, items: {x-kubernetes-int-or-string: true}}`},
		"no type, of a map":                  {`{x-kubernetes-map-type: atomic}`, `{type: object, x-kubernetes-map-type: atomic}`},
		"no type, of a resource":             {`{x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`, `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`},
		"a type of null":                     {`{type: 'null'}`, `{x-kubernetes-int-or-string: true}`},
		"a resource that is a string":        {`{type: string, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`, `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`},
		"a resource of no fields":            {`{type: object, x-kubernetes-embedded-resource: true}`, `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`},
		"items that must be unique":          {`{type: array, uniqueItems: true, items: {type: string}}`, `{type: array, items: {type: string}}`},
		"a list without items":               {`{type: array, maxItems: 3}`, `{type: array, items: {x-kubernetes-int-or-string: true}, maxItems: 3}`},
		"a list of several items":            {`{type: array, items: [{type: string}, {type: integer}]}`, `{type: array, items: {x-kubernetes-int-or-string: true}}`},
		"a reference":                        {`{$ref: '#/a'}`, `{x-kubernetes-int-or-string: true}`},
		"a reference with a type":            {`{type: string, $ref: '#/a'}`, `{type: string}`},
		"an id":                              {`{type: string, id: a}`, `{type: string}`},
		"definitions":                        {`{type: string, definitions: {b: {type: string}}}`, `{type: string}`},
		"dependencies":                       {`{type: object, dependencies: {b: [c]}}`, `{type: object}`},
		"patternProperties":                  {`{type: object, patternProperties: {b: {type: string}}}`, `{type: object}`},
		"additionalItems":                    {`{type: array, items: {type: string}, additionalItems: {type: string}}`, `{type: array, items: {type: string}}`},
		"a mark that is false":               {`{type: object, x-kubernetes-preserve-unknown-fields: false}`, `{type: object}`},
		"fields and values":                  {`{type: object, properties: {b: {type: string}}, additionalProperties: {type: string}}`, `{type: object, properties: {b: {type: string}}}`},
		"an int-or-string that keeps fields": {`{x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true}`, `{x-kubernetes-int-or-string: true}`},
		"a pattern":                          {`{type: string, pattern: '['}`, `{type: string}`},
		"a list type of a string":            {`{type: string, x-kubernetes-list-type: atomic}`, `{type: string}`},
		"a list type in capitals":            {`{type: array, x-kubernetes-list-type: Atomic, items: {type: string}}`, `{type: array, x-kubernetes-list-type: atomic, items: {type: string}}`},
		"an unknown list type":               {`{type: array, x-kubernetes-list-type: bag, items: {type: string}}`, `{type: array, items: {type: string}}`},
		"a map type of a string":             {`{type: string, x-kubernetes-map-type: atomic}`, `{type: string}`},
		"a map type in capitals":             {`{type: object, x-kubernetes-map-type: GRANULAR}`, `{type: object, x-kubernetes-map-type: granular}`},
		"an unknown map type":                {`{type: object, x-kubernetes-map-type: bag}`, `{type: object}`},
		"a set of objects":                   {`{type: array, x-kubernetes-list-type: set, items: {type: object, properties: {b: {type: string}}}}`, `{type: array, x-kubernetes-list-type: set, items: {type: object, properties: {b: {type: string}}, x-kubernetes-map-type: atomic}}`},
		"a set of lists":                     {`{type: array, x-kubernetes-list-type: set, items: {type: array, x-kubernetes-list-type: set, items: {type: string}}}`, `{type: array, x-kubernetes-list-type: set, items: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}}`},
		"a map without keys":                 {`{type: array, x-kubernetes-list-type: map, items: {type: object}}`, `{type: array, items: {type: object}}`},
		"keys of no map":                     {`{type: array, x-kubernetes-list-map-keys: [b], items: {type: object, required: [b], properties: {b: {type: string}}}}`, `{type: array, items: {type: object, properties: {b: {type: string}}, required: [b]}}`},
		"a key that is not declared":         {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [c], items: {type: object, required: [b], properties: {b: {type: string}}}}`, `{type: array, items: {type: object, properties: {b: {type: string}}, required: [b]}}`},
		"a key twice":                        {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b, b], items: {type: object, required: [b], properties: {b: {type: string}}}}`, `{type: array, items: {type: object, properties: {b: {type: string}}, required: [b]}}`},
		"a key that is optional":             {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, properties: {b: {type: string}}}}`, `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, properties: {b: {type: string}}, required: [b]}}`},
		"a key that may be null":             {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, required: [b], properties: {b: {type: string, nullable: true}}}}`, `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, properties: {b: {type: string}}, required: [b]}}`},
		"a key that is an object":            {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, required: [b], properties: {b: {type: object}}}}`, `{type: array, items: {type: object, properties: {b: {x-kubernetes-int-or-string: true}}, required: [b]}}`},
		"keys of strings":                    {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: string}}`, `{type: array, items: {x-kubernetes-int-or-string: true}}`},
		"items of a map that may be null":    {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, nullable: true, required: [b], properties: {b: {type: string}}}}`, `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, properties: {b: {type: string}}, required: [b]}}`},
		"a map of several items":             {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: [{type: object}]}`, `{type: array, items: {x-kubernetes-int-or-string: true}}`},
		"a default of another type":          {`{type: string, default: 1}`, `{type: string}`},
		"a default that a parent counts on":  {`{type: object, default: {}, required: [b], properties: {b: {type: string, default: 1}}}`, `{type: object, properties: {b: {type: string}}}`},
		"a default of a key":                 {`{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, properties: {b: {type: string, default: 1}}}}`, `{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b], items: {type: object, properties: {b: {type: string}}, required: [b]}}`},
		"a type in a junctor":                {`{type: string, anyOf: [{type: string, minLength: 1}]}`, `{type: string, anyOf: [{minLength: 1}]}`},
		"an unknown type in a junctor":       {`{type: string, allOf: [{type: sting, minLength: 1}]}`, `{type: string, allOf: [{minLength: 1}]}`},
		"a default in not":                   {`{type: string, not: {default: b, minLength: 1}}`, `{type: string, not: {minLength: 1}}`},
		"items in a junctor":                 {`{type: array, items: {type: string}, oneOf: [{items: [{minLength: 1}]}]}`, `{type: array, items: {type: string}, oneOf: [{}]}`},
		"a list type in a junctor":           {`{type: array, items: {type: string}, oneOf: [{x-kubernetes-list-type: set, maxItems: 2}]}`, `{type: array, items: {type: string}, oneOf: [{maxItems: 2}]}`},
		"metadata in a resource's junctor":   {`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, anyOf: [{properties: {metadata: {minProperties: 1}}}]}`, `{type: object, anyOf: [{}], x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`},
		"a kind that is an object":           {`{type: object, x-kubernetes-embedded-resource: true, properties: {kind: {type: object}}}`, `{type: object, properties: {kind: {type: string}}, x-kubernetes-embedded-resource: true}`},
		"values of a resource":               {`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, additionalProperties: {type: string}}`, `{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}`},
		"a message of two lines":             {`{type: string, x-kubernetes-validations: [{rule: "true", message: "a\nb"}]}`, `{type: string, x-kubernetes-validations: [{message: message, rule: "true"}]}`},
		"an unknown reason":                  {`{type: string, x-kubernetes-validations: [{rule: "true", reason: Whim}]}`, `{type: string, x-kubernetes-validations: [{rule: "true"}]}`},
		"an empty rule":                      {`{type: string, x-kubernetes-validations: [{rule: " "}, {rule: "true", reason: Whim}]}`, `{type: string, x-kubernetes-validations: [{rule: "true"}, {rule: "true"}]}`},
		"a rule that does not compile":       {`{type: string, x-kubernetes-validations: [{rule: "self.b"}, {rule: "true"}]}`, `{type: string, x-kubernetes-validations: [{rule: self.b}, {rule: "true"}]}`},
		"an empty path":                      {`{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: "true", fieldPath: "  "}]}`, `{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: "true"}]}`},
		"a path that leads nowhere":          {`{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: "true", fieldPath: .c}]}`, `{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: "true"}]}`},
		"an empty expression":                {`{type: string, x-kubernetes-validations: [{rule: "true", messageExpression: " "}]}`, `{type: string, x-kubernetes-validations: [{rule: "true"}]}`},
		"an expression of a wrong type":      {`{type: string, x-kubernetes-validations: [{rule: "true", messageExpression: "1"}]}`, `{type: string, x-kubernetes-validations: [{messageExpression: "1", rule: "true"}]}`},
		"deep in a list of values":           {`{type: array, items: {type: object, additionalProperties: {type: sting}}}`, `{type: array, items: {type: object, additionalProperties: {x-kubernetes-int-or-string: true}}}`},
	} {
		d, err := inputs.CRD(t, strings.Replace(behind, "FIELD", test.field, 1)).Decode()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		verdict := apiserver.OnCreate(d.Hub, crd.V1)
		foreseen := apiserver.Foresee(d.Hub, crd.V1, verdict, apiserver.OnCreate)
		all := rows(append(verdict.Errors, foreseen.Errors...))
		if !strings.Contains(fmt.Sprint(all), "properties[x]") {
			t.Errorf("%s: there is no mistake: %v", name, all)
		}
		for _, row := range []string{"default-invalid at schema.openAPIV3Schema.properties[y].default", "cel-compile-error at schema.openAPIV3Schema.properties[z].x-kubernetes-validations[0].rule"} {
			if !all[row] {
				t.Errorf("%s: there is no %s among %v; %v is not judged", name, row, all, foreseen.Unjudged)
			}
		}
		for _, err := range apiserver.OnCreate(foreseen.Hub, crd.V1).Errors {
			if rule := apiserver.RuleOf(err); !strings.HasPrefix(rule, "cel-") { // behind those nothing hides
				t.Errorf("%s: what is left is rejected: %v", name, err)
			}
		}
		field := foreseen.Hub.Spec.Validation.OpenAPIV3Schema.Properties["x"]
		var left apiextensionsv1.JSONSchemaProps
		if err := apiextensionsv1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(&field, &left, nil); err != nil {
			t.Fatal(err)
		}
		got, err := yaml.Marshal(left)
		if err != nil {
			t.Fatal(err)
		}
		var want apiextensionsv1.JSONSchemaProps
		if err := yaml.UnmarshalStrict([]byte(test.left), &want); err != nil {
			t.Fatal(name, err)
		}
		wanted, err := yaml.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(wanted), string(got)); diff != "" {
			t.Errorf("%s: what is left of it is not as expected: %s", name, diff)
		}
	}
}

const behind = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: kettles.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Kettle, listKind: KettleList, plural: kettles, singular: kettle}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          x: FIELD
          "y": {type: string, default: 1}
          z: {type: string, x-kubernetes-validations: [{rule: self.steam}]}
`
