package xrd

import (
	_ "embed" // for what Crossplane writes
	"slices"
	"sync"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/manifest"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

//go:embed crossplane.yaml
var crossplane []byte

var parsed = sync.OnceValue(func() *yaml.Node { return manifest.Parse("", crossplane).Documents[0].Root.YNode() })

// added is what Crossplane writes by a name of crossplane.yaml, as nodes that have no place in the XRD.
func added(name string) *yaml.Node { return fresh(crd.Get(parsed(), name)) }

func fresh(n *yaml.Node) *yaml.Node {
	n = crd.Deref(n)
	made := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value}
	for _, item := range crd.Items(n) {
		made.Content = append(made.Content, fresh(item))
	}
	for _, e := range crd.Entries(n) {
		add(made, own(e.Name), fresh(e.Value))
	}
	return made
}

// own is a string that Crossplane writes.
func own(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: value}
}

// as is a string that Crossplane writes in the place of a node.
func as(n *yaml.Node, value string) *yaml.Node {
	made := own(value)
	made.Line, made.Column = n.Line, n.Column
	return made
}

// like is an empty mapping that stands for a node of the XRD, and for none where that is nil.
func like(n *yaml.Node) *yaml.Node {
	made := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	if n != nil {
		made.Line, made.Column = n.Line, n.Column
	}
	return made
}

func add(m, key, value *yaml.Node) { m.Content = append(m.Content, key, value) }

func namesOf(entries []crd.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.Name)
	}
	return all
}

// keyOf is a key of a mapping of the XRD by the name that it has in a CRD, and one of Crossplane's where there is none.
func keyOf(m *yaml.Node, written, name string) *yaml.Node {
	k, _ := crd.Lookup(m, written)
	switch {
	case k == nil:
		return own(name)
	case written == name:
		return k
	}
	return as(k, name)
}

// share adds those of the entries of another mapping that it has.
func share(m, from *yaml.Node, names ...string) {
	for _, name := range names {
		if k, v := crd.Lookup(from, name); k != nil {
			add(m, k, v)
		}
	}
}

// extend adds the list that another mapping has under a name, with more items.
func extend(m, from *yaml.Node, name string, more ...*yaml.Node) {
	was := crd.Get(from, name)
	if was != nil && was.Kind != yaml.SequenceNode && !crd.IsNull(was) {
		share(m, from, name)
		return
	}
	list := like(was)
	list.Kind, list.Tag = yaml.SequenceNode, yaml.NodeTagSeq
	list.Content = slices.Concat(crd.Items(was), more)
	add(m, keyOf(from, name, name), list)
}

// without is a mapping but for some of its entries. Entries that are written twice and merge keys stay.
func without(m *yaml.Node, names ...string) *yaml.Node {
	made := like(m)
	m = crd.Deref(m)
	for i := 0; m != nil && m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
		if name, ok := yaml11.Key(m.Content[i]); !ok || yaml11.IsMerge(m.Content[i]) || !slices.Contains(names, name) {
			add(made, m.Content[i], m.Content[i+1])
		}
	}
	return made
}
