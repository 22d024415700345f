package objects

import (
	kjson "sigs.k8s.io/json"

	"github.com/crdlift/crdlift/internal/request"
	"github.com/crdlift/crdlift/internal/yaml11"
)

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
