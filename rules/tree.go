package rules

import (
	"github.com/crdlift/crdlift/internal/crd"
	"github.com/crdlift/crdlift/internal/yaml11"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// eachMapping visits the mappings of a tree in the order of the text, but for what aliases stand for, which is visited
// where it is written. Hardly any visit asks for the path, so that it is put together when one does.
func eachMapping(root *yaml.Node, visit func(m *yaml.Node, path func() string)) {
	type step struct {
		in   *yaml.Node
		at   int    // in its content
		path string // "" until somebody asks
	}
	var way []step
	path := func() string {
		known := len(way)
		for known > 0 && way[known-1].path == "" {
			known--
		}
		path := ""
		if known > 0 {
			path = way[known-1].path
		}
		for i := known; i < len(way); i++ {
			if s := &way[i]; s.in.Kind == yaml.SequenceNode {
				path = crd.Item(path, s.at)
			} else {
				name, _ := yaml11.Key(s.in.Content[s.at-1])
				path = crd.Member(path, name)
			}
			way[i].path = path
		}
		return path
	}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		first, every := 0, 1
		if n.Kind == yaml.MappingNode {
			visit(n, path)
			first, every = 1, 2
		}
		for i := first; i < len(n.Content); i += every {
			if c := n.Content[i]; len(c.Content) > 0 {
				way = append(way, step{in: n, at: i})
				walk(c)
				way = way[:len(way)-1]
			}
		}
	}
	walk(root)
}

func isEmptyCollection(n *yaml.Node) bool {
	n = crd.Deref(n)
	return n != nil && n.Kind != yaml.ScalarNode && len(n.Content) == 0
}
