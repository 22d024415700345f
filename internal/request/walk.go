package request

import (
	"maps"
	"slices"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A place is a value with what a structural schema says about it.
type place struct {
	schema     *structuralschema.Structural
	value      any
	path       Path
	at         *field.Path // upstream's for the path
	schemaPath []string
}

// each visits a value and those in it that the schema declares, in a fixed order.
func (p place) each(visit func(place)) {
	if p.schema == nil {
		return
	}
	visit(p)
	switch value := p.value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			child := place{value: value[key], path: p.path.To(Key(key))}
			if property, ok := p.schema.Properties[key]; ok {
				child.schema, child.at, child.schemaPath = &property, p.at.Child(key), slices.Concat(p.schemaPath, []string{"properties", key})
			} else if more := p.schema.AdditionalProperties; more != nil {
				child.schema, child.at, child.schemaPath = more.Structural, p.at.Key(key), slices.Concat(p.schemaPath, []string{"additionalProperties"})
			}
			child.each(visit)
		}
	case []any:
		for i, item := range value {
			place{p.schema.Items, item, p.path.To(Index(i)), p.at.Index(i), slices.Concat(p.schemaPath, []string{"items"})}.each(visit)
		}
	}
}

// Declared is the schema of the value at a path; nil for one that is not declared.
func (v *Version) Declared(at Path) *structuralschema.Structural {
	s := v.structural
	for _, step := range at {
		if s == nil {
			return nil
		}
		property, ok := s.Properties[step.Key]
		switch {
		case step.IsIndex():
			s = s.Items
		case ok:
			s = &property
		case s.AdditionalProperties != nil:
			s = s.AdditionalProperties.Structural
		default:
			s = nil
		}
	}
	return s
}

// Keeps reports whether unknown members of the value at a path are kept.
func (v *Version) Keeps(at Path) bool {
	if !v.server.prunes {
		return true
	}
	for i := len(at); i >= 0; i-- {
		if s := v.Declared(at[:i]); s != nil {
			return s.XPreserveUnknownFields
		}
	}
	return false
}
