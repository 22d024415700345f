// Package coverage says what the cases of suites test of a CRD: a constraint is tested if a case that passes would fail without it.
// That is seen in the causes for which a server has refused what the cases send; nothing is run again, but where another constraint
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
	Reached                // something has, and nothing was refused by the constraint
	Met                    // something was refused by it, and no case would fail without it
	Tested
	Dead    // no object breaks it, or nothing but another constraint refuses those that do: it does not count
	Ignored // the CRD or the configuration says so: it does not count
)

func (s State) String() string {
	return [...]string{"not reached", "reached", "met", "tested", "dead", "ignored"}[s]
}

// A Constraint is what a CRD demands of values at a place.
type Constraint struct {
	Kind
	Keyword    string
	Value      string       // what the keyword has, as people read it: a bound, the name that is required, the expression of a rule
	Property   string       // that is required
	Rule       int          // the index of a rule, -1 for others
	SchemaPath []string     // from the root of a version's schema
	Path       request.Path // of a value, in which 0 stands for the items of a list and "" for the keys of a map
	Field      string       // the same, as it is shown
	Versions   []string     // that have it
	At         lint.Position

	State    State
	Why      string      // it is dead or ignored
	By       *suite.Case // the first that would fail without it; nil where there is none
	With     int         // of one that is met, how many others are so in the same request, at least
	Accepted int         // how many accepted objects have a value there
	Edge     bool        // of a bound: one of them has the last value that is allowed
	Unseen   []string    // of an enum: values that no accepted object has, as JSON
	Mutants  []Mutant    // of a rule that is tested

	first           string // the first version that has it
	optionalOldSelf *bool  // of a rule
}

// Counts reports whether the constraint counts.
func (c *Constraint) Counts() bool { return c.State < Dead }

// A Figure is how many are tested of those that count.
type Figure struct{ Tested, All int }

// Percent is the share, in whole numbers that are not rounded up; 100 of none.
func (f Figure) Percent() int {
	if f.All == 0 {
		return 100
	}
	return 100 * f.Tested / f.All
}

// Figure counts the constraints of some kinds; none for all. Those that are not of interest are passed over; nil for none.
func (r *Report) Figure(of func(*Constraint) bool, kinds ...Kind) (f Figure) {
	for _, c := range r.Constraints {
		if !c.Counts() || len(kinds) > 0 && !slices.Contains(kinds, c.Kind) || of != nil && !of(c) {
			continue
		}
		f.All++
		if c.State == Tested {
			f.Tested++
		}
	}
	return f
}

// Mutants counts those of the rules that are tested, and how many of them cases tell from the rule.
func (r *Report) Mutants() (f Figure) {
	for _, c := range r.Constraints {
		for _, m := range c.Mutants {
			f.All++
			if m.Told {
				f.Tested++
			}
		}
	}
	return f
}

// Of reports on the CRDs that cases are about, in the order of their places. Ignored says why a constraint does not count, "" where
// it does; it may be nil.
func Of(results []*suite.Result, ignored func(*objects.Definition, *Constraint) string) (all []*Report) {
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
			i, runs = len(runs), append(runs, newRun(d))
		}
		runs[i].results = append(runs[i].results, res)
	}
	for _, r := range runs {
		r.judge(ignored)
		all = append(all, r.Report)
	}
	slices.SortStableFunc(all, func(a, b *Report) int {
		return cmp.Or(cmp.Compare(a.Definition.Path, b.Definition.Path), a.Definition.Document.Index-b.Definition.Document.Index, cmp.Compare(a.Definition.Name, b.Definition.Name))
	})
	return all
}
