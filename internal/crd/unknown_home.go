package crd

import (
	"reflect"
	"slices"
	"strings"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Home is the only place near an unknown field where the API has a field of its name, the manifest has none, and such a
// value can stand. The zero Home is none.
type Home struct {
	Path string // of the field, if it stood there: "spec.group" for a group below metadata
	// Up counts the levels from where it stands: 1 for the mapping around its own, -1 for one beside it; 0 where it belongs to
	// a mapping beside its own, or below another field of it.
	Up int
}

// Holder is the path of the mapping or list that the field belongs to; "" for the CRD itself.
func (h Home) Holder() string { return holderOf(h.Path) }

// home is where an unknown field belongs: one or two levels up, one down, or beside its own mapping.
func (c *CRD) home(u UnknownField) Home {
	if !u.isPlain() || IsNull(u.Place.Node) {
		return Home{}
	}
	if path := c.amongProperties(u); path != "" {
		return Home{Path: path}
	}
	if path := c.amongVersions(u); path != "" {
		return Home{Path: path}
	}
	own := level{holderOf(u.Place.Path), u.of}
	var homes []Home
	add := func(levels []level, up int) {
		for _, l := range levels {
			if path := Join(l.path, u.Name()); c.isHome(u, l, path) && !slices.ContainsFunc(homes, func(h Home) bool { return h.Path == path }) {
				homes = append(homes, Home{path, up})
			}
		}
	}
	for i, l := range u.above {
		add([]level{l}, i+1)
	}
	add(c.below(own, u.Name()), -1)
	if len(u.above) > 0 {
		add(c.below(u.above[0], u.Name()), 0)
	}
	if len(homes) != 1 {
		return Home{}
	}
	return homes[0]
}

// isHome reports whether an unknown field can be moved into a mapping, and its value be decoded there. Nobody writes the
// status of a CRD.
func (c *CRD) isHome(u UnknownField, l level, path string) bool {
	t, known := fieldsOf(l.t)[u.Name()]
	return known && path != "status" && c.fits(u.Place, t) && c.canMove(u.Place.Path, path)
}

// below are the mappings below one that fields of a name may belong to: of a list, the only item that has no such field.
// Those of schemas are none: their fields are those of any schema.
func (c *CRD) below(l level, name string) []level {
	var levels []level
	for field, t := range fieldsOf(l.t) {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		path := Join(l.path, field)
		switch {
		case isSchema(l.t), opaque[t.Name()]:
		case t.Kind() == reflect.Struct:
			levels = append(levels, level{path, t})
		case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
			at, _ := c.Resolve(Steps(path))
			if i, ok := onlyWithout(at.Node, name); ok && at.Path == path {
				levels = append(levels, level{Item(path, i), t.Elem()})
			}
		}
	}
	return levels
}

// onlyWithout is the index of the only item of a list that is a mapping without a field.
func onlyWithout(n *yaml.Node, field string) (index int, ok bool) {
	if n = Deref(n); n == nil || n.Kind != yaml.SequenceNode {
		return 0, false
	}
	index = -1
	for i, item := range n.Content {
		if item.Kind == yaml.MappingNode && !IsNull(Get(item, field)) && Get(item, field) != nil {
			continue
		}
		if index >= 0 {
			return 0, false
		}
		index = i
	}
	return index, index >= 0
}

// isSchema reports whether a struct is a schema.
func isSchema(t reflect.Type) bool {
	_, ok := fieldsOf(t)["x-kubernetes-list-type"]
	return ok
}

// amongProperties is the path, among the properties of a schema, of what stands in the schema itself and looks like a
// schema; "" for anything else.
func (c *CRD) amongProperties(u UnknownField) string {
	path := Under(Join(holderOf(u.Place.Path), "properties"), u.Name())
	for _, near := range u.Nearest() {
		if c.fits(u.Place, fieldsOf(u.of)[near]) {
			return ""
		}
	}
	whole := !slices.ContainsFunc(Entries(u.Place.Node), func(e Entry) bool { return !IsSchemaField(e.Name) })
	if !whole || !u.LooksLikeProperty() || !c.canMove(u.Place.Path, path) {
		return ""
	}
	return path
}

// LooksLikeProperty reports whether what stands in a schema that has properties, or may have them, is the schema of one.
func (u UnknownField) LooksLikeProperty() bool {
	_, foreign := foreignKeywords[u.Name()]
	has := func(n *yaml.Node) bool { return StringAt(n, "type") != "" || Get(n, "properties") != nil }
	return u.InSchema() && !foreign && has(u.Place.Node) && (Get(u.Parent, "properties") != nil || StringAt(u.Parent, "type") == "object")
}

// ofVersion gives, for the unknown field of a property at the root of a schema, the property itself where that is a field of
// the version, such as its subresources.
func (c *CRD) ofVersion(u UnknownField) (UnknownField, bool) {
	holder := holderOf(u.Place.Path)
	name := LastField(holder)
	version, atRoot := strings.CutSuffix(holder, ".schema.openAPIV3Schema.properties["+name+"]")
	t, known := FieldType(reflect.TypeFor[v1.CustomResourceDefinitionVersion](), name)
	if !atRoot || !known || c.Version != V1 || !c.canMove(holder, Join(version, name)) {
		return u, false
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, e := range Entries(u.Parent) {
		if _, known := fieldsOf(t)[e.Name]; !known {
			return u, false
		}
	}
	properties := Steps(holderOf(holder))
	at, _ := c.Resolve(properties)
	key, value := Lookup(at.Node, name)
	return UnknownField{
		Place: Place{value, holder}, Key: key, Parent: Deref(at.Node), of: u.of, Home: Home{Join(version, name), 3},
	}, true
}

// amongVersions is the path of the only version for a mapping that stands where v1beta1 has a version's name.
func (c *CRD) amongVersions(u UnknownField) string {
	path := Item("spec.versions", 0)
	isVersion := u.Place.Path == "spec.version" && c.fits(u.Place, reflect.TypeFor[v1.CustomResourceDefinitionVersion]())
	if versions := Get(c.Node, "spec", "versions"); !isVersion || versions != nil && !IsNull(versions) || !c.canMove(u.Place.Path, path) {
		return ""
	}
	return path
}
