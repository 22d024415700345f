package objects

import (
	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// sampleMissing is about CRDs beside which other CRDs of the group have objects: where nobody keeps samples, nobody asked for
// one.
var sampleMissing = &objectpass.Rule{
	ID:       "sample-missing",
	Summary:  "CRDs without a custom resource to judge",
	Severity: lint.Warning,
	Preset:   lint.All,
	Samples: func(s *objectpass.SampleSet) {
		for _, d := range s.Definitions {
			for _, v := range d.Tree().Versions() {
				if v.Storage && v.Served && s.HasGroup(d) && !s.Has(d, v.Name) {
					s.Reportf(d, v, "there is no sample of %s at %s", d.Hub.Spec.Names.Kind, v.Name)
				}
			}
		}
	},
}

// crdRefused is about CRDs that today's server takes from nobody, and has from an older one.
var crdRefused = &objectpass.Rule{
	ID:       "object-crd-refused",
	Summary:  "CRDs that a server refuses to create, but serves if it has them already",
	Severity: lint.Info,
	Samples: func(s *objectpass.SampleSet) {
		s.EachRefused(func(d *objects.Definition, judged int) {
			places := d.Refused()
			f := s.ReportAtf(d, places[0], "the API server refuses to create %s because of this; %s %s judged as on a server that has the CRD already",
				d.Name, text.Count(judged, "object"), text.Verb(judged, "is", "are"))
			for _, at := range places[1:] {
				if f != nil {
					f.Relate(d.At(at), "this is refused as well")
				}
			}
		})
	},
}
