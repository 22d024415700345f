package engine

import (
	"slices"

	"github.com/crdlift/crdlift/lint"
)

// A Report is the result of a run over many files.
type Report struct {
	Findings []*Finding // by file in the order given, then by position; ignored ones included
	Files    []string   // their paths, in the order given
	CRDs     int        // without the parts, which are not judged
	Others   int        // documents and list items that are no CRDs, the broken ones included
	Broken   int        // documents that do not parse, of files that name no CRD
	// Templates are the files that were passed over because they are rendered before a server sees them.
	Templates []Template
	Hidden    []*Finding      // those that are not ignored and were left out for their severity; see AtLeast
	Crowded   map[string]bool // the files whose findings may be about several CRDs
	// BaselineGone counts the findings that the baseline has, and the files that were looked at have not.
	BaselineGone int
}

// Report puts the files of a run together: it runs the rules that look across files, and marks what is ignored.
func (l *Linter) Report(files []*FileReport) *Report {
	out := &Report{Crowded: map[string]bool{}}
	byPath := map[string]*FileReport{}
	set := &Set{}
	for _, f := range files {
		if !f.Gone {
			out.Files = append(out.Files, f.Path)
		}
		out.CRDs += f.CRDs - len(f.patches)
		if f.CRDs > 1 {
			out.Crowded[f.Path] = true
		}
		out.Others += f.Others
		out.Broken += f.Broken
		if f.Template != nil {
			out.Templates = append(out.Templates, *f.Template)
		}
		byPath[f.Path] = f
		set.CRDs = append(set.CRDs, f.summaries...)
	}
	for _, f := range files { // behind those that CRDs are written in, the ones that change them
		for _, path := range f.Sources {
			if !slices.Contains(out.Files, path) {
				out.Files = append(out.Files, path)
			}
		}
	}
	dropPatched(files)
	for _, r := range l.Rules {
		if r.Across != nil {
			set.rule = r
			r.Across(set)
		}
	}
	for _, f := range set.findings {
		file := byPath[f.Pos.File]
		file.Findings = append(file.Findings, f)
	}
	for _, f := range files {
		l.markIgnored(f)
	}
	unused := l.reportIgnores(files)
	if l.Baseline != nil {
		out.BaselineGone = l.gone(files)
	}
	for _, f := range files {
		sortFindings(f.Findings)
		out.Findings = append(out.Findings, f.Findings...)
	}
	out.Findings = append(out.Findings, unused...)
	if l.Changes {
		out.BaselineGone = 0 // what the rules that did not run would find, nobody knows
		out.Findings = slices.DeleteFunc(out.Findings, func(f *Finding) bool { return !f.Rule.AboutChange() && !f.Rule.HidesCRD() })
	}
	return out
}

// AtLeast leaves out the findings below a severity.
func (r *Report) AtLeast(s lint.Severity) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f *Finding) bool {
		if f.Severity < s && f.Ignored == "" {
			r.Hidden = append(r.Hidden, f)
		}
		return f.Severity < s
	})
}

// Count counts the findings of a severity that are not ignored.
func (r *Report) Count(s lint.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Ignored == "" && f.Severity == s {
			n++
		}
	}
	return n
}

// Ignored counts the findings that are ignored.
func (r *Report) Ignored() int {
	n := 0
	for _, f := range r.Findings {
		if f.Ignored != "" {
			n++
		}
	}
	return n
}
