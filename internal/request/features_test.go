package request_test

const (
	status = ", subresources: {status: {}}"
	both   = ", subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}}"
)

// features are CRDs by what they use.
var features = map[string]string{
	"types": versionOne(`{type: object, required: [spec], properties: {spec: {type: object, required: [name], properties: {
		name: {type: string, minLength: 2, maxLength: 5, pattern: "^[a-z]+$"}, size: {type: integer, minimum: 1, maximum: 9, multipleOf: 2},
		share: {type: number, exclusiveMinimum: true, minimum: 0, maximum: 1}, is: {type: boolean}, kind: {type: string, enum: [a, b]},
		small: {type: integer, format: int32}, port: {x-kubernetes-int-or-string: true}, maybe: {type: string, nullable: true},
		list: {type: array, minItems: 1, maxItems: 2, items: {type: string, maxLength: 3}},
		map: {type: object, maxProperties: 2, minProperties: 1, additionalProperties: {type: integer, minimum: 1}}}}}}`),
	"formats": versionOne(`{type: object, properties: {spec: {type: object, properties: {
		time: {type: string, format: date-time}, ip: {type: string, format: ipv4}, mail: {type: string, format: email}, uuid: {type: string, format: uuid},
		link: {type: string, format: uri}, data: {type: string, format: byte}, unchecked: {type: string, format: quantity}, long: {type: integer, format: int64},
		single: {type: number, format: float}}}}}`),
	"nulls and defaults": versionOne(`{type: object, properties: {spec: {type: object, default: {}, required: [a], properties: {
		a: {type: string, default: x}, b: {type: string, nullable: true, default: y}, c: {type: string, nullable: true, enum: [z]}, d: {type: string},
		list: {type: array, items: {type: string, default: i}}, map: {type: object, additionalProperties: {type: string, default: v}},
		deep: {type: object, default: {p: 1}, properties: {p: {type: integer}, q: {type: integer, default: 2}}}}}}}`),
	"junctors": versionOne(`{type: object, properties: {spec: {type: object,
		anyOf: [{required: [a]}, {required: [b], properties: {b: {minLength: 2}}}], not: {required: [a, c]},
		properties: {a: {type: string, oneOf: [{pattern: "^x"}, {pattern: "y$"}]}, b: {type: string}, c: {type: integer, allOf: [{minimum: 3}, {maximum: 5, not: {enum: [4]}}]},
		d: {type: object, properties: {e: {type: array, items: {type: integer, anyOf: [{maximum: 1}, {minimum: 8, multipleOf: 2}]}}}, anyOf: [{properties: {e: {maxItems: 1}}}, {anyOf: [{properties: {e: {minItems: 3}}}, {required: [f]}]}]}}}}}`),
	"lists": versionOne(`{type: object, properties: {spec: {type: object, properties: {
		set: {type: array, x-kubernetes-list-type: set, items: {type: string, maxLength: 4}},
		map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer, maximum: 3}}}},
		two: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, l], items: {type: object, required: [k], properties: {k: {type: string}, l: {type: integer, default: 1}, v: {type: string, enum: [a]}}}},
		named: {type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: integer}}},
		atomic: {type: array, x-kubernetes-list-type: atomic, items: {type: string, maxLength: 2}}}}}}`),
	"preserved": versionOne(`{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {spec: {type: object, required: [name], properties: {
		name: {type: string, maxLength: 3}, free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: {b: {type: integer, maximum: 5}}}}},
		any: {x-kubernetes-preserve-unknown-fields: true}, open: {type: object, additionalProperties: true}}}}}`),
	"embedded": versionOne(`{type: object, properties: {spec: {type: object, properties: {
		one: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true},
		two: {type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: {type: string}, kind: {type: string, maxLength: 5}, metadata: {type: object}, spec: {type: object, properties: {a: {type: string}}}}},
		list: {type: array, items: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}},
		map: {type: object, additionalProperties: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}}}}}}`),
	"scale": versionOne(`{type: object, properties: {spec: {type: object, properties: {replicas: {type: integer, maximum: 100000}, more: {type: string}}},
		status: {type: object, properties: {replicas: {type: integer}, selector: {type: string, maxLength: 8}}}}}`, both),
	"untyped scale": versionOne(`{type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {replicas: {x-kubernetes-int-or-string: true}}},
		status: {type: object, properties: {replicas: {x-kubernetes-preserve-unknown-fields: true}, selector: {x-kubernetes-int-or-string: true}}}}}`, both),
	"status": versionOne(`{type: object, properties: {spec: {type: object, properties: {a: {type: string, maxLength: 2}}}, status: {type: object, required: [phase], default: {phase: New},
		properties: {phase: {type: string, enum: [New, Old]}, seen: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}}`, status),
	"rules": versionOne(`{type: object, x-kubernetes-validations: [{rule: "!has(self.spec) || self.metadata.name != 'a'"}], properties: {spec: {type: object,
		x-kubernetes-validations: [{rule: "!has(self.min) || !has(self.max) || self.min <= self.max", message: "too small", fieldPath: .max},
			{rule: "!has(self.max) || self.max < 5", message: "too small", reason: FieldValueForbidden}, {rule: "self.max > -5", message: "no max"},
			{rule: "!has(self.a) || self.a != 'text'", messageExpression: "'not ' + self.a", reason: FieldValueDuplicate}],
		properties: {min: {type: integer}, max: {type: integer, x-kubernetes-validations: [{rule: "self != 7"}, {rule: "self == oldSelf", message: immutable}]}, a: {type: string, maxLength: 9},
		map: {type: object, maxProperties: 5, additionalProperties: {type: object, x-kubernetes-validations: [{rule: "self.r < 3", messageExpression: "'r is ' + string(self.r)"}], properties: {r: {type: integer}}}},
		list: {type: array, maxItems: 5, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], x-kubernetes-validations: [{rule: "self.k != 'x'"}, {rule: "!has(self.v) || self.v >= oldSelf.v"},
			{rule: "!oldSelf.hasValue() || oldSelf.value().k == self.k", optionalOldSelf: true}], properties: {k: {type: string, maxLength: 9}, v: {type: integer}}}}}}}}`),
	"rules of status": versionOne(`{type: object, x-kubernetes-validations: [{rule: "!has(self.status) || self.status.m < self.spec.m"}], properties: {spec: {type: object, required: [m], properties: {m: {type: integer}, pod: {type: object, x-kubernetes-preserve-unknown-fields: true}},
		x-kubernetes-validations: [{rule: "self.m < 9"}]}, status: {type: object, required: [m], properties: {m: {type: integer, x-kubernetes-validations: [{rule: "self >= oldSelf"}]}}}}}`, status),
	"names": versionOne(`{type: object, properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 6, pattern: "^[a-z]+$"}}}}, x-kubernetes-validations: [{rule: "self.metadata.name.size() != 3"}]}`),
	"cluster": `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Test, plural: tests}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {a: {type: integer, default: 1}}}}}
`,
	"v1beta1": `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  version: v1
  validation: {openAPIV3Schema: {required: [spec], properties: {spec: {properties: {a: {type: string, maxLength: 3}, b: {anyOf: [{type: string}, {type: integer}]}, c: {additionalProperties: false, properties: {d: {}}}}}}}}
`,
	"v1beta1 structural": `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Test, plural: tests}
  version: v1
  preserveUnknownFields: false
  validation: {openAPIV3Schema: {type: object, required: [spec], properties: {spec: {type: object, properties: {a: {type: string, maxLength: 3, default: b}}}}}}
`,
	"no schema": `
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata: {name: tests.example.com}
spec: {group: example.com, scope: Namespaced, version: v1, names: {kind: Test, plural: tests}, subresources: {status: {}}}
`,
}
