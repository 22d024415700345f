// Package coverage says what the cases of suites test of a CRD: a constraint is tested if a case that passes would fail without it.
// That is seen in the causes for which a server has rejected what the cases send; nothing is run again, but where another constraint
// may have been silent as this one was broken. Tests hold it against CRDs that lack the constraint.
//
// Read coverage.go first: a report and its terms. constraint.go has what is counted, tested.go what is tested of it, mutants.go which
// other rules the cases do not tell from those that there are, and dead.go what no object breaks.
package coverage

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/lint"
)

// A Report is what cases test of a CRD, in the versions that are served. What two of them have alike is one constraint.
type Report struct {
	Definition  *objects.Definition
	Versions    []string
	Constraints []*Constraint // in the order of the CRD
	First       *suite.Result // the first of the cases
	Sampled     bool          // there are more mutants of its rules than were tried
}

// A Kind is what a constraint is, as thresholds name it.
type Kind string

const (
	Required   Kind = "required"
	Enum       Kind = "enums"
	Pattern    Kind = "patterns"
	Format     Kind = "formats"
	Bound      Kind = "bounds"
	Junctor    Kind = "junctors" // anyOf, oneOf, allOf and not; what is in them are no constraints of their own
	ListType   Kind = "lists"
	Rule       Kind = "rules"
	Transition Kind = "transitions" // a rule that reads oldSelf
	Default    Kind = "defaults"
)

// A State is what is known of a constraint. The last ones are better.
type State int

const (
	Unreached State = iota // nothing that was accepted has a value there
	Reached                // something has, and nothing was rejected by the constraint
	Met                    // something was rejected by it, and no case would fail without it
	Tested
	Dead    // no object breaks it, or nothing but another constraint rejects those that do: it does not count
	Ignored // the CRD or the configuration says so: it does not count
)

func (s State) String() string {
	return [...]string{"not reached", "reached", "met", "tested", "dead", "ignored"}[s]
}

// A Constraint is what a CRD demands of values at a place.
type Constraint struct {
	lint.CoveredConstraint // but for what Coverage adds
	Kind                   Kind
	State                  State
	At                     lint.Position
	Property               string          // that is required
	Rule                   int             // the index of a rule, -1 for others
	SchemaPath             []string        // from the root of a version's schema
	Path                   request.Path    // of a value, in which 0 stands for the items of a list and "" for the keys of a map
	Example                *suite.Exchange // the first that is accepted with a value at Path; nil for none
	With                   int             // of one that is met, how many others are so in the same request, at least

	first           string // the first version that has it
	optionalOldSelf *bool  // of a rule
	deadIn          int    // how many versions have no object that breaks it
}

// Coverage is the report as others show it.
func (r *Report) Coverage() lint.Coverage {
	out := lint.Coverage{CRD: r.Definition.Name, File: r.Definition.Where().File, Versions: r.Versions, Sampled: r.Sampled, Constraints: []lint.CoveredConstraint{}}
	for _, c := range r.Constraints {
		one := c.CoveredConstraint
		if c.Kind == Junctor { // which is no JSON that people know
			one.Value = ""
		}
		one.State, one.Next, one.Line, one.Column = c.State.String(), c.Next(), c.At.Line, c.At.Column
		out.Constraints = append(out.Constraints, one)
	}
	f := FigureOf(&out, nil)
	out.Tested, out.Counted = f.Tested, f.All
	return out
}

// Options say what counts.
type Options struct {
	Ignored func(*objects.Definition, *Constraint) string // why a constraint does not count; "" where it does. Nil for all
	Earlier func(*objects.Definition) *objects.Definition // the CRD that one replaces, nil where it is new. Nil to compare with nothing
}

// Of reports on the CRDs that cases are about, in the order of their places.
func Of(results []*suite.Result, o Options) (all []*Report) {
	var runs []*run
	for _, res := range results {
		d := res.Definition
		if d == nil {
			continue
		}
		i := slices.IndexFunc(runs, func(r *run) bool {
			return r.Definition == d || r.Definition.Path == d.Path && r.Definition.Name == d.Name && r.Definition.IsCopy(d)
		})
		if i < 0 {
			i, runs = len(runs), append(runs, newRun(d, res))
		}
		runs[i].results = append(runs[i].results, res)
	}
	for _, r := range runs {
		r.judge(o)
		all = append(all, r.Report)
	}
	slices.SortStableFunc(all, func(a, b *Report) int {
		return cmp.Or(cmp.Compare(a.Definition.Path, b.Definition.Path), a.Definition.Document.Index-b.Definition.Document.Index, cmp.Compare(a.Definition.Name, b.Definition.Name))
	})
	return all
}
