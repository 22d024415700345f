package sample

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// A shape is what remains of a node's schemas once the junctors' branches are chosen.
type shape struct {
	apiextensions.JSONSchemaProps                    // constraints; its schemas below are not used
	intOrString                   bool               // x-kubernetes-int-or-string
	properties                    map[string]Schemas // by name
	items, values                 Schemas
	embedded                      bool // x-kubernetes-embedded-resource
	preserved                     bool // x-kubernetes-preserve-unknown-fields
	listType                      string
	listKeys                      []string
	patterns                      []string
}

// shape merges the schemas of a node. When a branch is to be chosen, one that mentions the wanted property is.
func (m maker) shape(node Schemas, want string) *shape {
	merged := &shape{properties: map[string]Schemas{}}
	for _, s := range node {
		m.merge(merged, s, want)
	}
	return merged
}

func (m maker) merge(to *shape, s *apiextensions.JSONSchemaProps, want string) {
	if to.Type == "" {
		to.Type = s.Type
	}
	to.intOrString = to.intOrString || s.XIntOrString
	to.embedded = to.embedded || s.XEmbeddedResource
	to.preserved = to.preserved || s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
	if s.XListType != nil {
		to.listType, to.listKeys = *s.XListType, s.XListMapKeys
	}
	to.Nullable = to.Nullable || s.Nullable
	if s.Default != nil {
		to.Default = s.Default
	}
	if to.Format == "" {
		to.Format = s.Format
	}
	if s.Pattern != "" {
		to.patterns = append(to.patterns, s.Pattern)
	}
	if len(s.Enum) > 0 {
		to.Enum = s.Enum
	}
	to.Required = append(to.Required, s.Required...)
	larger(&to.MinLength, s.MinLength)
	larger(&to.MinItems, s.MinItems)
	larger(&to.MinProperties, s.MinProperties)
	larger(&to.Minimum, s.Minimum)
	smaller(&to.MaxLength, s.MaxLength)
	smaller(&to.MaxItems, s.MaxItems)
	smaller(&to.MaxProperties, s.MaxProperties)
	smaller(&to.Maximum, s.Maximum)
	to.ExclusiveMinimum = to.ExclusiveMinimum || s.ExclusiveMinimum
	to.ExclusiveMaximum = to.ExclusiveMaximum || s.ExclusiveMaximum
	if s.MultipleOf != nil {
		to.MultipleOf = s.MultipleOf
	}
	for name := range s.Properties {
		to.properties[name] = append(to.properties[name], childOf(s, Step{Property, name}))
	}
	if items := childOf(s, Step{Kind: Items}); items != nil {
		to.items = append(to.items, items)
	}
	if values := childOf(s, Step{Kind: Values}); values != nil {
		to.values = append(to.values, values)
	}

	for i := range s.AllOf {
		m.merge(to, &s.AllOf[i], want)
	}
	for _, branches := range [][]apiextensions.JSONSchemaProps{s.AnyOf, s.OneOf} {
		if len(branches) > 0 {
			m.merge(to, &branches[m.branch(branches, want)], want)
		}
	}
}

func (m maker) branch(branches []apiextensions.JSONSchemaProps, want string) int {
	if m.random != nil && m.random.IntN(3) > 0 {
		return m.random.IntN(len(branches))
	}
	for i := range branches {
		if _, declared := branches[i].Properties[want]; declared || slices.Contains(branches[i].Required, want) {
			return i
		}
	}
	return 0
}

func larger[T int64 | float64](to **T, than *T) {
	if than != nil && (*to == nil || *than > **to) {
		*to = than
	}
}

func smaller[T int64 | float64](to **T, than *T) {
	if than != nil && (*to == nil || *than < **to) {
		*to = than
	}
}

// kind is the type to make, guessed from the constraints when there is none.
func (s *shape) kind() string {
	switch {
	case s.intOrString:
		return "int or string"
	case s.Type != "":
		return s.Type
	case len(s.properties) > 0 || len(s.Required) > 0 || len(s.values) > 0 || s.MinProperties != nil || s.preserved:
		return "object"
	case len(s.items) > 0 || s.MinItems != nil:
		return "array"
	case s.Minimum != nil || s.Maximum != nil || s.MultipleOf != nil:
		return "integer"
	}
	return "string"
}

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
