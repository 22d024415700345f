package sample

import (
	"slices"

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
