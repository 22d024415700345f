package objects

import (
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/limit"
	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/yaml11"
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

// Tree is the object as kubectl sends it: read by YAML 1.1, the last of duplicate keys kept, integers as such. An item
// that has its apiVersion and kind from its list has them here. The error says what cannot be sent.
// The size is that of its JSON in bytes.
func (o *Object) Tree() (tree request.Object, size int, err error) {
	text, err := yaml11.ToJSON(o.Node)
	if err != nil {
		return nil, 0, err
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &tree); err != nil {
		return nil, 0, err
	}
	if o.Head != o.Node {
		tree["apiVersion"], tree["kind"] = o.APIVersion(), o.Kind
	}
	return tree, len(text), nil
}
