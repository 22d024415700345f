package crd

import (
	"strconv"
	"strings"

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

// A visitor examines the nodes of a walk.
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

// A spot is where a walk is.
type spot struct {
	above *spot      // nil where the walk began
	node  *yaml.Node // as written: it may be an alias
	field *shape     // of the field that the value is decoded into
	shape *shape     // with which this value is decoded: the target of pointers, and one side of a union
	loose bool       // below a union, whose decoder is not strict

	step string // the path below that of above; all of the path where the walk began
	join func(path, step string) string
}

// Path is the path of the value.
func (s *spot) path() string {
	if s.above == nil {
		return s.step
	}
	return s.join(s.above.path(), s.step)
}

func (s *spot) place() Place { return Place{s.node, s.path()} }

// visit walks through the CRD.
func (c *CRD) visit(v visitor, older bool) {
	root := shapeFor[v1beta1.CustomResourceDefinition]()
	if c.Version == V1 {
		root = shapeFor[v1.CustomResourceDefinition]()
	}
	w := walk{visitor: v, older: older}
	if hasAlias(c.Node, 0) {
		w.seen = map[visit]bool{}
	}
	w.through(&spot{node: c.Node, field: root})
}

// through visits a value and those below it.
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
