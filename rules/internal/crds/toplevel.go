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

var topLevelRules = []*engine.Rule{
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
			message := fmt.Sprintf("all versions have the same %s; v1beta1 wants it once, as spec.%s", field.V1, field.V1beta1)
			if len(versions) == 1 {
				message = fmt.Sprintf("the only version has %s of its own; v1beta1 wants it as spec.%s", field.V1, field.V1beta1)
			}
			f := p.Refuse(at, message)
			if layout.CanHoist(crd.Get(p.CRD.Node, "spec"), field) {
				f.Fix = &engine.Fix{Title: "move it to spec." + field.V1beta1, Safe: true, Apply: func(c *crd.CRD) bool {
					return layout.Hoist(crd.Get(c.Node, "spec"), field)
				}}
			}
		}),
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

var emptyRules = []*engine.Rule{
	Check(lint.Error, "empty-top-level-columns", "v1beta1 manifests whose empty top-level columns would replace those of the versions",
		emptyColumns),
	convention("empty-stanza", "schemas, subresources and lists of columns that hold nothing", emptyStanzas),
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
	look := func(at crd.Place, fields ...string) {
		for _, field := range fields {
			if k, v := crd.Lookup(at.Node, field); k != nil && isEmptyCollection(v) {
				empty := at.KeyOf(field)
				p.Reportf(empty, "%s is empty and has no effect; remove it", field).Fix = removeAt("remove the empty "+field, true, empty.Path)
			}
		}
	}
	if p.CRD.Version == crd.V1beta1 {
		fields := []string{"validation", "subresources", "additionalPrinterColumns"}
		if wipingColumns(p.CRD) {
			fields = fields[:2]
		}
		look(writtenAt(p.CRD, "spec"), fields...)
	}
	for _, v := range writtenAt(p.CRD, "spec", "versions").Items() {
		fields := []string{"subresources", "additionalPrinterColumns", "selectableFields"}
		if p.CRD.Version == crd.V1beta1 {
			fields = append(fields[:2:2], "schema") // in v1, schema-required tells
		}
		look(v, fields...)
	}
}
