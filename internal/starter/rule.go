package starter

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
)

// tries is how many objects are tried for a rule, fewTries before others have had their turn, and allTries for all rules of a CRD.
const (
	tries    = 600
	fewTries = 150
	allTries = 2000
)

// rule is the rule that the constraint is.
func (t *target) rule() *apiextensions.ValidationRule {
	return &t.g.Schemas(t.node)[0].XValidations[t.Rule]
}

// findRule looks for what a rule rejects: first among objects that its expression is false for, then by changes that get nearer each.
func (t *target) findRule(all []request.Object, tries int) *find {
	rule := t.rule().Rule
	end := max(t.left-tries, 0)
	for _, o := range all {
		for _, p := range t.g.Refuting(o, t.place, rule) {
			if t.left <= end+tries/3 {
				break
			}
			before := p.Old(o)
			if !suite.Equal(before, o) && !t.takes(before) && !t.g.Break(before, nil, mending, t.accepted) {
				continue
			}
			old, good, ok := t.begin(before)
			if !ok {
				continue
			}
			if bad := t.mend(p.New(good)); bad != nil {
				if found := t.found(old, good, bad); found != nil {
					return found
				}
			}
		}
	}
	for _, o := range all[:min(len(all), 3)] {
		old, good, ok := t.begin(o)
		if bad := clone(good); ok && t.left > end && t.g.Break(bad, t.node, (t.left-end)/2, t.wrong) {
			if found := t.found(old, good, bad); found != nil {
				return found
			}
		}
	}
	return nil
}

// mending is how many objects are tried to have one rejected for nothing else.
const mending = 30

// mend changes an object that the constraint rejects until nothing else does; nil where it does not, or where that fails.
func (t *target) mend(bad request.Object) request.Object {
	wrong := t.wrong(bad)
	for len(wrong) > 0 {
		if !t.refuses(wrong) {
			return nil
		}
		better := false
		if c := wrong[0]; c.Stage == request.Rule && c.Schema != nil && c.Rule < len(c.Schema.XValidations) {
			plans := t.g.Satisfying(bad, c.Path, c.Schema.XValidations[c.Rule].Rule)
			for _, p := range plans[:min(len(plans), mending/2)] {
				changed := p.New(bad)
				if left := t.wrong(changed); len(left) < len(wrong) && (len(left) == 0 || t.refuses(left)) {
					bad, wrong, better = changed, left, true
					break
				}
			}
		}
		if !better {
			if t.g.Break(bad, nil, mending, t.wrong) {
				return bad
			}
			return nil
		}
	}
	return bad
}

// refuses reports whether an object is rejected by the constraint, for which it has these other causes.
func (t *target) refuses(wrong []request.Cause) bool {
	return len(wrong) < standing || wrong[0].Detail != stands
}

// accepted are the causes for which an object is not accepted at all.
func (t *target) accepted(o request.Object) []request.Cause {
	t.there = nil
	return t.send(o).Causes
}

// begin has an accepted object be what is there, for a rule that compares.
func (t *target) begin(o request.Object) (old, good request.Object, ok bool) {
	if t.there = nil; t.Kind != coverage.Transition {
		return nil, o, true
	}
	out := t.send(o)
	if !out.Accepted() {
		return nil, nil, false
	}
	t.there = out.Object
	return o, t.there, true
}
