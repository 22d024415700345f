package complete

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"

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
			w.field(p, f, i)
		}
	case p.is() == "object":
		for i, name := range p.memberNames() {
			w.memberOf(p, Item{Label: name, Kind: Field, Rank: i, Detail: "schema"}, name)
		}
	case p.is() == "array" && w.OwnLine && !w.inFlow():
		d := &draft{}
		w.itemOf(d, p.item(), w.relative())
		w.add(Item{Label: "-", Kind: Value, Detail: "a first item", Insert: "- ", Snippet: d.String()})
	}
	if w.Value {
		w.choices(p.values())
	}
	return true
}

// field offers a field of a part that is not there yet.
func (w *writer) field(p *part, f *crdField, rank int) {
	item := Item{Label: f.name, Kind: Field, Rank: rank, Detail: p.member(f.name).line(f), Doc: f.doc}
	if p.isSchema() {
		item.Kind = Keyword
	}
	w.memberOf(p, item, f.name)
}

// memberOf offers a member of a part that is not there yet.
func (w *writer) memberOf(p *part, item Item, name string) {
	if there := w.In.Child(name); there != nil && there != w.Written {
		return
	}
	item.Insert = w.name(name)
	if w.Written == nil || !w.Written.Colon {
		d := &draft{}
		below := p.member(name)
		w.partOf(d, name, below, w.relative())
		item.Insert, item.Snippet = w.begin(name, below.is()), d.String()
	}
	w.add(item)
}

// partOf writes a member with all that it has to have below it; indent is that of its key from its line's.
func (w *writer) partOf(d *draft, name string, p *part, indent int) {
	d.text(w.name(name) + ":")
	switch flow := w.inFlow() || w.json; {
	case p.is() == "array" && flow:
		d.text(" [")
		d.stop("", nil)
		d.text("]")
	case p.is() == "array":
		d.line(indent + w.dash())
		w.itemOf(d, p.item(), indent+w.dash())
	case p.is() == "object" && flow:
		d.text(" {")
		w.requiredOf(d, p, indent)
		d.text("}")
	case p.is() == "object" && p.name() == "CustomResourceSubresourceStatus":
		d.text(" {}")
	case p.is() == "object":
		d.line(indent + w.width)
		w.requiredOf(d, p, indent+w.width)
	default:
		d.text(" ")
		w.choiceOf(d, p)
	}
}

// itemOf writes an item with all that it has to have.
func (w *writer) itemOf(d *draft, p *part, indent int) {
	d.text("- ")
	if p.is() == "object" {
		w.requiredOf(d, p, indent+len("- "))
		return
	}
	w.choiceOf(d, p)
}

// requiredOf writes the members that a part has to have.
func (w *writer) requiredOf(d *draft, p *part, indent int) {
	flow, n := w.inFlow() || w.json, 0
	if p.name() != "" {
		for _, f := range p.fields() {
			if !f.is("required") {
				continue
			}
			if n++; n > 1 && flow {
				d.text(", ")
			} else if n > 1 {
				d.line(indent)
			}
			w.partOf(d, f.name, p.member(f.name), indent)
		}
	}
	if n == 0 {
		d.stop("", nil)
	}
}

// choiceOf writes the place of a scalar.
func (w *writer) choiceOf(d *draft, p *part) {
	var choices []string
	for _, v := range p.values() {
		choices = append(choices, write(v.value, w.json))
	}
	if len(choices) > maxChoices {
		choices = nil
	}
	d.stop("", choices)
}

// maxChoices bounds how many values a snippet has to choose from: paths may be hundreds.
const maxChoices = 12

// choices offers values.
func (w *writer) choices(all []value) {
	for i, v := range all {
		text := write(v.value, w.json)
		if written := w.text.Source[w.Start:w.End]; len(written) > 0 && written[0] == '"' && text[0] != '"' {
			if s, is := v.value.(string); is {
				text = write(s, true)
			}
		}
		label := text
		if s, is := v.value.(string); is {
			label = s
		}
		w.add(Item{Label: label, Kind: Choice, Rank: i, Insert: text, Detail: v.from})
	}
}

// memberNames are what the members of a map may be called, where that is known.
func (p *part) memberNames() (names []string) {
	schema := p.in
	if p.node.Key != "properties" || !schema.isSchema() {
		return nil
	}
	depth, isMetadata, _ := schema.inMetadata()
	switch {
	case schema.inJunctor():
		names = keysOf(schema.outer().Child("properties"))
	case isMetadata && depth == 0:
		return []string{"name", "generateName"}
	case schema.isRoot():
		names = []string{"apiVersion", "kind", "metadata", "spec", "status"}
	}
	for _, item := range children(schema.node.Child("required")) {
		names = append(names, item.Text)
	}
	seen := sets.New("")
	return slices.DeleteFunc(names, func(name string) bool {
		again := seen.Has(name)
		seen.Insert(name)
		return again || schema.inJunctor() && name == "metadata" // which a junctor may not restrict
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
	is := p.is()
	switch {
	case p.isSchema():
		is = "schema"
	case p.is() == "array" && p.item().isSchema():
		is = "array of schemas"
	case p.isExample():
		is = "any"
	case is == "": // as apiVersion and kind
		is = "string"
	}
	if f.is("required") {
		is += ", required"
	}
	return is
}

// newCRD offers a whole CRD.
func (w *writer) newCRD() {
	p := &part{node: &skeleton.Node{Kind: skeleton.Empty}, of: crdTypes["apiextensions.k8s.io/v1"]}
	d := &draft{}
	w.requiredOf(d, p, w.relative())
	newline := "\n" + strings.Repeat(" ", w.Column+w.dashes())
	w.add(Item{Label: "CustomResourceDefinition", Kind: Type, Detail: "apiextensions.k8s.io/v1", Rank: rankOther, Snippet: d.String(),
		Insert: "apiVersion: apiextensions.k8s.io/v1" + newline + "kind: CustomResourceDefinition" + newline + "metadata:" + newline + strings.Repeat(" ", w.width) + "name: "})
}
