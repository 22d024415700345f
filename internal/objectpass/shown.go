package objectpass

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/lint"
)

// separator is between objects.
const separator = "---\n"

// addShown adds an object whose values are hidden, and what becomes of it.
func addShown(s *lint.ShownChange, m *mask.Mask, before, after request.Object) {
	was, is, err := m.Print(before, after)
	if err != nil {
		return
	}
	s.Masked = true
	s.Changed = s.Changed || !bytes.Equal(was, is)
	if len(s.Before) > 0 {
		s.Before, s.After = append(s.Before, separator...), append(s.After, separator...)
	}
	s.Before, s.After = append(s.Before, was...), append(s.After, is...)
}

// Show is what may be shown of a change of a file.
func (l *Linter) Show(path string, before, after []byte) lint.ShownChange {
	f := manifest.Parse(path, before)
	if d := l.objects.discretionOf(f); d.all() {
		return l.objects.showObjects(d, f, manifest.Parse(path, after))
	}
	return l.objects.shown(path, before, after)
}

// showObjects shows the objects of a file whose values are hidden, before and after a change that leaves their number.
func (o *Objects) showObjects(d discretion, before, after *manifest.File) (s lint.ShownChange) {
	s.Changed, s.Masked = !bytes.Equal(before.Source, after.Source), true
	was, is := objectsIn(before), objectsIn(after)
	for i, one := range was {
		old, _, err := one.Tree()
		if err != nil || i >= len(is) {
			continue
		}
		if tree, _, err := is[i].Tree(); err == nil {
			addShown(&s, d.maskOf(one, o.match(one, before.Path)), old, tree)
		}
	}
	return s
}

// objectsIn are all objects of a file.
func objectsIn(f *manifest.File) (all []*objects.Object) {
	for _, d := range f.Documents {
		if d.Root != nil {
			found, _ := objects.Find(d.Root.YNode())
			all = append(all, found...)
		}
	}
	return all
}

// shown is a change of a file whose values are shown but for secrets.
func (o *Objects) shown(path string, before, after []byte) lint.ShownChange {
	s := lint.ShownChange{Before: before, After: after, Changed: !bytes.Equal(before, after)}
	if !s.Changed {
		return s
	}
	for _, text := range []*[]byte{&s.Before, &s.After} {
		if hidden := o.secretsIn(manifest.Parse(path, *text)); len(hidden) > 0 {
			*text, s.Masked = mask.Replace(*text, hidden), true
		}
	}
	return s
}

// secretsIn are the parts of a file that hold secrets, of whatever kind its documents are: the lines around a change are shown.
func (o *Objects) secretsIn(f *manifest.File) (hidden []lines.Span) {
	d := discretion{values: o.Values, anonymous: o.Anonymous}
	for _, doc := range f.Documents {
		if doc.Root == nil {
			if d.values != AlwaysValues && mask.May(doc.Text()) {
				hidden = append(hidden, lines.Span{Start: doc.Start, End: doc.End})
			}
			continue
		}
		found, others := objects.Find(doc.Root.YNode())
		if others > 0 {
			found = append(found, &objects.Object{Node: doc.Root.YNode(), Head: doc.Root.YNode()})
		}
		for _, one := range found {
			if m := d.maskOf(one, o.match(one, f.Path)); m != nil {
				hidden = append(hidden, m.Spans(doc)...)
			}
		}
	}
	slices.SortFunc(hidden, func(a, b lines.Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	return hidden
}
