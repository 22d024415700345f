// Package overview puts together what reports say: of one run, or of the runs in the repositories of an organisation. It
// counts, and keeps enough findings to look at. It does not judge.
//
// Read overview.go first: an overview and its repositories. repository.go adds a run to one and says how far its migration is,
// counting.go counts the findings of all its runs, finding.go keeps what they say; run.go has a run, which read.go makes of a
// report in JSON. answers.go says in words what there is to do, and print.go writes all but the page.
package overview

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/coverage"
	"github.com/crdlift/crdlift/lint"
)

// An Overview is what some runs say together.
type Overview struct {
	Repositories []*Repository   // those first that need most work
	Rules        []*RuleCount    // those first with most findings, of the gravest severity
	Coverage     []lint.Coverage // what all tests together test of each CRD, by name
}

// A RuleCount is how often a rule reports something in all repositories.
type RuleCount struct {
	Tally
	Repositories int
}

// A Builder puts runs together by their repositories.
type Builder struct {
	repositories []*Repository
	byName       map[string]*Repository
	coverage     map[covered]*lint.Coverage
}

// A covered is a CRD that tests cover, perhaps those of several runs.
type covered struct{ crd, repository string }

// Add adds a run. What findings say is kept for one repository only: of several, nobody reads all.
func (b *Builder) Add(r *Run) {
	if b.byName == nil {
		b.byName, b.coverage = map[string]*Repository{}, map[covered]*lint.Coverage{}
	}
	into := b.byName[r.Name]
	if into == nil {
		if into = b.beside(r); into != nil {
			into.Name += " and " + path.Base(r.Name)
			b.byName[r.Name] = into
		}
	}
	if into == nil {
		into = newRepository(r.Name)
		b.byName[r.Name] = into
		b.repositories = append(b.repositories, into)
		if len(b.repositories) == 2 {
			for _, earlier := range b.repositories[0].runs {
				earlier.forget()
			}
		}
	}
	r.nth = nil
	if len(b.repositories) > 1 {
		r.forget()
	}
	into.add(r)
	for _, c := range r.Coverage {
		key := covered{c.CRD, r.Repository}
		if known := b.coverage[key]; known != nil {
			coverage.Merge(known, c)
			continue
		}
		b.coverage[key] = &c
	}
}

// beside is the repository that a run of no known one belongs to as well: its report lies beside those of that repository, is by
// another command, and knows a CRD at the same place. Nil where there is none.
func (b *Builder) beside(r *Run) *Repository {
	if r.Repository != "" {
		return nil
	}
	for _, known := range b.repositories {
		knows := func(c lint.CRD) bool {
			return known.crds[crdKey{r.folder(), c.File, c.Name, c.Document, c.Line}] != nil
		}
		first := known.runs[0]
		if first.Repository == "" && path.Dir(first.Name) == path.Dir(r.Name) && !known.Is(r.Command) && slices.ContainsFunc(r.CRDs, knows) {
			return known
		}
	}
	return nil
}

// Overview returns what was added. Nothing can be added afterwards.
func (b *Builder) Overview() *Overview {
	out := &Overview{Repositories: b.repositories}
	for _, key := range slices.SortedFunc(maps.Keys(b.coverage), func(a, b covered) int {
		return cmp.Or(strings.Compare(a.repository, b.repository), strings.Compare(a.crd, b.crd))
	}) {
		out.Coverage = append(out.Coverage, *b.coverage[key])
	}
	to := out.target()
	for _, r := range out.Repositories {
		r.countAll(len(out.Repositories) == 1)
		r.to = to
	}
	slices.SortStableFunc(out.Repositories, func(a, b *Repository) int {
		return cmp.Or(b.Count(lint.Error)-a.Count(lint.Error), b.Left()-a.Left(), b.Count(lint.Warning)-a.Count(lint.Warning), strings.Compare(a.Name, b.Name))
	})
	counts := map[string]*RuleCount{}
	for _, repository := range out.Repositories {
		for _, r := range repository.Rules() {
			sum := counts[r.ID]
			if sum == nil {
				sum = &RuleCount{Tally: Tally{ID: r.ID}}
				counts[r.ID] = sum
				out.Rules = append(out.Rules, sum)
			}
			sum.add(r.Severity, r.Count)
			sum.Repositories++
		}
	}
	slices.SortStableFunc(out.Rules, func(a, b *RuleCount) int { return a.before(b.Tally) })
	return out
}

// MostFound are the rules with most findings first.
func (o *Overview) MostFound() []*RuleCount {
	return slices.SortedStableFunc(slices.Values(o.Rules), func(a, b *RuleCount) int { return b.Count - a.Count })
}

// target is what all repositories are on the way to: v1, unless all of them convert back.
func (o *Overview) target() string {
	for _, r := range o.Repositories {
		if r.target() == "v1" {
			return "v1"
		}
	}
	if len(o.Repositories) == 0 {
		return "v1"
	}
	return "v1beta1"
}

// Count counts the findings of a severity that are not ignored.
func (o *Overview) Count(s lint.Severity) (n int) {
	for _, r := range o.Repositories {
		n += r.Count(s)
	}
	return n
}

// Migration counts the CRDs of all repositories by how far they are.
func (o *Overview) Migration() (m Migration) {
	for _, r := range o.Repositories {
		for p, n := range r.Migration().CRDs {
			m.CRDs[p] += n
		}
	}
	m.To = o.target()
	return m
}

// NeedWork are the repositories with errors, or with CRDs that are left on the way to v1.
func (o *Overview) NeedWork() (all []*Repository) {
	for _, r := range o.Repositories {
		if r.NeedsWork() {
			all = append(all, r)
		}
	}
	return all
}
