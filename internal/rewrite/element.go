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
