package repair

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
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

// typed reports whether a structural schema asks no more of the node's type.
func (n node) typed() bool { return n.text("type") != "" || n.isTrue(intOrStringKey) || n.marked() }

// at is the place of a keyword that the node has: its key, by which the whole entry is meant.
func (n node) at(keyword string) crd.Place {
	k, _ := crd.Lookup(n.Node, keyword)
	return crd.Place{Node: k, Path: n.path(keyword)}
}

// set writes a keyword and returns the source nodes whose lines change.
func (n node) set(key string, value *yaml.Node) []*yaml.Node { return layout.Set(n.Node, key, value) }

// remove takes a keyword out, also one that comes through a merge key.
func (n node) remove(key string) []*yaml.Node {
	if k, _ := crd.Lookup(n.Node, key); k != nil && !slices.Contains(n.Node.Content, k) {
		layout.ExpandMerges(n.Node)
	}
	return layout.Remove(n.Node, key)
}

// rename returns an entry another key in its place.
func (n node) rename(from, to string) []*yaml.Node {
	if k, _ := crd.Lookup(n.Node, from); k != nil && !slices.Contains(n.Node.Content, k) {
		layout.ExpandMerges(n.Node)
	}
	return layout.Rename(n.Node, from, to)
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

// below finds a schema of a CRD by the rest of its path. The caller sets the path, which it knows.
func (n node) below(c *crd.CRD, steps []string) (node, bool) {
	for len(steps) > 0 {
		n.Path = ""
		if steps[0] == "properties" && len(steps) > 1 {
			_, value := c.Lookup(n.get("properties"), steps[1])
			if value = crd.Deref(value); value == nil {
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

// declaresNothing reports whether an object is free-form: it names no member and describes none.
func (n node) declaresNothing() bool {
	return len(n.entries("properties")) == 0 && !n.has("additionalProperties")
}
