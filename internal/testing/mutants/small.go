package mutants

import "strings"

// Small are small CRDs in YAML, by what makes each another one, which have a schema at every kind of place. Servers of their
// versions accept them.
func Small() map[string]string {
	version := func(fields ...string) string { return strings.Join(fields, ", ") }
	const first, second = "name: v1, served: true, storage: true", "name: v2, served: true, storage: false, deprecated: true, deprecationWarning: old"
	const columns = "additionalPrinterColumns: [{name: A, type: string, description: a, format: byte, priority: 1, %: .spec.name}]"
	const subresources = "subresources: {status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count, labelSelectorPath: .status.name}}"
	path := func(name string) string { return strings.ReplaceAll(columns, "%", name) }
	schema := func(root string) string { return "{openAPIV3Schema: " + root + "}" }
	versions := func(all ...string) string { return "\n  versions: [{" + strings.Join(all, "}, {") + "}]" }
	return map[string]string{
		"v1": head("v1", `
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: a, namespace: b, path: /c, port: 443}}}}`+
			versions(version(first, "schema: "+schema(everything), path("jsonPath"), subresources, "selectableFields: [{jsonPath: .spec.name}]"),
				version(second, "schema: "+schema(little)))),
		"v1 with rules": head("v1", versions(version(first, "schema: "+schema(ruledRoot)))),
		"v1beta1 that prunes": head("v1beta1", `
  preserveUnknownFields: false
  conversion: {strategy: Webhook, conversionReviewVersions: [v1], webhookClientConfig: {service: {name: a, namespace: b, path: /c, port: 443}}}
  `+subresources+"\n  "+path("JSONPath")+"\n  validation: "+schema(structural)+versions(first, second)),
		"v1beta1 by version": head("v1beta1", "\n  preserveUnknownFields: false"+
			versions(version(first, "schema: "+schema(structural), path("JSONPath"), subresources), version(second, "schema: "+schema(little)))),
		"v1beta1 that keeps unknown fields": head("v1beta1", "\n  version: v1\n  validation: "+schema(plain("type: object, "))),
		"v1beta1 without a type":            head("v1beta1", "\n  version: v1\n  "+subresources+"\n  validation: "+schema(plain(""))),
		"v1beta1 by version, without types": head("v1beta1", versions(version(first, "schema: "+schema(plain(""))), version(second, "schema: {openAPIV3Schema: {properties: {spec: {type: object}}}}"))),
		"v1beta1 without a schema":          head("v1beta1", versions(first, second)),
	}
}

func head(version, rest string) string {
	return "apiVersion: apiextensions.k8s.io/" + version + `
kind: CustomResourceDefinition
metadata: {name: widgets.example.com, labels: {a: b}, annotations: {a: b}, finalizers: [example.com/a]}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [w], categories: [all]}` + rest + `
status: {acceptedNames: {plural: widgets, kind: Widget}, conditions: [{type: Established, status: "True"}], storedVersions: [v1]}
`
}

const little = `{type: object, description: little, properties: {spec: {type: object, properties: {name: {type: string}}}}}`

// plain is a schema without extensions, whose root has other keywords than the rest.
func plain(root string) string {
	return "{" + root + `properties: {
    metadata: {type: object, properties: {name: {type: string, maxLength: 10}}},
    spec: {type: object, required: [name], anyOf: [{required: [name]}], oneOf: [{required: [name]}], allOf: [{properties: {name: {minLength: 1}}}], not: {required: [zz]}, properties: {
      name: {type: string}, count: {type: integer, minimum: 1}, list: {type: array, items: {type: object, properties: {name: {type: string}}}},
      map: {type: object, additionalProperties: {type: object, properties: {name: {type: string}}}}, inner: {type: object, properties: {b: {type: string}}}}}}}`
}

// structural is a schema with the extensions that v1beta1 has.
const structural = `{type: object, properties: {
    metadata: {type: object, properties: {name: {type: string, maxLength: 10}}},
    status: {type: object, properties: {count: {type: integer}, name: {type: string}}},
    spec: {type: object, required: [name], anyOf: [{required: [name]}], oneOf: [{required: [name]}], allOf: [{properties: {name: {minLength: 1}}}], not: {required: [zz]}, properties: {
      name: {type: string}, count: {type: integer, minimum: 1}, port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]},
      list: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, inner: {type: object}}}},
      set: {type: array, x-kubernetes-list-type: set, items: {type: string}}, any: {x-kubernetes-preserve-unknown-fields: true},
      map: {type: object, additionalProperties: {type: object, x-kubernetes-map-type: atomic, properties: {name: {type: string}}}}, inner: {type: object, properties: {b: {type: string}}},
      pod: {type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object}, a: {type: string}}}}}}}`

// everything is structural with defaults, which only v1 takes.
var everything = strings.NewReplacer(
	"count: {type: integer, minimum: 1}", "count: {type: integer, minimum: 1, default: 2}",
	"inner: {type: object, properties: {b: {type: string}}}", "inner: {type: object, default: {b: x}, properties: {b: {type: string, maxLength: 5}}}",
).Replace(structural)

// ruledRoot is a schema with CEL rules. It is small, as these take most of the time.
const ruledRoot = `{type: object, properties: {spec: {type: object, properties: {
      name: {type: string, maxLength: 5, x-kubernetes-validations: [{rule: "self != 'y'"}]},
      inner: {type: object, default: {b: x}, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: "self.b != ''", message: m, messageExpression: "self.b", reason: FieldValueInvalid, fieldPath: .b}]}}}}}`
