package apiserver

import (
	"strconv"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// change changes the schema at a path, if there is one.
func (m *mender) change(path string, do func(s *apiextensions.JSONSchemaProps)) {
	if m.roots == nil {
		m.roots = map[string]*apiextensions.JSONSchemaProps{}
		EachRoot(&m.hub.Spec, func(root *apiextensions.JSONSchemaProps, at *field.Path) { m.roots[at.String()] = root })
	}
	const root = "openAPIV3Schema"
	if end := strings.Index(path, root) + len(root); end >= len(root) {
		ChangeBelow(m.roots[path[:end]], path[end:], do)
	}
}

// thenChange changes a schema after the current one is corrected: a schema in a map is a copy, and put back only then.
func (m *mender) thenChange(path string, do func(s *apiextensions.JSONSchemaProps)) {
	m.then = append(m.then, func() { m.change(path, do) })
}

// ChangeBelow follows a path of steps such as ".properties[a].items" from a schema.
func ChangeBelow(s *apiextensions.JSONSchemaProps, path string, do func(s *apiextensions.JSONSchemaProps)) {
	if s == nil {
		return
	}
	if path == "" {
		do(s)
		return
	}
	n := schemaStep(path)
	if n == 0 {
		return
	}
	name, key, _ := strings.Cut(path[1:n], "[")
	key = strings.TrimSuffix(key, "]")
	index, _ := strconv.Atoi(key)
	path = path[n:]
	switch name {
	case "properties":
		changeMember(s.Properties, key, path, do)
	case "definitions":
		changeMember(s.Definitions, key, path, do)
	case "dependencies":
		ChangeBelow(s.Dependencies[key].Schema, path, do)
	case "allOf":
		changeElement(s.AllOf, index, path, do)
	case "anyOf":
		changeElement(s.AnyOf, index, path, do)
	case "oneOf":
		changeElement(s.OneOf, index, path, do)
	case "not":
		ChangeBelow(s.Not, path, do)
	case "additionalProperties":
		if s.AdditionalProperties != nil {
			ChangeBelow(s.AdditionalProperties.Schema, path, do)
		}
	case "items":
		switch {
		case s.Items == nil:
		case key != "":
			changeElement(s.Items.JSONSchemas, index, path, do)
		default:
			ChangeBelow(s.Items.Schema, path, do)
		}
	}
}

func changeMember(m map[string]apiextensions.JSONSchemaProps, name, path string, do func(s *apiextensions.JSONSchemaProps)) {
	if s, ok := m[name]; ok {
		ChangeBelow(&s, path, do)
		m[name] = s
	}
}

func changeElement(list []apiextensions.JSONSchemaProps, i int, path string, do func(s *apiextensions.JSONSchemaProps)) {
	if i < len(list) {
		ChangeBelow(&list[i], path, do)
	}
}
