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
