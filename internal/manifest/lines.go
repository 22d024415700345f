package manifest

import (
	"bytes"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Begin returns the line and column at which a node of the document begins, as Position counts them, from what the parser
// noted in it. It is cheap, where Span reads the document once more.
func (d *Document) Begin(n *yaml.Node) (line, column int) {
	if d.json || !d.File.Odd() {
		return n.Line, n.Column
	}
	if start, _, ok := d.Span(n); ok {
		return d.File.Position(start)
	}
	return n.Line, n.Column
}

// linesBetween counts the parser's lines in a part of the file.
func (d *Document) linesBetween(start, end int) int {
	text := d.File.Source[start:end]
	if d.json || !lines.HaveOddBreaks(text) {
		return bytes.Count(text, []byte("\n"))
	}
	return len(lines.YAML(text, 0, len(text))) - 1
}

func shiftLines(n *yaml.Node, by int) {
	if by == 0 {
		return
	}
	n.Line += by
	for _, c := range n.Content {
		shiftLines(c, by)
	}
}
