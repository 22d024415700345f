package crds

import "slices"

const (
	PreserveKey    = "x-kubernetes-preserve-unknown-fields"
	intOrStringKey = "x-kubernetes-int-or-string"
	EmbeddedKey    = "x-kubernetes-embedded-resource"
)

const (
	ListTypeKey = "x-kubernetes-list-type"
	mapTypeKey  = "x-kubernetes-map-type"
	MapKeysKey  = "x-kubernetes-list-map-keys"
)

// A keywordKinds is a set of kinds of keywords. Most rules look for one that few schemas have.
type keywordKinds uint16

const (
	forNumbers keywordKinds = 1 << iota // minimum, maximum, multipleOf, ...
	forStrings                          // pattern, minLength, maxLength
	forArrays                           // items, minItems, ...
	forObjects                          // properties, required, ...
	bounding                            // minimum, maxLength, ...
	hasEnum
	hasFormat
	hasRequired
	hasListType
	hasJunctor
)

// kindsOfKeyword say of which kinds a keyword is.
var kindsOfKeyword = map[string]keywordKinds{
	"minimum": forNumbers | bounding, "maximum": forNumbers | bounding, "multipleOf": forNumbers | bounding,
	"exclusiveMinimum": forNumbers, "exclusiveMaximum": forNumbers,
	"minLength": forStrings | bounding, "maxLength": forStrings | bounding, "pattern": forStrings,
	"minItems": forArrays | bounding, "maxItems": forArrays | bounding, "items": forArrays,
	"minProperties": forObjects | bounding, "maxProperties": forObjects | bounding, "properties": forObjects,
	"required": forObjects | hasRequired, "additionalProperties": forObjects | bounding,
	"enum": hasEnum, "format": hasFormat, ListTypeKey: hasListType,
	"allOf": hasJunctor, "anyOf": hasJunctor, "oneOf": hasJunctor, "not": hasJunctor,
}

// kindsForType are the kinds of keywords that are looked at for a type.
var kindsForType = map[string]keywordKinds{
	"integer": forNumbers, "number": forNumbers, "string": forStrings, "array": forArrays, "object": forObjects, "boolean": 0,
}

// forTypes are the kinds of keywords that are for values of some types only.
const forTypes = forNumbers | forStrings | forArrays | forObjects

// typesOfKind are the types of the values that keywords of a kind are for.
var typesOfKind = map[keywordKinds][]string{
	forNumbers: {"integer", "number"}, forStrings: {"string"}, forArrays: {"array"}, forObjects: {"object"},
}

// typeNames are the types that a schema can have.
var typeNames = []string{"array", "boolean", "integer", "number", "object", "string"}

// IsType reports whether a schema may have a type.
func IsType(name string) bool { return slices.Contains(typeNames, name) }

// unsupportedHints say what to do about each keyword that is not supported.
var unsupportedHints = map[string]string{
	"id":                "remove it, it has no effect",
	"$schema":           "remove it, it has no effect",
	"$ref":              "write out the schema that it refers to",
	"definitions":       "write each schema out where it is used",
	"dependencies":      "express it in a CEL rule (x-kubernetes-validations)",
	"patternProperties": "use additionalProperties, and a CEL rule about the keys",
	"additionalItems":   "describe all items with items",
	"items":             "one schema has to fit every item",
	PreserveKey:         "it can only be true: remove it",
}
