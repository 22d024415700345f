package rules

import (
	"fmt"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

var conversionStrategy = []*engine.Rule{
	{
		ID:       "conversion-strategy-invalid",
		Summary:  "conversion strategies that are neither None nor Webhook",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			if r.Row == apiserver.StrategyMissing {
				meant := "None or Webhook"
				if conversionOf(p.CRD).config.Node != nil {
					meant = "strategy: Webhook, or remove what is said about the webhook"
				}
				p.Refuse(r.At, "conversion has no strategy; write "+meant)
				return
			}
			meant := repair.SuggestStrategy(fmt.Sprint(r.BadValue))
			if meant == "" {
				meant = "None or Webhook"
			}
			p.Refusef(r.At, "there is no conversion strategy %s; write %s", text.Quoted(r.BadValue), meant).
				Fix = respelling(r, []string{r.At.Path}, "None", "Webhook")
		}),
	},
	{
		ID:       "conversion-webhook-preserve-unknown",
		Follows:  []string{"conversion-strategy-invalid"},
		Summary:  "conversion webhooks of CRDs that keep unknown fields",
		Severity: lint.Error,
		Run: enforced(func(p *engine.Pass, r engine.Refusal) {
			if p.CRD.Version == crd.V1 {
				p.Refuse(r.At, "only strategy: None goes with preserveUnknownFields: true, which v1 refuses as well; remove that field")
				return
			}
			why := "v1beta1's default"
			if k, _ := crd.Lookup(crd.Get(p.CRD.Node, "spec"), "preserveUnknownFields"); k != nil {
				why = "which is written here"
			}
			f := p.Refusef(r.At, "only strategy: None goes with preserveUnknownFields: true (%s); write false, and structural schemas", why)
			f.Fix = &engine.Fix{Title: "write preserveUnknownFields: false", Reveals: true, Apply: func(c *crd.CRD) bool {
				spec := crd.Get(c.Node, "spec")
				if keeps, ok := crd.BoolAt(spec, "preserveUnknownFields"); spec == nil || ok && !keeps {
					return false
				}
				layout.Set(spec, "preserveUnknownFields", layout.Bool(false))
				return true
			}}
		}),
	},
}

// A conversionField is what a CRD says about how objects become those of another version. The Node of a Place is nil for
// what is not written.
type conversionField struct {
	at       crd.Place // spec.conversion
	strategy string    // as it is written; None where there is no conversion
	config   crd.Place // the webhook's client configuration
	reviews  crd.Place // conversionReviewVersions
}

func conversionOf(c *crd.CRD) conversionField {
	out := conversionField{at: writtenAt(c, "spec", "conversion"), strategy: "None"}
	if out.at.Node == nil {
		return out
	}
	out.strategy = crd.StringAt(out.at.Node, "strategy")
	if c.Version == crd.V1 {
		out.config = writtenAt(c, "spec", "conversion", "webhook", "clientConfig")
		out.reviews = writtenAt(c, "spec", "conversion", "webhook", "conversionReviewVersions")
	} else {
		out.config = writtenAt(c, "spec", "conversion", "webhookClientConfig")
		out.reviews = writtenAt(c, "spec", "conversion", "conversionReviewVersions")
	}
	return out
}
