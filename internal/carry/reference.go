package carry

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/layout"
	"github.com/crdlift/crdlift/internal/objects"
	"github.com/crdlift/crdlift/internal/text"
)

// reference is what a mapping refers to, or is, by its apiVersion and kind; nil for one that does not have both.
func reference(n *yaml.Node) *objects.Object {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	apiVersion, kind := crd.StringAt(n, "apiVersion"), crd.StringAt(n, "kind")
	if apiVersion == "" || kind == "" {
		return nil
	}
	o := &objects.Object{Node: n, Head: n, Kind: kind, Group: objects.GroupOf(apiVersion)}
	o.Version = strings.TrimPrefix(strings.TrimPrefix(apiVersion, o.Group), "/")
	o.Namespace, o.Name = crd.StringAt(n, "metadata", "namespace"), crd.StringAt(n, "metadata", "name")
	return o
}

// isWhole reports whether a mapping with an apiVersion and a kind is an object rather than a reference to one.
func isWhole(n *yaml.Node) bool {
	for _, name := range []string{"spec", "data", "metadata"} {
		if crd.Get(n, name) != nil {
			return true
		}
	}
	return false
}

// A refers is a place that names a version which is carried.
type refers struct {
	node *yaml.Node // the scalar
	was  yaml.Node
	now  string
}

// refer changes the references of a draft, whose objects are all that were found in it.
func (t *tending) refer(made *draft, all []subject) error {
	if t.References == IgnoreReferences {
		return nil
	}
	roots := map[*yaml.Node]int{}
	for i, s := range all {
		roots[s.Node] = i
	}
	of := map[int][]refers{}
	t.stay = t.patched(made.root)
	t.visit(made, made.root, -1, roots, of)
	for _, i := range slices.Sorted(maps.Keys(of)) {
		references := of[i]
		if i < 0 || !t.breaks(t.all[i], all[i].Object, references) {
			made.references += len(references)
			continue
		}
		for _, r := range references {
			*r.node = r.was
			made.notes = append(made.notes, leftOver(r.node, r.was.Value))
		}
	}
	return nil
}

// visit changes the references at and below a node that is in an object, by its index; -1 for none.
func (t *tending) visit(made *draft, n *yaml.Node, in int, roots map[*yaml.Node]int, of map[int][]refers) {
	if i, is := roots[n]; is {
		in = i
	} else if r := t.referenceAt(made, n); r != nil {
		of[in] = append(of[in], *r)
	}
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 0 {
			t.visit(made, child, in, roots, of)
			continue
		}
		switch key := n.Content[i-1].Value; {
		case slices.Contains(selecting, key):
			if r := t.target(made, child, n); r != nil {
				of[in] = append(of[in], *r)
			}
		case key == "patch" || key == "patchesStrategicMerge":
			made.references += t.inlinePatches(made, child)
		}
		t.visit(made, child, in, roots, of)
	}
}

// selecting are the fields of a kustomization that name a kind by group, version and kind.
var selecting = []string{"target", "select", "source", "reject"}

// referenceAt changes the mapping at a node if it refers to a kind that is carried, or is a list of such.
func (t *tending) referenceAt(made *draft, n *yaml.Node) *refers {
	to := reference(n)
	if to == nil || isWhole(n) && crd.Get(n, "items") == nil {
		return nil
	}
	kind := to.Kind
	if crd.Get(n, "items") != nil {
		if kind = strings.TrimSuffix(kind, "List"); kind == to.Kind || !t.allMove(n) {
			return nil
		}
	}
	way := t.leads(to.Group, to.Version, kind)
	if way == nil {
		return nil
	}
	if t.stay[to.APIVersion()+" "+to.Kind] {
		_, at := crd.Lookup(n, "apiVersion")
		made.notes = append(made.notes, unfollowed(at, to.APIVersion()))
		return nil
	}
	return t.change(made, n, "apiVersion", to.Group+"/"+way.To)
}

// allMove reports whether all items of a list, in a tree that was changed, have another version than the list.
func (t *tending) allMove(list *yaml.Node) bool {
	for _, item := range crd.Items(crd.Get(list, "items")) {
		if crd.StringAt(item, "apiVersion") == crd.StringAt(list, "apiVersion") {
			return false
		}
	}
	for _, s := range t.all {
		if s.Head != s.Node && s.after == nil && s.Head.Line == list.Line && s.Head.Column == list.Column {
			return false
		}
	}
	return true
}

// target changes the version by which a kustomization selects objects.
func (t *tending) target(made *draft, n, patch *yaml.Node) *refers {
	group, version, kind := crd.StringAt(n, "group"), crd.StringAt(n, "version"), crd.StringAt(n, "kind")
	if n.Kind != yaml.MappingNode || group == "" || version == "" || kind == "" {
		return nil
	}
	way := t.leads(group, version, kind)
	if way == nil {
		return nil
	}
	if !way.Alike {
		if why := t.unlike(way, patch); why != "" {
			_, at := crd.Lookup(n, "version")
			made.notes = append(made.notes, Note{Rule: "migrate-not-alike", Node: at, Message: text.Sprintf("%s", why)})
			return nil
		}
	}
	return t.change(made, n, "version", way.To)
}

// change gives a field of a mapping another text; nil where that is only to be reported, or is shared with something else.
func (t *tending) change(made *draft, m *yaml.Node, name, now string) *refers {
	k, n := crd.Lookup(m, name)
	shared := n.Anchor != "" && layout.Aliased(made.root, n) || !slices.Contains(m.Content, k)
	if t.References == ReportReferences || shared {
		made.notes = append(made.notes, leftOver(n, crd.StringAt(n)))
		return nil
	}
	r := &refers{node: n, was: *n, now: now}
	if n.Kind == yaml.AliasNode {
		*n = *layout.String(now)
		n.Line, n.Column = r.was.Line, r.was.Column
	} else {
		n.Value = now
	}
	return r
}

// breaks reports whether the CRD of an object rejects it with references changed, and takes it as it was.
func (t *tending) breaks(s subject, now *objects.Object, references []refers) bool {
	version := s.Version
	if s.after != nil {
		version = s.way.To
	}
	m := t.kindOf(s.Group, version, s.Kind)
	if m.Verdict != objects.Judged {
		return false
	}
	server, why := m.Definition.Server()
	if why != "" {
		return false
	}
	accepts := func() bool {
		tree, _, err := now.Tree()
		if err != nil {
			return false
		}
		tree["apiVersion"], tree["kind"] = s.Group+"/"+version, s.Kind
		return server.Version(version).Create(tree).Accepted()
	}
	if accepts() {
		return false
	}
	changed := make([]yaml.Node, len(references))
	for i, r := range references {
		changed[i], *r.node = *r.node, r.was
	}
	before := accepts()
	for i, r := range references {
		*r.node = changed[i]
	}
	return before
}
