package objects

import (
	"cmp"

	"github.com/crdlift/crdlift/internal/objectpass"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/crds"
)

// objectSizes are about how large objects may be.
var objectSizes = []*objectpass.Rule{
	{
		ID:       "object-too-large",
		Summary:  "objects that are larger than the API server or etcd accepts",
		Severity: lint.Error,
		Run: func(p *objectpass.Pass) {
			switch limit := cmp.Or(p.MaxSize(), crds.RequestLimit); {
			case p.Size() > limit:
				p.Reportf(nil, "the object has %d bytes as JSON; the API server takes no request above %d", p.Size(), limit)
			case p.Size() > crds.EtcdLimit:
				p.Reportf(nil, "the object has %d bytes as JSON; etcd takes 1.5 MiB by default", p.Size())
			}
		},
	},
	{
		ID:       "object-annotations-large",
		Summary:  "objects that client-side kubectl apply cannot record in an annotation",
		Severity: lint.Warning,
		Follows:  []string{"object-too-large"},
		Run: func(p *objectpass.Pass) {
			if p.Size() > crds.AnnotationLimit {
				p.Reportf(nil, "the object has %d bytes as JSON; client-side kubectl apply fails above %d; use --server-side", p.Size(), crds.AnnotationLimit)
			}
		},
	},
}
