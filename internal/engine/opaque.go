package engine

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
)

// withoutOpaque drops the findings that rendering decides about: those about the output of an action, and those that
// something is missing where an action may add it.
func (p *Pass) withoutOpaque(findings []*Finding) []*Finding {
	var old *template.MaskedTemplate
	if p.old != nil && p.old.Document != nil {
		old = p.old.Document.File.Mask
	}
	if p.mask() == nil && old == nil || len(findings) == 0 {
		return findings
	}
	opaque := p.opaque()
	return slices.DeleteFunc(findings, func(f *Finding) bool {
		switch {
		case p.mask().Mentions(f.Message) || old.Mentions(f.Message):
			return true
		case f.By.Presence:
			return false
		case f.By.Annotates && p.annotated():
			return true
		case f.At.Path == "metadata.name" && p.nameless():
			return true
		}
		return opaque.Prints(f.At.Node) || opaque.Adds(f.At.Node)
	})
}

type opaqueKey struct{}

// opaque is what actions print of the document that the CRD is in.
func (p *Pass) opaque() *manifest.Opaque { return Memo(p, opaqueKey{}, p.document.Opaque) }

// nameless reports whether an action prints a part of what the name of the CRD is made of.
func (p *Pass) nameless() bool {
	mask, n := p.mask(), p.CRD.Node
	return mask.Mentions(p.CRD.Name()) || mask.Mentions(crd.StringAt(n, "spec", "group")) || mask.Mentions(crd.StringAt(n, "spec", "names", "plural"))
}

// annotated reports whether an action may add annotations.
func (p *Pass) annotated() bool {
	metadata := crd.Get(p.CRD.Node, "metadata")
	annotations := crd.Get(metadata, "annotations")
	return p.opaque().Adds(metadata) || p.opaque().Adds(annotations) || p.opaque().Prints(annotations)
}

// printed reports whether an action prints all of the spec, or entries of the object: what looks like a part may be whole.
func (s *subject) printed() bool {
	opaque := s.document.Opaque()
	return opaque.Adds(s.crd.Node) || opaque.Adds(crd.Get(s.crd.Node, "spec")) || opaque.Prints(crd.Get(s.crd.Node, "spec"))
}
