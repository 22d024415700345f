package mutants

import "strings"

// anyValues are those that any field is given: none at all, null, what is empty, what is extreme, and something of each type.
var anyValues = []string{
	"", `null`, `"x"`, `""`, `"A b\n"`, `0`, `-1`, `1.5`, `1e308`, `9223372036854775808`, `true`, `false`, `{}`, `[]`, `{"a":1}`, `["x"]`, `[{}]`, `[null]`,
}

var (
	schemas = []string{
		`{"type":"string"}`, `{"type":"object"}`, `{"type":"array","items":{"type":"string"}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`,
		`{"type":"array"}`, `{"type":"bogus"}`, `{"x-kubernetes-int-or-string":true}`, `{"x-kubernetes-preserve-unknown-fields":true}`, `{"minimum":1}`,
		`{"type":"object","x-kubernetes-embedded-resource":true}`, `{"type":"string","default":1}`, `{"$ref":"#/x"}`, `{"type":"object","additionalProperties":true}`,
	}
	bounds = []string{`1`, `9223372036854775807`, `1e3`, `"1"`, `-9223372036854775808`, `1000000`, `4294967297`, `-0.0`, `2.0`}
	paths  = []string{`".spec.name"`, `".spec.count"`, `".status.count"`, `".metadata.name"`, `".spec.list[0]"`, `".spec"`, `"."`, `".spec.missing"`, `".spec.x.y"`}
	hosts  = []string{`"https://example.com/a"`, `"http://example.com"`, `"%zz"`, `"a"`, `"/a"`, `"//"`, `443`, `65536`, `"LS0t"`}
	// Most are no DNS-1123 subdomains.
	badNames = []string{`"Foo_Bar"`, `"a.b"`, `"` + strings.Repeat("a.", 130) + `a"`, `"ü"`, `"nodots"`, `"-a"`}
	words    = []string{`"` + strings.Repeat("a", 64) + `"`, `"Foo_Bar"`, `"a.b"`, `"ü"`, `["ok","Foo_Bar"]`, `"widgets"`, `"widget"`, `"Widget"`, `"WidgetList"`, `"gadgets"`, `"Gadget"`, `["w","Bad"]`, `"1a"`, `"-a"`}
)

// valuesOf are those that fields are given beside these, by their names.
var valuesOf = map[string][]string{
	"type":                 {`["string","null"]`, `"any"`, `"string"`, `"object"`, `"array"`, `"integer"`, `"number"`, `"boolean"`, `"null"`, `"String"`, `"date"`},
	"format":               {`"unheard-of"`, `"int32"`, `"int64"`, `"date-time"`, `"byte"`, `"int-or-string"`, `"double"`},
	"pattern":              {`"("`, `"^x$"`, `"^a$"`, `"["`, `"(?!a)"`},
	"default":              {`{"a":"x"}`, `{"name":"x"}`, `{"zz":1}`, `["a"]`, `[{"name":"a"}]`, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`, `{"metadata":{"name":5}}`},
	"enum":                 {`["a",null,1]`, `["a","b"]`, `["a",1]`, `[1,1.0]`, `[{"a":1}]`, `[true,null]`},
	"example":              {`{"b":[1,"a"]}`},
	"required":             {`["name"]`, `["a"]`, `["zz"]`, `["name","name"]`},
	"properties":           append(membersOf(schemas), metaFields...),
	"definitions":          membersOf(schemas),
	"patternProperties":    append(membersOf(schemas), `{"a":{"type":"null","default":1}}`),
	"dependencies":         append(membersOf(schemas), `{"a":"b"}`, `{"a":["b"]}`, `{"a":["b",1]}`),
	"items":                append(listsOf(schemas), schemas...),
	"additionalItems":      append(schemas, `{"type":"null"}`),
	"additionalProperties": schemas,
	"not":                  append(schemas, branches...),
	"allOf":                listsOf(append(schemas, branches...)),
	"anyOf":                append(listsOf(append(schemas, branches...)), `[{"type":"integer"},{"type":"string"}]`, `[{"type":"string"},{"type":"integer"}]`),
	"oneOf":                listsOf(append(schemas, branches...)),
	"$ref":                 {`"#/x"`, `"#/definitions/a"`, `"%zz"`},
	"$schema":              {`"http://json-schema.org/schema#"`},
	"externalDocs":         {`{"url":"x"}`, `{"url":"https://example.com"}`, `{"description":"x"}`},
	"minimum":              bounds, "maximum": bounds, "multipleOf": bounds,
	"minLength": bounds, "maxLength": bounds, "minItems": bounds, "maxItems": bounds, "minProperties": bounds, "maxProperties": bounds,
	"x-kubernetes-list-type":     {`"list"`, `"atomic"`, `"set"`, `"map"`, `"Map"`},
	"x-kubernetes-map-type":      {`"atomic"`, `"granular"`, `"Atomic"`},
	"x-kubernetes-list-map-keys": {`["name"]`, `["a"]`, `["name","name"]`, `["inner"]`},
	"x-kubernetes-validations":   listsOf(append(rules, `{"rule":"self.x > 1 &&"}`, `{"rule":"self == self"}`, `{"rule":"self.name == 'a'"}`, `{"rule":"self.all(x, x != '')"}`, `{"rule":"size(self) > 1"}`)),
	"rule":                       {`"true"`, `"self"`, `"self == oldSelf"`, `"self.name == 'a'"`, `"self.zz"`, `"self ==="`, `"true &&\ntrue"`},
	"message":                    {`"two\nlines"`, `" "`},
	"messageExpression":          {`"'a'"`, `"1"`, `"self.name"`, `"self.zz"`},
	"reason":                     {`"FieldValueInvalid"`, `"FieldValueForbidden"`},
	"fieldPath":                  {`".name"`, `".zz"`, `"name"`, `".inner.b"`},

	"scope":  {`"Namespaced"`, `"Cluster"`, `"namespaced"`},
	"group":  append(badNames, `"example.com"`, `"example.k8s.io"`, `"Example.com"`, `"com"`),
	"plural": words, "singular": words, "kind": words, "listKind": words, "shortNames": words, "categories": words,
	"name":               append(badNames, `"v1"`, `"v2"`, `"v1alpha1"`, `"V1"`, `"widgets.example.com"`, `"gadgets.example.com"`),
	"version":            {`"other"`, `"1.0"`, `"V1"`, `"v1"`, `"v2"`, `"v1alpha1"`},
	"versions":           {`[{"name":"v1","served":true,"storage":true}]`, `[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]`, `[{"name":"v1","storage":true},{"name":"v1"}]`},
	"schema":             {`{"openAPIV3Schema":{"type":"object"}}`, `{"openAPIV3Schema":{}}`, `{"openAPIV3Schema":null}`},
	"validation":         {`{"openAPIV3Schema":{"type":"object"}}`, `{"openAPIV3Schema":{}}`, `{"openAPIV3Schema":null}`},
	"openAPIV3Schema":    append(schemas, `{"x-kubernetes-map-type":"atomic"}`, `{"properties":{"a":{}}}`),
	"deprecationWarning": {`"two\nlines"`, `"` + strings.Repeat("x", 257) + `"`, `"old"`, `"bell\u0007"`, `"` + strings.Repeat("ü", 129) + `"`},
	"subresources":       subresources,
	"status":             {`{"storedVersions":["x"],"acceptedNames":{"plural":"A"},"conditions":null}`, `{"storedVersions":null}`, `{"conditions":[{"type":"x","status":"True","lastTransitionTime":null}]}`, `{"observedGeneration":"x"}`, `{"conditions":[{"lastTransitionTime":"x"}]}`, `{"storedVersions":["v1"]}`, `{"storedVersions":["zz"],"acceptedNames":{"plural":"A"},"conditions":[]}`},
	"scale":              {`{"specReplicasPath":".spec.count","statusReplicasPath":".status.count"}`, `{"specReplicasPath":".count"}`},
	"specReplicasPath":   paths, "statusReplicasPath": paths, "labelSelectorPath": paths, "jsonPath": paths, "JSONPath": paths,
	"additionalPrinterColumns": columns,
	"selectableFields":         append(selectable, `[{"jsonPath":".spec.name"}]`, `[{"jsonPath":".spec.inner"}]`),
	"conversion":               {`{"strategy":"external"}`, `{"strategy":"None"}`, `{"strategy":"Webhook"}`, `{"strategy":"webhook"}`, `{"strategy":"Webhook","webhookClientConfig":{"url":"https://example.com"}}`, `{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://example.com"},"conversionReviewVersions":["v1"]}}`},
	"strategy":                 {`"None"`, `"Webhook"`, `"none"`},
	"webhook":                  {`{"clientConfig":{"url":"https://example.com"},"conversionReviewVersions":["v1"]}`},
	"webhookClientConfig":      clientConfigs, "clientConfig": clientConfigs,
	"conversionReviewVersions": {`["v1","v1beta1"]`, `["V1","v1"]`, `["", "a.b"]`, `["v1"]`, `["v1beta1","v1"]`, `["v9"]`, `["v1","v1"]`},
	"url":                      hosts, "path": hosts, "port": hosts, "caBundle": hosts,
	"service": {`{"name":"a","namespace":"b"}`},

	"clusterName":                {`"A_B"`, `null`},
	"generateName":               {`"x-"`},
	"namespace":                  {`"x"`},
	"generation":                 {`"1"`, `-1`},
	"labels":                     {`{"ok":"ok"}`, `{"a":null}`, `{"a b":"x"}`, `{"a":"x y"}`},
	"annotations":                {`{"a":"` + strings.Repeat("x", 256<<10) + `"}`, `{"a":"` + strings.Repeat("x", 256<<10-1) + `"}`, `{"api-approved.kubernetes.io":"no"}`, `{"a b":"x"}`, `{"api-approved.kubernetes.io":"unapproved"}`},
	"finalizers":                 {`["plain"]`, `["a b"]`, `["example.com/ok"]`, `["orphan","foregroundDeletion"]`},
	"ownerReferences":            {`[{"apiVersion":"a/b/c","kind":"","name":"","uid":""}]`, `[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"1","controller":true},{"apiVersion":"v1","kind":"Pod","name":"b","uid":"2","controller":true}]`, `[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"1"}]`, `[{"apiVersion":"v1","kind":"Event","name":"a","uid":"1"}]`},
	"managedFields":              {`[{"manager":"a\nb","operation":"Apply","subresource":"` + longName + `"}]`, `[{"operation":"Apply","manager":"` + longName + `"}]`, `[{"manager":"x","operation":"Apply","apiVersion":"v1","time":"2020-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}]`, `[{"operation":"Apply","subresource":1}]`, `[{"manager":"x","operation":"Delete","fieldsType":"v2"}]`, `[{"manager":"x","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}]`},
	"creationTimestamp":          {`"yesterday"`, `"2020-01-01T00:00:00Z"`},
	"deletionTimestamp":          {`"2020-01-01T00:00:00Z"`},
	"deletionGracePeriodSeconds": {`-1`},
}

// together are members that say something only beside each other, by upstream's type of what they are in.
var together = map[string][]string{
	"ObjectMeta": {`{"generateName":"x-","name":""}`, `{"uid":"x","resourceVersion":"1"}`, `{"deletionTimestamp":"2020-01-01T00:00:00Z","deletionGracePeriodSeconds":-1}`},
	"JSONSchemaProps": {
		`{"additionalProperties":false,"properties":{"a":{"type":"string"}}}`, `{"additionalProperties":true,"properties":{"a":{"type":"string"}}}`,
		`{"x-kubernetes-embedded-resource":true,"type":"object"}`, `{"x-kubernetes-int-or-string":true,"type":""}`,
		`{"x-kubernetes-int-or-string":true,"x-kubernetes-preserve-unknown-fields":true,"x-kubernetes-embedded-resource":true}`,
		`{"x-kubernetes-list-map-keys":["a"],"x-kubernetes-list-type":"set"}`, `{"x-kubernetes-map-type":"granular","type":"object"}`,
		`{"x-kubernetes-int-or-string":true,"type":"","anyOf":[{"type":"integer"},{"type":"string"}]}`,
		`{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"string"},{"type":"integer"}]}`,
		`{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"pattern":"x"}]}`,
		`{"readOnly":true,"x-foo":1,"const":2}`,
	},
	"CustomResourceDefinitionNames": {`{"kind":null,"singular":null,"listKind":null}`, `{"kind":"Widget","listKind":"Widget"}`},
	"CustomResourceDefinitionVersion": {
		`{"deprecated":true,"deprecationWarning":"old"}`, `{"deprecated":true,"deprecationWarning":""}`, `{"deprecated":true,"deprecationWarning":"bell\u0007"}`,
		`{"deprecated":true,"deprecationWarning":"` + strings.Repeat("ü", 129) + `"}`, `{"deprecated":false,"deprecationWarning":"old"}`,
		`{"schema":{"openAPIV3Schema":{"type":"object","properties":{"declared":{"type":"string"}}}},"selectableFields":[{"jsonPath":".declared"}]}`,
		`{"schema":{"openAPIV3Schema":{"type":"object","properties":{"declared":{"type":"array"}}}},"selectableFields":[{"jsonPath":".declared"}]}`,
	},
	"CustomResourceDefinitionSpec": webhooksOf(clientConfigs),
}

// webhooksOf are conversions by a webhook, as v1beta1 has them.
func webhooksOf(clients []string) (all []string) {
	for _, client := range clients {
		for _, versions := range []string{`["v1","v1beta1"]`, `["v2"]`} {
			all = append(all, `{"preserveUnknownFields":false,"conversion":{"strategy":"Webhook","webhookClientConfig":`+client+`,"conversionReviewVersions":`+versions+`}}`)
		}
	}
	return all
}

func membersOf(schemas []string) (all []string) {
	for _, s := range schemas {
		all = append(all, `{"a":`+s+`}`)
	}
	return all
}

func listsOf(elements []string) (all []string) {
	for _, e := range elements {
		all = append(all, `[`+e+`]`)
	}
	return all
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

var rules = []string{
	`{"rule":"true"}`, `{"rule":""}`, `{}`, `{"rule":" "}`, `{"rule":"self.missing > 1"}`, `{"rule":"self"}`, `{"rule":"self ==="}`, `{"rule":"1"}`,
	`{"rule":"unknown(self)"}`, `{"rule":"self == oldSelf"}`, `{"rule":"self == self","optionalOldSelf":true}`, `{"rule":"self == self","optionalOldSelf":false}`,
	`{"rule":"oldSelf.hasValue() || true","optionalOldSelf":true}`, `{"rule":"true","message":""}`, `{"rule":"true","message":" "}`,
	`{"rule":"true","message":"two\nlines"}`, `{"rule":"true &&\ntrue"}`, `{"rule":"true &&\ntrue","message":"both"}`, `{"rule":"true","messageExpression":" "}`,
	`{"rule":"true","messageExpression":"1"}`, `{"rule":"true","messageExpression":"'a' +"}`, `{"rule":"true","messageExpression":"'a' + string(1)"}`,
	`{"rule":"true","reason":"FieldValueInvalid"}`, `{"rule":"true","reason":"Invalid"}`, `{"rule":"true","reason":""}`, `{"rule":"true","fieldPath":".a"}`,
	`{"rule":"true","fieldPath":" "}`, `{"rule":"true","fieldPath":".a\n"}`, `{"rule":"true","fieldPath":"a"}`, `{"rule":"true","fieldPath":".ruled"}`, `{"rule":1}`, `"true"`,
}

var ruled = []string{
	`{"type":"array","items":{"type":"string"},"x-kubernetes-validations":[{"rule":"self.all(x, self.all(y, x == y))"}]}`,
	`{"type":"array","items":{"type":"array","items":{"type":"string","x-kubernetes-validations":[{"rule":"self.contains('a')"}]}}}`,
	`{"type":"array","items":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}`,
	`{"type":"array","x-kubernetes-list-type":"set","maxItems":3,"items":{"type":"string","maxLength":5,"x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}`,
	`{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}}`,
	`{"type":"object","additionalProperties":{"type":"string"},"x-kubernetes-validations":[{"rule":"self.all(k, self[k].matches('^a'))"}]}`,
	`{"type":"array","items":{"type":"string"},"x-kubernetes-validations":[{"rule":"true","messageExpression":"self.map(x, self.map(y, x + y).join()).join()"}]}`,
	`{"type":"integer","default":1,"x-kubernetes-validations":[{"rule":"self > 3","message":"too small"}]}`,
	`{"type":"integer","default":5,"x-kubernetes-validations":[{"rule":"self > 3","message":"too small"}]}`,
	`{"type":"string","default":"x","x-kubernetes-validations":[{"rule":"self == 'y'","reason":"FieldValueForbidden"}]}`,
	`{"type":"object","default":{"a":"x"},"properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"self == 'y'"}]}},"x-kubernetes-validations":[{"rule":"has(self.b)","fieldPath":".b"}]}`,
	`{"x-kubernetes-int-or-string":true,"default":"x","x-kubernetes-validations":[{"rule":"self > 3"}]}`,
	`{"type":"string","maxLength":10,"default":"x","x-kubernetes-validations":[{"rule":"oldSelf.hasValue()","optionalOldSelf":true}]}`,
	`{"type":"array","maxItems":450,"items":{"type":"string","maxLength":20},"x-kubernetes-validations":[` + strings.Repeat(`{"rule":"self.all(x, self.exists(y, x + 'X' == y + 'Y'))"},`, 18) + `{"rule":"true"}]}`,
}

var defaulted = []string{
	`{"type":"string","default":"x"}`, `{"type":"string","default":1}`, `{"type":"integer","default":"x"}`, `{"type":"integer","minimum":2,"default":1}`,
	`{"type":"integer","maximum":2,"exclusiveMaximum":true,"default":2}`, `{"type":"string","enum":["a","b"],"default":"c"}`, `{"type":"string","maxLength":1,"default":"xx"}`,
	`{"type":"string","minLength":3,"default":"xx"}`, `{"type":"string","pattern":"^a$","default":"b"}`, `{"type":"string","format":"date-time","default":"b"}`,
	`{"type":"array","items":{"type":"string"},"maxItems":1,"default":["a","b"]}`, `{"type":"array","items":{"type":"string"},"minItems":1,"default":[]}`,
	`{"type":"array","items":{"type":"string"},"default":["a",1]}`, `{"type":"object","default":{"a":1}}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"default":{}}`,
	`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"}}}},"default":{"a":{"b":"x"}}}`, `{"type":"object","maxProperties":1,"additionalProperties":{"type":"string"},"default":{"a":"1","b":"2"}}`,
	`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}],"default":{}}`, `{"type":"number","multipleOf":2,"default":3}`,
	`{"type":"object","additionalProperties":{"type":"integer","default":"x"}}`, `{"type":"object","not":{"required":["a"]},"properties":{"a":{"type":"string"}},"default":{"a":"x"}}`,
}

var selectable = []string{
	`[]`, `[{}]`, `[{"jsonPath":""}]`, `[{"jsonPath":".metadata.name"}]`, `[{"jsonPath":".spec.missing"}]`, `[{"jsonPath":"spec"}]`, `[{"jsonPath":".spec"}]`, `[{"jsonPath":".spec[0]"}]`,
	`[{"jsonPath":".a"},{"jsonPath":".b"},{"jsonPath":".c"},{"jsonPath":".d"},{"jsonPath":".e"},{"jsonPath":".f"},{"jsonPath":".g"},{"jsonPath":".h"},{"jsonPath":".i"}]`,
	`[{"jsonPath":".spec.missing"},{"jsonPath":".spec.missing"}]`, `[{"jsonPath":1}]`, `"x"`, `null`,
}
