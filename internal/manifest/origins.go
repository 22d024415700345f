package manifest

import (
	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

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
