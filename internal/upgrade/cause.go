package upgrade

import (
	"slices"

	"github.com/crdlift/crdlift/internal/request"
)

// A key is what a cause is known by under another CRD: its rule may have another place there.
type key struct {
	stage   request.Stage
	path    string
	keyword string
	failure request.Failure
	rule    string
}

func keyOf(c *request.Cause) key {
	k := key{stage: c.Stage, path: c.Path.String(), keyword: c.Keyword, failure: c.Failure}
	if c.Rule >= 0 && c.Schema != nil && c.Rule < len(c.Schema.XValidations) {
		k.rule = c.Schema.XValidations[c.Rule].Rule
	}
	return k
}

// causes are those of some outcomes, what they only warn of included, each once. That rules were not run is none.
func causes(outcomes ...*request.Outcome) (all []*request.Cause) {
	for _, o := range outcomes {
		for i := range o.Causes {
			if o.Causes[i].Stage != request.RulesNotRun {
				all = append(all, &o.Causes[i])
			}
		}
		for _, w := range o.Warnings {
			if w.Kind == request.Ratcheted {
				all = append(all, w.Cause)
			}
		}
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(all, func(c *request.Cause) bool {
		again := seen[keyOf(c)]
		seen[keyOf(c)] = true
		return again
	})
}

// refusals are the causes of an outcome without its warnings.
func refusals(o *request.Outcome) []*request.Cause {
	return causes(&request.Outcome{Causes: o.Causes})
}

type keys map[key]bool

func keysOf(all []*request.Cause) keys {
	k := keys{}
	for _, c := range all {
		k[keyOf(c)] = true
	}
	return k
}

func (k keys) has(c *request.Cause) bool { return k[keyOf(c)] }
