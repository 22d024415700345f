package carry

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/text"
)

// Document migrates the objects of a document, and the references of all its objects, whatever their kind. The document has its tree,
// which stays as it is; edits count from the start of its file. Of one that does not parse, or has no objects, only texts that name old
// versions are noted.
func (c *Carrier) Document(d *manifest.Document) *Result {
	return c.document(d, c.IsPatch != nil && c.IsPatch(d.File.Path))
}

func (c *Carrier) document(d *manifest.Document, part bool) *Result {
	t := &tending{Carrier: c, d: d, out: &Result{}}
	if d.Root == nil {
		t.out.Notes = c.textNotes(d.Text(), d.Start)
		return t.out
	}
	t.all = subjectsIn(d.Root.YNode())
	for i := range t.all {
		t.judge(&t.all[i], part)
	}
	t.judgeLists()
	root := t.write()
	if root == nil {
		root = d.Root.YNode()
	}
	t.comments()
	t.leftOvers(root)
	slices.SortStableFunc(t.out.Notes, func(a, b Note) int { return cmp.Compare(a.Start, b.Start) })
	return t.out
}

// A tending is a document that is carried.
type tending struct {
	*Carrier
	d   *manifest.Document
	all []subject
	out *Result

	stay map[string]bool // the kinds to which references stay, by apiVersion and kind
}

// A subject is an object of a document, or one inside of another.
type subject struct {
	*objects.Object
	outer *objects.Object // the object that it is in; nil for none
	item  int             // among the items of the result; -1 for one that is in another
	before,
	after Object // nil where it stays
	made *Carried
	way  *Way
}

// subjectsIn lists the objects of a tree, in the same order for each copy of it.
func subjectsIn(root *yaml.Node) (all []subject) {
	found, _ := objects.Find(root)
	for _, o := range found {
		all = append(all, subject{Object: o, item: -1})
	}
	for _, o := range found {
		within(o.Node, func(n *yaml.Node) bool {
			in := reference(n)
			if in == nil || n == o.Node || !isWhole(n) {
				return true
			}
			all = append(all, subject{Object: in, outer: o, item: -1})
			return false
		})
	}
	return all
}

// within visits the nodes of a tree, and those below each for which visit is true. What aliases lead to is at another node.
func within(n *yaml.Node, visit func(n *yaml.Node) bool) {
	if !visit(n) {
		return
	}
	for _, child := range n.Content {
		within(child, visit)
	}
}

// judge finds out what becomes of an object.
func (t *tending) judge(s *subject, part bool) {
	m := t.Catalogue.Match(s.Object, t.d.File.Path)
	if m.Verdict == objects.Partial {
		part, m = true, t.kindOf(s.Group, s.Version, s.Kind)
	}
	item := Item{Object: s.Object, Definition: m.Definition, To: s.Version, Part: part}
	var why string
	switch d := m.Definition; {
	case m.Verdict == objects.BuiltIn:
	case d == nil:
		item.State = t.without(s.Object, m)
	case m.Verdict == objects.NotJudged:
		item.State, why = Refused, m.Why
	default:
		if s.way, item.State, why = t.way(d, s.Version); item.State == Moved {
			item.State = t.carry(s, part)
		}
	}
	if item.State == Moved {
		item.To = s.way.To
	}
	if why != "" && s.outer == nil {
		t.note(Note{Rule: "migrate-refused", Object: s.Object, Node: s.Self(), Message: text.Reason(why)})
	}
	if s.outer == nil {
		s.item = len(t.out.Items)
		t.out.Items = append(t.out.Items, item)
	}
}

// without is what becomes of an object that no CRD defines.
func (t *tending) without(o *objects.Object, m objects.Match) State {
	if m.Verdict != objects.NoCRD && m.Verdict != objects.KindUnknown {
		return NoCRD
	}
	if group := t.groupOf(o); group != "" {
		t.note(Note{Rule: "migrate-group", Object: o, Node: o.Self(),
			Message: text.Sprintf("the CRD of %s has the group %s, not %s, so it is another API; follow the project's guide, or pass the right CRD with --crds", o.Kind, group, o.Group)})
		return Elsewhere
	}
	return NoCRD
}

// carry carries the values of an object that has a way.
func (t *tending) carry(s *subject, part bool) State {
	before, _, err := s.Tree()
	if err != nil {
		t.note(Note{Rule: "migrate-unwritable", Object: s.Object, Node: s.Self(), Message: text.Sprintf("the API server cannot read it; correct the object")})
		return Refused
	}
	s.before = before
	if part && s.way.Webhook {
		t.note(Note{Rule: "migrate-not-alike", Object: s.Object, Node: s.Self(),
			Message: text.Sprintf("a webhook converts %s to %s, but not a patch; build the kustomization, migrate the result, and adapt the patch", s.way.From, s.way.To)})
		return Refused
	}
	s.made = s.way.Carry(before, part)
	for _, n := range s.made.Notes {
		n.Object, n.Node = s.Object, nodeAt(s.Object, n)
		t.note(n)
	}
	if s.made.Object == nil {
		return Refused
	}
	if s.after = s.made.Object; s.Head != s.Node { // which has them from its list
		s.after = maps.Clone(s.after)
		delete(s.after, "apiVersion")
		delete(s.after, "kind")
	}
	return Moved
}

// judgeLists leaves the items alone that have their apiVersion from a list where one of them stays.
func (t *tending) judgeLists() {
	stays := map[*yaml.Node]bool{}
	for _, s := range t.all {
		stays[s.Head] = stays[s.Head] || s.after == nil
	}
	for i := range t.all {
		if s := &t.all[i]; s.after != nil && stays[s.Head] {
			t.refuse(s, &unwritable{s.Node, "its list has one apiVersion for all items, and one item stays as it is; write each item as a document of its own"})
		}
	}
}

// refuse leaves an object as it is, whose tree cannot be that of what it becomes.
func (t *tending) refuse(s *subject, err error) {
	n := Note{Rule: "migrate-unwritable", Object: s.Object, Node: s.Self()}
	switch u, is := err.(*unwritable); {
	case is:
		n.Node, n.Message = crd.FirstKey(u.node), text.Sprintf("%s", u.why)
	case errors.Is(err, errShaken), errors.Is(err, errPrintedAnew):
		n.Message = text.Sprintf("%s", err.Error())
	case errors.Is(err, rewrite.ErrCommentsLost):
		n.Message = text.Sprintf("the rewritten document would lose comments; change the object by hand")
	default: // which may have values of the object in it
		n.Message = text.Sprintf("crdlift cannot rewrite its document in this layout; change the object by hand")
	}
	t.out.Notes = slices.DeleteFunc(t.out.Notes, func(n Note) bool { // nothing is written
		return n.Object == s.Object && (n.Rule == "migrate-written" || n.Rule == "migrate-default-written")
	})
	t.note(n)
	s.after = nil
	if s.item >= 0 {
		item := &t.out.Items[s.item]
		item.State, item.To = Refused, s.Version
	}
}

// note adds a note with the place of its node.
func (t *tending) note(n Note) {
	n.Start, n.End = t.d.Start, t.d.Start
	if start, end, ok := t.d.Span(n.Node); ok {
		n.Start, n.End = start, end
	}
	t.out.Notes = append(t.out.Notes, n)
}

// nodeAt is the place of what a note is about: of a value that is rejected the value, of others the entry.
func nodeAt(o *objects.Object, n Note) *yaml.Node {
	if len(n.Path) == 0 {
		return o.Self()
	}
	place, missing := o.Locate(n.Path)
	if missing == len(n.Path) {
		return o.Self()
	}
	if n.Cause != nil || missing > 0 {
		return place.Node()
	}
	return place.Entry()
}

// kindOf is what the catalogue knows of a version of a kind.
func (t *tending) kindOf(group, version, kind string) objects.Match {
	o := &objects.Object{Node: &yaml.Node{Kind: yaml.MappingNode}, Group: group, Version: version, Kind: kind}
	o.Head = o.Node
	return t.Catalogue.Match(o, t.d.File.Path)
}

// leads is the way of a version of a kind; nil for one that is not carried.
func (t *tending) leads(group, version, kind string) *Way {
	m := t.kindOf(group, version, kind)
	if m.Definition == nil || m.Verdict == objects.NotJudged {
		return nil
	}
	if way, state, _ := t.way(m.Definition, version); state == Moved {
		return way
	}
	return nil
}

// schemaOf are the schemas of a version by the paths of values.
func schemaOf(w *Way) func(request.Path) *crd.Schema {
	return func(at request.Path) *crd.Schema {
		if s, rest := w.Definition.Schema(w.To, at); len(rest) == 0 {
			return s
		}
		return nil
	}
}
