package manifest

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A plan says what to print for a block collection: for every entry of the changed tree the element that it was, and
// whether that element stands in this very collection, in order.
type plan struct {
	origin  *origin // nil when the collection was not a block of the source
	wasFlow bool    // it was in flow style, and its comments stand above it
	entries [][2]*yaml.Node
	was     []*element
	stays   []bool
}

func (p *printer) plan(n *yaml.Node) plan {
	pl := plan{entries: entries(n)}
	if o := p.originOf(n); o != nil && o.elements != nil {
		pl.origin = o
	} else {
		pl.wasFlow = o != nil
	}
	pl.was = make([]*element, len(pl.entries))
	pl.stays = make([]bool, len(pl.entries))
	indexes := make([]int, len(pl.entries))
	for i, kv := range pl.entries {
		pl.was[i], indexes[i] = p.elementOf(identity(kv)), -1
		if e := pl.was[i]; e != nil && pl.origin != nil && e.id().parent == pl.origin {
			indexes[i] = e.index
		}
	}
	for _, i := range longestIncreasing(indexes) {
		pl.stays[i] = true
	}
	return pl
}

// elementOf finds the element of a block of the source that a key (in a mapping) or an item (in a sequence) is.
func (p *printer) elementOf(n *yaml.Node) *element {
	o := p.originOf(n)
	if o == nil || o.parent == nil || o.parent.elements == nil {
		return nil
	}
	i := o.index
	if o.parent.node.Kind == yaml.MappingNode {
		if i%2 == 1 {
			return nil // a value does not stand for its entry
		}
		i /= 2
	}
	return &o.parent.elements[i]
}

// entries lists a collection's children as keys and values; the keys of a sequence are nil.
func entries(n *yaml.Node) [][2]*yaml.Node {
	var all [][2]*yaml.Node
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			all = append(all, [2]*yaml.Node{nil, c})
		}
		return all
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, [2]*yaml.Node{n.Content[i], n.Content[i+1]})
	}
	return all
}

func identity(kv [2]*yaml.Node) *yaml.Node {
	if kv[0] != nil {
		return kv[0]
	}
	return kv[1]
}

// longestIncreasing gives the positions of a longest increasing subsequence, passing over negative values.
func longestIncreasing(values []int) []int {
	var tails []int // tails[k] is the position that ends the best subsequence of length k+1
	before := make([]int, len(values))
	for i, v := range values {
		if v < 0 {
			continue
		}
		k, _ := slices.BinarySearchFunc(tails, v, func(t, v int) int { return values[t] - v })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	if len(tails) == 0 {
		return nil
	}
	var chosen []int
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		chosen = append(chosen, i)
	}
	slices.Reverse(chosen)
	return chosen
}
