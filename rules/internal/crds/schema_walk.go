package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/rules/internal/words"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A scannedSchema is a schema, and what it is made of.
type scannedSchema struct {
	*crd.Schema
	keywords    keywordKinds
	typ         string     // its type; "" when it has none, or it takes a closer look to say
	description *yaml.Node // its description; nil when it has none, or it takes a closer look to say
}

// A scannedRoot is the root schema of a version, and all below it.
type scannedRoot struct {
	version crd.APIVersion
	root    *crd.Schema
	all     []scannedSchema
}

type scannedKey struct{}

// scannedRoots are the schemas of the versions. One that versions share is there once.
func scannedRoots(p *engine.Pass) []scannedRoot {
	return engine.Memo(p, scannedKey{}, func() []scannedRoot {
		var all []scannedRoot
		seen := map[*yaml.Node]bool{}
		for _, v := range p.CRD.Versions() {
			root := v.Root()
			if root == nil || seen[crd.Deref(root.Node)] {
				continue
			}
			seen[crd.Deref(root.Node)] = true
			r := scannedRoot{version: v, root: root}
			for s := range root.All() {
				r.all = append(r.all, scanSchema(s))
			}
			all = append(all, r)
		}
		return all
	})
}

// scanSchema finds what a schema is made of. Merge keys bring in what is not seen here: such a schema may have everything.
func scanSchema(s *crd.Schema) scannedSchema {
	w := scannedSchema{Schema: s}
	content := crd.Deref(s.Node).Content
	for i := 0; i+1 < len(content); i += 2 {
		k, v := content[i], content[i+1]
		w.keywords |= kindsOfKeyword[k.Value]
		switch {
		case yaml11.IsMerge(k) || k.Kind != yaml.ScalarNode:
			w.keywords = ^keywordKinds(0)
		case k.Value == "description":
			w.description = v
		case k.Value == "type" && v.Kind == yaml.ScalarNode:
			w.typ = v.Value
		}
	}
	return w
}

// eachSchema visits the schemas of all versions that have a keyword of one of some kinds.
func eachSchema(p *engine.Pass, with keywordKinds, visit func(scannedSchema)) {
	for _, r := range scannedRoots(p) {
		for _, s := range r.all {
			if s.keywords&with != 0 {
				visit(s)
			}
		}
	}
}

// ofNoType reports whether schema-type-invalid tells that the type of a schema does not exist. What else the server says of
// such a type only follows from that. v1beta1 takes any word.
func ofNoType(p *engine.Pass, s *crd.Schema) bool {
	return p.CRD.Version == crd.V1 && s.Type() != "" && !IsType(s.Type())
}

// eachTogether reports the schemas of a version that something holds for, and returns the findings. The format gets the name
// of each.
func eachTogether(p *engine.Pass, holds func(scannedSchema) bool, format string) (found []*engine.Finding) {
	for _, r := range scannedRoots(p) {
		var all []*engine.Finding
		for _, s := range r.all {
			if holds(s) {
				all = append(all, p.Reportf(s.Schema.Place, format, words.FieldName(s.Schema)))
			}
		}
		engine.Together(all)
		found = append(found, all...)
	}
	return found
}

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
