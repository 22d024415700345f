package conversion

import "sigs.k8s.io/kustomize/kyaml/yaml"

// outerTargets are the nodes outside a tree that aliases inside it stand for: in a List, nodes of the items before it.
func outerTargets(root *yaml.Node) map[*yaml.Node]bool {
	var targets map[*yaml.Node]bool // nil for most trees, which have no aliases
	visit(root, func(n *yaml.Node) {
		if n.Kind == yaml.AliasNode {
			if targets == nil {
				targets = map[*yaml.Node]bool{}
			}
			targets[n.Alias] = true
		}
	})
	if targets != nil {
		visit(root, func(n *yaml.Node) { delete(targets, n) })
	}
	return targets
}

func visit(n *yaml.Node, do func(*yaml.Node)) {
	do(n)
	for _, c := range n.Content {
		visit(c, do)
	}
}

// dangling names the anchor of the first alias of a tree that stands for a node which is not in front of it; "" when
// there is none. Nodes outside the tree, which the caller knows, are.
func dangling(root *yaml.Node, outer map[*yaml.Node]bool) (name string) {
	seen := map[*yaml.Node]bool{}
	var walk func(n *yaml.Node) bool
	walk = func(n *yaml.Node) bool {
		if n.Kind == yaml.AliasNode && !seen[n.Alias] && !outer[n.Alias] {
			name = n.Value
			return false
		}
		if n.Anchor != "" {
			seen[n] = true
		}
		for _, c := range n.Content {
			if !walk(c) {
				return false
			}
		}
		return true
	}
	walk(root)
	return name
}
