package drift

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/gotypes"
	"github.com/crdlift/crdlift/internal/marker"
)

// ranked is the first controller-gen in which the markers of a field come before its tag, whatever they are.
var ranked = version.MustParseGeneric("v0.16.0")

// required compares which properties of a struct are required. Those that the manifest lacks are missing already. Where no
// property is required, a script may have taken the whole list out.
func (c *comparison) required(s *crd.Schema, at gotypes.Place) {
	if c.generator == nil || c.generator.LessThan(ranked) || s.Get("allOf") != nil {
		return
	}
	properties := s.Get("properties")
	fields, _ := at.Members()
	for _, f := range fields {
		k, _ := crd.Lookup(properties, f.JSON)
		if k == nil || c.full() || len(at.At("properties", f.JSON).Others) > 0 {
			continue
		}
		declared, sure := isRequired(f)
		if !sure || declared == s.Required(f.JSON) || declared && s.Get("required") == nil {
			continue
		}
		keyword := marker.Required
		if declared {
			keyword = marker.Optional
		}
		property := s.Property(f.JSON)
		c.found = append(c.found, Difference{Reason: Limit, At: property.Place, Path: property.FieldPath(), Keyword: keyword, Go: fieldMark(f)})
	}
}

// isRequired reports whether controller-gen requires a field. That is not sure where versions of it disagree.
func isRequired(f *gotypes.Field) (required, sure bool) {
	says := map[string]bool{}
	for _, m := range f.Markers {
		says[m.Name()] = true
	}
	switch {
	case says["kubebuilder:validation:Optional"]:
		return false, true
	case says["kubebuilder:validation:Required"]:
		return true, true
	case says["k8s:optional"], says["k8s:required"]:
		return false, false // only since v0.20.0
	case says["optional"]:
		return false, true
	case says["required"]:
		return true, true
	case slices.ContainsFunc(f.File.Package().Markers, func(m gotypes.Marker) bool { return m.Name() == "kubebuilder:validation:Optional" }):
		return false, true
	}
	return !slices.Contains(f.Options, "omitempty"), !slices.Contains(f.Options, "omitzero")
}
