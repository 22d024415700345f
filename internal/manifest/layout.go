package manifest

import (
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
)

// An Origin is a node of the document as it was read, with the bytes it came from.
type Origin struct {
	Node   *yaml.Node
	Parent *Origin
	Index  int // among the parent's children
	// Start includes an anchor and a tag, which end at Properties; Content follows them. End is exclusive and leaves out a
	// comment and the line end after the node.
	Start, Properties, Content, End int
	Children                        []*Origin
}

// A Layout records the position of every node of a document. It describes the source, not the tree that callers change.
type Layout struct {
	Source     []byte
	Lines      *lines.Table // of Source
	Start, End int          // the document's bytes in Source
	Root       *Origin
	Comments   []lines.Span // every comment, from its `#` to the end of its line, in order

	byPlace map[place]*Origin // nil where nodes are not looked up
}

// A place identifies a node by what kyaml keeps when it copies one: its line, column and kind, in one number, which a map
// finds sooner than three.
type place uint64

// placeOf is the place of a node, or 0.
func placeOf(n *yaml.Node) place {
	if n == nil {
		return 0
	}
	return place(uint64(n.Line)<<36 | uint64(n.Column)&(1<<31-1)<<5 | uint64(n.Kind)&(1<<5-1))
}

// OriginOf is the node as it was read that n is, or is a copy of; nil when n is new.
func (l *Layout) OriginOf(n *yaml.Node) *Origin {
	if n == nil || n.Line == 0 {
		return nil
	}
	return l.byPlace[placeOf(n)]
}

// Column is where a node's content begins, in bytes from the start of its line.
func (l *Layout) Column(o *Origin) int { return lines.Column(l.Source, o.Content) }

// IsBarePair reports whether a mapping is one entry of a list in brackets without braces of its own: `[a: b]`.
func (l *Layout) IsBarePair(o *Origin) bool {
	return o.Node.Kind == yaml.MappingNode && len(o.Children) == 2 && l.Source[o.Content] != '{'
}

// An OddForm is a way to write something that keeps a document from being measured, or from being changed without loss.
type OddForm struct {
	Line int
	What string
}

func (e *OddForm) Error() string { return fmt.Sprintf("line %d has %s", e.Line, e.What) }

// findComments searches the text between scalars, where a `#` after white space begins a comment.
func (l *Layout) findComments() []lines.Span {
	var found []lines.Span
	scan := func(from, to int) {
		for i := from; i < to; i++ {
			if l.Source[i] == '#' && (i == 0 || lines.IsSpace(l.Source[i-1]) || i == l.Start) {
				end := i + len(lines.Text(l.Source[i:]))
				found = append(found, lines.Span{Start: i, End: end})
				i = end
			}
		}
	}
	at := l.Start
	var visit func(o *Origin)
	visit = func(o *Origin) {
		if len(o.Children) == 0 {
			scan(at, o.Content)
			at = max(at, o.End)
			if o.Node.Kind != yaml.ScalarNode && o.Node.Kind != yaml.AliasNode {
				scan(o.Content, o.End) // empty brackets
			}
			if o.Node.Kind == yaml.ScalarNode && o.Node.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
				header := o.Content + len(lines.Text(l.Source[o.Content:]))
				scan(o.Content, header)
			}
		}
		for _, c := range o.Children {
			visit(c)
		}
	}
	visit(l.Root)
	scan(at, l.End)
	return found
}
