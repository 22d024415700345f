package objects

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// patchDirective is the key by which a strategic merge patch says what becomes of the rest.
const patchDirective = "$patch"

// isPatch reports whether an object is a strategic merge patch: something in it has a directive. An object inside of it may
// be one of its own: Flux's Kustomizations hold patches.
func (o *Object) isPatch() bool { return hasDirective(o.Node, o.Node) }

// IsCustom reports whether an object is a custom resource: it is none of Kubernetes' own, and not a part of one.
func (o *Object) IsCustom() bool { return !isBuiltIn(o.Group) && !o.isPatch() }

// hasDirective looks for a directive at and below a node of an object. What aliases lead to is at another node.
func hasDirective(object, n *yaml.Node) bool {
	if n != object && objectOf(nil, n) != nil {
		return false
	}
	for i, child := range n.Content {
		isKey := n.Kind == yaml.MappingNode && i%2 == 0
		if isKey && child.Value == patchDirective || !isKey && hasDirective(object, child) {
			return true
		}
	}
	return false
}
