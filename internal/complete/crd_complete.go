package complete

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/skeleton"
)

// completeCRD offers what may be written at an offset in a CRD, and reports whether that is where somebody writes.
func (w *writer) completeCRD(offset int) bool {
	p := partOf(w.In)
	if p == nil || p.of == nil && (!p.isExample() || w.text.PlaceOf(w.In) != nil) {
		return false
	}
	if p.isExpression() {
		w.completeExpression(p, offset)
		return true
	}
	switch {
	case !w.Key:
	case p.name() != "":
		for i, f := range p.fields() {
			below := p.under(f.name)
			item := Item{Label: f.name, Kind: Field, Rank: i, Detail: below.line(f), Doc: f.doc}
			if p.isSchema() {
				item.Kind = Keyword
			}
			w.key(item, below)
		}
	case p.is() == "object":
		for i, name := range p.memberNames() {
			w.key(Item{Label: name, Kind: Field, Rank: i, Detail: "schema"}, p.under(name))
		}
	default:
		w.firstItem(p)
	}
	if w.Value {
		w.values(p)
	}
	return true
}

// memberNames are what the members of a map may be called, where that is known.
func (p *part) memberNames() (names []string) {
	schema := p.in
	if p.node.Key != "properties" || !schema.isSchema() {
		return nil
	}
	depth, whole := schema.inMetadata()
	switch {
	case schema.inJunctor():
		names = keysOf(schema.outer().Child("properties"))
	case whole && depth == 0:
		return []string{"name", "generateName"}
	case schema.isRoot():
		names = []string{"apiVersion", "kind", "metadata", "spec", "status"}
	}
	for _, item := range children(schema.node.Child("required")) {
		if !slices.Contains(names, item.Text) {
			names = append(names, item.Text)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "" || schema.inJunctor() && name == "metadata" // which a junctor may not restrict
	})
}

// keysOf are the keys of a mapping.
func keysOf(n *skeleton.Node) (keys []string) {
	for _, c := range children(n) {
		if c.Colon {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// line says on one line what a field is.
func (p *part) line(f *crdField) string {
	is := cmp.Or(p.is(), "string") // as apiVersion and kind
	switch {
	case p.isSchema():
		is = "schema"
	case p.isExample():
		is = "any"
	}
	if f.is("required") {
		is += ", required"
	}
	return is
}

// crdType offers the apiVersion and the kind of CRDs, where the other does not say that it is something else.
func (w *writer) crdType(key string, in *skeleton.Node) {
	label, other, detail := crdVersion, said(in, "kind"), crd.Kind
	if key == "kind" {
		label, other, detail = crd.Kind, said(in, "apiVersion"), crdVersion
	}
	if other == "" || other == detail {
		w.add(Item{Label: label, Kind: Type, Insert: write(label, w.json), Detail: detail, Rank: rankOther})
	}
}

// newCRD offers a whole CRD.
func (w *writer) newCRD() {
	p, d := &part{node: &skeleton.Node{}, of: crdTypes[crdVersion]}, &draft{}
	w.members(d, p, p.required(), w.relative(), 0)
	newline := "\n" + strings.Repeat(" ", w.Column+w.dashes())
	w.add(Item{Label: crd.Kind, Kind: Type, Detail: crdVersion, Rank: rankOther, Snippet: d.String(),
		Insert: "apiVersion: " + crdVersion + newline + "kind: " + crd.Kind + newline})
}

// crdVersion is the apiVersion of CRDs.
const crdVersion = crd.Group + "/" + string(crd.V1)
