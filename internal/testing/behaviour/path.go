package behaviour

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// A Step leads from a schema node to one below it.
type Step struct {
	Kind StepKind
	Name string // of the property; empty otherwise
}

// A StepKind is the keyword a Step goes through.
type StepKind int

const (
	Property StepKind = iota // properties[Name]
	Items                    // items
	Values                   // additionalProperties
)

// A Path leads from the root of a schema to a node. Junctors are transparent: the path of what anyOf says about a
// property is the path of the property.
type Path []Step

// String is the path as a person would write it: "spec.containers[].env{}", and "." for the root.
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch step.Kind {
		case Property:
			b.WriteString("." + step.Name)
		case Items:
			b.WriteString("[]")
		case Values:
			b.WriteString("{}")
		}
	}
	if b.Len() == 0 {
		return "."
	}
	return strings.TrimPrefix(b.String(), ".")
}

// To is the path one step further.
func (p Path) To(kind StepKind, name string) Path {
	return append(slices.Clip(slices.Clone(p)), Step{kind, name})
}

// schemas are all that is said about one node: its own schema first, then what junctors above it say about it.
type schemas []*apiextensions.JSONSchemaProps

// schemasOf are what a version says about its root: nothing when it has no schema.
func schemasOf(v *request.Version) schemas {
	if v.Schema == nil {
		return nil
	}
	return schemas{v.Schema}
}

// walk calls visit for every node below the path, in a fixed order, the node itself first. Nodes that only a junctor
// mentions are visited as well.
func walk(at Path, node schemas, visit func(Path, schemas)) {
	visit(at, node)
	for _, name := range sorted(node.names()) {
		walk(at.To(Property, name), node.child(Step{Property, name}), visit)
	}
	for _, kind := range []StepKind{Items, Values} {
		if below := node.child(Step{Kind: kind}); len(below) > 0 {
			walk(at.To(kind, ""), below, visit)
		}
	}
}

// names are those of the properties of the node, and of its junctors.
func (node schemas) names() map[string]bool {
	names := map[string]bool{}
	node.each(func(s *apiextensions.JSONSchemaProps) {
		for name := range s.Properties {
			names[name] = true
		}
	})
	return names
}

// each calls visit for every schema of the node and every branch of its junctors.
func (node schemas) each(visit func(*apiextensions.JSONSchemaProps)) {
	for _, s := range node {
		visit(s)
		for _, branches := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
			for i := range branches {
				schemas{&branches[i]}.each(visit)
			}
		}
		if s.Not != nil {
			schemas{s.Not}.each(visit)
		}
	}
}

// child is what the node's schemas, and all branches of their junctors, say about the node one step below.
func (node schemas) child(step Step) schemas {
	var below schemas
	node.each(func(s *apiextensions.JSONSchemaProps) {
		if child := childOf(s, step); child != nil {
			below = append(below, child)
		}
	})
	return below
}

func childOf(s *apiextensions.JSONSchemaProps, step Step) *apiextensions.JSONSchemaProps {
	switch step.Kind {
	case Property:
		if child, ok := s.Properties[step.Name]; ok {
			return &child
		}
	case Items:
		if s.Items != nil {
			return s.Items.Schema
		}
	case Values:
		if s.AdditionalProperties != nil {
			return s.AdditionalProperties.Schema
		}
	}
	return nil
}

// marksOf are the nodes of a version that preserve unknown fields, in a fixed order.
func marksOf(v *request.Version) []Path {
	var marks []Path
	visitStructural(nil, v.Structural(), func(at Path, s *structuralschema.Structural) {
		if s.XPreserveUnknownFields {
			marks = append(marks, at)
		}
	})
	return marks
}

func visitStructural(at Path, s *structuralschema.Structural, visit func(Path, *structuralschema.Structural)) {
	if s == nil {
		return
	}
	visit(at, s)
	for _, name := range sorted(s.Properties) {
		property := s.Properties[name]
		visitStructural(at.To(Property, name), &property, visit)
	}
	visitStructural(at.To(Items, ""), s.Items, visit)
	if s.AdditionalProperties != nil {
		visitStructural(at.To(Values, ""), s.AdditionalProperties.Structural, visit)
	}
}

// structuralAt is the node at a path, false when the schema does not declare it.
func structuralAt(v *request.Version, path Path) (structuralschema.Structural, bool) {
	s := v.Structural()
	for _, step := range path {
		if s == nil {
			break
		}
		switch step.Kind {
		case Property:
			property, ok := s.Properties[step.Name]
			if !ok {
				return structuralschema.Structural{}, false
			}
			s = &property
		case Items:
			s = s.Items
		case Values:
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
func unmark(v *request.Version, path Path) (restore func()) {
	setMark(v.Structural(), path, false)
	return func() { setMark(v.Structural(), path, true) }
}

func setMark(s *structuralschema.Structural, path Path, value bool) {
	if len(path) == 0 {
		s.XPreserveUnknownFields = value
		return
	}
	switch step := path[0]; step.Kind {
	case Property:
		property := s.Properties[step.Name]
		setMark(&property, path[1:], value)
		s.Properties[step.Name] = property
	case Items:
		setMark(s.Items, path[1:], value)
	case Values:
		setMark(s.AdditionalProperties.Structural, path[1:], value)
	}
}

func sorted[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
