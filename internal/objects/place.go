package objects

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/yaml11"
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
		below, ok := o.below(place.Value, step)
		if !ok {
			return place, len(at) - i
		}
		place = below
	}
	return place, 0
}

// manyEntries is how many entries a mapping has at least that are looked up by an index, since each may be asked for.
const manyEntries = 64

// below is the place that a step leads to from a value.
func (o *Object) below(n *yaml.Node, step request.Step) (Place, bool) {
	if step.Index < 0 {
		m := crd.Deref(n)
		if at := o.indexed(m, step.Key); at != nil {
			last := at[len(at)-1]
			return Place{m.Content[last], m.Content[last+1]}, true
		}
		k, v := crd.Lookup(n, step.Key)
		return Place{k, v}, k != nil
	}
	items := crd.Items(n)
	if step.Index >= len(items) {
		return Place{}, false
	}
	return Place{Value: items[step.Index]}, true
}

// indexed are the places of the entries of a large mapping that have a name. There may be some when none are found: fixes change trees.
func (o *Object) indexed(m *yaml.Node, name string) []int {
	if m == nil || m.Kind != yaml.MappingNode || len(m.Content) < 2*manyEntries {
		return nil
	}
	known := o.large[m]
	if known == nil || known.size != len(m.Content) {
		known = &index{len(m.Content), map[string][]int{}}
		for i := 0; i+1 < len(m.Content); i += 2 {
			if yaml11.IsMerge(m.Content[i]) {
				clear(known.at)
				break
			}
			if name, ok := yaml11.Key(m.Content[i]); ok {
				known.at[name] = append(known.at[name], i)
			}
		}
		if o.large == nil {
			o.large = map[*yaml.Node]*index{}
		}
		o.large[m] = known
	}
	for _, i := range known.at[name] {
		if is, ok := yaml11.Key(m.Content[i]); !ok || is != name {
			return nil
		}
	}
	return known.at[name]
}

// Entries are the keys and values of all entries that a mapping has of a name, those that do not count included.
func (o *Object) Entries(m *yaml.Node, name string) (nodes []*yaml.Node) {
	at := o.indexed(m, name)
	for _, i := range at {
		nodes = append(nodes, m.Content[i], m.Content[i+1])
	}
	for i := 0; i+1 < len(m.Content) && at == nil; i += 2 {
		if is, ok := yaml11.Key(m.Content[i]); ok && is == name {
			nodes = append(nodes, m.Content[i], m.Content[i+1])
		}
	}
	return nodes
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
		place, found := o.below(n, step)
		switch {
		case !found, step.Index < 0 && o.indexed(n, step.Key) == nil && !slices.Contains(n.Content, place.Key):
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

// Remove takes the entry that a path leads to out of the mapping that has it, when Settle is called: many that go one by one would take
// a look at all that stay for each. It is false where Own is.
func (o *Object) Remove(at request.Path) bool {
	parent, ok := o.Own(at)
	if ok {
		if o.going == nil {
			o.going = map[*yaml.Node][]string{}
		}
		o.going[parent] = append(o.going[parent], at[len(at)-1].Key)
	}
	return ok
}

// Settle removes what is to be removed.
func (o *Object) Settle() {
	for parent, names := range o.going {
		layout.Remove(parent, names...)
	}
	o.going = nil
}
