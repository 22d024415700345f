package complete

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/sample"
	"github.com/crdlift/crdlift/internal/skeleton"
)

// noteOfCRD says what a field of a CRD is for, and what a property of a schema is; "" where that is not known.
func (t *Text) noteOfCRD(n *skeleton.Node) string {
	p := partOf(n)
	if p == nil || p.of == nil && t.PlaceOf(n) != nil { // an object in a default
		return ""
	}
	if p.isSchema() && p.via() == "properties" {
		return t.noteOfProperty(p)
	}
	for ; p.in != nil; p = p.in {
		if f := p.field(); f != nil {
			return "**" + f.name + "** " + p.line(f) + "\n\n" + f.doc
		}
		if p.in.name() != "" {
			return "" // a field that no server knows
		}
	}
	return ""
}

// maxNoted bounds how long a keyword with its value is that a note tells of.
const maxNoted = 4096

// noteOfProperty says what a schema says of a property itself.
func (t *Text) noteOfProperty(p *part) string {
	var own strings.Builder
	for _, c := range p.node.Children {
		if text := t.Source[c.KeyStart:max(c.KeyEnd, c.End)]; c.Key != "properties" && len(text) < maxNoted {
			own.WriteString(strings.Repeat(" ", p.node.Column) + string(text) + "\n")
		}
	}
	tree, err := yaml.Parse(own.String())
	if err != nil {
		return ""
	}
	schema, err := crd.DecodeSchema(tree.YNode())
	if err != nil {
		return ""
	}
	place := &Place{Steps: request.Path{}.To(request.Index(0)), schemas: sample.Schemas{schema}} // some value, for what is said of it
	note := "**" + p.node.Key + "** " + place.Line()
	if lists(p.in.schema().node.Child("required"), p.node.Key) {
		note += ", required"
	}
	return strings.TrimSpace(note + "\n\n" + place.description())
}
