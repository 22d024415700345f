package coverage

import (
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// Merge adds what further cases test of a CRD to what is tested of it. Constraints that another state of the CRD has are added as well.
func Merge(into *lint.Coverage, more lint.Coverage) {
	into.Sampled = into.Sampled || more.Sampled
	for _, c := range more.Constraints {
		i := slices.IndexFunc(into.Constraints, func(d lint.CoveredConstraint) bool {
			return d.Kind == c.Kind && d.Keyword == c.Keyword && d.Field == c.Field && d.Value == c.Value && slices.Equal(d.Versions, c.Versions)
		})
		if i < 0 {
			into.Constraints = append(into.Constraints, c)
			continue
		}
		into.Constraints[i] = merged(into.Constraints[i], c)
	}
	f := FigureOf(into, nil)
	into.Tested, into.Counted = f.Tested, f.All
}

// better are the states from the worst to the best: what a case tests is not dead, whatever others make of it.
var better = []State{Unreached, Reached, Met, Dead, Tested, Ignored}

func merged(a, b lint.CoveredConstraint) lint.CoveredConstraint {
	rank := func(c lint.CoveredConstraint) int {
		return slices.IndexFunc(better, func(s State) bool { return s.String() == c.State })
	}
	if rank(b) > rank(a) {
		a, b = b, a
	}
	a.Accepted += b.Accepted
	a.Edge = a.Edge || b.Edge
	a.Unseen = slices.DeleteFunc(slices.Clone(a.Unseen), func(value string) bool { return !slices.Contains(b.Unseen, value) })
	if a.Mutants = slices.Clone(a.Mutants); a.State != Tested.String() || len(b.Mutants) == 0 {
		return a
	}
	for i := range a.Mutants {
		m := &a.Mutants[i]
		m.Told = m.Told || slices.Contains(b.Mutants, lint.Mutant{Expression: m.Expression, Told: true})
	}
	a.Next = untold(&a)
	return a
}
