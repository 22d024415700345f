package overview

import (
	"bytes"
	"fmt"
	"hash/maphash"

	"github.com/crdlift/crdlift/internal/plan"
	"github.com/crdlift/crdlift/internal/report"
	"github.com/crdlift/crdlift/lint"
)

// A Run is what one report says.
type Run struct {
	Name string // of the repository, or else of the report
	Head
	CRDs        []lint.CRD
	Added       []lint.Addition
	LeftOut     LeftOut
	Plans       []*plan.Plan
	Objects     *Objects
	Conversions *lint.Conversions
	Cases       *Cases
	Coverage    []lint.Coverage

	records []record
	nth     map[identity]int
}

// A Head is what is known of a run as a whole.
type Head struct {
	report.Head
	New   string // of a plan, what the manifests are to become, as the user calls it
	Files int
}

// A record is what is kept of each finding. Two runs may report the same one, so that they cannot be counted before all are read.
type record struct {
	rule     string
	same     uint64 // a hash of its identity
	severity lint.Severity
	ignored  bool
	fixed    bool // by --fix
	blocks   bool // a conversion
	n        int
	about    crdKey   // the zero key for a finding that is about no CRD
	says     *finding // nil where nobody is to read it
}

// An identity tells the findings of a run apart, and is the same in another run over the same files. The message is no part of
// it: a conversion words a finding in its own way.
type identity struct {
	rule, file, resource, object string
	line, column, document       int
	nth                          int // of those that are else the same
}

// Pending is the id of the finding that a conversion could be made of a CRD.
const Pending = "conversion-pending"

// seed is that of the hashes of identities.
var seed = maphash.MakeSeed()

// forget lets go of what findings say, and keeps what they count for.
func (r *Run) forget() {
	for i := range r.records {
		r.records[i].says = nil
	}
	r.Added = nil
}

// Of is a run of this process: what its report in JSON says.
func Of(r *lint.Report, o report.Options) (run *Run, err error) {
	var text bytes.Buffer
	if err := report.Write(&text, report.JSON, r, o); err != nil {
		return nil, err
	}
	err = Read(&text, "", func(one *Run) { run = one })
	return run, err
}

// OfPlans is a run of `crdlift plan`; the last argument is what the manifests are to become.
func OfPlans(plans []*plan.Plan, head report.Head, to string) *Run {
	return &Run{Name: head.Repository, Head: Head{Head: head, New: to}, Plans: plans}
}

// finding adds a finding to the run. Its errors say which member has a value that no report has.
func (r *Run) finding(f *finding) error {
	severity, err := lint.ParseSeverity(f.Severity)
	switch {
	case f.Rule == "":
		return fmt.Errorf("a finding has no rule")
	case err != nil || severity == lint.Off:
		return fmt.Errorf("a finding of %s has the severity %q", f.Rule, f.Severity)
	case f.Line < 0 || f.Count < 0 || f.Document < 0:
		return fmt.Errorf("a finding of %s has a negative number", f.Rule)
	case f.Count > maxCount:
		return fmt.Errorf("a finding of %s stands for %d, more than there can be", f.Rule, f.Count)
	}
	rec := record{
		rule: f.Rule, same: r.identify(f), severity: severity, ignored: f.Ignored != "", fixed: f.Fix != nil && f.Fix.Safe, blocks: f.blocks(), n: max(f.Count, 1),
	}
	if f.Object == nil && f.Resource != "" {
		rec.about = crdKey{file: f.File, name: f.Resource, document: f.Document}
	}
	if !rec.ignored {
		rec.says = f
	}
	r.records = append(r.records, rec)
	return nil
}

// identify returns the hash of a finding's identity.
func (r *Run) identify(f *finding) uint64 {
	id := identity{rule: f.Rule, file: f.File, resource: f.Resource, line: f.Line, column: f.Column, document: f.Document}
	if f.Object != nil {
		id.object = f.Object.ID()
	}
	if r.nth == nil {
		r.nth = map[identity]int{}
	}
	r.nth[id]++
	id.nth = r.nth[id]
	return maphash.Comparable(seed, id)
}
