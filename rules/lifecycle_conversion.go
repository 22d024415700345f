package rules

import (
	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// converterRules are about what converts between versions. A webhook that is new, or another one, is no change of the API.
var converterRules = []*engine.Rule{
	{
		ID:       "conversion-webhook-removed",
		Summary:  "conversion webhooks that are gone while versions differ",
		Severity: lint.Error,
		Run: func(p *engine.Pass) {
			for _, c := range comparison(p).Changes {
				if c.Field == "spec.conversion.strategy" && c.Old == "Webhook" {
					webhookRemoved(p, c)
				}
			}
		},
	},
}

// webhookRemoved reports a webhook that is gone, of every two versions that lose fields to each other without it.
func webhookRemoved(p *engine.Pass, c *compare.Change) {
	limit := limitOf(p, "", false)
	if limit == lint.Off {
		return
	}
	for _, pair := range unconverted(p) {
		has, lacks := pair[0], pair[1]
		lost := fieldsLost(has.Root(), lacks.Root())
		if len(lost) == 0 && lacks.Served {
			has, lacks = lacks, has
			lost = fieldsLost(has.Root(), lacks.Root())
		}
		if len(lost) == 0 {
			continue
		}
		var paths []string
		for _, field := range lost {
			paths = append(paths, field.FieldPath())
		}
		f := p.Reportf(crd.Place{Node: c.Is().Node, Path: c.IsPath()},
			"the conversion webhook was removed, and what %s has and %s has not is pruned away: %s",
			text.Value(has.Name), text.Value(lacks.Name), text.Names(paths)).AtMost(limit)
		f.Versions = []string{lacks.Name, has.Name}
		f.Old, f.New = c.Old, c.New
		f.PatchedBy = bringsWebhook
		p.Was(f, c.Was(), "was here")
	}
}
