package rules

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// enforcedDefaults are about defaults that the API server refuses.
var enforcedDefaults = []*engine.Rule{
	{
		ID:       "default-in-v1beta1",
		Summary:  "defaults in v1beta1 manifests",
		Severity: lint.Error,
		Run: func(p *engine.Pass) {
			if all := p.Refusals(); len(all) > 0 {
				first := slices.MinFunc(all, func(a, b engine.Refusal) int { return byPosition(a.At, b.At) })
				message := "v1beta1 cannot create a CRD with defaults; convert it to apiextensions.k8s.io/v1"
				if n := len(all); n > 1 {
					message = fmt.Sprintf("v1beta1 cannot create a CRD with defaults, and this has %d; convert it to apiextensions.k8s.io/v1", n)
				}
				p.Refuse(first.At, message)
			}
			unconvertible(p, nil)
		},
	},
	{
		ID:       "default-requires-pruning",
		Summary:  "defaults in CRDs that keep unknown fields",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			f := p.Refuse(r.At, "the schema has defaults, which need pruning; remove preserveUnknownFields: true")
			f.Fix = removeAt("remove preserveUnknownFields, so that unknown fields are pruned", false, "spec.preserveUnknownFields")
			f.Fix.Reveals = true
		}),
	},
	{
		ID:       "default-invalid",
		Summary:  "defaults that their own schema refuses",
		Severity: lint.Error,
		Run:      perDefault(invalidDefault),
	},
	{
		ID:       "default-unknown-fields",
		Summary:  "defaults with fields that the schema does not have",
		Severity: lint.Error,
		Run:      perDefault(unknownInDefault),
	},
	{
		ID:       "default-in-metadata",
		Summary:  "defaults of metadata, apiVersion and kind that cannot be",
		Severity: lint.Error,
		Run:      perDefault(defaultInMetadata),
	},
	{
		ID:       "default-violates-cel",
		Summary:  "defaults that an x-kubernetes-validations rule refuses",
		Severity: lint.Error,
		Run:      perDefault(defaultBreaksRule),
	},
}
