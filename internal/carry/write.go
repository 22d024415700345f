package carry

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/yaml11"
)

// A draft is a document with what becomes of its objects.
type draft struct {
	root       *yaml.Node
	edits      []rewrite.Edit
	texts      []rewrite.Edit        // of what is in texts, which no tree has
	changed    map[*yaml.Node]string // the texts that these edits make
	references int
	notes      []Note
}

// write writes what becomes of the objects, and returns the tree of that; nil where it cannot be written. Objects that keep the document
// from being written are left as they are.
func (t *tending) write() *yaml.Node {
	if !t.mayChange() {
		return nil
	}
	made, at, err := t.draft()
	for ; err != nil && at >= 0; made, at, err = t.draft() {
		t.refuse(&t.all[at], err)
	}
	if err != nil {
		made = t.oneByOne()
	}
	if made == nil {
		return nil
	}
	t.out.Edits, t.out.References = made.edits, made.references
	for _, n := range made.notes {
		t.note(n)
	}
	return made.root
}

// mayChange reports whether an object is carried, or a reference may be there to one that is.
func (t *tending) mayChange() bool {
	return slices.ContainsFunc(t.all, func(s subject) bool { return s.after != nil }) ||
		slices.ContainsFunc(t.versions(), func(v knownVersion) bool {
			group, _, _ := strings.Cut(v.name, "/")
			return bytes.Contains(t.d.Text(), []byte(group))
		})
}

// manySingly is how many objects of a document are tried one by one: each is another reading of it.
const manySingly = 100

// oneByOne carries those objects that can be written together, and rejects the others; nil where even references cannot be written.
func (t *tending) oneByOne() *draft {
	var waiting []int
	became := map[int]Object{}
	for i := range t.all {
		if s := &t.all[i]; s.after != nil {
			waiting = append(waiting, i)
			became[i], s.after = s.after, nil
		}
	}
	made, _, err := t.draft()
	if err != nil {
		made = nil
	}
	for n, i := range waiting {
		s := &t.all[i]
		s.after = became[i]
		next, _, err := t.draft()
		if n >= manySingly {
			err = errShaken
		}
		if err != nil {
			t.refuse(s, err)
			continue
		}
		made = next
	}
	return made
}

// errShaken is the error of a tree that is not what it was to be, through aliases.
var errShaken = errors.New("YAML aliases share values that change in only one place; write out the values in place of the aliases first")

// errPrintedAnew is the error of a document that could only be written by an encoder, which knows nothing of its layout.
var errPrintedAnew = errors.New("the rewritten document would lose its layout; change the object by hand")

// draft writes the document, with copies in the place of aliases where that is necessary. Of an error about one object, at is its index
// among all; else it is -1.
func (t *tending) draft() (made *draft, at int, err error) {
	root := t.d.Root.YNode()
	for _, expand := range []bool{false, true} {
		to := crd.Clone(root)
		if expand {
			if !layout.Expandable(to) {
				break
			}
			expandAliases(to)
		}
		made = &draft{root: to, changed: map[*yaml.Node]string{}}
		if at, err = t.shape(made); err == nil {
			break
		}
		if errors.As(err, new(*unwritable)) {
			return nil, at, err
		}
	}
	if err != nil {
		return nil, -1, err
	}
	written, err := rewrite.Of(t.d).Write(made.root)
	if err == nil && written.Encoded != "" {
		err = errPrintedAnew
	}
	if err != nil {
		return nil, -1, err
	}
	made.edits = slices.Concat(written.Edits, made.texts)
	slices.SortFunc(made.edits, func(a, b rewrite.Edit) int { return a.Start - b.Start })
	for i, e := range made.edits[min(1, len(made.edits)):] {
		if made.edits[i].End > e.Start {
			return nil, -1, errors.New("a patch in a text that moved changes as well; change it by hand")
		}
	}
	for n, now := range made.changed {
		n.Value = now
	}
	return made, -1, nil
}

// expandAliases puts copies in the place of aliases, but for those of merge keys.
func expandAliases(n *yaml.Node) {
	for i, child := range n.Content {
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 1 && yaml11.IsMerge(n.Content[i-1]):
			continue
		case child.Kind == yaml.AliasNode:
			child = crd.Clone(crd.Deref(child))
			layout.StripAnchors(child)
			layout.Forget(child)
			n.Content[i] = child
		}
		expandAliases(child)
	}
}

// shape changes the tree of a draft: first the objects of the document, then those in them.
func (t *tending) shape(made *draft) (at int, err error) {
	holds := map[*objects.Object]bool{} // what objects are carried inside of
	for _, s := range t.all {
		holds[s.outer] = holds[s.outer] || s.after != nil
	}
	var all []subject
	for _, inner := range []bool{false, true} {
		if all = subjectsIn(made.root); len(all) != len(t.all) {
			return -1, errShaken
		}
		if at, err := t.build(made.root, all, inner); err != nil {
			return at, err
		}
		for i, s := range t.all {
			if (s.outer == nil || inner) && !(inner && holds[s.Object]) && !s.became(all[i]) {
				return i, errShaken
			}
		}
	}
	if layout.Dangling(made.root, nil) != "" {
		return -1, errShaken
	}
	return -1, t.refer(made, all)
}

// build changes the trees of objects, which are all that there are, or of those in them.
func (t *tending) build(root *yaml.Node, all []subject, inner bool) (at int, err error) {
	done := map[*yaml.Node]bool{} // a list may have an item twice, by an alias
	for i, s := range t.all {
		if s.after == nil || (s.outer != nil) != inner || done[s.Node] {
			continue
		}
		done[s.Node] = true
		if now, _, err := all[i].Tree(); inner && (err != nil || !layout.Same(now, s.before)) {
			return i, errShaken
		}
		if err := build(root, all[i].Object, s.before, s.made, s.after, schemaOf(s.way)); err != nil {
			return i, err
		}
	}
	return -1, nil
}

// became reports whether an object of a changed tree is what it is to be: what becomes of it, or what it was.
func (s subject) became(now subject) bool {
	want, err := any(s.after), error(nil)
	if s.after == nil {
		if want, err = layout.Value(s.Node); err != nil {
			return true
		}
	}
	is, err := layout.Value(now.Node)
	return err == nil && layout.Same(is, want)
}
