package engine

import (
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// ruleKey names a rule in one CRD.
type ruleKey struct {
	document, index int
	id              string
}

func ruleOf(f *Finding) ruleKey { return ruleKey{f.Document, f.index, f.Rule.ID} }

// newError returns an error finding of a rule that reports more of them after the fixes than before; nil where the
// fixes revealed errors that the server could not see before.
func newError(before, after *FileReport, made []*Finding) *Finding {
	if slices.ContainsFunc(made, func(f *Finding) bool { return f.Fix.Reveals }) {
		return nil
	}
	errors := map[ruleKey]int{}
	for _, f := range before.found {
		if f.Severity == lint.Error {
			errors[ruleOf(f)]++
		}
	}
	for _, f := range after.found {
		if f.Severity == lint.Error && f.rule != SyntaxRule { // a fix that breaks the text reveals nothing
			k := ruleOf(f)
			if errors[k]--; errors[k] < 0 {
				return f
			}
		}
	}
	return nil
}

// better reports whether fixes worked: the findings they were made for are gone, and the file still parses.
func better(before, after *FileReport, made []*Finding) bool {
	left, broken := map[fixKey]int{}, 0
	for _, f := range before.found {
		left[keyOf(f)]++
		if f.rule == SyntaxRule { // of other documents
			broken++
		}
	}
	for _, f := range made {
		left[keyOf(f)]--
	}
	for _, f := range after.found {
		if f.rule == SyntaxRule {
			broken--
		}
		left[keyOf(f)]--
	}
	return broken >= 0 && !slices.ContainsFunc(made, func(f *Finding) bool { return left[keyOf(f)] < 0 })
}

// fixed returns the findings that fixes removed: those that they were made for, and others to fix that went with these,
// as of a list's item that became valid as a whole. A finding may only have moved, with the item that it is about: of
// each rule no more count than there are fewer findings.
func (f *Fixed) fixed(after *FileReport, made []*Finding) []*Finding {
	fewer, left, fixed := map[ruleKey]int{}, map[fixKey]bool{}, map[*Finding]bool{}
	for _, finding := range f.Left.found {
		fewer[ruleOf(finding)]++
	}
	for _, finding := range after.found {
		fewer[ruleOf(finding)]--
		left[keyOf(finding)] = true
	}
	for _, finding := range made {
		fewer[ruleOf(finding)]--
		fixed[finding] = true
	}
	for _, finding := range f.Left.found {
		if rule := ruleOf(finding); f.mayFix(finding) && !fixed[finding] && !left[keyOf(finding)] && fewer[rule] > 0 {
			fewer[rule]--
			made = append(made, finding)
		}
	}
	return made
}
