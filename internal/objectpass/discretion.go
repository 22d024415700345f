package objectpass

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/lint"
)

// ValuesWords are the words for Values.
func ValuesWords() []string {
	return []string{string(AutoValues), string(AlwaysValues), string(NeverValues)}
}

// discretionOf decides it for a file. The source lines of a file whose values are hidden are not kept.
func (o *Objects) discretionOf(f *manifest.File) discretion {
	d := discretion{values: o.Values, anonymous: o.Anonymous}
	d.dump = o.Stream != nil && o.Stream(f.Path) || mayBeDump(f.Source) && isDump(f)
	if d.all() || shareLines(f) && d.values != AlwaysValues {
		f.HideAll()
	}
	return d
}

// Discreet hides of a file, whatever becomes of it, what is to be hidden now: a fix may take away what makes it a dump.
func (o *Objects) Discreet(path string, src []byte) engine.Kind {
	if !o.discretionOf(manifest.Split(path, src)).all() {
		return o
	}
	never := *o
	never.Values = NeverValues
	return &never
}

// all reports whether every value is hidden.
func (d discretion) all() bool {
	return d.values == NeverValues || d.dump && d.values != AlwaysValues
}

// maskOf is the mask of an object in the file.
func (d discretion) maskOf(o *objects.Object, m objects.Match) *mask.Mask {
	if d.values == AlwaysValues && !d.anonymous {
		return nil
	}
	return mask.Of(o, m.Definition, mask.Options{All: d.all(), Secrets: d.values != AlwaysValues, Anonymous: d.anonymous})
}

// identity is what findings say the object is.
func (d discretion) identity(o *objects.Object) *lint.Object {
	to := &lint.Object{APIVersion: o.APIVersion(), Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
	if d.anonymous {
		to.Namespace, to.Name = mask.Hash(o.Namespace), mask.Hash(o.Name)
	}
	return to
}

// mayBeDump reports whether a text has one of the words that every dump has.
func mayBeDump(src []byte) bool {
	text := string(src)
	return strings.Contains(text, "uid") || strings.Contains(text, "resourceVersion") || strings.Contains(text, "managedFields") || strings.Contains(text, "List")
}

// isDump reports whether one of the objects of a file came from a server, or is in a list, as kubectl prints several. Text that
// does not parse may be one.
func isDump(f *manifest.File) bool {
	for d := range f.Trees() {
		root := d.Root.YNode()
		found, _ := objects.Find(root)
		if d.Err != nil || slices.ContainsFunc(found, func(o *objects.Object) bool { return o.FromServer() || crd.Deref(root) != o.Node }) {
			return true
		}
	}
	return false
}

// shareLines reports whether documents of a file begin where another ends: then no excerpt is of one document alone.
func shareLines(f *manifest.File) bool {
	return slices.ContainsFunc(f.Documents[1:], func(d *manifest.Document) bool { return d.Start > 0 && f.Source[d.Start-1] != '\n' })
}

// syntax takes out of findings about a document that does not parse what may have values in it.
func (d discretion) syntax(of *manifest.Document, findings []*engine.Finding) {
	for _, f := range findings {
		switch {
		case d.all():
			f.Message = "does not parse: " + mask.Withheld
		case d.values != AlwaysValues && mask.May(of.Text()):
			f.Excerpt = ""
		}
	}
}

// conceals reports whether a node of the object, or a text about it, must not be shown.
func (s *subject) conceals(n *yaml.Node) bool {
	if s.mask == nil {
		return false
	}
	start, _, ok := s.document.Span(n)
	if s.mask.All || !ok || s.hidden == nil {
		return s.mask.All || !ok
	}
	// Scalars are not in each other, so that only the last one that begins before can have it.
	hidden := s.hidden()
	next, _ := slices.BinarySearchFunc(hidden, start+1, func(h lines.Span, at int) int { return h.Start - at })
	return next > 0 && start < hidden[next-1].End
}

// discreet takes out of findings about an object what is hidden of it: whatever a rule says, and for programs as well.
func (p *Pass) discreet(findings []*engine.Finding) []*engine.Finding {
	m := p.mask
	if m == nil {
		return findings
	}
	for _, f := range findings {
		f.Old, f.New, f.Witness = nil, nil, nil
		f.At.Path = m.Scrub(f.At.Path)
		if advice := m.Scrub(f.Advice); advice != f.Advice {
			f.Message, f.Brief = strings.TrimSuffix(f.Message, f.Advice)+advice, ""
			f.Advice = advice
		}
		for i := range f.Related {
			f.Related[i].Message = m.Scrub(f.Related[i].Message)
		}
		if f.Fix != nil {
			f.Fix.Title = m.Scrub(f.Fix.Title)
		}
	}
	return findings
}
