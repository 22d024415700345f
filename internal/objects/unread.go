package objects

import (
	"bytes"
	"fmt"
	"slices"
	"unicode"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
)

// Unread are the CRDs that cannot be read. Their objects cannot be judged, and are not to be taken for those of somebody else.
func (c *Catalogue) Unread() []*Definition { return c.unread }

// Unread says why the CRD cannot be read; "" where it can.
func (d *Definition) Unread() string { return d.unread }

// sketch is what can be known of a CRD that cannot be decoded: which objects it is about.
func sketch(c *crd.CRD) *apiextensions.CustomResourceDefinition {
	hub := &apiextensions.CustomResourceDefinition{}
	spec := crd.Get(c.Node, "spec")
	hub.Spec.Group, hub.Spec.Names.Kind = crd.StringAt(spec, "group"), crd.StringAt(spec, "names", "kind")
	for _, v := range c.Versions() {
		hub.Spec.Versions = append(hub.Spec.Versions, apiextensions.CustomResourceDefinitionVersion{Name: v.Name, Served: true})
	}
	return hub
}

// Unparsed is the definition of a document that names a CRD and does not parse.
func Unparsed(d *manifest.Document) *Definition {
	return &Definition{
		Document: d, judge: &judge{}, Hub: &apiextensions.CustomResourceDefinition{}, unread: "its CRD does not parse: " + d.Err.Message,
		tree: func() *Tree { return &Tree{CRD: &crd.CRD{}, document: d} },
	}
}

// unreadOf returns a CRD that cannot be read, of unknown group or kind, whose text has the group and kind of an object; nil for
// none. One that was named comes first.
func (c *Catalogue) unreadOf(o *Object) (found *Definition) {
	for _, d := range c.unread {
		if d.Hub.Spec.Group == "" || d.Hub.Spec.Names.Kind == "" {
			words := bytes.FieldsFunc(text.WithoutNULs(d.Document.Text()), func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '-'
			})
			has := func(word string) bool {
				return slices.ContainsFunc(words, func(w []byte) bool { return string(w) == word })
			}
			if (found == nil || d.Given && !found.Given) && has(o.Group) && has(o.Kind) {
				found = d
			}
		}
	}
	return found
}

// nameless reports whether an action of a template decides what kind a CRD defines.
func nameless(d *manifest.Document, c *crd.CRD) bool {
	mask := d.File.Mask
	return mask.Mentions(crd.StringAt(c.Node, "spec", "group")) || mask.Mentions(crd.StringAt(c.Node, "spec", "names", "kind"))
}

// IsTemplate reports whether the CRD is in a template.
func (d *Definition) IsTemplate() bool {
	return d != nil && d.Document != nil && d.Document.File.Mask != nil
}

// leaveToRendering has nothing judged by a CRD whose schemas an action of a template prints a part of.
func (d *Definition) leaveToRendering(document *manifest.Document, c *crd.CRD) {
	mask := document.File.Mask
	if mask == nil || d.unread != "" {
		return
	}
	for _, key := range []string{"validation", "versions"} {
		start, end, ok := document.Span(crd.Get(c.Node, "spec", key))
		if !ok {
			continue
		}
		if action, at := mask.Printed(document.File.Source[start:end]); action != "" {
			line, _ := document.File.Position(start + at)
			d.unread = fmt.Sprintf("its CRD is a template, and %s on line %d prints a part of its schemas", action, line)
			return
		}
	}
}
