package coverage

import (
	"encoding/json"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/lint"
)

// maxMutants is how many mutants of a CRD's rules are tried. Of more, those are that come at equal distances.
const maxMutants = 5000

// A trial is an object that rules alone accept or reject.
type trial struct {
	object, old request.Object
	by          *Constraint // the rule that rejects it, nil where it is accepted
}

// mutate finds out which mutants of the rules that are tested the cases tell from them.
func (r *run) mutate() {
	var of []*Constraint // of each mutant
	var all []string
	for _, c := range r.Constraints {
		if c.State != Tested || c.Rule < 0 {
			continue
		}
		for _, m := range mutants(c.Value) {
			of, all = append(of, c), append(all, m)
		}
	}
	if len(all) == 0 {
		return
	}
	trials := map[string][]trial{}
	versions := map[string]*request.Version{}
	for name, t := range r.trees {
		versions[name] = r.version(name)
		trials[name] = r.trials(name, t)
	}
	step := max(1, (len(all)+r.most-1)/r.most)
	r.Sampled = step > 1
	nodes := map[*Constraint]map[string]*request.Ruled{}
	for i := 0; i < len(all); i += step {
		c := of[i]
		if nodes[c] == nil {
			nodes[c] = map[string]*request.Ruled{}
			for _, name := range c.Versions {
				if versions[name] != nil {
					nodes[c][name] = versions[name].Ruled(c.SchemaPath)
				}
			}
		}
		c.Mutants = append(c.Mutants, lint.Mutant{Expression: all[i], Told: tells(trials, nodes[c], c, all[i])})
	}
}

// tells reports whether the outcome of a request would be another one with another rule.
func tells(trials map[string][]trial, nodes map[string]*request.Ruled, c *Constraint, expression string) bool {
	for _, name := range c.Versions {
		if nodes[name] == nil {
			continue
		}
		v := nodes[name].With(apiextensionsv1.ValidationRule{Rule: expression, OptionalOldSelf: c.optionalOldSelf})
		if slices.ContainsFunc(trials[name], func(t trial) bool {
			return (t.by == nil || t.by == c) && v.Refuses(t.object, t.old) != (t.by == c)
		}) {
			return true
		}
	}
	return false
}

// trials are the requests to a version, by cases that pass, which nothing but one rule rejects, each once.
func (r *run) trials(version string, t *tree) (all []trial) {
	var without *request.Version
	seen := map[string]bool{}
	for _, res := range r.results {
		if res.Version != version || !res.Passed() {
			continue
		}
		for i := range res.Exchanges {
			x := &res.Exchanges[i]
			if x.Setup && res.Case.Before.At != nil || x.Minor != 0 && x.Minor < oldest { // other rules, or other excuses
				continue
			}
			if without == nil {
				without, _ = x.Version.WithoutRules() // it has judged
			}
			one, ok := trialOf(x, t, without)
			if text, err := json.Marshal([]any{one.object, one.old}); ok && err == nil && !seen[string(text)] {
				seen[string(text)] = true
				all = append(all, one)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b trial) int { // those tell most
		switch {
		case (a.by == nil) == (b.by == nil):
			return 0
		case a.by != nil:
			return -1
		}
		return 1
	})
	return all
}

// oldest is the first release that excuses all that the newest does. See kubernetes#129506.
const oldest = 33

func trialOf(x *suite.Exchange, t *tree, without *request.Version) (one trial, ok bool) {
	one = trial{x.Outcome.Object, x.Old, nil}
	if x.Outcome.Accepted() {
		return one, true
	}
	every := make([]int, len(x.Outcome.Causes))
	for i := range every {
		every[i] = i
	}
	if one.by = t.only(x, every); one.by == nil || one.by.Rule < 0 {
		return one, false
	}
	out := x.Ask(without)
	if out == nil || !out.Accepted() {
		return one, false
	}
	one.object = out.Object
	return one, true
}
