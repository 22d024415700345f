package layout

import (
	"slices"

	"github.com/crdlift/crdlift/internal/crd"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// Require puts properties into the required list of a schema: into one of its own, where other schemas share the list. It
// returns those that were not there. The nodes returned stood on lines that change.
func Require(schema *yaml.Node, properties ...string) (touched []*yaml.Node, added []string) {
	schema = crd.Deref(schema)
	k, list := crd.Lookup(schema, "required")
	all := crd.Items(list)
	known := map[string]bool{}
	for _, n := range all {
		known[crd.StringAt(n)] = true
	}
	fresh := List()
	for _, property := range properties {
		if !known[property] {
			known[property], added = true, append(added, property)
			fresh.Content = append(fresh.Content, String(property))
		}
	}
	if len(added) == 0 {
		return nil, nil
	}
	own := list != nil && list.Kind == yaml.SequenceNode && list.Anchor == "" && slices.Contains(schema.Content, k)
	if own && len(all) > 0 {
		list.Content = append(list.Content, fresh.Content...)
		return Separators(list), added
	}
	var before []*yaml.Node
	for _, n := range all {
		before = append(before, String(crd.StringAt(n)))
	}
	fresh.Content = append(before, fresh.Content...)
	return Set(schema, "required", fresh), added
}
