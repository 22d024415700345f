package crd

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
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
	of      reflect.Type
	above   []level // the mappings around the one that holds it, the nearest first
}

// A level is a mapping that is decoded into a struct.
type level struct {
	path string
	t    reflect.Type
}

// Fields lists the names of the fields that the API has in that place, sorted.
func (u UnknownField) Fields() []string { return slices.Sorted(maps.Keys(fieldsOf(u.of))) }

// IsSchemaField says whether a schema has a field of that name.
func IsSchemaField(name string) bool {
	_, ok := fieldsOf(reflect.TypeFor[v1.JSONSchemaProps]())[name]
	return ok
}

// UnknownFields lists the fields of a CRD that its API version does not have, in the order of the text. Upstream's
// strict decoding stops at `items` and `additionalProperties`, whose decoders are not strict; this does not.
func (c *CRD) UnknownFields() []UnknownField {
	t := reflect.TypeFor[v1beta1.CustomResourceDefinition]()
	if c.Version == V1 {
		t = reflect.TypeFor[v1.CustomResourceDefinition]()
	}
	w := walker{seen: map[*yaml.Node]bool{}}
	w.walk(Place{Node: c.Node}, t)
	if len(w.found) > maxHomes {
		return w.found
	}
	for i, u := range w.found {
		var other bool
		if w.found[i], other = c.ofVersion(u); !other {
			w.found[i].Home = c.home(u)
		}
	}
	return slices.CompactFunc(w.found, func(a, b UnknownField) bool { return a.Key == b.Key })
}

// maxHomes bounds the unknown fields of a CRD that a home is looked for, since each look goes through the mappings around
// it. No line at the wrong indentation makes so many.
const maxHomes = 500

type walker struct {
	found   []UnknownField
	lenient int                 // how many decoders that are not strict are around
	levels  []level             // from the CRD to the mapping that is looked at
	seen    map[*yaml.Node]bool // entries reached through an alias are looked at once
}

// opaque are types that hold any JSON, or decode themselves from a scalar.
var opaque = map[string]bool{"JSON": true, "Time": true, "MicroTime": true, "FieldsV1": true}

func (w *walker) walk(at Place, t reflect.Type) {
	n := Deref(at.Node)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if n == nil || opaque[t.Name()] {
		return
	}
	switch {
	case strings.HasPrefix(t.Name(), "JSONSchemaPropsOr"):
		w.walkSchemaOr(at, n, t)
	case t.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		for i, c := range n.Content {
			w.walk(Place{c, Item(at.Path, i)}, t.Elem())
		}
	case t.Kind() == reflect.Map && n.Kind == yaml.MappingNode:
		for _, e := range Entries(n) {
			w.walk(Place{e.Value, Under(at.Path, e.Name)}, t.Elem())
		}
	case t.Kind() == reflect.Struct && n.Kind == yaml.MappingNode:
		w.walkStruct(at, n, t)
	}
}

// walkSchemaOr goes into the schema, or the schemas, of a field that may also hold a boolean or strings.
func (w *walker) walkSchemaOr(at Place, n *yaml.Node, t reflect.Type) {
	schema, _ := t.FieldByName("Schema")
	w.lenient++
	defer func() { w.lenient-- }()
	switch n.Kind {
	case yaml.MappingNode:
		w.walk(at, schema.Type)
	case yaml.SequenceNode:
		for i, c := range n.Content {
			if Deref(c).Kind == yaml.MappingNode {
				w.walk(Place{c, Item(at.Path, i)}, schema.Type)
			}
		}
	}
}

func (w *walker) walkStruct(at Place, n *yaml.Node, t reflect.Type) {
	if w.seen[n] {
		return
	}
	w.seen[n] = true
	fields := fieldsOf(t)
	above := slices.Clone(w.levels[max(len(w.levels)-2, 0):])
	slices.Reverse(above)
	w.levels = append(w.levels, level{at.Path, t})
	defer func() { w.levels = w.levels[:len(w.levels)-1] }()
	for _, e := range Entries(n) {
		place := Place{e.Value, Join(at.Path, e.Name)}
		if ft, ok := fields[e.Name]; ok {
			w.walk(place, ft)
			continue
		}
		u := UnknownField{Place: place, Key: e.Key, Parent: n, Lenient: w.lenient > 0, of: t, above: above}
		for name := range fields {
			if strings.EqualFold(name, e.Name) {
				u.Meant = name
			}
		}
		w.found = append(w.found, u)
	}
}

// FieldType is the type of the field that a struct has under a name in JSON; ok is false when there is none.
func FieldType(t reflect.Type, name string) (field reflect.Type, ok bool) {
	field, ok = fieldsOf(t)[name]
	return field, ok
}

// fieldsOf maps the JSON names of a struct's fields to their types, those of embedded structs included. The map
// is shared.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if fields, ok := knownFields.Load(t); ok {
		return fields.(map[string]reflect.Type)
	}
	fields := map[string]reflect.Type{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			maps.Copy(fields, fieldsOf(f.Type))
		} else if name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	knownFields.Store(t, fields)
	return fields
}

// knownFields are the results of fieldsOf: schemas ask for the same one again and again.
var knownFields sync.Map
