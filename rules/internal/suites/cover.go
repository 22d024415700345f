package suites

import (
	"cmp"
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A Cover is what a run finds out of what its suites test.
type Cover struct {
	coverage.Options
	Minimum, OfNew coverage.Minimum // what is to be tested of all constraints, and of those that are new

	lock    sync.Mutex
	results map[string][]*suite.Result // by the path of the suite's file
	configs map[*suite.Suite]*lint.Config
}

func (c *Cover) add(r *suite.Result, config *lint.Config) {
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
	}
	return told
}

// maxMissing is how many constraints without a case a finding shows.
const maxMissing = 5

// tell reports, at the first suite of a CRD, that less is tested of it than has to be.
func (c *Cover) tell(r *coverage.Report, of map[string]*engine.FileReport, below string, newOnly bool) {
	s := r.First.Suite
	rule := ruleOf(tooLittle)
	severity := rule.SeverityIn(c.configs[s])
	if severity == lint.Off {
		return
	}
	at := s.CRDAt
	if at == nil {
		at = crd.FirstKey(s.Node)
	}
	said := text.Sprintf("of the CRD %s, %s; 'crdlift test --cover' shows what lacks a case", value(r.Definition.Name), below)
	f := &lint.Finding{
		Rule: rule.Value(), Severity: severity, Message: said.String(), Brief: said.Brief(), Suite: s.Name, Resource: r.Definition.Name,
		Document: s.Document.Index, Source: s.Document.File.SourceAt(engine.PositionOf(s.Document, at, s.Document.Root.YNode())),
	}
	for _, one := range r.Constraints {
		if one.State < coverage.Tested && (one.New || !newOnly) && len(f.Related) < maxMissing {
			f.Related = append(f.Related, lint.Related{Pos: one.At, Message: coverage.Title(&one.CoveredConstraint) + ": " + one.Next()})
		}
	}
	out := of[s.Document.File.Path]
	i, _ := slices.BinarySearchFunc(out.Findings, f, func(a, b *lint.Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	out.Findings = slices.Insert(out.Findings, i, f)
}
