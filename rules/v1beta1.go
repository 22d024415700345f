package rules

import (
	"slices"

	"github.com/crdlift/crdlift/convert"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// deprecatedAPIVersion speaks for all that a conversion decides by itself.
var deprecatedAPIVersion = &engine.Rule{
	ID:       "deprecated-api-version",
	Summary:  "manifests of apiextensions.k8s.io/v1beta1",
	Severity: lint.Warning,
	Doc: `The v1beta1 API of CustomResourceDefinitions was deprecated in Kubernetes 1.16 and is gone since 1.22. No server that
is still maintained takes such a manifest.

**What to do**: run ` + "`crdlift convert`" + `. It moves what v1 has in another place, writes out the defaults of v1beta1, makes the
schemas structural, and marks with ` + "`x-kubernetes-preserve-unknown-fields`" + ` what kept unknown fields, so that it still does;
` + "`--policy=idiomatic`" + ` prunes instead. Its summary counts the marks. What it cannot decide by itself is reported by the
rules beside this one, in messages that begin with "will not convert".

In the recommended set this finding is all that is said of what convert does: ` + "`preserve-unknown-fields-implicit`, `schema-missing`" + `,
` + "`schema-not-structural-v1beta1`, `version-field-deprecated` and `conversion-review-versions-implicit`" + ` speak of manifests that
stay as they are, when they are named in the configuration, and in stricter presets.

**When to ignore it**: when the manifest is for a server of 1.21 or older; say so with ` + "`--kubernetes-version`" + `, and this rule
is silent.

**Source**: https://kubernetes.io/docs/reference/using-api/deprecation-guide/#customresourcedefinition-v122.`,
	Run: reportDeprecated,
}

func reportDeprecated(p *engine.Pass) {
	if !gone(p) {
		return
	}
	made := prospectOf(p)
	todo := "run 'crdlift convert'"
	switch {
	case isTemplate(p):
		todo = "run 'crdlift convert' on what is made of the template"
	case !p.Accepted():
		todo = "correct what its servers refuse, then run 'crdlift convert'"
	case p.CRD.List != nil:
		todo = "write it and the kind into each item, write apiVersion: v1 and kind: List for the list, then run 'crdlift convert'"
	case len(made.obstacles) > 0:
		todo = "correct what will not convert, then run 'crdlift convert'"
	case made.marks > 0:
		todo = "run 'crdlift convert', which marks what kept unknown fields, so that it still does"
	}
	p.Reportf(p.CRD.APIVersion(), "apiextensions.k8s.io/v1beta1 is gone since Kubernetes 1.22; %s", todo)
}

// isTemplate reports whether placeholders keep the manifest from being converted.
func isTemplate(p *engine.Pass) bool {
	if p.Accepted() {
		return len(obstacles(p)[engine.PlaceholderRule.ID]) > 0
	}
	all, _ := convert.Obstacles(p.CRD, policy(p.Config))
	return slices.ContainsFunc(all, func(o convert.Obstacle) bool { return o.Rule == engine.PlaceholderRule.ID })
}

// gone reports whether no server that the manifest is for has its API version.
func gone(p *engine.Pass) bool {
	return p.CRD.Version == crd.V1beta1 && !p.Config.KubernetesVersion.Before(22)
}

// whenSpokenFor is what the pages say of rules whose Run is made by unlessConverted.
const whenSpokenFor = "**When it speaks**: where a server of 1.21 or older is named with `--kubernetes-version`, where this rule is named, in the\n" +
	"configuration or on the command line, and in stricter presets. Else `deprecated-api-version`, which says to convert the\n" +
	"manifest, speaks for it, unless that is off."

// unlessConverted makes the Run of a rule that speaks of what a conversion decides by itself. Where the manifest is to be
// converted anyway, deprecated-api-version says so, and nothing is left to do about the rest; whoever names the rule, or
// takes a stricter preset, wants to know.
func unlessConverted(run func(*engine.Pass)) func(*engine.Pass) {
	return func(p *engine.Pass) {
		told, set := p.Config.Rules[deprecatedAPIVersion.ID]
		if gone(p) && !asked(p) && !(set && told == lint.Off) {
			return
		}
		run(p)
	}
}
