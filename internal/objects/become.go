package objects

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/request"
)

// Become is the value of a document in which objects that Find has found, by their nodes, become others. The value is changed.
func Become(root *yaml.Node, value any, becomes map[*yaml.Node]request.Object) any {
	return become(root, value, becomes, 0)
}

func become(n *yaml.Node, value any, becomes map[*yaml.Node]request.Object, lists int) any {
	n = crd.Deref(n)
	if o, found := becomes[n]; found {
		return o
	}
	items, isList := itemsOf(n)
	list, _ := value.(map[string]any)
	values, _ := list["items"].([]any)
	if !isList || len(values) != len(items) || lists >= limit.Lists {
		return value
	}
	for i, item := range items {
		values[i] = become(item, values[i], becomes, lists+1)
	}
	return value
}

// Written is the form of the object in its document, of what Tree has or what becomes of that: without the apiVersion and kind
// that it has from its list.
func (o *Object) Written(tree request.Object) request.Object {
	if o.Head != o.Node && tree["apiVersion"] == o.APIVersion() {
		delete(tree, "apiVersion")
		delete(tree, "kind")
	}
	return tree
}
