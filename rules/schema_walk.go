package rules

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A keywords is a set of kinds of keywords. Most rules look for one that few schemas have.
type keywords uint16

const (
	forNumbers keywords = 1 << iota // minimum, maximum, multipleOf, ...
	forStrings                      // pattern, minLength, maxLength
	forArrays                       // items, minItems, ...
	forObjects                      // properties, required, ...
	bounding                        // minimum, maxLength, ...
	hasEnum
	hasFormat
	hasRequired
	hasListType
	hasJunctor
)

// kinds say of which kinds a keyword is.
var kinds = map[string]keywords{
	"minimum": forNumbers | bounding, "maximum": forNumbers | bounding, "multipleOf": forNumbers,
	"exclusiveMinimum": forNumbers, "exclusiveMaximum": forNumbers,
	"minLength": forStrings | bounding, "maxLength": forStrings | bounding, "pattern": forStrings,
	"minItems": forArrays | bounding, "maxItems": forArrays | bounding, "items": forArrays,
	"minProperties": forObjects | bounding, "maxProperties": forObjects | bounding, "properties": forObjects,
	"required": forObjects | hasRequired, "additionalProperties": forObjects,
	"enum": hasEnum, "format": hasFormat, listTypeKey: hasListType,
	"allOf": hasJunctor, "anyOf": hasJunctor, "oneOf": hasJunctor, "not": hasJunctor,
}

// ofType are the kinds of keywords that are looked at for a type.
var ofType = map[string]keywords{
	"integer": forNumbers, "number": forNumbers, "string": forStrings, "array": forArrays, "object": forObjects, "boolean": 0,
}

// A walked is a schema, and what it is made of.
type walked struct {
	*crd.Schema
	keywords keywords
	typ      string // its type; "" when it has none, or it takes a closer look to say
}

// A walkedRoot is the root schema of a version, and all below it.
type walkedRoot struct {
	version crd.APIVersion
	root    *crd.Schema
	all     []walked
}

type walkedKey struct{}

// roots are the schemas of the versions. One that versions share is there once.
func roots(p *engine.Pass) []walkedRoot {
	return engine.Memo(p, walkedKey{}, func() []walkedRoot {
		var all []walkedRoot
		seen := map[*yaml.Node]bool{}
		for _, v := range p.CRD.Versions() {
			root := v.Root()
			if root == nil || seen[crd.Deref(root.Node)] {
				continue
			}
			seen[crd.Deref(root.Node)] = true
			r := walkedRoot{version: v, root: root}
			for s := range root.All() {
				r.all = append(r.all, look(s))
			}
			all = append(all, r)
		}
		return all
	})
}

// look finds what a schema is made of. Merge keys bring in what is not seen here: such a schema may have everything.
func look(s *crd.Schema) walked {
	w := walked{Schema: s}
	content := crd.Deref(s.Node).Content
	for i := 0; i+1 < len(content); i += 2 {
		k, v := content[i], content[i+1]
		w.keywords |= kinds[k.Value]
		switch {
		case yaml11.IsMerge(k) || k.Kind != yaml.ScalarNode:
			w.keywords = ^keywords(0)
		case k.Value == "type" && v.Kind == yaml.ScalarNode:
			w.typ = v.Value
		}
	}
	return w
}

// eachSchema visits the schemas of all versions that have a keyword of one of some kinds.
func eachSchema(p *engine.Pass, with keywords, visit func(walked)) {
	for _, r := range roots(p) {
		for _, s := range r.all {
			if s.keywords&with != 0 {
				visit(s)
			}
		}
	}
}

// isType reports whether a schema may have a type.
func isType(name string) bool { return slices.Contains(typeNames, name) }

// ofNoType reports whether schema-type-invalid tells that the type of a schema does not exist. What else the server says of
// such a type only follows from that. v1beta1 takes any word.
func ofNoType(p *engine.Pass, s *crd.Schema) bool {
	return p.CRD.Version == crd.V1 && s.Type() != "" && !isType(s.Type())
}

// typeNames are the types that a schema can have.
var typeNames = []string{"array", "boolean", "integer", "number", "object", "string"}

// eachTogether reports the schemas of a version that something holds for. The format gets the name of each.
func eachTogether(p *engine.Pass, holds func(walked) bool, format string) {
	for _, r := range roots(p) {
		var all []*engine.Finding
		for _, s := range r.all {
			if holds(s) {
				all = append(all, p.Reportf(s.Schema.Place, format, fieldName(s.Schema)))
			}
		}
		engine.Together(all)
	}
}
