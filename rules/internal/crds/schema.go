package crds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/rules/internal/words"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// inSchema is rejection for errors about a schema, or the last one on the way where there is no such one.
func inSchema(id, summary string, explain func(*engine.Pass, engine.Refusal, *crd.Schema)) *engine.Rule {
	return refusal(id, summary, func(p *engine.Pass, r engine.Refusal) {
		s, _ := p.CRD.LocateSchema(r.Field)
		explain(p, r, s)
	})
}

// holderOf is the schema that has, or lacks, the keyword that an error of the API server is about.
func holderOf(p *engine.Pass, r engine.Refusal) (s *crd.Schema, keyword string) {
	s, rest := p.CRD.LocateSchema(r.Field)
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

// roots are the schemas of the versions. One that versions share is there once.
func roots(p *engine.Pass) (all []*crd.Schema) {
	seen := map[*yaml.Node]bool{}
	for _, v := range p.CRD.Versions() {
		if root := v.Root(); root != nil && !seen[crd.Deref(root.Node)] {
			seen[crd.Deref(root.Node)] = true
			all = append(all, root)
		}
	}
	return all
}

func eachSchema(p *engine.Pass, visit func(*crd.Schema)) {
	for _, root := range roots(p) {
		for s := range root.All() {
			visit(s)
		}
	}
}

// ofNoType reports whether schema-type-invalid tells that the type of a schema does not exist. What else the server says of
// such a type only follows from that. v1beta1 takes any word.
func ofNoType(p *engine.Pass, s *crd.Schema) bool {
	return p.CRD.Version == crd.V1 && s.Type() != "" && !IsType(s.Type())
}

// together has what a function reports of the schemas of a version tied, and returns the findings.
func together(p *engine.Pass, report func(*crd.Schema) *engine.Finding) (found []*engine.Finding) {
	for _, root := range roots(p) {
		var all []*engine.Finding
		for s := range root.All() {
			if f := report(s); f != nil {
				all = append(all, f)
			}
		}
		engine.Together(all)
		found = append(found, all...)
	}
	return found
}

// eachTogether reports the schemas that something holds for. The format gets the name of each.
func eachTogether(p *engine.Pass, holds func(*crd.Schema) bool, format string) []*engine.Finding {
	return together(p, func(s *crd.Schema) *engine.Finding {
		if !holds(s) {
			return nil
		}
		return p.Reportf(s.Place, format, words.FieldName(s))
	})
}

const (
	PreserveKey    = "x-kubernetes-preserve-unknown-fields"
	intOrStringKey = "x-kubernetes-int-or-string"
	EmbeddedKey    = "x-kubernetes-embedded-resource"
	ListTypeKey    = "x-kubernetes-list-type"
	mapTypeKey     = "x-kubernetes-map-type"
	MapKeysKey     = "x-kubernetes-list-map-keys"
)

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
	"items":             "write one schema that fits every item",
	PreserveKey:         "it can only be true: remove it",
}
