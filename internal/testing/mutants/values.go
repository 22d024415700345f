package mutants

// What mutations put in, in JSON.

var metadataValues = []string{
	`{"labels":{"a b":"x"}}`, `{"labels":{"a":"x y"}}`, `{"labels":{"ok":"ok"}}`, `{"labels":{"a":null}}`, `{"labels":{"a":1}}`,
	`{"annotations":{"a b":"x"}}`, `{"annotations":{"api-approved.kubernetes.io":"no"}}`,
	`{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"1"}]}`,
	`{"ownerReferences":[{"apiVersion":"a/b/c","kind":"","name":"","uid":""}]}`, `{"ownerReferences":[{}]}`,
	`{"ownerReferences":[{"apiVersion":"v1","kind":"Event","name":"a","uid":"1"}]}`,
	`{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"1","controller":true},{"apiVersion":"v1","kind":"Pod","name":"b","uid":"2","controller":true}]}`,
	`{"finalizers":["a b"]}`, `{"finalizers":["orphan","foregroundDeletion"]}`, `{"finalizers":["example.com/ok"]}`, `{"finalizers":["plain"]}`,
	`{"managedFields":[{"manager":"x","operation":"Delete","fieldsType":"v2"}]}`, `{"managedFields":[{}]}`,
	`{"managedFields":[{"manager":"x","operation":"Apply","apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}]}`,
	`{"managedFields":[{"manager":"a\nb","operation":"Apply","subresource":"` + longName + `"}]}`,
	`{"managedFields":[{"operation":"Apply","subresource":1}]}`, `{"managedFields":[{"operation":"Apply","manager":"` + longName + `"}]}`,
	`{"generateName":"x-"}`, `{"generateName":"x-","name":""}`, `{"namespace":"x"}`, `{"generation":-1}`, `{"generation":"1"}`,
	`{"clusterName":"A_B"}`, `{"clusterName":5}`, `{"clusterName":null}`, `{"selfLink":5}`, `{"uid":"x","resourceVersion":"1"}`,
	`{"creationTimestamp":"yesterday"}`, `{"creationTimestamp":null}`, `{"deletionTimestamp":"2020-01-01T00:00:00Z","deletionGracePeriodSeconds":-1}`,
}

const longName = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" +
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

var clientConfigs = []string{
	`{"service":{"name":"a","namespace":"b"}}`, `{"service":{"name":"a","namespace":"b","path":"/convert/v1/","port":8443}}`,
	`{"service":{"name":""}}`, `{"service":{"name":"a"}}`, `{"service":{"namespace":"b"}}`, `{"service":{"name":"a","namespace":"b","port":0}}`,
	`{"service":{"name":"a","namespace":"b","port":65536}}`, `{"service":{"name":"a","namespace":"b","port":null}}`,
	`{"service":{"name":"a","namespace":"b","path":"//"}}`, `{"service":{"name":"a","namespace":"b","path":"convert"}}`,
	`{"service":{"name":"a","namespace":"b","path":"/a//b"}}`, `{"service":{"name":"a","namespace":"b","path":"/crd_convert"}}`,
	`{"service":{"name":"a","namespace":"b","path":""}}`, `{"service":{"name":"a","namespace":"b","path":"/"}}`,
	`{"url":"https://example.com/convert"}`, `{"url":"http://example.com"}`, `{"url":"https:///x"}`, `{"url":"https://u:p@example.com"}`,
	`{"url":"https://example.com/#a"}`, `{"url":"https://example.com/?q=1"}`, `{"url":"https://[::1"}`, `{"url":""}`, `{"url":"%zz"}`,
	`{"url":"https://example.com","service":{"name":"a","namespace":"b"}}`, `{}`, `{"caBundle":"Cg=="}`,
	`{"url":"https://example.com","caBundle":"<CA>"}`, `{"url":"https://example.com","caBundle":"Cg=="}`,
	`{"url":"https://example.com","caBundle":[10]}`, `{"url":"https://example.com","caBundle":"Cg=\n="}`, `{"url":"https://example.com","caBundle":""}`,
}

var columns = []string{
	`[]`, `[{"name":"A","type":"string","JSONPath":".spec.a"}]`, `[{"name":"A","type":"string","JSONPath":".spec.a","format":"int32","priority":1}]`,
	`[{}]`, `[{"name":"A","type":"any","format":"int","JSONPath":"spec.a"}]`, `[{"name":"A","type":"date","jsonPath":".spec.a"}]`,
	`[{"name":"A","type":"string","JSONPath":"."}]`, `[{"name":"A","type":"string","JSONPath":".a","priority":2147483648}]`, `[null]`,
	`[{"name":"A","type":"string","JSONPath":".a","Format":5}]`,
}

var subresources = []string{
	`{}`, `{"status":{}}`, `{"status":{}}`, `{"status":null}`, `{"status":{"x":1}}`, `{"status":"x"}`,
	`{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas","labelSelectorPath":".status.selector"}}`,
	`{"scale":{}}`, `{"scale":{"specReplicasPath":".replicas","statusReplicasPath":".replicas","labelSelectorPath":".replicas"}}`,
	`{"scale":{"specReplicasPath":"spec.replicas","statusReplicasPath":"status.replicas","labelSelectorPath":"spec"}}`,
	`{"scale":{"specReplicasPath":".spec.","statusReplicasPath":".status.","labelSelectorPath":""}}`, `{"Status":{}}`,
}

var keywords = []string{
	`{"id":"x"}`, `{"$ref":"#/x"}`, `{"$ref":""}`, `{"$ref":"%zz"}`, `{"$schema":"http://json-schema.org/schema#"}`, `{"definitions":{"a":{"type":"null"}}}`,
	`{"definitions":{}}`, `{"dependencies":{"a":["b"]}}`, `{"dependencies":{"a":{"type":"null"}}}`, `{"dependencies":{}}`, `{"dependencies":{"a":"b"}}`,
	`{"patternProperties":{"a":{"type":"null","default":1}}}`, `{"additionalItems":false}`, `{"additionalItems":{"type":"null"}}`, `{"additionalItems":"x"}`,
	`{"items":[{"type":"string"}]}`, `{"items":"x"}`, `{"items":[]}`, `{"items":null}`, `{"items":{}}`, `{"items":[1]}`, `{"uniqueItems":true}`, `{"uniqueItems":false}`,
	`{"additionalProperties":false}`, `{"additionalProperties":true}`, `{"additionalProperties":{}}`, `{"additionalProperties":{"type":"string"}}`,
	`{"additionalProperties":"x"}`, `{"additionalProperties":null}`, `{"additionalProperties":false,"properties":{"a":{"type":"string"}}}`,
	`{"additionalProperties":true,"properties":{"a":{"type":"string"}}}`, `{"nullable":true}`, `{"nullable":false}`, `{"format":"unheard-of"}`,
	`{"pattern":"^(?!x)"}`, `{"pattern":"("}`, `{"pattern":"^x$"}`, `{"title":"x"}`, `{"description":"x"}`, `{"example":{"a":1}}`, `{"externalDocs":{"url":"x"}}`,
	`{"externalDocs":"x"}`, `{"enum":["a",null,1]}`, `{"enum":"a"}`, `{"required":["a"]}`, `{"required":[]}`, `{"required":true}`, `{"exclusiveMinimum":true}`,
	`{"exclusiveMinimum":1}`, `{"x-kubernetes-preserve-unknown-fields":true}`, `{"x-kubernetes-preserve-unknown-fields":false}`,
	`{"x-kubernetes-preserve-unknown-fields":null}`, `{"x-kubernetes-embedded-resource":true}`, `{"x-kubernetes-embedded-resource":true,"type":"object"}`,
	`{"x-kubernetes-int-or-string":true}`, `{"x-kubernetes-int-or-string":true,"type":""}`, `{"x-kubernetes-int-or-string":true,"x-kubernetes-preserve-unknown-fields":true,"x-kubernetes-embedded-resource":true}`,
	`{"x-kubernetes-list-type":"atomic"}`, `{"x-kubernetes-list-type":"list"}`, `{"x-kubernetes-list-type":"map"}`, `{"x-kubernetes-list-type":""}`,
	`{"x-kubernetes-list-map-keys":["a"]}`, `{"x-kubernetes-list-map-keys":["a"],"x-kubernetes-list-type":"set"}`, `{"x-kubernetes-list-map-keys":[]}`,
	`{"x-kubernetes-map-type":"atomic"}`, `{"x-kubernetes-map-type":"x"}`, `{"x-kubernetes-map-type":"granular","type":"object"}`,
	`{"x-kubernetes-int-or-string":true,"type":"","anyOf":[{"type":"integer"},{"type":"string"}]}`,
	`{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"string"},{"type":"integer"}]}`,
	`{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"pattern":"x"}]}`,
	`{"readOnly":true,"x-foo":1,"const":2}`, `{"type":["string","null"]}`,
}

var newerKeywords = []string{
	`{"x-kubernetes-validations":[{"rule":""}]}`, `{"x-kubernetes-validations":[{"rule":"self.x > 1 &&"}]}`, `{"x-kubernetes-validations":"x"}`,
	`{"x-kubernetes-validations":[{"rule":"true","message":"m"}]}`, `{"x-kubernetes-validations":[1]}`, `{"x-kubernetes-validations":{}}`,
	`{"selectableFields":[{"jsonPath":".spec.x"}]}`, `{"selectableFields":[{}]}`, `{"selectableFields":"x"}`, `{"selectableFields":[{"jsonPath":1}]}`,
	`{"deprecated":"yes"}`, `{"deprecated":null}`, `{"deprecationWarning":5}`,
}

var branches = []string{
	`{"type":"string"}`, `{"title":"x"}`, `{"description":"x"}`, `{"default":1}`, `{"nullable":true}`, `{"additionalProperties":false}`,
	`{"additionalProperties":true}`, `{"additionalProperties":{"type":"x","default":1}}`, `{"additionalProperties":{"$schema":"x"}}`, `{"properties":{"metadata":{}}}`,
	`{"properties":{"undeclared":{"minimum":1}}}`, `{"items":{"minimum":1}}`, `{"x-kubernetes-preserve-unknown-fields":true}`,
	`{"x-kubernetes-embedded-resource":true}`, `{"x-kubernetes-int-or-string":true}`, `{"x-kubernetes-list-type":"atomic"}`,
	`{"x-kubernetes-list-map-keys":["a"]}`, `{"x-kubernetes-map-type":"atomic"}`, `{"pattern":"("}`, `{"required":["a"]}`, `{"enum":[1]}`,
	`{"not":{"additionalProperties":false}}`, `{"properties":{"list":{"additionalProperties":false}}}`, `{"additionalProperties":false,"properties":{"a":{}}}`,
	`{"externalDocs":{"url":"x"},"example":1}`, `{"not":{}}`, `{"uniqueItems":true}`, `{"x-kubernetes-validations":[{"rule":"true"}]}`,
}

var metaFields = []string{
	`{"metadata":{"type":"object"}}`, `{"metadata":{"type":"object","properties":{"name":{"type":"string","maxLength":3}}}}`,
	`{"metadata":{"type":"object","properties":{"labels":{"type":"object"}}}}`, `{"metadata":{"type":"string"}}`, `{"metadata":{}}`,
	`{"metadata":{"type":"object","description":"x"}}`, `{"metadata":{"type":"object","example":1}}`, `{"metadata":{"type":"object","externalDocs":{"url":"x"}}}`,
	`{"metadata":{"type":"object","properties":{"generateName":{"type":"string","default":"x"},"name":{"type":"string"}}}}`,
	`{"metadata":{"type":"object","default":{}}}`, `{"metadata":{"type":"object","additionalProperties":{"type":"string","default":"x"}}}`,
	`{"metadata":{"type":"object","x-kubernetes-embedded-resource":true}}`, `{"metadata":{"type":"object","required":["name"],"nullable":true}}`,
	`{"kind":{"type":"integer"}}`, `{"apiVersion":{"type":"object"},"kind":{"type":"string"}}`, `{"apiVersion":{"type":"string","default":"x"}}`,
	`{"kind":{}}`, `{"kind":{"type":"string","enum":["A"]}}`, `{"kind":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}`,
}

var lists = []string{
	`{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}`, `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string","nullable":true}}`,
	`{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object"}}`,
	`{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic"}}`,
	`{"type":"array","x-kubernetes-list-type":"set","items":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}`,
	`{"type":"array","x-kubernetes-list-type":"map"}`, `{"type":"array","x-kubernetes-list-type":"map","items":{"type":"string"}}`,
	`{"type":"array","x-kubernetes-list-type":"map","items":[{"type":"object"}],"x-kubernetes-list-map-keys":["a"]}`,
	`{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}}`,
	`{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a","a","b","o"],"items":{"type":"object","nullable":true,"properties":{"a":{"type":"string","nullable":true},"o":{"type":"object"}}}}`,
	`{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":{"type":"object","properties":{"a":{"type":"string","default":"x"}}}}`,
	`{"type":"array"}`, `{"type":"array","items":{}}`, `{"type":"array","items":{"type":"array"}}`, `{"type":"object","x-kubernetes-list-type":"atomic"}`,
	`{"type":"array","items":{"Type":"string"}}`, `{"type":"array","items":{"type":"object","properties":{"a":{"Type":"null","$Schema":"x"}}}}`,
}

var embedded = []string{
	`{"type":"object","x-kubernetes-embedded-resource":true}`, `{"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}`,
	`{"type":"array","items":{"type":"string"},"x-kubernetes-embedded-resource":true}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"additionalProperties":true}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"kind":{"type":"integer"},"apiVersion":{"type":"integer"},"metadata":{"type":"string"}}}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}}}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","additionalProperties":{"type":"string","default":"x"}}}}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"a":{"type":"string"}},"default":{"unknown":1}}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"a":{"type":"string"}},"default":{"apiVersion":"a/b/c","kind":"","metadata":{"name":"%","labels":{"a b":""}}}}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"a":{"type":"string"}},"default":{"apiVersion":1,"kind":2,"metadata":3}}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"},"default":{"a b":"x"}}}}}}`,
	`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"apiVersion":{"type":"string","default":"a/b/c"}}}`,
	`{"type":"object","properties":{"e":{"type":"object","properties":{"s":{"type":"string","maxLength":1,"enum":["a"],"default":"xyz"},"n":{"type":"integer","minimum":5,"default":1},"l":{"type":"array","maxItems":1,"items":{"type":"string"},"default":["a","b"]},"r":{"type":"object","required":["q"],"properties":{"q":{"type":"string"}},"default":{}},"b":{"type":"boolean","default":"x"}}}}}`,
}
