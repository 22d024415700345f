package objects

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A Place is where a value of an object is written.
type Place struct {
	Key   *yaml.Node // nil for an item of a list, and for the object itself
	Value *yaml.Node // may be an alias
}

// Locate follows a path into the object. Where it leads to nothing, the place is that of the last value on the way, and
// missing counts the steps that are left. Keys are those that count: read by YAML 1.1, the last of duplicates, and those
// that merge keys bring in.
func (o *Object) Locate(at request.Path) (place Place, missing int) {
	place.Value = o.Node
	for i, step := range at {
		below, ok := place.below(step)
		if !ok {
			return place, len(at) - i
		}
		place = below
	}
	return place, 0
}

// below is the place that a step leads to.
func (p Place) below(step request.Step) (Place, bool) {
	if step.Index < 0 {
		k, v := crd.Lookup(p.Value, step.Key)
		return Place{k, v}, k != nil
	}
	items := crd.Items(p.Value)
	if step.Index >= len(items) {
		return Place{}, false
	}
	return Place{Value: items[step.Index]}, true
}

// Node is what to point at for a value: scalars and empty collections themselves, else the key of the value, or the first
// key in it where it has none.
func (p Place) Node() *yaml.Node {
	value := crd.Deref(p.Value)
	switch {
	case value.Kind == yaml.ScalarNode && (value.Value != "" || value.Style != 0 || p.Key == nil):
		return p.Value
	case value.Kind != yaml.ScalarNode && len(value.Content) == 0:
		return p.Value
	case p.Key != nil:
		return p.Key
	}
	return crd.FirstKey(value)
}

// Entry is what to point at for a whole entry: its key, or what Node says where it has none.
func (p Place) Entry() *yaml.Node {
	if p.Key != nil {
		return p.Key
	}
	return p.Node()
}

// Self is what to point at for the object as a whole: its kind, or where it begins.
func (o *Object) Self() *yaml.Node {
	if kind := crd.Get(o.Node, "kind"); kind != nil {
		return kind
	}
	return crd.FirstKey(o.Node)
}

// Own returns the mapping that has the last step of a path as an entry of its own. It is false where the path leads nowhere, or
// through an anchor, an alias or a merge key, so that what is changed there changes in other places as well.
func (o *Object) Own(at request.Path) (parent *yaml.Node, ok bool) {
	n := o.Node
	for i, step := range at {
		if n.Anchor != "" {
			return nil, false
		}
		place, found := Place{Value: n}.below(step)
		switch {
		case !found, step.Index < 0 && !slices.Contains(n.Content, place.Key):
			return nil, false
		case i == len(at)-1:
			return n, n.Kind == yaml.MappingNode
		}
		if n = place.Value; n.Kind == yaml.AliasNode {
			return nil, false
		}
	}
	return nil, false
}
