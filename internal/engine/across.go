package engine

import (
	"strconv"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// summarize keeps what rules that look across need to know.
func (p *Pass) summarize() *Summary {
	s := &Summary{Document: p.document.Index, Version: p.CRD.Version}
	s.Resource = p.name("metadata", "name")
	s.Told = p.told()
	s.Named = s.Told.Name
	s.Group = p.name("spec", "group")
	s.Plural = p.name("spec", "names", "plural")
	s.Singular = p.name("spec", "names", "singular")
	s.Kind = p.name("spec", "names", "kind")
	s.ListKind = p.name("spec", "names", "listKind")
	for i := range crd.Items(crd.Get(p.CRD.Node, "spec", "names", "shortNames")) {
		s.ShortNames = append(s.ShortNames, p.name("spec", "names", "shortNames", strconv.Itoa(i)))
	}
	if hub := p.Hub(); hub != nil { // the defaults are set on the names
		s.Singular.Value, s.ListKind.Value = hub.Spec.Names.Singular, hub.Spec.Names.ListKind
	}
	for _, n := range []*Name{&s.Resource, &s.Group, &s.Plural, &s.Singular, &s.Kind, &s.ListKind} {
		if p.mask().Mentions(n.Value) {
			n.Value = "" // which is like no other
		}
	}
	return s
}

func (p *Pass) name(steps ...string) Name {
	at, complete := p.CRD.Resolve(steps)
	n := Name{Path: p.written(at.Path)}
	shown := p.pointAt(at)
	n.Pos.File = p.File().Path
	n.Pos.Line, n.Pos.Column = p.document.Begin(shown)
	n.Pos.EndLine, n.Pos.EndColumn = n.Pos.Line, n.Pos.Column+utf8.RuneCountInString(shown.Value)
	n.Source = p.File().SourceAt(n.Pos)
	if complete {
		n.Value = crd.StringAt(at.Node)
	}
	return n
}

// Reportf reports something about a name of a CRD.
func (s *Set) Reportf(c *Summary, at Name, format string, args ...any) *lint.Finding {
	value := s.rule.Value()
	f := &Finding{Finding: &lint.Finding{
		Rule: &value, Severity: c.Severities[s.rule.ID], Path: at.Path, Source: at.Source, Document: c.Document, Resource: c.Named,
	}}
	f.Say(text.Sprintf(format, args...))
	if f.Severity > lint.Off {
		s.findings = append(s.findings, f.Finding)
	}
	return f.Finding
}
