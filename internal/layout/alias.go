package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// StripAnchors takes the anchors off a copy, whose original keeps them: aliases inside the copy stand for the
// original's nodes.
func StripAnchors(n *yaml.Node) {
	n.Anchor = ""
	for _, c := range n.Content {
		StripAnchors(c)
	}
}

// Expandable reports whether a tree has aliases, and so few nodes after them that the API server would read it: aliases of
// aliases can stand for billions of nodes, or for themselves.
func Expandable(n *yaml.Node) bool {
	if !hasAlias(n) {
		return false
	}
	_, err := yaml11.ToJSON(n)
	return err == nil
}

func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}

// ExpandAliases writes out what every alias and merge key of a tree stands for. It returns the aliases that are gone.
// The tree has to be Expandable.
func ExpandAliases(n *yaml.Node) (gone []*yaml.Node) {
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			if yaml11.IsMerge(n.Content[i]) {
				gone = append(gone, n.Content[i], n.Content[i+1])
			}
		}
		ExpandMerges(n)
	}
	for i, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			gone = append(gone, c)
			c = crd.Clone(crd.Deref(c))
			StripAnchors(c)
			n.Content[i] = c
		}
		gone = append(gone, ExpandAliases(c)...)
	}
	return gone
}

// ExpandMerges replaces the merge keys of a mapping by what they bring in, so that an entry can be taken out.
func ExpandMerges(m *yaml.Node) {
	if !slices.ContainsFunc(m.Content, yaml11.IsMerge) {
		return
	}
	var content []*yaml.Node
	own := map[*yaml.Node]bool{}
	for i := 0; i < len(m.Content); i += 2 {
		own[m.Content[i]] = true
	}
	for _, e := range crd.Entries(m) {
		if own[e.Key] {
			content = append(content, e.Key, e.Value)
			continue
		}
		k, v := crd.Clone(e.Key), crd.Clone(e.Value)
		StripAnchors(v)
		content = append(content, k, v)
	}
	m.Content = content
}
