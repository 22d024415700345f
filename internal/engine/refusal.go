package engine

import (
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdlift/crdlift/internal/apiserver"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/fast"
)

// UnmatchedRule is the id of the rule for errors of the API server that no other rule explains.
const UnmatchedRule = "api-server"

// immutable is the id of the rule for fields that no update changes.
const immutable = "immutable-field-changed"

// A Refusal is one error of the API server's validation on create, with the place in the manifest that it is about.
type Refusal struct {
	*field.Error // at the path of upstream's internal type
	Row          apiserver.Row
	At           crd.Place // the node the user wrote, or the nearest one above that there is
	Complete     bool      // At is the exact place of the error, not one above it
}

type verdictKey struct{}

// A verdict is the API server's answer on create, and the answer it would give after values that cannot be decoded are
// corrected.
type verdict struct {
	answer   *fast.Verdict // nil where it could not be asked
	byRule   map[string][]Refusal
	panic    string
	whole    *apiextensions.CustomResourceDefinition // without the broken parts
	unjudged []string
}

func (p *Pass) verdict() verdict {
	return Memo(p, verdictKey{}, func() verdict {
		hub := p.Hub()
		if hub == nil {
			return verdict{}
		}
		answer, given := p.linter.Answers[p.CRD.Node]
		if !given {
			answer = fast.OnCreate(hub, p.CRD.Version)
		}
		later := fast.Foresee(hub, p.CRD.Version, answer)
		all := slices.Concat(answer.Errors, later.Errors)
		told := p.byRule(all, func(err *field.Error) bool { return !apiserver.Echoes(err, all) })
		return verdict{&answer, told, answer.Panic, later.Hub, later.Unjudged}
	})
}

// byRule sorts those errors that are worth telling by their rules.
func (p *Pass) byRule(errs field.ErrorList, tell func(*field.Error) bool) map[string][]Refusal {
	all := map[string][]Refusal{}
	for _, err := range errs {
		row, rule := apiserver.Classify(err)
		at, complete := p.CRD.LocateExactly(err.Field)
		if tell(err) && !p.lost(at.Path) {
			all[rule] = append(all[rule], Refusal{err, row, at, complete})
		}
	}
	return all
}

// Answer is that of the API server of the CRD's version on create; nil where the CRD cannot be decoded.
func (p *Pass) Answer() *fast.Verdict { return p.verdict().answer }

// Whole is the CRD as the API server of its version holds it, without the parts that it rejects; nil when it cannot be
// decoded even so.
func (p *Pass) Whole() *apiextensions.CustomResourceDefinition { return p.verdict().whole }

// Refusals are the errors of the API server of the CRD's version that belong to the rule that runs.
func (p *Pass) Refusals() []Refusal { return p.RefusalsOf(p.rule.ID) }

// RefusalsOf are those that belong to a rule.
func (p *Pass) RefusalsOf(rule string) []Refusal { return p.verdict().byRule[rule] }

type updateKey struct{}

// UpdateRefusalsOf are the errors that belong to a rule, of the API server that is asked to update the old CRD to this
// one and would not have them for a CRD that is new. Without an old CRD there are no such errors.
func (p *Pass) UpdateRefusalsOf(rule string) []Refusal {
	return Memo(p, updateKey{}, func() map[string][]Refusal {
		hub := p.Hub()
		if hub == nil || p.old == nil {
			return nil
		}
		old, err := p.old.CRD.Decode()
		if err != nil {
			return nil
		}
		onCreate := map[string]bool{} // an update has nothing to add where a create is rejected, either
		for _, all := range p.verdict().byRule {
			for _, r := range all {
				onCreate[r.Field] = true
			}
		}
		errs := apiserver.OnUpdate(hub, old.Hub, p.CRD.Version).Errors
		told := p.byRule(errs, func(err *field.Error) bool { return !onCreate[err.Field] })
		told[immutable] = append(told[immutable], p.fixedNames()...)
		return told
	})[rule]
}

// EachUpdateRefusal explains the errors that only an update has. Findings that explain reports are errors, but not of
// the manifest alone: RefusedBy speaks about a create.
func (p *Pass) EachUpdateRefusal(explain func(*Pass, Refusal)) {
	update := *p
	update.updates = true
	for _, r := range p.UpdateRefusalsOf(p.rule.ID) {
		explain(&update, r)
	}
}

// Foresee calls explain for a rejection by a server of another API version than the CRD's own, and returns the findings
// that explain reported.
func (p *Pass) Foresee(r Refusal, explain func(*Pass, Refusal)) []*Finding {
	before := len(p.findings)
	other := *p
	other.updates = true
	explain(&other, r)
	return p.findings[before:]
}

// Crash is what upstream's validation panics with on this CRD; a server responds with 500. It is "" for nearly all.
func (p *Pass) Crash() string { return p.verdict().panic }

// Accepted reports whether the API server of the CRD's version can read it and validates it without an error. Unknown
// fields do not count.
func (p *Pass) Accepted() bool {
	return p.DecodeError() == nil && p.Crash() == "" && len(p.verdict().byRule) == 0
}

// Refuse reports something that the API server of the CRD's version rejects the manifest for.
func (p *Pass) Refuse(at crd.Place, message string) *Finding { return p.Refusef(at, "%s", message) }

// Refusef is Reject with a format, as Reportf is Report.
func (p *Pass) Refusef(at crd.Place, format string, args ...any) *Finding {
	f := p.Reportf(at, format, args...)
	if !p.updates {
		f.RefusedBy = string(p.CRD.Version)
	}
	return f
}
