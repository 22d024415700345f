package crds

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

var pruningRules = []*engine.Rule{
	refusal("schema-required", "versions without a schema", func(p *engine.Pass, r engine.Refusal) {
		version := namedVersion(p.CRD, r.Field)
		spec := crd.Get(p.CRD.Node, "spec")
		top, _ := crd.Lookup(spec, "validation")
		var f *engine.Finding
		switch {
		case p.CRD.Version == crd.V1 && (top != nil || wrapperMissing(p, r.At.Path)):
			// that it stands in the wrong place, or lacks openAPIV3Schema, is told there
			return
		case p.CRD.Version == crd.V1:
			f = p.Refusef(r.At, "version %s has no schema.openAPIV3Schema; v1 wants one in every version", version)
		default:
			f = p.Refusef(r.At, "version %s is served without a schema; with preserveUnknownFields: false all its fields would be pruned", version)
		}
		if stubFits(p.CRD) {
			f.Fix = &engine.Fix{Title: "write a schema that keeps everything", Apply: writeStubs, Reveals: true}
		}
	}),
	{
		ID:       "preserve-unknown-fields-true",
		Follows:  []string{"default-requires-pruning"},
		Summary:  "preserveUnknownFields: true in v1",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			f := p.Refuse(r.At, "v1 refuses preserveUnknownFields: true; remove it and mark objects with x-kubernetes-preserve-unknown-fields: true")
			f.Fix = &engine.Fix{Title: "mark every object in the schemas instead", Reveals: true, Apply: func(c *crd.CRD) bool {
				spec := crd.Get(c.Node, "spec")
				if keeps, _ := crd.BoolAt(spec, "preserveUnknownFields"); !keeps {
					return false
				}
				if top, _ := crd.Lookup(spec, "validation"); top != nil {
					return false // a v1beta1 manifest in all but its apiVersion
				}
				layout.Remove(spec, "preserveUnknownFields")
				repair.Schemas(c, repair.Policy{KeepUnknown: true})
				return true
			}}
		}),
	},
}

// namedVersion is the name, quoted, of the version that a path of the internal type is about.
func namedVersion(c *crd.CRD, path string) text.Text {
	versions := c.Versions()
	steps := crd.Steps(path)
	for _, v := range versions {
		if len(steps) > 2 && steps[2] == fmt.Sprint(v.Index) && v.Name != "" {
			return text.Quoted(v.Name)
		}
	}
	if len(steps) > 2 {
		return text.Value(steps[2])
	}
	return text.Text{}
}

// stubFits reports whether a schema that keeps everything is what a CRD lacks, rather than the right place for the schema
// that it has.
func stubFits(c *crd.CRD) bool {
	empty := func(n *yaml.Node) bool {
		return n == nil || crd.IsNull(n) || n.Kind == yaml.MappingNode && len(n.Content) == 0
	}
	for _, n := range crd.Items(writtenAt(c, "spec", "versions").Node) {
		if schema := crd.Get(n, "schema"); !empty(schema) && crd.Get(schema, "openAPIV3Schema") == nil {
			return false
		}
	}
	return empty(crd.Get(c.Node, "spec", "validation"))
}

// writeStubs writes schemas that keep everything for all versions without one: in v1beta1, where no version has one,
// a single one, since it refuses equal schemas in all versions.
func writeStubs(c *crd.CRD) bool {
	if !stubFits(c) {
		return false
	}
	var without []*yaml.Node
	versions := crd.Items(writtenAt(c, "spec", "versions").Node)
	for _, n := range versions {
		if n = crd.Deref(n); n.Kind == yaml.MappingNode && crd.Get(n, "schema", "openAPIV3Schema") == nil {
			without = append(without, n)
		}
	}
	if c.Version != crd.V1 && len(without) == len(versions) {
		spec := crd.Get(c.Node, "spec")
		if crd.Get(spec, "validation", "openAPIV3Schema") != nil {
			return false
		}
		repair.KeepEverything(spec, "validation")
		return true
	}
	for _, n := range without {
		repair.KeepEverything(n, "schema")
	}
	return len(without) > 0
}

// wrapperMissing reports whether the schema of a version is there, but without openAPIV3Schema around it.
func wrapperMissing(p *engine.Pass, version string) bool {
	return slices.ContainsFunc(unknownFields(p)[schemaWrapperID], func(u crd.UnknownField) bool { return crd.Within(u.Place.Path, version) })
}
