package behaviour

import (
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// marksOf are the nodes of a version that preserve unknown fields, in a fixed order.
func marksOf(v *request.Version) []sample.Path {
	var marks []sample.Path
	visitStructural(nil, v.Structural(), func(at sample.Path, s *structuralschema.Structural) {
		if s.XPreserveUnknownFields {
			marks = append(marks, at)
		}
	})
	return marks
}

func visitStructural(at sample.Path, s *structuralschema.Structural, visit func(sample.Path, *structuralschema.Structural)) {
	if s == nil {
		return
	}
	visit(at, s)
	for _, name := range sorted(s.Properties) {
		property := s.Properties[name]
		visitStructural(at.To(sample.Property, name), &property, visit)
	}
	visitStructural(at.To(sample.Items, ""), s.Items, visit)
	if s.AdditionalProperties != nil {
		visitStructural(at.To(sample.Values, ""), s.AdditionalProperties.Structural, visit)
	}
}

// structuralAt is the node at a path, false when the schema does not declare it.
func structuralAt(v *request.Version, path sample.Path) (structuralschema.Structural, bool) {
	s := v.Structural()
	for _, step := range path {
		if s == nil {
			break
		}
		switch step.Kind {
		case sample.Property:
			property, ok := s.Properties[step.Name]
			if !ok {
				return structuralschema.Structural{}, false
			}
			s = &property
		case sample.Items:
			s = s.Items
		case sample.Values:
			if s.AdditionalProperties == nil {
				return structuralschema.Structural{}, false
			}
			s = s.AdditionalProperties.Structural
		}
	}
	if s == nil {
		return structuralschema.Structural{}, false
	}
	return *s, true
}

// unmark has the version served as if the node at path had no mark, until restore is called. Requests meanwhile, to any
// version of the server, see it so.
func unmark(v *request.Version, path sample.Path) (restore func()) {
	setMark(v.Structural(), path, false)
	return func() { setMark(v.Structural(), path, true) }
}

func setMark(s *structuralschema.Structural, path sample.Path, value bool) {
	if len(path) == 0 {
		s.XPreserveUnknownFields = value
		return
	}
	switch step := path[0]; step.Kind {
	case sample.Property:
		property := s.Properties[step.Name]
		setMark(&property, path[1:], value)
		s.Properties[step.Name] = property
	case sample.Items:
		setMark(s.Items, path[1:], value)
	case sample.Values:
		setMark(s.AdditionalProperties.Structural, path[1:], value)
	}
}

func sorted[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
