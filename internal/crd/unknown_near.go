package crd

import (
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// Name is the name of an unknown field, which may hold dots.
func (u UnknownField) Name() string {
	name, _ := yaml11.Key(u.Key)
	return name
}

// InSchema reports whether a field is in a schema.
func (u UnknownField) InSchema() bool { return u.of.isSchema() }

// Nearest lists the fields of a place that an unknown one may have been meant to be.
func (u UnknownField) Nearest() []string {
	if u.Meant != "" {
		return []string{u.Meant}
	}
	name := u.Name()
	if _, known := foreignKeywords[name]; known && u.InSchema() {
		return nil
	}
	return text.Nearest(name, u.Fields())
}

// foreignKeywords are those of OpenAPI and JSON Schema that schemas of CustomResourceDefinitions do not have, with what
// to do instead of them.
var foreignKeywords = map[string]string{
	"readOnly":              "a status subresource keeps users from writing the status",
	"writeOnly":             "",
	"const":                 "an enum of one value is equivalent",
	"deprecated":            "say it in the description",
	"discriminator":         "",
	"xml":                   "",
	"examples":              "example holds a single one",
	"exclusiveMinimum":      "",
	"exclusiveMaximum":      "",
	"if":                    "x-kubernetes-validations can express it",
	"then":                  "x-kubernetes-validations can express it",
	"else":                  "x-kubernetes-validations can express it",
	"contains":              "x-kubernetes-validations can express it",
	"minContains":           "x-kubernetes-validations can express it",
	"maxContains":           "x-kubernetes-validations can express it",
	"propertyNames":         "x-kubernetes-validations can express it",
	"dependentRequired":     "x-kubernetes-validations can express it",
	"dependentSchemas":      "x-kubernetes-validations can express it",
	"unevaluatedProperties": "unknown fields are pruned by default",
	"unevaluatedItems":      "",
	"prefixItems":           "",
	"contentEncoding":       "format: byte means base64",
	"contentMediaType":      "",
	"contentSchema":         "",
	"$id":                   "",
	"$anchor":               "",
	"$comment":              "a YAML comment does the same",
	"$defs":                 "write the schema out where it is used",
}

// ForeignKeyword is what to do instead of a keyword of OpenAPI or JSON Schema that schemas of CustomResourceDefinitions do
// not have, "" where there is nothing; known is false for other names.
func ForeignKeyword(name string) (instead string, known bool) {
	instead, known = foreignKeywords[name]
	return instead, known
}
