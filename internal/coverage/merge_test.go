package coverage_test

import (
	"reflect"
	"testing"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/lint"
)

// TestMerge adds up what two runs say of a constraint, whichever comes first.
func TestMerge(t *testing.T) {
	one := func(state string, change ...func(*lint.CoveredConstraint)) lint.CoveredConstraint {
		c := lint.CoveredConstraint{Kind: "bounds", Keyword: "minimum", Value: "0", Field: "spec.min", Versions: []string{"v1"}, State: state}
		for _, f := range change {
			f(&c)
		}
		return c
	}
	by := func(name, next string) func(*lint.CoveredConstraint) {
		return func(c *lint.CoveredConstraint) { c.By, c.Next, c.Accepted = name, next, 1 }
	}
	mutants := func(told ...bool) func(*lint.CoveredConstraint) {
		return func(c *lint.CoveredConstraint) {
			for i, is := range told {
				c.Mutants = append(c.Mutants, lint.Mutant{Expression: "mutant" + string(rune('1'+i)), Told: is})
			}
		}
	}
	unseen := func(values ...string) func(*lint.CoveredConstraint) {
		return func(c *lint.CoveredConstraint) { c.Unseen = values }
	}
	for name, test := range map[string]struct {
		a, b, want      lint.CoveredConstraint
		tested, counted int
	}{
		"tested by one":     {one("met", by("", "do")), one("tested", by("a/b", "")), one("tested", func(c *lint.CoveredConstraint) { c.By, c.Accepted = "a/b", 2 }), 1, 1},
		"reached by one":    {one("reached", by("", "lower")), one("not reached"), one("reached", by("", "lower")), 0, 1},
		"tested, and dead":  {one("dead"), one("tested"), one("tested"), 1, 1},
		"dead, and reached": {one("dead"), one("reached"), one("dead"), 0, 0},
		"ignored by one":    {one("ignored"), one("tested"), one("ignored"), 0, 0},
		"the edge":          {one("reached"), one("reached", func(c *lint.CoveredConstraint) { c.Edge = true }), one("reached", func(c *lint.CoveredConstraint) { c.Edge = true }), 0, 1},
		"values of an enum": {one("reached", unseen("a", "b")), one("reached", unseen("b", "c")), one("reached", unseen("b")), 0, 1},
		"mutants of both":   {one("tested", mutants(true, false)), one("tested", mutants(false, true)), one("tested", mutants(true, true)), 1, 1},
		"mutants that are left": {one("tested", mutants(true, false, false)), one("tested", mutants(false, false, false)), one("tested", mutants(true, false, false), func(c *lint.CoveredConstraint) {
			c.Next = "tested; no case distinguishes it from mutant2, and from 1 more"
		}), 1, 1},
		"mutants of the one run": {one("met"), one("tested", mutants(false), by("a/b", "tested; no case distinguishes it from mutant1")), one("tested", mutants(false), by("a/b", "tested; no case distinguishes it from mutant1")), 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range [][2]lint.CoveredConstraint{{test.a, test.b}, {test.b, test.a}} {
				into := lint.Coverage{CRD: "a", Constraints: []lint.CoveredConstraint{order[0]}}
				coverage.Merge(&into, lint.Coverage{CRD: "a", Constraints: []lint.CoveredConstraint{order[1]}})
				if len(test.want.Unseen) == 0 {
					into.Constraints[0].Unseen = nil
				}
				if len(into.Constraints) != 1 || !reflect.DeepEqual(into.Constraints[0], test.want) {
					t.Errorf("got %+v\nwant %+v", into.Constraints, test.want)
				}
				if into.Tested != test.tested || into.Counted != test.counted {
					t.Errorf("%d of %d", into.Tested, into.Counted)
				}
			}
		})
	}
}

// TestMergeOthers keeps constraints apart that differ in anything, such as those of two states of a CRD.
func TestMergeOthers(t *testing.T) {
	base := lint.CoveredConstraint{Kind: "bounds", Keyword: "minimum", Value: "0", Field: "spec.min", Versions: []string{"v1"}, State: "tested"}
	for name, change := range map[string]func(*lint.CoveredConstraint){
		"kind":     func(c *lint.CoveredConstraint) { c.Kind = "formats" },
		"keyword":  func(c *lint.CoveredConstraint) { c.Keyword = "maximum" },
		"value":    func(c *lint.CoveredConstraint) { c.Value = "1" },
		"field":    func(c *lint.CoveredConstraint) { c.Field = "spec.max" },
		"versions": func(c *lint.CoveredConstraint) { c.Versions = []string{"v2"} },
	} {
		t.Run(name, func(t *testing.T) {
			other := base
			change(&other)
			into := lint.Coverage{Constraints: []lint.CoveredConstraint{base}}
			coverage.Merge(&into, lint.Coverage{Sampled: true, Constraints: []lint.CoveredConstraint{other}})
			if len(into.Constraints) != 2 || into.Tested != 2 || !into.Sampled {
				t.Errorf("%+v", into)
			}
		})
	}
}
