package crd

import (
	"maps"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An UnknownField is an entry of a manifest that the API server has no field for, and drops.
type UnknownField struct {
	Place  Place      // of the value
	Key    *yaml.Node // as written
	Parent *yaml.Node // the mapping that holds it
	Meant  string     // a field of that place that differs in letter case only; "" when there is none
	// Lenient is true below items, additionalProperties and their like, whose decoders are not strict: the server drops
	// the field there even when it is asked to refuse it.
	Lenient bool
	Home    Home // where the API has a field of that name
	of      *shape
	above   []level // the mappings around the one that holds it, the nearest first, up to two
}

// A level is a mapping that is decoded into a struct.
type level struct {
	path string
	of   *shape
}

// Fields lists the names of the fields that the API has in that place, sorted.
func (u UnknownField) Fields() []string { return slices.Sorted(maps.Keys(u.of.fields)) }

// IsSchemaField reports whether a schema has a field of that name.
func IsSchemaField(name string) bool { return shapeFor[v1.JSONSchemaProps]().fields[name] != nil }

// WrapperMissing is the format of the message about a field of a schema that stands directly below `schema` or
// `validation`; it takes the name of the field and that of the wrapper.
const WrapperMissing = "%s stands directly below %s, which has no such field; put openAPIV3Schema between them"

// UnknownFields lists the fields of a CRD that its API version does not have, in the order of the text. Upstream's
// strict decoding stops at `items` and `additionalProperties`, whose decoders are not strict; this does not.
func (c *CRD) UnknownFields() []UnknownField {
	found := &unknownFields{seen: map[*yaml.Node]bool{}}
	c.visit(found, false)
	all := found.all
	if len(all) > maxHomes {
		return all
	}
	for i, u := range all {
		var other bool
		if all[i], other = c.ofVersion(u); !other {
			all[i].Home = c.home(u)
		}
	}
	return slices.CompactFunc(all, func(a, b UnknownField) bool { return a.Key == b.Key })
}

// maxHomes bounds the unknown fields of a CRD that a home is looked for, since each look goes through the mappings around
// it. No line at the wrong indentation makes so many.
const maxHomes = 500

// unknownFields are found by a walk.
type unknownFields struct {
	all  []UnknownField
	seen map[*yaml.Node]bool // the target of an alias is visited once, whatever it is decoded into
}

func (found *unknownFields) value(at *spot, n *yaml.Node) bool {
	if at.shape.kind != object {
		return true
	}
	again := found.seen[n]
	found.seen[n] = true
	return !again
}

func (found *unknownFields) entry(at *spot, e Entry, f *field) {
	if f != nil {
		return
	}
	u := UnknownField{
		Place: Place{e.Value, Join(at.path(), e.Name)}, Key: e.Key, Parent: Deref(at.node), Lenient: at.loose, of: at.shape,
	}
	for up := at.above; up != nil && len(u.above) < 2; up = up.above {
		if up.shape.kind == object {
			u.above = append(u.above, level{up.path(), up.shape})
		}
	}
	for name := range at.shape.fields {
		if strings.EqualFold(name, e.Name) {
			u.Meant = name
		}
	}
	found.all = append(found.all, u)
}
