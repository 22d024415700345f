package crds

import (
	"slices"

	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// deprecatedAPIVersion speaks for all that a conversion decides by itself.
var deprecatedAPIVersion = Check(lint.Warning, "deprecated-api-version", "manifests of apiextensions.k8s.io/v1beta1", reportDeprecated)

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
		todo = "correct what its servers refuse, then run 'crdlift convert'"
	case p.CRD.List != nil:
		todo = "write it and the kind into each item, write apiVersion: v1 and kind: List for the list, then run 'crdlift convert'"
	case len(made.obstacles) > 0:
		todo = "correct what will not convert, then run 'crdlift convert'"
	case made.marks:
		todo = "run 'crdlift convert', which marks schemas so that unknown fields are still kept"
	}
	p.Reportf(p.CRD.APIVersion(), "apiextensions.k8s.io/v1beta1 is gone since Kubernetes 1.22; %s", todo)
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
	return p.CRD.Version == crd.V1beta1 && !p.Config.KubernetesVersion.Before(22)
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

// asked reports whether somebody wants more of the rule that runs than what most would act on: who names the rule, or takes
// the preset all.
func asked(p *engine.Pass) bool {
	_, named := p.Config.Rules[p.Rule().ID]
	return named || len(p.Config.Only) > 0 || p.Config.Preset > lint.Recommended
}
