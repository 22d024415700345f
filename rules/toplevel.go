package rules

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/lint"
)

var topLevelRules = []*engine.Rule{
	{
		ID:       "top-level-and-per-version",
		Summary:  "v1beta1 manifests that have the same thing at the top level and in versions",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			field := topLevelFields[r.Row]
			f := p.Refusef(writtenAt(p.CRD, "spec").KeyOf(field.V1beta1), "%s stands beside %s of single versions; have it in one place only", field.V1beta1, field.V1)
			for i, v := range crd.Items(crd.Get(p.CRD.Node, "spec", "versions")) {
				if k, _ := crd.Lookup(v, field.V1); k != nil && crd.HasValue(v, field.V1) {
					f.Related = append(f.Related, relatedKey(p, k, fmt.Sprintf("%s of versions[%d]", field.V1, i)))
				}
			}
		}),
	},
	{
		ID:       "per-version-identical",
		Summary:  "v1beta1 manifests where all versions have the same schema, subresources or printer columns",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
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
	},
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
