package sample

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
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

// Schemas are all that is said about one node: its own schema first, then what junctors above it say about it.
type Schemas []*apiextensions.JSONSchemaProps

// SchemasOf are what a version says about its root: nothing when it has no schema.
func SchemasOf(v *request.Version) Schemas {
	if v.Schema == nil {
		return nil
	}
	return Schemas{v.Schema}
}

// walk calls visit for every node below the path, in a fixed order, the node itself first. Nodes that only a junctor
// mentions are visited as well.
func walk(at Path, node Schemas, visit func(Path, Schemas)) {
	visit(at, node)
	for _, name := range sorted(node.Names()) {
		walk(at.To(Property, name), node.Child(Step{Property, name}), visit)
	}
	for _, kind := range []StepKind{Items, Values} {
		if below := node.Child(Step{Kind: kind}); len(below) > 0 {
			walk(at.To(kind, ""), below, visit)
		}
	}
}

// Names are those of the properties of the node, and of its junctors.
func (node Schemas) Names() map[string]bool {
	names := map[string]bool{}
	node.Each(func(s *apiextensions.JSONSchemaProps) {
		for name := range s.Properties {
			names[name] = true
		}
	})
	return names
}

// Each calls visit for every schema of the node and every branch of its junctors.
func (node Schemas) Each(visit func(*apiextensions.JSONSchemaProps)) {
	for _, s := range node {
		visit(s)
		for _, branches := range [][]apiextensions.JSONSchemaProps{s.AllOf, s.AnyOf, s.OneOf} {
			for i := range branches {
				Schemas{&branches[i]}.Each(visit)
			}
		}
		if s.Not != nil {
			Schemas{s.Not}.Each(visit)
		}
	}
}

// Child is what the node's Schemas, and all branches of their junctors, say about the node one step below.
func (node Schemas) Child(step Step) Schemas {
	var below Schemas
	node.Each(func(s *apiextensions.JSONSchemaProps) {
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

func sorted[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
