package crds

import (
	"fmt"
	"slices"

	"github.com/crdlift/crdlift/convert/policy"
	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/conversion"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/fast"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// enforced makes the Run of a rule that an API server checks itself: explain reports each of the server's errors that
// belong to the rule. Of a v1beta1 manifest that its own server accepts, what the conversion to v1 would leave to a
// person is a warning under the same rule. Where there is an older CRD, errors that only an update to this one has are
// explained, too.
func enforced(explain func(*engine.Pass, engine.Refusal)) func(*engine.Pass) {
	return func(p *engine.Pass) {
		refused(p, explain)
		unconvertible(p, explain)
	}
}

// refusal makes a rule that says no more than what an API server rejects, which is an error.
func refusal(id, summary string, explain func(*engine.Pass, engine.Refusal)) *engine.Rule {
	return Check(lint.Error, id, summary, enforced(explain))
}

// refused explains what the server rejects, on create and on update.
func refused(p *engine.Pass, explain func(*engine.Pass, engine.Refusal)) {
	for _, r := range p.Refusals() {
		explain(p, r)
	}
	p.EachUpdateRefusal(explain)
}

// isWithoutGroup reports whether controller-gen wrote the manifest for a Go package that names no group, which is told alone.
func isWithoutGroup(p *engine.Pass) bool {
	g, _ := p.CRD.Generator("")
	return g.FromGo() && crd.StringAt(p.CRD.Node, "spec", "group") == ""
}

// A prospect is what a conversion of a v1beta1 manifest that its own server accepts would come to, or what one came to.
type prospect struct {
	obstacles  map[string][]*conversion.Note // what keeps it from being converted, by rule
	marks      bool                          // it would get marks that keep unknown fields
	converting bool                          // the user knows that this is about the conversion: it is being made
}

// begin is the beginning of messages about what keeps the manifest from being converted.
func (f prospect) begin() string {
	if f.converting {
		return ""
	}
	return WillNotConvert
}

// WillNotConvert is how messages begin about what keeps a v1beta1 manifest from being converted.
const WillNotConvert = "will not convert: "

type prospectKey struct{}

func prospectOf(p *engine.Pass) prospect {
	return engine.Memo(p, prospectKey{}, func() prospect {
		made := prospect{obstacles: map[string][]*conversion.Note{}}
		if p.CRD.Version != crd.V1beta1 || !p.Accepted() {
			return made
		}
		foreseen, marks := conversion.Foresee(p.CRD, p.Config.Convert, p.Answer())
		for _, n := range foreseen {
			made.obstacles[n.ID] = append(made.obstacles[n.ID], n)
		}
		made.marks = marks
		return made
	})
}

// obstacles are what keeps a manifest from being converted, by rule.
func obstacles(p *engine.Pass) map[string][]*conversion.Note { return prospectOf(p).obstacles }

// unconvertible reports what keeps the manifest from being converted, of the rule that runs. What the conversion only has
// in the v1 server's words is explained as in a v1 manifest, if there is a function that explains it.
func unconvertible(p *engine.Pass, explain func(*engine.Pass, engine.Refusal)) {
	if len(p.Refusals()) > 0 {
		return // its own server rejects it already, which is explained
	}
	told := false
	var foreign []*conversion.Note
	for _, o := range obstacles(p)[p.Rule().ID] {
		if o.Err == nil || explain == nil {
			foretell(p, o)
			told = true
			continue
		}
		row, _ := apiserver.Classify(o.Err)
		for _, f := range p.Foresee(engine.Refusal{Error: o.Err, Row: row, At: inManifest(p, o.At), Complete: o.Complete}, explain) {
			addRemedy(f.Finding, p.Config.Convert)
			f.Foreseen = f.Message
			begin := prospectOf(p).begin()
			f.AtMost(lint.Warning).Message = begin + f.Message
			if f.Brief != "" {
				f.Brief = begin + f.Brief
			}
			f.Fix = nil // they are made for a v1 manifest
			told = true
		}
		foreign = append(foreign, o)
	}
	if !told { // where something was, the rule is silent about the rest because that says it all
		for _, o := range foreign {
			foretell(p, o)
		}
	}
}

// addRemedy adds to a message the option of convert that settles what it is about, if there is one.
func addRemedy(f *lint.Finding, opt policy.Options) {
	opt = opt.Decided()
	format := ""
	switch exact := opt.Policy != policy.Idiomatic; {
	case opt.To != policy.V1:
	case f.Rule.ID == "api-approval-missing" && !opt.UnapprovedAPI:
		format, f.Advised = "; or %s", policy.Choice{Name: "unapproved-api"}
	case f.Rule.ID == "schema-metadata-restricted" && exact:
		format, f.Advised = "; or convert with %s, which drops it", policy.Choice{Name: "policy", Word: string(policy.Idiomatic)}
	case f.Rule.ID == "schema-junctor-forbidden-field" && exact:
		format, f.Advised = "; or convert with %s, which drops the condition", policy.Choice{Name: "policy", Word: string(policy.Idiomatic)}
	}
	if format == "" {
		return
	}
	remedy := fmt.Sprintf(format, f.Advised)
	f.Message += remedy
	if f.Brief != "" {
		f.Brief += remedy
	}
}

// foretell reports an obstacle in the words of the conversion.
func foretell(p *engine.Pass, o *conversion.Note) {
	p.Report(inManifest(p, o.At), prospectOf(p).begin()+o.Message).AtMost(lint.Warning).Foreseen = text.OneLine(o.Message)
}

// inManifest is the place in the CRD itself of a place in a copy of it. The position of a scalar is known either way.
func inManifest(p *engine.Pass, at crd.Place) crd.Place {
	if at.Node != nil && at.Node.Kind == yaml.ScalarNode {
		return at
	}
	own, _ := p.CRD.Resolve(crd.Steps(at.Path))
	return own
}

// Unmatched reports what the API server says and the catalogue has no rule for, and what convert says likewise.
var Unmatched = Check(lint.Error, engine.UnmatchedRule, "errors of the API server that no other rule explains", func(p *engine.Pass) {
	if crash := p.Crash(); crash != "" && !crashes(p) {
		p.Refuse(crd.Place{Node: p.CRD.Node}, "the API server's validation crashes on this: "+crash)
	}
	explain := func(p *engine.Pass, r engine.Refusal) {
		p.Refusef(r.At, "the API server rejects this: %s %s; correct it", crd.LastField(r.Field), r.ErrorBody())
	}
	if p.DecodeError() != nil {
		return // what a server would say next is in nobody's words until it can read the manifest
	}
	if refused(p, explain); len(p.Refusals()) > 0 {
		return // nothing of it is about a conversion
	}
	for id, all := range obstacles(p) {
		if id == p.Rule().ID || !p.Has(id) {
			for _, o := range all {
				foretell(p, o)
			}
		}
	}
})

// An Explainer explains rejections in the words of rules.
type Explainer []*engine.Rule

var _ conversion.Explainer = Explainer{}

// Explains implements lint.Explainer.
func (rules Explainer) Explains(id string) bool {
	return slices.ContainsFunc(rules, func(r *engine.Rule) bool { return r.ID == id })
}

// Explain puts the words of the rules in the place of the notes that an API server's rejections left: at the node that the
// user wrote, each mistake once, and what to do about it. Only the rules that the rejections belong to run, and they know
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
		linter.Answers = map[*yaml.Node]fast.Verdict{made.CRD.Node: *made.Answer}
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
