package objectpass

import (
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

// Report combines the reports on the files of a run: it runs the rules that look at all objects, and marks what is ignored.
func (l *Linter) Report(files []*engine.FileReport) *lint.Report {
	files = l.samples(files)
	dropRepeated(l.objects.Rules, files)
	out := l.Linter.Report(files)
	out.Objects = &lint.Objects{Files: l.objects.Files, Upgrade: l.objects.Against != nil, Dumps: map[string]bool{}}
	for _, f := range files {
		if f.Objects != nil {
			out.Objects.Add(f.Objects)
			out.Objects.Dumps[f.Path] = judgeOf(f).discretion.dump
		}
	}
	out.CRDs = l.objects.Catalogue.Count() // wherever they are
	out.Defined = l.definedHere(out.Files)
	return out
}

// definedHere are the CRDs that objects are judged by, but for those of git revisions: their files are no files of this machine.
func (l *Linter) definedHere(files []string) []lint.CRD {
	here := map[string]bool{}
	for _, file := range slices.Concat(files, l.objects.Files) {
		here[file] = true
	}
	earlier := func(*objects.Definition) *objects.Definition { return nil }
	if old := l.objects.Against; old != nil {
		earlier = old.Definition
	}
	return slices.DeleteFunc(l.objects.Catalogue.Told(earlier), func(c lint.CRD) bool { return !here[c.File] })
}

// again reports whether such a rule of a run has said this before, and notes it.
func (s repetitions) again(rules []*Rule, f *lint.Finding) bool {
	i := slices.IndexFunc(rules, func(r *Rule) bool { return r.ID == f.Rule.ID })
	if i < 0 || !rules[i].OncePerCRD {
		return false
	}
	one := struct{ rule, resource, message string }{f.Rule.ID, f.Resource, f.Message}
	again := s[one]
	s[one] = true
	return again
}

// dropRepeated leaves the first finding of a run where the rule reports something of a CRD.
func dropRepeated(rules []*Rule, files []*engine.FileReport) {
	once := repetitions{}
	for _, f := range files {
		f.Findings = slices.DeleteFunc(f.Findings, func(f *lint.Finding) bool { return once.again(rules, f) })
	}
}
