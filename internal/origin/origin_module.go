package origin

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

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
