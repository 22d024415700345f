package engine

import (
	"cmp"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/template"
	"github.com/crdlift/crdlift/internal/text"
	"github.com/crdlift/crdlift/lint"
)

// Rule is the rule that runs.
func (p *Pass) Rule() *Rule { return p.rule }

// Has reports whether there is a rule of that id, switched on or not.
func (p *Pass) Has(id string) bool { return p.linter.has(id) }

func (l *Linter) has(id string) bool {
	return slices.ContainsFunc(l.Rules, func(r *Rule) bool { return r.ID == id })
}

// Unfinished reports whether something is likely to add to the manifest before it is applied: it is a generator's
// output and, to the linter's knowledge, was not built by a kustomization.
func (p *Pass) Unfinished() bool { return p.Generated() && !p.linter.Final }

// AsksTime says that what the rule reports depends on when it runs.
func (p *Pass) AsksTime() { p.linter.Record.DependsOnUnseen() }

// Above returns the number of CRDs above this one in its file.
func (p *Pass) Above() int { return p.above }

// File is the file as the user named it. Its other documents may not be parsed.
func (p *Pass) File() *manifest.File { return p.document.File }

// Document is the document that holds the CRD, alone or as an item of a list.
func (p *Pass) Document() *manifest.Document { return p.document }

// Report reports something at a place: the scalar or the key that it is, or, where the value is a mapping or a list,
// the key that it belongs to. The finding can be completed: a fix, related places.
func (p *Pass) Report(at crd.Place, message string) *Finding { return p.Reportf(at, "%s", message) }

// Reportf is Report with a format. What outputs for people may cut of a message, values of the user's, are arguments of
// type text.Text.
func (p *Pass) Reportf(at crd.Place, format string, args ...any) *Finding {
	if p.value == nil {
		p.value = p.rule.Value()
	}
	f := &Finding{At: at, By: p.rule, Index: p.index, Finding: &lint.Finding{
		Rule: p.value, Severity: p.severity, Document: p.document.Index, Resource: p.shown(crd.StringAt(p.CRD.Root(), "metadata", "name")),
		Versions: p.CRD.VersionsAt(at.Path), Source: p.document.File.SourceAt(p.locate(at)),
	}}
	if s, _ := p.CRD.SchemaAt(at.Path); s != nil {
		f.Field = s.FieldPath()
	}
	f.Say(text.Sprintf(format, args...))
	p.findings = append(p.findings, f)
	return f
}

// AtMost lowers the severity of a finding to a limit.
func (f *Finding) AtMost(s lint.Severity) *Finding {
	f.Severity = min(f.Severity, s)
	return f
}

// Also adds another place of the manifest that a finding speaks about.
func (p *Pass) Also(f *Finding, at crd.Place, message string) *Finding {
	return f.Relate(p.locate(at), message)
}

// locate returns the position to show for a finding at a place.
func (s *subject) locate(at crd.Place) lint.Position {
	return PositionOf(s.document, s.pointAt(at), s.crd.Root())
}

// PositionOf is the position to show for a node of an object in a document, or for where the object begins.
func PositionOf(d *manifest.Document, n, object *yaml.Node) lint.Position {
	start, end, ok := d.Span(n)
	if !ok {
		start, end, ok = d.Span(crd.FirstKey(object))
	}
	if !ok {
		start, end = d.Start, d.Start
	}
	return d.File.Range(start, end)
}

// pointAt returns the node to show for a place: scalars and empty collections themselves, else the key of the value, or
// the first key of a value that has none.
func (s *subject) pointAt(at crd.Place) *yaml.Node {
	at, in := s.inObject(at)
	n := at.Node
	if n == nil || n.Kind == yaml.ScalarNode {
		return n
	}
	if steps := crd.Steps(at.Path); len(steps) > 0 {
		parent, complete := in.Resolve(steps[:len(steps)-1])
		if complete {
			k, v := in.Lookup(parent.Node, steps[len(steps)-1])
			// the node may be that of the user's own tree, and the CRD a copy
			if k != nil && v.Line == n.Line && v.Column == n.Column {
				return k
			}
		}
	}
	return crd.FirstKey(n)
}

// Hub returns the CRD as the API server of its version holds it, in upstream's internal type; nil when it cannot be
// decoded even after unreadable values have been replaced.
func (p *Pass) Hub() *apiextensions.CustomResourceDefinition {
	if d, err := p.CRD.Decode(); err == nil {
		return d.Hub
	}
	return nil
}

// WrittenVersion returns the API version as the user wrote it. A CRD of an unknown version is checked as one of v1.
func (p *Pass) WrittenVersion() crd.Version { return p.version }

// UnknownFields are those that the CRD's API version does not have, as the user wrote them. Misspelt ones come first,
// which Rule.Meant gave a name; CRD has them under that name.
func (p *Pass) UnknownFields() (misspelt, others []crd.UnknownField) {
	if p.corrected != nil {
		misspelt = p.corrected.Misspelt
	}
	if d, err := p.CRD.Decode(); err != nil || !d.Known { // most CRDs have none, which is cheap to know
		others = p.CRD.UnknownFields()
	}
	return misspelt, others
}

// DecodeError returns the API server's error when it cannot decode the manifest; nil when it can.
func (p *Pass) DecodeError() error {
	_, err := p.CRD.Decode()
	return cmp.Or(p.unreadable, err)
}

// WrongTypes are the values for which it cannot.
func (p *Pass) WrongTypes() []crd.WrongType {
	switch {
	case p.mended != nil:
		return p.mended.Wrong
	case p.DecodeError() != nil:
		return p.CRD.WrongTypes()
	}
	return nil
}

// lost reports whether the value at a path, or one above it, could not be read. An error at that place is only that the
// value is missing.
func (s *subject) lost(path string) bool {
	return s.mended != nil && slices.ContainsFunc(s.mended.Lost, func(lost string) bool { return crd.Within(path, lost) })
}

// mask is what the template is hidden behind that the CRD is in; nil for a manifest.
func (s *subject) mask() *template.MaskedTemplate { return s.document.File.Mask }

// shown is a text for messages, with the actions of a template.
func (s *subject) shown(text string) string {
	if m := s.mask(); m != nil {
		return m.Show(text)
	}
	return text
}

// Memo computes something once for all rules that look at a CRD or at a custom resource. The key is a type of the caller's
// own.
func Memo[K comparable, T any](p interface{ remembered() Memory }, key K, compute func() T) T {
	memo := p.remembered()
	if v, ok := memo[key]; ok {
		return v.(T)
	}
	v := compute()
	memo[key] = v
	return v
}

// complete fills in the values for the place, the fix and the message.
func (f *Finding) complete() {
	f.Path = f.At.Path
	if f.Fix != nil {
		f.Finding.Fix = &lint.Fix{Title: f.Fix.Title, Safe: f.Fix.Safe, Reveals: f.Fix.Reveals, Source: f.Fix.source, Edits: f.Fix.edits}
	}
	if about := f.About; about != nil {
		f.Finding.About = func(versions, items []string) (message, brief string) {
			said := about(versions, items)
			return text.OneLine(said.String()), text.OneLine(said.Brief())
		}
	}
}

// Say sets the message.
func (f *Finding) Say(message text.Text) {
	f.Message, f.Brief = text.OneLine(message.String()), text.OneLine(message.Brief())
	if f.Brief == f.Message {
		f.Brief = ""
	}
}

// Advise adds advice for the author of the change to the message.
func (f *Finding) Advise(advice string) *Finding {
	f.Add("; " + advice)
	f.Advice = text.OneLine(advice)
	return f
}

// Add adds words to the message, which begin with a comma or a semicolon.
func (f *Finding) Add(words string) {
	words = text.OneLine(words)
	f.Message += words
	if f.Brief != "" {
		f.Brief += words
	}
	f.Advice = ""
}

// Relate adds another place that the finding speaks about.
func (f *Finding) Relate(at lint.Position, message string) *Finding {
	f.Related = append(f.Related, lint.Related{Pos: at, Message: text.OneLine(message)})
	return f
}

// Together links findings of a rule that report the same for several places of a CRD. Each remains separate, with its
// place, its message and its fix; outputs for people show them as one entry.
func Together(findings []*Finding) {
	if len(findings) < 2 {
		return
	}
	for _, f := range findings {
		f.First = findings[0].Finding
	}
}
