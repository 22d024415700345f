package rules

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var topLevelRules = []*engine.Rule{
	&engine.Rule{
		ID:       "top-level-and-per-version",
		Summary:  "v1beta1 manifests that have the same thing at the top level and in versions",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			names := topLevelNames[r.Row]
			f := p.Refusef(topLevelKey(p.CRD, names.top), "%s stands beside %s of single versions; have it in one place only", names.top, names.version)
			for i, v := range itemsOf(crd.Get(p.CRD.Node, "spec", "versions")) {
				if k, _ := crd.Lookup(v, names.version); k != nil && hasValue(v, names.version) {
					f.Related = append(f.Related, keyAt(p, k, fmt.Sprintf("%s of versions[%d]", names.version, i)))
				}
			}
		}),
	},
	&engine.Rule{
		ID:       "per-version-identical",
		Summary:  "v1beta1 manifests where all versions have the same schema, subresources or printer columns",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			names := topLevelNames[r.Row]
			versions := itemsOf(crd.Get(p.CRD.Node, "spec", "versions"))
			at := r.At
			if len(versions) > 0 {
				if k, _ := crd.Lookup(versions[0], names.version); k != nil {
					at = crd.Place{Node: k, Path: "spec.versions[0]." + names.version}
				}
			}
			message := fmt.Sprintf("all versions have the same %s; v1beta1 wants it once, as spec.%s", names.version, names.top)
			if len(versions) == 1 {
				message = fmt.Sprintf("the only version has %s of its own; v1beta1 wants it as spec.%s", names.version, names.top)
			}
			f := p.Refuse(at, message)
			if canHoist(p.CRD, names.version, names.top) {
				f.Fix = &engine.Fix{Title: "move it to spec." + names.top, Safe: true, Apply: func(c *crd.CRD) bool {
					return canHoist(c, names.version, names.top) && hoistField(c, names.version, names.top)
				}}
			}
		}),
	},
}

// topLevelNames are what a row's field is called in a version and at the top level.
var topLevelNames = map[apiserver.Row]struct{ version, top string }{
	apiserver.ValidationTwice:       {"schema", "validation"},
	apiserver.SchemasIdentical:      {"schema", "validation"},
	apiserver.SubresourcesTwice:     {"subresources", "subresources"},
	apiserver.SubresourcesIdentical: {"subresources", "subresources"},
	apiserver.ColumnsTwice:          {"additionalPrinterColumns", "additionalPrinterColumns"},
	apiserver.ColumnsIdentical:      {"additionalPrinterColumns", "additionalPrinterColumns"},
}

func topLevelKey(c *crd.CRD, name string) crd.Place {
	spec := crd.Place{Node: crd.Get(c.Node, "spec"), Path: "spec"}
	if k, _ := crd.Lookup(spec.Node, name); k == nil {
		return spec
	}
	return spec.Key(spec.Node, name)
}

// canHoist reports whether the top level is free for a field of the versions, and each of them has it itself: what comes
// through a merge key cannot be taken out.
func canHoist(c *crd.CRD, from, to string) bool {
	spec := crd.Get(c.Node, "spec")
	versions := itemsOf(crd.Get(spec, "versions"))
	return len(versions) > 0 && !hasValue(spec, to) && !slices.ContainsFunc(versions, func(version *yaml.Node) bool {
		k, _ := crd.Lookup(version, from)
		return k == nil || !slices.Contains(crd.Deref(version).Content, k)
	})
}

// hoistField moves the first version's value of a field to the top level and removes the others'.
func hoistField(c *crd.CRD, from, to string) bool {
	spec := crd.Get(c.Node, "spec")
	versions := itemsOf(crd.Get(spec, "versions"))
	k, v := takeEntry(versions[0], from)
	if v.Kind == yaml.AliasNode { // its anchor may stand in what is removed now
		v = crd.Clone(crd.Deref(v))
		repair.StripAnchors(v)
	}
	for _, other := range versions[1:] {
		repair.Remove(other, from)
	}
	putEntry(spec, k, v, to)
	return true
}
