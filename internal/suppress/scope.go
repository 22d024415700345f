package suppress

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
)

// Nameless begins the scopes in documents without the name of an object, of which each file has its own.
const Nameless = "/"

// scope names what a comment is about: the object of its document, and the path of the entry below it or on its line.
func (r *reader) scope(c *Comment) string {
	l, err := r.document.Layout()
	if err != nil || l.Root == nil {
		return Nameless
	}
	scope, object := Nameless, l.Root.Node
	if name := crd.StringAt(object, "metadata", "name"); name != "" {
		scope = fmt.Sprintf("%q/%q/%q", crd.StringAt(object, "kind"), crd.StringAt(object, "metadata", "namespace"), name)
	}
	if c.All {
		return scope
	}
	from, to := r.comment.Start, r.comment.Start // of where the entry begins
	if c.Line > 0 {
		from = bytes.LastIndexByte(l.Source[:from], '\n') + 1
	} else if start, _, ok := r.document.EntryBelow(r.comment); ok {
		from, to = start, start
	}
	path, _ := pathTo(l.Root, from, to)
	return scope + path
}

// pathTo is the path of the first entry below a node that begins within some bytes; if none does, of the last one before them. Items
// with a name are called by it.
func pathTo(o *manifest.Origin, from, to int) (path string, found bool) {
	step, width := func(i int) string {
		return "[" + cmp.Or(crd.StringAt(o.Children[i].Node, "name"), strconv.Itoa(i)) + "]"
	}, 1
	if o.Node.Kind == yaml.MappingNode {
		step, width = func(i int) string { return "." + strconv.Quote(o.Children[i].Node.Value) }, 2
	}
	next := 0 // the first that does not begin before them
	for next+width <= len(o.Children) && o.Children[next].Start < from {
		next += width
	}
	if next > 0 {
		below, inside := pathTo(o.Children[next-1], from, to)
		if path = step(next-width) + below; inside {
			return path, true
		}
	}
	if next+width <= len(o.Children) && o.Children[next].Start <= to {
		return step(next), true
	}
	return path, false
}
