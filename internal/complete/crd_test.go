package complete

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/skeleton"
)

// definition is the beginning of a CRD, up to the name of its version.
const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: beds.garden.example.com
spec:
  group: garden.example.com
  names:
    kind: Bed
    plural: beds
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
`

// schemas is the beginning of a CRD, up to the properties of its spec.
const schemas = definition + `    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
`

// labels are those of items as a client orders them, on one line.
func labels(items []Item) string {
	var all []string
	for _, i := range Sorted(items) {
		all = append(all, i.Label)
	}
	return strings.Join(all, " ")
}

// TestCRDs shows what is offered to somebody who writes a CRD.
func TestCRDs(t *testing.T) {
	crds := garden(t)
	const any = "anyOf allOf oneOf not title example externalDocs"
	tests := []struct {
		name, text string
		want       string // labels
	}{
		{"the fields of a CRD", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n‸", "metadata spec"},
		{"the apiVersion of a CRD", "apiVersion: ‸\nkind: CustomResourceDefinition\n", "apiextensions.k8s.io/v1"},
		{"the kind of a CRD", "apiVersion: apiextensions.k8s.io/v1\nkind: ‸\n", "CustomResourceDefinition"},
		{"the kind of something else", "apiVersion: v1\nkind: ‸\n", ""},
		{"its metadata", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  ‸\n", "name labels annotations"},
		{"its name", strings.Replace(definition, "beds.garden.example.com", "‸", 1), "beds.garden.example.com"},
		{"its group", strings.Replace(definition, "group: garden.example.com", "group: ‸", 1), "garden.example.com"},
		{"its plural", strings.Replace(definition, "plural: beds", "plural: ‸", 1), "beds"},
		{"names", strings.Replace(definition, "    plural: beds\n", "    plural: beds\n    ‸\n", 1), "singular shortNames categories listKind"},
		{"a kind is not one of the workspace", strings.Replace(definition, "kind: Bed", "kind: ‸", 1), ""},
		{"what follows from the kind", strings.Replace(definition, "    plural: beds\n", "    listKind: ‸\n", 1), "BedList"},
		{"what follows from the kind, too", strings.Replace(definition, "    plural: beds\n", "    singular: ‸\n", 1), "bed"},
		{"scopes", strings.Replace(definition, "scope: Namespaced", "scope: ‸", 1), "Namespaced Cluster"},
		{"a spec", definition + "  ‸\n", "name served storage deprecated conversion schema subresources additionalPrinterColumns selectableFields"},
		{"a version", definition + "    ‸\n", "deprecated schema subresources additionalPrinterColumns selectableFields"},
		{"a deprecated version", definition + "    deprecated: true\n    schema: {}\n    subresources: {}\n    ‸\n", "deprecationWarning additionalPrinterColumns selectableFields"},
		{"a boolean", definition + "    deprecated: ‸\n", "true false"},
		{"a second version", definition + "  - name: ‸\n", "v1beta1 v1alpha1"},
		{"a second version that is not stored", definition + "  - name: v2\n    storage: ‸\n", "false"},
		{"the stored version", strings.Replace(definition, "storage: true", "storage: ‸", 1), "true"},
		{"a conversion", definition + "  conversion:\n    ‸\n", "strategy"},
		{"a strategy", definition + "  conversion:\n    strategy: ‸\n", "None Webhook"},
		{"a conversion by nobody", definition + "  conversion:\n    strategy: None\n    ‸\n", ""},
		{"a conversion by a webhook", definition + "  conversion:\n    strategy: Webhook\n    ‸\n", "webhook"},
		{"a client", definition + "  conversion:\n    strategy: Webhook\n    webhook:\n      clientConfig:\n        ‸\n", "service url caBundle"},
		{"a client with a service", definition + "  conversion:\n    strategy: Webhook\n    webhook:\n      clientConfig:\n        service: {}\n        ‸\n", "caBundle"},
		{"a client with a URL", definition + "  conversion:\n    strategy: Webhook\n    webhook:\n      clientConfig:\n        url: x\n        ‸\n", "caBundle"},
		{"versions of a review", definition + "  conversion:\n    strategy: Webhook\n    webhook:\n      conversionReviewVersions: [v1, ‸]\n", "v1beta1"},
		{"subresources", definition + "    subresources:\n      ‸\n", "status scale"},
		{"a validation", definition + "    schema:\n      ‸\n", "openAPIV3Schema"},
		{"the root of a schema", definition + "    schema:\n      openAPIV3Schema:\n        ‸\n",
			"type description properties required items enum format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties x-kubernetes-validations x-kubernetes-list-type x-kubernetes-map-type x-kubernetes-preserve-unknown-fields " + any},
		{"the type of a root", definition + "    schema:\n      openAPIV3Schema:\n        type: ‸\n", "object"},
		{"properties of a root", definition + "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          ‸\n", "apiVersion kind metadata spec status"},
		{"the type of a kind", definition + "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          kind:\n            type: ‸\n", "string"},
		{"metadata of a root", definition + "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          metadata:\n            ‸\n", "type properties"},
		{"names in metadata of a root", definition + "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          metadata:\n            properties:\n              ‸\n", "name generateName"},
		{"an object", schemas + "              a:\n                type: object\n                ‸\n",
			"description properties required default additionalProperties minProperties maxProperties nullable x-kubernetes-validations x-kubernetes-map-type x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource " + any},
		{"a map", schemas + "              a:\n                type: object\n                additionalProperties: {type: string}\n                ‸\n",
			"description required default minProperties maxProperties nullable x-kubernetes-validations x-kubernetes-map-type x-kubernetes-preserve-unknown-fields " + any},
		{"a text", schemas + "              a:\n                type: string\n                ‸\n",
			"description enum default format pattern minLength maxLength nullable x-kubernetes-validations x-kubernetes-preserve-unknown-fields " + any},
		{"a kind of another object", schemas + "              kind:\n                type: boolean\n                ‸\n",
			"description enum default nullable x-kubernetes-validations x-kubernetes-preserve-unknown-fields " + any},
		{"the kind of the object", definition + "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          kind:\n            type: boolean\n            ‸\n",
			"description enum nullable x-kubernetes-validations x-kubernetes-preserve-unknown-fields " + any},
		{"an item of a set", schemas + "              a:\n                x-kubernetes-list-type: set\n                items:\n                  type: boolean\n                  ‸\n",
			"description enum default x-kubernetes-validations x-kubernetes-preserve-unknown-fields " + any},
		{"a key of a list", schemas + "              a:\n                x-kubernetes-list-map-keys: [b]\n                items:\n                  properties:\n                    b:\n                      type: boolean\n                      ‸\n",
			"description enum default x-kubernetes-validations x-kubernetes-preserve-unknown-fields " + any},
		{"no key of a list", schemas + "              a:\n                x-kubernetes-list-map-keys: [b]\n                items:\n                  properties:\n                    c:\n                      type: boolean\n                      ‸\n",
			"description enum default nullable x-kubernetes-validations x-kubernetes-preserve-unknown-fields " + any},
		{"a number or a text", schemas + "              a:\n                x-kubernetes-int-or-string: true\n                ‸\n",
			"description enum default format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf nullable x-kubernetes-validations " + any},
		{"a list of a map's items", schemas + "              a:\n                type: array\n                x-kubernetes-list-type: map\n                ‸\n",
			"description items default minItems maxItems nullable x-kubernetes-validations x-kubernetes-list-map-keys x-kubernetes-preserve-unknown-fields " + any},
		{"a junctor", schemas + "              a: {type: string}\n            anyOf:\n            - ‸\n", "properties required minProperties maxProperties anyOf allOf oneOf not example externalDocs"},
		{"properties of a junctor", schemas + "              a: {type: string}\n            anyOf:\n            - properties:\n                ‸\n", "a"},
		{"a property of a junctor", schemas + "              a: {type: string}\n            anyOf:\n            - properties:\n                a:\n                  ‸\n",
			"enum format pattern minLength maxLength anyOf allOf oneOf not example externalDocs"},
		{"what a junctor requires", schemas + "              a: {type: string}\n              b: {type: string}\n            not:\n              required: [a, ‸]\n", "b"},
		{"items of a junctor", schemas + "              a: {type: array, items: {type: string}}\n            not:\n              properties:\n                a:\n                  items:\n                    m‸\n",
			"enum format pattern minLength maxLength anyOf allOf oneOf not example externalDocs"},
		{"values of a map in a junctor have no schema", schemas + "              a: {type: object, additionalProperties: {type: string}}\n            not:\n              properties:\n                a:\n                  ‸\n",
			"required minProperties maxProperties anyOf allOf oneOf not example externalDocs"},
		{"a branch of a number or a text", schemas + "              a:\n                x-kubernetes-int-or-string: true\n                anyOf:\n                - ‸\n",
			"type enum format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf anyOf allOf oneOf not example externalDocs"},
		{"its first type", schemas + "              a:\n                x-kubernetes-int-or-string: true\n                anyOf:\n                - type: ‸\n", "integer"},
		{"its second type", schemas + "              a:\n                x-kubernetes-int-or-string: true\n                anyOf:\n                - type: integer\n                - type: ‸\n", "string"},
		{"nothing beside its type", schemas + "              a:\n                x-kubernetes-int-or-string: true\n                anyOf:\n                - type: integer\n                  ‸\n", ""},
		{"no type in another junctor", schemas + "              a:\n                type: string\n                not:\n                  type: ‸\n", ""},
		{"types", schemas + "              a:\n                type: ‸\n", "string object array integer boolean number"},
		{"formats of an integer", schemas + "              a:\n                type: integer\n                format: ‸\n", "int32 int64"},
		{"list types of objects", schemas + "              a:\n                type: array\n                x-kubernetes-list-type: ‸\n                items: {type: object}\n", "map atomic"},
		{"list types of texts", schemas + "              a:\n                type: array\n                x-kubernetes-list-type: ‸\n                items: {type: string}\n", "set atomic"},
		{"list types of lists", schemas + "              a:\n                type: array\n                x-kubernetes-list-type: ‸\n                items: {type: array}\n", "atomic"},
		{"list types of what may be null", schemas + "              a:\n                type: array\n                x-kubernetes-list-type: ‸\n                items: {type: string, nullable: true}\n", "atomic"},
		{"list types of what has keys", schemas + "              a:\n                type: array\n                x-kubernetes-list-map-keys: [a]\n                x-kubernetes-list-type: ‸\n", "map"},
		{"list types of nothing yet", schemas + "              a:\n                type: array\n                x-kubernetes-list-type: ‸\n", "atomic set map"},
		{"list types in a set", schemas + "              a:\n                type: array\n                x-kubernetes-list-type: set\n                items:\n                  x-kubernetes-list-type: ‸\n", "atomic"},
		{"keys of a list", schemas + "              a:\n                type: array\n                x-kubernetes-list-map-keys:\n                - name\n                - ‸\n                items:\n                  properties:\n                    name: {type: string}\n                    port: {type: integer}\n                    tags: {type: array}\n                    other: {type: object}\n", "port"},
		{"required fields", schemas + "              a: {type: string}\n              b: {type: string}\n            required:\n            - ‸\n", "a b"},
		{"fields that are required", schemas + "              a: {type: string}\n              ‸\n            required: [a, b, c]\n", "b c"},
		{"a default of an enum", schemas + "              a:\n                type: string\n                enum: [x, \"1\"]\n                default: ‸\n", "x 1"},
		{"a default of a boolean", schemas + "              a:\n                type: boolean\n                default: ‸\n", "false true"},
		{"an object in a default", schemas + "              a:\n                type: object\n                default:\n                  apiVersion: garden.example.com/v1\n                  kind: Bed\n                  ‸\n", "metadata spec status"},
		{"columns", schemas + "              a: {type: integer}\n              b: {type: string, format: date-time}\n              c: {type: object}\n              d-e: {type: string}\n    additionalPrinterColumns:\n    - name: A\n      jsonPath: ‸\n",
			".spec.a .spec.b .metadata.creationTimestamp"},
		{"columns of a type", schemas + "              a: {type: integer}\n              b: {type: string, format: date-time}\n    additionalPrinterColumns:\n    - name: A\n      type: date\n      jsonPath: ‸\n",
			".spec.b .metadata.creationTimestamp .spec.a"},
		{"types of columns", schemas + "    additionalPrinterColumns:\n    - type: ‸\n", "string integer number boolean date"},
		{"selectable fields", schemas + "              a: {type: integer}\n              b: {type: number}\n              c: {x-kubernetes-int-or-string: true}\n    selectableFields:\n    - jsonPath: ‸\n", ".spec.a"},
		{"further selectable fields", schemas + "              a: {type: integer}\n              b: {type: boolean}\n    selectableFields:\n    - jsonPath: .spec.a\n    - jsonPath: ‸\n", ".spec.b"},
		{"whether to keep unknown fields", definition + "  preserveUnknownFields: ‸\n", "false"},
		{"replicas of a spec", schemas + "              a: {type: integer}\n              b: {type: string}\n          status: {type: object, properties: {c: {type: integer}}}\n    subresources:\n      scale:\n        specReplicasPath: ‸\n", ".spec.a"},
		{"replicas of a status", schemas + "              a: {type: integer}\n          status: {type: object, properties: {c: {type: integer}}}\n    subresources:\n      scale:\n        statusReplicasPath: ‸\n", ".status.c"},
		{"a selector", schemas + "              a: {type: integer}\n              b: {type: string}\n          status: {type: object, properties: {c: {type: string}}}\n    subresources:\n      scale:\n        labelSelectorPath: ‸\n", ".spec.b .status.c"},
		{"reasons", schemas + "              a: {type: integer}\n            x-kubernetes-validations:\n            - reason: ‸\n", "FieldValueInvalid FieldValueForbidden FieldValueRequired FieldValueDuplicate"},
		{"paths of a rule", schemas + "              a: {type: object, properties: {b: {type: string}}}\n            x-kubernetes-validations:\n            - fieldPath: ‸\n", ".a .a.b"},
		{"columns of all versions", beta + "  additionalPrinterColumns:\n  - JSONPath: ‸\n  validation:\n    openAPIV3Schema: {properties: {spec: {properties: {a: {type: string}}}}}\n", ".spec.a .metadata.creationTimestamp"},
		{"a spec of v1beta1", beta + "  ‸\n", "group names scope versions conversion validation subresources additionalPrinterColumns preserveUnknownFields"},
		{"a spec of v1beta1 with versions", beta + "  versions:\n  - schema: {}\n  - additionalPrinterColumns: []\n  ‸\n", "group name names served scope storage deprecated conversion subresources preserveUnknownFields"},
		{"a version of v1beta1", beta + "  versions:\n  - name: v1\n    ‸\n", "served storage deprecated"},
		{"a schema of v1beta1", beta + "  validation:\n    openAPIV3Schema:\n      properties:\n        a:\n          type: boolean\n          ‸\n", "description enum nullable x-kubernetes-preserve-unknown-fields " + any},
		{"a CRD in a list", "kind: List\nitems:\n- apiVersion: apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n  spec:\n    scope: ‸\n", "Namespaced Cluster"},
		{"what is rejected as a whole", schemas + "              a:\n                definitions:\n                  ‸\n", ""},
		{"a comment", definition + "    # ‸\n", ""},
		{"what no server knows", definition + "    unknown:\n      ‸\n", ""},
		{"a list where an object belongs", definition + "    schema:\n    - ‸\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, offset := at(t, test.text, crds)
			if got := labels(text.At(offset)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// beta is the beginning of a CRD of v1beta1.
const beta = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec:\n"

// TestExpressions shows what is offered in a rule about a spec.
func TestExpressions(t *testing.T) {
	const spec = schemas + `              size: {type: integer, description: "How large it is.\n\nIn metres."}
              in-namespace: {type: string}
              namespace: {type: string}
              port: {x-kubernetes-int-or-string: true}
              anything: {x-kubernetes-preserve-unknown-fields: true}
              all: {type: array, items: {x-kubernetes-preserve-unknown-fields: true}}
              plants: {type: array, items: {type: object, properties: {name: {type: string}}}}
              beds: {type: object, additionalProperties: {type: object, properties: {width: {type: integer}}}}
              template: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object}, data: {type: string}}}
            x-kubernetes-validations:
`
	const all = "__namespace__ beds in__dash__namespace plants port size template"
	tests := []struct{ name, text, want string }{
		{"the fields of a value", "            - rule: self.‸\n", all},
		{"the fields before a change", "            - rule: oldSelf.‸\n", all},
		{"a word", "            - rule: self.si‸ze > 1\n", all},
		{"a rule in quotes", "            - rule: \"has(self.‸)\"\n", all},
		{"a rule in lines of its own", "            - rule: |\n                self.size > 1 &&\n                self.‸\n", all},
		{"a message", "            - messageExpression: '\"is \" + self.‸'\n", all},
		{"a field that may be absent", "            - rule: self.?‸\n", all},
		{"an item", "            - rule: self.plants[self.plants[0].size].‸\n", "name"},
		{"a value of a map", "            - rule: self.beds['a'].w‸\n", "width"},
		{"an object in the value", "            - rule: self.template.‸\n", "apiVersion data kind metadata"},
		{"its metadata", "            - rule: self.template.metadata.‸\n", "generateName name"},
		{"a number", "            - rule: self.size.‸\n", ""},
		{"an escaped name", "            - rule: self.__namespace__.‸\n", ""},
		{"what there is not", "            - rule: self.nothing.‸\n", ""},
		{"another variable", "            - rule: myself.‸\n", ""},
		{"a field called self", "            - rule: self.self.‸\n", ""},
		{"a call", "            - rule: self.plants.filter(p, true).‸\n", ""},
		{"a bracket that does not open", "            - rule: x].‸\n", ""},
		{"no field", "            - rule: ‸\n", ""},
		{"a message that is no expression", "            - message: self.‸\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, offset := at(t, spec+test.text, garden(t))
			if got := labels(text.At(offset)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
	text, offset := at(t, spec+"            - rule: oldSelf.si‸ze == self.size\n", garden(t))
	for _, item := range text.At(offset) {
		if got := string(text.Source[item.Start:item.End]); got != "size" {
			t.Errorf("%s replaces %q", item.Label, got)
		}
		if item.Label == "size" && (item.Doc != "How large it is." || item.Detail != "integer") {
			t.Errorf("%+v", item)
		}
	}
}

// TestExpressionsOfWholeObjects knows what every object has.
func TestExpressionsOfWholeObjects(t *testing.T) {
	const root = definition + "    schema:\n      openAPIV3Schema:\n        type: object\n        properties: {metadata: {type: object}, spec: {type: object}}\n        x-kubernetes-validations:\n        - rule: "
	for expression, want := range map[string]string{"self.": "apiVersion kind metadata spec", "self.metadata.": "generateName name", "self.kind.": "", "self.metadata.name.": ""} {
		text, offset := at(t, root+expression+"‸\n", garden(t))
		if got := labels(text.At(offset)); got != want {
			t.Errorf("%s: %s", expression, got)
		}
	}
}

// TestNotesOfCRDs shows what is said of what is written in a CRD.
func TestNotesOfCRDs(t *testing.T) {
	const task = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition"
	tests := []struct{ name, text, want string }{
		{"a field", strings.Replace(definition, "scope: Nam", "sco‸pe: Nam", 1),
			"**scope** string, required\n\nWhether each object belongs to a namespace, or to the cluster as a whole. It cannot be changed.\n\nhttps://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/#CustomResourceDefinitionSpec"},
		{"its value", strings.Replace(definition, "served: true", "served: tr‸ue", 1), "**served** boolean, required\n\nWhether the server answers requests for the version.\n\n" + task + "-versioning/"},
		{"the kind of all CRDs", strings.Replace(definition, "kind: Custom", "kind: Cus‸tom", 1), "**kind** string, required\n\nSays that this is the definition of a kind.\n\nhttps://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/"},
		{"a keyword", schemas + "              a:\n                x-kuber‸netes-list-type: set\n",
			"**x-kubernetes-list-type** string\n\nHow server-side apply merges a list: as a whole (atomic), by its values (set), or by keys of its items (map).\n\nhttps://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy"},
		{"a keyword with a schema", schemas + "              a:\n                ite‸ms: {type: string}\n", "**items** schema\n\nThe schema of each item of a list.\n\n" + task + "s/#specifying-a-structural-schema"},
		{"an item", schemas + "              a: {type: string}\n            required: [a‸]\n",
			"**required** array\n\nThe fields that an object has to have.\n\nhttps://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/#JSONSchemaProps"},
		{"a value in a default", schemas + "              a:\n                type: object\n                default: {x: {y: z‸}}\n",
			"**default** any\n\nThe value that the server writes where there is none.\n\n" + task + "s/#defaulting"},
		{"a property", schemas + "              si‸ze:\n                description: How large it is.\n                type: integer\n                minimum: 1\n                default: 3\n            required: [size]\n",
			"**size** integer, at least 1, default 3, required\n\nHow large it is."},
		{"a property in braces", schemas + "              si‸ze: {x-kubernetes-int-or-string: true}\n", "**size** integer or string"},
		{"a list of properties", schemas + "              si‸ze:\n                type: array\n                items:\n                  type: object\n                  properties: {a: {type: string}}\n", "**size** array of object"},
		{"a property that cannot be read", schemas + "              si‸ze: {type: [}\n", ""},
		{"a field that no server knows", definition + "    unk‸nown: 1\n", ""},
		{"below a field that no server knows", definition + "    unknown: {a: b‸}\n", ""},
		{"a label", strings.Replace(definition, "metadata:\n", "metadata:\n  labels: {a: b‸}\n", 1), "**labels** object\n\nNames and values by which objects are found.\n\nhttps://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"},
		{"an object in a default", schemas + "              a:\n                default: {apiVersion: garden.example.com/v1, kind: Bed, spec: {so‸il: clay}}\n", "**spec.soil** string, one of"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, offset := at(t, test.text, garden(t))
			got := ""
			if note := text.NoteAt(offset); note != nil {
				got = note.Text
			}
			if got != test.want && (test.want == "" || !strings.HasPrefix(got, test.want)) {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestFieldsOfCRDs keeps a sentence for each field that the server has, and no others.
func TestFieldsOfCRDs(t *testing.T) {
	seen := map[string]bool{}
	known := func(of, name string) bool {
		return slices.ContainsFunc(fieldsOf()[of], func(f *crdField) bool { return f.name == name })
	}
	var visit func(p *part)
	visit = func(p *part) {
		switch {
		case p.of == nil || seen[p.of.String()]:
			return
		case p.is() == "array" || p.is() == "object" && p.name() == "":
			visit(p.under(""))
			return
		case p.is() != "object":
			return
		}
		seen[p.of.String()] = true
		for name := range request.FieldsOf(p.of) {
			if name == "" || p.name() == "ObjectMeta" { // those of every object
				continue
			}
			if !known(p.name(), name) {
				t.Errorf("%s.%s has no sentence", p.name(), name)
			}
			if name != "status" || p.in != nil {
				visit(p.under(name))
			}
		}
	}
	for _, of := range crdTypes {
		visit(&part{node: &skeleton.Node{}, of: of})
	}
	for of := range fieldsOf() {
		if !seen["v1."+of] && !seen["v1beta1."+of] {
			t.Errorf("no server has %s", of)
		}
	}
}

// TestKeywords are told from fields by their icons.
func TestKeywords(t *testing.T) {
	for text, want := range map[string]Kind{definition + "    ‸\n": Field, schemas + "              a:\n                ‸\n": Keyword} {
		now, offset := at(t, text, garden(t))
		for _, item := range now.At(offset) {
			if item.Kind != want || item.Doc == "" || item.Detail == "" {
				t.Errorf("%+v", item)
			}
		}
	}
}

// TestNewCRD writes a CRD that the server takes, once the names are there.
func TestNewCRD(t *testing.T) {
	text, offset := at(t, "‸", garden(t))
	for _, item := range text.At(offset) {
		if item.Label != "CustomResourceDefinition" {
			continue
		}
		names := map[string]string{"${1}": "sheds.garden.example.com", "${2}": "garden.example.com", "${3}": "Shed", "${4}": "sheds"}
		written := stops.ReplaceAllStringFunc(item.Snippet, func(stop string) string {
			if name := names[stop]; name != "" {
				return name
			}
			return smallest(Item{Insert: stop})
		})
		if errs, ok := judged(written); !ok || len(errs) > 0 {
			t.Errorf("%v\n%s", errs, written)
		}
		if want := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"; item.Insert != want {
			t.Errorf("without snippets: %q", item.Insert)
		}
		return
	}
	t.Error("no CRD is offered")
}

// TestCRDsThatAreTyped asks at every place of CRDs, as they are and as far as they are written, whatever they are by then.
func TestCRDsThatAreTyped(t *testing.T) {
	t.Parallel()
	crds := garden(t)
	for _, name := range []string{"testdata/whole.yaml", "testdata/old.yaml"} {
		src := readFile(t, name)
		for _, lists := range [][]byte{src, bytes.ReplaceAll(src, []byte(":\n"), []byte(":\n- ")), bytes.ReplaceAll(src, []byte("- "), []byte("  "))} {
			for offset := 0; offset <= len(lists); offset += 5 {
				for _, now := range [][]byte{lists, lists[:offset]} {
					text := &Text{Source: now, CRDs: crds}
					for _, item := range text.At(offset) {
						if item.Start > offset || item.End < offset || item.Insert == "" {
							t.Fatalf("%s at %d: %+v", name, offset, item)
						}
					}
					text.NoteAt(offset)
				}
			}
		}
	}
}
