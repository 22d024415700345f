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
	bounds = []string{`-9223372036854775808`, `1000000`, `4294967297`, `-0.0`, `2.0`}
	paths  = []string{`".spec.name"`, `".spec.count"`, `".status.count"`, `".metadata.name"`, `".spec.list[0]"`, `".spec"`, `"."`, `".spec.missing"`, `".spec.x.y"`}
	hosts  = []string{`"https://example.com/a"`, `"http://example.com"`, `"%zz"`, `"a"`, `"/a"`, `"//"`, `443`, `65536`, `"LS0t"`}
	words  = []string{`"` + strings.Repeat("a", 64) + `"`, `"widgets"`, `"widget"`, `"Widget"`, `"WidgetList"`, `"gadgets"`, `"Gadget"`, `["w","Bad"]`, `"1a"`, `"-a"`}
)

// valuesOf are those that fields are given beside these, by their names.
var valuesOf = map[string][]string{
	"type":                 {`"string"`, `"object"`, `"array"`, `"integer"`, `"number"`, `"boolean"`, `"null"`, `"String"`, `"date"`},
	"format":               {`"int32"`, `"int64"`, `"date-time"`, `"byte"`, `"int-or-string"`, `"double"`},
	"pattern":              {`"^a$"`, `"["`, `"(?!a)"`},
	"default":              {`{"a":"x"}`, `{"name":"x"}`, `{"zz":1}`, `["a"]`, `[{"name":"a"}]`, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`, `{"metadata":{"name":5}}`},
	"enum":                 {`["a","b"]`, `["a",1]`, `[1,1.0]`, `[{"a":1}]`, `[true,null]`},
	"example":              {`{"b":[1,"a"]}`},
	"required":             {`["name"]`, `["a"]`, `["zz"]`, `["name","name"]`},
	"properties":           append(membersOf(schemas), metaFields...),
	"definitions":          membersOf(schemas),
	"patternProperties":    membersOf(schemas),
	"dependencies":         append(membersOf(schemas), `{"a":["b"]}`, `{"a":["b",1]}`),
	"items":                append(listsOf(schemas), schemas...),
	"additionalItems":      schemas,
	"additionalProperties": schemas,
	"not":                  append(schemas, branches...),
	"allOf":                listsOf(append(schemas, branches...)),
	"anyOf":                append(listsOf(append(schemas, branches...)), `[{"type":"integer"},{"type":"string"}]`, `[{"type":"string"},{"type":"integer"}]`),
	"oneOf":                listsOf(append(schemas, branches...)),
	"$ref":                 {`"#/definitions/a"`, `"%zz"`},
	"$schema":              {`"http://json-schema.org/schema#"`},
	"externalDocs":         {`{"url":"https://example.com"}`, `{"description":"x"}`},
	"minimum":              bounds, "maximum": bounds, "multipleOf": bounds,
	"minLength": bounds, "maxLength": bounds, "minItems": bounds, "maxItems": bounds, "minProperties": bounds, "maxProperties": bounds,
	"x-kubernetes-list-type":     {`"atomic"`, `"set"`, `"map"`, `"Map"`},
	"x-kubernetes-map-type":      {`"atomic"`, `"granular"`, `"Atomic"`},
	"x-kubernetes-list-map-keys": {`["name"]`, `["a"]`, `["name","name"]`, `["inner"]`},
	"x-kubernetes-validations":   listsOf(append(rules, `{"rule":"self == self"}`, `{"rule":"self.name == 'a'"}`, `{"rule":"self.all(x, x != '')"}`, `{"rule":"size(self) > 1"}`)),
	"rule":                       {`"true"`, `"self"`, `"self == oldSelf"`, `"self.name == 'a'"`, `"self.zz"`, `"self ==="`, `"true &&\ntrue"`},
	"message":                    {`"two\nlines"`, `" "`},
	"messageExpression":          {`"'a'"`, `"1"`, `"self.name"`, `"self.zz"`},
	"reason":                     {`"FieldValueInvalid"`, `"FieldValueForbidden"`},
	"fieldPath":                  {`".name"`, `".zz"`, `"name"`, `".inner.b"`},

	"scope":  {`"Namespaced"`, `"Cluster"`, `"namespaced"`},
	"group":  {`"example.com"`, `"example.k8s.io"`, `"Example.com"`, `"com"`},
	"plural": words, "singular": words, "kind": words, "listKind": words, "shortNames": words, "categories": words,
	"name":               {`"v1"`, `"v2"`, `"v1alpha1"`, `"V1"`, `"widgets.example.com"`, `"gadgets.example.com"`},
	"version":            {`"v1"`, `"v2"`, `"v1alpha1"`},
	"versions":           {`[{"name":"v1","served":true,"storage":true}]`, `[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]`, `[{"name":"v1","storage":true},{"name":"v1"}]`},
	"schema":             {`{"openAPIV3Schema":{"type":"object"}}`, `{"openAPIV3Schema":{}}`, `{"openAPIV3Schema":null}`},
	"validation":         {`{"openAPIV3Schema":{"type":"object"}}`, `{"openAPIV3Schema":{}}`, `{"openAPIV3Schema":null}`},
	"openAPIV3Schema":    append(schemas, `{"x-kubernetes-map-type":"atomic"}`, `{"properties":{"a":{}}}`),
	"deprecationWarning": {`"old"`, `"bell\u0007"`, `"` + strings.Repeat("ü", 129) + `"`},
	"subresources":       subresources,
	"status":             {`{"storedVersions":["v1"]}`, `{"storedVersions":["zz"],"acceptedNames":{"plural":"A"},"conditions":[]}`},
	"scale":              {`{"specReplicasPath":".spec.count","statusReplicasPath":".status.count"}`, `{"specReplicasPath":".count"}`},
	"specReplicasPath":   paths, "statusReplicasPath": paths, "labelSelectorPath": paths, "jsonPath": paths, "JSONPath": paths,
	"additionalPrinterColumns": columns,
	"selectableFields":         append(selectable, `[{"jsonPath":".spec.name"}]`, `[{"jsonPath":".spec.inner"}]`),
	"conversion":               {`{"strategy":"None"}`, `{"strategy":"Webhook"}`, `{"strategy":"webhook"}`, `{"strategy":"Webhook","webhookClientConfig":{"url":"https://example.com"}}`, `{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://example.com"},"conversionReviewVersions":["v1"]}}`},
	"strategy":                 {`"None"`, `"Webhook"`, `"none"`},
	"webhook":                  {`{"clientConfig":{"url":"https://example.com"},"conversionReviewVersions":["v1"]}`},
	"webhookClientConfig":      clientConfigs, "clientConfig": clientConfigs,
	"conversionReviewVersions": {`["v1"]`, `["v1beta1","v1"]`, `["v9"]`, `["v1","v1"]`},
	"url":                      hosts, "path": hosts, "port": hosts, "caBundle": hosts,
	"service": {`{"name":"a","namespace":"b"}`},

	"metadata":                   metadataValues,
	"labels":                     {`{"a b":"x"}`, `{"a":"x y"}`},
	"annotations":                {`{"a b":"x"}`, `{"api-approved.kubernetes.io":"unapproved"}`},
	"finalizers":                 {`["a b"]`, `["example.com/ok"]`, `["orphan","foregroundDeletion"]`},
	"ownerReferences":            {`[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"1"}]`, `[{"apiVersion":"v1","kind":"Event","name":"a","uid":"1"}]`},
	"managedFields":              {`[{"manager":"x","operation":"Delete","fieldsType":"v2"}]`, `[{"manager":"x","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}}]`},
	"creationTimestamp":          {`"2020-01-01T00:00:00Z"`},
	"deletionTimestamp":          {`"2020-01-01T00:00:00Z"`},
	"deletionGracePeriodSeconds": {`-1`},
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
