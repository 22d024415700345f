package rewrite

import (
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// A source is a document as it was read, with the data that the writer needs about it.
type source struct {
	*manifest.Layout
	document *manifest.Document

	studied  bool
	studyErr error
	blocks   map[*manifest.Origin]*block // of YAML; none where the root is a flow collection
	style    style

	searched, hasAnchor bool // by anchored
}

func sourceOf(d *manifest.Document) (*source, error) {
	l, err := d.Layout()
	return &source{Layout: l, document: d}, err
}

// elements are the entries of a block collection of the source; nil for any other node.
func (s *source) elements(o *manifest.Origin) []element {
	if b := s.blocks[o]; b != nil {
		return b.elements
	}
	return nil
}

// eol is the line end of the document's first line.
func (s *source) eol() string { return lines.Break(s.document.Text()) }

// endsFileOpen reports whether the document is the last of a file without a line end at its end.
func (s *source) endsFileOpen() bool {
	return s.End == len(s.Source) && len(s.Source) > 0 && s.Source[len(s.Source)-1] != '\n'
}

// A style is the style of a document that new text has to follow.
type style struct {
	eol         string
	step        int  // columns that a block is indented by
	indentLists bool // whether a list's dashes are indented below its key
	json        bool
	flow        flowStyle
}

// A flowStyle is the style of flow collections that new text has to follow.
type flowStyle struct {
	quoteKeys, quoteAll  bool // keys, and every string, are in double quotes, as in JSON; KYAML quotes strings only
	tightColon, tightGap bool // no space after a colon, and after a comma
}

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
