package manifest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Append gives the edit that adds an item of another document's list to the end of a list of this one, with its own text:
// comments, quoting and block scalars, re-indented. It is false where that cannot be done: where one of the lists is no
// block, or the item has an anchor or alias, which means something else in another document.
func (d *Document) Append(list *yaml.Node, from *Document, item *yaml.Node) (Edit, bool) {
	to, divided := d.divided()
	source, also := from.divided()
	if !divided || !also || to.findUnended(d).mark > 0 || source.findUnended(from).mark > 0 || hasAnchor(item) {
		return Edit{}, false
	}
	o, e := to.originOf(list), source.itemOf(item)
	if o == nil || len(o.elements) == 0 || e == nil || !e.ownLine {
		return Edit{}, false
	}
	eol := to.styleOf(d).eol
	var text strings.Builder
	for line := range bytes.Lines(source.src[e.lead:e.end]) {
		line = indentBy(bytes.TrimRight(line, "\r\n"), to.column(o)-lines.Column(source.src, e.start))
		text.WriteString(string(line) + eol)
	}
	at := o.elements[len(o.elements)-1].end
	if !lines.Begins(to.src, at) { // the file has no line end at its end
		return Edit{at, at, eol + strings.TrimSuffix(text.String(), eol)}, true
	}
	return Edit{at, at, text.String()}, true
}

// divided is the layout of a document whose blocks have their elements.
func (d *Document) divided() (*layout, bool) {
	l, err := d.layoutOf()
	return l, err == nil && !d.json && l.divide(d) == nil
}

// itemOf is the element that an item of a block list is; nil for any other node.
func (l *layout) itemOf(n *yaml.Node) *element {
	o := l.originOf(n)
	if o == nil || o.parent == nil || o.parent.node.Kind != yaml.SequenceNode || o.parent.elements == nil {
		return nil
	}
	return &o.parent.elements[o.index]
}

// hasAnchor reports whether a tree has an anchor or an alias.
func hasAnchor(n *yaml.Node) bool {
	return n.Anchor != "" || n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAnchor)
}
