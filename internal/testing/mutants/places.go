package mutants

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// object and list are JSON as encoding/json reads it.
type (
	object = map[string]any
	list   = []any
)

// A Place is a member of an object or an element of a list. It may be empty.
type Place struct {
	in   any          // the object or the list
	of   reflect.Type // upstream's of that; nil where it has none
	at   []any        // names and indices that lead there from the root
	step any
}

// Get returns what is at a place, nil if nothing is.
func (p Place) Get() any {
	if l, ok := p.in.(list); ok {
		return l[p.step.(int)]
	}
	return p.in.(object)[p.step.(string)]
}

// Set puts a value there.
func (p Place) Set(v any) {
	if l, ok := p.in.(list); ok {
		l[p.step.(int)] = v
	} else {
		p.in.(object)[p.step.(string)] = v
	}
}

// Delete takes away a member, and reports whether it is one.
func (p Place) Delete() bool {
	o, ok := p.in.(object)
	if ok {
		delete(o, p.step.(string))
	}
	return ok
}

// Top is the member of the root that a place is or is in.
func (p Place) Top() any { return append(slices.Clip(p.at), p.step)[0] }

// Members is the object of which it is a member, or nil.
func (p Place) Members() map[string]any {
	o, _ := p.in.(object)
	return o
}

// isThere reports whether something is at a place.
func (p Place) isThere() bool {
	name, isMember := p.step.(string)
	_, found := p.Members()[name]
	return !isMember || found
}

// kind is that of the type of what may be there.
func (p Place) kind() reflect.Kind {
	name, _ := p.step.(string)
	if p.of == nil || p.of.Kind() != reflect.Struct || fieldsOf(p.of)[name] == nil {
		return reflect.Invalid
	}
	t := fieldsOf(p.of)[name]
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind()
}

// inSchema reports whether a place is in a schema, which most are.
func (p Place) inSchema() bool { return slices.Contains(p.at, any("openAPIV3Schema")) }

// Places are those in a value that is JSON, in an order that is always the same.
func Places(v any) []Place { return places(nil, v, nil) }

// places are those in a value of a type, the outer ones first: of a struct all fields that there can be, else what there is.
func places(of reflect.Type, v any, at []any) (all []Place) {
	for of != nil && of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	var fields map[string]reflect.Type
	if of != nil && of.Kind() == reflect.Struct {
		if fields = fieldsOf(of); len(fields) == 0 { // it is any JSON
			of, fields = nil, nil
		}
	}
	var steps []any
	switch v := v.(type) {
	case list:
		if fields != nil {
			schemas, ok := of.FieldByName("JSONSchemas")
			if !ok {
				return nil
			}
			of, fields = schemas.Type, nil
		}
		for i := range v {
			steps = append(steps, i)
		}
	case object:
		if schema, found := fields[""]; found { // JSONSchemaPropsOrArray, OrBool, OrStringArray
			return places(schema, v, at)
		}
		names := slices.Sorted(maps.Keys(v))
		if len(fields) > 0 {
			names = slices.Sorted(maps.Keys(fields))
		}
		for _, name := range names {
			if len(at) > 0 || name != "apiVersion" && name != "kind" { // which decide who judges
				steps = append(steps, name)
			}
		}
	}
	for _, step := range steps {
		p := Place{v, of, at, step}
		below := of
		if name, isMember := step.(string); isMember && len(fields) > 0 {
			below = fields[name]
		} else if of != nil && (of.Kind() == reflect.Map || of.Kind() == reflect.Slice) {
			below = of.Elem()
		}
		all = append(append(all, p), places(below, p.Get(), append(slices.Clip(at), step))...)
	}
	return all
}

var known sync.Map // what fieldsOf has found, by the type

// fieldsOf are the types of the fields of a struct, by their names in JSON, those of embedded ones as well. The schema of one
// that may be something else in its place is called "".
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if found, ok := known.Load(t); ok {
		return found.(map[string]reflect.Type)
	}
	fields := map[string]reflect.Type{}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Name == "Schema" && strings.HasPrefix(t.Name(), "JSONSchemaPropsOr"):
			fields[""] = field.Type
		case !field.IsExported() || name == "-":
		case field.Anonymous && name == "":
			maps.Copy(fields, fieldsOf(field.Type))
		case name != "":
			fields[name] = field.Type
		}
	}
	known.Store(t, fields)
	return fields
}
