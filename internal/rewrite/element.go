package rewrite

import (
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// An element is an entry of a mapping or an item of a sequence as it was read, with the lines that belong to it.
type element struct {
	key   *manifest.Origin // nil in a sequence
	value *manifest.Origin
	index int // among its siblings
	// lead is where its own lines start: the comments and blank lines before it. start is its key, the question
	// mark before that, or its dash. mark is the colon, or the dash. end is after its last line, comments included
	// that are indented deeper than it.
	lead, start, mark, end int
	ownLine                bool // only spaces precede it
}

// A block is a block collection of the source.
type block struct {
	elements []element
	last     int // end of the text that belongs to it, comments after its last entry included
}

// elementsOf lists the entries of a collection.
func elementsOf(o *manifest.Origin) []element {
	var all []element
	for i, c := range o.Children {
		switch {
		case o.Node.Kind == yaml.SequenceNode:
			all = append(all, element{value: c, index: i})
		case i%2 == 1:
			all = append(all, element{key: o.Children[i-1], value: c, index: i / 2})
		}
	}
	return all
}

// indexOf is the index of the element that a key or an item is in its collection; -1 for the value of a key, which is not
// printed in place of its entry, and for a node that is in no collection.
func indexOf(o *manifest.Origin) int {
	switch {
	case o == nil || o.Parent == nil:
		return -1
	case o.Parent.Node.Kind == yaml.SequenceNode:
		return o.Index
	case o.Index%2 == 1:
		return -1
	}
	return o.Index / 2
}

// lastIn is the last scalar, alias or empty collection in a collection.
func lastIn(o *manifest.Origin) *manifest.Origin {
	for len(o.Children) > 0 {
		o = o.Children[len(o.Children)-1]
	}
	return o
}

// id is the node by which an element is recognised in a changed tree.
func (e *element) id() *manifest.Origin {
	if e.key != nil {
		return e.key
	}
	return e.value
}

// isBlock reports whether a node is written as a block: one entry a line, told apart by indentation.
func isBlock(n *yaml.Node) bool {
	return (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}

// indicatorEnd is after the key, or after the dash.
func (e *element) indicatorEnd() int {
	if e.key != nil {
		return e.key.End
	}
	return e.start + 1
}

func isBlockScalar(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}
