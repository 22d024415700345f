package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// These rules are about a manifest that cannot be read as it was meant, whatever its content.
var (
	HeadRule = &Rule{
		ID:       "document-head-misspelt",
		Summary:  "manifests whose apiVersion, kind or spec is misspelt, so no server recognizes them as CRDs",
		Severity: lint.Error,
		HidesCRD: true,
	}
	SeparatorRule = &Rule{
		ID:       "document-separator-missing",
		Summary:  "manifests of one file without `---` between them",
		Severity: lint.Error,
		HidesCRD: true,
	}
	DirectiveRule = &Rule{
		ID:       "yaml-directive",
		Summary:  "YAML directives, at which kubectl fails",
		Severity: lint.Error,
	}
)

// LimitRule says what is behind a limit. It has no Run: it speaks where the limit is.
var LimitRule = &Rule{
	ID:       limit.Rule,
	Summary:  "parts that crdlift did not check because they exceed one of its limits",
	Severity: lint.Error,
	HidesCRD: true,
}

// SyntaxRule and PartRule belong to the engine: they report errors outside of a CRD. They have no Run.
var (
	SyntaxRule = &Rule{
		ID:       "yaml-syntax",
		Summary:  "text that is neither YAML nor JSON",
		Severity: lint.Error,
		HidesCRD: true,
	}
	PartRule = &Rule{
		ID:       suppress.Part,
		Summary:  "parts of CRDs, which are not checked",
		Severity: lint.Info,
	}
)

// These rules say what a program does with an object from which it generates CRDs. They have no Run: crd.Envelope knows the problems.
var (
	MadeRefusedRule = &Rule{
		ID:       "xrd-refused",
		Summary:  "CompositeResourceDefinitions that API servers or Crossplane reject",
		Severity: lint.Error,
	}
	MadeDroppedRule = &Rule{
		ID:       "xrd-dropped",
		Summary:  "fields that Crossplane leaves out of the CRDs that it generates from a CompositeResourceDefinition",
		Severity: lint.Warning,
	}
	MadeOverwrittenRule = &Rule{
		ID:       "xrd-overwritten",
		Summary:  "fields of a CompositeResourceDefinition that Crossplane replaces with its own",
		Severity: lint.Warning,
	}
)

// own returns the engine's rule for one about ignores.
func own(r *lint.Rule) *Rule { return &Rule{ID: r.ID, Summary: r.Summary, Severity: r.Severity} }

// OwnRules are the rules of the engine itself.
func OwnRules() []*Rule {
	return []*Rule{
		SyntaxRule, HeadRule, SeparatorRule, DirectiveRule, PartRule, PlaceholderRule, UnjudgedRule, LimitRule, ReplacedRule,
		MadeRefusedRule, MadeDroppedRule, MadeOverwrittenRule,
		own(suppress.ReasonRule), own(suppress.UnknownRule), own(suppress.UnusedRule), RemovedRule, MissingRule, AddedRule, UncomparedRule,
	}
}

// known are the rules that the configuration and comments may name: those of the run and the engine's own.
func (l *Linter) known() lint.Rules {
	var all lint.Rules
	for _, r := range slices.Concat(l.Rules, OwnRules()) {
		if all.ByID(r.ID) == nil {
			all = append(all, r.Value())
		}
	}
	return all
}

// UnjudgedRule says that a second run may find more. It has no Run: it speaks once the others are done.
var UnjudgedRule = &Rule{
	ID:       "checks-not-run",
	Summary:  "checks that could not run because of other errors",
	Severity: lint.Info,
}

// PlaceholderRule speaks of templates that parse as YAML. It has no Run: it takes the place of what other rules say.
var PlaceholderRule = &Rule{
	ID:       "template-placeholder",
	Summary:  "placeholders in the place of values that rules check",
	Severity: lint.Info,
}

// RemovedRule, MissingRule, AddedRule and UncomparedRule belong to the engine, too, since they are not about the content of one CRD.
// RemovedRule and MissingRule have no Run; the caller that knows the earlier version calls Removed.
var (
	RemovedRule = &Rule{
		ID:       "crd-removed",
		Summary:  "CRDs that are deleted",
		Severity: lint.Error,
		NeedsOld: true,
	}
	MissingRule = &Rule{
		ID:          "requirement-crd-missing",
		Summary:     "CRDs that are needed and missing",
		Severity:    lint.Error,
		NeedsOld:    true,
		Requirement: true,
	}
	AddedRule = &Rule{
		ID:          "crd-added",
		Summary:     "CRDs that are new",
		Severity:    lint.Info,
		AboutChange: true,
		Run: func(p *Pass) {
			if p.linter.Old == nil || p.old != nil || p.linter.around(p.File().Path).IsUnknown(p.CRD.Name()) {
				return
			}
			if at, complete := p.CRD.Resolve([]string{"metadata", "name"}); complete && p.CRD.Name() != "" {
				p.Reportf(at, "%s is new: there is nothing to compare it with, and nothing to do", p.CRD.Name())
			}
		},
	}
	UncomparedRule = &Rule{
		ID:       "crd-not-compared",
		Summary:  "CRDs whose earlier version no API server can read, so that changes are unknown",
		Severity: lint.Error,
		NeedsOld: true,
		Run: func(p *Pass) {
			_, err := p.old.CRD.Decode()
			if err == nil {
				return
			}
			name, _ := p.CRD.Resolve([]string{"metadata", "name"})
			all, reason := p.old.CRD.WrongTypes(), text.Text{}
			if len(all) == 0 {
				reason = text.Sprintf(" (\"%s\")", text.Reason(err.Error()))
			}
			f := p.Reportf(name, "%s is not compared, because no API server can read its earlier version%s; compare with another revision",
				p.CRD.Name(), reason)
			for _, wrong := range all {
				p.Was(f, wrong.Place, wrong.Message().String())
			}
		},
	}
)
