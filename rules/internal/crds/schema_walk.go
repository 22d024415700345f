package crds

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
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

// convention makes a rule about what not every author minds: the strictest preset alone has it.
func convention(id, summary string, run func(*engine.Pass)) *engine.Rule {
	return &engine.Rule{ID: id, Summary: summary, Severity: lint.Info, Preset: lint.All, Run: run}
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
