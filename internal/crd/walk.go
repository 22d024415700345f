package crd

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A walk goes through a manifest and the type it is decoded into, in the order of the text. It goes through aliases and
// merge keys, and on below what cannot be decoded.
type walk struct {
	visitor
	older bool           // find fields as Kubernetes 1.21 did; see decodeV1beta1
	seen  map[visit]bool // nil where there are no aliases; a node that several refer to is visited once
}

type visitor interface {
	// value examines a value, which is not an alias, before those below it. The walk visits those if it returns true.
	value(at *spot, n *yaml.Node) bool
	// entry looks at an entry of a mapping that is decoded into a struct, before its value. The field is nil where the
	// struct has none for it.
	entry(at *spot, e Entry, f *field)
}

type visit struct {
	node  *yaml.Node
	shape *shape
	loose bool
}

type spot struct {
	above *spot      // nil where the walk began
	node  *yaml.Node // as written: it may be an alias
	field *shape     // of the field that the value is decoded into
	shape *shape     // with which this value is decoded: the target of pointers, and one side of a union
	loose bool       // below a union, whose decoder is not strict

	step string // the path below that of above; all of the path where the walk began
	join func(path, step string) string
}

func (s *spot) path() string {
	if s.above == nil {
		return s.step
	}
	return s.join(s.above.path(), s.step)
}

func (s *spot) place() Place { return Place{s.node, s.path()} }

func (c *CRD) visit(v visitor, older bool) {
	root := shapeFor[v1beta1.CustomResourceDefinition]()
	if c.Version == V1 {
		root = shapeFor[v1.CustomResourceDefinition]()
	}
	visitAs(root, c.Node, v, older)
}

func visitAs(root *shape, n *yaml.Node, v visitor, older bool) {
	w := walk{visitor: v, older: older}
	if hasAlias(n, 0) {
		w.seen = map[visit]bool{}
	}
	w.through(&spot{node: n, field: root})
}

// Misfits are the entries of an object for which a type has no field, and the values that its fields cannot have, in the order of the
// text each. The type is that of an object that is not a CRD.
func Misfits[T any](object *yaml.Node) ([]UnknownField, []WrongType) {
	unknown, wrong := &unknownFields{seen: map[*yaml.Node]bool{}}, &wrongTypes{}
	visitAs(shapeFor[T](), object, unknown, false)
	visitAs(shapeFor[T](), object, wrong, false)
	return unknown.all, *wrong
}

func (w *walk) through(at *spot) {
	n := Deref(at.node)
	if n == nil {
		return
	}
	var inUnion bool
	at.shape, inUnion = at.field.branch(n.Kind)
	at.loose = at.loose || inUnion
	switch {
	case w.again(visit{n, at.shape, at.loose}), !w.value(at, n):
	case n.Kind == yaml.SequenceNode && at.shape.kind == list:
		for i, item := range n.Content {
			w.through(&spot{above: at, node: item, field: at.shape.elem, loose: at.loose, step: strconv.Itoa(i), join: Under})
		}
	case n.Kind == yaml.MappingNode && at.shape.kind == dictionary:
		for _, e := range Entries(n) {
			w.through(&spot{above: at, node: e.Value, field: at.shape.elem, loose: at.loose, step: e.Name, join: Under})
		}
	case n.Kind == yaml.MappingNode && at.shape.kind == object:
		w.fields(at, n)
	}
}

// again reports whether a value was visited before in the same way.
func (w *walk) again(v visit) bool {
	again := w.seen[v]
	if w.seen != nil {
		w.seen[v] = true
	}
	return again
}

func (w *walk) fields(at *spot, n *yaml.Node) {
	for _, e := range Entries(n) {
		f := at.shape.fields[e.Name]
		if w.older {
			f = at.shape.olderField(e.Name, at.loose)
		}
		w.entry(at, e, f)
		if f != nil && !(w.older && f.newer) {
			w.through(&spot{above: at, node: e.Value, field: f.shape, loose: at.loose, step: e.Name, join: Join})
		}
	}
}

// newer are the fields of today's v1beta1 that 1.21 did not have, by type.
var newer = map[string]string{
	"CustomResourceDefinitionSpec":      "selectableFields",
	"CustomResourceDefinitionVersion":   "selectableFields",
	"CustomResourceDefinitionStatus":    "observedGeneration",
	"CustomResourceDefinitionCondition": "observedGeneration",
	"JSONSchemaProps":                   "x-kubernetes-validations",
	"ManagedFieldsEntry":                "subresource",
}

// olderField is the field of 1.21 that a key was decoded into, or a newer one that is spelled like the key.
func (s *shape) olderField(key string, loose bool) *field {
	f := s.fields[key]
	switch {
	case f != nil:
	case key == "clusterName" && s.typ.Name() == "ObjectMeta":
		return &field{name: key, shape: shapeFor[string]()}
	case loose:
		for _, other := range s.fields {
			if strings.EqualFold(other.name, key) && !other.newer {
				return other
			}
		}
	}
	return f
}

// A shape is how the API server decodes values of a Go type.
type shape struct {
	typ    reflect.Type
	kind   shapeKind
	elem   *shape            // the target of a pointer, the items of a list, or the values of a map
	fields map[string]*field // of a struct, by their names in JSON, those of embedded structs included

	schema, other *field // of a union: the field that a mapping is decoded into, and the one for anything else
}

type shapeKind int

const (
	leaf    shapeKind = iota // a string, a boolean or a number
	opaque                   // any JSON, or what decodes itself from a scalar
	pointer                  // null leaves it nil
	object                   // a struct
	dictionary
	list
	union // JSONSchemaPropsOrBool and the like, which decode themselves: a schema or something else
)

type field struct {
	name  string
	index []int
	nth   int // of the struct's fields
	shape *shape
	newer bool // 1.21 did not have it
}

// shapes are those of the types that were asked for, and of all below them: schemas ask for the same ones again and again.
var shapes = struct {
	sync.Mutex
	known map[reflect.Type]*shape
}{known: map[reflect.Type]*shape{}}

func shapeOf(t reflect.Type) *shape {
	shapes.Lock()
	defer shapes.Unlock()
	return makeShape(t)
}

func shapeFor[T any]() *shape { return shapeOf(reflect.TypeFor[T]()) }

func makeShape(t reflect.Type) *shape {
	if s := shapes.known[t]; s != nil {
		return s
	}
	s := &shape{typ: t}
	shapes.known[t] = s // types hold themselves
	switch kind := t.Kind(); {
	case kind == reflect.Pointer:
		s.kind, s.elem = pointer, makeShape(t.Elem())
	case strings.HasPrefix(t.Name(), "JSONSchemaPropsOr"):
		s.kind = union
		for f := range t.Fields() {
			if f.Name == "Schema" {
				s.schema = &field{index: f.Index, shape: makeShape(f.Type)}
			} else {
				s.other = &field{index: f.Index, shape: makeShape(f.Type)}
			}
		}
	case kind == reflect.Interface, reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		s.kind = opaque
	case kind == reflect.Struct:
		s.kind, s.fields = object, map[string]*field{}
		s.addFields(t)
	case kind == reflect.Map:
		s.kind, s.elem = dictionary, makeShape(t.Elem())
	case kind == reflect.Slice:
		s.kind, s.elem = list, makeShape(t.Elem())
	}
	return s
}

// likeInternal are the types of v1 that are like the internal ones of schemas, field by field. Those have no names in JSON.
var likeInternal = map[string]reflect.Type{
	"JSONSchemaProps":       reflect.TypeFor[v1.JSONSchemaProps](),
	"ExternalDocumentation": reflect.TypeFor[v1.ExternalDocumentation](),
	"ValidationRule":        reflect.TypeFor[v1.ValidationRule](),
}

func (s *shape) addFields(t reflect.Type) {
	names := t // its fields have the names in JSON
	if t.PkgPath() == reflect.TypeFor[apiextensions.JSONSchemaProps]().PkgPath() {
		names = likeInternal[t.Name()]
	}
	for f := range t.Fields() {
		tagged, _ := names.FieldByName(f.Name)
		name, _, _ := strings.Cut(tagged.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			for _, inner := range makeShape(f.Type).fields {
				s.addField(inner.name, append(f.Index[:1:1], inner.index...), inner.shape)
			}
		} else if name != "" && name != "-" {
			s.addField(name, f.Index, makeShape(f.Type))
		}
	}
}

func (s *shape) addField(name string, index []int, of *shape) {
	s.fields[name] = &field{name, index, len(s.fields), of, newer[s.typ.Name()] == name}
}

// target returns the shape that a pointer points to, and any other shape itself.
func (s *shape) target() *shape {
	for s.kind == pointer {
		s = s.elem
	}
	return s
}

// branch is the shape that a mapping or a list is decoded with: of a union, that of one of its sides. It is the shape
// itself where no value of that kind can be decoded.
func (s *shape) branch(kind yaml.Kind) (branch *shape, loose bool) {
	s = s.target()
	switch {
	case s.kind == union && kind == yaml.MappingNode:
		return s.schema.shape.target(), true
	case s.kind == union && kind == yaml.SequenceNode && s.other.shape.kind == list:
		return s.other.shape, true
	}
	return s, false
}

// takes reports whether a mapping or a list can be decoded with a shape that is not a union, whatever its content.
func (s *shape) takes(kind yaml.Kind) bool {
	switch s.kind {
	case object, dictionary:
		return kind == yaml.MappingNode
	case list:
		return kind == yaml.SequenceNode
	}
	return s.kind == opaque && s.typ.Name() != "Time"
}

// isBytes reports whether values are bytes, which JSON has as text in base64.
func (s *shape) isBytes() bool { return s.kind == list && s.elem.typ.Kind() == reflect.Uint8 }

func (s *shape) isSchema() bool { return s.fields["x-kubernetes-list-type"] != nil }

// FieldType is the type of the field that a struct has under a name in JSON; ok is false without one.
func FieldType(t reflect.Type, name string) (of reflect.Type, ok bool) {
	if f := shapeOf(t).fields[name]; f != nil {
		return f.shape.typ, true
	}
	return nil, false
}
