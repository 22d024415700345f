package crds

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/repair"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// strategyRules are about what says how objects are converted, and what a webhook has to know.
var strategyRules = []*engine.Rule{
	refusal("conversion-strategy-invalid", "conversion strategies that are neither None nor Webhook",
		func(p *engine.Pass, r engine.Refusal) {
			if r.Row == apiserver.StrategyMissing {
				meant := "None or Webhook"
				if ConversionOf(p.CRD).config.Node != nil {
					meant = "strategy: Webhook, or remove the configuration of the webhook"
				}
				p.Refuse(r.At, "conversion has no strategy; write "+meant)
				return
			}
			meant := repair.SuggestStrategy(fmt.Sprint(r.BadValue))
			if meant == "" {
				meant = "None or Webhook"
			}
			p.Refusef(r.At, "conversion strategy %s is unknown; write %s", text.Quoted(r.BadValue), meant).
				Fix = respelling(r, []string{r.At.Path}, "None", "Webhook")
		}),
	Following([]string{"conversion-strategy-invalid"}, refusal("conversion-webhook-preserve-unknown",
		"conversion webhooks of CRDs that keep unknown fields",
		func(p *engine.Pass, r engine.Refusal) {
			if p.CRD.Version == crd.V1 {
				p.Refuse(r.At, "preserveUnknownFields: true rules out a conversion webhook, and v1 rejects it anyway; remove that field")
				return
			}
			why := "v1beta1 defaults to true"
			if k, _ := crd.Lookup(crd.Get(p.CRD.Node, "spec"), "preserveUnknownFields"); k != nil {
				why = "this is true"
			}
			f := p.Refusef(r.At, "a conversion webhook needs preserveUnknownFields: false (%s); set it, and give every schema node a type", why)
			f.Fix = &engine.Fix{Title: "write preserveUnknownFields: false", Reveals: true, Apply: func(c *crd.CRD) bool {
				spec := crd.Get(c.Node, "spec")
				if keeps, ok := crd.BoolAt(spec, "preserveUnknownFields"); spec == nil || ok && !keeps {
					return false
				}
				layout.Set(spec, "preserveUnknownFields", layout.Bool(false))
				return true
			}}
		})),
	refusal("conversion-review-versions-required", "conversion webhooks that do not say which ConversionReview versions they understand",
		func(p *engine.Pass, r engine.Refusal) {
			const field = "conversionReviewVersions"
			if k, _ := crd.Lookup(ConversionOf(p.CRD).At.Node, field); k != nil && p.CRD.Version == crd.V1 {
				p.Refuse(r.At, "conversion.webhook has no conversionReviewVersions; move them there from conversion, as v1 requires")
				return
			}
			f := p.Refuse(r.At, "a conversion webhook needs conversionReviewVersions; list the ConversionReview versions that it accepts, such as v1")
			f.Fix = &engine.Fix{Title: `write conversionReviewVersions: ["v1"], which current webhooks understand`, Apply: func(c *crd.CRD) bool {
				conversion := crd.Get(c.Node, "spec", "conversion")
				webhook := crd.Get(conversion, "webhook")
				if conversion == nil || webhook != nil && webhook.Kind != yaml.MappingNode || len(crd.Items(ConversionOf(c).Reviews.Node)) > 0 {
					return false
				}
				list := layout.List(layout.String("v1"))
				if webhook == nil {
					layout.Set(conversion, "webhook", layout.Mapping(field, list))
				} else {
					layout.Set(webhook, field, list)
				}
				return true
			}}
		}),
	refusal("conversion-review-versions-invalid", "conversionReviewVersions with duplicates or invalid versions",
		func(p *engine.Pass, r engine.Refusal) {
			if r.Row == apiserver.ReviewVersionInvalid {
				p.Refusef(r.At, "%s is not a version of ConversionReview; write v1 or v1beta1", text.Quoted(r.BadValue))
				return
			}
			f := p.Refusef(r.At, "%s is listed twice in conversionReviewVersions; remove one", text.Quoted(r.BadValue))
			f.Fix = &engine.Fix{Title: "remove the duplicate", Safe: true, Apply: func(c *crd.CRD) bool {
				return dropDuplicates(crd.Deref(ConversionOf(c).Reviews.Node), stringOf)
			}}
		}),
	refusal("conversion-review-versions-unrecognized", "conversionReviewVersions without one that the API server knows",
		func(p *engine.Pass, r engine.Refusal) {
			p.Refusef(r.At, "the API server knows none of conversionReviewVersions (%s); add v1 or v1beta1",
				text.Names(crd.Strings(ConversionOf(p.CRD).Reviews.Node)))
		}),
	Check(lint.Warning, "conversion-review-versions-implicit", "conversion webhooks in v1beta1 that leave the ConversionReview version to the default",
		unlessConverted(func(p *engine.Pass) {
			c := ConversionOf(p.CRD)
			if p.CRD.Version != crd.V1beta1 || c.strategy != "Webhook" || len(crd.Items(c.Reviews.Node)) > 0 || p.Hub() == nil {
				return
			}
			f := p.Report(c.At.KeyOf("strategy"), `v1 requires conversionReviewVersions, which is not set (v1beta1 default: ["v1beta1"]); write conversionReviewVersions: ["v1beta1"]`)
			f.Fix = &engine.Fix{Title: `write conversionReviewVersions: ["v1beta1"]`, Safe: true, Apply: func(c *crd.CRD) bool {
				found := ConversionOf(c)
				if found.At.Node == nil || len(crd.Items(found.Reviews.Node)) > 0 {
					return false
				}
				layout.Set(crd.Deref(found.At.Node), "conversionReviewVersions", layout.List(layout.String("v1beta1")))
				return true
			}}
		})),
	Check(lint.Warning, "conversion-review-versions-v1beta1-only", "conversion webhooks that understand ConversionReview v1beta1 only",
		func(p *engine.Pass) {
			c := ConversionOf(p.CRD)
			if old, current := reviewIndexes(c); c.strategy == "Webhook" && old >= 0 && current < 0 {
				f := p.Report(c.Reviews, "the webhook accepts ConversionReview v1beta1 only, deprecated since 1.19; let it accept v1 too, and list v1 first")
				f.Fix = &engine.Fix{Title: "list v1 before v1beta1", Apply: preferReviewV1}
			}
		}),
	convention("conversion-review-versions-order", "conversionReviewVersions that prefer v1beta1 to v1", func(p *engine.Pass) {
		c := ConversionOf(p.CRD)
		if old, current := reviewIndexes(c); c.strategy == "Webhook" && old >= 0 && current > old {
			f := p.Report(c.Reviews.Items()[old],
				"conversionReviewVersions lists v1beta1 before v1, so the API server never sends v1; list v1 first")
			f.Fix = &engine.Fix{Title: "list v1 before v1beta1", Apply: preferReviewV1}
		}
	}),
	InAll(Check(lint.Warning, "conversion-webhook-single-version", "conversion webhooks of CRDs with one version", func(p *engine.Pass) {
		c := ConversionOf(p.CRD)
		versions := p.CRD.Versions()
		if c.strategy != "Webhook" || len(versions) != 1 {
			return
		}
		if old := p.Old(); old != nil && len(old.CRD.Versions()) > 1 {
			return // objects of the version that was removed may still be stored
		}
		p.Reportf(c.At.KeyOf("strategy"), "the webhook is never called, because %s is the only version; write conversion: {strategy: None}", text.Quoted(versions[0].Name))
	})),
	convention("conversion-webhook-identical-schemas", "conversion webhooks between versions with equal schemas", func(p *engine.Pass) {
		c := ConversionOf(p.CRD)
		hub := p.Hub()
		if c.strategy == "Webhook" && hub != nil && len(hub.Spec.Versions) > 1 && SameSchemas(hub) {
			p.Report(c.At.KeyOf("strategy"), "all versions have the same fields and need no webhook; write conversion: {strategy: None}")
		}
	}),
}

// A conversionField is what a CRD says about how objects become those of another version. The Node of a Place is nil for
// what is not written.
type conversionField struct {
	At       crd.Place // spec.conversion
	strategy string    // as it is written; None where there is no conversion
	config   crd.Place // the webhook's client configuration
	Reviews  crd.Place // conversionReviewVersions
}

func ConversionOf(c *crd.CRD) conversionField {
	out := conversionField{At: writtenAt(c, "spec", "conversion"), strategy: "None"}
	if out.At.Node == nil {
		return out
	}
	out.strategy = crd.StringAt(out.At.Node, "strategy")
	if c.Version == crd.V1 {
		out.config = writtenAt(c, "spec", "conversion", "webhook", "clientConfig")
		out.Reviews = writtenAt(c, "spec", "conversion", "webhook", "conversionReviewVersions")
	} else {
		out.config = writtenAt(c, "spec", "conversion", "webhookClientConfig")
		out.Reviews = writtenAt(c, "spec", "conversion", "conversionReviewVersions")
	}
	return out
}

// reviewIndexes says where v1beta1 and v1 stand in conversionReviewVersions; -1 for nowhere.
func reviewIndexes(c conversionField) (v1beta1, v1 int) {
	names := crd.Strings(c.Reviews.Node)
	return slices.Index(names, "v1beta1"), slices.Index(names, "v1")
}

func preferReviewV1(c *crd.CRD) bool {
	found := ConversionOf(c)
	old, current := reviewIndexes(found)
	list := crd.Deref(found.Reviews.Node)
	switch {
	case old < 0 || current >= 0 && current < old:
		return false
	case current >= 0:
		list.Content[old], list.Content[current] = list.Content[current], list.Content[old]
	default:
		list.Content = slices.Insert(list.Content, old, layout.String("v1"))
	}
	return true
}

// SameSchemas reports whether all versions have schemas, and equal ones but for what is only said to people.
func SameSchemas(hub *apiextensions.CustomResourceDefinition) bool {
	var first *apiextensions.JSONSchemaProps
	for i := range hub.Spec.Versions {
		schema := heldSchema(hub, i)
		if schema == nil {
			return false
		}
		schema = schema.DeepCopy()
		apiserver.EachSchema(schema, nil, func(s *apiextensions.JSONSchemaProps, _ *field.Path) {
			s.Description, s.Title, s.Example, s.ExternalDocs = "", "", nil, nil
		})
		if first == nil {
			first = schema
		} else if !equality.Semantic.DeepEqual(first, schema) {
			return false
		}
	}
	return true
}
