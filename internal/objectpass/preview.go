package objectpass

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/lines"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/mask"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/lint"
)

// leave notes that objects are left as they are.
func (p *drafts) leave(why string, objects int) {
	if p.left == nil {
		p.left = map[string]int{}
	}
	p.left[why] += objects
}

// preview adds the objects of a document to the preview of its file.
func (j *judge) preview(d *manifest.Document, all []*subject) {
	as := j.objects.Preview
	if as == nil {
		return
	}
	becomes := map[*yaml.Node]request.Object{}
	for _, s := range all {
		o, added, why := s.shown(*as)
		if why != "" {
			j.drafts.leave(why, 1)
			continue
		}
		j.drafts.added += added
		j.drafts.made++
		if j.discretion.all() && !as.Written {
			addShown(&j.drafts.shown, s.mask, s.Object.Written(maps.Clone(s.tree)), s.Object.Written(o))
			continue
		}
		becomes[s.Object.Node] = s.Object.Written(o)
	}
	if len(becomes) == 0 {
		return
	}
	made, why := become(d, becomes, !as.Written)
	if why != "" {
		j.drafts.leave(why, len(becomes))
		j.drafts.made -= len(becomes)
		return
	}
	if len(made) > 0 {
		j.drafts.change(d.Index, made)
	}
}

// change notes what becomes of a document.
func (p *drafts) change(document int, made []rewrite.Edit) {
	if p.changed == nil {
		p.changed = map[int]bool{}
	}
	p.changed[document] = true
	p.edits = append(p.edits, made...)
}

// become returns the edits of a document after which objects in it are others. If it may expand, what is shared by aliases and changes in
// one place alone gives way to copies.
func become(d *manifest.Document, becomes map[*yaml.Node]request.Object, mayExpand bool) (made []rewrite.Edit, why string) {
	root := d.Root.YNode()
	value, err := layout.Value(root)
	if err != nil {
		return nil, "in a document that cannot be sent"
	}
	written, err := layout.Write(d, objects.Become(root, value, becomes), mayExpand)
	switch {
	case errors.Is(err, rewrite.ErrCommentsLost):
		return nil, "in a document that would lose comments"
	case err != nil:
		return nil, "in a document that cannot be rewritten in its layout (edit it by hand)"
	}
	return written.Edits, ""
}

// finish makes the preview of the whole file.
func (p *drafts) finish(o *Objects, f *manifest.File, hidden bool) *lint.Preview {
	made := &lint.Preview{ShownChange: p.shown, Objects: p.made}
	if writes := o.Preview.Written; writes || !hidden {
		after := rewrite.Apply(f.Source, p.edits)
		if _, err := rewrite.CheckNeighbours(f, after, func(i int) bool { return p.changed[i] }); err != nil {
			p.leave("in a file whose other documents would change", len(p.changed))
			after, p.added = f.Source, 0
		}
		if made.Added = p.added; writes {
			made.After, made.Changed = after, !bytes.Equal(f.Source, after)
		} else {
			made.ShownChange = o.shown(f.Path, f.Source, after)
		}
	}
	for why, n := range p.left {
		made.Left = append(made.Left, lint.LeftOut{Why: why, Objects: n})
	}
	slices.SortFunc(made.Left, func(a, b lint.LeftOut) int { return cmp.Compare(a.Why, b.Why) })
	return made
}

// shown is the object in the form that is asked for, with the number of defaults that are added to its text, or why that is not known.
func (s *subject) shown(as lint.As) (o request.Object, added int, why string) {
	if as.Written {
		return s.defaulted()
	}
	o, why = s.becomes(as)
	return o, 0, why
}

// unknown is why it is not known what becomes of the object; "" where it is.
func (s *subject) unknown() (why string) {
	switch outcome := s.answer.outcome; {
	case s.Match.Verdict == objects.NoCRD:
		return "without a CRD"
	case s.Match.Verdict != objects.Judged || outcome == nil:
		return "not validated (see its finding)"
	case s.answer.operation == "":
		return "without the subresource"
	case !outcome.Accepted():
		return "rejected (correct it first)"
	}
	return ""
}

// becomes is what becomes of the object, or why that is not known.
func (s *subject) becomes(as lint.As) (o request.Object, why string) {
	if why := s.unknown(); why != "" {
		return nil, why
	}
	server, _ := s.Match.Definition.Server()
	v := server.Version(s.Object.Version)
	admitted := s.answer.outcome.Object
	if s.isMerged(s.answer.operation) { // with what is there, which is none of the manifest's
		if admitted = v.Update(s.tree, s.old).Object; admitted == nil {
			return nil, "rejected (correct it first)"
		}
	}
	if read := cmp.Or(as.Version, s.Object.Version); s.Match.Definition.Converts(s.Object.Version) || as.Served && s.Match.Definition.Converts(read) {
		return nil, "converted by a webhook"
	}
	o, err := v.Store(admitted)
	if err == nil && as.Served {
		to := s.Match.Definition.Version(cmp.Or(as.Version, s.Object.Version))
		if to == nil || !to.Served {
			return nil, "of a kind that is not served at " + as.Version
		}
		o, err = server.Version(to.Name).Serve(o)
	}
	if err != nil {
		return nil, "not validated (see its finding)"
	}
	s.withoutMade(o)
	return o, ""
}

// made are the fields of metadata that only a server writes.
var made = []string{"uid", "creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"}

// withoutMade takes out of an object what only a server adds. What it wipes from the user's text is gone as well; on updates
// these fields stay as they are.
func (s *subject) withoutMade(o request.Object) {
	meta, _ := o["metadata"].(map[string]any)
	own, _ := s.tree["metadata"].(map[string]any)
	for _, name := range made {
		value, there := own[name]
		if there && s.answer.operation != OnCreate {
			meta[name] = value
		} else {
			delete(meta, name)
		}
	}
	for _, name := range []string{"namespace", "name"} {
		if _, there := own[name]; !there {
			delete(meta, name)
		}
	}
}

// Preview is the preview of a file; nil for a file without.
func Preview(f *engine.FileReport) *lint.Preview {
	if j, is := f.Judge.(*judge); is {
		return j.previewed
	}
	return nil
}

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
func (o *Objects) Show(path string, before, after []byte) lint.ShownChange {
	f := manifest.Parse(path, before)
	if d := o.discretionOf(f); d.all() {
		return o.showObjects(d, f, manifest.Parse(path, after))
	}
	return o.shown(path, before, after)
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
		found, _ := objects.Find(d.Root.YNode())
		all = append(all, found...)
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
