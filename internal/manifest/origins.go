package manifest

import (
	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// readYAML finds the nodes of a tree that was parsed from the document, which has base of the parser's lines before it.
func (l *Layout) readYAML(root *yaml.Node, base int) error {
	m := &measurer{Layout: l, begins: lines.YAML(l.Source, l.Start, l.End), base: base, limit: l.End}
	var err error
	if l.Root, err = m.measure(root, nil, l.Start); err != nil {
		return err
	}
	l.Comments = l.findComments()
	return nil
}

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

// readJSON is readYAML for a document in JSON, of which the reader tells the places. It has no comments.
func (l *Layout) readJSON(base int) error {
	root, _, spans, err := readJSON(l.Source[l.Start:l.End])
	if err != nil {
		return err
	}
	shiftLines(root, base)
	var add func(n *yaml.Node, parent *Origin) *Origin
	add = func(n *yaml.Node, parent *Origin) *Origin {
		s := spans[n]
		start := l.Start + s.Start
		o := &Origin{Node: n, Parent: parent, Start: start, Properties: start, Content: start, End: l.Start + s.End}
		o.Children = make([]*Origin, 0, len(n.Content))
		if l.byPlace != nil {
			l.byPlace[place{n.Line, n.Column, n.Kind}] = o
		}
		for i, c := range n.Content {
			co := add(c, o)
			co.Index = i
			o.Children = append(o.Children, co)
		}
		return o
	}
	l.Root = add(root, nil)
	return nil
}
