package carry

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/rewrite"
	"github.com/crdlift/crdlift/internal/text"
)

// knownVersions are the versions of all kinds of a catalogue.
type knownVersions struct {
	once sync.Once
	all  []knownVersion
}

// A knownVersion is a version of a group, with the CRDs that have it.
type knownVersion struct {
	name string // "example.com/v1beta1"
	of   []*objects.Definition
}

// versions lists the versions of all kinds.
func (c *Carrier) versions() []knownVersion {
	c.known.once.Do(func() {
		for _, d := range c.Catalogue.Kinds() {
			if d.Hub == nil {
				continue
			}
			for _, v := range d.Hub.Spec.Versions {
				name := d.Hub.Spec.Group + "/" + v.Name
				i := slices.IndexFunc(c.known.all, func(k knownVersion) bool { return k.name == name })
				if i < 0 {
					i = len(c.known.all)
					c.known.all = append(c.known.all, knownVersion{name: name})
				}
				c.known.all[i].of = append(c.known.all[i].of, d)
			}
		}
	})
	return c.known.all
}

// groupOf is the group in which the catalogue has the kind of an object, if its own may have been the name of that before: both have a
// word in common.
func (c *Carrier) groupOf(o *objects.Object) string {
	for _, d := range c.Catalogue.Kinds() {
		if d.Hub == nil || d.Hub.Spec.Names.Kind != o.Kind {
			continue
		}
		for word := range strings.SplitSeq(d.Hub.Spec.Group, ".") {
			if len(word) > 3 && slices.Contains(strings.Split(o.Group, "."), word) {
				return d.Hub.Spec.Group
			}
		}
	}
	return ""
}

// A naming is a place in a text that names an old version.
type naming struct {
	start, end int
	name       string
}

// namings are the places of a text that name a version which is carried to another one.
func (c *Carrier) namings(src []byte) (all []naming) {
	for _, v := range c.versions() {
		for at := 0; ; {
			i := bytes.Index(src[at:], []byte(v.name))
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(v.name)
			if at = end; !isWordAt(src, start-1) && !isWordAt(src, end) && c.carriesAny(v, src[end:]) {
				all = append(all, naming{start, end, v.name})
			}
		}
	}
	slices.SortFunc(all, func(a, b naming) int { return a.start - b.start })
	return all
}

// isWordAt reports whether a byte is a part of a longer name.
func isWordAt(src []byte, at int) bool {
	if at < 0 || at >= len(src) {
		return false
	}
	switch b := src[at]; {
	case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', b == '-':
		return true
	case b == '.':
		return isWordAt(src, at+1)
	}
	return false
}

// carriesAny reports whether one of the kinds that have a version is carried: the one that a text names behind it, if it does.
func (c *Carrier) carriesAny(v knownVersion, behind []byte) bool {
	kind := ""
	if len(behind) > 1 && behind[0] == '/' {
		end := slices.IndexFunc(behind[1:], func(b byte) bool { return !isWordAt([]byte{b}, 0) })
		if end < 0 {
			end = len(behind) - 1
		}
		kind = string(behind[1 : 1+end])
	}
	_, version, _ := strings.Cut(v.name, "/")
	return slices.ContainsFunc(v.of, func(d *objects.Definition) bool {
		names := d.Hub.Spec.Names
		if kind != "" && !strings.EqualFold(kind, names.Kind) && !strings.EqualFold(kind, names.Plural) {
			return false
		}
		_, state, _ := c.way(d, version)
		return state == Moved
	})
}

// Text lists the places that name old versions in a file which cannot be read as manifests.
func (c *Carrier) Text(src []byte) []Note { return c.textNotes(src, 0) }

// textNotes are notes about a text that begins at an offset of its file.
func (c *Carrier) textNotes(src []byte, begin int) (all []Note) {
	if c.References == IgnoreReferences {
		return nil
	}
	for _, n := range c.namings(src) {
		note := leftOver(nil, n.name)
		note.Start, note.End = begin+n.start, begin+n.end
		all = append(all, note)
	}
	return all
}

// leftOver is a note about a text, at a node if there is one, that names an old version of what is carried.
func leftOver(n *yaml.Node, name string) Note {
	return Note{Rule: "migrate-left-over", Node: n, Message: text.Sprintf("this text still names %s; change the version here by hand", name)}
}

// leftOvers notes the texts in a document that name old versions, as it is after what was written: but for the apiVersion of what has a
// kind, which is a reference, and what only servers write.
func (t *tending) leftOvers(root *yaml.Node) {
	if t.References == IgnoreReferences || len(t.namings(t.d.Text())) == 0 {
		return
	}
	var look func(n *yaml.Node)
	look = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			t.leftOverIn(n)
		}
		typed := reference(n) != nil
		for i, child := range n.Content {
			if n.Kind != yaml.MappingNode {
				look(child)
			} else if key := n.Content[i&^1].Value; i%2 == 1 && key != "managedFields" && (!typed || key != "apiVersion") {
				look(child)
			}
		}
	}
	look(crd.Deref(root))
}

// leftOverIn notes the first version that a scalar names after what was written, at its place in the text.
func (t *tending) leftOverIn(n *yaml.Node) {
	found := t.namings([]byte(n.Value))
	if len(found) == 0 {
		return
	}
	t.note(leftOver(n, found[0].name))
	last := &t.out.Notes[len(t.out.Notes)-1]
	for _, at := range t.namings(t.d.File.Source[last.Start:last.End]) {
		start, end := last.Start+at.start, last.Start+at.end
		if !slices.ContainsFunc(t.out.Edits, func(e rewrite.Edit) bool { return e.Start < end && start < e.End }) {
			last.Start, last.End = start, end
			return
		}
	}
}
