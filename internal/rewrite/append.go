package rewrite

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Append returns the edit that adds an item of another document's list to the end of a list of a document, with its own text:
// comments, quoting and block scalars, re-indented. It returns false where that is impossible: where one of the lists
// is not a block, or the item has an anchor or alias, which has another meaning in another document.
func Append(d *manifest.Document, list *yaml.Node, from *manifest.Document, item *yaml.Node) (Edit, bool) {
	to, of := studied(d), studied(from)
	if to == nil || of == nil || to.findUnended().mark > 0 || of.findUnended().mark > 0 || hasAnchor(item) {
		return Edit{}, false
	}
	o, e := to.OriginOf(list), of.elementOf(item)
	if to.blocks[o] == nil || e == nil || e.key != nil || !e.ownLine {
		return Edit{}, false
	}
	eol := to.eol()
	var text strings.Builder
	for line := range bytes.Lines(of.Source[e.lead:e.end]) {
		line = indentBy(bytes.TrimRight(line, "\r\n"), to.Column(o)-lines.Column(of.Source, e.start))
		text.WriteString(string(line) + eol)
	}
	siblings := to.elements(o)
	at := siblings[len(siblings)-1].end
	if !lines.Begins(to.Source, at) { // the file has no line end at its end
		return Edit{at, at, eol + strings.TrimSuffix(text.String(), eol)}, true
	}
	return Edit{at, at, text.String()}, true
}

// studied is the source of a document in YAML that the writer can change; nil for another.
func studied(d *manifest.Document) *source {
	s, err := sourceOf(d)
	if err != nil || d.JSON || s.Root == nil || s.study() != nil {
		return nil
	}
	return s
}

// hasAnchor reports whether a tree has an anchor or an alias.
func hasAnchor(n *yaml.Node) bool {
	return n.Anchor != "" || n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAnchor)
}
