package rules

import (
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// sampleMissing is about CRDs beside which other CRDs of the group have objects: where nobody keeps samples, nobody asked for
// one.
var sampleMissing = &engine.Rule{
	ID:       "sample-missing",
	Summary:  "CRDs without a custom resource to judge",
	Severity: lint.Warning,
	Preset:   lint.Strict,
	Samples: func(s *engine.SampleSet) {
		for _, d := range s.Definitions {
			for _, v := range d.Tree().Versions() {
				if v.Storage && v.Served && s.HasGroup(d) && !s.Has(d, v.Name) {
					s.Reportf(d, v, "there is no sample of %s at %s", d.Hub.Spec.Names.Kind, v.Name)
				}
			}
		}
	},
}
