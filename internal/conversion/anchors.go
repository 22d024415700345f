package conversion

import (
	"github.com/crdlift/crdlift/internal/layout"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// outerTargets are the nodes outside a tree that aliases inside it stand for: in a List, nodes of the items before it.
func outerTargets(root *yaml.Node) map[*yaml.Node]bool {
	targets, every := map[*yaml.Node]bool{}, layout.EveryNode(root)
	for _, n := range every {
		if n.Kind == yaml.AliasNode {
			targets[n.Alias] = true
		}
	}
	for _, n := range every {
		delete(targets, n)
	}
	return targets
}

// dangling names the anchor of the first alias of a tree that refers to a node which is not before it; "" when
// there is none. Nodes outside the tree, which the caller knows, are.
func dangling(root *yaml.Node, outer map[*yaml.Node]bool) (name string) {
	seen := map[*yaml.Node]bool{}
	for _, n := range layout.EveryNode(root) {
		switch {
		case n.Kind == yaml.AliasNode && !seen[n.Alias] && !outer[n.Alias]:
			return n.Value
		case n.Anchor != "":
			seen[n] = true
		}
	}
	return ""
}
