package repair

import (
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

type level int

const (
	rootLevel level = iota
	fieldLevel
	itemLevel
)

// A node is a schema node that describes a value by itself, not inside allOf, anyOf, oneOf or not.
type node struct {
	crd.Place // of the schema's mapping
	level     level
	embedded  bool // inside the metadata of an embedded resource, which pruning leaves alone
	meta      bool // the metadata of the root or of an embedded resource
	typeMeta  bool // apiVersion or kind of the root or of an embedded resource
}

func (n node) text(key string) string       { return crd.StringAt(n.Node, key) }
func (n node) get(key string) *yaml.Node    { return crd.Get(n.Node, key) }
func (n node) isTrue(key string) bool       { b, _ := crd.BoolAt(n.Node, key); return b }
func (n node) has(key string) bool          { v := n.get(key); return v != nil && !crd.IsNull(v) }
func (n node) path(key string) string       { return crd.Join(n.Path, key) }
func (n node) marked() bool                 { return n.isTrue(preserveKey) }
func (n node) entries(k string) []crd.Entry { return crd.Entries(n.get(k)) }

// typed says whether a structural schema asks no more of the node's type.
func (n node) typed() bool { return n.text("type") != "" || n.isTrue(intOrStringKey) || n.marked() }

// at is the place of a keyword that the node has: its key, by which the whole entry is meant.
func (n node) at(keyword string) crd.Place {
	k, _ := crd.Lookup(n.Node, keyword)
	return crd.Place{Node: k, Path: n.path(keyword)}
}

// set writes a keyword and returns the source nodes whose lines change.
func (n node) set(key string, value *yaml.Node) []*yaml.Node { return Set(n.Node, key, value) }

// remove takes a keyword out, also one that comes through a merge key.
func (n node) remove(key string) []*yaml.Node {
	if k, _ := crd.Lookup(n.Node, key); k != nil && !slices.Contains(n.Node.Content, k) {
		expandMerges(n.Node)
	}
	return Remove(n.Node, key)
}

// rename gives an entry another key in its place.
func (n node) rename(from, to string) []*yaml.Node {
	if k, _ := crd.Lookup(n.Node, from); k != nil && !slices.Contains(n.Node.Content, k) {
		expandMerges(n.Node)
	}
	return Rename(n.Node, from, to)
}

// Rename gives the entry of a mapping that counts another key, in its place; shadowed duplicates go.
func Rename(m *yaml.Node, from, to string) (touched []*yaml.Node) {
	k, _ := crd.Lookup(m, from)
	if k == nil {
		return nil
	}
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if name, ok := yaml11.Key(m.Content[i]); !ok || name != from || yaml11.IsMerge(m.Content[i]) {
			continue
		}
		touched = append(touched, m.Content[i])
		if m.Content[i] == k {
			k.Value, k.Tag = to, yaml.NodeTagString
			continue
		}
		touched = append(touched, m.Content[i+1])
		m.Content = slices.Delete(m.Content, i, i+2)
	}
	return touched
}

// children lists the nodes below that describe values.
func (n node) children() []node {
	var all []node
	for _, e := range n.entries("properties") {
		all = append(all, n.property(e.Name, e.Value))
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if child, ok := n.under(keyword); ok {
			all = append(all, child)
		}
	}
	return all
}

// property is the schema of a field.
func (n node) property(name string, value *yaml.Node) node {
	child := node{Place: crd.Place{Node: crd.Deref(value), Path: crd.Under(n.path("properties"), name)}, level: fieldLevel}
	switch name {
	case "metadata", "apiVersion", "kind":
		if n.level == rootLevel || n.isTrue(embeddedKey) {
			child.meta = name == "metadata"
			child.typeMeta = !child.meta
			child.embedded = n.level != rootLevel
		}
	}
	child.embedded = child.embedded || n.embedded || n.meta
	return child
}

// under is the schema of items or additionalProperties, if there is one.
func (n node) under(keyword string) (node, bool) {
	schema := n.get(keyword)
	if schema == nil || schema.Kind != yaml.MappingNode {
		return node{}, false
	}
	level := fieldLevel
	if keyword == "items" {
		level = itemLevel
	}
	return node{Place: crd.Place{Node: schema, Path: n.path(keyword)}, level: level, embedded: n.embedded || n.meta}, true
}

// below finds a schema by the rest of its path.
func (n node) below(steps []string) (node, bool) {
	for len(steps) > 0 {
		if steps[0] == "properties" && len(steps) > 1 {
			value := crd.Get(n.Node, steps[:2]...)
			if value == nil {
				return node{}, false
			}
			n, steps = n.property(steps[1], value), steps[2:]
			continue
		}
		child, ok := node{}, steps[0] == "items" || steps[0] == "additionalProperties"
		if ok {
			child, ok = n.under(steps[0])
		}
		if !ok {
			return node{}, false
		}
		n, steps = child, steps[1:]
	}
	return n, true
}

// declaresNothing says whether an object is free-form: it names no member and describes none.
func (n node) declaresNothing() bool {
	return len(n.entries("properties")) == 0 && !n.has("additionalProperties")
}

// implied is the type that a node's keywords speak about, "" when they speak about none or several. Values of other
// types are accepted by a node without a type.
func (n node) implied() string {
	found := map[string]bool{}
	for key, typ := range map[string]string{
		"properties": "object", "required": "object", "additionalProperties": "object", "minProperties": "object",
		"maxProperties": "object", "items": "array", "minItems": "array", "maxItems": "array", "uniqueItems": "array",
		"pattern": "string", "minLength": "string", "maxLength": "string",
		"minimum": "number", "maximum": "number", "multipleOf": "number",
	} {
		if n.has(key) {
			found[typ] = true
		}
	}
	switch n.text("format") {
	case "int32", "int64":
		found["integer"] = true
	case "float", "double":
		found["number"] = true
	case "date-time", "date", "byte", "uri", "hostname", "ipv4", "ipv6", "cidr", "uuid", "email", "password":
		found["string"] = true
	}
	if values := n.get("enum"); values != nil {
		for _, v := range values.Content {
			found[TypeOfValue(crd.Deref(v))] = true
		}
	}
	if found["integer"] && found["number"] {
		delete(found, "number")
		if n.text("format") == "" {
			return "number"
		}
	}
	if len(found) != 1 {
		return ""
	}
	for typ := range found {
		return typ
	}
	return ""
}

// TypeOfValue is the schema type of a value as the server reads it; "null" for null, which has none.
func TypeOfValue(v *yaml.Node) string {
	switch v.Kind {
	case yaml.MappingNode:
		return "object"
	case yaml.SequenceNode:
		return "array"
	}
	kind, _ := yaml11.Resolve(v)
	switch kind {
	case yaml11.Bool:
		return "boolean"
	case yaml11.Int:
		return "integer"
	case yaml11.Float:
		return "number"
	case yaml11.String:
		return "string"
	}
	return "null"
}

// validTypes are those a schema may name.
var validTypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// SuggestType guesses what an unknown type was meant to be.
func SuggestType(typ string) string {
	switch strings.ToLower(typ) {
	case "int", "int32", "int64", "uint", "long":
		return "integer"
	case "float", "float64", "double", "decimal":
		return "number"
	case "bool":
		return "boolean"
	case "str", "text", "date", "date-time", "datetime", "time", "duration", "enum", "ip", "uri":
		return "string"
	case "map", "struct", "dict", "hash":
		return "object"
	case "list", "slice", "tuple":
		return "array"
	}
	if slices.Contains(validTypes, strings.ToLower(typ)) {
		return strings.ToLower(typ)
	}
	return ""
}

// SuggestStrategy guesses which conversion strategy was meant by another word: the API's design documents called
// Webhook external, and None nop.
func SuggestStrategy(strategy string) string {
	switch strings.ToLower(strategy) {
	case "external", "webhook", "webhooks":
		return "Webhook"
	case "nop", "none", "no-op", "noop":
		return "None"
	}
	return ""
}
