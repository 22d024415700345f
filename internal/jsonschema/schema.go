package jsonschema

import (
	"encoding/json"
	"slices"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/compare"
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// copied are the keywords that mean the same in JSON Schema.
var copied = []string{
	"title", "description", "pattern", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
	"minimum", "maximum", "multipleOf", "default", "enum", "type",
}

// types are those that JSON Schema has.
var types = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// formats are those that programs check as the server does, or not at all. What the server knows by the other names is not what JSON
// Schema does: its durations are those of ISO 8601, and its URIs are no paths.
var formats = []string{"date", "date-time", "email", "ipv4", "ipv6", "int32", "int64", "float", "double", "byte", "password"}

// schema is what a schema says about a value that may also be null.
func (w *writer) schema(s *crd.Schema, null bool) *yaml.Node {
	m := w.object(s)
	if !null && !s.Flag("nullable") || s.Type() == "" && !s.Flag("x-kubernetes-int-or-string") {
		return m
	}
	return orNull(m)
}

// orNull has a schema take null as well. The server asks nothing else of a null: see Validate of kube-openapi's SchemaValidator.
func orNull(m *yaml.Node) *yaml.Node {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "not"} {
		if crd.Get(m, keyword) != nil {
			either := layout.Mapping("anyOf", layout.List(m, layout.Mapping("type", layout.String("null"))))
			for _, about := range []string{"description", "default"} { // which programs show of the schema as a whole
				if value := crd.Get(m, about); value != nil {
					layout.Set(either, about, value)
				}
			}
			return either
		}
	}
	is := crd.Get(m, "type")
	if is.Kind == yaml.ScalarNode {
		is = layout.List(is)
	}
	layout.Set(m, "type", layout.List(append(slices.Clip(is.Content), layout.String("null"))...))
	if enum := crd.Items(crd.Get(m, "enum")); enum != nil && !slices.ContainsFunc(enum, crd.IsNull) {
		layout.Set(m, "enum", layout.List(append(slices.Clip(enum), layout.Node(nil))...))
	}
	return m
}

// object is what a schema says about a value that is not null, in the order of the CRD.
func (w *writer) object(s *crd.Schema) *yaml.Node {
	m := layout.Mapping()
	set := func(keyword string, value *yaml.Node) { layout.Set(m, keyword, value) }
	for _, e := range s.Entries() {
		value := s.Get(e.Name)
		if value == nil {
			continue
		}
		switch {
		case e.Name == "type" && s.Type() == "": // none
		case e.Name == "type" && !slices.Contains(types, s.Type()):
			set("not", layout.Mapping()) // older servers take any type, and then no value
		case slices.Contains(copied, e.Name), e.Name == "format" && slices.Contains(formats, s.Text("format")):
			set(e.Name, value)
		case e.Name == "example":
			set("examples", layout.List(value))
		case e.Name == "properties":
			set(e.Name, w.properties(s, value))
		case e.Name == "items":
			if items := s.Items(); items != nil {
				set(e.Name, w.schema(items, false))
			}
		case e.Name == "additionalProperties":
			if values := s.AdditionalProperties(); values != nil {
				set(e.Name, w.schema(values, w.drops(s)))
			} else {
				set(e.Name, value)
			}
		}
	}
	for _, below := range s.Branches() {
		if below.Via == "not" {
			set("not", w.schema(below, false))
		} else if all := crd.Get(m, below.Via); all != nil {
			all.Content = append(all.Content, w.schema(below, false))
		} else {
			set(below.Via, layout.List(w.schema(below, false)))
		}
	}
	for _, limit := range [][2]string{{"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}} {
		if value := s.Get(limit[0]); value != nil && s.Flag(limit[1]) { // from draft 6 on, these are the limits
			set(limit[1], value)
		}
	}
	if s.Flag("x-kubernetes-int-or-string") {
		set("type", layout.List(layout.String("integer"), layout.String("string")))
	}
	if s.Text("x-kubernetes-list-type") == "set" {
		set("uniqueItems", layout.Bool(true))
	}
	for _, n := range crd.Items(s.Get("required")) {
		name := crd.StringAt(n)
		if defaultOf(s, name) == nil { // a default is there before the server looks for the field
			demand(m, name)
		}
	}
	demand(m, unmet(s)...)
	if s.Flag("x-kubernetes-embedded-resource") {
		text := map[string]any{"type": "string", "minLength": int64(1)}
		fill(m, map[string]any{"apiVersion": text, "kind": text, "metadata": map[string]any{"type": "object"}})
		demand(m, "apiVersion", "kind")
	}
	if w.strict && w.prunes && s.Type() == "object" && !keeps(s) && s.Value("additionalProperties") == nil && !s.InJunctor() {
		set("additionalProperties", layout.Bool(false))
	}
	return m
}

// keeps reports whether the server leaves unknown fields to a value; if so, to the items of a list, too: see skipPrune of upstream's
// pruning.
func keeps(s *crd.Schema) bool {
	return s.KeepsUnknown() || s.Via == "items" && keeps(s.Parent)
}

// properties are the schemas of fields.
func (w *writer) properties(s *crd.Schema, of *yaml.Node) *yaml.Node {
	m := layout.Mapping()
	for _, e := range crd.Entries(of) {
		needed := s.Required(e.Name) && defaultOf(s, e.Name) == nil
		layout.Set(m, e.Name, w.schema(s.Property(e.Name), !needed && w.drops(s)))
	}
	return m
}

// drops reports whether the server takes a null in an object for no value at all: see PruneNonNullableNullsWithoutDefaults.
func (w *writer) drops(s *crd.Schema) bool { return !w.strict && w.prunes && !s.InJunctor() }

// outer is what is said about the value of a schema outside of junctors; nil where that is nothing. Defaults stand there alone.
func outer(s *crd.Schema) *crd.Schema {
	switch {
	case !s.InJunctor():
		return s
	case crd.IsJunctor(s.Via):
		return outer(s.Parent)
	}
	around := outer(s.Parent)
	switch {
	case around == nil:
		return nil
	case s.Via == "properties":
		return around.Property(s.Name)
	case s.Via == "items":
		return around.Items()
	}
	return around.AdditionalProperties()
}

// defaultOf is the default of a field of an object; nil where it has none.
func defaultOf(s *crd.Schema, name string) *yaml.Node {
	if s = outer(s); s != nil {
		s = s.Property(name)
	}
	if s == nil {
		return nil
	}
	return s.Get("default")
}

// unmet are the fields of a schema in a junctor that have a default which it rejects. Without a value, they have the default before the
// server looks at the junctor, so that they are to be written for the schema to be met.
func unmet(s *crd.Schema) (names []string) {
	if !s.InJunctor() {
		return nil
	}
	for _, e := range crd.Entries(s.Get("properties")) {
		if value := defaultOf(s, e.Name); value != nil && !accepts(e.Value, value) {
			names = append(names, e.Name)
		}
	}
	return names
}

// accepts reports whether a server finds a value valid by a schema; so it is by one that cannot be used.
func accepts(schema, value *yaml.Node) bool {
	var props v1.JSONSchemaProps
	var decoded any
	for from, to := range map[*yaml.Node]any{schema: &props, value: &decoded} {
		if raw, err := yaml11.ToJSON(from); err != nil || json.Unmarshal(raw, to) != nil {
			return true
		}
	}
	valid := compare.Validator(&props)
	return valid == nil || valid(decoded)
}
