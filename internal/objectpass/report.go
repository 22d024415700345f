package objectpass

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/audit"
	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Report combines the reports on the files of a run: it runs the rules that look at all objects, and marks what is ignored.
func (o *Objects) Report(l *engine.Linter, files []*engine.FileReport, combine func([]*engine.FileReport) *lint.Report) *lint.Report {
	files = o.samples(l, files)
	dropRepeated(l, files)
	out := combine(files)
	out.Objects = &lint.Objects{Files: o.Files, Upgrade: o.Against != nil, Audit: o.Audit != nil, Dumps: map[string]bool{}}
	for _, f := range files {
		if f.Objects != nil {
			out.Objects.Add(f.Objects)
			out.Objects.Dumps[f.Path] = judgeOf(f).discretion.dump
		}
	}
	if !l.KeepAll {
		countAlike(l, out)
	}
	out.CRDs = o.Catalogue.Count() // wherever they are
	out.Defined = o.definedHere(out.Files)
	return out
}

// countAlike leaves the first finding of those that say the same of several objects, where the rule asks for that.
func countAlike(l *engine.Linter, out *lint.Report) {
	type saying struct {
		rule, message string
		severity      lint.Severity
	}
	first := map[saying]*lint.Finding{}
	out.Findings = slices.DeleteFunc(out.Findings, func(f *lint.Finding) bool {
		if c := checkOf(l, f.Rule.ID); c == nil || !c.OncePerMessage || f.Ignored != "" {
			return false
		}
		key := saying{f.Rule.ID, f.Message, f.Severity}
		if first[key] == nil {
			first[key] = f
			return false
		}
		first[key].More += f.Count()
		out.Objects.CountFlawed(f.Severity, 1)
		return true
	})
}

// definedHere are the CRDs that objects are judged by, but for those of git revisions: their files are no files of this machine.
func (o *Objects) definedHere(files []string) []lint.CRD {
	here := map[string]bool{}
	for _, file := range slices.Concat(files, o.Files) {
		here[file] = true
	}
	earlier := func(*objects.Definition) *objects.Definition { return nil }
	if old := o.Against; old != nil {
		earlier = old.Definition
	}
	return slices.DeleteFunc(o.Catalogue.Told(earlier), func(c lint.CRD) bool { return !here[c.File] })
}

// again reports whether such a rule of a run has said this before, and notes it.
func (s repetitions) again(l *engine.Linter, f *lint.Finding) bool {
	if c := checkOf(l, f.Rule.ID); c == nil || !c.OncePerCRD {
		return false
	}
	one := struct{ rule, resource, message string }{f.Rule.ID, f.Resource, f.Message}
	again := s[one]
	s[one] = true
	return again
}

// dropRepeated leaves the first finding of a run where the rule reports something of a CRD.
func dropRepeated(l *engine.Linter, files []*engine.FileReport) {
	once := repetitions{}
	for _, f := range files {
		f.Findings = slices.DeleteFunc(f.Findings, func(f *lint.Finding) bool { return once.again(l, f) })
	}
}

// samples runs the rules that look at all objects of a run. A finding is in the file of a CRD, which the run need not have
// looked at for objects: then there is a report more.
func (o *Objects) samples(l *engine.Linter, files []*engine.FileReport) []*engine.FileReport {
	asked := slices.DeleteFunc(o.Catalogue.Kinds(), func(d *objects.Definition) bool { return d.Further })
	set := &SampleSet{Definitions: asked, linter: l, has: map[lint.Object]bool{}, groups: map[string]bool{}, judged: map[*objects.Definition]int{}, found: map[string][]*lint.Finding{}}
	for _, f := range files {
		for d, n := range judgeOf(f).refused {
			set.judged[d] += n
		}
		if f.Objects != nil {
			for _, o := range f.Objects.Alike {
				set.has[lint.Object{APIVersion: o.APIVersion, Kind: o.Kind}] = true
				set.groups[objects.GroupOf(o.APIVersion)] = true
			}
		}
	}
	if a := o.Audit; a != nil {
		set.Audit, a.Facts = a, &audit.Facts{}
		for _, f := range files {
			a.Facts.Join(judgeOf(f).facts)
		}
		set.Definitions = slices.DeleteFunc(set.Definitions, func(d *objects.Definition) bool { return !a.sees(d.Hub.Spec.Group) })
		a.CRDs = set.Definitions
	}
	for r, check := range checks(l) {
		if check.Samples != nil && check.Audit == (o.Audit != nil) {
			set.rule = r
			check.Samples(set)
		}
	}
	for _, f := range files {
		f.Findings = append(f.Findings, set.found[f.Path]...)
		slices.SortStableFunc(f.Findings, (*lint.Finding).Compare)
		delete(set.found, f.Path)
	}
	for _, path := range slices.Sorted(maps.Keys(set.found)) {
		files = append(files, &engine.FileReport{FileReport: lint.FileReport{Path: path, Findings: set.found[path]}})
	}
	return files
}

// Has reports whether the run has an object of a version of a CRD.
func (s *SampleSet) Has(d *objects.Definition, version string) bool {
	return s.has[lint.Object{APIVersion: d.Hub.Spec.Group + "/" + version, Kind: d.Hub.Spec.Names.Kind}]
}

// HasGroup reports whether the run has an object of the group of a CRD.
func (s *SampleSet) HasGroup(d *objects.Definition) bool { return s.groups[d.Hub.Spec.Group] }

// EachRefused calls a function for each CRD that a server rejects and keeps, with the number of objects that were checked by it, in
// the order of their paths.
func (s *SampleSet) EachRefused(each func(d *objects.Definition, judged int)) {
	all := slices.SortedFunc(maps.Keys(s.judged), func(a, b *objects.Definition) int {
		return cmp.Or(cmp.Compare(a.Document.File.Path, b.Document.File.Path), a.Document.Index-b.Document.Index, cmp.Compare(a.Name, b.Name))
	})
	for _, d := range all {
		each(d, s.judged[d])
	}
}

// Reportf reports something of a version of a CRD, at its name.
func (s *SampleSet) Reportf(d *objects.Definition, v crd.APIVersion, format string, args ...any) {
	at := crd.Place{Node: crd.Get(v.At.Node, "name"), Path: crd.Join(v.At.Path, "name")}
	if f := s.ReportAtf(d, at, format, args...); f != nil {
		f.Versions = []string{v.Name}
	}
}

// ReportAtf reports something of a CRD, at a place in it; nil where the rule is off there.
func (s *SampleSet) ReportAtf(d *objects.Definition, at crd.Place, format string, args ...any) *engine.Finding {
	file := d.Document.File
	severity := s.rule.SeverityIn(config.ForFile(s.linter.Configuration(), file.Path))
	if severity == lint.Off {
		return nil
	}
	pos := d.At(at)
	f := &engine.Finding{Finding: &lint.Finding{
		Rule: s.rule.Value(), Severity: severity, Path: at.Path, Source: d.Written().File.SourceAt(pos), Document: d.Document.Index, Resource: d.Name,
	}}
	if s.Audit != nil {
		f.Excerpt = "" // objects may be in the same line
	}
	f.Say(text.Sprintf(format, args...))
	s.found[file.Path] = append(s.found[file.Path], f.Finding)
	return f
}
