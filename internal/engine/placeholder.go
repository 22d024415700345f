package engine

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// withoutPlaceholders puts findings of its own in the place of all that speak about placeholders.
func (p *Pass) withoutPlaceholders(findings []*Finding) []*Finding {
	if !p.judgedBy(PlaceholderRule) {
		return findings
	}
	told := map[lint.Position]*Finding{}
	var all []*Finding
	tell := func(name string, at crd.Place) *Finding {
		pos := p.locate(at)
		if told[pos] == nil {
			told[pos] = p.Reportf(at, "%s is a placeholder, and its value is not checked; lint the rendered manifest", text.Value(name))
			all = append(all, told[pos])
		}
		return told[pos]
	}
	ytt := p.yttValues()
	findings = slices.DeleteFunc(findings, func(f *Finding) bool {
		name, at := p.placeholderOf(f), f.At
		if name == "" && at.Path == "metadata.name" {
			name, at = p.CRD.NamePlaceholder()
		}
		if name == "" {
			name, at = yttOf(f, ytt)
		}
		if name == "" {
			return false
		}
		one := tell(name, at)
		one.RefusedBy = cmp.Or(f.RefusedBy, one.RefusedBy)
		return true
	})
	if p.CRD.Version == crd.V1beta1 { // which is null there, and may be taken for nothing
		for _, v := range ytt {
			tell(v.Comment, v.At)
		}
	}
	Together(all)
	return append(findings, all...)
}

// placeholderOf is the placeholder that a finding is about; "" for any other. What is built has those of patches, too.
func (p *Pass) placeholderOf(f *Finding) string {
	if crd.InSchema(f.At.Path) {
		return ""
	}
	name := cmp.Or(crd.PlaceholderAt(f.At), crd.PlaceholderIn(f.Message))
	if name == "" && p.linter.Final && f.At.Node != nil {
		return crd.PlaceholderInPatch(f.At.Node.Value)
	}
	return name
}

// yttValues are the values of the CRD that ytt puts in.
func (p *Pass) yttValues() []crd.YttValue {
	if !bytes.Contains(p.document.Text(), []byte("#@")) {
		return nil
	}
	return p.CRD.YttValues()
}

// yttOf is the value of ytt that a finding comes from; "" for any other.
func yttOf(f *Finding, values []crd.YttValue) (comment string, at crd.Place) {
	for _, v := range values {
		if v.Explains(f.At.Path, f.Severity == lint.Error) {
			return v.Comment, v.At
		}
	}
	return "", crd.Place{}
}

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
