package engine

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/lint"
)

// inModule returns where a module that the repository requires declares what a finding is about; nil where none does, or
// where types and their markers have nothing to do with it. Nobody changes markers there.
func (o *origins) inModule(f *Finding) *lint.Origin {
	v := o.versionOf(f.At.Path)
	if v == nil {
		return nil
	}
	found := o.goType(v.Name)
	if found.Elsewhere == nil {
		return nil
	}
	mark := ofType(found.Elsewhere.Type, lint.KindDeclaration).mark
	if below, inside := strings.CutPrefix(f.At.Path, v.Schema.Path); inside && v.Schema.Node != nil {
		if place := found.Elsewhere.At(crd.Steps(strings.TrimPrefix(below, "."))...); place.Outcome != gotypes.Missing && place.Field != nil {
			mark = ofField(place.Field).mark
		}
	} else if !slices.ContainsFunc(f.Remedy, func(c lint.Change) bool { return len(c.Markers) > 0 }) {
		return nil
	}
	f.nameNoMarkers()
	out := o.OriginAt(mark, lint.ForeignOrigin)
	out.Module, out.Version, out.InModule = found.Module.Path, found.Module.Version, true
	return out
}
