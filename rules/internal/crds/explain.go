package crds

import (
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An Explainer explains refusals in the words of rules.
type Explainer []*engine.Rule

var _ conversion.Explainer = Explainer{}

// Explains implements lint.Explainer.
func (rules Explainer) Explains(id string) bool {
	return slices.ContainsFunc(rules, func(r *engine.Rule) bool { return r.ID == id })
}

// Explain puts the words of the rules in the place of the notes that an API server's refusals left: at the node that the
// user wrote, each mistake once, and what to do about it. Only the rules that the refusals belong to run, and they know
// what the conversion came to.
func (rules Explainer) Explain(d *manifest.Document, made *conversion.Outcome, opt policy.Options) []*lint.Finding {
	foreign := prospect{obstacles: map[string][]*conversion.Note{}, converting: true}
	for _, n := range made.Notes {
		if n.Foreign {
			foreign.obstacles[n.ID] = append(foreign.obstacles[n.ID], n)
		}
	}
	if len(foreign.obstacles) == 0 {
		return nil
	}
	linter := &engine.Linter{Rules: explaining(rules, foreign), Options: lint.Options{Config: &lint.Config{Convert: opt}}}
	if made.Answer != nil {
		linter.Answers = map[*yaml.Node]apiserver.Verdict{made.CRD.Node: *made.Answer}
	}
	told := map[string]bool{}
	var findings []*lint.Finding
	for _, f := range linter.CRD(d, made.CRD) {
		if f.RefusedBy == "" && f.Foreseen == "" {
			continue
		}
		ids := foreign.explainedBy(f.Rule.ID)
		if len(ids) == 0 {
			continue
		}
		for _, id := range ids {
			told[id] = true
		}
		if f.RefusedBy == string(crd.V1) {
			addRemedy(f, opt)
		}
		findings = append(findings, f)
	}
	for _, r := range linter.Rules {
		if slices.ContainsFunc(r.Follows, func(cause string) bool { return told[cause] }) {
			told[r.ID] = true // and if it was silent, that is why
		}
	}
	made.Notes = slices.DeleteFunc(made.Notes, func(n *conversion.Note) bool { return n.Foreign && told[n.ID] })
	return findings
}

// explaining are the rules that explain obstacles, after one that only hands the obstacles on, and those that they need:
// the rule that finds misspelt fields, and the rules that tell causes.
func explaining(rules []*engine.Rule, obstacles prospect) []*engine.Rule {
	run := []*engine.Rule{{ID: "prospect", Severity: lint.Info, Run: func(p *engine.Pass) {
		engine.Memo(p, prospectKey{}, func() prospect { return obstacles })
	}}}
	causes := map[string]bool{}
	for _, r := range rules {
		if len(obstacles.explainedBy(r.ID)) > 0 {
			for _, cause := range r.Follows {
				causes[cause] = true
			}
		}
	}
	for _, r := range rules {
		if r.Meant != nil || causes[r.ID] || len(obstacles.explainedBy(r.ID)) > 0 {
			run = append(run, r)
		}
	}
	return run
}

// standIns are rules that speak about what the server says of others.
var standIns = map[string][]string{
	"wrong-type":                   {engine.UnmatchedRule}, // which keeps it from reading the manifest
	"webhook-cabundle-invalid":     {engine.UnmatchedRule},
	"schema-int-or-string-missing": {"schema-type-missing", "schema-junctor-forbidden-field"},
}

// explainedBy returns the rules among those of the obstacles that a rule speaks about: itself, and those it stands in for.
func (p prospect) explainedBy(rule string) []string {
	return slices.DeleteFunc(append([]string{rule}, standIns[rule]...), func(id string) bool { return p.obstacles[id] == nil })
}
