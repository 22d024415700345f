package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/lint"
)

// SyntaxRule and PartRule belong to the engine: they report errors outside of a CRD. They have no Run.
var (
	SyntaxRule = &Rule{
		ID:       "yaml-syntax",
		Summary:  "text that is neither YAML nor JSON",
		Severity: lint.Error,
		HidesCRD: true,
	}
	PartRule = &Rule{
		ID:       "partial-document",
		Summary:  "parts of CRDs, which are not judged",
		Severity: lint.Info,
	}
)

// own returns the engine's rule for one about ignores.
func own(r *lint.Rule) *Rule { return &Rule{ID: r.ID, Summary: r.Summary, Severity: r.Severity} }

var ignoreRules = []*Rule{own(suppress.ReasonRule), own(suppress.UnknownRule), own(suppress.UnusedRule)}

// OwnRules are the rules of the engine itself.
func OwnRules() []*Rule {
	return []*Rule{
		SyntaxRule, HeadRule, SeparatorRule, DirectiveRule, PartRule, PlaceholderRule, UnjudgedRule, LimitRule,
		ignoreRules[0], ignoreRules[1], ignoreRules[2], RemovedRule, AddedRule,
	}
}

// known are the rules that the configuration and comments may name: those of the run and the engine's own.
func (l *Linter) known() lint.Rules {
	var all lint.Rules
	for _, r := range slices.Concat(l.Rules, OwnRules()) {
		if value := r.Value(); all.ByID(r.ID) == nil {
			all = append(all, &value)
		}
	}
	for _, r := range l.Others {
		if all.ByID(r.ID) == nil {
			all = append(all, r)
		}
	}
	return all
}
