package crds

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// deprecatedAPIVersion speaks for all that a conversion decides by itself.
var deprecatedAPIVersion = idle(whereServed, Check(lint.Error, "deprecated-api-version", "manifests of apiextensions.k8s.io/v1beta1", reportDeprecated))

func whereServed(c *lint.Config, _ bool) (why, todo string) {
	if isServed(c) {
		return fmt.Sprintf("reports nothing for Kubernetes %s, which serves v1beta1", c.KubernetesVersion), "set --kubernetes-version to 1.22 or newer"
	}
	return "", ""
}

// isServed reports whether the oldest server that manifests are for has v1beta1.
func isServed(c *lint.Config) bool { return c.KubernetesVersion.Before(22) }

func reportDeprecated(p *engine.Pass) {
	if !versionGone(p) {
		return
	}
	made := prospectOf(p)
	todo := "run 'crdlift convert'"
	switch {
	case p.File().Mask != nil && !p.Accepted(): // what an action prints is not known, and may be right
	case isTemplate(p):
		todo = "run 'crdlift convert' on the rendered manifest"
	case !p.Accepted():
		todo = "correct what v1beta1 servers reject, then run 'crdlift convert'"
	case p.CRD.List != nil:
		todo = "write it and the kind into each item, write apiVersion: v1 and kind: List for the list, then run 'crdlift convert'"
	case len(made.obstacles) > 0:
		todo = "correct what will not convert, then run 'crdlift convert'"
	case made.marks:
		todo = "run 'crdlift convert', which marks schemas to keep unknown fields"
	}
	f := p.Reportf(p.CRD.APIVersion(), "apiextensions.k8s.io/v1beta1 is gone since Kubernetes 1.22; %s", todo)
	if at, _, ok := p.Document().Span(p.CRD.APIVersion().Node); ok && p.File().Mask.AsksServer(at) {
		f.AtMost(lint.Warning) // other servers may get another branch
	}
}

// isTemplate reports whether placeholders keep the manifest from being converted.
func isTemplate(p *engine.Pass) bool {
	if p.Accepted() {
		return len(obstacles(p)[engine.PlaceholderRule.ID]) > 0
	}
	foreseen, _ := conversion.Foresee(p.CRD, p.Config.Convert, p.Answer())
	return slices.ContainsFunc(foreseen, func(n *conversion.Note) bool { return n.ID == engine.PlaceholderRule.ID })
}

// versionGone reports whether no server that the manifest is for has its API version.
func versionGone(p *engine.Pass) bool {
	return p.CRD.Version == crd.V1beta1 && !isServed(p.Config)
}

// unlessConverted makes the Run of a rule that speaks of what a conversion decides by itself. Where the manifest is to be
// converted anyway, deprecated-api-version says so, and nothing is left to do about the rest; whoever names the rule, or
// takes the preset all, wants to know.
func unlessConverted(run func(*engine.Pass)) func(*engine.Pass) {
	return func(p *engine.Pass) {
		told, set := p.Config.Rules[deprecatedAPIVersion.ID]
		if versionGone(p) && !asked(p) && !(set && told == lint.Off) {
			return
		}
		run(p)
	}
}

func asked(p *engine.Pass) bool { return p.Rule().Asked(p.Config) }

var TopLevel = []*engine.Rule{
	refusal("top-level-and-per-version", "v1beta1 manifests that have the same thing at the top level and in versions",
		func(p *engine.Pass, r engine.Refusal) {
			field := topLevelFields[r.Row]
			f := p.Refusef(writtenAt(p.CRD, "spec").KeyOf(field.V1beta1), "%s is set at the top level, and %s in versions; keep one of them", field.V1beta1, field.V1)
			for i, v := range crd.Items(crd.Get(p.CRD.Node, "spec", "versions")) {
				if k, _ := crd.Lookup(v, field.V1); k != nil && crd.HasValue(v, field.V1) {
					f.Related = append(f.Related, relatedKey(p, k, fmt.Sprintf("%s of versions[%d]", field.V1, i)))
				}
			}
		}),
	refusal("per-version-identical", "v1beta1 manifests where all versions have the same schema, subresources or printer columns",
		func(p *engine.Pass, r engine.Refusal) {
			field := topLevelFields[r.Row]
			versions := crd.Items(crd.Get(p.CRD.Node, "spec", "versions"))
			at := r.At
			if len(versions) > 0 {
				if k, _ := crd.Lookup(versions[0], field.V1); k != nil {
					at = crd.Place{Node: k, Path: "spec.versions[0]." + field.V1}
				}
			}
			message := fmt.Sprintf("all versions have the same %s; move it to spec.%s, as v1beta1 requires", field.V1, field.V1beta1)
			if len(versions) == 1 {
				message = fmt.Sprintf("the only version has %s of its own; move it to spec.%s, as v1beta1 requires", field.V1, field.V1beta1)
			}
			f := p.Refuse(at, message)
			if layout.CanHoist(crd.Get(p.CRD.Node, "spec"), field) {
				f.Fix = &engine.Fix{Title: "move it to spec." + field.V1beta1, Safe: true, Apply: func(c *crd.CRD) bool {
					return layout.Hoist(crd.Get(c.Node, "spec"), field)
				}}
			}
		}),
	Check(lint.Error, "empty-top-level-columns", "v1beta1 manifests whose empty top-level columns would replace those of the versions",
		emptyColumns),
	convention("empty-stanza", "schemas, subresources and lists of columns that hold nothing", emptyStanzas),
}

// topLevelFields are the fields that rows are about.
var topLevelFields = map[apiserver.Row]layout.Field{
	apiserver.ValidationTwice:       layout.Schema,
	apiserver.SchemasIdentical:      layout.Schema,
	apiserver.SubresourcesTwice:     layout.Subresources,
	apiserver.SubresourcesIdentical: layout.Subresources,
	apiserver.ColumnsTwice:          layout.Columns,
	apiserver.ColumnsIdentical:      layout.Columns,
}

// wipingColumns reports whether empty columns at the top level replace those of a version.
func wipingColumns(c *crd.CRD) bool {
	return c.Version == crd.V1beta1 && isEmptyCollection(crd.Get(c.Node, "spec", "additionalPrinterColumns")) &&
		slices.ContainsFunc(crd.Items(crd.Get(c.Node, "spec", "versions")), func(v *yaml.Node) bool {
			return len(crd.Items(crd.Get(v, "additionalPrinterColumns"))) > 0
		})
}

func emptyColumns(p *engine.Pass) {
	if !wipingColumns(p.CRD) {
		unconvertible(p, nil) // other fields that stand in both places
		return
	}
	at := writtenAt(p.CRD, "spec").KeyOf("additionalPrinterColumns")
	p.Report(at, conversion.EmptyColumns).
		Fix = removeAt("remove the empty "+at.Path, false, at.Path)
}

// emptyStanzas reports what is empty where the API has it and where that has no other effect.
func emptyStanzas(p *engine.Pass) {
	if p.Generated() || p.CRD.InCluster() {
		return
	}
	report := func(empty crd.Place, field string) {
		p.Reportf(empty, "%s is empty and has no effect; remove it", field).Fix = removeAt("remove the empty "+field, true, empty.Path)
	}
	if p.CRD.Version == crd.V1beta1 {
		fields := []string{"validation", "subresources", "additionalPrinterColumns"}
		if wipingColumns(p.CRD) {
			fields = fields[:2]
		}
		eachField(writtenAt(p.CRD, "spec"), fields, isEmptyCollection, report)
	}
	for _, v := range writtenAt(p.CRD, "spec", "versions").Items() {
		fields := []string{"subresources", "additionalPrinterColumns", "selectableFields"}
		if p.CRD.Version == crd.V1beta1 {
			fields = append(fields[:2:2], "schema") // in v1, schema-required tells
		}
		eachField(v, fields, isEmptyCollection, report)
	}
}
