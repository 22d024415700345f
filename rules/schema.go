package rules

import (
	"fmt"
	"strings"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// fieldName is what a schema describes, in a message: the field as users of the custom resource know it. Long paths lose
// their beginning.
func fieldName(s *crd.Schema) text.Text {
	if s == nil {
		return text.Sprintf("the schema")
	}
	path := s.FieldPath()
	if path == "" {
		return text.Sprintf("the root")
	}
	return short(path)
}

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

// refusedAt says whether the API server has an error of a rule at a path of its internal type.
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

// editing is a fix that changes the schema at each of some paths.
func editing(title string, safe bool, paths []string, edit func(*crd.Schema) bool) *engine.Fix {
	return &engine.Fix{Title: title, Safe: safe, Reveals: true, Apply: func(c *crd.CRD) bool {
		did := false
		for _, path := range paths {
			if s, rest := c.SchemaAt(path); s != nil && len(rest) == 0 {
				did = edit(s) || did
			}
		}
		return did
	}}
}

// writing names the keywords that a fix writes, with their values; the fix may be nil.
func writing(fix *engine.Fix, keywords ...string) *engine.Fix {
	if fix != nil {
		fix.Writes = keywords
	}
	return fix
}

// removing is a fix that takes a keyword out of schemas.
func removing(keyword string, safe bool, paths []string) *engine.Fix {
	return editing("remove "+keyword, safe, paths, func(s *crd.Schema) bool {
		return len(layout.Remove(s.Node, keyword)) > 0
	})
}

// repairing is a fix that makes one of the repairs that convert makes, too. It is nil where there is nothing to do.
func repairing(p *engine.Pass, title string, paths []string, do func(*repair.Single) policy.Class) *engine.Fix {
	wanted := repair.Policy{Pruned: prunes(p), KeepUnknown: true, InferTypes: true}
	class := tryRepair(p, paths, wanted, do)
	if class == "" {
		wanted.Loosen = true
		if class = tryRepair(p, paths, wanted, do); class == "" {
			return nil
		}
	}
	return &engine.Fix{Title: title, Safe: class == policy.Safe, Reveals: true, Apply: func(c *crd.CRD) bool {
		did := false
		for _, path := range paths {
			if s := repair.At(c, path, wanted); s != nil {
				did = do(s) != "" || did
			}
		}
		return did
	}}
}

// tryRepair makes a repair on a copy of the schema.
func tryRepair(p *engine.Pass, paths []string, wanted repair.Policy, do func(*repair.Single) policy.Class) policy.Class {
	if s := repair.At(p.CRD, paths[0], wanted); s != nil {
		return do(s.Copy())
	}
	return ""
}

// prunes says whether the API server drops fields that the schema does not declare.
func prunes(p *engine.Pass) bool {
	hub := p.Hub()
	return hub != nil && hub.Spec.PreserveUnknownFields != nil && !*hub.Spec.PreserveUnknownFields
}
