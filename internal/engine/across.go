package engine

import (
	"iter"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
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
	p.nameCompanions(s)
	if hub := p.Hub(); hub != nil { // the defaults are set on the names
		s.Singular.Value, s.ListKind.Value = hub.Spec.Names.Singular, hub.Spec.Names.ListKind
		s.Unnamed = apiextensions.IsCRDConditionFalse(hub, apiextensions.NamesAccepted)
	}
	for n := range s.names() {
		if p.mask().Mentions(n.Value) {
			n.Value = "" // which is like no other
		}
	}
	return s
}

// names are all of the CRD.
func (s *Summary) names() iter.Seq[*Name] {
	return func(yield func(*Name) bool) {
		for _, n := range []*Name{&s.Resource, &s.Group, &s.Plural, &s.Singular, &s.Kind, &s.ListKind, &s.InjectedFrom, &s.Service, &s.ServicePort} {
			if !yield(n) {
				return
			}
		}
		for i := range s.ShortNames {
			if !yield(&s.ShortNames[i]) {
				return
			}
		}
	}
}

func (p *Pass) name(steps ...string) Name { return p.nameAt(p.CRD.Resolve(steps)) }

func (p *Pass) nameAt(at crd.Place, complete bool) Name {
	n := Name{Path: p.written(at.Path)}
	if in, _ := p.inObject(at); p.CRD.From != nil {
		n.Path = in.Path
	}
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
	f := &Finding{Finding: &lint.Finding{
		Rule: s.rule.Value(), Severity: c.Severities[s.rule.ID], Path: at.Path, Source: at.Source, Document: c.Document, Resource: c.Named,
	}}
	f.Say(text.Sprintf(format, args...))
	if f.Severity > lint.Off {
		s.findings = append(s.findings, f.Finding)
	}
	return f.Finding
}

// Unit is what a CRD is sure to be applied together with: the path of its file, or "" for all that a kustomization builds.
func (s *Set) Unit(c *Summary) string { return s.unit(c.Resource.Pos.File) }

func (s *Set) unit(path string) string {
	if s.final {
		return ""
	}
	return path
}

// Differ says how a CRD differs from one of the same name that is another owner's; "" where it does not, or they have one owner.
func (s *Set) Differ(c, other *Summary) string {
	if s.linter.Differ == nil || c.Resource.Value == "" {
		return ""
	}
	return s.linter.Differ(c.Resource.Value, c.Resource.Pos.File, other.Resource.Pos.File)
}

// Asked reports whether somebody wants more of the rule that runs than what most would act on.
func (s *Set) Asked() bool { return s.rule.Asked(s.linter.Configuration()) }

// told is what reports say about the CRD, whether there are findings or not.
func (p *Pass) told() lint.CRD {
	told := p.CRD.Told(p.document, p.shown)
	if rendered(p.CRD, p.document) {
		told.Versions = nil
	}
	if old := p.old; old != nil && old.Document != nil && !rendered(old.CRD, old.Document) {
		told.Before = old.CRD.Told(old.Document, (&subject{document: old.Document}).shown).Versions
	}
	return told
}

// rendered reports whether the actions of a template decide which versions there are, or what becomes of one.
func rendered(c *crd.CRD, d *manifest.Document) bool {
	if d.File.Mask == nil {
		return false
	}
	opaque, list := d.Opaque(), crd.Get(c.Node, "spec", "versions")
	if opaque.Adds(list) || opaque.Prints(list) {
		return true
	}
	return slices.ContainsFunc(c.Versions(), func(v crd.APIVersion) bool {
		return opaque.Prints(v.At.Node) || slices.ContainsFunc([]string{"name", "served", "storage", "deprecated"}, func(key string) bool {
			return opaque.Prints(crd.Get(v.At.Node, key))
		})
	})
}
