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
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// presenceRules are about schemas that are there or not, and about what says that servers prune.
var presenceRules = []*engine.Rule{
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
			f = p.Refusef(r.At, "version %s has no schema.openAPIV3Schema; write one, which v1 requires in every version", version)
		default:
			f = p.Refusef(r.At, "version %s is served without a schema, and preserveUnknownFields: false has all its fields pruned; write a schema", version)
		}
		if stubFits(p.CRD) {
			f.Fix = &engine.Fix{Title: "write a schema that keeps everything", Apply: writeStubs, Reveals: true}
		}
	}),
	Following([]string{"default-requires-pruning"}, refusal("preserve-unknown-fields-true", "preserveUnknownFields: true in v1",
		func(p *engine.Pass, r engine.Refusal) {
			f := p.Refuse(r.At, "v1 rejects preserveUnknownFields: true; remove it, and set x-kubernetes-preserve-unknown-fields: true in object schemas")
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
		})),
	Check(lint.Info, "schema-missing", "v1beta1 CRDs without any schema", unlessConverted(func(p *engine.Pass) {
		if p.CRD.Version != crd.V1beta1 || p.Hub() == nil || prunes(p) {
			return
		}
		versions := p.CRD.Versions()
		for _, v := range versions {
			if v.Schema.Node != nil {
				return
			}
		}
		if len(versions) > 0 && stubFits(p.CRD) {
			at, _ := p.CRD.Resolve([]string{"spec"})
			p.Report(at, "no version has a schema, so nothing is validated and v1 rejects the manifest; write one")
		}
	})),
	Check(lint.Info, "preserve-unknown-fields-implicit", "v1beta1 CRDs that do not say whether they keep unknown fields",
		unlessConverted(func(p *engine.Pass) {
			if p.CRD.Version == crd.V1beta1 && p.Hub() != nil && writtenAt(p.CRD, "spec", "preserveUnknownFields").Node == nil {
				at, _ := p.CRD.Resolve([]string{"spec"})
				p.Report(at, "preserveUnknownFields is not set, so it is true in v1beta1 but false in v1; write false to drop unknown fields, or true to keep them")
			}
		})),
	convention("preserve-unknown-fields-redundant", "preserveUnknownFields: false in v1", func(p *engine.Pass) {
		at := writtenAt(p.CRD, "spec", "preserveUnknownFields")
		if keeps, ok := crd.BoolAt(at.Node); p.CRD.Version == crd.V1 && ok && !keeps {
			p.Report(at, "v1 allows only preserveUnknownFields: false, which is the default; remove it, unless the CRD was created through v1beta1").
				Fix = removeAt("remove preserveUnknownFields", false, at.Path)
		}
	}),
	convention("schema-additional-properties-boolean", "additionalProperties: true where unknown fields are pruned", func(p *engine.Pass) {
		if !prunes(p) {
			return
		}
		for s := range p.CRD.Schemas() {
			if !s.Flag("additionalProperties") || s.Parent == nil || s.InJunctor() {
				continue
			}
			f := p.Reportf(s.KeyOf("additionalProperties"), "objects in .%s lose all their fields; declare them, or write x-kubernetes-preserve-unknown-fields: true", text.Path(s.FieldPath()))
			f.Fix = &engine.Fix{Title: "write " + PreserveKey + ": true", Apply: func(c *crd.CRD) bool {
				at, complete := c.Resolve(crd.Steps(s.Path))
				always, _ := crd.BoolAt(at.Node, "additionalProperties")
				meant := crd.StringAt(at.Node, "additionalProperties") == "true" // of the wrong type, judged by what it means
				if !complete || !always && !meant {
					return false
				}
				repair.KeepMembers(crd.Deref(at.Node))
				return true
			}}
		}
	}),
	Following([]string{"schema-junctor-forbidden-field"},
		Check(lint.Warning, "schema-not-structural-v1beta1", "v1beta1 schemas that v1 rejects because they are not structural",
			unlessConverted(func(p *engine.Pass) {
				if p.CRD.Version != crd.V1beta1 || !p.Accepted() {
					return
				}
				problems := structuralProblems(p)
				if len(problems) == 0 {
					return
				}
				remedy := "run 'crdlift convert', which fixes it"
				if len(obstacles(p)) > 0 {
					remedy = "fix what other findings report about it"
				}
				var all []*engine.Finding
				seen := map[string]bool{}
				for _, problem := range problems {
					if at := p.CRD.Locate(problem.Field); !seen[at.Path] {
						seen[at.Path] = true
						all = append(all, p.Reportf(at, "the schema is not structural here, which v1 rejects; %s", remedy))
					}
				}
				engine.Together(all)
			}))),
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
// a single one, since it rejects equal schemas in all versions.
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

// structuralProblems are what v1 says of the structure of the schemas.
func structuralProblems(p *engine.Pass) (all field.ErrorList) {
	hub := p.Hub()
	check := func(at *field.Path, index int) {
		schema := heldSchema(hub, index)
		if schema == nil {
			return
		}
		s, err := structuralschema.NewStructural(schema)
		if err != nil {
			all = append(all, field.Invalid(at, "", err.Error()))
			return
		}
		all = append(all, structuralschema.ValidateStructural(at, s)...)
	}
	spec := field.NewPath("spec")
	if hub.Spec.Validation != nil && len(hub.Spec.Versions) > 0 {
		check(spec.Child("validation", "openAPIV3Schema"), 0)
		return all
	}
	for i := range hub.Spec.Versions {
		check(spec.Child("versions").Index(i).Child("schema", "openAPIV3Schema"), i)
	}
	return all
}
