package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/config"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// A SampleSet is a rule's view of the CRDs that objects are judged by, once all objects of a run have been judged.
type SampleSet struct {
	Definitions []*objects.Definition // one for each kind, in the order of their paths and texts

	linter *Linter
	rule   *Rule
	has    map[lint.Object]bool // by apiVersion and kind
	groups map[string]bool
	found  map[string][]*lint.Finding // by file
}

// samples runs the rules that look at all objects of a run. A finding is in the file of a CRD, which the run need not have
// looked at for objects: then there is a report more.
func (l *Linter) samples(files []*FileReport) []*FileReport {
	set := &SampleSet{Definitions: l.Objects.Catalogue.Kinds(), linter: l, has: map[lint.Object]bool{}, groups: map[string]bool{}, found: map[string][]*lint.Finding{}}
	for _, f := range files {
		if f.Objects != nil {
			for _, o := range f.Objects.Alike {
				set.has[lint.Object{APIVersion: o.APIVersion, Kind: o.Kind}] = true
				set.groups[objects.GroupOf(o.APIVersion)] = true
			}
		}
	}
	for _, r := range l.Rules {
		if r.Samples != nil {
			set.rule = r
			r.Samples(set)
		}
	}
	for _, f := range files {
		f.Findings = append(f.Findings, set.found[f.Path]...)
		slices.SortStableFunc(f.Findings, (*lint.Finding).Compare)
		delete(set.found, f.Path)
	}
	for _, d := range set.Definitions {
		if path := d.Document.File.Path; set.found[path] != nil {
			files = append(files, &FileReport{FileReport: lint.FileReport{Path: path, Findings: set.found[path]}})
			delete(set.found, path)
		}
	}
	return files
}

// Has reports whether the run has an object of a version of a CRD.
func (s *SampleSet) Has(d *objects.Definition, version string) bool {
	return s.has[lint.Object{APIVersion: d.Hub.Spec.Group + "/" + version, Kind: d.Hub.Spec.Names.Kind}]
}

// HasGroup reports whether the run has an object of the group of a CRD.
func (s *SampleSet) HasGroup(d *objects.Definition) bool { return s.groups[d.Hub.Spec.Group] }

// Reportf reports something of a version of a CRD, at its name.
func (s *SampleSet) Reportf(d *objects.Definition, v crd.APIVersion, format string, args ...any) {
	file := d.Document.File
	severity := s.rule.severity(config.ForFile(s.linter.config(), file.Path))
	if severity == lint.Off {
		return
	}
	pos, ok := d.Position(crd.Get(v.At.Node, "name"))
	if !ok {
		pos = d.Where()
	}
	value := s.rule.Value()
	f := &Finding{Finding: &lint.Finding{
		Rule: &value, Severity: severity, Path: crd.Join(v.At.Path, "name"), Source: file.SourceAt(pos),
		Document: d.Document.Index, Resource: d.Name, Versions: []string{v.Name},
	}}
	f.say(text.Sprintf(format, args...))
	s.found[file.Path] = append(s.found[file.Path], f.Finding)
}
