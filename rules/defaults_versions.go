package rules

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var differingDefault = &engine.Rule{
	ID:       "default-differs-between-versions",
	Summary:  "defaults that differ between versions that are converted by strategy None",
	Severity: lint.Warning,
	Run:      differingDefaults,
}

func differingDefaults(p *engine.Pass) {
	if strategy := crd.StringAt(p.CRD.Node, "spec", "conversion", "strategy"); strategy != "" && strategy != "None" {
		return
	}
	storage := storageVersion(p.CRD)
	if storage == nil || storage.Root() == nil || p.CRD.Version != crd.V1 {
		return
	}
	stored := map[string]*crd.Schema{}
	for s := range storage.Root().All() {
		if !s.InJunctor() {
			stored[s.FieldPath()] = s
		}
	}
	for _, v := range p.CRD.Versions() {
		if !v.Served || v.Storage {
			continue
		}
		var all []*engine.Finding
		for s := range v.Root().All() {
			other, both := stored[s.FieldPath()]
			if s.InJunctor() || !both || sameDefault(s.Get("default"), other.Get("default")) {
				continue
			}
			all = append(all, reportDiffering(p, s, other, v.Name, storage.Name))
		}
		engine.Together(all)
	}
}

// sameDefault reports whether two defaults mean the same: generators write an empty one where others write none.
func sameDefault(a, b *yaml.Node) bool {
	return asGoodAsNone(a) && asGoodAsNone(b) || asText(a) == asText(b)
}

// asGoodAsNone reports whether a default is none, or as good as none.
func asGoodAsNone(n *yaml.Node) bool {
	switch asText(n) {
	case "", `""`, "{}", "[]":
		return true
	}
	return false
}

func reportDiffering(p *engine.Pass, s, stored *crd.Schema, version, storage string) *engine.Finding {
	at := s.KeyOf("default")
	if s.Get("default") == nil {
		at = stored.KeyOf("default")
	}
	f := p.Reportf(at, "%s", differing(text.Path(s.FieldPath()), s.Get("default"), stored.Get("default"), version, storage))
	f.Versions = []string{version, storage}
	f.PatchedBy = bringsWebhook
	return f
}

// differing says how two defaults of a field differ, of which one may be missing.
func differing(field text.Text, is, stored *yaml.Node, version, storage string) text.Text {
	in, but := text.Value(version), text.Value(storage)
	switch {
	case is == nil:
		return text.Sprintf("%s has no default in %s, but the default %s in the storage version %s", field, in, text.Value(asText(stored)), but)
	case stored == nil:
		return text.Sprintf("%s has the default %s in %s, but none in the storage version %s", field, text.Value(asText(is)), in, but)
	}
	return text.Sprintf("the default of %s is %s in %s, but %s in the storage version %s", field, text.Value(asText(is)), in, text.Value(asText(stored)), but)
}

// asText is a value as JSON, "" for none.
func asText(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	raw, err := yaml11.ToJSON(n)
	if err != nil {
		return n.Value
	}
	return string(raw)
}
