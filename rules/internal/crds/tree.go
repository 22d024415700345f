package crds

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// eachMapping visits the mappings of a tree in the order of the text, but for what aliases stand for, which is visited
// where it is written. Hardly any visit asks for the path, so that it is put together when one does.
func eachMapping(n *yaml.Node, path func() string, visit func(m *yaml.Node, path func() string)) {
	if n.Kind == yaml.MappingNode {
		visit(n, path)
	}
	for i, c := range n.Content {
		if len(c.Content) == 0 || n.Kind == yaml.MappingNode && i%2 == 0 {
			continue
		}
		eachMapping(c, func() string {
			if n.Kind == yaml.SequenceNode {
				return crd.Item(path(), i)
			}
			name, _ := yaml11.Key(n.Content[i-1])
			return crd.Member(path(), name)
		}, visit)
	}
}

// Grouped puts together what has the same key, in the order in which the keys come up.
func Grouped[V any, K comparable](all []V, key func(V) K) [][]V {
	var groups [][]V
	at := map[K]int{}
	for _, v := range all {
		i, known := at[key(v)]
		if !known {
			i = len(groups)
			at[key(v)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

func isEmptyCollection(n *yaml.Node) bool {
	n = crd.Deref(n)
	return n != nil && n.Kind != yaml.ScalarNode && len(n.Content) == 0
}
