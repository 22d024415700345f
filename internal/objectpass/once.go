package objectpass

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/lint"
)

// again reports whether such a rule of a run has said this before, and notes it.
func (s repetitions) again(rules []*Rule, f *lint.Finding) bool {
	i := slices.IndexFunc(rules, func(r *Rule) bool { return r.ID == f.Rule.ID })
	if i < 0 || !rules[i].OncePerCRD {
		return false
	}
	one := struct{ rule, resource, message string }{f.Rule.ID, f.Resource, f.Message}
	again := s[one]
	s[one] = true
	return again
}

// dropRepeated leaves the first finding of a run where the rule reports something of a CRD.
func dropRepeated(rules []*Rule, files []*engine.FileReport) {
	once := repetitions{}
	for _, f := range files {
		f.Findings = slices.DeleteFunc(f.Findings, func(f *lint.Finding) bool { return once.again(rules, f) })
	}
}
