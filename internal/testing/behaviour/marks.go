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
func structuralAt(v *request.Version, path sample.Path) (node structuralschema.Structural, found bool) {
	found = visitAt(v.Structural(), path, func(s *structuralschema.Structural) { node = *s })
	return node, found
}

// unmark has the version served as if the node at path had no mark, until restore is called. Requests meanwhile, to any
// version of the server, see it so.
func unmark(v *request.Version, path sample.Path) (restore func()) {
	mark := func(is bool) {
		visitAt(v.Structural(), path, func(s *structuralschema.Structural) { s.XPreserveUnknownFields = is })
	}
	mark(false)
	return func() { mark(true) }
}

// visitAt visits the node at a path, which may be changed, and reports whether there is one.
func visitAt(s *structuralschema.Structural, path sample.Path, visit func(*structuralschema.Structural)) (found bool) {
	if s == nil || len(path) == 0 {
		if s != nil {
			visit(s)
		}
		return s != nil
	}
	switch step := path[0]; step.Kind {
	case sample.Property:
		property, declared := s.Properties[step.Name]
		if found = declared && visitAt(&property, path[1:], visit); found {
			s.Properties[step.Name] = property
		}
	case sample.Items:
		found = visitAt(s.Items, path[1:], visit)
	case sample.Values:
		found = s.AdditionalProperties != nil && visitAt(s.AdditionalProperties.Structural, path[1:], visit)
	}
	return found
}

func sorted[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
