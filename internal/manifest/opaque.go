package manifest

import (
	"bytes"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/template"
)

// An Opaque knows what of a document is printed by the actions of a template. There is nothing in that of a manifest, which is
// nil.
type Opaque struct {
	document *Document
	mask     *template.MaskedTemplate
	open     map[place]bool
}

// Opaque reads what actions print of the document. Its tree has to be as it was read.
func (d *Document) Opaque() *Opaque {
	if d.File.Mask == nil || d.Root == nil {
		return nil
	}
	o := &Opaque{d, d.File.Mask, map[place]bool{}}
	prints := o.mask.Entries(d.Text(), d.Start)
	if len(prints) == 0 {
		return o
	}
	all := entriesOf(d.Root.YNode(), nil)
	for _, p := range prints {
		line, _ := d.File.Table.Position(p.At)
		o.openAt(all, line, p.Column)
	}
	delete(o.open, place(0))
	return o
}

// Adds reports whether an action prints entries of a mapping or of a list, of one without entries too.
func (o *Opaque) Adds(n *yaml.Node) bool { return o != nil && o.open[placeOf(n)] }

// Prints reports whether a scalar, or a collection without entries, is the output of an action.
func (o *Opaque) Prints(n *yaml.Node) bool {
	if o == nil || n == nil || len(n.Content) > 0 {
		return false
	}
	start, end, ok := o.document.Span(n)
	if !ok {
		return false
	}
	source := o.document.File.Source
	behind := bytes.TrimLeft(lines.Text(source[end:]), " \t")
	if len(behind) == 0 || !bytes.ContainsAny(behind[:1], ",]}") { // no other value follows, but perhaps a comment that hides an action
		end = max(end, start+lines.Length(source[start:]))
	}
	return o.mask.Mentions(string(source[start:end]))
}

// An entry is a key with its value, or an item of a list, and the collection that it is in.
type entry struct {
	line, column int // of the key, or of the value of an item, from 1 and from 0
	in, value    *yaml.Node
	above        *entry
}

func entriesOf(n *yaml.Node, above *entry) (all []*entry) {
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(n.Content); i += step {
		at, value := n.Content[i], n.Content[i+step-1]
		e := &entry{at.Line, at.Column - 1, n, value, above}
		if n.Kind == yaml.SequenceNode {
			e.line, e.column = at.Line, n.Column-1
		}
		all = append(append(all, e), entriesOf(value, e)...)
	}
	return all
}

// openAt marks the collection that lines at a column belong to: that of the last entry above them which is at the same column,
// or the value of the last one that is left of them.
func (o *Opaque) openAt(all []*entry, line, column int) {
	i, _ := slices.BinarySearchFunc(all, line, func(e *entry, line int) int { return e.line - line })
	for i--; i >= 0; i-- {
		switch e := all[i]; {
		case e.column == column:
			o.open[placeOf(e.in)] = true
			if e.in.Kind == yaml.SequenceNode && e.above != nil && e.above.column == column {
				o.open[placeOf(e.above.in)] = true
			}
			return
		case e.column < column:
			o.open[placeOf(e.value)] = true
			return
		}
	}
	if len(all) > 0 {
		o.open[placeOf(all[0].in)] = true
	}
}
