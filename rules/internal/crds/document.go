package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var documentRules = []*engine.Rule{
	{
		ID:       "yaml-duplicate-key",
		Reading:  true,
		Summary:  "keys that a mapping has twice",
		Severity: lint.Error,
		Run:      duplicateKeys,
	},
	{
		ID:       "wrong-type",
		Reading:  true,
		Summary:  "values that the API server cannot decode",
		Severity: lint.Error,
		Excess:   true,
		Run:      wrongTypes,
	},
	unknownField,
	v1beta1FieldInV1,
	v1FieldInV1beta1,
	schemaWrapperMissing,
	deprecatedAPIVersion,
	{
		ID:       "api-version-unknown",
		Summary:  "API versions of CustomResourceDefinitions that never existed",
		Severity: lint.Error,
		Excess:   true,
		Run: func(p *engine.Pass) {
			if v := p.WrittenVersion(); v != crd.V1 && v != crd.V1beta1 {
				p.Reportf(p.CRD.APIVersion(), "%s", v.Unknown())
			}
		},
	},
	manifestTooLarge,
}

// duplicateKeys reports every key but the first of those with the same name. Those of several manifests in one document are
// told by another rule.
func duplicateKeys(p *engine.Pass) {
	if hasPlainKeys(p) {
		return
	}
	joined := len(crd.Joined(p.CRD.Node)) > 0
	EachRepeated(p.CRD.Node, func(at crd.Place, name string, before *yaml.Node) {
		if joined && slices.Contains(p.CRD.Node.Content, at.Node) {
			return
		}
		first := relatedKey(p, before, "the first key of that name")
		f := p.Reportf(at, "the key %s is already at line %d; servers take the last and drop the others", text.Quoted(name), first.Pos.Line)
		f.Related = []lint.Related{first}
	})
}

// hasPlainKeys reports whether the keys of a CRD are all what they seem to be, each there once.
func hasPlainKeys(p *engine.Pass) bool {
	d, err := p.CRD.Decode()
	return err == nil && d.PlainKeys
}

// EachRepeated visits every key of a mapping but the first of those with the same name, with the first.
func EachRepeated(root *yaml.Node, visit func(at crd.Place, name string, before *yaml.Node)) {
	eachMapping(root, func() string { return "" }, func(m *yaml.Node, path func() string) {
		first := map[string]*yaml.Node{}
		for i := 0; i+1 < len(m.Content); i += 2 {
			key := m.Content[i]
			name, ok := yaml11.Key(key)
			if !ok || yaml11.IsMerge(key) {
				continue
			}
			if before := first[name]; before != nil {
				visit(crd.Place{Node: key, Path: crd.Member(path(), name)}, name, before)
			} else {
				first[name] = key
			}
		}
	})
}

// wrongTypes reports what keeps the API server from decoding the manifest. Text that is not base64 is left to the rule
// of the only field that holds any.
func wrongTypes(p *engine.Pass) {
	if p.DecodeError() == nil || p.CRD.Version != crd.V1 && p.CRD.Version != crd.V1beta1 {
		return
	}
	wrong := p.WrongTypes()
	if len(wrong) == 0 {
		p.Refusef(crd.Place{Node: p.CRD.Node}, "the API server cannot read this: %s", text.Foreign(p.DecodeError().Error()))
	}
	for _, w := range wrong {
		if w.Want == crd.Base64 {
			continue
		}
		f := p.Refusef(w.Place, "%s", w.Message())
		if w.Belongs != "" {
			f.Fix = moving("move "+crd.LastField(w.Belongs)+" out of properties", []string{w.Place.Path}, []string{w.Belongs})
		}
	}
}
