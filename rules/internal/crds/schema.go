package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// schemaOf is the schema that an error of the API server is about, and what of it: keyword and below. The schema is the
// last one on the way when there is no such one.
func schemaOf(p *engine.Pass, r engine.Refusal) (s *crd.Schema, rest []string) {
	return p.CRD.LocateSchema(r.Field)
}

// holderOf is the schema that has, or lacks, the keyword that an error of the API server is about.
func holderOf(p *engine.Pass, r engine.Refusal) (s *crd.Schema, keyword string) {
	s, rest := schemaOf(p, r)
	keyword = crd.LastField(r.Field)
	if s != nil && s.Parent != nil && len(rest) == 0 && s.Via == keyword && strings.HasSuffix(r.Field, "."+keyword) {
		s = s.Parent // the path leads into the keyword's own schema
	}
	return s, keyword
}

// alike says how many errors of the rule that runs, up to one of them, are at its path.
func alike(p *engine.Pass, r engine.Refusal) int {
	type place struct {
		field string
		row   apiserver.Row
	}
	type key struct{ rule string }
	return engine.Memo(p, key{p.Rule().ID}, func() map[*field.Error]int {
		at, upTo := map[place]int{}, map[*field.Error]int{}
		for _, r := range p.Refusals() {
			at[place{r.Field, r.Row}]++
			upTo[r.Error] = at[place{r.Field, r.Row}]
		}
		return upTo
	})[r.Error]
}

// refusedAt reports whether the API server has an error of a rule at a path of its internal type.
func refusedAt(p *engine.Pass, rule, path string) bool {
	type key struct{ rule string }
	return engine.Memo(p, key{rule}, func() map[string]bool {
		at := map[string]bool{}
		for _, r := range p.RefusalsOf(rule) {
			at[r.Field] = true
		}
		return at
	})[path]
}

// copies are the paths of the same schema in all versions that share it: of several equal schemas, upstream reports
// only one.
func copies(p *engine.Pass, r engine.Refusal, path string) []string {
	const root = ".schema.openAPIV3Schema"
	_, below, ok := strings.Cut(path, root)
	if p.CRD.Version != crd.V1 || !strings.HasPrefix(r.Field, "spec.validation.") || !ok {
		return []string{path}
	}
	var all []string
	for i := range p.CRD.Versions() {
		all = append(all, fmt.Sprintf("spec.versions[%d]%s%s", i, root, below))
	}
	return all
}

// prunes reports whether the API server drops fields that the schema does not declare.
func prunes(p *engine.Pass) bool {
	hub := p.Hub()
	return hub != nil && hub.Spec.PreserveUnknownFields != nil && !*hub.Spec.PreserveUnknownFields
}

// heldSchema is the schema of a version as the API server holds it; nil where there is none.
func heldSchema(hub *apiextensions.CustomResourceDefinition, index int) *apiextensions.JSONSchemaProps {
	schema := hub.Spec.Versions[index].Schema
	if schema == nil {
		schema = hub.Spec.Validation
	}
	if schema == nil {
		return nil
	}
	return schema.OpenAPIV3Schema
}

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
