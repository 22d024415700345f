package repair

import (
	"regexp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// implied is the type that a node's keywords speak about, "" when they speak about none or several. Values of other
// types are accepted by a node without a type.
func (n node) implied() string {
	found := map[string]bool{}
	for key, typ := range map[string]string{
		"properties": "object", "required": "object", "additionalProperties": "object", "minProperties": "object",
		"maxProperties": "object", "items": "array", "minItems": "array", "maxItems": "array", "uniqueItems": "array",
		"pattern": "string", "minLength": "string", "maxLength": "string",
		"minimum": "number", "maximum": "number", "multipleOf": "number",
	} {
		if n.has(key) {
			found[typ] = true
		}
	}
	switch n.text("format") {
	case "int32", "int64":
		found["integer"] = true
	case "float", "double":
		found["number"] = true
	case "date-time", "date", "byte", "uri", "hostname", "ipv4", "ipv6", "cidr", "uuid", "email", "password":
		found["string"] = true
	}
	if values := n.get("enum"); values != nil {
		for _, v := range values.Content {
			found[TypeOfValue(crd.Deref(v))] = true
		}
	}
	if found["integer"] && found["number"] {
		delete(found, "number")
		if n.text("format") == "" {
			return "number"
		}
	}
	if len(found) != 1 {
		return ""
	}
	for typ := range found {
		return typ
	}
	return ""
}

// TypeOfValue is the schema type of a value as the server reads it; "null" for null, which has none.
func TypeOfValue(v *yaml.Node) string {
	switch v.Kind {
	case yaml.MappingNode:
		return "object"
	case yaml.SequenceNode:
		return "array"
	}
	kind, _ := yaml11.Resolve(v)
	switch kind {
	case yaml11.Bool:
		return "boolean"
	case yaml11.Int:
		return "integer"
	case yaml11.Float:
		return "number"
	case yaml11.String:
		return "string"
	}
	return "null"
}

// validTypes are those a schema may name.
var validTypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// genericArray is the type of an array with that of its items, as programming languages write it.
var genericArray = regexp.MustCompile(`^(array|list)[\[<(].+[\])>]$`)

// SuggestType guesses the type that was meant by an unknown one.
func SuggestType(typ string) string {
	switch strings.ToLower(typ) {
	case "int", "int32", "int64", "uint", "long":
		return "integer"
	case "float", "float64", "double", "decimal":
		return "number"
	case "bool":
		return "boolean"
	case "str", "text", "date", "date-time", "datetime", "time", "duration", "enum", "ip", "uri":
		return "string"
	case "map", "struct", "dict", "hash":
		return "object"
	case "list", "slice", "tuple":
		return "array"
	}
	switch lower := strings.ToLower(typ); {
	case slices.Contains(validTypes, lower):
		return lower
	case strings.HasPrefix(lower, "[]"), strings.HasSuffix(lower, "[]"), genericArray.MatchString(lower):
		return "array"
	case strings.HasPrefix(lower, "map["), strings.HasPrefix(lower, "map<"):
		return "object"
	}
	return ""
}

// SuggestStrategy guesses which conversion strategy was meant by another word: the API's design documents called
// Webhook external, and None nop.
func SuggestStrategy(strategy string) string {
	switch strings.ToLower(strategy) {
	case "external", "webhook", "webhooks":
		return "Webhook"
	case "nop", "none", "no-op", "noop":
		return "None"
	}
	return ""
}
