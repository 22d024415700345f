package suites

import (
	"cmp"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/starter"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"github.com/crdlift/crdlift/rules/internal/words"
)

// A Cover is what a run finds out of what its suites test.
type Cover struct {
	coverage.Options
	Minimum, OfNew coverage.Minimum // what is to be tested of all constraints, and of those that are new

	lock    sync.Mutex
	results map[string][]*suite.Result // by the path of the suite's file
	configs map[*suite.Suite]*lint.Config
}

func (c *Cover) note(r *suite.Result, config *lint.Config) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.results == nil {
		c.results, c.configs = map[string][]*suite.Result{}, map[*suite.Suite]*lint.Config{}
	}
	path := r.Suite.Document.File.Path
	c.results[path] = append(c.results[path], r)
	c.configs[r.Suite] = config
}

// report tells what the suites of files test, and adds findings where that is less than it has to be.
func (c *Cover) report(files []*engine.FileReport) (told []lint.Coverage) {
	var results []*suite.Result
	of := map[string]*engine.FileReport{}
	for _, f := range files {
		of[f.Path] = f
		results = append(results, c.results[f.Path]...)
	}
	for _, r := range coverage.Of(results, c.Options) {
		one := r.Coverage()
		told = append(told, one)
		for i, m := range []coverage.Minimum{c.Minimum, c.OfNew} {
			for _, below := range m.Below(&one, i == 1) {
				c.tell(r, of, below, i == 1)
			}
		}
		c.tellDead(r, of)
		if ruleOf(unusable).SeverityIn(c.configs[r.First.Suite]) != lint.Off {
			for _, u := range starter.UnusableValues(r.Definition, r) {
				c.tellUnusable(r, of, &u)
			}
		}
	}
	return told
}

// maxMissing is how many constraints a finding shows.
const maxMissing = 5

// tell reports that less is tested of a CRD than has to be.
func (c *Cover) tell(r *coverage.Report, of map[string]*engine.FileReport, below string, newOnly bool) {
	f := c.add(r, of, tooLittle, text.Sprintf("%s: %s; run 'crdlift test --cover' to list the others, and add cases", value(r.Definition.Name), below))
	if f == nil {
		return
	}
	f.Related = related(r, func(one *coverage.Constraint) bool { return one.State < coverage.Tested && (one.New || !newOnly) })
}

// related are the first of some constraints, with what there is to do about each.
func related(r *coverage.Report, is func(*coverage.Constraint) bool) (all []lint.Related) {
	for _, one := range r.Constraints {
		if is(one) && len(all) < maxMissing {
			all = append(all, lint.Related{Pos: one.At, Message: coverage.Title(&one.CoveredConstraint) + ": " + one.Next()})
		}
	}
	return all
}

// tellDead reports constraints that no case can test.
func (c *Cover) tellDead(r *coverage.Report, of map[string]*engine.FileReport) {
	n := 0
	dead := func(one *coverage.Constraint) bool { return one.State == coverage.Dead }
	for _, one := range r.Constraints {
		if dead(one) {
			n++
		}
	}
	if n == 0 {
		return
	}
	said := text.Sprintf("%s: no test can cover %s, as no object breaks %s; remove %[3]s, or the constraints that make %[3]s superfluous",
		value(r.Definition.Name), text.Count(n, "constraint"), text.Verb(n, "it", "them"))
	if f := c.add(r, of, untestable, said); f != nil {
		f.Related = related(r, dead)
	}
}

// tellUnusable reports a value that no object can have.
func (c *Cover) tellUnusable(r *coverage.Report, of map[string]*engine.FileReport, u *starter.Unusable) {
	f := c.add(r, of, unusable, text.Sprintf("no object with %s: %s was accepted, as a rule %s; guard the rule with has(), or remove the value",
		text.Path(u.Enum.Field), text.Value(coverage.Shown(u.Value)), words.RuleError(&u.Rule)))
	if f == nil {
		return
	}
	f.Related = []lint.Related{{Pos: u.Enum.At, Message: "the enum is here"}}
	if at, ok := r.Definition.Constraint(u.Enum.Versions[0], &u.Rule); ok {
		f.Related = append(f.Related, lint.Related{Pos: at, Message: "the rule is here"})
	}
}

// add adds a finding about a CRD at its first suite; nil where the rule is off.
func (c *Cover) add(r *coverage.Report, of map[string]*engine.FileReport, kind suite.Kind, said text.Text) *lint.Finding {
	s := r.First.Suite
	rule := ruleOf(kind)
	severity := rule.SeverityIn(c.configs[s])
	if severity == lint.Off {
		return nil
	}
	at := s.CRDAt
	if at == nil {
		at = crd.FirstKey(s.Node)
	}
	f := &lint.Finding{
		Rule: rule.Value(), Severity: severity, Message: said.String(), Brief: said.Brief(), Suite: s.Name, Resource: r.Definition.Name,
		Document: s.Document.Index, Source: s.Document.File.SourceAt(engine.PositionOf(s.Document, at, s.Document.Root.YNode())),
	}
	out := of[s.Document.File.Path]
	i, _ := slices.BinarySearchFunc(out.Findings, f, func(a, b *lint.Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	out.Findings = slices.Insert(out.Findings, i, f)
	return f
}
