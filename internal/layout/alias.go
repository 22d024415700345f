package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// StripAnchors removes the anchors from a copy, whose original keeps them: aliases inside the copy refer to the
// original's nodes.
func StripAnchors(n *yaml.Node) {
	n.Anchor = ""
	for _, c := range n.Content {
		StripAnchors(c)
	}
}

// Expandable reports whether a tree has aliases, and so few nodes after them that the API server would read it: aliases
// of aliases can expand to billions of nodes, or to themselves.
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

// Aliased reports whether an alias of a tree, outside of parts of it, refers to a node in one of the parts, so that what becomes
// of the parts is not only about them.
func Aliased(root *yaml.Node, parts ...*yaml.Node) bool {
	inside, anchored := map[*yaml.Node]bool{}, false
	for _, part := range parts {
		for _, n := range EveryNode(part) {
			inside[n], anchored = true, anchored || n.Anchor != ""
		}
	}
	return anchored && slices.ContainsFunc(EveryNode(root), func(n *yaml.Node) bool {
		return n.Kind == yaml.AliasNode && inside[n.Alias] && !inside[n]
	})
}

// ExpandAliases replaces every alias and merge key of a tree by a copy of its target. It returns the aliases that are
// gone. The tree has to be Expandable.
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

// ExpandMerges replaces the merge keys of a mapping by the merged entries, so that an entry can be removed.
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

// Dangling names the anchor of the first alias of a tree that refers to a node which is not before it; "" when
// it has no anchor. Nodes outside the tree, which the caller knows, are.
func Dangling(root *yaml.Node, outer map[*yaml.Node]bool) (name string) {
	seen := map[*yaml.Node]bool{}
	for _, n := range EveryNode(root) {
		switch {
		case n.Kind == yaml.AliasNode && !seen[n.Alias] && !outer[n.Alias]:
			return n.Value
		case n.Anchor != "":
			seen[n] = true
		}
	}
	return ""
}
