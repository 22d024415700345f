package compare

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// plain is a value as JSON has it; the zero value is nil.
func plain(v any) any {
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.IsZero() || r.Kind() == reflect.Slice && r.Len() == 0 || r.Kind() == reflect.Map && r.Len() == 0 {
		return nil
	}
	return jsonOf(r)
}

// types are the JSON types that a schema's own type and x-kubernetes-int-or-string allow; nil when they allow all.
func types(s *v1.JSONSchemaProps) []string {
	switch {
	case s.XIntOrString:
		return []string{"integer", "string"}
	case s.Type == "":
		return nil
	case s.Type == "number":
		return []string{"integer", "number"}
	}
	return []string{s.Type}
}

// TypeName returns the type of a value according to its schema.
func TypeName(s *v1.JSONSchemaProps) string {
	switch {
	case s.XIntOrString:
		return "int-or-string"
	case s.Type == "":
		return "any type"
	}
	return s.Type
}

func compareType(c *comparer, n *Node) {
	if n.Old.Type == n.New.Type && n.Old.XIntOrString == n.New.XIntOrString {
		return
	}
	field := "type"
	if n.Old.Type == n.New.Type || n.New.XIntOrString && n.New.Type == "" {
		field = "x-kubernetes-int-or-string"
	}
	change := c.keyword(n, field, "", Changed, typeEffect(types(n.Old), types(n.New)), TypeName(n.Old), TypeName(n.New))
	change.Field = "type"
	if field != "type" && n.Old.Type != "" {
		change.was.steps = step(n.was, "type")
	}
}

func typeEffect(old, new []string) Effect {
	within := func(a, b []string) bool {
		return b == nil || a != nil && !slices.ContainsFunc(a, func(t string) bool { return !slices.Contains(b, t) })
	}
	return effectOf(within(old, new), within(new, old))
}

// effectOf is the effect of a change after which all that was accepted is, if it is loose, and nothing else, if it is tight.
func effectOf(loose, tight bool) Effect {
	switch {
	case loose && tight:
		return Neutral
	case loose:
		return Loosens
	case tight:
		return Tightens
	}
	return Either
}

// known reports whether the API server checks a format on values of the schema. See supportedVersionedFormats and
// StripUnsupportedFormatsPostProcessorForVersion of pkg/apiserver/validation.
func known(s *v1.JSONSchemaProps) bool {
	switch s.Type {
	case "", "string":
		return formats.Has(strings.ReplaceAll(s.Format, "-", ""))
	case "integer":
		return s.Format == "int32" // all integers are int64
	case "number":
		return s.Format == "float" || s.Format == "double"
	}
	return false
}

var formats = sets.New("bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4",
	"uuid5", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date",
	"duration", "datetime", "k8sshortname", "k8slongname")

func compareFormat(c *comparer, n *Node) {
	old, new := n.Old.Format, n.New.Format
	if old == new {
		return
	}
	effect := Neutral
	was, is := known(n.Old) && old != "password", known(n.New) && new != "password"
	switch {
	case was && is && old == "float" && new == "double":
		effect = Loosens
	case was && is && old == "double" && new == "float":
		effect = Tightens
	case was && is && strings.ReplaceAll(old, "-", "") != strings.ReplaceAll(new, "-", ""):
		effect = Either
	case is && !was:
		effect = Tightens
	case was && !is:
		effect = Loosens
	}
	c.keyword(n, "format", "", presence(old == "", new == ""), effect, plain(old), plain(new))
}

func compareDefault(c *comparer, n *Node) {
	old, new := rawValue(n.Old.Default), rawValue(n.New.Default)
	if reflect.DeepEqual(old, new) && (n.Old.Default == nil) == (n.New.Default == nil) {
		return
	}
	effect := Neutral
	if n.New.Default == nil && n.Required() {
		effect = Tightens // the default made up for a value that was left out
	}
	c.keyword(n, "default", "", presence(n.Old.Default == nil, n.New.Default == nil), effect, old, new)
}

func rawValue(j *v1.JSON) any {
	if j == nil || len(j.Raw) == 0 {
		return nil // null has no text in v1
	}
	var v any
	if json.Unmarshal(j.Raw, &v) != nil {
		return string(j.Raw)
	}
	return v
}

// compareEnum compares the values of an enum. Each that comes or goes is a change of its own; an enum where there was none
// is one change. Servers pass over null in an enum: whether it is listed has no effect.
func compareEnum(c *comparer, n *Node) {
	old, new := enumOf(n.Old), enumOf(n.New)
	effectOf := func(value string, effect Effect) Effect {
		if value == "null" {
			return Neutral
		}
		return effect
	}
	switch {
	case len(old) == 0 && len(new) == 0:
	case len(old) == 0:
		c.keyword(n, "enum", "", Added, Tightens, nil, valuesOfEnum(n.New))
	case len(new) == 0:
		c.keyword(n, "enum", "", Removed, Loosens, valuesOfEnum(n.Old), nil)
	default:
		for _, i := range missing(old, new) {
			change := c.keyword(n, "enum", itemOf(old[i]), Removed, effectOf(old[i], Tightens), rawValue(&n.Old.Enum[i]), nil).at([]string{index(i)}, nil)
			change.is.item = change.Item
		}
		for _, j := range missing(new, old) {
			change := c.keyword(n, "enum", itemOf(new[j]), Added, effectOf(new[j], Loosens), nil, rawValue(&n.New.Enum[j])).at(nil, []string{index(j)})
			change.is.item = change.Item
		}
	}
}

// enumOf are the values of an enum as JSON text.
func enumOf(s *v1.JSONSchemaProps) []string {
	all := make([]string, len(s.Enum))
	for i, v := range valuesOfEnum(s) {
		text, err := json.Marshal(v)
		if err != nil { // only what JSON cannot say, which no manifest holds
			text = s.Enum[i].Raw
		}
		all[i] = string(text)
	}
	return all
}

// valuesOfEnum are the values of an enum as encoding/json makes them.
func valuesOfEnum(s *v1.JSONSchemaProps) []any {
	all := make([]any, len(s.Enum))
	for i := range s.Enum {
		all[i] = rawValue(&s.Enum[i])
	}
	return all
}

// itemOf names a value of an enum, which is given as JSON: a text by itself, unless it is empty or reads like another value,
// as "1" does.
func itemOf(value string) string {
	var text string
	if json.Unmarshal([]byte(value), &text) == nil && text != "" && !json.Valid([]byte(text)) {
		return text
	}
	return value
}

// missing are the indexes of the elements of a list that another one does not have, of equal ones the first.
func missing(list, other []string) []int {
	var all []int
	known := sets.New(other...)
	for i, s := range list {
		if !known.Has(s) {
			known.Insert(s)
			all = append(all, i)
		}
	}
	return all
}

func comparePattern(c *comparer, n *Node) {
	old, new := n.Old.Pattern, n.New.Pattern
	if old == new {
		return
	}
	_, loose := patternsApart(old, new, false) // no pattern matches all, like the empty one
	_, tight := patternsApart(new, old, false)
	c.keyword(n, "pattern", "", presence(old == "", new == ""), effectOf(loose, tight), plain(old), plain(new))
}

// compareNullable compares whether null is accepted. Where it is not, the server drops it from an object before it
// validates; where it is but there is an enum, it is rejected, even if the enum lists it.
func compareNullable(c *comparer, n *Node) {
	old, new := n.Old.Nullable, n.New.Nullable
	switch {
	case old == new:
	case new && n.keptBefore && n.untyped: // only pruned values lose their nulls
	case old && len(n.Old.Enum) > 0: // rejected values are dropped, or still rejected
		c.keyword(n, "nullable", "", Removed, Loosens, old, new)
	case old:
		c.keyword(n, "nullable", "", Removed, Tightens, old, new)
	case len(n.New.Enum) > 0:
		c.keyword(n, "nullable", "", Added, Either, old, new)
	default:
		c.keyword(n, "nullable", "", Added, Loosens, old, new)
	}
}
