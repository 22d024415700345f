package overview

import (
	"encoding/json"
	"fmt"

	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
)

// A Run is what one report says.
type Run struct {
	Name string // of the repository, or else of the report
	report.Head
	Files, Ignored int
	CRDs           []lint.CRD
	Added          []lint.Addition
	Plans          []*plan.Plan
	Objects        *Objects
	Conversions    *Conversions

	counts map[lint.Severity]int
	rules  map[string]*Rule
	about  map[crdKey]map[string]*CRDRule
	fixes  map[bool]int // findings with a fix, by whether it is safe
}

// Pending is the id of the finding that a conversion could be made of a CRD.
const Pending = "conversion-pending"

// drop takes the findings of a rule out.
func (r *Run) drop(rule string) {
	known := r.rules[rule]
	if known == nil {
		return
	}
	r.counts[known.Severity] -= known.Count
	delete(r.rules, rule)
	for _, about := range r.about {
		delete(about, rule)
	}
}

func newRun(name string) *Run {
	return &Run{Name: name, counts: map[lint.Severity]int{}, rules: map[string]*Rule{}, about: map[crdKey]map[string]*CRDRule{}, fixes: map[bool]int{}}
}

// Of is a run of this process.
func Of(r *lint.Report, head report.Head, added []lint.Addition) (*Run, error) {
	run := newRun(head.Repository)
	run.Head, run.Added, run.CRDs, run.Files = head, added, r.Defined, len(r.Files)
	if o := r.Objects; o != nil {
		run.Objects = &Objects{Judged: o.Len(), Refused: o.Count(lint.Refused), Unjudged: o.Count(lint.Unjudged)}
		if o.Upgrade {
			run.Objects.Upgrade = map[string]int{}
			for _, verdict := range lint.Foreseen() {
				run.Objects.Upgrade[verdict] = o.Count(verdict)
			}
		}
	}
	if c := r.Conversions; c != nil {
		run.Conversions = &Conversions{CRDs: c.Tested, Objects: c.Objects}
	}
	for _, f := range r.Findings {
		taken, err := findingOf(f)
		if err == nil {
			err = run.finding(taken)
		}
		if err != nil {
			return nil, err
		}
	}
	return run, nil
}

// OfPlans is a run of `crdlift plan`.
func OfPlans(plans []*plan.Plan, head report.Head) *Run {
	run := newRun(head.Repository)
	run.Head, run.Plans = head, plans
	return run
}

func findingOf(f *lint.Finding) (out *Finding, err error) {
	out = &Finding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Message: f.Message, File: f.Pos.File, Line: f.Pos.Line, Column: f.Pos.Column,
		Document: f.Document, Resource: f.Resource, Field: f.Field, Versions: f.Versions, Object: f.Object, Ignored: f.Ignored, Count: f.Count(),
	}
	for _, side := range []struct {
		from any
		to   *json.RawMessage
	}{{f.Old, &out.Old}, {f.New, &out.New}} {
		if side.from == nil {
			continue
		}
		if *side.to, err = json.Marshal(side.from); err != nil {
			return nil, fmt.Errorf("the finding %s at %s:%d cannot be written: %w", f.Rule.ID, f.Pos.File, f.Pos.Line, err)
		}
	}
	for _, other := range f.Related {
		out.Related = append(out.Related, Related{other.Pos.File, other.Pos.Line})
	}
	if f.Fix != nil {
		out.Fix = &Fix{f.Fix.Title, f.Fix.Safe}
	}
	return out, nil
}

// finding adds a finding to the run. Its errors say which member has a value that no report has.
func (r *Run) finding(f *Finding) error {
	severity, err := lint.ParseSeverity(f.Severity)
	switch {
	case f.Rule == "":
		return fmt.Errorf("a finding has no rule")
	case err != nil || severity == lint.Off:
		return fmt.Errorf("a finding of %s has the severity %q", f.Rule, f.Severity)
	case f.Line < 0 || f.Count < 0 || f.Document < 0:
		return fmt.Errorf("a finding of %s has a negative number", f.Rule)
	case f.Ignored != "":
		r.Ignored += max(f.Count, 1)
		return nil
	}
	n := max(f.Count, 1)
	r.counts[severity] += n
	if f.Fix != nil {
		r.fixes[f.Fix.Safe] += n
	}
	rule := r.rules[f.Rule]
	if rule == nil {
		rule = &Rule{ID: f.Rule, byText: map[likeness]*Message{}}
		r.rules[f.Rule] = rule
	}
	rule.add(f, severity, n)
	if f.Resource != "" && f.Object == nil {
		r.aboutCRD(f, severity, n)
	}
	return nil
}

func (r *Run) aboutCRD(f *Finding, severity lint.Severity, n int) {
	key := crdKey{file: f.File, name: f.Resource, document: f.Document}
	if r.about[key] == nil {
		r.about[key] = map[string]*CRDRule{}
	}
	one := r.about[key][f.Rule]
	if one == nil {
		one = &CRDRule{ID: f.Rule, Line: f.Line, Text: f.Message}
		r.about[key][f.Rule] = one
	}
	one.Count += n
	one.Severity = max(one.Severity, severity)
}
