package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/origin"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A FileReport holds the findings about one file by itself, and the data that Report needs.
type FileReport struct {
	lint.FileReport

	found     []*Finding     // whose trees are still there
	patchable []*Finding     // that a patch in another file may settle
	named     map[string]int // CRDs by their names so far
	directive directiveLine  // not reported yet
	editWork  int            // nodes of documents that edits were made from
	comments  []*suppress.Comment
	summaries []*Summary
	judged    []suppress.Subject           // the CRDs of the objects that were judged
	refused   map[*objects.Definition]int  // the number of objects by those that a server refuses and keeps
	unseen    map[*objects.Definition]bool // those in templates of which not all branches are known
	patches   []crd.Patch

	unmasked error // why a template in one of its worlds does not parse

	alike map[lint.Likeness]*alike // of a report that is joined of those on pieces
	once  toldOnce                 // of the same

	discretion discretion // about values of the file's objects
	previewing previewing
	previewed  *lint.Preview
}

// release lets go of the trees that findings point into, so that memory does not grow with the number of files.
func (f *FileReport) release() {
	for _, one := range f.found {
		one.At.Node, one.Fix = nil, nil
		if one.PatchedBy != nil {
			f.patchable = append(f.patchable, one)
		}
	}
	f.found = nil
}

// IsSilent reports whether nothing comes of a file in a Report, for itself and for others.
func (f *FileReport) IsSilent() bool {
	return len(f.Findings)+len(f.comments)+len(f.summaries)+len(f.judged)+len(f.patches) == 0
}

// Report combines the reports on the files of a run: it runs the rules that look across files, and marks what is
// ignored.
func (l *Linter) Report(files []*FileReport) *lint.Report {
	if l.Objects != nil {
		files = l.samples(files)
	}
	out := l.together(files)
	for _, f := range files {
		if f.Unedited > 0 {
			l.exceed(&f.FileReport, "fix-edits", lint.Source{Pos: lint.Point(f.Path, 1, 1)},
				"the edits of the fixes of %s are left out, since there are too many for a file of this size; run with --diff to see them", text.Count(f.Unedited, "finding"))
		}
	}
	dropPatched(files)
	if l.Objects != nil {
		dropRepeated(l.Rules, files)
	} else if l.Conversions == nil {
		l.across(files)
	}
	l.nameOriginals(files)
	suppressing := l.suppressing()
	var all []*suppress.File
	for _, f := range files {
		all = append(all, f.suppressible())
		suppressing.Mark(all[len(all)-1])
	}
	unused := suppressing.Unused(all)
	out.BaselineGone = suppressing.Gone(all)
	out.Renamed = suppressing.Renamed(all)
	for _, f := range files {
		out.Findings = append(out.Findings, f.Findings...)
	}
	out.Findings = append(out.Findings, unused...)
	if l.Conversions != nil && l.Conversions.Partly {
		out.BaselineGone = 0
	}
	if l.Changes {
		out.BaselineGone = 0 // it is unknown what the rules that did not run would find
		out.Findings = slices.DeleteFunc(out.Findings, func(f *lint.Finding) bool { return !f.Rule.AboutChange && !f.Rule.HidesCRD })
	}
	return out
}

// definedHere are the CRDs that objects are judged by, but for those of git revisions: their files are no files of this machine.
func (l *Linter) definedHere(files []string) []lint.CRD {
	here := map[string]bool{}
	for _, file := range slices.Concat(files, l.Objects.Files) {
		here[file] = true
	}
	earlier := func(*objects.Definition) *objects.Definition { return nil }
	if old := l.Objects.Against; old != nil {
		earlier = old.Definition
	}
	return slices.DeleteFunc(l.Objects.Catalogue.Told(earlier), func(c lint.CRD) bool { return !here[c.File] })
}

// together is a report of files without their findings.
func (l *Linter) together(files []*FileReport) *lint.Report {
	out := &lint.Report{Crowded: map[string]bool{}}
	if l.Objects != nil {
		out.Objects = &lint.Objects{Files: l.Objects.Files, Upgrade: l.Objects.Against != nil, Dumps: map[string]bool{}}
	}
	for _, f := range files {
		if !f.Gone {
			out.Files = append(out.Files, f.Path)
		}
		out.Add(f.Counts)
		for _, s := range f.summaries {
			out.Defined = append(out.Defined, s.Told)
		}
		out.CRDs -= len(f.patches)
		if f.Objects != nil {
			out.Objects.Add(f.Objects)
			out.Objects.Dumps[f.Path] = f.discretion.dump
		}
		if f.CRDs > 1 || f.Objects != nil && f.Objects.Len() > 1 {
			out.Crowded[f.Path] = true
		}
		if f.Template != nil {
			out.Templates = append(out.Templates, *f.Template)
		}
	}
	if l.Objects != nil {
		out.CRDs = l.Objects.Catalogue.Count() // wherever they are
		out.Defined = l.definedHere(out.Files)
	}
	for _, f := range files { // after those that CRDs are written in, the ones that change them
		for _, path := range f.Sources {
			if !slices.Contains(out.Files, path) {
				out.Files = append(out.Files, path)
			}
		}
	}
	return out
}

// dropPatched drops the findings that a patch of the run settles. It is in another file as a rule, before or after that of
// the CRD, and belongs to every CRD of its name, as in kustomize.
func dropPatched(files []*FileReport) {
	patches := map[string][]crd.Patch{}
	for _, f := range files {
		for _, p := range f.patches {
			patches[p.Name] = append(patches[p.Name], p)
		}
	}
	for _, f := range files {
		settled := map[*lint.Finding]bool{}
		for _, one := range f.patchable {
			settled[one.Finding] = slices.ContainsFunc(patches[one.Resource], one.PatchedBy.In)
		}
		f.Findings = slices.DeleteFunc(f.Findings, func(f *lint.Finding) bool { return settled[f] })
	}
}

// nameOriginals names the files that copies are made from.
func (l *Linter) nameOriginals(files []*FileReport) {
	var findings []*lint.Finding
	for _, f := range files {
		findings = append(findings, f.Findings...)
	}
	origin.NameOriginals(findings, func(yield func(origin.File) bool) {
		for _, f := range files {
			at := origin.File{Vicinity: l.around(f.Path)}
			for _, s := range f.summaries {
				at.CRDs = append(at.CRDs, s.Resource.Value)
			}
			if len(at.CRDs) > 0 && !yield(at) {
				return
			}
		}
	})
}

// across runs the rules that look at all CRDs together.
func (l *Linter) across(files []*FileReport) {
	set, byPath := &Set{}, map[string]*FileReport{}
	for _, f := range files {
		byPath[f.Path] = f
		set.CRDs = append(set.CRDs, f.summaries...)
	}
	for _, r := range l.Rules {
		if r.Across != nil {
			set.rule = r
			r.Across(set)
		}
	}
	told := map[*FileReport]bool{}
	for _, f := range set.findings {
		file := byPath[f.Pos.File]
		file.Findings = append(file.Findings, f)
		told[file] = true
	}
	for file := range told {
		slices.SortStableFunc(file.Findings, (*lint.Finding).Compare)
	}
}

// runs reports whether the run has a rule.
func (l *Linter) runs(rule *lint.Rule) bool {
	if l.Conversions != nil || rule.Conversion {
		return l.Conversions != nil && rule.Conversion
	}
	if l.Objects == nil || !rule.Object {
		return l.Objects == nil && !rule.Object
	}
	return slices.ContainsFunc(l.Rules, func(r *Rule) bool { return r.ID == rule.ID && (r.Mismatch || r.asks(l.Objects)) })
}

// suppressing is what marks the findings that are ignored.
func (l *Linter) suppressing() *suppress.Run {
	return &suppress.Run{Config: l.config(), Baseline: l.Baseline, Rules: l.known(), Runs: l.runs, Shown: l.Shown}
}

// suppressible returns the findings of a file that can be ignored.
func (f *FileReport) suppressible() *suppress.File {
	out := &suppress.File{FileReport: &f.FileReport, Comments: f.comments, Judged: f.judged}
	for _, s := range f.summaries {
		out.Judged = append(out.Judged, suppress.Subject{Document: s.Document, Resource: s.Named, Compared: s.Compared, Partly: s.Partly})
	}
	return out
}
