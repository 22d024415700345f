package crds

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
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
