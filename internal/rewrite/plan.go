package rewrite

import (
	"github.com/crdlift/crdlift/internal/diff"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A plan lists the elements to print for a block collection: for every entry of the changed tree the element that it
// was, and whether that element belongs to this very collection, in order.
type plan struct {
	origin  *manifest.Origin // nil when the collection was not a block of the source
	wasFlow bool             // it was in flow style, and its comments are printed above it
	entries [][2]*yaml.Node
	was     []*element
	stays   []bool
}

func (p *printer) plan(n *yaml.Node) plan {
	pl := plan{entries: entries(n)}
	if o := p.OriginOf(n); p.blocks[o] != nil {
		pl.origin = o
	} else {
		pl.wasFlow = o != nil
	}
	pl.was = make([]*element, len(pl.entries))
	pl.stays = make([]bool, len(pl.entries))
	indexes := make([]int, len(pl.entries))
	for i, kv := range pl.entries {
		pl.was[i], indexes[i] = p.elementOf(identity(kv)), -1
		if e := pl.was[i]; e != nil && pl.origin != nil && e.id().Parent == pl.origin {
			indexes[i] = e.index
		}
	}
	for _, i := range diff.LongestIncreasing(indexes) {
		pl.stays[i] = true
	}
	return pl
}

// elementOf finds the element of a block of the source that a key (in a mapping) or an item (in a sequence) is.
func (s *source) elementOf(n *yaml.Node) *element {
	o := s.OriginOf(n)
	i := indexOf(o)
	if i < 0 || s.blocks[o.Parent] == nil {
		return nil
	}
	return &s.elements(o.Parent)[i]
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
