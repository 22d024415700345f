package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// defaultPractices are about defaults that the API server takes.
var defaultPractices = []*engine.Rule{
	Check(lint.Error, "default-unchecked", "defaults that the API server does not check, and rejects objects for", uncheckedDefaults),
	Check(lint.Warning, "default-null", "defaults and examples that are null", nullDefaults),
	convention("default-unreachable", "defaults inside of optional objects that have no default", unreachableDefaults),
	{
		ID:       "default-and-required",
		FixesGo:  true,
		Summary:  "required fields that have a default",
		Severity: lint.Info,
		Preset:   lint.All,
		Run:      requiredDefaults,
	},
	Check(lint.Warning, "default-differs-between-versions", "defaults that differ between versions that are converted by strategy None",
		differingDefaults),
}

func nullDefaults(p *engine.Pass) {
	for s := range p.CRD.Schemas() {
		for _, keyword := range []string{"default", "example"} {
			if value := s.Value(keyword); value != nil && crd.IsNull(value) {
				at := s.KeyOf(keyword)
				p.Reportf(at, "%s: null means no %s; remove it", keyword, keyword).Fix = removeAt("remove "+keyword+": null", true, at.Path)
			}
		}
	}
}

// absentAround is the object around a schema whose absence keeps the schema's default from being filled in; nil when
// there is none. Items of lists and values of maps are there when the user writes them.
func absentAround(s *crd.Schema) *crd.Schema {
	for up := s.Parent; up != nil && up.Via == "properties" && up.Parent != nil && up.Parent.Parent != nil; up = up.Parent {
		if up.Get("default") == nil && !up.Parent.Required(up.Name) {
			return up
		}
	}
	return nil
}

func unreachableDefaults(p *engine.Pass) {
	var all []*engine.Finding
	for s := range p.CRD.Schemas() {
		if s.InJunctor() || s.Via != "properties" || asGoodAsNone(s.Get("default")) {
			continue
		}
		if up := absentAround(s); up != nil {
			f := p.Reportf(s.KeyOf("default"), "the default of %s applies only where %s is set, which is optional; give %[2]s a default as well",
				text.Path(s.FieldPath()), text.Path(up.FieldPath()))
			f.Remedy = emptyDefaults(up)
			all = append(all, f)
		}
	}
	engine.Together(all)
}

// emptyDefaults are empty objects as the defaults of one and of those around it that may be absent as well. There are none
// where objects could be rejected for that: an empty object lacks what is required, or constraints look at which members are
// there, as those of a union do.
func emptyDefaults(absent *crd.Schema) (remedy []lint.Change) {
	for ; absent != nil; absent = absentAround(absent) {
		for _, name := range crd.Strings(absent.Get("required")) {
			if p := absent.Property(name); p == nil || p.Get("default") == nil {
				return []lint.Change{}
			}
		}
		if constrainsMembers(absent) || constrainsMembers(absent.Parent) {
			return []lint.Change{}
		}
		remedy = append(remedy, lint.Change{Path: absent.Path, Keyword: "default", Value: map[string]any{}})
	}
	return remedy
}

// constrainsMembers reports whether a schema has constraints that may depend on which members an object has, besides
// required.
func constrainsMembers(s *crd.Schema) bool {
	return slices.ContainsFunc([]string{"minProperties", "maxProperties", "allOf", "anyOf", "oneOf", "not", "x-kubernetes-validations"},
		func(keyword string) bool { return s.Get(keyword) != nil })
}

func requiredDefaults(p *engine.Pass) {
	var all []*engine.Finding
	for s := range p.CRD.Schemas() {
		if !s.InJunctor() && s.Via == "properties" && s.Get("default") != nil && s.Parent.Required(s.Name) && !isListMapKey(s) {
			f := p.Reportf(s.KeyOf("default"), "required has no effect on %s, because its default comes first; drop one of the two",
				text.Path(s.FieldPath()))
			f.Remedy = []lint.Change{listWithout(s.Parent.At("required"), func(name string) bool { return name == s.Name })}
			all = append(all, f)
		}
	}
	engine.Together(all)
}

func isListMapKey(s *crd.Schema) bool {
	item := s.Parent
	return item != nil && item.Via == "items" &&
		slices.Contains(crd.Strings(item.Parent.Get(MapKeysKey)), s.Name)
}

func differingDefaults(p *engine.Pass) {
	if strategy := crd.StringAt(p.CRD.Node, "spec", "conversion", "strategy"); strategy != "" && strategy != "None" {
		return
	}
	storage := StorageVersion(p.CRD)
	if storage == nil || storage.Root() == nil || p.CRD.Version != crd.V1 {
		return
	}
	compared := slices.DeleteFunc(p.CRD.Versions(), func(v crd.APIVersion) bool { return !v.Served || v.Storage })
	if len(compared) == 0 || !slices.ContainsFunc(append(compared, *storage), hasDefaults) {
		return
	}
	stored := map[string]*crd.Schema{}
	for s := range storage.Root().All() {
		if !s.InJunctor() {
			stored[s.FieldPath()] = s
		}
	}
	for _, v := range compared {
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

func hasDefaults(v crd.APIVersion) bool {
	for s := range v.Root().All() {
		if s.Get("default") != nil {
			return true
		}
	}
	return false
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
	f.PatchedBy = &NoWebhook
	f.Remedy = []lint.Change{origin.ToChoose(s.Path, "default")}
	return f
}

// differing says how two defaults of a field differ, of which one may be missing.
func differing(field text.Text, is, stored *yaml.Node, version, storage string) text.Text {
	in, but := text.Value(version), text.Value(storage)
	switch {
	case is == nil:
		return text.Sprintf("%s has no default in %s, but the default %s in the storage version %s; write the same in both", field, in, text.Value(asText(stored)), but)
	case stored == nil:
		return text.Sprintf("%s has the default %s in %s, but none in the storage version %s; write the same in both", field, text.Value(asText(is)), in, but)
	}
	return text.Sprintf("the default of %s is %s in %s, but %s in the storage version %s; write the same in both", field, text.Value(asText(is)), in, text.Value(asText(stored)), but)
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
