package crds

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var keepingRules = []*engine.Rule{
	{
		ID:       "schema-missing",
		Summary:  "v1beta1 CRDs without any schema",
		Severity: lint.Info,
		Run: unlessConverted(func(p *engine.Pass) {
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
				p.Report(at, "no version has a schema: nothing is validated, and v1 refuses the manifest")
			}
		}),
	},
	{
		ID:       "preserve-unknown-fields-implicit",
		Summary:  "v1beta1 CRDs that do not say whether they keep unknown fields",
		Severity: lint.Info,
		Run: unlessConverted(func(p *engine.Pass) {
			if p.CRD.Version == crd.V1beta1 && p.Hub() != nil && writtenAt(p.CRD, "spec", "preserveUnknownFields").Node == nil {
				at, _ := p.CRD.Resolve([]string{"spec"})
				p.Report(at, "preserveUnknownFields is not set and means true in v1beta1, but false in v1; say which is meant")
			}
		}),
	},
	convention("preserve-unknown-fields-redundant", "preserveUnknownFields: false in v1", func(p *engine.Pass) {
		at := writtenAt(p.CRD, "spec", "preserveUnknownFields")
		if keeps, ok := crd.BoolAt(at.Node); p.CRD.Version == crd.V1 && ok && !keeps {
			p.Report(at, "v1 knows no other value; remove it, unless it upgrades a CRD that was created through v1beta1").
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
			f := p.Reportf(s.KeyOf("additionalProperties"), "members of .%s that are objects lose all their fields; x-kubernetes-preserve-unknown-fields: true keeps them", text.Path(s.FieldPath()))
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
	convention("schema-preserve-unknown-root", "roots of schemas that keep unknown fields", func(p *engine.Pass) {
		if !prunes(p) {
			return
		}
		for _, v := range distinctVersions(p.CRD) {
			root := v.Root()
			if root == nil || !root.KeepsUnknown() {
				continue
			}
			var pruned, emptied []string
			for _, e := range crd.Entries(root.Get("properties")) {
				field := root.Property(e.Name)
				switch {
				case e.Name == "metadata" || field.Type() != "object" || field.KeepsUnknown() || field.Flag("x-kubernetes-embedded-resource"):
				case field.Get("additionalProperties") != nil:
				case len(crd.Entries(field.Get("properties"))) == 0:
					emptied = append(emptied, e.Name)
				default:
					pruned = append(pruned, e.Name)
				}
			}
			at := root.KeyOf(PreserveKey)
			if len(emptied) > 0 {
				p.Reportf(at, "the root keeps unknown fields, but %s, declared without fields, is emptied; put the mark there too", text.Names(emptied))
			} else if len(pruned) > 0 {
				p.Reportf(at, "unknown fields are kept at the root only; those of %s are pruned", text.Names(pruned))
			}
		}
	}),
	{
		ID:       "schema-not-structural-v1beta1",
		Follows:  []string{"schema-junctor-forbidden-field"},
		Summary:  "v1beta1 schemas that v1 refuses because they are not structural",
		Severity: lint.Warning,
		Run: unlessConverted(func(p *engine.Pass) {
			if p.CRD.Version != crd.V1beta1 || !p.Accepted() {
				return
			}
			problems := structuralProblems(p)
			if len(problems) == 0 {
				return
			}
			remedy := "crdlift convert makes it so"
			if len(obstacles(p)) > 0 {
				remedy = "other findings report what convert cannot fix"
			}
			var all []*engine.Finding
			seen := map[string]bool{}
			for _, problem := range problems {
				if at := p.CRD.Locate(problem.Field); !seen[at.Path] {
					seen[at.Path] = true
					all = append(all, p.Reportf(at, "the schema is not structural here, which v1 refuses; %s", remedy))
				}
			}
			engine.Together(all)
		}),
	},
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
