package rules

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/suite"
	"github.com/crdlift/crdlift/lint"
)

// A Judge looks at all that is in a file: at the CRDs and the custom resources next to them or, in a file that is named as one with
// suites of tests of CRDs, at these.
type Judge struct {
	Linter *Linter // of CRDs
	// Objects calls a function with what custom resources are judged by, when the CRDs of a file are done; nil for a judge of CRDs
	// only.
	Objects func(judge func(*Objects))
	Suites  *Suites // what suites are run by; nil to run none
}

// A Judgement is all that is known about one file.
type Judgement struct {
	CRDs, Objects *FileReport
	Suites        *FileReport // nil for a file that has none
}

// Findings are those about the file by itself.
func (j *Judgement) Findings() []*lint.Finding {
	if j.Suites != nil {
		return j.Suites.Findings
	}
	return slices.Concat(j.CRDs.Findings, j.Objects.Findings)
}

// Copy is the verdict for one more call of Report, as FileReport.Copy has it.
func (j *Judgement) Copy() *Judgement {
	out := &Judgement{j.CRDs.Copy(), j.Objects.Copy(), nil}
	if j.Suites != nil {
		out.Suites = j.Suites.Copy()
	}
	return out
}

// IsSilent reports whether the findings of a Report are the same without this one.
func (j *Judgement) IsSilent() bool {
	return j.CRDs.IsSilent() && j.Objects.IsSilent() && (j.Suites == nil || j.Suites.IsSilent())
}

// File checks one file.
func (j *Judge) File(path string, src []byte) *Judgement {
	if suite.IsNamed(path) {
		out := &Judgement{NoReport(path), NoReport(path), NoReport(path)}
		if j.Suites != nil {
			out.Suites = j.ofSuites(j.Suites).File(path, src)
		}
		return out
	}
	out := &Judgement{j.Linter.File(path, src), NoReport(path), nil}
	hidden := func(f *lint.Finding) bool { return f.Rule.HidesCRD }
	if out.CRDs.CRDs == 0 || out.CRDs.Others > 0 || slices.ContainsFunc(out.CRDs.Findings, hidden) { // a large CRD is read only once
		j.objects(func(l *Linter) { out.Objects = l.File(path, src) })
	}
	return out
}

// Fix makes the fixes of a file's findings, those of its custom resources last.
func (j *Judge) Fix(path string, src []byte, unsafe bool) []byte {
	src = j.Linter.Fix(path, src, unsafe).Output
	j.objects(func(l *Linter) { src = l.Fix(path, src, unsafe).Output })
	return src
}

// Report puts the files of a run together: a report on their custom resources that has the findings about CRDs, too, or one on
// CRDs where nothing else is checked.
func (j *Judge) Report(files ...*Judgement) *lint.Report {
	var crds, objects []*FileReport
	order := map[string]int{}
	for i, f := range files {
		crds, objects = append(crds, f.CRDs), append(objects, f.Objects)
		order[f.CRDs.Path] = i
	}
	about := j.Linter.Report(crds...)
	all := about
	j.objects(func(l *Linter) { all = l.Report(objects...) })
	if all == about {
		return all
	}
	type place struct {
		rule string
		pos  lint.Position
	}
	said := map[place]bool{} // text that does not parse is a finding of both
	for _, f := range about.Findings {
		said[place{f.Rule.ID, f.Pos}] = true
	}
	all.Findings = slices.Concat(about.Findings, slices.DeleteFunc(all.Findings, func(f *lint.Finding) bool { return said[place{f.Rule.ID, f.Pos}] }))
	slices.SortStableFunc(all.Findings, func(a, b *lint.Finding) int {
		return cmp.Or(order[a.Pos.File]-order[b.Pos.File], a.Pos.Line-b.Pos.Line, a.Pos.Column-b.Pos.Column, cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	all.CRDs = about.CRDs
	return all
}

// Tests puts the suites of a run together, which are no part of what Report does.
func (j *Judge) Tests(files ...*Judgement) *lint.Report {
	var suites []*FileReport
	for _, f := range files {
		if f.Suites != nil {
			suites = append(suites, f.Suites)
		}
	}
	return j.ofSuites(&Suites{}).Report(suites...)
}

// ofSuites is the linter of suites.
func (j *Judge) ofSuites(by *Suites) *Linter {
	linter := *j.Linter
	linter.Go, linter.Suites = nil, by
	return &linter
}

// objects calls a function with the linter of custom resources.
func (j *Judge) objects(use func(*Linter)) {
	if j.Objects == nil {
		return
	}
	j.Objects(func(by *Objects) {
		linter := *j.Linter
		linter.Go, linter.Objects = nil, by
		use(&linter)
	})
}
