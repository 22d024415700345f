package sample

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/request"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
)

// Trials are rules that were tried, by what they say and the schema that they say it of. Copies of a rule are tried once.
type Trials map[string]bool

// Hold reports whether no ordinary value of what a rule of a node speaks about has it end in an error. It looks at no more of
// the schema than that, so that it is cheap; where it is false, Failing knows whether something else refuses the value.
func (t Trials) Hold(hub *apiextensions.CustomResourceDefinition, version string, at Path, rule int, text string) bool {
	told := read(text, at)
	part, err := partOf(hub, version, at, rule, told.fields)
	if err != nil {
		return false
	}
	here := part.Spec.Versions[0].Schema.OpenAPIV3Schema
	for _, step := range at {
		here = childOf(here, step)
	}
	schema, err := json.Marshal(here)
	if err != nil {
		return false
	}
	holds, tried := t[string(schema)]
	if !tried {
		if server, err := request.New(part); err == nil {
			holds = New(server, version, 1).holds(at, told)
		}
		t[string(schema)] = holds
	}
	return holds
}

// holds reports whether the only rule of a node ends in no error.
func (g *Generator) holds(at Path, told *reading) bool {
	for _, node := range g.suspects(at, told) {
		little := func(value any) request.Object { return g.build(g.maker(node, 0), node, value) } // nothing else is required
		if f, _ := g.failing(at, 0, node, told, little); f != nil {
			return false
		}
	}
	return true
}

// partOf is a CRD with one version, and of its schema as much as leads to a node and from there to fields. It has one rule. It
// accepts more than the whole does, so that a rule that holds for it holds for the whole.
func partOf(hub *apiextensions.CustomResourceDefinition, version string, at Path, rule int, fields []Path) (*apiextensions.CustomResourceDefinition, error) {
	validation, err := apiextensions.GetSchemaForVersion(hub, version)
	if err != nil {
		return nil, err
	}
	subresources, err := apiextensions.GetSubresourcesForVersion(hub, version)
	if err != nil {
		return nil, err
	}
	part := *hub
	part.Spec.Validation, part.Spec.Subresources, part.Spec.Conversion = nil, nil, nil
	v := apiextensions.CustomResourceDefinitionVersion{Name: version, Served: true, Storage: true}
	if subresources != nil && subresources.Status != nil {
		v.Subresources = &apiextensions.CustomResourceSubresources{Status: subresources.Status}
	}
	ways := []Path{}
	for _, field := range fields {
		if len(field) > len(at) && !slices.ContainsFunc(fields, func(f Path) bool { return len(f) > len(field) && slices.Equal(f[:len(field)], field) }) {
			ways = append(ways, field)
		}
	}
	v.Schema = &apiextensions.CustomResourceValidation{OpenAPIV3Schema: along(validation.OpenAPIV3Schema, at, rule, ways, 0)}
	part.Spec.Versions = []apiextensions.CustomResourceDefinitionVersion{v}
	return &part, nil
}

// along is as much of a schema at a depth as leads to the node and further on the ways, and the rule of the node.
func along(s *apiextensions.JSONSchemaProps, at Path, rule int, ways []Path, depth int) *apiextensions.JSONSchemaProps {
	part := *s
	part.Description = ""
	if depth == len(at) {
		part.XValidations = s.XValidations[rule : rule+1]
	} else {
		part.XValidations = nil
	}
	here := ways
	if depth < len(at) {
		here = []Path{at}
	}
	if len(here) == 0 || slices.ContainsFunc(here, func(way Path) bool { return len(way) == depth }) {
		return &part // where a way ends, its values are whole
	}
	part.AllOf, part.AnyOf, part.OneOf, part.Not, part.Default, part.Enum = nil, nil, nil, nil, nil, nil
	part.MinProperties, part.MaxProperties, part.XListType, part.XListMapKeys, part.Required = nil, nil, nil, nil, nil
	part.Properties = map[string]apiextensions.JSONSchemaProps{}
	next := map[string][]Path{}
	for _, way := range here {
		next[way[depth].Name] = append(next[way[depth].Name], way)
	}
	deeper := func(s *apiextensions.JSONSchemaProps, name string) *apiextensions.JSONSchemaProps {
		if depth < len(at) {
			return along(s, at, rule, ways, depth+1)
		}
		return along(s, at, rule, next[name], depth+1)
	}
	for name := range maps.Keys(next) {
		if child, found := s.Properties[name]; found {
			part.Properties[name] = *deeper(&child, name)
			if slices.Contains(s.Required, name) {
				part.Required = append(part.Required, name)
			}
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		part.Items = &apiextensions.JSONSchemaPropsOrArray{Schema: deeper(s.Items.Schema, "")}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		part.AdditionalProperties = &apiextensions.JSONSchemaPropsOrBool{Allows: true, Schema: deeper(s.AdditionalProperties.Schema, "")}
	}
	return &part
}
