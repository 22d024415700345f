package rules

import (
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A Judge looks at all that is in a file: at the CRDs, and at the custom resources beside them.
type Judge struct {
	Linter *Linter // of CRDs
	// Objects calls a function with what custom resources are judged by, when the CRDs of a file are done; nil for a judge of CRDs
	// only.
	Objects func(judge func(*Objects))
}

// A Judgement is what a Judge has to say about one file.
type Judgement struct {
	CRDs, Objects *FileReport
}

// Findings are those about the file by itself.
func (j *Judgement) Findings() []*lint.Finding {
	return slices.Concat(j.CRDs.Findings, j.Objects.Findings)
}

// Copy is the judgement for one more call of Report, as FileReport.Copy has it.
func (j *Judgement) Copy() *Judgement { return &Judgement{j.CRDs.Copy(), j.Objects.Copy()} }

// IsSilent reports whether the findings of a Report are the same without this one.
func (j *Judgement) IsSilent() bool { return j.CRDs.IsSilent() && j.Objects.IsSilent() }

// File judges one file.
func (j *Judge) File(path string, src []byte) *Judgement {
	out := &Judgement{j.Linter.File(path, src), NoReport(path)}
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
// CRDs where nothing else is judged.
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
