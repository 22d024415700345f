package overview

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
)

// A Repository is what the runs in one say together.
type Repository struct {
	Name  string
	Heads []report.Head // of the runs
	CRDs  []*CRD        // in the order of the runs, each once
	Plans []*plan.Plan
	Added []lint.Addition

	Files, Ignored, Unread int
	Objects                *Objects     // nil where none were judged
	Conversions            *Conversions // nil where none were tested
	FixesSafe, FixesUnsafe int          // findings that --fix repairs, and those that need --unsafe-fixes

	counts map[lint.Severity]int
	rules  map[string]*Rule
	crds   map[crdKey]*CRD
}

// Objects counts the custom resources of a run that judges them.
type Objects struct {
	Judged, Refused, Unjudged int
	Upgrade                   map[string]int // by verdict; nil without --against
}

// Conversions counts what a run that tests conversions has tried.
type Conversions struct{ CRDs, Objects int }

// A CRD is one with the findings about it.
type CRD struct {
	lint.CRD
	Counts map[lint.Severity]int
	rules  map[string]*CRDRule
}

// A CRDRule is how often a rule reports something about a CRD, and where first.
type CRDRule struct {
	ID       string
	Severity lint.Severity
	Count    int
	Line     int    // of the first
	Text     string // of the first
}

// A crdKey tells the CRDs of a repository apart. A document index is not enough: it may be a List.
type crdKey struct {
	file, name     string
	document, line int
}

func newRepository(name string) *Repository {
	return &Repository{Name: name, counts: map[lint.Severity]int{}, rules: map[string]*Rule{}, crds: map[crdKey]*CRD{}}
}

// add adds a run.
func (r *Repository) add(run *Run) {
	r.Heads = append(r.Heads, run.Head)
	r.Files += run.Files
	r.Ignored += run.Ignored
	r.FixesSafe += run.fixes[true]
	r.FixesUnsafe += run.fixes[false]
	r.Plans = append(r.Plans, run.Plans...)
	r.Added = append(r.Added, run.Added...)
	if run.Objects != nil {
		r.Objects = run.Objects
	}
	if run.Conversions != nil {
		r.Conversions = run.Conversions
	}
	for _, c := range run.CRDs {
		r.addCRD(c)
	}
	for s, n := range run.counts {
		r.counts[s] += n
	}
	for id, rule := range run.rules {
		if r.rules[id] == nil {
			r.rules[id] = rule
		} else {
			r.rules[id].join(rule)
		}
	}
	for at, rules := range run.about {
		for _, c := range r.CRDs {
			if c.File == at.file && c.Document == at.document && c.Name == at.name {
				c.addRules(rules)
				break
			}
		}
	}
}

// addCRD adds a CRD, which another run may have added before: what each of them knows is kept.
func (r *Repository) addCRD(c lint.CRD) {
	key := crdKey{c.File, c.Name, c.Document, c.Line}
	known := r.crds[key]
	if known == nil {
		known = &CRD{CRD: c, Counts: map[lint.Severity]int{}, rules: map[string]*CRDRule{}}
		r.crds[key] = known
		r.CRDs = append(r.CRDs, known)
		return
	}
	known.State = cmp.Or(c.State, known.State)
	if known.Before == nil {
		known.Before = c.Before
	}
}

func (c *CRD) addRules(rules map[string]*CRDRule) {
	for id, one := range rules {
		c.Counts[one.Severity] += one.Count
		if known := c.rules[id]; known != nil {
			known.Count += one.Count
			known.Severity = max(known.Severity, one.Severity)
		} else {
			kept := *one
			c.rules[id] = &kept
		}
	}
}

// Rules are those with findings about the CRD, the gravest first.
func (c *CRD) Rules() []*CRDRule {
	return slices.SortedFunc(maps.Values(c.rules), func(a, b *CRDRule) int {
		return cmp.Or(int(b.Severity-a.Severity), b.Count-a.Count, strings.Compare(a.ID, b.ID))
	})
}

// forget lets go of the findings, and keeps their counts.
func (r *Repository) forget() {
	for _, rule := range r.rules {
		rule.Messages, rule.byText, rule.More = nil, nil, 0
	}
	r.Added = nil
	for _, c := range r.CRDs {
		clear(c.rules)
	}
}

// Rules are those with findings that are not ignored: the gravest first, then those with most findings.
func (r *Repository) Rules() []*Rule {
	return slices.SortedFunc(maps.Values(r.rules), func(a, b *Rule) int {
		return cmp.Or(int(b.Severity-a.Severity), b.Count-a.Count, strings.Compare(a.ID, b.ID))
	})
}

// Count counts the findings of a severity that are not ignored.
func (r *Repository) Count(s lint.Severity) int { return r.counts[s] }

// Findings counts those that are not ignored.
func (r *Repository) Findings() int {
	return r.Count(lint.Error) + r.Count(lint.Warning) + r.Count(lint.Info)
}

// Flawed counts the CRDs with errors or warnings.
func (r *Repository) Flawed() (n int) {
	for _, c := range r.CRDs {
		if c.Counts[lint.Error]+c.Counts[lint.Warning] > 0 {
			n++
		}
	}
	return n
}

// Is reports whether a command wrote one of the reports.
func (r *Repository) Is(command string) bool {
	return slices.ContainsFunc(r.Heads, func(h report.Head) bool { return h.Command == command })
}

// Against is what CRDs are compared with; "" for nothing.
func (r *Repository) Against() (against string) {
	for _, h := range r.Heads {
		against = cmp.Or(against, h.Against)
	}
	return against
}

// FilesURL is what to put before a path to look at a file; "" where that is not known.
func (r *Repository) FilesURL() (url string) {
	for _, h := range r.Heads {
		url = cmp.Or(url, h.FilesURL)
	}
	return url
}

// NeedsWork reports whether there are errors, or CRDs left on the way to v1.
func (r *Repository) NeedsWork() bool { return r.Count(lint.Error) > 0 || r.Left() > 0 }
