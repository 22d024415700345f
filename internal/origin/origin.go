package origin

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/drift"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// findOrigins adds where Go types declare what findings are about.
func (m *Manifest) findOrigins(findings []*Finding) {
	if m.around.Go == nil {
		return
	}
	o := &origins{m, map[string]*drift.Texts{}, map[string]foreign{}}
	for _, f := range findings {
		if f.Origin == nil { // else its rule knows better
			f.Origin = o.origin(f)
		}
	}
}

// origin returns where Go types declare what a finding is about, and how its remedy changes their markers; nil where no
// types are known to.
func (o *origins) origin(f *Finding) *lint.Origin {
	if out := o.inModule(f); out != nil {
		return out
	}
	about := o.at(f.Path)
	if about == nil {
		return nil
	}
	if o.writtenLater(f.Path) {
		f.nameNoMarkers()
		return o.OriginAt(about.mark, lint.LaterOrigin)
	}
	marks, worst := o.marks(f.Remedy)
	if stale := o.differs(f.Path); stale != nil && about.confidence == lint.ExactOrigin {
		marks, worst = nil, stale
	}
	if f.Rule.AboutChange { // what one place lacks, or says in other words, is what changed: only manifest-stale compares the whole
		about, worst = about.fresh(), worst.fresh()
	}
	switch {
	case len(marks) == 0 && worst == nil && about.mark.At == lint.KindDeclaration: // a place that says nothing, for what types may not be about
		return nil
	case len(marks) == 0 && worst != nil && about.confidence == lint.ExactOrigin:
		about = worst
	case len(marks) > 0 && about.confidence == lint.ForeignOrigin: // markers around what is foreign fix it
		about = &statement{mark: about.mark, confidence: lint.ExactOrigin}
	}
	if o.isCopy() {
		about, marks = &statement{mark: about.mark, confidence: lint.CopyOrigin}, nil
	}
	out := o.OriginAt(about.mark, about.confidence)
	if out.Confidence == lint.CopyOrigin {
		out.CopyOf = o.role().Source
	}
	if out.Confidence == lint.ExactOrigin && len(marks) > 0 { // what is not sure is not changed
		out.Mark, out.Others = marks[0], marks[1:]
	} else {
		f.nameNoMarkers()
	}
	out.Partial = out.Confidence == lint.ExactOrigin && slices.ContainsFunc(f.Remedy, func(c lint.Change) bool { return len(c.Markers) == 0 })
	if about.foreign != nil {
		out.Type, out.Module, out.Version = about.foreign.Symbol(), about.foreign.Module, about.foreign.Version
	}
	return out
}

// requiredKind returns the struct of a version that the repository does not declare.
func (o *origins) requiredKind(version string) foreign {
	r, known := o.foreign[version]
	if !known {
		r.kind, r.module = o.around.Required(o.kindOf(version), o.goType(version))
		o.foreign[version] = r
	}
	return r
}

// inModule returns where a module that the repository requires declares what a finding is about; nil where none does, or
// where types and their markers have nothing to do with it. Nobody changes markers there.
func (o *origins) inModule(f *Finding) *lint.Origin {
	v := o.versionOf(f.Path)
	if v == nil {
		return nil
	}
	found := o.requiredKind(v.Name)
	if found.kind == nil {
		return nil
	}
	mark := ofType(found.kind.Type, lint.KindDeclaration).mark
	if below, inside := strings.CutPrefix(f.Path, v.Schema.Path); inside && v.Schema.Node != nil {
		if place := found.kind.At(crd.Steps(strings.TrimPrefix(below, "."))...); place.Outcome != gotypes.Missing && place.Field != nil {
			mark = ofField(place.Field).mark
		}
	} else if !slices.ContainsFunc(f.Remedy, func(c lint.Change) bool { return len(c.Markers) > 0 }) {
		return nil
	}
	f.nameNoMarkers()
	out := o.OriginAt(mark, lint.ForeignOrigin)
	out.Module, out.Version, out.InModule = found.module.Path, found.module.Version, true
	return out
}
