package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Require puts a property into the required list of a schema: into one of its own, where other schemas share the list. It
// reports whether the property was not there. The nodes returned stood on lines that change.
func Require(schema *yaml.Node, property string) (touched []*yaml.Node, added bool) {
	schema = crd.Deref(schema)
	k, list := crd.Lookup(schema, "required")
	all := crd.Items(list)
	if slices.ContainsFunc(all, func(n *yaml.Node) bool { return crd.StringAt(n) == property }) {
		return nil, false
	}
	own := list != nil && list.Kind == yaml.SequenceNode && list.Anchor == "" && slices.Contains(schema.Content, k)
	if own && len(all) > 0 {
		list.Content = append(list.Content, String(property))
		return Separators(list), true
	}
	fresh := List(String(property))
	for i, n := range all {
		fresh.Content = slices.Insert(fresh.Content, i, String(crd.StringAt(n)))
	}
	return Set(schema, "required", fresh), true
}
