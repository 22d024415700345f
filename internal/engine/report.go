package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/suppress"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// release lets go of the trees that findings point into, so that memory does not grow with the number of files.
func (f *FileReport) release() {
	for _, one := range f.Found {
		one.At.Node, one.Fix = nil, nil
		if one.PatchedBy != nil {
			f.patchable = append(f.patchable, one)
		}
	}
	f.Found = nil
}

// IsSilent reports whether nothing comes of a file in a Report, for itself and for others.
func (f *FileReport) IsSilent() bool {
	return len(f.Findings)+len(f.comments)+len(f.summaries)+len(f.Judged)+len(f.patches) == 0
}

// Parses reports whether all of the text could be read.
func (f *FileReport) Parses() bool {
	return !slices.ContainsFunc(f.Findings, func(f *lint.Finding) bool { return f.Rule.ID == SyntaxRule.ID && f.Object == nil })
}

// Mark marks what is ignored of the findings of a file, before there is a report on all files.
func (l *Linter) Mark(f *FileReport) { l.suppressing().Mark(l.suppressible(f)) }

// Show is what may be shown of a change of a file.
func (l *Linter) Show(path string, before, after []byte) lint.ShownChange {
	return l.kind().Show(path, before, after)
}

// Report combines the reports on the files of a run: it runs the rules that look across files, and marks what is
// ignored.
func (l *Linter) Report(files []*FileReport) *lint.Report {
	return l.kind().Report(l, files, l.combine)
}

func (l *Linter) combine(files []*FileReport) *lint.Report {
	written, built := apart(files)
	out := together(written)
	for _, f := range files {
		if f.Unedited > 0 {
			l.Exceed(&f.FileReport, "fix-edits", lint.Source{Pos: lint.Point(f.Path, 1, 1)},
				"the edits of the fixes of %s are left out, since there are too many for a file of this size; run with --diff to see them", text.Count(f.Unedited, "finding"))
		}
	}
	dropPatched(written) // what is built has the patches that apply to it
	if l.Conversions == nil {
		l.across(written, l.Final)
		l.across(built, true)
	}
	suppressing := l.suppressing()
	var all []*suppress.File
	for _, f := range files {
		all = append(all, l.suppressible(f))
		out.Inline = append(out.Inline, l.inline(f)...)
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

// apart parts the files that are written from those that a kustomization builds of them, if a run has both.
func apart(files []*FileReport) (written, built []*FileReport) {
	for _, f := range files {
		if f.Sources == nil {
			written = append(written, f)
		} else {
			built = append(built, f)
		}
	}
	if written == nil {
		return built, nil
	}
	return written, built
}

// together is a report of files without their findings.
func together(files []*FileReport) *lint.Report {
	out := &lint.Report{Crowded: map[string]bool{}}
	for _, f := range files {
		if !f.Gone {
			out.Files = append(out.Files, f.Path)
		}
		out.Add(f.Counts)
		for _, s := range f.summaries {
			out.Defined = append(out.Defined, s.Told)
		}
		out.CRDs -= len(f.patches)
		if f.CRDs > 1 || f.Objects != nil && f.Objects.Len() > 1 {
			out.Crowded[f.Path] = true
		}
		if f.Template != nil {
			out.Templates = append(out.Templates, *f.Template)
		}
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

// across runs the rules that look at all CRDs together, which are final or not.
func (l *Linter) across(files []*FileReport, final bool) {
	set, byPath := &Set{linter: l, final: final, companions: map[string][]Companion{}}, map[string]*FileReport{}
	for _, f := range files {
		byPath[f.Path] = f
		set.companions[set.unit(f.Path)] = append(set.companions[set.unit(f.Path)], f.beside...)
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

// suppressing is what marks the findings that are ignored.
func (l *Linter) suppressing() *suppress.Run {
	return &suppress.Run{Config: l.Configuration(), Baseline: l.Baseline, Rules: l.known(), Shown: l.Shown, UnusedRoles: l.UnusedRoles, Runs: func(r *lint.Rule) bool { return l.kind().Runs(l, r) }}
}

// suppressible returns the findings of a file that can be ignored.
func (l *Linter) suppressible(f *FileReport) *suppress.File {
	out := &suppress.File{FileReport: &f.FileReport, Comments: f.comments, Judged: f.Judged}
	if l.NoInline {
		out.Comments = nil
		for _, c := range f.comments {
			known := *c
			known.Names = slices.DeleteFunc(slices.Clone(c.Names), func(n suppress.RuleName) bool { return !l.wasInline(f.Path, c, n) })
			out.Comments = append(out.Comments, &known)
		}
	}
	for _, s := range f.summaries {
		out.Judged = append(out.Judged, suppress.Subject{Document: s.Document, Resource: s.Named, Compared: s.Compared, Partly: s.Partly})
	}
	return out
}

// wasInline reports whether it is known of a rule's name in a comment that it is not new.
func (l *Linter) wasInline(path string, c *suppress.Comment, n suppress.RuleName) bool {
	return l.WasInline != nil && l.WasInline(path, n.ID, c.Scope)
}

// inline are the ignores in a file that are new, where that is known, or count for nothing.
func (l *Linter) inline(f *FileReport) (all []lint.InlineIgnore) {
	if !l.NoInline && l.WasInline == nil {
		return nil
	}
	for _, c := range f.comments {
		for _, n := range c.Names {
			if !l.wasInline(f.Path, c, n) {
				all = append(all, lint.InlineIgnore{At: c.At, Rule: n.ID, Reason: c.Reason, Void: l.NoInline})
			}
		}
	}
	return all
}
