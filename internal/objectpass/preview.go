package objectpass

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/crdlift/crdlift/internal/engine"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/preview"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/lint"
	"sigs.k8s.io/kustomize/kyaml/yaml"
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
		o, why := s.becomes(*as)
		if why != "" {
			j.drafts.leave(why, 1)
			continue
		}
		if j.discretion.all() {
			addShown(&j.drafts.shown, s.mask, s.object.Written(maps.Clone(s.tree)), s.object.Written(o))
			continue
		}
		becomes[s.object.Node] = s.object.Written(o)
	}
	if len(becomes) == 0 {
		return
	}
	made, why := become(d, becomes)
	if why != "" {
		j.drafts.leave(why, len(becomes))
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

// become returns the edits of a document after which objects in it are others.
func become(d *manifest.Document, becomes map[*yaml.Node]request.Object) (made []rewrite.Edit, why string) {
	root := d.Root.YNode()
	value, err := preview.Value(root)
	if err != nil {
		return nil, "in a document that cannot be sent"
	}
	written, err := preview.Write(d, objects.Become(root, value, becomes))
	switch {
	case errors.Is(err, rewrite.ErrCommentsLost):
		return nil, "in a document that would lose comments"
	case err != nil:
		return nil, "in a document that cannot be rewritten in its layout"
	}
	return written.Edits, ""
}

// finish makes the preview of the whole file.
func (p *drafts) finish(o *Objects, f *manifest.File, hidden bool) *lint.Preview {
	made := &lint.Preview{ShownChange: p.shown}
	if !hidden {
		after := rewrite.Apply(f.Source, p.edits)
		if _, err := rewrite.CheckNeighbours(f, after, func(i int) bool { return p.changed[i] }); err != nil {
			p.leave("in a file whose other documents would change", len(p.changed))
			after = f.Source
		}
		made.ShownChange = o.shown(f.Path, f.Source, after)
	}
	for why, n := range p.left {
		made.Left = append(made.Left, lint.LeftOut{Why: why, Objects: n})
	}
	slices.SortFunc(made.Left, func(a, b lint.LeftOut) int { return cmp.Compare(a.Why, b.Why) })
	return made
}

// becomes is what becomes of the object, or why that is not known.
func (s *subject) becomes(as lint.As) (o request.Object, why string) {
	outcome := s.answer.outcome
	switch {
	case s.match.Verdict == objects.NoCRD:
		return nil, "without a CRD"
	case s.match.Verdict != objects.Judged || outcome == nil:
		return nil, "not judged"
	case s.answer.operation == "":
		return nil, "without the subresource"
	case !outcome.Accepted():
		return nil, "refused"
	}
	server, _ := s.match.Definition.Server()
	v := server.Version(s.object.Version)
	if read := cmp.Or(as.Version, s.object.Version); s.match.Definition.Converts(s.object.Version) || as.Served && s.match.Definition.Converts(read) {
		return nil, "converted by a webhook"
	}
	o, err := v.Store(outcome.Object)
	if err == nil && as.Served {
		to := s.match.Definition.Version(cmp.Or(as.Version, s.object.Version))
		if to == nil || !to.Served {
			return nil, "of a kind that is not served at " + as.Version
		}
		o, err = server.Version(to.Name).Serve(o)
	}
	if err != nil {
		return nil, "not judged"
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

// Preview is the preview of a file; nil where there is none.
func Preview(f *engine.FileReport) *lint.Preview {
	if j, is := f.Judge.(*judge); is {
		return j.previewed
	}
	return nil
}
