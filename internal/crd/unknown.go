package crd

import (
	"maps"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/internal/yaml11"
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
	// the field there even when it is asked to reject it.
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
const WrapperMissing = "%q is directly below %s, which has no such field; put openAPIV3Schema between them"

// UnknownFields lists the fields of a CRD that its API version does not have, in the order of the text. Upstream's
// strict decoding stops at `items` and `additionalProperties`, whose decoders are not strict; this does not.
func (c *CRD) UnknownFields() []UnknownField {
	found := &unknownFields{seen: map[*yaml.Node]bool{}}
	c.visit(found, false)
	all := found.all
	for i := range all {
		all[i].Lenient = all[i].Lenient || c.From != nil && all[i].InSchema() // the other program drops it
	}
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

// Name is the name of an unknown field, which may hold dots.
func (u UnknownField) Name() string {
	name, _ := yaml11.Key(u.Key)
	return name
}

// InSchema reports whether a field is in a schema.
func (u UnknownField) InSchema() bool { return u.of.isSchema() }

// Nearest lists the fields of a place that an unknown one may have been meant to be.
func (u UnknownField) Nearest() []string {
	if u.Meant != "" {
		return []string{u.Meant}
	}
	name := u.Name()
	if _, known := foreignKeywords[name]; known && u.InSchema() {
		return nil
	}
	return text.Nearest(name, u.Fields())
}

// foreignKeywords are those of OpenAPI and JSON Schema that schemas of CustomResourceDefinitions do not have, with what
// to do instead of them.
var foreignKeywords = map[string]string{
	"readOnly":              "a status subresource keeps users from writing the status",
	"writeOnly":             "",
	"const":                 "an enum of one value is equivalent",
	"deprecated":            "say it in the description",
	"discriminator":         "",
	"xml":                   "",
	"examples":              "example holds a single one",
	"exclusiveMinimum":      "",
	"exclusiveMaximum":      "",
	"if":                    "x-kubernetes-validations can express it",
	"then":                  "x-kubernetes-validations can express it",
	"else":                  "x-kubernetes-validations can express it",
	"contains":              "x-kubernetes-validations can express it",
	"minContains":           "x-kubernetes-validations can express it",
	"maxContains":           "x-kubernetes-validations can express it",
	"propertyNames":         "x-kubernetes-validations can express it",
	"dependentRequired":     "x-kubernetes-validations can express it",
	"dependentSchemas":      "x-kubernetes-validations can express it",
	"unevaluatedProperties": "unknown fields are pruned by default",
	"unevaluatedItems":      "",
	"prefixItems":           "",
	"contentEncoding":       "format: byte means base64",
	"contentMediaType":      "",
	"contentSchema":         "",
	"$id":                   "",
	"$anchor":               "",
	"$comment":              "a YAML comment does the same",
	"$defs":                 "write the schema out where it is used",
}

// ForeignKeyword is what to do instead of a keyword of OpenAPI or JSON Schema that schemas of CustomResourceDefinitions do
// not have, "" where there is nothing; known is false for other names.
func ForeignKeyword(name string) (instead string, known bool) {
	instead, known = foreignKeywords[name]
	return instead, known
}

// A Home is the only place near an unknown field where the API has a field of its name that can have its value, and the
// manifest has none. The zero Home is that of no field.
type Home struct {
	Path string // of the field, if it stood there: "spec.group" for a group below metadata
	// Up counts the levels from its place: 1 for the mapping around its own, -1 for one beside it; 0 where it belongs
	// to a mapping beside its own, or below another field of it.
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

// isHome reports whether an unknown field can be moved into a mapping, and its value be decoded there. The status of a
// CRD is not written in manifests.
func (c *CRD) isHome(u UnknownField, l level, path string) bool {
	f := l.of.fields[u.Name()]
	return f != nil && path != "status" && f.shape.fits(u.Place.Node) && c.canMove(u.Place.Path, path)
}

// below are the mappings below one that fields of a name may belong to: of a list, the only item that has no such field.
// Those of schemas are none: their fields are those of any schema.
func (c *CRD) below(l level, name string) []level {
	var levels []level
	if l.of.isSchema() {
		return nil
	}
	for key, f := range l.of.fields {
		of, path := f.shape.target(), Join(l.path, key)
		switch {
		case of.kind == object:
			levels = append(levels, level{path, of})
		case of.kind == list && of.elem.kind == object:
			at, _ := c.Resolve(Steps(path))
			if i, ok := onlyWithout(at.Node, name); ok && at.Path == path {
				levels = append(levels, level{Item(path, i), of.elem})
			}
		}
	}
	return levels
}

// onlyWithout is the index of the only item of a list that is a mapping without a field.
func onlyWithout(n *yaml.Node, field string) (index int, ok bool) {
	index = -1
	for i, item := range Items(n) {
		if item.Kind == yaml.MappingNode && HasValue(item, field) {
			continue
		}
		if index >= 0 {
			return 0, false
		}
		index = i
	}
	return index, index >= 0
}

// amongProperties returns the path, among the properties of a schema, for a field of the schema itself that looks like
// a schema; "" for anything else.
func (c *CRD) amongProperties(u UnknownField) string {
	path := Under(Join(holderOf(u.Place.Path), "properties"), u.Name())
	for _, near := range u.Nearest() {
		if u.of.fields[near].shape.fits(u.Place.Node) {
			return ""
		}
	}
	whole := !slices.ContainsFunc(Entries(u.Place.Node), func(e Entry) bool { return !IsSchemaField(e.Name) })
	if !whole || !u.LooksLikeProperty() || !c.canMove(u.Place.Path, path) {
		return ""
	}
	return path
}

// LooksLikeProperty reports whether a field of a schema that has properties, or may have them, is the schema of a
// property.
func (u UnknownField) LooksLikeProperty() bool {
	_, foreign := foreignKeywords[u.Name()]
	has := func(n *yaml.Node) bool { return StringAt(n, "type") != "" || Get(n, "properties") != nil }
	return u.InSchema() && !foreign && has(u.Place.Node) && (Get(u.Parent, "properties") != nil || StringAt(u.Parent, "type") == "object")
}

// ofVersion returns, for the unknown field of a property at the root of a schema, the property itself where that is a field of
// the version, such as its subresources.
func (c *CRD) ofVersion(u UnknownField) (UnknownField, bool) {
	holder := holderOf(u.Place.Path)
	name := LastField(holder)
	version, atRoot := strings.CutSuffix(holder, ".schema.openAPIV3Schema.properties["+name+"]")
	f := shapeFor[v1.CustomResourceDefinitionVersion]().fields[name]
	if !atRoot || f == nil || c.Version != V1 || !c.canMove(holder, Join(version, name)) {
		return u, false
	}
	for _, e := range Entries(u.Parent) {
		if f.shape.target().fields[e.Name] == nil {
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

// amongVersions returns the path of the only version for a mapping that is written in the place of v1beta1's name of a
// version.
func (c *CRD) amongVersions(u UnknownField) string {
	path := Item("spec.versions", 0)
	isVersion := u.Place.Path == "spec.version" && shapeFor[v1.CustomResourceDefinitionVersion]().fits(u.Place.Node)
	if !isVersion || HasValue(Get(c.Node, "spec"), "versions") || !c.canMove(u.Place.Path, path) {
		return ""
	}
	return path
}
